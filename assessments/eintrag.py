"""One assessment in a list."""

from dataclasses import dataclass

from .addresses import antrag_address
from .einbringer import aufzaehlung, einbringer
from .kleinmatrix import Kleinmatrix, kleinmatrix
from .models import Assessment, AssessmentQuerySet
from .waage import Waage, waage


@dataclass(frozen=True)
class Eintrag:
    assessment: Assessment
    adresse: str
    eingebracht_von: str
    matrix: Kleinmatrix
    waage: Waage | None


def load_eintraege(assessments: AssessmentQuerySet) -> AssessmentQuerySet:
    """What `eintrag` needs to be loaded beside each row."""
    return assessments.select_related(
        "antrag__parlament", "antrag__wahlperiode", "corrects"
    ).prefetch_related("feldbewertungen", "antrag__urheber__parteien")


def eintrag(assessment: Assessment) -> Eintrag:
    werte = assessment.werte()
    names = einbringer(assessment.antrag)
    return Eintrag(
        assessment=assessment,
        adresse=antrag_address(assessment.antrag),
        eingebracht_von=aufzaehlung(names) if names else "",
        matrix=kleinmatrix(werte),
        waage=waage(werte),
    )
