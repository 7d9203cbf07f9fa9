import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from functools import cache

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from citations.lesetext import lesetext
from citations.models import Dokument
from citations.reading import UnbrauchbaresDokument
from programme import ingesting
from programme.angaben import resolve
from programme.embeddings import reading_model, written_models
from programme.ingesting import add_vectors, ingest, is_current, plan_index, reindex
from programme.models import Chunk, Einbettung, EinbettungsModell, Programm
from programme.naming import UnklareAngaben
from programme.validity import close_open_ends
from tests.citations.factories import make_pdf
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

from .factories import ProgrammFactory, newer_reading

pytestmark = pytest.mark.django_db

TEXT = "\n".join(
    f"Wir wollen im Jahr {2016 + n} bezahlbare Wohnungen in Stadt {n} bauen." for n in range(30)
)


@pytest.fixture(autouse=True)
def bw():
    parlament = ParlamentFactory(baden_wuerttemberg=True)
    WahlperiodeFactory(parlament=parlament, nummer=16, wahltag=date(2016, 3, 13))
    for kuerzel in ("SPD", "CDU"):
        ParteiFactory(kuerzel=kuerzel)
    return parlament


def ingest_named(name="spd-bw-2016.pdf", text=TEXT, **roh):
    return ingest(pdf_of(text), resolve(roh, name=name), name=name)


def test_passages_vectors_lie_before_those_of_sentences():
    ingest_named()
    rows = list(Einbettung.objects.order_by("pk").values_list("satz", flat=True))
    wholes = rows.count(None)
    assert rows[:wholes] == [None] * wholes
    assert 0 < wholes < len(rows)
    assert None not in rows[wholes:]


def test_vectors_that_are_there_already_are_refused_as_by_any_insert():
    programm = ingest_named()
    again = plan_index(programm, written_models())()
    with pytest.raises(IntegrityError), transaction.atomic():
        add_vectors(programm, again)
    assert is_current(programm)


@cache
def pdf_of(text):
    """The same text gives the same bytes, which a PDF's time stamps else prevent."""
    return make_pdf(text)


# --- The domain call ----------------------------------------------------------------------------


def test_programme_is_stored_with_passages_that_are_the_text():
    programm = ingest_named()
    assert str(programm) == "SPD BW Wahlprogramm 2016"
    text = lesetext(programm.dokument.lesung).text
    chunks = list(programm.chunks.order_by("nr"))
    assert len(chunks) > 1
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.ende]
        assert chunk.seite == 1


def test_every_passage_and_each_of_its_sentences_has_a_unit_vector():
    programm = ingest_named()
    for chunk in programm.chunks.all():
        rows = chunk.einbettungen.filter(modell=reading_model())
        assert rows.filter(satz=None).count() == 1
        assert rows.exclude(satz=None).count() == chunk.text.count(".")
        for row in rows:
            assert sum(x * x for x in row.vektor) == pytest.approx(1, abs=3e-3)


def test_same_file_again_changes_nothing():
    programm = ingest_named()
    before = list(Chunk.objects.order_by("pk").values_list("pk", flat=True))
    assert ingest_named() == programm
    assert list(Chunk.objects.order_by("pk").values_list("pk", flat=True)) == before


def test_same_file_under_another_name_is_refused():
    ingest_named("spd-bw-2016.pdf")
    with pytest.raises(UnklareAngaben, match="SPD BW Wahlprogramm 2016"):
        ingest_named("cdu-bw-2016.pdf")


def test_second_edition_of_the_same_programme_is_refused():
    ingest_named("spd-bw-2016.pdf")
    with pytest.raises(UnklareAngaben, match=r"spd-bw-2016\.pdf"):
        ingest_named("spd-bw-2016-entwurf.pdf", text=f"{TEXT} Entwurf.")
    assert Programm.objects.count() == 1


def test_file_without_text_is_no_programme():
    with pytest.raises(UnklareAngaben, match="Nicht zitierfähig"):
        ingest_named(text="")
    assert not Programm.objects.exists()


def test_file_that_is_no_pdf_leaves_nothing_behind():
    with pytest.raises(UnbrauchbaresDokument):
        ingest(b"<html>", resolve({}, name="spd-bw-2016.pdf"), name="spd-bw-2016.pdf")
    assert not Dokument.objects.exists()
    assert not Programm.objects.exists()


# --- The index is rebuilt -----------------------------------------------------------------------


def test_newer_reading_makes_the_index_outdated():
    programm = ingest_named()
    assert is_current(programm)
    newer = newer_reading(programm.dokument, TEXT)
    assert not is_current(programm)
    reindex(programm)
    assert is_current(programm)
    assert set(programm.chunks.values_list("extraktion", flat=True)) == {newer.pk}


def test_programme_without_vectors_of_a_written_model_is_outdated():
    programm = ingest_named()
    Einbettung.objects.all().delete()
    assert not is_current(programm)


def test_vectors_of_a_model_that_nobody_serves_any_more_are_not_missed():
    programm = ingest_named()
    EinbettungsModell.objects.update(rolle="schreiben")
    EinbettungsModell.objects.create(name="anderes", dims=2, rolle="lesen", adresse="http://fort")
    assert is_current(programm)


# --- Ends ---------------------------------------------------------------------------------------


def test_next_election_ends_the_programmes_before_it(bw):
    programm = ingest_named()
    assert programm.gueltig.upper is None
    WahlperiodeFactory(parlament=bw, nummer=17, wahltag=date(2021, 3, 14))
    assert close_open_ends() == [programm]
    programm.refresh_from_db()
    assert programm.gueltig == DateRange(date(2016, 3, 13), date(2021, 3, 14))
    assert close_open_ends() == []


def test_taking_in_a_programme_ends_what_newer_election_days_have_overtaken(bw):
    older = ingest_named("spd-bw-2016.pdf")
    WahlperiodeFactory(parlament=bw, nummer=17, wahltag=date(2021, 3, 14))
    ingest_named("spd-bw-2021.pdf", text=f"{TEXT} 2021.")
    older.refresh_from_db()
    assert older.gueltig.upper == date(2021, 3, 14)


def test_taking_in_a_newer_basic_programme_ends_the_older_one():
    ParlamentFactory(bundestag=True)
    older = ingest_named("spd-bund-grundsatz-2007.pdf")
    ingest_named("spd-bund-grundsatz-2025.pdf", text=f"{TEXT} 2025.")
    older.refresh_from_db()
    assert older.gueltig.upper == date(2025, 1, 1)


def test_command_ends_programmes_after_new_election_days_were_loaded(bw, capsys):
    programm = ingest_named()
    WahlperiodeFactory(parlament=bw, nummer=17, wahltag=date(2021, 3, 14))
    call_command("close_programme")
    assert "1 beendet" in capsys.readouterr().out
    programm.refresh_from_db()
    assert programm.gueltig.upper == date(2021, 3, 14)


def test_newer_basic_programme_ends_the_older_one_of_the_same_party():
    spd, cdu = ParteiFactory(kuerzel="SPD"), ParteiFactory(kuerzel="CDU")
    older = ProgrammFactory(parteien=[spd], grundsatz=True)
    ProgrammFactory(parteien=[cdu], grundsatz=True, jahr=2024)
    assert close_open_ends() == []
    ProgrammFactory(parteien=[spd], grundsatz=True, jahr=2025)
    assert close_open_ends() == [older]


# --- The command --------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "spd-bw-2016.pdf").write_bytes(make_pdf(TEXT))
    (tmp_path / "cdu-bw-2016.pdf").write_bytes(make_pdf(f"{TEXT} CDU."))
    return tmp_path


def run(*paths, **options):
    call_command("ingest_programme", *map(str, paths), verbosity=0, **{"processes": 1} | options)


def test_folder_is_ingested_and_a_second_run_does_nothing_and_says_so(folder, capsys):
    run(folder)
    assert "2 neu" in capsys.readouterr().out
    run(folder)
    assert "0 neu, 0 erneuert, 2 unverändert, 0 gescheitert" in capsys.readouterr().out
    assert Programm.objects.count() == 2


def test_bad_file_is_reported_at_the_end_and_does_not_stop_the_others(folder, capsys):
    (folder / "linke-nw-2014-kommunal.pdf").write_bytes(make_pdf("x"))
    (folder / "afd-bw-2016.pdf").write_bytes(make_pdf("x"))
    (folder / "spd-bw-2014.pdf").write_bytes(make_pdf("y"))
    (folder / "cdu-bw-2016-kaputt.pdf").write_bytes(b"%PDF-1.4")
    with pytest.raises(CommandError) as failure:
        run(folder)
    assert Programm.objects.count() == 2
    assert "2 neu, 0 erneuert, 0 unverändert, 4 gescheitert" in capsys.readouterr().out
    for part in ("Kommunale", "afd", "--gueltig-ab", "cdu-bw-2016-kaputt.pdf"):
        assert part in str(failure.value)


def test_table_overrides_names_and_options_override_both(folder):
    (folder / "programme.csv").write_text(
        "datei,titel,lizenzhinweis\nspd-bw-2016.pdf,Aus der Tabelle,© SPD"
    )
    run(folder, titel="Aus der Option")
    programm = Programm.objects.get(parteien__kuerzel="SPD")
    assert (programm.titel, programm.lizenzhinweis) == ("Aus der Option", "© SPD")


def test_file_named_in_the_table_but_absent_is_reported(folder):
    (folder / "programme.csv").write_text("datei\nfehlt.pdf")
    with pytest.raises(CommandError, match=r"fehlt\.pdf"):
        run(folder)


def test_wrong_table_stops_before_anything_is_taken_for_something_else(folder):
    (folder / "programme.csv").write_text("datei,farbe\nspd-bw-2016.pdf,rot")
    with pytest.raises(CommandError, match="farbe"):
        run(folder)
    assert not Programm.objects.exists()


def test_missing_path_and_empty_folder_are_reported(tmp_path):
    with pytest.raises(CommandError) as failure:
        run(tmp_path, tmp_path / "fehlt.pdf")
    assert "keine PDF-Dateien" in str(failure.value)
    assert "gibt es nicht" in str(failure.value)


def test_index_command_rebuilds_only_what_is_outdated(capsys):
    programm = ingest_named()
    ingest_named("cdu-bw-2016.pdf", text=f"{TEXT} CDU.")
    Einbettung.objects.filter(chunk__programm=programm).delete()
    call_command("index_programme", verbosity=0)
    assert "1 erneuert" in capsys.readouterr().out
    assert is_current(programm)


@pytest.mark.django_db(transaction=True)
def test_several_processes_build_the_same_indexes_as_one(capsys):
    programme = [ingest_named(), ingest_named("cdu-bw-2016.pdf", text=f"{TEXT} CDU.")]

    def stored():
        rows = Einbettung.objects.order_by("chunk__programm", "chunk__nr", "satz")
        return [(row.chunk.text, row.satz, row.vektor) for row in rows.select_related("chunk")]

    before = stored()
    Chunk.objects.update(woerter=None)
    call_command("index_programme", processes=2, verbosity=0)
    assert "2 erneuert" in capsys.readouterr().out
    assert all(is_current(programm) for programm in programme)
    assert stored() == before


@pytest.mark.django_db(transaction=True)
def test_of_two_who_index_a_programme_at_once_the_second_waits(monkeypatch):
    programm = ProgrammFactory(seiten=[TEXT])
    work = plan_index(programm, written_models())()
    write, both = ingesting._write, threading.Barrier(2)

    def slowly(*args):
        with suppress(threading.BrokenBarrierError):
            both.wait(1)  # where nobody waits for the other, both come here and write
        write(*args)

    def put():
        try:
            ingesting.put_index(programm, work)
        finally:
            connection.close()

    monkeypatch.setattr(ingesting, "_write", slowly)
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(put), pool.submit(put)]:
            done.result()
    assert programm.chunks.count() == len(work.index.passagen) > 0
