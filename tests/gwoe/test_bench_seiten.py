"""The measurement of the cited page works; its figures are not a matter of tests."""

import pytest

from assessments.models import Assessment
from gwoe.bench.seiten import measure_pages
from gwoe.demo.loading import SAMPLES


@pytest.mark.django_db
def test_pages_of_text_are_opened_and_nothing_is_left_behind():
    costs = measure_pages(sorted(SAMPLES.glob("*-ml-2024.pdf")), zitate=3)
    assert costs.seiten == 3
    assert 0 < costs.einfach_kb.median < costs.doppelt_kb.median
    assert 0 < costs.warm_ms.median <= costs.warm_ms.p95
    assert not Assessment.objects.exists()
