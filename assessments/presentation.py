"""Everything that the page of one assessment shows, loaded in a fixed number of queries.

Templates only lay it out; what a sentence says and which of several looks applies is decided here.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from citations.lesetext import lesetext
from citations.models import Dokument, Zitat
from citations.wortdiff import Teil, wortdiff
from programme.models import Programm

from . import vermerk
from .addresses import anker, version_address
from .belegansicht import BelegAnsicht, belegansichten
from .einbringer import eingebracht, regiert
from .matrix import Feld, Gruppe, Matrix, load_matrix
from .models import (
    Assessment,
    AssessmentQuerySet,
    Beleg,
    Feldbewertung,
    Lauf,
    Verbesserung,
    Vergleich,
)
from .scale import Wert
from .waage import Waage, waage

# All parties are open, or all are folded where more would make a long page: none is favoured.
MAX_OPEN_PARTIES = 4
END_MARKS = tuple(".;:!?")
TYPEN = (Programm.Typ.WAHLPROGRAMM, Programm.Typ.GRUNDSATZPROGRAMM)
EINBRINGEND = (Vergleich.Rolle.EINBRINGEND, Vergleich.Rolle.BEIDES)
ABSENCE_ICONS: dict[str, str] = {
    Vergleich.Ergebnis.KEIN_PROGRAMM: "kein",
    Vergleich.Ergebnis.NICHTS_GEFUNDEN: "lupe",
    Vergleich.Ergebnis.OHNE_BELEG: "teil",
}


@dataclass(frozen=True)
class FeldAnsicht:
    feld: Feld
    bewertung: Feldbewertung
    belege: list[BelegAnsicht]

    @property
    def wert(self) -> Wert:
        return self.bewertung.wert or Wert.NICHT_BETROFFEN

    @property
    def ist_betroffen(self) -> bool:
        return self.wert.zahl is not None

    @property
    def wert_modell(self) -> Wert | None:
        """What the model had said, where the editors changed it."""
        changed = self.bewertung.wert_modell and self.bewertung.is_changed
        return Wert(self.bewertung.wert_modell) if changed else None


@dataclass(frozen=True)
class MatrixZeile:
    gruppe: Gruppe
    zellen: list[FeldAnsicht]

    @property
    def nicht_betroffen(self) -> str:
        """The one line that stands for the other fields on a phone."""
        codes = [zelle.feld.code for zelle in self.zellen if not zelle.ist_betroffen]
        if len(codes) == len(self.zellen):
            return "Alle fünf Felder nicht betroffen"
        return f"{', '.join(codes)} nicht betroffen" if codes else ""


@dataclass(frozen=True)
class ProgrammAnsicht:
    """One cell of the comparison; `vergleich` is None where the kind was never compared."""

    typ: str
    vergleich: Vergleich | None
    antrag: list[BelegAnsicht]
    programm: list[BelegAnsicht]

    @property
    def titel(self) -> str:
        programm = self.vergleich.programm if self.vergleich else None
        return f"{self.typ} {programm.jahr}" if programm else self.typ

    @property
    def geltung(self) -> str:
        """How long the compared programme counts; empty where none was."""
        programm = self.vergleich.programm if self.vergleich else None
        return f"Gültig {programm.geltung}" if programm else ""

    @property
    def icon(self) -> str:
        ergebnis = self.vergleich.ergebnis if self.vergleich else ""
        return ABSENCE_ICONS.get(ergebnis, "kein")

    @property
    def satz(self) -> str:
        """The sentence that stands where the number would."""
        if self.vergleich is None:
            return "Nicht verglichen."
        return str(Vergleich.Ergebnis(self.vergleich.ergebnis).label)

    @property
    def fehlt_im_bestand(self) -> bool:
        ergebnis = self.vergleich.ergebnis if self.vergleich else ""
        return ergebnis == Vergleich.Ergebnis.KEIN_PROGRAMM

    @property
    def belege(self) -> list[BelegAnsicht]:
        return self.antrag + self.programm


@dataclass(frozen=True)
class ParteiAnsicht:
    kuerzel: str
    name: str
    rolle: str
    anker: str
    offen: bool
    programme: list[ProgrammAnsicht]


@dataclass(frozen=True)
class VorschlagAnsicht:
    verbesserung: Verbesserung
    beleg: BelegAnsicht
    diff: list[Teil]


class Bewertungsseite:
    """One published or superseded version, ready to be laid out."""

    def __init__(self, assessment: Assessment) -> None:
        self.assessment = assessment
        self.antrag = assessment.antrag
        self.matrix: Matrix = load_matrix(assessment.matrix_version)
        self._all_belege = list(
            assessment.belege.select_related("zitat__extraktion").order_by("nr", "pk")
        )
        self._feldbewertungen = list(assessment.feldbewertungen.all())
        self._vergleiche = list(
            assessment.vergleiche.select_related("partei", "programm").order_by("partei__kuerzel")
        )

    @cached_property
    def _verbesserungen(self) -> list[Verbesserung]:
        return list(self.assessment.verbesserungen.order_by("nr"))

    # --- Above the fold ------------------------------------------------------------------------

    @cached_property
    def eingebracht(self) -> str:
        return eingebracht(self.antrag)

    @cached_property
    def regiert(self) -> str:
        return regiert(self.antrag)

    @cached_property
    def original(self) -> str:
        """The address of the motion where the parliament publishes it, or ""."""
        return self.antrag.quelle_url or self.dokument.quelle_url

    @property
    def dokument(self) -> Dokument:
        return self.assessment.fassung.dokument

    @cached_property
    def seitenzahl(self) -> int:
        return self.dokument.lesung.seitenzahl

    @cached_property
    def waage(self) -> Waage | None:
        return waage({zelle.feld.code: zelle.wert for zelle in self.felder})

    # --- Matrix and reasons --------------------------------------------------------------------

    @cached_property
    def felder(self) -> list[FeldAnsicht]:
        rated = {bewertung.feld: bewertung for bewertung in self._feldbewertungen}
        grouped = self._grouped("feldbewertung_id")
        return [
            FeldAnsicht(feld, rated[feld.code], grouped[rated[feld.code].pk])
            for feld in self.matrix.felder
            if feld.code in rated
        ]

    @property
    def betroffene(self) -> list[FeldAnsicht]:
        return [feld for feld in self.felder if feld.ist_betroffen]

    @property
    def nicht_betroffene(self) -> list[FeldAnsicht]:
        return [feld for feld in self.felder if not feld.ist_betroffen]

    @property
    def zeilen(self) -> list[MatrixZeile]:
        return [
            MatrixZeile(gruppe, [f for f in self.felder if f.feld.code[0] == gruppe.code])
            for gruppe in self.matrix.gruppen
        ]

    # --- Comparisons ---------------------------------------------------------------------------

    @cached_property
    def parteien(self) -> list[ParteiAnsicht]:
        """Submitting parties first, then governing ones, each by name."""
        by_party: dict[int, list[Vergleich]] = defaultdict(list)
        for vergleich in sorted(self._vergleiche, key=lambda v: v.rolle not in EINBRINGEND):
            by_party[vergleich.partei_id].append(vergleich)
        is_open = len(by_party) <= MAX_OPEN_PARTIES
        return [self._partei(vergleiche, is_open=is_open) for vergleiche in by_party.values()]

    def _partei(self, vergleiche: Sequence[Vergleich], *, is_open: bool) -> ParteiAnsicht:
        partei = vergleiche[0].partei
        by_typ = {vergleich.programmtyp: vergleich for vergleich in vergleiche}
        return ParteiAnsicht(
            kuerzel=partei.kuerzel,
            name=partei.name if partei.name != partei.kuerzel else "",
            rolle=vergleiche[0].get_rolle_display(),
            anker=anker(partei),
            offen=is_open,
            programme=[self._programm(typ, by_typ.get(typ)) for typ in TYPEN],
        )

    def _programm(self, typ: Programm.Typ, vergleich: Vergleich | None) -> ProgrammAnsicht:
        belege = self._grouped("vergleich_id")[vergleich.pk] if vergleich else []
        return ProgrammAnsicht(
            typ=str(typ.label),
            vergleich=vergleich,
            antrag=[b for b in belege if b.beleg.seite == Beleg.Seite.ANTRAG],
            programm=[b for b in belege if b.beleg.seite == Beleg.Seite.PROGRAMM],
        )

    # --- Improvements --------------------------------------------------------------------------

    @cached_property
    def vorschlaege(self) -> list[VorschlagAnsicht]:
        """Without a place in the motion there is nothing that new words could replace."""
        grouped = self._grouped("verbesserung_id")
        return [
            _vorschlag(verbesserung, grouped[verbesserung.pk][0])
            for verbesserung in self._verbesserungen
            if grouped[verbesserung.pk]
        ]

    # --- Record --------------------------------------------------------------------------------

    @cached_property
    def _entworfene(self) -> Assessment:
        return vermerk.entworfene(self.assessment)

    @property
    def lauf(self) -> Lauf | None:
        return self._entworfene.lauf

    @property
    def entworfen_am(self) -> datetime:
        """When the run wrote it, also where a correction was begun later."""
        return self._entworfene.erstellt_am

    @property
    def modell(self) -> str:
        """The model's name, or "" where no model took part."""
        return self.lauf.modell if self.lauf else ""

    @cached_property
    def beteiligte(self) -> int:
        return len(self.assessment.beteiligte())

    @cached_property
    def namen(self) -> list[str]:
        return vermerk.namen(self.assessment)

    @property
    def beteiligt(self) -> str:
        return f"{vermerk.personen(self.beteiligte)} der Redaktion"

    @property
    def pruefende(self) -> str:
        """The same as a phrase that follows "von"."""
        return "einer Person" if self.beteiligte == 1 else vermerk.personen(self.beteiligte)

    @cached_property
    def zitate(self) -> vermerk.Zitatzahlen:
        return vermerk.zitatzahlen(self._all_belege, self._ansichten)

    @cached_property
    def aenderungen(self) -> vermerk.Aenderungen:
        return vermerk.aenderungen(
            self.assessment, self._feldbewertungen, self._vergleiche, self._verbesserungen
        )

    @property
    def zuletzt_geprueft(self) -> datetime | None:
        return vermerk.zuletzt_geprueft(self._ansichten)

    @cached_property
    def versionen(self) -> list[Assessment]:
        """Every version with an address, the newest first."""
        versions = Assessment.objects.reachable().filter(antrag=self.antrag)
        return list(versions.order_by("-version"))

    @property
    def neueste(self) -> Assessment:
        return self.versionen[0]

    @property
    def ersetzt_wort(self) -> str:
        return vermerk.ersetzt_wort(self.assessment)

    @property
    def adresse(self) -> str:
        return version_address(self.assessment)

    # --- Evidence ------------------------------------------------------------------------------

    @cached_property
    def _ansichten(self) -> list[BelegAnsicht]:
        accepted = [b for b in self._all_belege if b.zustand == Beleg.Zustand.ANGENOMMEN]
        return belegansichten(accepted, antrag=str(self.antrag.get_typ_display()))

    def _grouped(self, owner: str) -> Mapping[int, list[BelegAnsicht]]:
        groups: dict[int, list[BelegAnsicht]] = defaultdict(list)
        for ansicht in self._ansichten:
            groups[getattr(ansicht.beleg, owner)].append(ansicht)
        return groups


def _vorschlag(verbesserung: Verbesserung, beleg: BelegAnsicht) -> VorschlagAnsicht:
    diff = wortdiff(_with_end_mark(beleg.zitat), verbesserung.wortlaut)
    return VorschlagAnsicht(verbesserung, beleg, diff)


def _with_end_mark(zitat: Zitat) -> str:
    """The quote with the sign behind it, if it ends before that: else the diff would add it."""
    ende = zitat.spans[-1][1]
    sign = lesetext(zitat.extraktion).text[ende : ende + 1]
    return f"{zitat.text}{sign}" if sign in END_MARKS else zitat.text


def load_for_page(assessments: AssessmentQuerySet) -> AssessmentQuerySet:
    """What `Bewertungsseite` needs to be loaded beside each row."""
    return assessments.select_related(
        "antrag__parlament", "antrag__wahlperiode", "fassung__dokument", "lauf", "corrects__lauf"
    ).prefetch_related("antrag__urheber__parteien", "feldbewertungen")
