"""Many programmes at once, with real processes and a real kill."""

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from citations.ablehnung import Abgelehnt, Ablehnung
from citations.reading import UnbrauchbaresDokument
from programme import ingesting
from programme.angaben import resolve
from programme.ingesting import ingest, is_current
from programme.models import Chunk, Einbettung, Programm
from programme.prozesse import ProzessVerloren, in_order
from tests.citations.factories import make_pdf
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

from .factories import newer_reading

JAHRE = range(1996, 2026, 5)
DEADLINE = 60
# The same command in a process of its own, on this test's database.
RUN = """
import sys
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
from django.db import connection
connection.settings_dict["NAME"], settings.MEDIA_ROOT = sys.argv[1:3]
call_command("ingest_programme", sys.argv[3], processes=2, verbosity=0)
"""


def text_of(jahr):
    saetze = (f"Wir bauen {n} Wohnungen in Stadt {n} des Landes." for n in range(200))
    return f"Wahlprogramm der SPD Baden-Württemberg {jahr}\n" + "\n".join(saetze)


@pytest.fixture
def folder(tmp_path):
    """Six programmes of one party."""
    bw = ParlamentFactory(baden_wuerttemberg=True)
    ParteiFactory(kuerzel="SPD")
    for jahr in JAHRE:
        WahlperiodeFactory(parlament=bw, nummer=jahr - 1980, wahltag=date(jahr, 3, 13))
        pages = [text_of(jahr)[start : start + 1500] for start in range(0, 9000, 1500)]
        (tmp_path / f"spd-bw-{jahr}.pdf").write_bytes(make_pdf(*pages))
    return tmp_path


def run(folder, *, processes=1):
    call_command("ingest_programme", str(folder), verbosity=0, processes=processes)


def passages(programm):
    rows = Chunk.objects.filter(programm=programm).order_by("nr")
    return list(rows.values_list("nr", "start", "ende", "seite", "pfad", "text"))


# --- Results ------------------------------------------------------------------------------------


@pytest.mark.ausdauer
@pytest.mark.django_db
def test_several_processes_store_what_one_does(folder, capsys):
    path = folder / f"spd-bw-{JAHRE[0]}.pdf"
    alone = ingest(path.read_bytes(), resolve({}, name=path.name), name=path.name)
    expected = passages(alone)
    vectors = Einbettung.objects.filter(chunk__programm=alone).count()
    alone.delete()
    run(folder, processes=2)
    assert "6 neu" in capsys.readouterr().out
    together = Programm.objects.get(jahr=JAHRE[0])
    assert passages(together) == expected
    assert Einbettung.objects.filter(chunk__programm=together).count() == vectors > 0
    assert all(is_current(programm) for programm in Programm.objects.all())


@pytest.mark.django_db
def test_the_edition_that_comes_first_by_name_wins_however_fast_the_other_is(folder):
    long = folder / f"spd-bw-{JAHRE[0]}.pdf"
    draft = folder / f"spd-bw-{JAHRE[0]}-entwurf.pdf"
    draft.write_bytes(make_pdf(f"Entwurf. {text_of(JAHRE[0])[:300]}"))
    with pytest.raises(CommandError, match=long.name):
        run(folder, processes=2)
    assert Programm.objects.get(jahr=JAHRE[0]).dokument.name == long.name


@pytest.mark.django_db
def test_a_bad_file_is_reported_at_the_end_with_its_reason(folder, capsys):
    (folder / f"spd-bw-{JAHRE[0]}.pdf").write_bytes(b"%PDF-1.4")
    (folder / f"spd-bw-{JAHRE[1]}.pdf").write_bytes(b"<html>")
    with pytest.raises(CommandError) as failure:
        run(folder)
    assert "4 neu, 0 erneuert, 0 unverändert, 2 gescheitert" in capsys.readouterr().out
    assert f"spd-bw-{JAHRE[1]}.pdf: Das ist keine PDF-Datei." in str(failure.value)


@pytest.mark.django_db
def test_the_same_file_under_two_names_is_one_programme(folder):
    path = folder / f"spd-bw-{JAHRE[0]}.pdf"
    (folder / f"spd-bw-{JAHRE[0]}-kopie.pdf").write_bytes(path.read_bytes())
    (folder / "cdu-bw-2016.pdf").write_bytes(path.read_bytes())
    ParteiFactory(kuerzel="CDU")
    with pytest.raises(CommandError, match=r"cdu-bw-2016\.pdf|spd-bw-1996\.pdf"):
        run(folder, processes=2)
    assert Programm.objects.count() == len(JAHRE)


@pytest.mark.django_db
def test_a_second_run_reads_nothing(folder, capsys, monkeypatch):
    run(folder)
    before = set(Chunk.objects.values_list("pk", flat=True))
    monkeypatch.setattr(ingesting, "plan", None)  # neither reading nor embedding
    capsys.readouterr()
    run(folder)
    assert "0 neu, 0 erneuert, 6 unverändert, 0 gescheitert" in capsys.readouterr().out
    assert set(Chunk.objects.values_list("pk", flat=True)) == before


@pytest.mark.django_db
def test_a_document_that_was_read_but_not_taken_in_is_not_read_again(folder, monkeypatch):
    run(folder)
    Programm.objects.filter(jahr=JAHRE[0]).delete()
    monkeypatch.setattr(ingesting, "read_new_file", None)
    run(folder)
    assert Programm.objects.filter(jahr=JAHRE[0]).exists()


@pytest.mark.django_db
def test_what_a_newer_reading_has_overtaken_is_built_again(folder, capsys):
    run(folder)
    programm = Programm.objects.get(jahr=JAHRE[0])
    newer = newer_reading(programm.dokument, text_of(JAHRE[0])[:700])
    capsys.readouterr()
    run(folder)
    assert "0 neu, 1 erneuert, 5 unverändert" in capsys.readouterr().out
    assert set(programm.chunks.values_list("extraktion", flat=True)) == {newer.pk}


@pytest.mark.django_db
def test_the_rate_is_said(folder, capsys):
    run(folder)
    assert "je Sekunde" in capsys.readouterr().out


# --- A kill -------------------------------------------------------------------------------------


def children_of(pid):
    """Also those that its threads started."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):
            found += map(int, (task / "children").read_text().split())
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(condition):
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.django_db(transaction=True)
def test_a_killed_run_leaves_whole_programmes_and_no_process_and_the_next_goes_on(
    folder, settings, capsys
):
    arguments = [connection.settings_dict["NAME"], str(settings.MEDIA_ROOT), str(folder)]
    with subprocess.Popen([sys.executable, "-c", RUN, *arguments], cwd=settings.BASE_DIR) as first:
        wait_for(Programm.objects.exists)
        children = children_of(first.pid)
        os.kill(first.pid, signal.SIGKILL)
    assert first.returncode == -signal.SIGKILL
    assert len(children) >= 2
    wait_for(lambda: not any(map(is_alive, children)))
    stored = list(Programm.objects.all())
    assert 0 < len(stored) < len(JAHRE)
    assert all(is_current(programm) for programm in stored)
    run(folder, processes=2)
    counts = f"{len(JAHRE) - len(stored)} neu, 0 erneuert, {len(stored)} unverändert, 0 gescheitert"
    assert counts in capsys.readouterr().out
    assert Programm.objects.count() == len(JAHRE)


# --- Processes ----------------------------------------------------------------------------------


def test_results_come_in_order_and_calls_are_taken_no_faster_than_results():
    taken = []

    def calls():
        for number in range(12):
            taken.append(number)
            yield number, partial(pow, number, 2)

    for position, (number, result) in enumerate(in_order(calls(), processes=2)):
        assert (number, result()) == (position, position**2)
        assert len(taken) <= position + 4


@pytest.mark.parametrize("processes", [1, 2])
def test_one_call_that_fails_does_not_stop_the_next(processes):
    calls = [("bad", partial(int, "x")), ("good", partial(int, "1"))]
    (_, bad), (_, good) = in_order(calls, processes=processes)
    with pytest.raises(ValueError, match="x"):
        bad()
    assert good() == 1


def test_a_lost_process_is_said_in_german_for_every_call_that_it_takes_along():
    calls = [(n, partial(os._exit, 9)) for n in range(6)]
    for _, result in in_order(calls, processes=2):
        with pytest.raises(ProzessVerloren, match="--processes 1"):
            result()


@pytest.mark.parametrize("art", Ablehnung)
@pytest.mark.parametrize("kind", [Abgelehnt, UnbrauchbaresDokument])
def test_a_refusal_comes_whole_from_another_process(kind, art):
    for refusal in (kind(art), kind(art, "Ein eigener Satz.")):
        copy = pickle.loads(pickle.dumps(refusal))  # noqa: S301  our own
        assert (type(copy), copy.art, str(copy)) == (kind, art, str(refusal))


@pytest.mark.parametrize("number", ["0", "-1", "x"])
def test_no_process_at_all_is_refused(number):
    with pytest.raises(CommandError, match="at least 1"):
        call_command("ingest_programme", "x", "--processes", number)
