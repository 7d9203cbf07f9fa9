"""The text sources of the sample documents: TOML front matter and a small subset of Markdown.

The subset is kept small on purpose, so that what stands in the source is what stands in the PDF:

``# Kapitel``, ``## Abschnitt``     headings; the chapter also goes into the running head
``- Punkt``, ``1. Nummer``           one list item per block, with a hanging indent
``> Kasten``                         white text in a coloured box
``| a | b |``                        one table row per line
``[^1]`` and ``[^1]: Text``          superscript mark and the note at the foot of the same page
``\\seite``, ``\\mitte``                page break, centred line
``\\verborgen``                       a line of white text on the white page
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ZEICHEN = {
    "# ": "kapitel",
    "## ": "abschnitt",
    "- ": "punkt",
    "> ": "kasten",
    "\\mitte ": "mitte",
    "\\verborgen ": "verborgen",
}
_NUMMER = re.compile(r"(\d{1,2}\.) +(?=\S)")
_NOTE = re.compile(r"\[\^(\d+)\]: +")


@dataclass(frozen=True)
class Block:
    """One block of running text; ``marke`` is the number of a list item or of a note."""

    art: str
    text: str
    marke: str = ""


@dataclass(frozen=True)
class Quelle:
    """A source file: its name, its front matter and its blocks."""

    name: str
    kopf: dict[str, Any]
    bloecke: tuple[Block, ...]


def read_quelle(pfad: Path) -> Quelle:
    """Read one source file."""
    _, kopf, text = pfad.read_text(encoding="utf-8").split("+++\n", 2)
    return Quelle(pfad.stem, tomllib.loads(kopf), tuple(map(_block, _rohbloecke(text))))


def absaetze(text: str) -> tuple[Block, ...]:
    """Plain text as blocks: paragraphs and numbered items, nothing else has a meaning."""
    return tuple(_nummer_oder_absatz(_einzeilig(roh)) for roh in _rohbloecke(text))


def _rohbloecke(text: str) -> list[str]:
    return [roh.strip("\n") for roh in re.split(r"\n[ \t]*\n", text) if roh.strip()]


def _block(roh: str) -> Block:
    if roh.strip() == "\\seite":
        return Block("seite", "")
    if roh.startswith("|"):
        return Block("tabelle", roh)
    if treffer := _NOTE.match(roh):
        return Block("note", _einzeilig(roh[treffer.end() :]), treffer[1])
    for zeichen, art in _ZEICHEN.items():
        if roh.startswith(zeichen):
            return Block(art, _einzeilig(roh.replace("\n> ", "\n").removeprefix(zeichen)))
    return _nummer_oder_absatz(_einzeilig(roh))


def _nummer_oder_absatz(text: str) -> Block:
    if treffer := _NUMMER.match(text):
        return Block("nummer", text[treffer.end() :], treffer[1])
    return Block("absatz", text)


def _einzeilig(roh: str) -> str:
    """Join source lines; only plain blanks, so that no-break spaces survive."""
    return re.sub(r"[ \t\n]+", " ", roh).strip(" ")
