"""What an assessment would cost, before any call is made."""

from dataclasses import dataclass

from django.conf import settings

from parlamente.models import Fassung
from programme.llm import Messages, estimate_tokens

from .matrix import load_matrix
from .prompt import matrix_messages, vergleich_messages
from .subject import gather


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
    titel = fassung.antrag.titel
    prompts = [matrix_messages(load_matrix(), titel, gegenstand.text)]
    for partei in gegenstand.parteien:
        quellen = [q for each in gegenstand.vergleiche_mit(partei) for q in each.quellen()]
        if quellen:
            prompts.append(vergleich_messages(partei, quellen, titel, gegenstand.text))
    return Kosten(
        calls=len(prompts),
        tokens_in=sum(map(_tokens, prompts)),
        tokens_out=len(prompts) * settings.LLM_MAX_OUTPUT_TOKENS,
    )


def _tokens(messages: Messages) -> int:
    return sum(estimate_tokens(str(message["content"])) for message in messages)
