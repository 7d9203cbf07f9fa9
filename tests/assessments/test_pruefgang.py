"""A run of the proof: each file once, few queries, and again from where it was stopped."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assessments import pruefgang
from assessments.pruefgang import GOES_ON_FOR, verify
from citations import verification
from citations.models import Pruefgang, Pruefung, Zitat
from gwoe.bench.bestand import read_files, store_assessment
from gwoe.bench.nachweis import measure_verification
from gwoe.demo.loading import SAMPLES

from .factories import AssessmentFactory, tamper

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    return AssessmentFactory(published=True)


@pytest.fixture
def opened(monkeypatch):
    """How many places each start of the second engine was asked for."""
    asked = []

    def counting(module, request, data):
        asked.append(len(request["places"]))
        return run_child(module, request, data)

    run_child = verification.run_child
    monkeypatch.setattr(verification, "run_child", counting)
    return asked


@pytest.fixture
def stop_after_first_file(monkeypatch):
    """As if the process were killed when the first file's outcomes have been stored."""

    def store_and_stop(checked):
        record(checked)
        raise KeyboardInterrupt

    record = pruefgang.record_pruefungen
    with monkeypatch.context() as patched:
        patched.setattr(pruefgang, "record_pruefungen", store_and_stop)
        with pytest.raises(KeyboardInterrupt):
            verify()


def test_each_file_is_opened_once(assessment, opened):
    verify()
    files = Zitat.objects.values("extraktion__dokument").distinct().count()
    assert len(opened) == files == 2
    assert sum(opened) == Zitat.objects.count()


def test_a_run_that_was_stopped_goes_on_where_it_was(assessment, stop_after_first_file, opened):
    bilanz = verify()
    assert len(opened) == 1
    assert bilanz.total.checked == bilanz.total.proved == assessment.belege.count()
    assert Pruefung.objects.count() == Zitat.objects.count()
    (gang,) = Pruefgang.objects.all()
    assert (gang.geprueft, gang.widerlegt) == (assessment.belege.count(), 0)
    assert gang.beendet_am


def test_what_a_stopped_run_had_refuted_stays_refuted(assessment):
    tamper("UPDATE citations_zitat SET text = 'Anderes' WHERE id = %s", Zitat.objects.first().pk)
    verify()
    Pruefgang.objects.update(beendet_am=None)
    assert verify().total.refuted > 0
    assert Pruefung.objects.count() == Zitat.objects.count()


@pytest.mark.parametrize("fresh", [True, False])
def test_all_is_checked_anew_when_wanted_or_after_a_run_that_ended(assessment, opened, fresh):
    verify()
    if fresh:
        Pruefgang.objects.update(beendet_am=None)
    verify(fresh=fresh)
    assert len(opened) == 4
    assert Pruefgang.objects.count() == 2


def test_a_run_that_was_stopped_long_ago_is_left_alone(assessment, stop_after_first_file, opened):
    Pruefgang.objects.update(begonnen_am=timezone.now() - GOES_ON_FOR - timedelta(minutes=1))
    verify()
    assert len(opened) == 2


def test_a_run_of_another_scope_is_left_alone(assessment, stop_after_first_file, opened):
    verify(published=True)
    assert len(opened) == 2


def test_the_command_begins_anew_when_told(assessment, stop_after_first_file, opened):
    call_command("verify_citations", "--fresh")
    assert len(opened) == 2


def test_the_command_fails_on_what_a_stopped_run_refuted(assessment):
    tamper("UPDATE citations_zitat SET text = 'Anderes' WHERE id = %s", Zitat.objects.first().pk)
    verify()
    Pruefgang.objects.update(beendet_am=None)
    with pytest.raises(CommandError):
        call_command("verify_citations")


# --- Measured ------------------------------------------------------------------------------------

SAMPLE = SAMPLES / "ufer-ml-2024.pdf"


def queries(datei, count):
    """Of a run over so many quotes, which are taken back afterwards."""
    with transaction.atomic():
        store_assessment([datei], zitate=count)
        with CaptureQueriesContext(connection) as captured:
            assert verify(fresh=True).total.proved == count
        transaction.set_rollback(True)
    return len(captured)


def test_queries_do_not_grow_with_the_quotes():
    (datei,) = read_files([SAMPLE])
    assert queries(datei, 3) == queries(datei, 20)


def test_the_bench_proves_the_samples_and_leaves_nothing_behind():
    result = measure_verification(sorted(SAMPLES.glob("*-ml-*.pdf"))[:3], zitate=30)
    assert (result.dateien, result.zitate, result.bewiesen) == (3, 30, 30)
    assert not Zitat.objects.exists()
