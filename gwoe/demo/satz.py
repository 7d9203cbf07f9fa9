"""Let blocks of text flow onto PDF pages: columns, running heads, notes, boxes, margin numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from reportlab.pdfgen.canvas import Canvas

from gwoe.demo.quellen import Block
from gwoe.demo.stift import SCHWARZ, WEISS, Gestalt, Stift, restore_blanks
from gwoe.demo.umbruch import HOCH, Zeile, woerter


@dataclass(frozen=True)
class Rand:
    """Running head and foot; ``{kapitel}`` and ``{n}`` (the printed number) are filled in.

    ``abstand`` is the distance from the paper's edge, where it is not that of the text.
    """

    kopf_links: str = ""
    kopf_rechts: str = "{kapitel}"
    fuss: str = "{n}"
    fuss_ort: str = "rechts"
    ab_seite: int = 1
    abstand: float = 0.0


@dataclass
class Eintrag:
    """A heading and the printed number of its page, for the table of contents."""

    art: str
    titel: str
    seite: str


class Fluss:
    """Lets blocks flow through columns and pages of one document."""

    def __init__(
        self,
        ziel: str | IO[bytes],
        gestalt: Gestalt,
        rand: Rand,
        *,
        titel: str,
        nummern: Iterator[str],
    ) -> None:
        """``nummern`` are the printed page numbers, empty for pages that show none."""
        self.leinwand = Canvas(
            ziel, pagesize=(gestalt.breite, gestalt.hoehe), invariant=1, lang="de-DE"
        )
        self.leinwand.setTitle(titel)
        self.leinwand.setAuthor("Musterdaten")
        self.leinwand.setSubject("Erfundenes Dokument aus den Musterdaten")
        self.stift = Stift(self.leinwand, gestalt)
        self.gestalt, self.rand = gestalt, rand
        self.index, self.nummer, self.zeilennummer = 0, "", 0
        self.kapitel, self.kapitel_der_seite = "", ""
        self.nummern = nummern
        self.inhalt: list[Eintrag] = []
        self.noten: dict[str, str] = {}
        self._noten_der_seite: list[tuple[str, str]] = []
        self.spalte, self.y, self.boden = 0, 0.0, 0.0

    # -- pages ---------------------------------------------------------------------------------

    def begin_seite(self) -> None:
        """Finish the page, if there is one, and open the next."""
        if self.index:
            self._close_seite()
        self.index += 1
        self.nummer = next(self.nummern)
        self.spalte, self.y = 0, self.gestalt.hoehe - self.gestalt.oben
        self.boden = self.gestalt.unten
        self.kapitel_der_seite = self.kapitel

    def finish(self) -> None:
        """Finish the document."""
        self._close_seite()
        restore_blanks(self.stift, self.leinwand)
        self.leinwand.save()

    def advance(self) -> None:
        """Go on in the next column or on the next page."""
        if self.spalte + 1 < self.gestalt.spalten:
            self.spalte += 1
            self.y = self.gestalt.hoehe - self.gestalt.oben
        else:
            self.begin_seite()

    def _close_seite(self) -> None:
        self._draw_noten()
        if self.nummer and self.index >= self.rand.ab_seite:
            self._draw_kopf()
            self._draw_fuss()
        self.leinwand.showPage()

    def _draw_kopf(self) -> None:
        g, y = self.gestalt, self.gestalt.hoehe - 46
        aussen = self.rand.abstand or g.links, g.breite - (self.rand.abstand or g.rechts)
        grad = round(g.grad * 0.8, 1)
        rechts = self.rand.kopf_rechts.format(kapitel=self.kapitel_der_seite, n=self.nummer)
        self.stift.text(aussen[0], y, self.rand.kopf_links, grad=grad)
        self.stift.text(aussen[1], y, rechts, grad=grad, ort="rechts")
        self.leinwand.setStrokeColor(SCHWARZ)
        self.leinwand.setLineWidth(0.5)
        self.leinwand.line(aussen[0], y - 6, aussen[1], y - 6)

    def _draw_fuss(self) -> None:
        g = self.gestalt
        fuss = self.rand.fuss.format(n=self.nummer, kapitel=self.kapitel_der_seite)
        x = g.breite - g.rechts if self.rand.fuss_ort == "rechts" else g.breite / 2
        self.stift.text(x, 32, fuss, grad=round(g.grad * 0.85, 1), ort=self.rand.fuss_ort)

    # -- lines ---------------------------------------------------------------------------------

    @property
    def x(self) -> float:
        """Left edge of the current column."""
        g = self.gestalt
        return g.links + self.spalte * (g.spaltenbreite + g.zwischenraum)

    def has_room(self, zeilen: float) -> bool:
        """Whether that many lines still fit into the column."""
        return self.y - zeilen * self.gestalt.zeilenhoehe >= self.boden - 0.01

    def leave_white(self, zeilen: float) -> None:
        """Leave white space, but not at the head of a column."""
        if self.y < self.gestalt.hoehe - self.gestalt.oben:
            self.y -= zeilen * self.gestalt.zeilenhoehe

    def set_absatz(self, text: str, *, marke: str = "", einzug: float = 0.0) -> None:
        """Set a paragraph; ``marke`` hangs in front of a list item."""
        umbruch, worte, erste = self.stift.umbruch(), woerter(text), True
        while worte:
            vorn = self.gestalt.einzug if erste and not marke else 0.0
            breite = self.gestalt.spaltenbreite - einzug - vorn
            zeile = umbruch.take_zeile(worte, breite, im_wort=self._may_break_word())
            self._make_room(zeile)
            if erste and marke:
                self.stift.text(self.x, self.y - self.gestalt.grad, marke)
            self._draw_zeile(zeile, self.x + einzug + vorn, breite)
            erste = False

    def _may_break_word(self) -> bool:
        letzte = self.spalte + 1 == self.gestalt.spalten and not self.has_room(2)
        return self.gestalt.im_wort_am_seitenende and letzte and self.has_room(1)

    def _make_room(self, zeile: Zeile) -> None:
        """Open a new column unless the line and the notes it calls for fit."""
        marken = [m for wort in zeile.worte for m in HOCH.findall(wort) if m in self.noten]
        hoehe = sum(self._notenhoehe(marke) for marke in marken)
        if hoehe and not self._noten_der_seite:
            hoehe += 10
        if self.y - self.gestalt.zeilenhoehe < self.boden + hoehe - 0.01:
            self.advance()
        self.boden += hoehe
        self._noten_der_seite += [(marke, self.noten[marke]) for marke in marken]

    def _draw_zeile(self, zeile: Zeile, x: float, breite: float) -> None:
        luecken = len(zeile.worte) - 1
        sperrung = (breite - zeile.breite) / luecken if luecken else 0.0
        if zeile.ende or not self.gestalt.blocksatz or sperrung > self.gestalt.grad * 1.2:
            sperrung = 0.0
        grund = self.y - self.gestalt.grad
        self.stift.text(x, grund, " ".join(zeile.worte), sperrung=sperrung)
        if self.gestalt.zeilennummern:
            self.zeilennummer += 1
            self.stift.text(self.gestalt.links - 14, grund, str(self.zeilennummer),
                            grad=8, farbe="#6b675e", ort="rechts")  # fmt: skip
        self.y -= self.gestalt.zeilenhoehe

    # -- notes ---------------------------------------------------------------------------------

    def _notenzeilen(self, marke: str) -> list[Zeile]:
        grad = round(self.gestalt.grad * 0.78, 1)
        breite = self.gestalt.breite - self.gestalt.links - self.gestalt.rechts
        return self.stift.umbruch(grad=grad).zeilen(f"[^{marke}] {self.noten[marke]}", breite)

    def _notenhoehe(self, marke: str) -> float:
        return len(self._notenzeilen(marke)) * self.gestalt.grad

    def _draw_noten(self) -> None:
        if not self._noten_der_seite:
            return
        g, y = self.gestalt, self.boden - 10
        self.leinwand.setLineWidth(0.4)
        self.leinwand.line(g.links, y + 6, g.links + 90, y + 6)
        for marke, _ in self._noten_der_seite:
            for zeile in self._notenzeilen(marke):
                y -= g.grad
                self.stift.text(g.links, y, " ".join(zeile.worte), grad=round(g.grad * 0.78, 1))
        self._noten_der_seite = []

    # -- other blocks --------------------------------------------------------------------------

    def set_ueberschrift(self, art: str, text: str) -> None:
        """Set a heading that keeps two lines of text with it."""
        grad = round(self.gestalt.grad * (1.35 if art == "kapitel" else 1.12), 1)
        umbruch = self.stift.umbruch(grad=grad, fett=True)
        zeilen = umbruch.zeilen(text, self.gestalt.spaltenbreite)
        self.leave_white(1.1 if art == "kapitel" else 0.7)
        if not self.has_room(len(zeilen) * 1.3 + 2):
            self.advance()
        if art == "kapitel":
            self.kapitel = text
            if self.spalte == 0 and self.y == self.gestalt.hoehe - self.gestalt.oben:
                self.kapitel_der_seite = text
        self.inhalt.append(Eintrag(art, text, self.nummer))
        for zeile in zeilen:
            worte = " ".join(zeile.worte)
            self.stift.text(self.x, self.y - grad, worte, schrift=self.stift.fett, grad=grad)
            self.y -= grad * 1.25
        self.y -= self.gestalt.grad * 0.3

    def set_kasten(self, text: str) -> None:
        """White text in a coloured box that does not break over pages."""
        innen = self.gestalt.spaltenbreite - 20
        zeilen = self.stift.umbruch().zeilen(text, innen)
        hoehe = len(zeilen) * self.gestalt.zeilenhoehe + 16
        self.leave_white(0.5)
        if self.y - hoehe < self.boden:
            self.advance()
        self.leinwand.setFillColor(self.gestalt.farbe)
        self.leinwand.rect(
            self.x, self.y - hoehe, self.gestalt.spaltenbreite, hoehe, stroke=0, fill=1
        )
        for i, zeile in enumerate(zeilen):
            y = self.y - 8 - self.gestalt.grad - i * self.gestalt.zeilenhoehe
            self.stift.text(self.x + 10, y, " ".join(zeile.worte), farbe=WEISS)
        self.y -= hoehe
        self.leave_white(0.6)

    def set_tabelle(self, text: str) -> None:
        """Rows of cells with a hairline between them."""
        self.leave_white(0.3)
        for reihe in text.splitlines():
            self._set_tabellenreihe([zelle.strip() for zelle in reihe.strip("| ").split("|")])
        self.leave_white(0.6)

    def _set_tabellenreihe(self, zellen: list[str]) -> None:
        breite = self.gestalt.spaltenbreite / len(zellen)
        umbruch = self.stift.umbruch(grad=self.gestalt.grad * 0.92)
        gesetzt = [umbruch.zeilen(zelle, breite - 10) for zelle in zellen]
        hoch = max(len(zeilen) for zeilen in gesetzt)
        if not self.has_room(hoch + 0.5):
            self.advance()
        for i, zeilen in enumerate(gesetzt):
            for j, zeile in enumerate(zeilen):
                y = self.y - self.gestalt.grad - j * self.gestalt.zeilenhoehe
                self.stift.text(self.x + i * breite, y, " ".join(zeile.worte),
                                grad=self.gestalt.grad * 0.92)  # fmt: skip
        self.y -= (hoch + 0.45) * self.gestalt.zeilenhoehe
        self.leinwand.setStrokeColor("#9a958a")
        self.leinwand.setLineWidth(0.4)
        linie = self.y + self.gestalt.zeilenhoehe * 0.25
        self.leinwand.line(self.x, linie, self.x + self.gestalt.spaltenbreite, linie)

    def set_centred(self, text: str) -> None:
        """A single line in the middle, outside the justified text."""
        if not self.has_room(1):
            self.advance()
        mitte = self.x + self.gestalt.spaltenbreite / 2
        self.stift.text(mitte, self.y - self.gestalt.grad, text, ort="mitte")
        self.y -= self.gestalt.zeilenhoehe

    def set_block(self, block: Block) -> None:
        """Set one block of the source."""
        einzug = {"punkt": 12.0, "nummer": 20.0}.get(block.art, 0.0)
        match block.art:
            case "kapitel" | "abschnitt":
                self.set_ueberschrift(block.art, block.text)
            case "kasten":
                self.set_kasten(block.text)
            case "tabelle":
                self.set_tabelle(block.text)
            case "seite":
                self.begin_seite()
            case "mitte":
                self.leave_white(0.8)
                self.set_centred(block.text)
                self.leave_white(0.5)
            case "verborgen":
                self.stift.text(self.x, self.y, block.text, grad=5, farbe=WEISS)
            case _:
                marke = block.marke or ("•" if block.art == "punkt" else "")
                self.set_absatz(block.text, marke=marke, einzug=einzug)
                self.leave_white(0.0 if self.gestalt.einzug and not marke else 0.4)

    def set_bloecke(self, bloecke: tuple[Block, ...]) -> None:
        """Set all blocks; notes are known before the first mark needs them."""
        self.noten = {b.marke: b.text for b in bloecke if b.art == "note"}
        for block in bloecke:
            if block.art != "note":
                self.set_block(block)
