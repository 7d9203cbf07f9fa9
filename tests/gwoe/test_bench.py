"""The bars of the citation engine that are counts and shares; times stay in the benchmark."""

import io

import pytest
from django.core.management import call_command

from gwoe.bench import faelle, marken, saetze, zitate
from gwoe.bench.quellen import SAMPLES, Ordner


def missed(zeilen):
    return [str(zeile) for zeile in zeilen if zeile.haelt is False]


@pytest.fixture(scope="module")
def samples():
    return Ordner(SAMPLES)


def test_forged_quotes_of_the_samples_meet_the_bars(samples):
    ergebnisse = zitate.forged(samples, je_klasse=4)
    assert {one.klasse for one in ergebnisse} >= {"A_raw", "C_ellipsis", "N0_absent", "N2_negation"}
    assert missed(zitate.zeilen(ergebnisse, "Muster")) == []


def test_marks_in_the_samples_hold_exactly_the_words(samples):
    """But for the ends of boxes: the samples' letters are spread, which one engine counts."""
    rows = list(marken.zeilen(samples.quellen(), count=60))
    assert missed(row for row in rows if not row.was.startswith("Anfang")) == []


def test_the_command_prints_the_bars():
    output = io.StringIO()
    call_command("bench_citations", SAMPLES, only=["zitate"], forge=1, stdout=output)
    assert "Gefälscht: wahr, mit Auslassung, veröffentlicht" in output.getvalue()
    assert "Verfehlte Ziele: 0" in output.getvalue()


@pytest.mark.shared
def test_the_golden_quotes_meet_the_bars(shared):
    assert missed(zitate.zeilen(zitate.golden(shared / "data"), "Prüfsatz")) == []


@pytest.mark.shared
def test_every_hard_case_is_placed_or_rightly_unusable(shared):
    assert missed(faelle.zeilen(shared / "data")) == []


@pytest.mark.shared
def test_sentences_of_a_cleaned_text_are_placed_where_they_stand(shared):
    texts = ("bsw-bund-2025.md", "linke-bund-2025.md")
    assert missed(saetze.zeilen(Ordner(shared / "data"), texts)) == []


@pytest.mark.shared
def test_marks_in_real_programmes_hold_exactly_the_words(shared):
    """Two-up spreads, another CropBox and rotated pages among them."""
    names = [
        "programme/fdp-bw-2016.pdf",
        "programme/gruene-bw-2016.pdf",
        "programme/cdu-bw-2016.pdf",
    ]
    ordner = Ordner(shared / "data")
    assert missed(marken.zeilen(ordner.quellen(names), count=60)) == []
