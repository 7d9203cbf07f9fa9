"""The independent check of a Zitat against the stored file (docs/adr/0003)."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Protocol

from .children import ChildFailed, ChildRefused, run_child
from .comparison import Grad, compare_form
from .datei import DateiUnbrauchbar, stored_bytes
from .lesetext import load_lesetext
from .marks import Rect
from .models import Pruefung, Zitat
from .placing import gap_hindrance
from .quelltext import Lesetext, Span
from .stelle import Stelle, stelle_at

SECOND_ENGINE = "citations.pdfium"
WRONG_BOXES = "Die Markierung liegt nicht auf der Stelle."
Ergebnis = Pruefung.Ergebnis
Gegenstand = Pruefung.Gegenstand


@dataclass(frozen=True, slots=True)
class Urteil:
    """The outcome of one check; `grund` is German and says what does not agree.

    `gegenstand` is empty for all but a refutation.
    """

    ergebnis: Ergebnis
    grund: str = ""
    gegenstand: Gegenstand | str = ""


PROVED = Urteil(Ergebnis.BEWIESEN)


def refuted(gegenstand: Gegenstand, grund: str) -> Urteil:
    return Urteil(Ergebnis.WIDERLEGT, grund, gegenstand)


def unprovable(grund: str) -> Urteil:
    return Urteil(Ergebnis.NICHT_BEWEISBAR, grund)


def record_pruefung(zitat: Zitat, urteil: Urteil) -> Pruefung:
    return zitat.pruefungen.create(**asdict(urteil))


def check_zitate(zitate: Iterable[Zitat]) -> Iterator[tuple[Zitat, Urteil]]:
    """Checks stored or proposed Zitate; each file is opened once by each engine."""
    ordered = sorted(zitate, key=lambda zitat: zitat.extraktion.dokument_id)
    for _, group in groupby(ordered, key=lambda zitat: zitat.extraktion.dokument_id):
        yield from _check_dokument(list(group))


def _check_dokument(zitate: list[Zitat]) -> Iterator[tuple[Zitat, Urteil]]:
    dokument = zitate[0].extraktion.dokument
    try:
        data = stored_bytes(dokument)
    except DateiUnbrauchbar as error:
        urteil = refuted(Gegenstand.DATEI, str(error))
        yield from ((zitat, urteil) for zitat in zitate)
        return
    texts = {pk: load_lesetext(pk) for pk in {zitat.extraktion_id for zitat in zitate}}
    agreeing = []
    for zitat in zitate:
        disagreement = _disagreement(zitat, texts[zitat.extraktion_id])
        if disagreement:
            yield zitat, disagreement
        else:
            agreeing.append(zitat)
    printed = [texts[z.extraktion_id].seiten[z.seite - 1].gedruckt for z in agreeing]
    yield from zip(agreeing, second_reading(data, agreeing, printed), strict=True)


def _disagreement(zitat: Zitat, text: Lesetext) -> Urteil | None:
    """What in the row does not agree with the reading; None if everything does."""
    spans = _spans(zitat.spans, len(text.text))
    if not spans:
        return refuted(Gegenstand.WORTLAUT, "Die Stelle liegt nicht im Dokument.")
    try:
        stelle = stelle_at(text, spans, Grad(zitat.grade))
    except ValueError:  # the page's boxes and its text do not belong together
        return refuted(Gegenstand.MARKIERUNG, WRONG_BOXES)
    if wording := _wrong_wording(zitat, stelle, text):
        return refuted(Gegenstand.WORTLAUT, wording)
    if zitat.rects != stelle.rects:
        return refuted(Gegenstand.MARKIERUNG, WRONG_BOXES)
    return None


def _wrong_wording(zitat: Zitat, stelle: Stelle, text: Lesetext) -> str:
    if zitat.text != stelle.text:
        return "Der Wortlaut ist nicht der, der an der Stelle steht."
    if (stelle.grade == Grad.AUSLASSUNG) != (len(stelle.spans) > 1):
        return "Der Grad passt nicht zur Stelle."
    if gap_hindrance(stelle.spans, text):
        return "Die Auslassung lässt eine Verneinung oder zu viel weg."
    if zitat.seite != stelle.seite:
        return "Die Seite ist nicht die, auf der die Stelle beginnt."
    return ""


def _spans(stored: Any, length: int) -> tuple[Span, ...]:
    """The stored spans, if they are pairs in order inside the text; else none."""
    try:
        spans = tuple((int(start), int(ende)) for start, ende in stored)
    except (TypeError, ValueError):
        return ()
    edges = [edge for span in spans for edge in span]
    in_order = edges == sorted(edges) and len(set(edges)) == len(edges)
    return spans if edges and in_order and edges[0] >= 0 and edges[-1] <= length else ()


class Geortet(Protocol):
    """What the second engine needs to know of a place."""

    @property
    def seite(self) -> int: ...

    @property
    def rects(self) -> list[Rect]: ...

    @property
    def teile(self) -> list[str]: ...


def second_reading(
    data: bytes, places: Sequence[Geortet], printed: Sequence[list[str]]
) -> list[Urteil]:
    """What the second engine says of each place in the file.

    `printed` are the numbers that readers are told stand on the pages where the places begin.
    """
    if not places:
        return []
    request: dict[str, Any] = {
        "places": [
            {"rects": place.rects, "seite": place.seite, "gedruckt": numbers}
            for place, numbers in zip(places, printed, strict=True)
        ]
    }
    try:
        found = json.loads(run_child(SECOND_ENGINE, request, data))
    except (ChildFailed, ChildRefused):
        cannot = unprovable("Das zweite Leseprogramm kann die Datei nicht lesen.")
        return [cannot] * len(places)
    return [_judge(place, answer) for place, answer in zip(places, found, strict=True)]


def _judge(place: Geortet, answer: dict[str, Any]) -> Urteil:
    found = answer["text"]
    if answer["fehlende_zahlen"]:
        numbers = ", ".join(answer["fehlende_zahlen"])
        grund = f"Auf der Seite ist nicht die Zahl {numbers} gedruckt."
        return refuted(Gegenstand.MARKIERUNG, grund)
    if found is None:
        return unprovable("Das zweite Leseprogramm kann diese Seite nicht lesen.")
    expected = "".join(compare_form(teil) for teil in place.teile)
    if compare_form(found) != expected:
        grund = "Das zweite Leseprogramm findet in der Markierung andere Buchstaben."
        return refuted(Gegenstand.MARKIERUNG, grund)
    return PROVED
