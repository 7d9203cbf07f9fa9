"""Where a model helps in searching: the desk's questions, and the passages of a run."""

import pytest

from assessments.costs import estimate_costs
from assessments.desk.suche import search
from assessments.models import Lauf
from assessments.pipeline import UnbrauchbareAntwort
from assessments.tasks import run_lauf
from programme.models import ModellAufruf
from tests.parlamente.factories import AntragFactory, ParteiFactory, UrheberFactory
from tests.programme.hilfen import answering, long_programme
from tests.programme.provider import answer, provider

from .am_tisch import open_programme_evidence
from .factories import AssessmentFactory

pytestmark = pytest.mark.django_db


ANTRAGSTEXT = (
    "Der Landtag wolle beschließen:\n\nDie Landesregierung wird aufgefordert, die Schulen im Land "
    "zu erhalten und gut auszustatten und jedes Jahr öffentlich darüber zu berichten."
)


@pytest.fixture
def assessment():
    """With a party that has a long basic programme."""
    assessment = AssessmentFactory(in_review=True)
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    long_programme(vergleich.partei, None, grundsatz=True)
    return assessment


@pytest.fixture
def fassung():
    """Of a motion that the originators' programme says something about."""
    partei = ParteiFactory()
    antrag = AntragFactory(titel="Schulen ausstatten", mit_text=ANTRAGSTEXT)
    UrheberFactory(antrag=antrag, parteien=[partei])
    long_programme(partei, None, grundsatz=True)
    return antrag.fassung


@pytest.fixture
def model(settings):
    settings.LLM_MODEL, settings.LLM_MAX_RETRIES = "m", 0
    return settings


def test_a_question_of_the_desk_is_rewritten_and_what_is_found_sorted(assessment, model):
    model.RETRIEVAL_REWRITE = model.RETRIEVAL_RERANK = True
    beleg = open_programme_evidence(assessment, None)
    reply = {"<frage>": {"fassungen": ["Schwimmbäder"]}, "<anliegen>": {"nummern": [2]}}
    with answering(lambda words: reply[words.split("\n")[0]]) as served:
        model.LLM_BASE_URL = served.base_url
        search(beleg, "Was ist mit den Schulen und Museen?")
    assert list(ModellAufruf.objects.order_by("pk").values_list("zweck", flat=True)) == [
        "Umformulieren",
        "Umsortieren",
    ]
    assert "Schwimmbäder" in served.requests[1]["messages"][-1]["content"]


def test_a_motion_is_never_rewritten_and_its_sorting_stays_with_the_run(fassung, model):
    model.RETRIEVAL_REWRITE = model.RETRIEVAL_RERANK = True
    lauf = Lauf.objects.create(fassung=fassung)
    with provider(answer('{"nummern": [15]}')) as served:
        model.LLM_BASE_URL = served.base_url
        with pytest.raises(UnbrauchbareAntwort):  # of the matrix; sorting did not hinder the run
            run_lauf(lauf.pk)
    assert list(lauf.aufrufe.order_by("pk").values_list("zweck", flat=True)) == [
        "Umsortieren",
        "Matrix",
    ]


def test_a_dry_run_counts_the_sorting_and_sends_nothing(fassung, model):
    with provider(answer('{"nummern": []}')) as served:
        model.LLM_BASE_URL = served.base_url
        without = estimate_costs(fassung)
        model.RETRIEVAL_RERANK = True
        with_sorting = estimate_costs(fassung)
    assert served.requests == []
    assert with_sorting.calls == without.calls + 1
    assert with_sorting.tokens_in > without.tokens_in
