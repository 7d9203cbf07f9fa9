"""Why a verb is not possible now, in German: for whoever tried."""

import logging

from django.db import IntegrityError

logger = logging.getLogger(__name__)


class InvalidTransition(Exception):
    """The verb is not possible now; the message says why, in German."""

    @classmethod
    def from_database(cls, error: IntegrityError) -> "InvalidTransition":
        """What a constraint or trigger refused, as a sentence for whoever tried."""
        name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
        if name not in _REFUSALS:  # a name in the code says nothing to an editor
            logger.error("Refused by the constraint %s: %s", name, error)
        return cls(_REFUSALS.get(name or "", UNKNOWN))


class BegruendungNoetig(InvalidTransition):
    """A check said no: the verb needs a reason by the editor; the message names the checks."""


UNKNOWN = "Die Datenbank lehnt das ab. Warum, steht im Protokoll des Servers."
_REFUSALS = {
    "no_open_evidence": "Das geht noch nicht: Es sind noch Belege offen.",
    "all_fields_rated": "Das geht noch nicht: Nicht alle 25 Felder sind bewertet.",
    "all_comparisons_decided": "Das geht noch nicht: Nicht alle Vergleiche sind entschieden.",
    "assessment_ways": "Das geht nicht mehr: Der Zustand der Bewertung ist ein anderer.",
    "one_published_per_antrag": "Zu diesem Antrag ist schon eine andere Bewertung veröffentlicht.",
    "assessment_frozen": "Das geht nicht mehr: Die Bewertung ist abgeschlossen.",
    "four_eyes": "Veröffentlichen kann nur eine zweite Person.",
    "summary_written": "Das geht noch nicht: Die Zusammenfassung fehlt.",
    "evidence_shown": "Das geht noch nicht: Nicht alle Belege, die Sie ansehen müssen, wurden "
    "Ihnen gezeigt. Die Reihe über dem Prüftisch nennt sie.",
    "own_rating_given": "Das geht noch nicht: Zwei Felder müssen Sie zuerst selbst bewerten.",
    "later_version_has_reason": "Das geht noch nicht: Zu diesem Antrag war schon eine Fassung "
    "veröffentlicht. Schreiben Sie im Reiter Texte, was die neue ändert und warum; eine "
    "freigegebene Bewertung geben Sie dafür an den Entwurf zurück.",
    "corrects_newest_version": "Das geht nicht mehr: Inzwischen ist eine neuere Fassung "
    "veröffentlicht als die, die hier berichtigt wird. Bitte berichtigen Sie diese.",
    "one_open_correction_per_antrag": "Zu diesem Antrag liegt schon eine Berichtigung in der "
    "Warteschlange oder als Entwurf vor.",
    "no_source_no_score": "Ein Vergleich hat einen Wert, aber keinen Beleg aus dem Programm.",
    "score_up_to_ten": "Der Wert liegt zwischen 0 und 10.",
}
