"""Every accepted quote stands in its document, after a deployment and on the shipped samples.

After a deployment: `DATABASE_URL=… pytest -m integration` runs against that database, reading
only. Everywhere else the samples of the demo are taken the whole line first.
"""

import os

import pytest
from django.db import connections

from assessments.models import Lauf
from assessments.proof import accepted_evidence, is_confirmed, judge
from assessments.tasks import run_lauf
from citations.comparison import compare_form
from citations.lesetext import lesetext
from citations.models import Pruefung
from gwoe.demo import loading
from gwoe.demo.replay import ReplayServer

pytestmark = pytest.mark.integration

PER_PARLAMENT = 5


@pytest.fixture
def belege(request):
    """Accepted evidence of the deployed database, or else of the samples."""
    deployed = os.environ.get("DATABASE_URL") and request.config.getoption("-m") == "integration"
    return request.getfixturevalue("deployed" if deployed else "samples")


@pytest.fixture
def deployed(django_db_blocker, settings):
    """The database of DATABASE_URL itself, not a test database made beside it; reading only."""
    from gwoe.settings.base import VAR_DIR

    settings.MEDIA_ROOT = os.environ.get("GWOE_MEDIA_ROOT", VAR_DIR / "media")
    with django_db_blocker.unblock():
        with connections["default"].cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")
        found = list(accepted_evidence(limit=PER_PARLAMENT))
        if not found:
            pytest.skip("the database of DATABASE_URL holds no accepted evidence yet")
        yield found


@pytest.fixture
def samples(db, settings):
    loading.load_parlamente()
    list(loading.load_programme())
    with ReplayServer(loading.SAMPLES / "antworten") as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "muster-1"
        for antrag in loading.load_antraege():
            if antrag.parlament.code == "ML":
                run_lauf(Lauf.objects.create(fassung=antrag.fassung).pk)
    found = list(accepted_evidence(limit=PER_PARLAMENT))
    assert len(found) > 50
    return found


def test_every_accepted_quote_stands_in_its_document_and_comes_from_whom_it_speaks_for(belege):
    for beleg in belege:
        text = lesetext(beleg.zitat.extraktion)
        for teil in beleg.zitat.teile:
            assert compare_form(teil) in text.form.text, beleg
        assert beleg.wrong_origin(beleg.zitat) == "", beleg
    failures = [
        (beleg, urteil.grund)
        for beleg, urteil in judge(belege)
        if urteil.ergebnis == Pruefung.Ergebnis.WIDERLEGT
        or (urteil.ergebnis != Pruefung.Ergebnis.BEWIESEN and not is_confirmed(beleg))
    ]
    assert failures == []
