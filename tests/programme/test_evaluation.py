import json

import pytest
from django.core.management import call_command

from programme.evaluation import Messung
from tests.parlamente.factories import ParlamentFactory, ParteiFactory

from .factories import ProgrammFactory, newer_reading

WOHNEN = "Wir bauen mehr bezahlbare Wohnungen und begrenzen den Anstieg der Mieten."
BAHN = "Die Bahnstrecken im Land werden elektrifiziert und ausgebaut."


def test_recall_counts_places_and_mrr_counts_questions():
    messung = Messung()
    messung.add([0, 6, None])
    messung.add([None])
    assert (messung.stellen, messung.at_5, messung.at_8) == (4, 1, 2)
    assert messung.kehrwerte == [1.0, 0.0]


@pytest.mark.django_db
def test_command_measures_questions_and_motions_of_ingested_programmes(tmp_path, capsys):
    programm = ProgrammFactory(
        seiten=[WOHNEN, BAHN],
        parteien=[ParteiFactory(kuerzel="SPD")],
        parlament=ParlamentFactory(baden_wuerttemberg=True),
    )
    datei = f"programme/{programm.dokument.name}"
    newer_reading(programm.dokument, "Ein anderer Text.")  # not indexed yet, so not searched
    golden = tmp_path / "golden.jsonl"
    frage = {"frage": "Was gilt für Mieten?", "datei": datei, "zitat": WOHNEN, "beantwortbar": True}
    fremd = frage | {"datei": "programme/fehlt.pdf"}
    stumm = frage | {"beantwortbar": False, "zitat": ""}
    antrag = {
        "titel": "Bahnstrecken ausbauen",
        "text": "",
        "datum": "2018-05-16",
        "belege": {"SPD": [{"datei": datei, "zitat": BAHN}], "CDU": []},
    }
    golden.write_text("\n".join(map(json.dumps, [frage, fremd, stumm, antrag])))
    call_command("eval_retrieval", golden=[golden])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["golden.jsonl", "n", "recall@5", "recall@8", "MRR"]
    assert [line.split() for line in lines[1:]] == [
        ["SPD", "2", "1.000", "1.000", "1.000"],
        ["all", "2", "1.000", "1.000", "1.000"],
    ]
