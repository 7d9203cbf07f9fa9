"""The number of queries of each page of the desk: bounded, and the same for much as for little."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, Beleg

from .am_tisch import HALBSATZ, open_evidence, sit_down
from .factories import AssessmentFactory, BelegFactory, UserFactory

pytestmark = pytest.mark.django_db

QUEUE = "admin:assessments_pruefauftrag_changelist"
ALL = "admin:assessments_assessment_changelist"
# The most queries of each page; the session and the person are two of them.
PAGES = {
    "start": (lambda a: reverse("admin:index"), 16),
    "queue": (lambda a: reverse(QUEUE), 13),
    "queue, filtered": (lambda a: f"{reverse(QUEUE)}?risiko=offen&zustand=offen", 13),
    "queue, searched": (lambda a: f"{reverse(QUEUE)}?q=Wirkung", 13),
    "desk": (lambda a: desk_url("pruefen", a.pk), 32),
    "piece": (lambda a: desk_url("pruefen", a.pk, beleg=a.belege.offen().first().pk), 32),
    "all pieces": (lambda a: desk_url("pruefen", a.pk, belege="alle"), 32),
    "fields": (lambda a: desk_url("felder", a.pk), 24),
    "comparisons": (lambda a: desk_url("vergleiche", a.pk), 24),
    "texts": (lambda a: desk_url("texte", a.pk), 24),
    "record": (lambda a: desk_url("verlauf", a.pk), 24),
    "place": (lambda a: desk_url("stelle", a.pk, a.belege.offen().first().pk, q="Land"), 30),
    "all": (lambda a: reverse(ALL), 12),
    "one": (lambda a: reverse("admin:assessments_assessment_change", args=[a.pk]), 28),
    "runs": (lambda a: reverse("admin:assessments_lauf_changelist"), 14),
}


def little() -> Assessment:
    """Two in the queue; each has open, dropped and accepted evidence."""
    for _ in range(2):
        assessment = AssessmentFactory(in_review=True)
        open_evidence(assessment, HALBSATZ)
        open_evidence(assessment, None, feld="B5").drop(by=UserFactory())
    return assessment


def grow(assessment: Assessment) -> None:
    """Ten in the queue, and ten times the evidence, events and notes."""
    for _ in range(8):
        AssessmentFactory(in_review=True)
    zitat = assessment.belege.angenommen().first().zitat
    for feld in assessment.feldbewertungen.all():
        BelegFactory(owner_row=feld, zitat=zitat)
        if feld.feld > "C":
            open_evidence(assessment, HALBSATZ, feld=feld.feld)
            open_evidence(assessment, None, feld=feld.feld).drop(by=UserFactory())


def count(client, address: str) -> int:
    client.get(address)  # what a process reads once
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200, address
    return len(queries)


def test_no_page_asks_more_for_a_larger_assessment_or_a_longer_queue(client):
    sit_down(client, publisher=True)
    assessment = little()
    before = {name: count(client, address(assessment)) for name, (address, _) in PAGES.items()}
    few = Beleg.objects.filter(assessment=assessment).count()
    grow(assessment)
    assert Beleg.objects.filter(assessment=assessment).count() > 5 * few
    after = {name: count(client, address(assessment)) for name, (address, _) in PAGES.items()}
    grown = {name: (before[name], n) for name, n in after.items() if n > before[name]}
    assert grown == {}
    assert {name: n for name, n in after.items() if n > PAGES[name][1]} == {}
