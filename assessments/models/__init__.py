"""Runs, assessments with their parts and evidence, and the record of what was done to them."""

from .abfragen import AssessmentQuerySet
from .assessment import (
    MAX_BERICHTIGUNG,
    Assessment,
    EigenurteilFehlt,
    Pruefauftrag,
)
from .beleg import Beleg, BelegQuerySet
from .bewertung import Feldbewertung, Verbesserung, Vergleich, VergleichQuerySet
from .bilanzstand import Bilanzstand
from .eigenurteil import Eigenurteil, EigenurteilQuerySet, Uebereinstimmung
from .event import ReviewEvent
from .lauf import SILENCE, Lauf
from .nennung import Namensnennung, Nennung
from .reservierung import Reserviert, Reservierung, Uebernahme
from .sichtung import Sichtung
from .transition import BegruendungNoetig, InvalidTransition

__all__ = [
    "MAX_BERICHTIGUNG",
    "SILENCE",
    "Assessment",
    "AssessmentQuerySet",
    "BegruendungNoetig",
    "Beleg",
    "BelegQuerySet",
    "Bilanzstand",
    "Eigenurteil",
    "EigenurteilFehlt",
    "EigenurteilQuerySet",
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
    "Uebereinstimmung",
    "Uebernahme",
    "Verbesserung",
    "Vergleich",
    "VergleichQuerySet",
]
