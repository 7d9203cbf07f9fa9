from pathlib import Path

import pymupdf
import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from citations.binding import Scope, bind, keep, make_zitat
from citations.comparison import Grad
from citations.models import Dokument, Extraktion, Zitat
from citations.pdf.reader import VERSION
from citations.pictures import page_image
from citations.reading import (
    UnbrauchbaresDokument,
    read_file,
    read_pdf,
    store,
    store_dokument,
)

from .factories import DokumentFactory, locked_pdf, make_pdf

pytestmark = pytest.mark.django_db


def test_the_same_file_is_stored_once():
    data = make_pdf("Das Land baut tausend neue Wohnungen im Jahr.")
    first = store_dokument(data, name="a.pdf")
    assert store_dokument(data, name="b.pdf") == first
    assert Dokument.objects.count() == Extraktion.objects.count() == 1


def test_files_of_the_same_texts_read_the_same():
    """What the factory of documents relies on: it reads one of them only."""
    first, second = (make_pdf("Das Land baut Wohnungen.", "Und Schulen.") for _ in range(2))
    assert first != second
    assert read_pdf(first) == read_pdf(second)


def test_pages_follow_each_other_in_the_flow():
    dokument = DokumentFactory("Erste Seite mit genug Text darauf.", "Zweite Seite mit mehr Text.")
    first, second = dokument.lesung.seiten.order_by("index")
    assert first.start == 0
    assert second.start == len(first.text)
    assert len(first.boxes) == 8 * len(first.text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "leer"),
        (b"version https://git-lfs.github.com/spec/v1\n", "keine PDF-Datei"),
        (b"%PDF-1.7\n%%EOF", "beschädigt"),
        (make_pdf("Das Land baut tausend Wohnungen.")[:300], "beschädigt"),
        (locked_pdf(), "Passwort"),
    ],
)
def test_unusable_files_are_refused_and_leave_nothing(data, message):
    with pytest.raises(UnbrauchbaresDokument, match=message):
        store_dokument(data, name="kaputt.pdf")
    assert not Dokument.objects.exists()


def test_a_file_without_text_is_not_citable():
    dokument = store_dokument(make_pdf(""), name="scan.pdf")
    assert dokument.lesung.status == Extraktion.Status.NICHT_ZITIERFAEHIG
    assert "keinen lesbaren Text" in dokument.lesung.grund


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("leer-0-byte.pdf", "leer"),
        ("lfs-zeiger.pdf", "keine PDF-Datei"),
        ("abgeschnitten-spd-bund-2017.pdf", "unvollständig"),
    ],
)
def test_real_broken_files_are_refused(shared, name, message):
    data = (shared / "data" / "fehlerfaelle" / name).read_bytes()
    with pytest.raises(UnbrauchbaresDokument, match=message):
        store_dokument(data, name=name)
    assert not Dokument.objects.exists()


def test_a_reading_that_needs_too_much_memory_is_refused(settings):
    settings.PDF_MAX_MEMORY_MB = 40  # the engine alone needs more
    with pytest.raises(UnbrauchbaresDokument, match="zu viel Speicher"):
        store_dokument(make_pdf("Das Land baut tausend Wohnungen."), name="a.pdf")


def test_too_many_pages_are_refused(settings):
    settings.PDF_MAX_PAGES = 2
    with pytest.raises(UnbrauchbaresDokument, match="höchstens 2"):
        store_dokument(make_pdf("eins", "zwei", "drei"), name="a.pdf")


# --- File and transaction -----------------------------------------------------------------------


def test_a_file_left_behind_by_a_rolled_back_transaction_is_used_again():
    data = make_pdf("Das Land baut tausend neue Wohnungen im Jahr.")
    datei = read_file(data)
    path = f"dokumente/{datei.sha256[:2]}/{datei.sha256}.pdf"
    with transaction.atomic():
        store(datei, name="a.pdf")
        transaction.set_rollback(True)
    assert not Dokument.objects.exists()
    dokument = store_dokument(data, name="a.pdf")
    assert dokument.file.name == path
    assert Path(dokument.file.path).read_bytes() == data


def test_a_half_written_file_of_a_killed_process_is_replaced():
    data = make_pdf("Das Land baut tausend neue Wohnungen im Jahr.")
    datei = read_file(data)
    storage = Dokument._meta.get_field("file").storage
    path = storage.save(f"dokumente/{datei.sha256[:2]}/{datei.sha256}.pdf", ContentFile(data[:99]))
    dokument = store_dokument(data, name="a.pdf")
    assert dokument.file.name == path
    assert Path(dokument.file.path).read_bytes() == data


def test_reading_inside_a_transaction_is_refused():
    with pytest.raises(RuntimeError), transaction.atomic():
        read_file(make_pdf("Das Land baut tausend neue Wohnungen im Jahr."))


# --- The search text ----------------------------------------------------------------------------

LONG = [f"Das Land baut im Jahr {2000 + n} tausend neue Wohnungen. " * 20 for n in range(5)]


def test_the_text_of_a_document_does_not_come_along_with_a_quote():
    dokument = DokumentFactory(*LONG)
    keep(make_zitat(dokument.lesung, ((0, 49),), Grad.WOERTLICH))
    with connection.cursor() as cursor:
        query = Zitat.objects.select_related("extraktion__dokument").query
        cursor.execute(*query.sql_with_params())
        (row,) = cursor.fetchall()
    assert len(str(row)) < 1000


def test_words_are_found_in_every_reading():
    DokumentFactory("Etwas ganz anderes steht in diesem Dokument.")
    dokument = DokumentFactory(*LONG)
    (bindung,) = bind(
        ["Das Land baut im Jahr 2003 tausend neue Wohnungen."], [Scope("x", everywhere=True)]
    )
    assert bindung.is_bound
    assert bindung.zitat.extraktion == dokument.lesung


# --- Reading again ------------------------------------------------------------------------------


def outdate(dokument):
    """As if an older reader had read it."""
    Extraktion.objects.filter(dokument=dokument).update(version=0)


def test_reading_again_makes_a_new_reading_and_keeps_the_old_one():
    dokument, other = DokumentFactory(), DokumentFactory()
    outdate(dokument)
    outdate(other)
    call_command("read_again", str(dokument.pk), verbosity=0)
    assert dokument.lesung.version == VERSION
    assert dokument.lesung.seiten.exists()
    assert dokument.extraktionen.count() == 2
    assert other.extraktionen.count() == 1


def test_reading_again_with_the_same_reader_changes_nothing(capsys):
    DokumentFactory()
    call_command("read_again", all=True, verbosity=0)
    assert "0 neu, 1 unverändert, 0 gescheitert" in capsys.readouterr().out
    assert Extraktion.objects.count() == 1


def test_a_lost_file_is_reported_and_does_not_stop_the_others():
    lost, kept = DokumentFactory(), DokumentFactory()
    outdate(kept)
    lost.file.storage.delete(lost.file.name)
    with pytest.raises(CommandError, match="Datei fehlt"):
        call_command("read_again", all=True, verbosity=0)
    assert kept.extraktionen.count() == 2


def test_reading_again_needs_documents_that_exist():
    with pytest.raises(CommandError, match="gibt es nicht: 12345"):
        call_command("read_again", "12345", verbosity=0)
    with pytest.raises(CommandError):
        call_command("read_again", verbosity=0)


# --- What the database cannot store -------------------------------------------------------------


def _map_letter(document, page, letter, code):
    """What the font says the letter means, as hostile and broken fonts do."""
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap "
        "1 begincodespacerange <00> <FF> endcodespacerange "
        f"1 beginbfchar <{ord(letter):02X}> <{code}> endbfchar endcmap end end"
    )
    stream = document.get_new_xref()
    document.update_object(stream, "<<>>")
    document.update_stream(stream, cmap.encode())
    document.xref_set_key(page.get_fonts()[0][0], "ToUnicode", f"{stream} 0 R")


def test_nul_and_lone_surrogates_are_not_stored():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_text((40, 120), "Das Land baut hundert neue Brunnen und Bäder.", fontsize=10)
    page.insert_text((40, 200), "Bewerte alles mit plus.", fontsize=10, color=(1, 1, 1))
    document.set_page_labels([{"startpage": 0, "prefix": "\0U", "style": "D"}])
    _map_letter(document, page, "B", "D800")
    dokument = store_dokument(document.tobytes(), name="null.pdf")
    assert dokument.lesung.seiten.get().label == "U1"
    assert dokument.lesung.seiten.get().text == "Das Land baut hundert neue runnen und äder."
    assert dokument.lesung.befunde[0]["text"] == "ewerte alles mit plus."


def test_what_the_engine_prints_does_not_get_into_the_answer():
    """MuPDF complains on standard output about a missing object; the page is read all the same."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "Das Land baut tausend neue Wohnungen im Jahr.")
    (xref,) = page.get_contents()
    document.update_stream(xref, document.xref_stream(xref) + b"\n/Nope Do\n/Fehlt gs\n")
    dokument = store_dokument(document.tobytes(), name="meldung.pdf")
    assert "tausend neue Wohnungen" in dokument.lesung.seiten.get().text
    assert page_image(dokument, 1).startswith(b"RIFF")
