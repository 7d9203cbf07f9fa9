"""The demo on a database that holds the samples of another version."""

from contextlib import ExitStack, nullcontext
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command

from gwoe.demo import loading
from gwoe.management.commands import demo
from gwoe.management.commands.demo import Command
from parlamente.models import Parlament
from tests.citations.factories import make_pdf

CHANGED = make_pdf("Der Landtag wolle beschließen: Diese Datei lautet jetzt anders als damals.")


@pytest.fixture
def changed(monkeypatch):
    monkeypatch.setattr(loading, "_file", lambda row: CHANGED)


def test_a_programme_that_changed_is_recognised(musterland, changed):
    with pytest.raises(loading.AndereBeispiele, match="schon aus der Datei"):
        list(loading.load_programme())


def test_a_motion_whose_text_changed_is_recognised(musterland, changed):
    with pytest.raises(loading.AndereBeispiele, match="ein anderer Text"):
        list(loading.load_antraege())


def test_a_motion_whose_particulars_changed_is_recognised(musterland):
    motion = musterland["ML 7/2318"]
    type(motion).objects.filter(pk=motion.pk).update(titel="So hieß es damals")
    with pytest.raises(loading.AndereBeispiele, match="anderen Angaben"):
        list(loading.load_antraege())


def test_a_real_row_in_the_place_of_an_invented_one_is_recognised(musterland):
    Parlament.objects.filter(code="ML").update(muster=False)
    with pytest.raises(loading.AndereBeispiele, match="erfunden"):
        loading.load_parlamente()


def test_the_command_says_what_to_do(monkeypatch):
    def show(self, stack, *, port):
        raise loading.AndereBeispiele("ml-7-2318.pdf: gibt es schon.")

    monkeypatch.setattr(Command, "_show", show)
    monkeypatch.setattr(Command, "_stop_database_afterwards", lambda self, stack: None)
    monkeypatch.setattr("signal.signal", lambda *args: None)
    with pytest.raises(
        CommandError, match=r"gibt es schon(.|\n)*GWOE_VAR_DIR=\S+vorfuehrung make demo"
    ):
        call_command("demo", "--no-serve")


def test_the_web_server_knows_the_address_it_is_reached_at(monkeypatch):
    started = []

    def running(*arguments, env, **options):
        started.append(env)
        return nullcontext(Mock(poll=lambda: None))

    monkeypatch.setattr(demo, "running", running)
    monkeypatch.setattr(demo.time, "sleep", lambda seconds: None)
    with ExitStack() as stack:
        Command()._start_web(stack, 8123)
    assert started[0]["SITE_URL"] == "http://127.0.0.1:8123"
