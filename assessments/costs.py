"""What an assessment would cost, before any call is made."""

import json
from dataclasses import dataclass

from django.conf import settings
from pydantic import BaseModel

from parlamente.models import Fassung
from programme import hilfe, umsortieren
from programme.chunking import MAX_CHARACTERS
from programme.json_schema import strict_schema
from programme.llm import Messages, estimate_tokens
from programme.queries import motion_queries

from .matrix import load_matrix
from .prompt import matrix_messages, vergleich_messages
from .schemas import MatrixAntwort, VergleichAntwort
from .subject import Gegenstand, gather


@dataclass(frozen=True)
class Kosten:
    """Tokens at one per three characters; `euro` at the prices of LLM_PRICE_INPUT and _OUTPUT."""

    calls: int
    tokens_in: int
    tokens_out: int

    @property
    def euro(self) -> float:
        total = self.tokens_in * settings.LLM_PRICE_INPUT
        return (total + self.tokens_out * settings.LLM_PRICE_OUTPUT) / 1_000_000


def estimate_costs(fassung: Fassung) -> Kosten:
    """The calls that assess() would make. Raises NichtBewertbar."""
    gegenstand = gather(fassung)
    matrix = matrix_messages(load_matrix(), gegenstand.titel, gegenstand.text)
    tokens = [tokens_of(matrix, MatrixAntwort)]
    for partei in gegenstand.parteien:
        quellen = gegenstand.quellen_von(partei)
        if quellen:
            messages = vergleich_messages(partei, quellen, gegenstand.titel, gegenstand.forderungen)
            tokens.append(tokens_of(messages, VergleichAntwort))
            if umsortieren.is_on():
                tokens.append(_tokens_of_sorting(gegenstand))
    return Kosten(
        calls=len(tokens),
        tokens_in=sum(tokens),
        tokens_out=len(tokens) * settings.LLM_MAX_OUTPUT_TOKENS,
    )


def _tokens_of_sorting(gegenstand: Gegenstand) -> int:
    """At most: of one party's fused passages, each as long as it may be."""
    asked = umsortieren.request(motion_queries(gegenstand.titel, gegenstand.text), [])
    passages = "x" * MAX_CHARACTERS * umsortieren.RERANKED
    messages = hilfe.messages("umsortieren", asked + passages)
    return tokens_of(messages, umsortieren.Reihenfolge)


def tokens_of(messages: Messages, schema: type[BaseModel]) -> int:
    """The messages and the schema of the answer, which providers put into the prompt."""
    words = json.dumps(strict_schema(schema), ensure_ascii=False, separators=(",", ":"))
    return sum(estimate_tokens(str(m["content"])) for m in messages) + estimate_tokens(words)
