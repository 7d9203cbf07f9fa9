import pytest

from assessments.claims import source_claims

from .factories import AssessmentFactory

pytestmark = pytest.mark.django_db


def test_wrong_sources_are_counted_per_model_and_version():
    one, other = AssessmentFactory(), AssessmentFactory()
    one.belege.update(quelle_stimmt=True)
    wrong = one.belege.first()
    wrong.quelle_stimmt = False
    wrong.save()
    other.belege.update(quelle_stimmt=None)
    other.lauf.modell = "muster-2"
    other.lauf.save()
    rows = {row.modell: row for row in source_claims()}
    quotes = one.belege.count()
    assert (rows["muster-1"].comparable, rows["muster-1"].wrong) == (quotes, 1)
    assert rows["muster-1"].share == pytest.approx(1 / quotes)
    assert (rows["muster-2"].quotes, rows["muster-2"].share) == (other.belege.count(), None)


def test_nothing_is_counted_before_anything_was_quoted():
    assert source_claims() == []
