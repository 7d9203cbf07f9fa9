"""The best of the fused passages first: a model orders each party's list in one call."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from typing import Annotated

from django.conf import settings
from pydantic import BaseModel, Field

from parlamente.models import Parlament, Partei

from . import llm
from .hilfe import ask, framed, or_else
from .llm import OnCall
from .queries import Frage
from .retrieval import Fundstelle, find_passages

ZWECK = "Umsortieren"
# Passages of a party that the model sees.
RERANKED = 15

# The schema tells the limits; numbers beyond them are ignored, not refused.
Nummer = Annotated[int, Field(json_schema_extra={"minimum": 1, "maximum": RERANKED})]


class Reihenfolge(BaseModel):
    nummern: list[Nummer] = Field(json_schema_extra={"maxItems": RERANKED})


def is_on() -> bool:
    return bool(settings.RETRIEVAL_RERANK and llm.is_configured())


def find_reranked(
    parteien: Sequence[Partei],
    *,
    parlament: Parlament,
    datum: date,
    queries: Sequence[Frage],
    top_k: int | None = None,
    on_call: OnCall | None = None,
) -> dict[int, list[Fundstelle]]:
    """As find_passages; with RETRIEVAL_RERANK the best of each party's fused 15 by the model."""
    find = partial(find_passages, parteien, parlament=parlament, datum=datum, queries=queries)
    if not is_on():
        return find(top_k=top_k)
    wanted = settings.RETRIEVAL_TOP_K if top_k is None else top_k
    return {
        key: best(
            or_else(fused, partial(rerank, queries, fused, on_call=on_call), zweck=ZWECK), wanted
        )
        for key, fused in find(top_k=max(wanted, RERANKED)).items()
    }


def rerank(
    queries: Sequence[Frage], fused: Sequence[Fundstelle], *, on_call: OnCall | None = None
) -> list[Fundstelle]:
    """The same passages, the first 15 in the model's order. Raises ModellFehler."""
    seen, behind = fused[:RERANKED], fused[RERANKED:]
    if len(seen) < 2:
        return list(fused)
    answer = ask("umsortieren", request(queries, seen), Reihenfolge, zweck=ZWECK, on_call=on_call)
    return [*(seen[n - 1] for n in order(answer.nummern, len(seen))), *behind]


def request(queries: Sequence[Frage], passages: Sequence[Fundstelle]) -> str:
    """What the model reads; neither party nor programme is named."""
    asked = framed("anliegen", "\n".join(f"- {query.text}" for query in queries))
    return "\n\n".join([asked, *(_stelle(n, p.pfad, p.text) for n, p in enumerate(passages, 1))])


def _stelle(nummer: int, pfad: str, text: str) -> str:
    return f"[{nummer}]\n" + framed("stelle", "\n".join(filter(None, [pfad, text])))


def order(nummern: Iterable[int], count: int) -> list[int]:
    """Each of the numbers 1 to `count` once: those that were named first, the others behind."""
    named = (nummer for nummer in nummern if 1 <= nummer <= count)
    return list(dict.fromkeys([*named, *range(1, count + 1)]))


def best(passages: Sequence[Fundstelle], top_k: int) -> list[Fundstelle]:
    """The first `top_k` in their order; the first of each kind of programme has its place."""
    firsts = {stelle.programm.typ: nr for nr, stelle in reversed(list(enumerate(passages)))}
    kept = list(dict.fromkeys([*sorted(firsts.values()), *range(len(passages))]))[:top_k]
    return [passages[nr] for nr in sorted(kept)]
