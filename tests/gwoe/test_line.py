"""The whole line on the samples: from PDF to draft, with a model and without one."""

import html
import json

import pytest

from assessments.models import Assessment, Beleg, InvalidTransition, Lauf, Vergleich
from assessments.tasks import run_lauf
from citations.comparison import compare_form
from gwoe.demo.loading import SAMPLES
from tests.assessments.factories import UserFactory, approve


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


def test_no_false_quote_is_ever_public(musterland, replay, expected, client):
    """The editor drops what is open; what the public sees holds none of the model's inventions."""
    assessment = draft(musterland["ML 7/2318"])
    editor = UserFactory(reviewer=True)
    for beleg in assessment.belege.offen():
        beleg.drop(by=editor)
    for vergleich in assessment.vergleiche.without_source():
        vergleich.ergebnis_redaktion = Vergleich.Ergebnis.OHNE_BELEG
        vergleich.save()
    approve(assessment)
    assessment.publish(by=UserFactory(publisher=True))
    pages = [client.get(path) for path in ("/", "/ml/7/2318/", "/api/v1/assessments/ml/7/2318")]
    assert [page.status_code for page in pages] == [200] * 3
    assert "Passage gefunden zu Forderung" in pages[1].content.decode()
    seen = compare_form(" ".join(html.unescape(page.content.decode()) for page in pages))
    false = [row for row in expected.values() if row["antrag"] == "ml-7-2318"]
    for row in false:
        if not row["oeffentlich"]:
            assert compare_form(row["text"]) not in seen, row["klasse"]
    accepted = assessment.belege.angenommen().select_related("zitat")
    assert all(compare_form(beleg.zitat.teile[0]) in seen for beleg in accepted)


def test_without_a_model_every_rating_waits_for_the_editors(musterland):
    assessment = draft(musterland["ML 7/2291"])
    assert assessment.lauf.modell == ""
    assert set(assessment.feldbewertungen.values_list("wert_modell", flat=True)) == {""}
    assert not assessment.belege.angenommen().exists()
    found = assessment.belege.offen()
    assert found.filter(seite=Beleg.Seite.ANTRAG).exists()
    assert found.filter(seite=Beleg.Seite.PROGRAMM).exists()
    with pytest.raises(InvalidTransition, match="Belege offen"):
        assessment.approve(by=UserFactory(approver=True))
    absent = assessment.vergleiche.get(partei__kuerzel="BRÜCKE", programmtyp="grundsatzprogramm")
    assert absent.ergebnis == Vergleich.Ergebnis.KEIN_PROGRAMM


def test_a_programme_s_quote_names_the_demand_that_its_passage_was_found_for(musterland, replay):
    assessment = draft(musterland["ML 7/2291"])
    belege = assessment.belege.filter(zustand=Beleg.Zustand.ANGENOMMEN)
    named = belege.exclude(forderung="")
    assert named.exists()
    assert not named.exclude(seite=Beleg.Seite.PROGRAMM).exists()
    text = compare_form(assessment.fassung.dokument.lesung.suchtext.form)
    for beleg in named:
        number, _, words = beleg.forderung.partition(". ")
        assert number.isdigit()
        assert compare_form(words.removesuffix(" …")) in text
