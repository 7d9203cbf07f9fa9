"""What was corrected or withdrawn after publication, the newest first."""

from dataclasses import dataclass
from datetime import datetime

from .addresses import version_address
from .models import Assessment, AssessmentQuerySet, ReviewEvent
from .vermerk import ersetzt_wort


@dataclass(frozen=True)
class Korrektur:
    assessment: Assessment
    am: datetime
    ist_rueckzug: bool
    text: str

    @property
    def wort(self) -> str:
        if self.ist_rueckzug:
            return "Zurückgezogen."
        return f"{ersetzt_wort(self.assessment)} in Fassung {self.assessment.version}."

    @property
    def adresse(self) -> str:
        return version_address(self.assessment)


def korrekturen() -> list[Korrektur]:
    return sorted([*_corrected(), *_withdrawn()], key=lambda entry: entry.am, reverse=True)


def _corrected() -> list[Korrektur]:
    """Corrections, and what a new run replaced: both say what they change."""
    rows = _reachable().exclude(berichtigung="")
    return [
        Korrektur(row, row.published_at, ist_rueckzug=False, text=row.berichtigung)
        for row in rows
        if row.published_at and row.status != Assessment.Status.WITHDRAWN
    ]


def _withdrawn() -> list[Korrektur]:
    rows = _reachable().filter(status=Assessment.Status.WITHDRAWN)
    events = ReviewEvent.objects.filter(assessment__in=rows, nach=Assessment.Status.WITHDRAWN)
    by_assessment = {event.assessment_id: event for event in events}
    return [
        Korrektur(row, by_assessment[row.pk].am, ist_rueckzug=True, text=by_assessment[row.pk].note)
        for row in rows
        if row.pk in by_assessment
    ]


def _reachable() -> AssessmentQuerySet:
    return Assessment.objects.reachable().select_related("antrag__parlament", "antrag__wahlperiode")
