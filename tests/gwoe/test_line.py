"""The whole line on the samples: from PDF to draft, with a model and without one."""

import json

import pytest

from assessments.models import Assessment, Beleg, Lauf
from assessments.tasks import run_lauf
from gwoe.demo.loading import SAMPLES


def draft(antrag) -> Assessment:
    lauf = Lauf.objects.create(fassung=antrag.fassung)
    run_lauf(lauf.pk)
    lauf.refresh_from_db()
    return lauf.assessment


@pytest.fixture
def expected():
    rows = json.loads((SAMPLES / "antworten" / "erwartung.json").read_text(encoding="utf-8"))
    return {(row["antrag"], row["text"], row["wo"]): row for row in rows}


def test_every_kind_of_false_quote_becomes_evidence_with_its_reason(musterland, replay, expected):
    assessment = draft(musterland["ML 7/2318"])
    assert assessment.status == Assessment.Status.IN_REVIEW
    by_words = {}
    for beleg in assessment.belege.select_related("zitat"):
        by_words.setdefault(beleg.wortlaut_modell, []).append(beleg)
    rows = [row for (antrag, _, _), row in expected.items() if antrag == "ml-7-2318"]
    held_back = {row["klasse"]: by_words[row["text"]][0] for row in rows if not row["oeffentlich"]}
    assert all(beleg.zustand == Beleg.Zustand.OFFEN for beleg in held_back.values())
    grund = {klasse: beleg.grund for klasse, beleg in held_back.items()}
    assert grund == {
        "gekuerzt_verneinung": Beleg.Grund.ABGESCHNITTEN,
        "verneint": Beleg.Grund.VERNEINUNG,
        "zahl": Beleg.Grund.ZAHL,
        "auslassung_verneinung": Beleg.Grund.VERNEINUNG,
        "erfundenes_ende": Beleg.Grund.NICHT_GEFUNDEN,
        "erfunden": Beleg.Grund.NICHT_GEFUNDEN,
        "andere_partei": Beleg.Grund.ANDERES_PROGRAMM,
        "veraltet": Beleg.Grund.ANDERES_PROGRAMM,
        "anderes_land": Beleg.Grund.ANDERES_PROGRAMM,
    }
    for row in rows:
        if row["oeffentlich"]:
            states = {beleg.zustand for beleg in by_words[row["text"]]}
            assert states == {Beleg.Zustand.ANGENOMMEN}, row
