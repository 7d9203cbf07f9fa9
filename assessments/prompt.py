"""The German instructions to the model. The parts that never change come first (ADR 0010).

A change of any text here or in prompts/ needs a new PROMPT_VERSION: calls, errors and corrections
are counted per version.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from parlamente.models import Partei
from programme.llm import Messages
from programme.models import Programm

from .matrix import Feld, Matrix

PROMPT_VERSION = "1"
MATRIX_PARTS = ("matrix", "zitatregel", "schreibregel")
VERGLEICH_PARTS = ("vergleich", "zitatregel", "schreibregel")
PROMPTS = Path(__file__).parent / "prompts"
_FRAME = re.compile(r"<\s*/?\s*antrag", re.IGNORECASE)
# The answer's names for the two kinds of programmes, from the seeds.
ANSWER_KEYS = {
    Programm.Typ.WAHLPROGRAMM: "wahlprogramm",
    Programm.Typ.GRUNDSATZPROGRAMM: "parteiprogramm",
}


@dataclass(frozen=True)
class Quelle:
    """A passage shown to the model, under its full label (`GRÜNE NW Wahlprogramm 2022, S. 58`)."""

    typ: Programm.Typ
    label: str
    text: str


def matrix_messages(matrix: Matrix, titel: str, text: str) -> Messages:
    """The blind prompt: nothing in it depends on who submitted the motion."""
    felder = _join(*(_feld(feld) for feld in matrix.felder))
    instruction = _join(*map(_part, MATRIX_PARTS), "Die 25 Felder:", felder)
    return [
        {"role": "system", "content": instruction},
        {"role": "user", "content": f"AUFGABE: MATRIX\n\n{_antrag(titel, text)}"},
    ]


def vergleich_messages(
    partei: Partei, quellen: Sequence[Quelle], titel: str, text: str
) -> Messages:
    """The prompt of one party; a kind of programme without sources is named as such."""
    instruction = _join(*map(_part, VERGLEICH_PARTS))
    parts = [
        _antrag(titel, text),
        f"AUFGABE: VERGLEICH MIT {partei.kuerzel}\n({partei.name})",
        *(f"[Q{nr}] {quelle.label}\n{quelle.text}" for nr, quelle in enumerate(quellen, 1)),
        *_missing(quellen),
    ]
    return [
        {"role": "system", "content": instruction},
        {"role": "user", "content": _join(*parts)},
    ]


@cache
def _part(name: str) -> str:
    return (PROMPTS / f"{name}.txt").read_text(encoding="utf-8").strip()


def _join(*parts: str) -> str:
    return "\n\n".join(parts)


def _feld(feld: Feld) -> str:
    """The ends of the scale only: the middle of it would cost a fifth of the token budget."""
    return (
        f"{feld.code} {feld.klartitel}: {feld.leitfrage}\n"
        f"-2: {feld.beispiele.mm} 2: {feld.beispiele.pp}\n"
        f"Nicht: {feld.nicht_betroffen}"
    )


def _antrag(titel: str, text: str) -> str:
    """The motion inside its frame, which nothing in the paper can close."""
    titel, text = (_FRAME.sub("‹antrag", part) for part in (titel, text))
    return f"<antrag>\nTitel: {titel}\n\n{text}\n</antrag>"


def _missing(quellen: Sequence[Quelle]) -> list[str]:
    shown = {quelle.typ for quelle in quellen}
    return [
        f"Keine Quellen im Bestand für: {typ.label}. Dort ist score null ({ANSWER_KEYS[typ]})."
        for typ in Programm.Typ
        if typ not in shown
    ]
