"""Break German text into lines, with the kinds of hyphens that real documents contain."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import pyphen

WEICH = "\u00ad"
STRICHE = {"hart": "-", "weich": WEICH, "weich+strich": WEICH + "-", "keiner": ""}
HOCH = re.compile(r"\[\^(\d+)\]")
_KERN = re.compile(r"([^\w]*)([^\W\d_]{6,})([^\w]*)$")
_SILBEN = pyphen.Pyphen(lang="de_DE", left=2, right=3)

Messung = Callable[[str], float]


@dataclass(frozen=True)
class Zeile:
    """One set line: its words, their natural width, and whether it ends its paragraph."""

    worte: tuple[str, ...]
    breite: float
    ende: bool


@dataclass(frozen=True)
class Umbruch:
    """How lines are broken; ``messen`` gives the width of a piece of text in points."""

    messen: Messung
    strich: str = "-"

    def take_zeile(self, worte: deque[str], breite: float, *, im_wort: bool = False) -> Zeile:
        """Take one line off ``worte``; with ``im_wort`` it ends inside a word if it can."""
        gesetzt: list[str] = []
        while worte and self._laenge([*gesetzt, worte[0]]) <= breite:
            gesetzt.append(worte.popleft())
        if worte and not self._divide_next(gesetzt, worte, breite) and im_wort:
            self._divide_earlier(gesetzt, worte, breite)
        if not gesetzt:
            gesetzt.append(worte.popleft())
        return Zeile(tuple(gesetzt), self._laenge(gesetzt), ende=not worte)

    def zeilen(self, text: str, breite: float) -> list[Zeile]:
        """Break a whole paragraph."""
        worte = woerter(text)
        ergebnis = []
        while worte:
            ergebnis.append(self.take_zeile(worte, breite))
        return ergebnis

    def _laenge(self, worte: list[str]) -> float:
        return self.messen(" ".join(worte))

    def _divide_next(self, gesetzt: list[str], worte: deque[str], breite: float) -> bool:
        for vorne, hinten in self._teilungen(worte[0]):
            if self._laenge([*gesetzt, vorne]) <= breite:
                worte[0] = hinten
                gesetzt.append(vorne)
                return True
        return False

    def _divide_earlier(self, gesetzt: list[str], worte: deque[str], breite: float) -> None:
        for letztes in range(len(gesetzt) - 1, 2, -1):
            for vorne, hinten in self._teilungen(gesetzt[letztes]):
                if self._laenge([*gesetzt[:letztes], vorne]) < 0.7 * breite:
                    return
                worte.extendleft(reversed([hinten, *gesetzt[letztes + 1 :]]))
                gesetzt[letztes:] = [vorne]
                return

    def _teilungen(self, wort: str) -> list[tuple[str, str]]:
        """Ways to divide a word, longest first part first."""
        if HOCH.search(wort):
            return []
        anfang, strich, rest = wort.rpartition("-")
        if strich and anfang and len(rest) > 3:
            hinten = [(f"{anfang}-{vorne}", teil) for vorne, teil in self._silben(rest)]
            return [*hinten, (f"{anfang}-", rest)]
        return self._silben(wort)

    def _silben(self, wort: str) -> list[tuple[str, str]]:
        if not self.strich or not (treffer := _KERN.match(wort)):
            return []
        vor, kern, nach = treffer.groups()
        stellen = reversed(_SILBEN.positions(kern))
        return [(vor + kern[:i] + self.strich, kern[i:] + nach) for i in map(int, stellen)]


def woerter(text: str) -> deque[str]:
    """Split at plain blanks only: words joined by a no-break space stay together."""
    return deque(wort for wort in text.split(" ") if wort)
