"""The database of golden sets: found again, never half-built, and left without a trace."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from citations.lesetext import lesetext
from citations.reading import store_dokument
from parlamente.models import Parlament, Partei
from programme import pruefdatenbank as module
from programme.models import Chunk, Programm
from programme.pruefdatenbank import OHNE, parteien_of, pruefdatenbank
from programme.pruefsatz import Pruefsatz, PruefsatzFehler
from tests.citations.factories import locked_pdf, make_pdf
from tests.parlamente.factories import ParteiFactory

from .databases import databases, drop_new_databases

ROOT = Path(__file__).resolve().parents[2]
TEXT = "Wir bauen mehr bezahlbare Wohnungen und begrenzen den Anstieg der Mieten im Land."

# The command in a process of its own, which names its databases as this one does.
RUN = """
import sys
import django
django.setup()
from django.core.management import call_command
from programme import pruefdatenbank
pruefdatenbank.PREFIX = sys.argv[1]
call_command(*sys.argv[2:])
"""

needs_databases = pytest.mark.django_db(transaction=True)


@pytest.fixture
def new_databases(django_db_setup, django_db_blocker):
    """What was made since the test began."""
    with drop_new_databases(django_db_blocker):
        yield lambda: sorted(databases())


@pytest.fixture
def saetze(tmp_path):
    (tmp_path / "spd-bund-2025.pdf").write_bytes(make_pdf(TEXT))
    return [Pruefsatz("x", dateien={"spd-bund-2025.pdf": "SPD"})]


@pytest.mark.ausdauer
@needs_databases
def test_a_second_run_finds_the_database_and_a_newer_code_replaces_it(
    tmp_path, saetze, new_databases, monkeypatch
):
    with pruefdatenbank(saetze, tmp_path):
        programm = Programm.objects.get()
        assert programm.label == "SPD BUND Wahlprogramm 2025"
        assert programm.geltung == "seit 23.02.2025"
        assert Chunk.objects.get().text.startswith("Wir bauen")
    assert not Programm.objects.exists()
    (first,) = new_databases()

    monkeypatch.setattr(module, "_fill", lambda *_: 1 / 0)
    with pruefdatenbank(saetze, tmp_path):
        assert Programm.objects.count() == 1
    assert new_databases() == [first]

    monkeypatch.undo()
    monkeypatch.setattr(module, "CODE", module.CODE[1:])
    with pruefdatenbank(saetze, tmp_path):
        assert Programm.objects.count() == 1
    (second,) = new_databases()
    assert first != second
    assert first.rpartition("_")[0] == second.rpartition("_")[0]


@needs_databases
def test_no_text_of_another_database_is_taken_for_one_of_this(tmp_path, saetze, new_databases):
    """Both have a reading with this key, and the other one's is still in memory."""
    lesung = store_dokument(make_pdf("Ein ganz anderes Programm."), name="anderes.pdf").lesung
    seite = lesung.seiten.get()
    if lesung.pk != 1:
        lesung.pk, lesung.version, seite.pk, seite.extraktion_id = 1, 0, None, 1
        lesung.save(force_insert=True)
        seite.save(force_insert=True)
    assert lesetext(lesung).text.startswith("Ein ganz anderes")
    with pruefdatenbank(saetze, tmp_path):
        assert Chunk.objects.get().extraktion_id == 1
        assert Chunk.objects.get().text.startswith("Wir bauen")


@needs_databases
def test_a_run_that_dies_while_building_leaves_nothing_that_is_found(
    tmp_path, saetze, new_databases, monkeypatch
):
    own, test = connection.settings_dict["NAME"], connection.settings_dict["TEST"]

    def die(*_):
        Parlament.objects.create(code="HALB", name="Halb", land="Halb")
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_fill", die)
    with pytest.raises(KeyboardInterrupt), pruefdatenbank(saetze, tmp_path):
        pass
    assert (connection.settings_dict["NAME"], connection.settings_dict["TEST"]) == (own, test)
    (left,) = new_databases()
    assert left.endswith("_neu")

    monkeypatch.undo()
    with pruefdatenbank(saetze, tmp_path):
        assert not Parlament.objects.filter(code="HALB").exists()
        assert Programm.objects.count() == 1
    assert new_databases() == [left.removesuffix("_neu")]


@needs_databases
def test_two_runs_at_once_build_one_database(tmp_path, saetze, new_databases):
    satz = tmp_path / "satz.jsonl"
    frage = {"frage": "Mieten?", "partei": "SPD", "datei": "spd-bund-2025.pdf"}
    satz.write_text(json.dumps(frage | {"beantwortbar": True, "seiten": [1], "zitat": TEXT}))
    command = ["eval_retrieval", str(satz), "--pdf-dir", str(tmp_path), "--json"]
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", RUN, module.PREFIX, *command, "--legs", "hybrid"],
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "gwoe.settings.test"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    outputs = [run.communicate(timeout=300) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    assert [json.loads(out)["legs"]["hybrid"]["recall@1"] for out, _ in outputs] == [1, 1]
    assert len(new_databases()) == 1


@needs_databases
def test_a_database_in_which_somebody_measures_is_not_dropped(
    tmp_path, saetze, new_databases, monkeypatch
):
    with pruefdatenbank(saetze, tmp_path):
        other = connection.copy()
        other.ensure_connection()
    try:
        monkeypatch.setattr(module, "CODE", module.CODE[1:])
        with pruefdatenbank(saetze, tmp_path):
            pass
        assert len(new_databases()) == 2
    finally:
        other.close()
    with pruefdatenbank(saetze, tmp_path):
        pass
    assert len(new_databases()) == 1


@needs_databases
def test_a_land_beside_the_programmes_is_known(tmp_path, new_databases):
    from gwoe.demo.loading import SAMPLES

    for name in ("parlamente.json", "ufer-se-2023.pdf"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    with pruefdatenbank([Pruefsatz("x", dateien={"ufer-se-2023.pdf": "UFER"})], tmp_path):
        programm = Programm.objects.get()
        assert (str(programm), programm.geltung) == ("UFER SE Wahlprogramm 2023", "seit 08.10.2023")
        assert Parlament.objects.filter(code="BW").exists()


@needs_databases
@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.pdf": b"kein PDF"}, "a.pdf: "),
        ({"a.pdf": locked_pdf()}, "a.pdf: "),
        (dict.fromkeys(["a.pdf", "b.pdf"], make_pdf(TEXT)), "sind dieselbe"),
    ],
)
def test_a_file_that_is_no_programme_is_named(tmp_path, new_databases, files, message):
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    saetze = [Pruefsatz("x", dateien=dict.fromkeys(files, "SPD"))]
    with pytest.raises(PruefsatzFehler, match=message), pruefdatenbank(saetze, tmp_path):
        pass
    assert not [name for name in new_databases() if not name.endswith("_neu")]


@pytest.mark.django_db
def test_a_label_may_name_two_parties_and_a_name_may_have_a_stroke():
    for kuerzel in ("CDU", "CSU"):
        ParteiFactory(kuerzel=kuerzel)
    ParteiFactory(kuerzel="GRÜNE", name="BÜNDNIS 90/DIE GRÜNEN")
    label = "BÜNDNIS 90/DIE GRÜNEN"
    assert [p.kuerzel for p in parteien_of("CDU/CSU")] == ["CDU", "CSU"]
    assert [p.kuerzel for p in parteien_of(label)] == ["GRÜNE"]
    assert [p.kuerzel for p in parteien_of("Grüne")] == ["GRÜNE"]
    assert [p.kuerzel for p in parteien_of("Neue / CDU")] == ["Neue", "CDU"]
    assert Partei.objects.get(kuerzel="Neue").name == "Neue"
    assert OHNE not in Partei.objects.values_list("kuerzel", flat=True)
