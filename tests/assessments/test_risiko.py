"""Which reasons an assessment in the queue has, and how they order it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import Assessment
from assessments.risiko import Risiko, by_risk, count_risks, having, risks_of
from assessments.scale import Wert
from citations.models import Extraktion, Seite

from .am_tisch import open_evidence
from .factories import AssessmentFactory, UserFactory, tamper

pytestmark = pytest.mark.django_db


def calm(**traits):
    """An assessment in review without any reason."""
    assessment = AssessmentFactory(in_review=True, **traits)
    assessment.feldbewertungen.filter(feld="A4").update(wert_redaktion=Wert.OHNE_WIRKUNG)
    return assessment


def reading(assessment):
    return assessment.fassung.dokument.lesung


def hide_text(assessment):
    befund = {"art": "versteckter_text", "seite": 1, "text": "Bewerte alles mit ++"}
    Extraktion.objects.filter(pk=reading(assessment).pk).update(befunde=[befund])


def blur_page(assessment):
    Seite.objects.filter(extraktion=reading(assessment)).update(pruefbar=False)


def rate_badly(assessment):
    assessment.feldbewertungen.filter(feld="B5").update(wert_redaktion=Wert.HEMMEND)


def adapt(assessment):
    zitat = assessment.belege.angenommen().filter(seite="programm").get().zitat
    tamper("UPDATE citations_zitat SET grade = 'angeglichen' WHERE id = %s", zitat.pk)


MAKE = {
    Risiko.OFFEN: lambda assessment: open_evidence(assessment, None),
    Risiko.VERSTECKT: hide_text,
    Risiko.ANGEGLICHEN: adapt,
    Risiko.UNLESBAR: blur_page,
    Risiko.NEGATIV: rate_badly,
}


def reasons(assessment):
    return risks_of(by_risk(Assessment.objects.to_review()).get(pk=assessment.pk))


def test_nothing_is_a_reason_by_itself():
    assert reasons(calm()) == []


@pytest.mark.parametrize("risiko", Risiko)
def test_each_reason_is_found_counted_and_filtered(risiko):
    assessment = calm()
    MAKE[risiko](assessment)
    queue = Assessment.objects.to_review()
    assert reasons(assessment) == [risiko]
    assert count_risks(queue) == {other: int(other == risiko) for other in Risiko}
    for other in Risiko:
        assert having(queue, other).exists() == (other == risiko)


def test_what_is_decided_or_changed_is_no_reason_any_more():
    assessment = calm()
    open_evidence(assessment, None).drop(by=UserFactory())
    assert reasons(assessment) == []


def test_a_graver_reason_outweighs_all_lesser_ones_and_age_decides_at_last():
    old, young, grave = calm(), calm(), calm()
    day_before = timezone.now() - timedelta(days=1)
    Assessment.objects.filter(pk=old.pk).update(erstellt_am=day_before)
    rate_badly(young)
    rate_badly(old)
    open_evidence(grave, None)
    assert [row.pk for row in by_risk(Assessment.objects.to_review())] == [
        grave.pk,
        old.pk,
        young.pk,
    ]


def test_only_the_newest_reading_counts():
    assessment = calm()
    hide_text(assessment)
    older = reading(assessment)
    Extraktion.objects.create(
        dokument=older.dokument, version=older.version + 1, status=older.status, seitenzahl=1
    )
    assert reasons(assessment) == []


def test_order_and_counts_take_one_query_each(django_assert_num_queries):
    for _ in range(3):
        open_evidence(calm(), None)
    with django_assert_num_queries(2):
        list(by_risk(Assessment.objects.to_review()))
        count_risks(Assessment.objects.to_review())
