"""Real manifestos and a typeset motion, from files to published pages.

With the sample model's protocol, and without any model.
"""

import json
from datetime import date

import pytest
from django.core.management import call_command

from assessments.models import (
    Assessment,
    BegruendungNoetig,
    Beleg,
    InvalidTransition,
    Lauf,
    Vergleich,
)
from assessments.pruefgang import verify
from assessments.scale import Wert
from assessments.tasks import run_lauf
from gwoe.demo.replay import ReplayServer
from gwoe.demo.typeset import typeset_antrag
from programme.models import Programm
from tests.assessments.factories import UserFactory, approve

pytestmark = [pytest.mark.shared, pytest.mark.django_db]


@pytest.fixture
def golden(shared):
    lines = (shared / "data" / "eval" / "golden_antraege.jsonl").read_text(encoding="utf-8")
    return {row["id"]: row for row in map(json.loads, lines.splitlines())}


@pytest.fixture
def manifestos(shared):
    call_command("load_parlamente", verbosity=0)
    paths = sorted((shared / "data" / "programme").glob("*-bw-2016.pdf"))
    call_command("ingest_programme", *map(str, paths), verbosity=0, processes=1)
    assert Programm.objects.count() == len(paths) == 5


def import_motion(row, number, folder):
    pdf = folder / f"{row['id']}.pdf"
    typeset_antrag(
        pdf,
        parlament=row["parlament"],
        drucksache=f"16/{number}",
        datum=date.fromisoformat(row["datum"]),
        titel=row["titel"],
        einreichende=row["einreichende"],
        text=row["text"],
    )
    call_command(
        "import_antrag",
        str(pdf),
        parlament="BW",
        drucksache=f"16/{number}",
        titel=row["titel"],
        datum=row["datum"],
        partei=row["einreichende"],
        verbosity=0,
    )


def answers(row):
    """What a model that quotes well would answer: the golden passages, under their own words."""
    demand = row["text"].split("2.")[0].split("1.")[1].strip(" ;")
    quote = {"text": demand, "quelle": "Antrag, S. 1", "url": ""}
    felder = [
        {"feld": feld, "wert": 1, "begruendung": "Wirkt auf dieses Feld.", "zitate": [quote]}
        for feld in row["gwoe_felder"]
    ]
    nothing = {"score": None, "begruendung": "", "zitate": [], "antrag_zitate": []}
    parts = {
        partei: {
            "score": 7,
            "begruendung": "Das Programm berührt das Thema.",
            "zitate": [
                {"text": beleg["zitat"], "quelle": f"{partei} BW Wahlprogramm 2016", "url": ""}
                for beleg in belege
            ],
            "antrag_zitate": [quote],
        }
        for partei, belege in row["belege"].items()
    }
    return {
        "erkennung": row["text"][80:160],
        "matrix": {
            "zusammenfassung": "Worum es geht.",
            "themen": ["Wohnen"],
            "felder": felder,
            "verbesserungen": [],
        },
        "vergleiche": {
            partei: {
                "wahlprogramm_scores": [
                    {"partei": partei, "wahlprogramm": part, "parteiprogramm": nothing}
                ]
            }
            for partei, part in parts.items()
        },
    }


def run(number) -> Assessment:
    from parlamente.models import Antrag

    antrag = Antrag.objects.get(parlament__code="BW", nummer=str(number))
    lauf = Lauf.objects.create(fassung=antrag.fassung)
    run_lauf(lauf.pk)
    lauf.refresh_from_db()
    return lauf.assessment


RATED = (Vergleich.Ergebnis.BEWERTET, Vergleich.Ergebnis.UNBEWERTET)


def decide(beleg, person):
    """Accepts what can be accepted, with a note where one is asked for, and drops the rest."""
    try:
        beleg.accept(by=person)
    except BegruendungNoetig:
        beleg.accept(by=person, note="Mit dem Original verglichen.")
    except InvalidTransition:
        beleg.drop(by=person)


def decide_everything(assessment, person):
    """What an editor does: decide the evidence, rate what is not rated."""
    for beleg in assessment.belege.offen():
        decide(beleg, person)
    assessment.feldbewertungen.filter(wert_modell="").update(wert_redaktion=Wert.OHNE_WIRKUNG)
    for vergleich in assessment.vergleiche.all():
        has_source = vergleich.belege.angenommen().filter(seite=Beleg.Seite.PROGRAMM).exists()
        if vergleich.ergebnis == Vergleich.Ergebnis.UNBEWERTET and has_source:
            vergleich.ergebnis_redaktion = Vergleich.Ergebnis.BEWERTET
            vergleich.score_redaktion = 6
        elif not has_source and vergleich.ergebnis in RATED:
            vergleich.ergebnis_redaktion = Vergleich.Ergebnis.OHNE_BELEG
        vergleich.save()
    Assessment.objects.filter(pk=assessment.pk, zusammenfassung_modell="").update(
        zusammenfassung_redaktion="Worum es geht."
    )


def publish(assessment):
    decide_everything(assessment, UserFactory(reviewer=True))
    approve(assessment)
    assessment.publish(by=UserFactory(publisher=True))


def test_a_motion_goes_the_whole_line_with_and_without_a_model(
    manifestos, golden, tmp_path, settings, client
):
    row = golden["A01"]
    import_motion(row, 123, tmp_path)
    (tmp_path / "antworten").mkdir()
    (tmp_path / "antworten" / "a01.json").write_text(json.dumps(answers(row)), encoding="utf-8")
    with ReplayServer(tmp_path / "antworten") as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "muster-1"
        settings.LLM_API_KEY = "beispiel"
        drafted = run(123)
    settings.LLM_BASE_URL = ""
    placed = drafted.belege.angenommen().filter(seite=Beleg.Seite.PROGRAMM)
    quoted = drafted.belege.filter(seite=Beleg.Seite.PROGRAMM)
    assert placed.count() >= quoted.count() - 1 >= 6
    publish(drafted)

    import_motion(golden["A02"], 124, tmp_path)
    collected = run(124)
    assert not collected.feldbewertungen.exclude(wert_modell="").exists()
    assert collected.belege.offen().filter(seite=Beleg.Seite.PROGRAMM).exists()
    publish(collected)

    bilanz = verify(published=True)
    assert bilanz.total.checked == bilanz.total.proved
    for number, assessment in ((123, drafted), (124, collected)):
        page = client.get(f"/bw/16/{number}/")
        assert page.status_code == 200
        html = page.content.decode()
        beleg = assessment.belege.angenommen().filter(seite=Beleg.Seite.PROGRAMM).first()
        assert f"/zitat/{beleg.zitat_id}/" in html
        assert client.get(f"/zitat/{beleg.zitat_id}/").status_code == 200
