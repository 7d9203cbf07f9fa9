"""What the editors' desk shows of one assessment: its evidence in order, and what is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Subquery

from assessments.matrix import load_matrix
from assessments.models import (
    Assessment,
    Beleg,
    Feldbewertung,
    ReviewEvent,
    Verbesserung,
    Vergleich,
)
from assessments.quellen import Quelle, programm_werk, quellen
from assessments.satz import rest_of_sentence, too_much_left_out
from assessments.scale import Wert
from citations.comparison import Grad, compare_form
from citations.models import Extraktion, Pruefung, Zitat
from citations.wortdiff import Teil, wortdiff
from programme.models import Programm

# The word for the motion in source lines.
ANTRAG = "Antrag"
# What a comparison can be where a programme is there: rated, or one of two absences.
SCORES = range(11)
ABSENZEN = (Vergleich.Ergebnis.NICHTS_GEFUNDEN, Vergleich.Ergebnis.OHNE_BELEG)
# The name of the icon and the word beside it.
ZEICHEN_DES_GRADES = {
    Grad.WOERTLICH: ("haken", "wörtlich"),
    Grad.AUSLASSUNG: ("lass", "mit Auslassung"),
    Grad.ANGEGLICHEN: ("ang", "angeglichen"),
}


@dataclass(frozen=True)
class Tat:
    """One thing that can be done with the evidence; `hinweis` says why it cannot be done now."""

    verb: str
    text: str
    taste: str
    hinweis: str = ""


@dataclass(frozen=True)
class Posten:
    """One piece of evidence on the desk, as one person sees it.

    `entschieden`: by an editor; `bewiesen`: by the newest check; `ist_zu_zeigen`: before it is
    approved; `ist_gezeigt`: to them.
    """

    nr: int
    beleg: Beleg
    quelle: Quelle | None
    entschieden: bool
    bewiesen: bool
    ist_zu_zeigen: bool
    ist_gezeigt: bool

    @property
    def stelle(self) -> Zitat | None:
        return self.beleg.zitat or self.beleg.vorschlag

    @property
    def worte(self) -> str:
        """What to know it by: its words in the source, else the model's."""
        return self.stelle.text if self.stelle else self.beleg.wortlaut_modell

    @property
    def ort(self) -> str:
        """Where it belongs, in a few words: `D1, Antrag S. 2`."""
        seiten = self.quelle.seiten if self.quelle else ""
        side = ANTRAG if self.beleg.seite == Beleg.Seite.ANTRAG else ""
        where = " ".join(filter(None, [side, seiten]))
        return ", ".join(filter(None, [self.beleg.wozu, where]))

    @property
    def zeichen(self) -> str:
        return self._look[0]

    @property
    def wort(self) -> str:
        return self._look[1]

    @property
    def must_be_seen(self) -> bool:
        """What is open or was dropped, and what approval asks to be shown."""
        return self.zeichen in ("offen", "weg") or self.ist_zu_zeigen

    @property
    def must_be_shown(self) -> bool:
        """What is still missing for an approval by this person."""
        return self.ist_zu_zeigen and not self.ist_gezeigt

    @property
    def _look(self) -> tuple[str, str]:
        if self.beleg.zustand == Beleg.Zustand.OFFEN:
            return "offen", "offen"
        if self.beleg.zustand == Beleg.Zustand.VERWORFEN or self.beleg.zitat is None:
            return "weg", "verworfen"
        return ZEICHEN_DES_GRADES[Grad(self.beleg.zitat.grade)]

    @property
    def diff(self) -> list[Teil]:
        """The model's words against the source's; empty where there is only one of them."""
        if not self.beleg.wortlaut_modell or self.stelle is None:
            return []
        return wortdiff(self.beleg.wortlaut_modell, self.stelle.text)

    @property
    def verbesserung_diff(self) -> list[Teil]:
        """The motion's words against the proposed ones, where the evidence is for a proposal."""
        if self.beleg.verbesserung is None or self.stelle is None:
            return []
        return wortdiff(self.stelle.text, self.beleg.verbesserung.wortlaut)

    @property
    def is_same_wording(self) -> bool:
        text = self.stelle.text if self.stelle else ""
        return compare_form(self.beleg.wortlaut_modell) == compare_form(text)

    @property
    def taten(self) -> list[Tat]:
        """The four equal actions of an open piece, always in the same places."""
        return [
            Tat("annehmen", "Wortlaut der Quelle annehmen", "A", self._why_not_accept),
            Tat("erweitern", "Auf ganzen Satz erweitern", "S", self._why_not_extend),
            Tat("stelle", "Andere Stelle wählen", "W"),
            Tat("verwerfen", "Kein Zitat, verwerfen", "X"),
        ]

    @cached_property
    def _why_not_accept(self) -> str:
        if self.stelle is None:
            return "Es gibt keine Stelle, die man annehmen kann."
        return self._wrong_origin or too_much_left_out(self.stelle)

    @cached_property
    def _wrong_origin(self) -> str:
        return self.beleg.wrong_origin(self.stelle) if self.stelle else ""

    @property
    def _why_not_extend(self) -> str:
        if self._wrong_origin or self.stelle is None:
            return self._why_not_accept
        return "" if rest_of_sentence(self.stelle) else "Die Stelle ist schon ein ganzer Satz."


@dataclass(frozen=True)
class Fehlendes:
    """A German phrase for what approval waits for, and the part of the desk where it is done."""

    text: str
    teil: str
    anker: str = ""

    @property
    def route(self) -> str:
        return f"admin:assessments_pruefauftrag_{self.teil}"


@dataclass(frozen=True)
class Tisch:
    """One assessment on the desk; `vorgaenger` is the version that it would replace, if any."""

    assessment: Assessment
    vorgaenger: Assessment | None
    posten: list[Posten]
    felder: list[Feldbewertung]
    vergleiche: list[Vergleich]
    verbesserungen: list[Verbesserung]

    @property
    def offene(self) -> list[Posten]:
        return [posten for posten in self.posten if posten.zeichen == "offen"]

    @property
    def zu_sehen(self) -> list[Posten]:
        return [posten for posten in self.posten if posten.must_be_seen]

    @property
    def ungezeigte(self) -> list[Posten]:
        return [posten for posten in self.posten if posten.must_be_shown]

    @property
    def gezeigte(self) -> list[Posten]:
        return [one for one in self.posten if one.ist_zu_zeigen and one.ist_gezeigt]

    @property
    def uebrige(self) -> int:
        return len(self.posten) - len(self.zu_sehen)

    @property
    def unbewertete(self) -> list[Feldbewertung]:
        return [feld for feld in self.felder if feld.wert is None]

    @property
    def unentschiedene(self) -> list[Vergleich]:
        return [v for v in self.vergleiche if v.ergebnis == Vergleich.Ergebnis.UNBEWERTET]

    @property
    def quellenlose(self) -> list[Vergleich]:
        """Rated comparisons without accepted words of the programme."""
        quoted = {
            posten.beleg.vergleich_id
            for posten in self.posten
            if posten.beleg.seite == Beleg.Seite.PROGRAMM and posten.beleg.zitat_id
        }
        rated = (v for v in self.vergleiche if v.ergebnis == Vergleich.Ergebnis.BEWERTET)
        return [vergleich for vergleich in rated if vergleich.pk not in quoted]

    @property
    def stellenlose(self) -> list[Verbesserung]:
        """Proposals without accepted words of the motion: they are not published."""
        placed = {posten.beleg.verbesserung_id for posten in self.posten if posten.beleg.zitat_id}
        return [vorschlag for vorschlag in self.verbesserungen if vorschlag.pk not in placed]

    @property
    def unbegruendete(self) -> list[Feldbewertung]:
        """Affected fields without a reason: no obstacle, but worth a second look."""
        return [feld for feld in self._betroffene if not feld.begruendung]

    @property
    def unbelegte(self) -> list[Feldbewertung]:
        """Affected fields without an accepted quote."""
        quoted = {posten.beleg.feldbewertung_id for posten in self.posten if posten.beleg.zitat_id}
        return [feld for feld in self._betroffene if feld.pk not in quoted]

    @property
    def _betroffene(self) -> list[Feldbewertung]:
        return [feld for feld in self.felder if feld.wert and feld.wert != Wert.NICHT_BETROFFEN]

    @property
    def vergleiche_zu_tun(self) -> int:
        return len(self.unentschiedene) + len(self.quellenlose)

    @property
    def fehlendes(self) -> list[Fehlendes]:
        """What approval still waits for, as the triggers ask for it."""
        return [
            *_missing(self.offene, "Beleg ist offen", "Belege sind offen", "pruefen"),
            *_missing(self.unbewertete, "Feld ist unbewertet", "Felder sind unbewertet", "felder"),
            *_missing(
                self.unentschiedene,
                "Vergleich ist nicht entschieden",
                "Vergleiche sind nicht entschieden",
                "vergleiche",
            ),
            *(
                Fehlendes(f"{one}: Wert ohne Beleg aus dem Programm", "vergleiche", f"#v{one.pk}")
                for one in self.quellenlose
            ),
            *([] if self.assessment.zusammenfassung else [NO_SUMMARY]),
            *([NO_REASON] if self.fehlt_grund else []),
        ]

    @property
    def fehlt_grund(self) -> bool:
        """Whether it replaces a version without saying what it changes."""
        return self.vorgaenger is not None and not self.assessment.berichtigung.strip()

    def neighbours(self, posten: Posten) -> tuple[Posten | None, Posten | None]:
        """The pieces before and behind, in the order of their numbers."""
        place = self.posten.index(posten)
        before = self.posten[place - 1] if place else None
        return before, next(iter(self.posten[place + 1 :]), None)

    def posten_zu(self, owner: Feldbewertung | Vergleich) -> list[Posten]:
        """All evidence of one rating, in the order of their numbers."""
        return [posten for posten in self.posten if posten.beleg.owner == owner]

    def find(self, beleg_pk: int | None) -> Posten | None:
        return next((one for one in self.posten if one.beleg.pk == beleg_pk), None)

    def after(self, posten: Posten) -> Posten | None:
        """The next open piece, from the beginning again behind the last one."""
        later = [other for other in self.offene if other.nr > posten.nr]
        return next(iter(later or self.offene), None)

    def with_shown(self, shown: Posten) -> "Tisch":
        """The same where this piece has just been shown; `shown` itself stays as it was."""
        posten = [replace(one, ist_gezeigt=True) if one is shown else one for one in self.posten]
        return replace(self, posten=posten)


def _missing(parts: Sequence[Any], one: str, many: str, teil: str) -> list[Fehlendes]:
    count = len(parts)
    return [Fehlendes(f"{count} {one if count == 1 else many}", teil)] if count else []


NO_SUMMARY = Fehlendes("die Zusammenfassung fehlt", "texte")
NO_REASON = Fehlendes("was diese Fassung ändert und warum, fehlt", "texte")


def open_tisch(assessment: Assessment, person: Any) -> Tisch:
    """Everything of one assessment that a person's desk needs, in a fixed number of queries."""
    belege = sorted(_belege(assessment, person), key=_order)
    places = [place for beleg in belege for place in [beleg.zitat or beleg.vorschlag] if place]
    sources = quellen(places, antrag=ANTRAG)
    return Tisch(
        assessment=assessment,
        vorgaenger=assessment.vorgaenger(),
        posten=_numbered(belege, sources),
        felder=list(assessment.feldbewertungen.order_by("feld")),
        vergleiche=list(
            assessment.vergleiche.select_related("partei", "programm__parlament")
            .prefetch_related("programm__parteien")
            .order_by("partei__kuerzel", "-programmtyp")
        ),
        verbesserungen=list(assessment.verbesserungen.order_by("nr")),
    )


def _numbered(belege: list[Any], sources: dict[int, Quelle]) -> list[Posten]:
    """What must be looked at is counted from 1, the rest behind it."""
    posten = [
        Posten(
            nr=0,
            beleg=beleg,
            quelle=sources.get(beleg.zitat_id or beleg.vorschlag_id or 0),
            entschieden=beleg.entschieden,
            bewiesen=beleg.pruefung == Pruefung.Ergebnis.BEWIESEN,
            ist_zu_zeigen=beleg.ist_zu_zeigen,
            ist_gezeigt=beleg.ist_gezeigt,
        )
        for beleg in belege
    ]
    posten.sort(key=lambda one: not one.must_be_seen)
    return [replace(one, nr=nr) for nr, one in enumerate(posten, 1)]


def _belege(assessment: Assessment, person: Any) -> list[Any]:
    """Each row also has `entschieden`, `ist_zu_zeigen`, `ist_gezeigt`, and the newest outcome of
    the check as `pruefung`."""
    by_editors = ReviewEvent.objects.filter(beleg=OuterRef("pk"), by__isnull=False)
    newest = Pruefung.objects.filter(zitat=OuterRef("zitat")).order_by("-am", "-pk")
    belege = list(
        assessment.belege.with_sichtung(person.pk)
        .select_related(
            "feldbewertung",
            "vergleich__partei",
            "verbesserung",
            "zitat__extraktion__dokument",
            "vorschlag__extraktion__dokument",
            "quelle_programm__parlament",
        )
        .annotate(entschieden=Exists(by_editors), pruefung=Subquery(newest.values("ergebnis")[:1]))
    )
    for beleg in belege:
        beleg.assessment = assessment
    return belege


def _order(beleg: Beleg) -> tuple[int, str, str, int, int]:
    """Fields first, then parties (motion before programme), then proposals."""
    owner = beleg.owner
    if isinstance(owner, Feldbewertung):
        return 0, owner.feld, "", beleg.nr, beleg.pk
    if isinstance(owner, Vergleich):
        # Reversed: the election programme before the basic one.
        kind = "a" if owner.programmtyp == "wahlprogramm" else "b"
        return 1, f"{owner.partei.kuerzel} {kind}", beleg.seite, beleg.nr, beleg.pk
    return 2, str(owner.nr), "", beleg.nr, beleg.pk


def behauptung(beleg: Beleg, matrix_version: str) -> str:
    """The heading of the claim that the evidence is for."""
    owner = beleg.owner
    if isinstance(owner, Feldbewertung):
        return f"Behauptung: Feld {owner.feld}, {feldtitel(owner.feld, matrix_version)}"
    if isinstance(owner, Vergleich):
        return f"Behauptung: Vergleich mit {owner}"
    return f"Vorschlag zum Wortlaut {owner.nr}: {owner.titel}"


def feldtitel(feld: str, matrix_version: str) -> str:
    return load_matrix(matrix_version).feld(feld).klartitel


def werke(lesungen: Iterable[Extraktion]) -> dict[int, str]:
    """The name of each reading's document, by the document's key."""
    dokumente = {lesung.dokument_id for lesung in lesungen}
    rows = Programm.objects.filter(dokument__in=dokumente).select_related("parlament")
    names = {row.dokument_id: programm_werk(row) for row in rows.prefetch_related("parteien")}
    return {pk: names.get(pk, ANTRAG) for pk in dokumente}


def befunde(assessment: Assessment) -> list[dict[str, str]]:
    """Hidden text and the like in the motion's file, the kind in words: `[{art, seite, text}]`."""
    readings = Extraktion.objects.filter(dokument=assessment.fassung.dokument_id)
    newest = readings.order_by("-version").values_list("befunde", flat=True).first()
    return [{**one, "art": one["art"].replace("_", " ")} for one in newest or []]


def werte() -> Sequence[Wert]:
    """The row of signs, from hindering to supporting, then *not affected*."""
    return list(Wert)
