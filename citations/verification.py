"""The independent check of a Zitat against the stored file (docs/adr/0003)."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .children import ChildFailed, ChildRefused, run_child
from .comparison import compare_form
from .lesetext import lesetext
from .marks import rects_for
from .models import Dokument, Pruefung, Zitat
from .quelltext import cut

SECOND_ENGINE = "citations.pdfium"
Ergebnis = Pruefung.Ergebnis


@dataclass(frozen=True, slots=True)
class Urteil:
    """The outcome of one check; `grund` is German and says what does not agree."""

    ergebnis: Ergebnis
    grund: str = ""


PROVED = Urteil(Ergebnis.BEWIESEN)


def check_zitate(zitate: Iterable[Zitat]) -> Iterator[tuple[Zitat, Urteil]]:
    """Checks stored or proposed Zitate; each file is opened once by the second engine."""
    ordered = sorted(zitate, key=lambda zitat: zitat.extraktion.dokument_id)
    for _, group in groupby(ordered, key=lambda zitat: zitat.extraktion.dokument_id):
        yield from _check_dokument(list(group))


def _check_dokument(zitate: list[Zitat]) -> Iterator[tuple[Zitat, Urteil]]:
    dokument = zitate[0].extraktion.dokument
    data = _file(dokument)
    if isinstance(data, Urteil):
        yield from ((zitat, data) for zitat in zitate)
        return
    agreeing = []
    for zitat in zitate:
        refuted = _disagreement(zitat)
        if refuted:
            yield zitat, Urteil(Ergebnis.WIDERLEGT, refuted)
        else:
            agreeing.append(zitat)
    if agreeing:
        yield from zip(agreeing, _second_reading(data, agreeing), strict=True)


def _file(dokument: Dokument) -> bytes | Urteil:
    """The file's bytes, if they are still those that were read."""
    try:
        with dokument.file.open("rb") as file:
            data = bytes(file.read())
    except FileNotFoundError:
        return Urteil(Ergebnis.WIDERLEGT, "Die Datei fehlt.")
    if hashlib.sha256(data).hexdigest() != dokument.sha256:
        return Urteil(Ergebnis.WIDERLEGT, "Die Datei ist nicht mehr die, die gelesen wurde.")
    return data


def _disagreement(zitat: Zitat) -> str:
    """What in the row does not agree with the reading; empty if everything does."""
    text = lesetext(zitat.extraktion)
    spans = tuple((start, ende) for start, ende in zitat.spans)
    if not _is_ordered(spans, len(text.text)):
        return "Die Stelle liegt nicht im Dokument."
    if zitat.text != cut(text.text, spans):
        return "Der Wortlaut ist nicht der, der an der Stelle steht."
    if zitat.seite != text.seite_at(spans[0][0]):
        return "Die Seite ist nicht die, auf der die Stelle beginnt."
    if zitat.rects != rects_for(zitat.extraktion, spans):
        return "Die Markierung liegt nicht auf der Stelle."
    return ""


def _is_ordered(spans: tuple[tuple[int, int], ...], length: int) -> bool:
    edges = [edge for span in spans for edge in span]
    return bool(edges) and edges == sorted(edges) and edges[0] >= 0 and edges[-1] <= length


def _second_reading(data: bytes, zitate: list[Zitat]) -> list[Urteil]:
    request: dict[str, Any] = {"places": [zitat.rects for zitat in zitate]}
    try:
        found = json.loads(run_child(SECOND_ENGINE, request, data))
    except (ChildFailed, ChildRefused):
        cannot = Urteil(
            Ergebnis.NICHT_BEWEISBAR, "Das zweite Leseprogramm kann die Datei nicht lesen."
        )
        return [cannot] * len(zitate)
    return [_judge(zitat, text) for zitat, text in zip(zitate, found, strict=True)]


def _judge(zitat: Zitat, found: str | None) -> Urteil:
    if found is None:
        return Urteil(
            Ergebnis.NICHT_BEWEISBAR, "Das zweite Leseprogramm kann diese Seite nicht lesen."
        )
    expected = "".join(compare_form(teil) for teil in zitat.teile)
    if compare_form(found) != expected:
        return Urteil(
            Ergebnis.WIDERLEGT,
            "Das zweite Leseprogramm findet in der Markierung andere Buchstaben.",
        )
    return PROVED
