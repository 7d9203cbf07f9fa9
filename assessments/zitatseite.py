"""Everything that the page of one Zitat shows, for one of the document's pages."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from django.db.models import prefetch_related_objects
from django.urls import reverse

from citations.models import Dokument, Pruefung, Seite, Zitat
from citations.pictures import Breite, is_refused
from parlamente.models import Antrag
from programme.models import Programm

from .addresses import anker, readable_address, zitat_address
from .blatt import Blatt, blatt
from .models import Beleg
from .pruefstand import Pruefstand, pruefstaende
from .pruefzeilen import Zeile, datei_stimmt, pruefzeilen, zusammenfassung
from .public import public_zitate, verwendungen
from .quellen import Quelle, quelle, seiten_indizes
from .umfeld import Stueck, absaetze, mit_umfeld

Anzeige = Dokument.Anzeige


@dataclass(frozen=True)
class Verwendung:
    """Where a published assessment cites the quote."""

    adresse: str
    drucksache: str
    ort: str

    @property
    def text(self) -> str:
        return f"{self.drucksache}, {self.ort}"


@dataclass(frozen=True)
class Nachbarstelle:
    """The next cited place of the same document or the one before, and which one it is."""

    zitat_id: int
    nr: int
    anzahl: int

    @property
    def adresse(self) -> str:
        return reverse("zitat", args=[self.zitat_id])


class Ort(StrEnum):
    """Whether the words stand where the page shows them."""

    GENAU = "genau"
    UNGEFAEHR = "ungefaehr"
    WEG = "weg"


@dataclass(frozen=True)
class Bild:
    """`breite` in pixels; 0 for a cut-out, which is as wide as its column."""

    adresse: str
    breite: int = 0


class Zitatseite:
    """`index` is the page of the document to show, by default the one where the quote begins."""

    def __init__(self, zitat: Zitat, *, index: int | None = None) -> None:
        self.zitat = zitat
        self.dokument: Dokument = zitat.extraktion.dokument
        self.index = zitat.seite if index is None else index

    @cached_property
    def belege(self) -> list[Beleg]:
        """The public uses, newest first; a public quote has one."""
        return verwendungen(self.zitat)

    @property
    def beleg(self) -> Beleg:
        return self.belege[0]

    @property
    def antrag(self) -> Antrag:
        return self.beleg.assessment.antrag

    @cached_property
    def quelle(self) -> Quelle:
        word = f"{self.antrag.get_typ_display()}, Drs. {self.antrag.drucksache}"
        programm: Programm | None = getattr(self.dokument, "programm", None)
        if programm:
            prefetch_related_objects([programm], "parteien")
        return quelle(self.zitat, programm, self._seiten, antrag=word)

    @cached_property
    def stand(self) -> Pruefstand:
        return pruefstaende([self.zitat.pk])[self.zitat.pk]

    @property
    def adresse(self) -> str:
        return zitat_address(self.zitat)

    @property
    def ergebnis(self) -> str:
        """The outcome of the newest check, in a word."""
        return str(Pruefung.Ergebnis(self.stand.ergebnis).label)

    # --- The words -----------------------------------------------------------------------------

    @cached_property
    def wortlaut(self) -> list[Stueck]:
        """With context; where only a reference may be shown, the quoted words alone."""
        if not self.hat_umfeld:
            return self._words_alone()
        first = self._seiten[0]
        text = "".join(seite.text for seite in self._seiten)
        spans = [(start - first.start, ende - first.start) for start, ende in self.zitat.spans]
        return mit_umfeld(text, spans)

    @property
    def hat_umfeld(self) -> bool:
        return self.dokument.anzeige != Anzeige.VERWEIS and bool(self._seiten)

    def _words_alone(self) -> list[Stueck]:
        pieces: list[Stueck] = []
        for teil in self.zitat.teile:
            pieces += [Stueck(" […] ")] if pieces else []
            pieces.append(Stueck(teil, ist_zitat=True))
        return pieces

    @cached_property
    def _seiten(self) -> list[Seite]:
        """The pages from the first quoted character to the last."""
        pages = seiten_indizes(self.zitat)
        between = self.zitat.extraktion.seiten.filter(index__range=(pages[0], pages[-1]))
        return list(between.defer("beiwerk").order_by("index"))

    @property
    def volle_seiten(self) -> list[Seite]:
        """The quote's pages whose whole text may be shown."""
        return self._seiten if self.zeigt_ganze_seite else []

    # --- The page ------------------------------------------------------------------------------

    @property
    def zeigt_bild(self) -> bool:
        """A picture is shown where it may be, and where the place is still there."""
        return self.dokument.anzeige != Anzeige.VERWEIS and self.ort != Ort.WEG

    @property
    def bild_fehlt(self) -> bool:
        """It could not be drawn lately, and is not tried again for a while."""
        return self.zeigt_bild and is_refused(self.dokument, self.index)

    @property
    def datei_ist_anders(self) -> bool:
        return not datei_stimmt(self.stand)

    @cached_property
    def ort(self) -> Ort:
        """How far readers may rely on the marks."""
        if self.datei_ist_anders or not self._seiten:
            return Ort.WEG
        return Ort.UNGEFAEHR if self.stand.in_pruefung else Ort.GENAU

    @property
    def bilder(self) -> list[Bild]:
        """The whole page at each width, or the cut-out where only that may be shown."""
        if self.zeigt_ganze_seite:
            return [Bild(self._bild_adresse(breite), breite) for breite in Breite]
        return self.ausschnitt_bilder if self.zeigt_bild else []

    @property
    def ausschnitt_bilder(self) -> list[Bild]:
        """The lines around the marks; none for a page without any."""
        address = reverse("zitat-ausschnitt", args=[self.zitat.pk, self.index])
        return [Bild(address)] if self.blatt.ausschnitt else []

    @property
    def beschreibung(self) -> str:
        """For who does not see the picture."""
        words = "Der Text der Seite steht unter der Abbildung."
        return f"Abbildung der Seite {self.seite.zahl}. {words}"

    def _bild_adresse(self, breite: Breite) -> str:
        return reverse("zitat-seite", args=[self.zitat.pk, self.index, int(breite)])

    @property
    def zeigt_ganze_seite(self) -> bool:
        return self.zeigt_bild and self.dokument.anzeige == Anzeige.SEITE

    @property
    def gibt_es(self) -> bool:
        """Whether the document has this page, and may show it if the quote is on another."""
        if self.index in seiten_indizes(self.zitat):
            return True
        return self.zeigt_ganze_seite and 0 < self.index <= self.zitat.extraktion.seitenzahl

    @cached_property
    def seite(self) -> Seite:
        """A stand-in without text where the quote's own page is gone."""
        cited = next((seite for seite in self._seiten if seite.index == self.index), None)
        if cited is None and self.index != self.zitat.seite:
            return self.zitat.extraktion.seiten.get(index=self.index)
        return cited or Seite(extraktion=self.zitat.extraktion, index=self.index, start=0)

    @cached_property
    def blatt(self) -> Blatt:
        return blatt(self.zitat, self.seite, is_certain=not self.stand.in_pruefung)

    @property
    def weitere_seiten(self) -> list[Seite]:
        """The quote's other pages, for a quote that runs over a page break."""
        return [seite for seite in self._seiten if seite.index != self.seite.index]

    @cached_property
    def nachbarn(self) -> dict[int, Seite]:
        """The pages before and behind, without their texts and boxes."""
        if not self.zeigt_ganze_seite:
            return {}
        around = self.zitat.extraktion.seiten.filter(index__in=(self.index - 1, self.index + 1))
        return {page.index: page for page in around.only("extraktion", "index", "gedruckt")}

    @property
    def vorige(self) -> Seite | None:
        return self.nachbarn.get(self.index - 1)

    @property
    def naechste(self) -> Seite | None:
        return self.nachbarn.get(self.index + 1)

    @property
    def text(self) -> list[list[Stueck]]:
        spans = [
            (start - self.seite.start, ende - self.seite.start) for start, ende in self.zitat.spans
        ]
        return absaetze(self.seite.text, spans)

    # --- Proof and ways on ---------------------------------------------------------------------

    @cached_property
    def zeilen(self) -> list[Zeile]:
        return pruefzeilen(self.zitat, self.beleg, self.quelle, self.stand)

    @property
    def zusammenfassung(self) -> str:
        return zusammenfassung(self.zitat)

    @cached_property
    def verwendungen(self) -> list[Verwendung]:
        """One per place; the newest version of an assessment stands for the older ones."""
        uses: dict[tuple[int, str], Verwendung] = {}
        for beleg in self.belege:
            name, ort = _place(beleg)
            assessment = beleg.assessment
            address = f"{readable_address(assessment)}#{name}"
            use = Verwendung(address, f"Drs. {assessment.antrag.drucksache}", ort)
            uses.setdefault((assessment.antrag_id, name), use)
        return list(uses.values())

    @cached_property
    def vorige_stelle(self) -> Nachbarstelle | None:
        return self._stelle(-1)

    @cached_property
    def naechste_stelle(self) -> Nachbarstelle | None:
        return self._stelle(1)

    def _stelle(self, schritt: int) -> Nachbarstelle | None:
        """So many cited places on, in the order of the text; round at its ends."""
        if len(self._stellen) < 2:
            return None
        place = (self._stellen.index(self.zitat.pk) + schritt) % len(self._stellen)
        return Nachbarstelle(self._stellen[place], place + 1, len(self._stellen))

    @cached_property
    def _stellen(self) -> list[int]:
        same = public_zitate().filter(extraktion=self.zitat.extraktion)
        return list(same.order_by("seite", "spans", "pk").values_list("pk", flat=True))


def _place(beleg: Beleg) -> tuple[str, str]:
    """The name of the place on the assessment's page, and words for it."""
    if beleg.feldbewertung:
        return beleg.feldbewertung.feld, f"Feld {beleg.feldbewertung.feld}"
    if beleg.vergleich:
        return anker(beleg.vergleich.partei), f"Vergleich mit {beleg.vergleich.partei.kuerzel}"
    return "vorschlaege", "Vorschlag zum Wortlaut"
