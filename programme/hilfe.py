"""What the two helps of a model in searching share; how they fail is up to whoever asks."""

import logging
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from pydantic import BaseModel, ValidationError

from .aufrufe import ModellFehler
from .llm import Messages, OnCall, complete

logger = logging.getLogger(__name__)

# A change of any text in prompts/ needs a new one: calls and errors are counted per version.
PROMPT_VERSION = "suche-1"
PROMPTS = Path(__file__).parent / "prompts"
_FRAME = re.compile(r"<(?=\s*/?\s*(?:frage|anliegen|stelle))", re.IGNORECASE)

Antwort = TypeVar("Antwort", bound=BaseModel)
Wert = TypeVar("Wert")


class UnbrauchbareAntwort(ModellFehler):
    """The answer is not of the form that was asked for."""


def ask(
    name: str, inhalt: str, schema: type[Antwort], *, zweck: str, on_call: OnCall | None = None
) -> Antwort:
    """The answer to the instruction of that name, within RETRIEVAL_MODEL_SECONDS.

    Raises ModellFehler, never with words of the model.
    """
    answer = complete(
        messages(name, inhalt),
        schema=schema,
        schema_name=name,
        zweck=zweck,
        prompt_version=PROMPT_VERSION,
        on_call=on_call,
        seconds=settings.RETRIEVAL_MODEL_SECONDS,
    )
    try:
        return schema.model_validate_json(answer.text)
    except ValidationError:
        raise UnbrauchbareAntwort(
            f"{zweck}: Die Antwort des Modells hat nicht die vereinbarte Form."
        ) from None  # pydantic's message quotes the answer


def or_else(fallback: Wert, asked: Callable[[], Wert], *, zweck: str) -> Wert:
    """What was asked for, or the fallback where the model gave nothing usable."""
    try:
        return asked()
    except ModellFehler as failure:
        logger.warning("%s: %s; searching goes on without", zweck, type(failure).__name__)
        return fallback


def messages(name: str, inhalt: str) -> Messages:
    return [
        {"role": "system", "content": instruction(name)},
        {"role": "user", "content": inhalt},
    ]


@cache
def instruction(name: str) -> str:
    return (PROMPTS / f"{name}.txt").read_text(encoding="utf-8").strip()


def framed(name: str, text: str) -> str:
    """The text inside its frame, which nothing in it can close."""
    return f"<{name}>\n{_FRAME.sub('‹', text)}\n</{name}>"
