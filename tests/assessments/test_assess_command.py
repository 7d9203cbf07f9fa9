"""`assess` says how a draft came about, and where it waits."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from assessments.models import Assessment, Lauf
from tests.parlamente.factories import AntragFactory

from .factories import ANTRAGSTEXT

pytestmark = pytest.mark.django_db


@pytest.fixture
def antrag():
    return AntragFactory(mit_text=ANTRAGSTEXT)


@pytest.fixture
def model(settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "beispiel-7"


def run(antrag, *options):
    out = StringIO()
    call_command("assess", str(antrag.pk), *options, stdout=out)
    return out.getvalue()


def test_a_draft_without_a_model_says_so_and_where_it_waits(antrag, settings):
    said = run(antrag)
    desk = reverse("admin:assessments_pruefauftrag_pruefen", args=[Assessment.objects.get().pk])
    assert "Entwurf ohne Modell" in said
    assert said.endswith(f"  {settings.SITE_URL}{desk}\n")


def test_a_queued_run_says_where_to_watch_it(antrag, settings):
    said = run(antrag, "--queue")
    page = reverse("admin:assessments_lauf_change", args=[Lauf.objects.get().pk])
    assert "manage.py qcluster" in said
    assert said.endswith(f"{settings.SITE_URL}{page}\n")


def test_a_dry_run_without_a_model_promises_no_calls(antrag):
    said = run(antrag, "--dry-run")
    assert "ohne Modell (LLM_BASE_URL, LLM_MODEL sind leer), kein Aufruf, keine Kosten." in said
    assert "Mit einem Modell: Aufrufe: 1, " in said
    assert not Lauf.objects.exists()


@pytest.mark.usefixtures("model")
def test_a_dry_run_without_prices_names_none(antrag):
    said = run(antrag, "--dry-run")
    assert "ohne Modell" not in said
    assert "Preis unbekannt (LLM_PRICE_INPUT, LLM_PRICE_OUTPUT)" in said
    assert "Euro" not in said


@pytest.mark.usefixtures("model")
def test_a_dry_run_names_the_price(antrag, settings):
    settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = 1.0, 500.0
    assert re.search(r"höchstens 2,\d\d Euro", run(antrag, "--dry-run"))


@pytest.mark.usefixtures("model")
def test_a_failed_draft_says_why(antrag, settings):
    settings.LLM_MAX_RETRIES = 0
    with pytest.raises(CommandError, match="Nicht bewertet"):
        run(antrag)
    assert "nicht erreichbar" in Lauf.objects.get().fehler
