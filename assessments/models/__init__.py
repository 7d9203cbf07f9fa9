"""Runs, assessments with their parts and evidence, and the record of what was done to them."""

from .assessment import MAX_BERICHTIGUNG, Assessment, AssessmentQuerySet, Pruefauftrag
from .beleg import BegruendungNoetig, Beleg, BelegQuerySet
from .bewertung import Feldbewertung, Verbesserung, Vergleich, VergleichQuerySet
from .event import ReviewEvent
from .lauf import SILENCE, Lauf
from .nennung import Namensnennung, Nennung
from .reservierung import Reserviert, Reservierung, Uebernahme
from .sichtung import Sichtung
from .transition import InvalidTransition

__all__ = [
    "MAX_BERICHTIGUNG",
    "SILENCE",
    "Assessment",
    "AssessmentQuerySet",
    "BegruendungNoetig",
    "Beleg",
    "BelegQuerySet",
    "Feldbewertung",
    "InvalidTransition",
    "Lauf",
    "Namensnennung",
    "Nennung",
    "Pruefauftrag",
    "Reserviert",
    "Reservierung",
    "ReviewEvent",
    "Sichtung",
    "Uebernahme",
    "Verbesserung",
    "Vergleich",
    "VergleichQuerySet",
]
