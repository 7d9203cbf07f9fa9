"""Measures retrieval on golden questions and motions whose right passages are known."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from citations.comparison import compare_form
from citations.lesetext import lesetext
from citations.models import Extraktion
from parlamente.models import Parlament

from .chunking import Span
from .models import Programm
from .queries import motion_queries
from .retrieval import Fundstelle, find_passages

DEPTH = 8
# A passage is right when it holds at least half of the known one: that is enough to quote from.
MIN_COVER = 0.5


@dataclass(frozen=True)
class Aufgabe:
    """What is asked of one programme, and the places of which each should be found.

    Every place is a list of equally good quotes.
    """

    programm: Programm
    parlament: Parlament
    datum: date
    queries: list[str]
    stellen: list[list[str]]


@dataclass
class Messung:
    """Counted per place; the reciprocal rank per question."""

    stellen: int = 0
    at_5: int = 0
    at_8: int = 0
    kehrwerte: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        if not self.stellen:
            return "nothing to measure"
        mrr = sum(self.kehrwerte) / len(self.kehrwerte)
        return (
            f"{self.stellen:5d} {self.at_5 / self.stellen:9.3f} "
            f"{self.at_8 / self.stellen:9.3f} {mrr:6.3f}"
        )

    def add(self, ranks: Sequence[int | None]) -> None:
        """The rank from 0 of the first passage that holds each place, or None."""
        found = [rank for rank in ranks if rank is not None]
        self.stellen += len(ranks)
        self.at_5 += sum(rank < 5 for rank in found)
        self.at_8 += sum(rank < DEPTH for rank in found)
        self.kehrwerte.append(1 / (min(found) + 1) if found else 0.0)


def read_golden(path: Path) -> Iterator[Aufgabe]:
    """The tasks of a JSON-lines file, as far as their programmes are in the index.

    A line holds either one question to one programme (`frage`, `datei`, `zitat`, `weitere`) or a
    motion (`titel`, `text`, `datum`, `belege` by party).
    """
    by_name = {p.dokument.name: p for p in Programm.objects.select_related("dokument", "parlament")}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        tasks = _question(entry, by_name) if "frage" in entry else _motion(entry, by_name)
        yield from tasks


def measure(aufgaben: Iterable[Aufgabe]) -> dict[str, Messung]:
    """Per party, and under `all` together."""
    results: dict[str, Messung] = {}
    for aufgabe in aufgaben:
        ranks = _ranks(aufgabe)
        for key in (aufgabe.programm.kuerzel, "all"):
            results.setdefault(key, Messung()).add(ranks)
    return results


def _question(entry: dict[str, Any], by_name: dict[str, Programm]) -> Iterator[Aufgabe]:
    programm = by_name.get(Path(entry["datei"]).name)
    if programm and programm.parlament and entry["beantwortbar"]:
        yield Aufgabe(
            programm,
            programm.parlament,
            programm.gueltig.lower,
            [entry["frage"]],
            [_quotes(entry)],
        )


def _motion(entry: dict[str, Any], by_name: dict[str, Programm]) -> Iterator[Aufgabe]:
    for belege in filter(None, entry["belege"].values()):
        programm = by_name.get(Path(belege[0]["datei"]).name)
        if programm and programm.parlament:
            yield Aufgabe(
                programm,
                programm.parlament,
                date.fromisoformat(entry["datum"]),
                motion_queries(entry["titel"], entry["text"]),
                [_quotes(beleg) for beleg in belege],
            )


def _quotes(entry: dict[str, Any]) -> list[str]:
    return [entry["zitat"], *(weitere["zitat"] for weitere in entry.get("weitere", []))]


def _ranks(aufgabe: Aufgabe) -> list[int | None]:
    programm = aufgabe.programm
    partei = programm.parteien.all()[0]
    found = find_passages(
        [partei],
        parlament=aufgabe.parlament,
        datum=aufgabe.datum,
        queries=aufgabe.queries,
        top_k=DEPTH,
    )[partei.pk]
    own = [stelle if stelle.programm == programm else None for stelle in found]
    return [_first_rank(own, quotes) for quotes in aufgabe.stellen]


def _first_rank(found: list[Fundstelle | None], quotes: list[str]) -> int | None:
    for rank, stelle in enumerate(found):
        if stelle and any(_covers(stelle, place) for place in _places(stelle, quotes)):
            return rank
    return None


def _covers(stelle: Fundstelle, place: Span) -> bool:
    start, ende = place
    return min(ende, stelle.ende) - max(start, stelle.start) >= MIN_COVER * (ende - start)


def _places(stelle: Fundstelle, quotes: list[str]) -> list[Span]:
    """Every place in the passage's own reading at which one of the quotes stands."""
    form = lesetext(Extraktion(pk=stelle.extraktion_id)).form
    places = []
    for needle in map(compare_form, quotes):
        at = form.text.find(needle)
        while at >= 0:
            places.append(form.span(at, at + len(needle)))
            at = form.text.find(needle, at + 1)
    return places
