"""The measurements of the desk work, on little; their figures are not a matter of tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.urls import reverse

from assessments.models import Assessment, Beleg
from assessments.risiko import count_risks
from gwoe.bench.arbeitsplatz import measure
from gwoe.bench.datenbank import scratch
from gwoe.bench.grossbestand import Umfang, fill
from gwoe.bench.redakteure import broken_invariants

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.django_db(transaction=True)
def test_the_copies_are_as_if_made_by_the_verbs_and_their_pages_open():
    with scratch():
        fill(Umfang(bewertungen=60, zitate=1200, schlange=24))
        assert Assessment.objects.to_review().count() == 24 + 3
        assert 1150 < Beleg.objects.count() < 1350
        assert {name: rows for name, rows in broken_invariants().items() if rows} == {}
        assert all(count_risks(Assessment.objects.to_review()).values())
        messung = measure("Übersicht", [reverse("admin:index")] * 2)
        assert messung.abfragen > 5


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="starts a database server of its own")
@pytest.mark.ausdauer
def test_editors_at_once_and_killed_processes_lose_no_decision():
    """The short version of `bench_editors`; see docs/reference/commands.md."""
    command = ("bench_editors", "--editors", "5", "--seconds", "12", "--kill")
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "gwoe.settings.dev"}
    result = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr[-3000:]
    assert "Verfehlte Ziele: 0" in result.stdout
    assert "Prozesse getötet" in result.stdout
