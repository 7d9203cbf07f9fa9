"""Reports of readers, as they come in through the form or straight into the table."""

import time

import factory

from assessments.models import Assessment, Beleg
from citations.models import Zitat
from meldungen import schein
from meldungen.eingang import receive
from meldungen.models import Meldung
from meldungen.ziel import Ziel
from tests.assessments.factories import UserFactory

TEXT = "Bei Feld D1 steht, berichtet werde alle zwei Jahre. Im Antrag steht: jedes Jahr."


class MeldungFactory(factory.Factory):
    """Open, about a published assessment; taken in by the domain's own door."""

    class Meta:
        model = Meldung

    assessment: Assessment
    zitat: Zitat | None = None
    art = Meldung.Art.BEGRUENDUNG
    text = factory.Sequence(lambda n: f"{TEXT} Das ist Beobachtung {n}.")
    adresse = factory.Sequence(lambda n: f"198.51.100.{n % 250}")

    @classmethod
    def _create(cls, model_class, *, assessment, zitat=None, **fields):
        return receive(Ziel(assessment, zitat), **fields)


def cited(assessment: Assessment, feld: str = "B5") -> Zitat:
    """A quote of the assessment."""
    return Beleg.objects.get(assessment=assessment, feldbewertung__feld=feld).zitat


def decider(**fields):
    """Somebody who may decide reports, and look at the queue."""
    return UserFactory(may=["review_assessment", "view_meldung", "decide_meldung"], **fields)


def ticket(ziel: Ziel, monkeypatch, *, age: float = 60) -> str:
    """The hidden field of a form that was opened so many seconds ago."""
    now = time.time()
    with monkeypatch.context() as patch:
        patch.setattr("django.core.signing.time.time", lambda: now - age)
        return schein.issue(ziel)
