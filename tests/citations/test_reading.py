import pytest

from citations.models import Dokument, Extraktion
from citations.reading import UnbrauchbaresDokument, store_dokument

from .factories import DokumentFactory, locked_pdf, make_pdf

pytestmark = pytest.mark.django_db


def test_the_same_file_is_stored_once():
    data = make_pdf("Das Land baut tausend neue Wohnungen im Jahr.")
    first = store_dokument(data, name="a.pdf")
    assert store_dokument(data, name="b.pdf") == first
    assert Dokument.objects.count() == Extraktion.objects.count() == 1


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


def test_a_reading_that_takes_too_long_is_refused(settings):
    settings.PDF_MAX_MEMORY_MB = 40  # the engine alone needs more
    with pytest.raises(UnbrauchbaresDokument):
        store_dokument(make_pdf("Das Land baut tausend Wohnungen."), name="a.pdf")


def test_too_many_pages_are_refused(settings):
    settings.PDF_MAX_PAGES = 2
    with pytest.raises(UnbrauchbaresDokument, match="höchstens 2"):
        store_dokument(make_pdf("eins", "zwei", "drei"), name="a.pdf")
