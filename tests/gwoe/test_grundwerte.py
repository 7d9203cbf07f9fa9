"""No figure of retrieval falls, and what the documentation shows of them is current."""

import io
import json
from copy import deepcopy
from functools import cache

import pytest
from django.core.management import CommandError, call_command

from gwoe.bench import grundwerte, schaubild, suche
from gwoe.bench.grundwerte import LAEUFE, falls, measure
from gwoe.bench.quellen import SAMPLES

KNOWN = grundwerte.read()
SHIPPED = [lauf for lauf in LAEUFE if lauf.ships]
OTHERS = [lauf for lauf in LAEUFE if not lauf.ships]

needs_databases = pytest.mark.django_db(transaction=True)


def by_name(lauf):
    return lauf.name


@needs_databases
@pytest.mark.parametrize("lauf", SHIPPED, ids=by_name)
def test_no_figure_of_the_shipped_set_falls(lauf):
    assert list(falls(KNOWN[lauf.name], measure(lauf, None))) == []


@needs_databases
@pytest.mark.shared
@pytest.mark.parametrize("lauf", OTHERS, ids=by_name)
def test_no_figure_of_the_real_sets_falls(shared, lauf):
    """Of the leg that is used; building their database takes minutes the first time."""
    assert list(falls(KNOWN[lauf.name], measure(lauf, shared, legs="hybrid"))) == []


def test_the_shipped_set_can_fall_and_rise():
    """Figures of one, or of nothing, would show no change."""
    for lauf in SHIPPED:
        for name in ("recall@1", "recall@5", "mrr@10", "ndcg@5"):
            assert 0 < KNOWN[lauf.name]["legs"]["hybrid"][name] < 1


def test_every_set_is_written_with_date_and_commit():
    assert list(KNOWN) == [lauf.name for lauf in LAEUFE]
    assert all(result["date"] and result["commit"] for result in KNOWN.values())


def test_nothing_of_the_real_sets_texts_is_written():
    text = json.dumps([KNOWN[lauf.name] for lauf in OTHERS])
    assert "frage" not in text
    assert max(map(len, text.split('"'))) < 200


# --- What counts as a fall ----------------------------------------------------------------------


@pytest.fixture
def before():
    return deepcopy(KNOWN["muster"])


@pytest.mark.parametrize("name", grundwerte.FIGURES)
@pytest.mark.parametrize(("change", "expected"), [(-0.0001, 1), (0, 0), (0.01, 0)])
def test_a_last_digit_less_is_a_fall(before, name, change, expected):
    now = deepcopy(before)
    now["legs"]["lexical"][name] += change
    assert len(list(falls(before, now))) == expected


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [("right", -0.01, 1), ("right", 0.01, 0), ("false", 0.01, 1), ("false", -0.01, 0)],
)
def test_fewer_right_and_more_wrong_refusals_are_falls(before, name, change, expected):
    now = deepcopy(before)
    now["empty"][name] += change
    assert len(list(falls(before, now))) == expected


def test_legs_that_were_not_measured_did_not_fall(before):
    now = deepcopy(before)
    now["legs"] = {"hybrid": now["legs"]["hybrid"]}
    assert list(falls(before, now)) == []


# --- Writing ------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """The three files as copies."""
    for module, name in ((grundwerte, "DATEI"), (schaubild, "BILD"), (schaubild, "SEITE")):
        original = getattr(module, name)
        copy = tmp_path / original.name
        copy.write_bytes(original.read_bytes())
        monkeypatch.setattr(module, name, copy)
    return tmp_path


@needs_databases
def test_the_command_compares_and_writes_what_it_measured_alone(elsewhere, monkeypatch):
    monkeypatch.setattr(grundwerte, "measure", cache(measure))  # measuring takes the whole time
    worse = deepcopy(KNOWN)
    worse["muster"]["legs"]["hybrid"]["recall@5"] = 1.0
    grundwerte.DATEI.write_text(json.dumps(worse), encoding="utf-8")
    with pytest.raises(CommandError, match=r"muster: hybrid recall@5: 1\.0 → 0\."):
        call_command("eval_baseline", only=["muster"], stdout=io.StringIO())
    assert grundwerte.read() == worse

    call_command("eval_baseline", only=["muster"], write=True, stdout=io.StringIO())
    written = grundwerte.read()
    assert written["muster"]["legs"] == KNOWN["muster"]["legs"]
    assert {name: written[name] for name in written if name != "muster"} == {
        name: KNOWN[name] for name in KNOWN if name != "muster"
    }
    assert schaubild.BILD.read_text(encoding="utf-8") == schaubild.schaubild(written)
    call_command("eval_baseline", only=["muster"], stdout=io.StringIO())


def test_the_real_sets_are_left_out_where_they_are_absent():
    assert [measure(lauf, None) for lauf in OTHERS] == [None] * len(OTHERS)


# --- The documentation --------------------------------------------------------------------------

RENEW = "run manage.py eval_baseline --write"


def test_the_plot_is_current():
    assert schaubild.BILD.read_text(encoding="utf-8") == schaubild.schaubild(KNOWN), RENEW


def test_the_table_is_current():
    page = schaubild.SEITE.read_text(encoding="utf-8")
    assert schaubild.BEGIN in page
    assert page == schaubild.with_tabelle(page, KNOWN), RENEW


def test_the_plot_names_every_set_and_leg_and_fits_light_and_dark():
    svg = schaubild.schaubild(KNOWN)
    for name in [lauf.titel for lauf in LAEUFE] + list(schaubild.LEGS):
        assert f">{name}</text>" in svg
    assert "prefers-color-scheme:dark" in svg


# --- Times --------------------------------------------------------------------------------------


@pytest.mark.ausdauer
@needs_databases
def test_the_benchmark_prints_its_rows(monkeypatch):
    for name, small in (("FILES", 1), ("SEARCHES", 2), ("MOTIONS", 1), ("WORTSCHATZ", 50)):
        monkeypatch.setattr(suche, name, small)
    rows = list(suche.zeilen([SAMPLES / "ufer-ml-2024.pdf"], passagen=64))
    assert [row.was.split(",")[0].split(" (")[0] for row in rows] == [
        "Seiten je Sekunde einlesen nach dem Lesen",
        "Passagen",
        "Eine Forderung",
        "Eine Forderung",
        "Antrag mit 5 Forderungen",
    ]
    assert all(row.wert for row in rows)


def test_the_benchmark_refuses_an_empty_folder_and_no_passages(tmp_path):
    with pytest.raises(CommandError, match="liegen keine PDF-Dateien"):
        call_command("bench_retrieval", tmp_path)
    with pytest.raises(CommandError, match="mindestens eine Passage"):
        call_command("bench_retrieval", SAMPLES, passages=0)
