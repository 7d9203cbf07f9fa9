"""Files that are refused: each with its kind and a German sentence, and nothing is left of them."""

import pymupdf
import pytest

from citations.ablehnung import Ablehnung
from citations.models import Dokument
from citations.reading import UnbrauchbaresDokument, file_bytes, read_file_text, store_dokument

from . import hostile
from .factories import locked_pdf, make_pdf
from .hostile import SENTENCE, page_pdf, stream, with_box

pytestmark = pytest.mark.django_db

BESCHAEDIGT, ZU_GROSS = Ablehnung.BESCHAEDIGT, Ablehnung.ZU_GROSS
POLYGLOTT, SEITENMASS = Ablehnung.POLYGLOTT, Ablehnung.SEITENMASS

REFUSED = {
    "nothing": (lambda: b"", Ablehnung.LEER),
    "HTML named pdf": (lambda: b"<html>%PDF</html>", Ablehnung.KEIN_PDF),
    "locked": (locked_pdf, Ablehnung.PASSWORT),
    "cut off": (lambda: make_pdf(SENTENCE)[:300], BESCHAEDIGT),
    # page trees
    "10,000 pages": (lambda: hostile.many_pages(10_000), Ablehnung.ZU_VIELE_SEITEN),
    "no page": (lambda: hostile.many_pages(0), BESCHAEDIGT),
    "says two billion pages": (lambda: hostile.many_pages(2, count=2**31 - 1), BESCHAEDIGT),
    "says one of many pages": (lambda: hostile.many_pages(10_000, count=1), BESCHAEDIGT),
    "says minus three pages": (lambda: hostile.many_pages(3, count=-3), BESCHAEDIGT),
    "tree in circles": (hostile.tree_in_circles, BESCHAEDIGT),
    "parent in circles": (hostile.parent_in_circles, BESCHAEDIGT),
    # tables
    "tables in circles": (hostile.tables_in_circles, BESCHAEDIGT),
    "object stream bomb": (hostile.object_stream_bomb, BESCHAEDIGT),
    "no catalog": (lambda: hostile.raw_pdf({1: b"7"}), BESCHAEDIGT),
    "deep arrays": (lambda: page_pdf(catalog=b"/X " + b"[" * 10**6 + b"]" * 10**6), BESCHAEDIGT),
    # sizes of pages
    "huge page": (lambda: with_box(b"0 0 1000000000 1000000000"), SEITENMASS),
    "beyond numbers": (lambda: with_box(b"0 0 " + b"9" * 39 + b" " + b"9" * 39), SEITENMASS),
    "thread of a page": (lambda: with_box(b"0 0 1 14400"), SEITENMASS),
    "huge unit": (lambda: with_box(b"0 0 420 595", b"/UserUnit 1000000"), SEITENMASS),
    "unit of nothing": (lambda: with_box(b"0 0 420 595", b"/UserUnit 0"), SEITENMASS),
    # bombs
    "content bomb": (lambda: page_pdf(hostile.bomb()), ZU_GROSS),
    "operator bomb": (lambda: page_pdf(hostile.bomb(unit=b"q ")), ZU_GROSS),
    "image bomb": (hostile.image_bomb, ZU_GROSS),
    "letters bomb": (hostile.letters_bomb, ZU_GROSS),
    "nested bomb": (hostile.nested_bomb, ZU_GROSS),
    # recursion
    "form in form": (lambda: hostile.forms_in_forms(depth=3000, each=1), BESCHAEDIGT),
    "deep operands": (lambda: page_pdf(stream(b"[" * 10**6)), BESCHAEDIGT),
    # two formats
    "HTML before": (lambda: b"<html><script>1</script>" + page_pdf(), POLYGLOTT),
    "script before": (lambda: b"var x = 1 /*" + page_pdf() + b"*/", POLYGLOTT),
    "archive before": (lambda: hostile.archive() + page_pdf(), POLYGLOTT),
    "archive behind": (lambda: page_pdf() + hostile.archive() + b"\n", POLYGLOTT),
    "tar": (hostile.tar_named_pdf, POLYGLOTT),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_hostile_file_is_refused_by_its_kind(kind, settings):
    settings.PDF_MAX_SECONDS = 20
    build, art = REFUSED[kind]
    with pytest.raises(UnbrauchbaresDokument) as refused:
        store_dokument(build(), name="boese.pdf")
    assert refused.value.art == art
    assert str(refused.value).startswith(("Die ", "Das "))
    assert not Dokument.objects.exists()


@pytest.mark.parametrize(
    "build",
    [hostile.text_bomb, lambda: hostile.forms_in_forms(depth=12, each=10)],
    ids=["text", "forms"],
)
def test_a_file_that_takes_too_long_is_refused(build, settings):
    settings.PDF_MAX_SECONDS = 1
    with pytest.raises(UnbrauchbaresDokument) as refused:
        store_dokument(build(), name="langsam.pdf")
    assert refused.value.art == Ablehnung.ZU_AUFWENDIG


def test_a_file_that_takes_too_much_memory_is_refused(settings):
    settings.PDF_MAX_MEMORY_MB = 400
    with pytest.raises(UnbrauchbaresDokument) as refused:
        store_dokument(hostile.text_bomb(), name="gross.pdf")
    assert refused.value.art == Ablehnung.SPEICHER


def test_no_more_of_a_file_is_read_than_shows_that_it_is_too_large(settings, tmp_path):
    settings.PDF_MAX_BYTES = 1000
    path = tmp_path / "gross.pdf"
    path.write_bytes(page_pdf() * 9)
    data = file_bytes(path)
    assert len(data) == 1001
    for read in (read_file_text, lambda data: store_dokument(data, name="gross.pdf")):
        with pytest.raises(UnbrauchbaresDokument) as refused:
            read(data)
        assert refused.value.art == ZU_GROSS


def test_every_kind_has_a_sentence_of_its_own():
    assert len({art.satz for art in Ablehnung}) == len(Ablehnung)


# --- What looks odd and is read -------------------------------------------------------------------

READ = {
    "line feeds before": lambda: b"\r\n\n" + page_pdf(),
    "byte order mark": lambda: b"\xef\xbb\xbf" + page_pdf(),
    "blanks behind": lambda: page_pdf() + b"\r\n\0\0 ",
    "archive attached": hostile.with_attached_archive,
    "scripts, links and files": hostile.armed_pdf,
    "corners swapped": lambda: with_box(b"420 595 0 0"),
    "no size": lambda: with_box(b"0 0 0 0"),
    "size without numbers": lambda: with_box(b"0 0 nan nan"),
    "table at no place": lambda: page_pdf().replace(b"startxref\n", b"startxref\n9999"),
    "table of millions of rows": lambda: page_pdf(objects={8_000_000: b"null"}),
    "form in itself": hostile.form_in_itself,
    "labels in circles": lambda: page_pdf(catalog=b"/PageLabels << /Kids [1 0 R] >>"),
    "owner's password, RC4": lambda: hostile.owned(pymupdf.PDF_ENCRYPT_RC4_128),
    "owner's password, AES": lambda: hostile.owned(pymupdf.PDF_ENCRYPT_AES_256),
}


@pytest.mark.parametrize("kind", READ)
def test_an_odd_file_is_read(kind, settings):
    settings.PDF_MAX_SECONDS = 4
    dokument = store_dokument(READ[kind](), name="seltsam.pdf")
    assert SENTENCE in dokument.lesung.seiten.get().text


@pytest.mark.shared
def test_no_real_file_is_taken_for_two(shared):
    """Measured over all of them: none is refused that was read before."""
    from citations.pdf.opening import open_for_reading

    for path in sorted((shared / "data").rglob("*.pdf")):
        if path.parent.name != "fehlerfaelle":
            open_for_reading(path.read_bytes(), max_pages=1500)
