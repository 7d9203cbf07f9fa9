"""Runs, assessments with their parts and evidence, and the record of what was done to them."""

from .assessment import Assessment, AssessmentQuerySet, EigenurteilFehlt, Pruefauftrag
from .beleg import Beleg, BelegQuerySet
from .bewertung import Feldbewertung, Verbesserung, Vergleich, VergleichQuerySet
from .eigenurteil import Eigenurteil, EigenurteilQuerySet, Uebereinstimmung
from .event import ReviewEvent
from .lauf import SILENCE, Lauf
from .reservierung import Reserviert, Reservierung, Uebernahme
from .sichtung import Sichtung
from .transition import BegruendungNoetig, InvalidTransition

__all__ = [
    "SILENCE",
    "Assessment",
    "AssessmentQuerySet",
    "BegruendungNoetig",
    "Beleg",
    "BelegQuerySet",
    "Eigenurteil",
    "EigenurteilFehlt",
    "EigenurteilQuerySet",
    "Feldbewertung",
    "InvalidTransition",
    "Lauf",
    "Pruefauftrag",
    "Reserviert",
    "Reservierung",
    "ReviewEvent",
    "Sichtung",
    "Uebereinstimmung",
    "Uebernahme",
    "Verbesserung",
    "Vergleich",
    "VergleichQuerySet",
]
