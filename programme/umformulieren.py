"""A question in other words: a model's help for one that can be understood in several ways."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Annotated

from django.conf import settings
from pydantic import BaseModel, Field

from parlamente.models import Parlament, Partei
from parlamente.zeichen import plain

from . import llm
from .hilfe import ask, framed, or_else
from .queries import Frage
from .retrieval import Fundstelle, find_passages, question
from .umsortieren import find_reranked

ZWECK = "Umformulieren"
MAX_FASSUNGEN = 3
# Letters; what is longer is no question.
MAX_CHARACTERS = 200
# The rewritings weigh this much together, so that the own words count half. Not measured: no model
# was at hand.
WEIGHT = 1.0

# The schema tells the limits; an answer beyond them is cut, not refused.
Fassung = Annotated[str, Field(json_schema_extra={"maxLength": MAX_CHARACTERS})]


class Fassungen(BaseModel):
    fassungen: list[Fassung] = Field(json_schema_extra={"maxItems": MAX_FASSUNGEN})


def is_on() -> bool:
    return bool(settings.RETRIEVAL_REWRITE and llm.is_configured())


def rewritings(frage: str) -> list[str]:
    """At most three other wordings by the model. Raises ModellFehler."""
    answer = ask("umformulieren", framed("frage", frage), Fassungen, zweck=ZWECK)
    texts = [" ".join(plain(text).split()) for text in answer.fassungen]
    usable = [text for text in texts if text and len(text) <= MAX_CHARACTERS and text != frage]
    return list(dict.fromkeys(usable))[:MAX_FASSUNGEN]


def with_rewritings(fragen: Sequence[Frage], texts: Iterable[str]) -> list[Frage]:
    """The questions and the other wordings, without names of parties and Länder."""
    known = {frage.text for frage in fragen}
    asked = [frage for text in texts for frage in question(text)]
    others = [*{frage.text: frage for frage in asked if frage.text not in known}.values()]
    return [*fragen, *(replace(frage, gewicht=WEIGHT / len(others)) for frage in others)]


def find_for_question(
    text: str,
    parteien: Sequence[Partei],
    *,
    parlament: Parlament,
    datum: date,
    top_k: int | None = None,
) -> dict[int, list[Fundstelle]]:
    """The passages for somebody's question, with the model's help where it is on.

    What the question in its own words finds nothing relevant in stays empty: the threshold is
    calibrated for them, and other wordings would find something in anything.
    """
    fragen = question(text)
    find = partial(find_reranked, parteien, parlament=parlament, datum=datum, top_k=top_k)
    if not is_on():
        return find(queries=fragen)
    own = find_passages(parteien, parlament=parlament, datum=datum, queries=fragen, top_k=top_k)
    if not any(own.values()):
        return own
    texts: list[str] = or_else([], lambda: rewritings(fragen[0].text), zweck=ZWECK)
    found = find(queries=with_rewritings(fragen, texts))
    return {key: _of_same_kinds(found[key], passages) for key, passages in own.items()}


def _of_same_kinds(found: Sequence[Fundstelle], own: Sequence[Fundstelle]) -> list[Fundstelle]:
    kinds = {stelle.programm.typ for stelle in own}
    return [stelle for stelle in found if stelle.programm.typ in kinds]
