"""The independent check of a Zitat against the stored file (docs/adr/0003)."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from .children import ChildFailed, ChildRefused, run_child
from .comparison import Grad, compare_form
from .datei import DateiUnbrauchbar, stored_bytes
from .lesetext import Lesetext, lesetext
from .marks import Rect, rects_for
from .models import Pruefung, Zitat
from .placing import gap_hindrance
from .quelltext import Span, cut

SECOND_ENGINE = "citations.pdfium"
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
    """Checks stored or proposed Zitate; each file is opened once by the second engine."""
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
    agreeing = []
    for zitat in zitate:
        disagreement = _disagreement(zitat)
        if disagreement:
            yield zitat, disagreement
        else:
            agreeing.append(zitat)
    if agreeing:
        yield from zip(agreeing, _second_reading(data, agreeing), strict=True)


def _disagreement(zitat: Zitat) -> Urteil | None:
    """What in the row does not agree with the reading; None if everything does."""
    text = lesetext(zitat.extraktion)
    spans = _spans(zitat.spans, len(text.text))
    if wording := _wrong_wording(zitat, text, spans):
        return refuted(Gegenstand.WORTLAUT, wording)
    if zitat.rects != _rects(zitat, spans):
        return refuted(Gegenstand.MARKIERUNG, "Die Markierung liegt nicht auf der Stelle.")
    return None


def _wrong_wording(zitat: Zitat, text: Lesetext, spans: tuple[Span, ...]) -> str:
    if not spans:
        return "Die Stelle liegt nicht im Dokument."
    if zitat.text != cut(text.text, spans):
        return "Der Wortlaut ist nicht der, der an der Stelle steht."
    if (zitat.grade == Grad.AUSLASSUNG) != (len(spans) > 1):
        return "Der Grad passt nicht zur Stelle."
    if gap_hindrance(spans, text):
        return "Die Auslassung lässt eine Verneinung oder zu viel weg."
    if zitat.seite != text.seite_at(spans[0][0]):
        return "Die Seite ist nicht die, auf der die Stelle beginnt."
    return ""


def _rects(zitat: Zitat, spans: tuple[Span, ...]) -> list[Rect]:
    """The boxes by the reading; none where its boxes and its text do not belong together."""
    try:
        return rects_for(zitat.extraktion, spans)
    except ValueError:
        return []


def _spans(stored: Any, length: int) -> tuple[Span, ...]:
    """The stored spans, if they are pairs in order inside the text; else none."""
    try:
        spans = tuple((int(start), int(ende)) for start, ende in stored)
    except (TypeError, ValueError):
        return ()
    edges = [edge for span in spans for edge in span]
    in_order = edges == sorted(edges) and len(set(edges)) == len(edges)
    return spans if edges and in_order and edges[0] >= 0 and edges[-1] <= length else ()


def _second_reading(data: bytes, zitate: list[Zitat]) -> list[Urteil]:
    printed = _printed_numbers(zitate)
    request: dict[str, Any] = {
        "places": [
            {"rects": zitat.rects, "seite": zitat.seite, "gedruckt": printed[zitat.seite]}
            for zitat in zitate
        ]
    }
    try:
        found = json.loads(run_child(SECOND_ENGINE, request, data))
    except (ChildFailed, ChildRefused):
        cannot = unprovable("Das zweite Leseprogramm kann die Datei nicht lesen.")
        return [cannot] * len(zitate)
    return [_judge(zitat, text) for zitat, text in zip(zitate, found, strict=True)]


def _printed_numbers(zitate: list[Zitat]) -> dict[int, list[str]]:
    """What readers are told is printed on the pages where the quotes begin."""
    pages = {zitat.seite for zitat in zitate}
    rows = zitate[0].extraktion.seiten.filter(index__in=pages)
    return dict(rows.values_list("index", "gedruckt"))


def _judge(zitat: Zitat, answer: dict[str, Any]) -> Urteil:
    found = answer["text"]
    if answer["fehlende_zahlen"]:
        numbers = ", ".join(answer["fehlende_zahlen"])
        grund = f"Auf der Seite ist nicht die Zahl {numbers} gedruckt."
        return refuted(Gegenstand.MARKIERUNG, grund)
    if found is None:
        return unprovable("Das zweite Leseprogramm kann diese Seite nicht lesen.")
    expected = "".join(compare_form(teil) for teil in zitat.teile)
    if compare_form(found) != expected:
        grund = "Das zweite Leseprogramm findet in der Markierung andere Buchstaben."
        return refuted(Gegenstand.MARKIERUNG, grund)
    return PROVED
