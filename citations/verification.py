"""The independent check of a Zitat against the stored file (docs/adr/0003)."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
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


Geprueft = tuple[Zitat, Urteil]
# Rows per statement: a manifesto may have a thousand quotes.
BATCH = 1000


def record_pruefung(zitat: Zitat, urteil: Urteil) -> Pruefung:
    pruefung = _pruefung(zitat, urteil)
    pruefung.save()
    return pruefung


def record_pruefungen(checked: Iterable[Geprueft]) -> None:
    rows = [_pruefung(zitat, urteil) for zitat, urteil in checked]
    Pruefung.objects.bulk_create(rows, batch_size=BATCH)


def _pruefung(zitat: Zitat, urteil: Urteil) -> Pruefung:
    return Pruefung(
        zitat=zitat,
        ergebnis=urteil.ergebnis,
        grund=urteil.grund,
        gegenstand=urteil.gegenstand,
    )


def check_zitate(zitate: Iterable[Zitat]) -> Iterator[Geprueft]:
    """Checks stored or proposed Zitate; each file is opened once by each engine."""
    ordered = sorted(zitate, key=lambda zitat: zitat.extraktion.dokument_id)
    for _, group in groupby(ordered, key=lambda zitat: zitat.extraktion.dokument_id):
        yield from _begin(list(group), partial).end()


def check_dokumente(
    gruppen: Iterable[Sequence[Zitat]], *, at_once: int
) -> Iterator[list[Geprueft]]:
    """Checks groups of Zitate of one document each; `at_once` files are in a child's hands.

    Threads wait for the children, so that this one reads on; it alone asks the database.
    """
    with ThreadPoolExecutor(at_once) as engine:
        under_way: deque[_Gruppe] = deque()
        for zitate in gruppen:
            under_way.append(_begin(zitate, lambda *call: engine.submit(*call).result))
            if len(under_way) > at_once:
                yield under_way.popleft().end()
        while under_way:
            yield under_way.popleft().end()


@dataclass(frozen=True, slots=True)
class _Gruppe:
    """What is decided of a document's Zitate, and those that the second engine has to judge."""

    decided: list[Geprueft]
    agreeing: list[Zitat]
    second: Callable[[], list[Urteil]]

    def end(self) -> list[Geprueft]:
        return self.decided + list(zip(self.agreeing, self.second(), strict=True))


def _begin(zitate: Sequence[Zitat], later: Callable[..., Callable[[], list[Urteil]]]) -> _Gruppe:
    """Compares with the reading; `later` takes a call whose result will be asked for."""
    try:
        data = stored_bytes(zitate[0].extraktion.dokument)
    except DateiUnbrauchbar as error:
        urteil = refuted(Gegenstand.DATEI, str(error))
        return _Gruppe([(zitat, urteil) for zitat in zitate], [], list)
    texts = {pk: load_lesetext(pk) for pk in {zitat.extraktion_id for zitat in zitate}}
    decided, agreeing = [], []
    for zitat in zitate:
        disagreement = _disagreement(zitat, texts[zitat.extraktion_id])
        if disagreement:
            decided.append((zitat, disagreement))
        else:
            agreeing.append(zitat)
    printed = [texts[z.extraktion_id].seiten[z.seite - 1].gedruckt for z in agreeing]
    return _Gruppe(decided, agreeing, later(second_reading, data, agreeing, printed))


def _disagreement(zitat: Zitat, text: Lesetext) -> Urteil | None:
    """What in the row does not agree with the reading; None if everything does."""
    spans = _spans(zitat.spans, len(text.text))
    if not spans:
        return refuted(Gegenstand.WORTLAUT, "Die Stelle liegt nicht im Dokument.")
    if seite := text.unpruefbar(spans):
        return unprovable(seite.grund)
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
    if gap := gap_refusal(stelle.spans, text):
        return gap
    if zitat.seite != stelle.seite:
        return "Die Seite ist nicht die, auf der die Stelle beginnt."
    return ""


def gap_refusal(spans: tuple[Span, ...], text: Lesetext) -> str:
    """Why what the quote leaves out is refused whatever anybody says, in German; else ""."""
    return (
        "Die Auslassung lässt eine Verneinung oder zu viel weg."
        if gap_hindrance(spans, text)
        else ""
    )


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
    if not _is_same(found, place.teile):
        grund = "Das zweite Leseprogramm findet in der Markierung andere Buchstaben."
        return refuted(Gegenstand.MARKIERUNG, grund)
    return PROVED


def _is_same(found: str, teile: list[str]) -> bool:
    """Whether the letters agree; the comparison form is only asked where the words differ."""
    if " ".join(found.split()) == " ".join(teile):
        return True
    return compare_form(found) == "".join(compare_form(teil) for teil in teile)
