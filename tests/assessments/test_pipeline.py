"""The run around the pipeline: attempts, failures, and what a broken provider leaves behind."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import SILENCE, Assessment, InvalidTransition, Lauf, Vergleich
from assessments.subject import Parteivergleich
from assessments.tasks import enqueue_assessment, retry_assessment, run_lauf
from programme.llm import ModellFehler
from programme.models import ModellAufruf
from programme.retrieval import Bestand
from tests.parlamente.factories import AntragFactory, ParlamentFactory
from tests.programme.provider import error, provider

from .factories import ANTRAGSTEXT, ProgrammFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def fassung():
    return AntragFactory(mit_text=ANTRAGSTEXT).fassung


def test_enqueueing_hands_a_primary_key_to_the_queue(fassung, django_capture_on_commit_callbacks):
    from django_q.models import OrmQ

    with django_capture_on_commit_callbacks(execute=True):
        lauf = enqueue_assessment(fassung)
    (queued,) = OrmQ.objects.all()
    assert queued.task["args"] == (lauf.pk,)


def test_without_a_model_evidence_is_collected_and_nothing_is_rated(fassung):
    lauf = Lauf.objects.create(fassung=fassung)
    run_lauf(lauf.pk)
    lauf.refresh_from_db()
    assessment = lauf.assessment
    assert (lauf.modell, lauf.status) == ("", Lauf.Status.FERTIG)
    assert assessment.status == Assessment.Status.IN_REVIEW
    assert set(assessment.feldbewertungen.values_list("wert_modell", flat=True)) == {""}
    assert not assessment.belege.angenommen().exists()
    assert not ModellAufruf.objects.exists()


@pytest.mark.parametrize(("passagen", "words"), [(1, "1 Passage ("), (64, "64 Passagen (")])
def test_how_much_was_searched_is_counted_in_words(passagen, words):
    programm = ProgrammFactory(parlament=ParlamentFactory())
    vergleich = Parteivergleich(
        partei=programm.parteien.get(),
        rolle=Vergleich.Rolle.REGIEREND,
        typ=programm.typ,
        bestand=Bestand((programm,), passagen),
        fundstellen=(),
    )
    assert vergleich.durchsucht.startswith(words)


def test_a_finished_run_is_not_run_again(fassung):
    lauf = Lauf.objects.create(fassung=fassung)
    run_lauf(lauf.pk)
    run_lauf(lauf.pk)
    assert Assessment.objects.count() == 1


def test_a_running_run_is_left_alone(fassung):
    lauf = Lauf.objects.create(
        fassung=fassung, status=Lauf.Status.LAEUFT, versuche=1, herzschlag=timezone.now()
    )
    assert "läuft" in run_lauf(lauf.pk)
    assert not Assessment.objects.exists()


def test_a_killed_worker_s_run_is_taken_up_again(fassung):
    lauf = Lauf.objects.create(
        fassung=fassung,
        status=Lauf.Status.LAEUFT,
        versuche=1,
        herzschlag=timezone.now() - SILENCE - timedelta(minutes=1),
    )
    run_lauf(lauf.pk)
    lauf.refresh_from_db()
    assert (lauf.status, lauf.versuche) == (Lauf.Status.FERTIG, 2)


def test_a_run_that_kills_every_worker_is_given_up(fassung, settings):
    lauf = Lauf.objects.create(
        fassung=fassung,
        status=Lauf.Status.LAEUFT,
        versuche=settings.LAUF_MAX_VERSUCHE,
        herzschlag=timezone.now() - SILENCE - timedelta(minutes=1),
    )
    run_lauf(lauf.pk)
    lauf.refresh_from_db()
    assert lauf.status == Lauf.Status.GESCHEITERT
    assert "3 Versuchen" in lauf.fehler


def test_a_motion_without_readable_text_fails_with_the_reason():
    fassung = AntragFactory(mit_text=" ").fassung
    lauf = Lauf.objects.create(fassung=fassung)
    with pytest.raises(Exception, match="nicht zitierfähig"):
        run_lauf(lauf.pk)
    lauf.refresh_from_db()
    assert lauf.status == Lauf.Status.GESCHEITERT
    assert "keinen lesbaren Text" in lauf.fehler


def test_a_failed_run_can_be_started_again(fassung):
    lauf = Lauf.objects.create(fassung=fassung, status=Lauf.Status.GESCHEITERT, versuche=3)
    retry_assessment(lauf)
    run_lauf(lauf.pk)
    lauf.refresh_from_db()
    assert lauf.status == Lauf.Status.FERTIG
    with pytest.raises(InvalidTransition, match="gescheiterter"):
        retry_assessment(lauf)


def test_a_running_run_is_looked_at_again_later(fassung):
    """The queue forgets the task, but its worker may have been killed a moment ago."""
    from django_q.models import Schedule

    lauf = Lauf.objects.create(
        fassung=fassung, status=Lauf.Status.LAEUFT, versuche=1, herzschlag=timezone.now()
    )
    run_lauf(lauf.pk)
    again = Schedule.objects.get()
    assert again.next_run >= lauf.herzschlag + SILENCE


def test_a_silent_run_can_be_started_again_by_hand(fassung):
    lauf = Lauf.objects.create(
        fassung=fassung,
        status=Lauf.Status.LAEUFT,
        versuche=1,
        herzschlag=timezone.now() - SILENCE - timedelta(seconds=1),
    )
    retry_assessment(lauf)
    assert lauf.status == Lauf.Status.WARTET


def test_the_same_text_is_not_assessed_twice_at_once(fassung):
    enqueue_assessment(fassung)
    with pytest.raises(InvalidTransition, match="schon ein Lauf"):
        enqueue_assessment(fassung)


def test_control_characters_in_an_answer_do_not_reach_the_database():
    from assessments.schemas import ModellZitat

    zitat = ModellZitat.model_validate_json('{"text": "a\\u0000b", "quelle": "", "url": ""}')
    assert zitat.text == "ab"


def test_a_topic_of_an_answer_turns_no_direction_of_writing():
    from assessments.schemas import MatrixAntwort

    antwort = MatrixAntwort(
        zusammenfassung="Kurz", themen=["Bahn\u202e", "Klima\x00"], felder=[], verbesserungen=[]
    )
    assert antwort.themen == ["Bahn", "Klima"]


def test_a_failed_call_stays_with_its_run(fassung, settings):
    settings.LLM_MODEL, settings.LLM_MAX_RETRIES = "m", 0
    with provider(error(401)) as served:
        settings.LLM_BASE_URL = served.base_url
        lauf = Lauf.objects.create(fassung=fassung)
        with pytest.raises(ModellFehler):
            run_lauf(lauf.pk)
    assert list(lauf.aufrufe.values_list("fehler", flat=True)) == ["AnbieterFehler"]
