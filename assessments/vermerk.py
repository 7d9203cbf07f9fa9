"""The record of review on a published page: who looked, and what was changed, in numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from citations.comparison import Grad

from .belegansicht import BelegAnsicht
from .models import Assessment, Beleg, Feldbewertung, Verbesserung, Vergleich

OHNE_MODELL = "ohne Modell"
PERSONEN = {1: "eine Person", 2: "zwei Personen", 3: "drei Personen", 4: "vier Personen"}


@dataclass(frozen=True)
class Zitatzahlen:
    vorgeschlagen: int
    ergaenzt: int
    verworfen: int
    veroeffentlicht: int
    grade: list[tuple[int, str]]
    bewiesen: int
    bestaetigt: int
    in_pruefung: int


def zitatzahlen(belege: Sequence[Beleg], ansichten: Sequence[BelegAnsicht]) -> Zitatzahlen:
    """`belege` are all of the assessment's, `ansichten` the accepted ones."""
    by_grade = Counter(ansicht.zitat.grade for ansicht in ansichten)
    added = sum(beleg.is_added for beleg in belege)
    return Zitatzahlen(
        vorgeschlagen=len(belege) - added,
        ergaenzt=added,
        verworfen=sum(beleg.zustand == Beleg.Zustand.VERWORFEN for beleg in belege),
        veroeffentlicht=len(ansichten),
        grade=[(by_grade[grad], _short(grad)) for grad in Grad if by_grade[grad]],
        bewiesen=sum(ansicht.stand.ist_bewiesen for ansicht in ansichten),
        bestaetigt=sum(_only_confirmed(ansicht) for ansicht in ansichten),
        in_pruefung=sum(ansicht.in_pruefung for ansicht in ansichten),
    )


def _only_confirmed(ansicht: BelegAnsicht) -> bool:
    return not ansicht.stand.ist_bewiesen and not ansicht.in_pruefung


def _short(grad: Grad) -> str:
    return {Grad.WOERTLICH: "wörtlich", Grad.AUSLASSUNG: "mit Auslassung"}.get(grad, grad.label)


@dataclass(frozen=True)
class Aenderungen:
    """Fields and comparisons whose value the editors changed, and texts that they rewrote."""

    felder: list[Feldbewertung]
    vergleiche: list[Vergleich]
    texte: int


def aenderungen(
    assessment: Assessment,
    felder: Sequence[Feldbewertung],
    vergleiche: Sequence[Vergleich],
    verbesserungen: Sequence[Verbesserung],
) -> Aenderungen:
    texts = [(assessment.zusammenfassung_modell, assessment.zusammenfassung_redaktion)]
    for row in verbesserungen:
        texts += [
            (row.titel_modell, row.titel_redaktion),
            (row.wortlaut_modell, row.wortlaut_redaktion),
            (row.begruendung_modell, row.begruendung_redaktion),
        ]
    texts += [(feld.begruendung_modell, feld.begruendung_redaktion) for feld in felder]
    texts += [(row.begruendung_modell, row.begruendung_redaktion) for row in vergleiche]
    return Aenderungen(
        felder=[feld for feld in felder if feld.wert_modell and feld.is_changed],
        vergleiche=[row for row in vergleiche if _score_changed(row)],
        texte=sum(bool(model and editors and model != editors) for model, editors in texts),
    )


def _score_changed(vergleich: Vergleich) -> bool:
    by_editors = vergleich.score_redaktion is not None or vergleich.ergebnis_redaktion
    return bool(by_editors) and (
        vergleich.score != vergleich.score_modell or vergleich.ergebnis != vergleich.ergebnis_modell
    )


def entworfene(assessment: Assessment) -> Assessment:
    """What the run drafted: a correction goes back to the version that it corrects, and so on.

    One query, however often the assessment was corrected.
    """
    if assessment.corrects_id is None:
        return assessment
    versions = Assessment.objects.reachable().filter(antrag=assessment.antrag_id)
    earlier, version = versions.select_related("lauf").in_bulk(), assessment
    while version.lauf_id is None and version.corrects_id is not None:
        version = earlier[version.corrects_id]
    return version


def ersetzt_wort(assessment: Assessment) -> str:
    """What stands before the reason of a later version."""
    return "Berichtigt" if assessment.corrects_id else "Neu bewertet"


def namen(assessment: Assessment) -> list[str]:
    """Of those who had a hand in it and agreed to be named when it was published."""
    return sorted(assessment.nennungen.values_list("name", flat=True))


def personen(anzahl: int) -> str:
    return PERSONEN.get(anzahl, f"{anzahl} Personen")


def zuletzt_geprueft(ansichten: Sequence[BelegAnsicht]) -> datetime | None:
    return max((a.stand.am for a in ansichten if a.stand.am), default=None)
