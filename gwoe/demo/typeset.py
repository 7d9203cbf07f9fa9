"""Typeset the sample documents: ``python -m gwoe.demo.typeset``.

A developer's script, needed only when a source under ``samples/quellen/`` changes; the PDFs are
checked in. It needs the Debian packages fonts-liberation2 and fonts-sil-charis. The same sources
and fonts give the same bytes on every run.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date
from itertools import chain, count
from pathlib import Path
from typing import IO, Any

from gwoe.demo.quellen import Quelle, absaetze, read_quelle
from gwoe.demo.satz import Eintrag, Fluss, Rand
from gwoe.demo.stift import WEISS, Gestalt

SAMPLES = Path(__file__).parent / "samples"
_MONATE = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip


def main() -> None:
    """Typeset every source into the folder of samples."""
    for pfad in sorted((SAMPLES / "quellen").glob("*.md")):
        ziel = SAMPLES / f"{pfad.stem}.pdf"
        seiten = typeset_quelle(read_quelle(pfad), ziel)
        print(f"{ziel.name}: {seiten} pages, {ziel.stat().st_size // 1024} kB")


def typeset_quelle(quelle: Quelle, ziel: Path) -> int:
    """Typeset one source file and return the number of pages."""
    draw = _draw_antrag if quelle.kopf["art"] == "antrag" else _draw_programm
    return draw(quelle, ziel)


def typeset_antrag(
    path: Path,
    *,
    parlament: str,
    drucksache: str,
    datum: date,
    titel: str,
    einreichende: Sequence[str],
    text: str,
) -> Path:
    """Typeset a motion from plain text: paragraphs and numbered demands, set apart by blank lines.

    Uses only the fonts that come with reportlab, so that tests need nothing installed.
    """
    kopf = {
        "parlament": parlament,
        "drucksache": drucksache,
        "datum": datum,
        "titel": titel,
        "einreichende": list(einreichende),
    }
    _draw_antrag(Quelle(path.stem, kopf, absaetze(text)), path)
    return path


# -- motions ---------------------------------------------------------------------------------------


def _draw_antrag(quelle: Quelle, ziel: Path) -> int:
    kopf = quelle.kopf
    gestalt = Gestalt(**{"grad": 11.5, **kopf.get("gestalt", {})})
    wahlperiode = kopf["drucksache"].partition("/")[0]
    rand = Rand(
        kopf_links=f"{kopf['parlament']} – {wahlperiode}. Wahlperiode",
        kopf_rechts=f"Drucksache {kopf['drucksache']}",
        fuss_ort="mitte",
        ab_seite=2,
        abstand=57,
    )
    fluss = Fluss(str(ziel), gestalt, rand, titel=kopf["titel"], nummern=map(str, count(1)))
    fluss.begin_seite()
    _briefkopf(fluss, kopf)
    fluss.set_bloecke(quelle.bloecke)
    fluss.finish()
    return fluss.index


def _briefkopf(fluss: Fluss, kopf: dict[str, Any]) -> None:
    g, stift = fluss.gestalt, fluss.stift
    wahlperiode = kopf["drucksache"].partition("/")[0]
    y, links, rechts = g.hoehe - 62, 57, g.breite - 57
    stift.text(links, y, kopf["parlament"].upper(), schrift=stift.fett, grad=13)
    stift.text(rechts, y, f"Drucksache {kopf['drucksache']}",
               schrift=stift.fett, grad=13, ort="rechts")  # fmt: skip
    stift.text(links, y - 16, f"{wahlperiode}. Wahlperiode")
    stift.text(rechts, y - 16, _tag(kopf["datum"]), ort="rechts")
    fluss.leinwand.line(links, y - 28, rechts, y - 28)
    fluss.y = y - 52
    stift.text(g.breite / 2, fluss.y, "Antrag", schrift=stift.fett, grad=15, ort="mitte")
    fluss.y -= 20
    fluss.set_centred(_fraktionen(kopf["einreichende"]))
    fluss.y -= 8
    fluss.set_ueberschrift("titel", kopf["titel"])
    fluss.leave_white(0.5)


def _fraktionen(einreichende: Sequence[str]) -> str:
    if len(einreichende) == 1:
        return f"der Fraktion {einreichende[0]}"
    return f"der Fraktionen {', '.join(einreichende[:-1])} und {einreichende[-1]}"


def _tag(datum: date) -> str:
    return f"{datum.day}. {_MONATE[datum.month - 1]} {datum.year}"


# -- programmes ------------------------------------------------------------------------------------


def _draw_programm(quelle: Quelle, ziel: Path) -> int:
    """Set twice: only the first pass knows the page numbers for the table of contents."""
    entwurf = _programm(quelle, io.BytesIO(), [])
    return _programm(quelle, str(ziel), entwurf.inhalt).index


def _programm(quelle: Quelle, ziel: str | IO[bytes], inhalt: list[Eintrag]) -> Fluss:
    kopf = quelle.kopf
    titel = f"{kopf['partei']}: {kopf['untertitel']}"
    nummern = chain(kopf["vorspann"], map(str, count(kopf["erste"])))
    gestalt, rand = Gestalt(**kopf["gestalt"]), Rand(**kopf["rand"])
    fluss = Fluss(ziel, gestalt, rand, titel=titel, nummern=nummern)
    fluss.begin_seite()
    _titelseite(fluss, kopf)
    if kopf.get("inhalt"):
        fluss.begin_seite()
        _inhaltsseite(fluss, inhalt)
    fluss.begin_seite()
    fluss.set_bloecke(quelle.bloecke)
    _etiketten(fluss, kopf)
    fluss.finish()
    return fluss


def _etiketten(fluss: Fluss, kopf: dict[str, Any]) -> None:
    """Page labels of the viewer: a third numbering beside index and print."""
    for etikett in kopf.get("etikett", []):
        stil, start, vorsatz = (etikett.get(name) for name in ("stil", "start", "vorsatz"))
        fluss.leinwand.addPageLabel(etikett["ab"], stil, start, vorsatz)


def _titelseite(fluss: Fluss, kopf: dict[str, Any]) -> None:
    g, stift, leinwand = fluss.gestalt, fluss.stift, fluss.leinwand
    leinwand.setFillColor(g.farbe)
    leinwand.rect(0, g.hoehe * 0.42, g.breite, g.hoehe * 0.58, stroke=0, fill=1)
    y = g.hoehe * 0.72
    stift.text(g.links, y + 60, kopf["partei"], schrift=stift.fett, grad=15, farbe=WEISS)
    for zeile in stift.umbruch(grad=25, fett=True).zeilen(kopf["titel"], g.breite * 0.7):
        worte = " ".join(zeile.worte)
        stift.text(g.links, y, worte, schrift=stift.fett, grad=25, farbe=WEISS)
        y -= 31
    y = g.hoehe * 0.42 - 40
    for zeile in stift.umbruch(grad=13).zeilen(kopf["untertitel"], g.breite * 0.75):
        stift.text(g.links, y, " ".join(zeile.worte), grad=13)
        y -= 18
    stift.text(g.links, 62, "Musterdaten: Land, Partei und Programm sind erfunden.", grad=9)


def _inhaltsseite(fluss: Fluss, inhalt: list[Eintrag]) -> None:
    g, stift = fluss.gestalt, fluss.stift
    stift.text(g.links, fluss.y - 16, "Inhalt", schrift=stift.fett, grad=16)
    fluss.y -= 40
    for eintrag in inhalt:
        vorn = 0.0 if eintrag.art == "kapitel" else 12.0
        schrift = stift.fett if eintrag.art == "kapitel" else stift.normal
        titel = eintrag.titel
        frei = g.breite - g.links - g.rechts - vorn - 26
        while stift.laenge(titel + " …", schrift, g.grad) > frei:
            titel = titel[: titel.rstrip("…").rindex(" ")] + "…"
        punkte = int((frei - stift.laenge(titel, schrift, g.grad)) / (g.grad * 0.5))
        stift.text(g.links + vorn, fluss.y, titel, schrift=schrift)
        stift.text(g.breite - g.rechts - 24, fluss.y, " ." * max(punkte - 1, 0), ort="rechts")
        stift.text(g.breite - g.rechts, fluss.y, eintrag.seite, ort="rechts")
        fluss.y -= g.zeilenhoehe


if __name__ == "__main__":
    main()
