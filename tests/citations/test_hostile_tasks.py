"""What the other tasks make of hostile files, and what they never pass on."""

import io
import random
import re
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from citations import pictures, verification
from citations.ablehnung import Abgelehnt, Ablehnung
from citations.bildprozess import Bildprozess
from citations.binding import Scope, bind, keep
from citations.children import ChildRefused, run_child
from citations.models import Dokument, Pruefung
from citations.reading import UnbrauchbaresDokument, store_dokument
from citations.verification import check_zitate

from . import hostile
from .factories import locked_pdf, make_pdf
from .hostile import SENTENCE, page_pdf, with_box

READ = {"task": "read", "max_pages": 1500}
PICTURE = {"task": "page_image", "index": 1, "width": 300}
MARKED = {"task": "marked_page", "index": 1, "rects": [[0.1, 0.1, 0.5, 0.2]]}
PLACE = {"rects": [{"seite": 1, "x0": 0, "y0": 0, "x1": 1, "y1": 1}], "seite": 1, "gedruckt": []}


def ask(task, data):
    if task == "second engine":
        return run_child("citations.pdfium", {"places": [PLACE]}, data)
    if task == "read":
        return run_child("citations.pdf.child", READ, data)
    painter = Bildprozess()
    try:
        request = {"picture": PICTURE, "marked page": MARKED}[task]
        return painter.ask(request, "a file of the test", lambda: data)
    finally:
        painter.stop()


def end_of(task, data):
    """What people read where there is no answer."""
    try:
        assert ask(task, data)
    except Abgelehnt as refused:
        return str(refused)
    return ""


# --- Pictures, marked pages, the second engine ----------------------------------------------------


@pytest.mark.parametrize("task", ["picture", "marked page", "second engine"])
@pytest.mark.parametrize(
    ("build", "art"),
    [
        (locked_pdf, Ablehnung.PASSWORT),
        (lambda: make_pdf(SENTENCE)[:300], Ablehnung.BESCHAEDIGT),
    ],
    ids=["locked", "cut off"],
)
def test_every_task_refuses_by_the_same_kinds(task, build, art):
    with pytest.raises(ChildRefused) as refused:
        ask(task, build())
    assert refused.value.art == art


@pytest.mark.parametrize("task", ["picture", "marked page", "second engine"])
@pytest.mark.parametrize(
    "build",
    [
        lambda: page_pdf(hostile.bomb(unit=b"0 0 m 9 9 l S ")),
        hostile.image_bomb,
        hostile.letters_bomb,
        hostile.tree_in_circles,
        hostile.endless_pattern,
        hostile.form_in_itself,
        lambda: hostile.forms_in_forms(depth=3000, each=1),
        lambda: with_box(b"0 0 1000000000 1000000000"),
        lambda: with_box(b"0 0 3 14400"),
    ],
    ids=["content", "image", "letters", "tree", "pattern", "self", "forms", "huge", "thin"],
)
def test_no_file_gets_another_end_than_an_answer_or_a_refusal(task, build, settings):
    settings.PDF_MAX_SECONDS = settings.PDF_PICTURE_SECONDS = 1
    end = end_of(task, build())
    assert "Protokoll" not in end, "an error of ours"


@pytest.mark.django_db
def test_a_page_that_only_drawing_shows_to_be_hostile_is_refused_by_reading(settings):
    """Every page is drawn when it is read: what takes too long to draw takes too long to read."""
    settings.PDF_MAX_SECONDS = 3
    with pytest.raises(UnbrauchbaresDokument, match="dauert zu lange"):
        store_dokument(hostile.endless_pattern(), name="a.pdf")
    assert not Dokument.objects.exists()


@pytest.mark.django_db
def test_a_crash_of_the_second_engine_proves_nothing_and_breaks_nothing(monkeypatch):
    store_dokument(page_pdf(), name="a.pdf")
    (bindung,) = bind([SENTENCE], [Scope("x", everywhere=True)])
    monkeypatch.setattr(verification, "SECOND_ENGINE", "tests.citations.crashing_engine")
    ((_, urteil),) = check_zitate([keep(bindung.zitat)])
    assert urteil.ergebnis == Pruefung.Ergebnis.NICHT_BEWEISBAR


# --- What is made of a file -----------------------------------------------------------------------


def everything(data):
    """Every object of the PDF as text, and every stream unpacked."""
    document = pymupdf.open(stream=data)
    for xref in range(1, document.xref_length()):
        yield document.xref_object(xref)
        if document.xref_is_stream(xref):
            yield document.xref_stream(xref).decode("latin-1")
    yield document.xref_object(-1)


FORBIDDEN = [
    *("OpenAction", "AA", "JS", "JavaScript", "Launch", "URI", "GoToR", "SubmitForm", "ImportData"),
    *("EmbeddedFile", "EmbeddedFiles", "Filespec", "XFA", "AcroForm", "Metadata", "PieceInfo"),
    *("AF", "Ref", "Names", "Link", "Widget", "FileAttachment"),
]


def names(text):
    return set(re.findall(r"/(\w+)", text))


def test_a_marked_page_takes_nothing_along_but_the_look():
    data = hostile.armed_pdf()
    assert names(data.decode("latin-1")) >= set(FORBIDDEN)
    marked = ask("marked page", data)
    text = "\n".join(everything(marked))
    assert not names(text) & set(FORBIDDEN)
    assert "GEHEIM" not in text
    document = pymupdf.open(stream=marked)
    catalog = set(document.xref_get_keys(document.pdf_catalog()))
    assert catalog <= {"Type", "Pages", "Info"}
    assert [annot.type[1] for annot in document[0].annots()] == ["Highlight"]
    assert document[0].get_links() == []
    assert document.embfile_count() == 0
    assert not any(value for key, value in document.metadata.items() if key != "format")
    assert SENTENCE in document[0].get_text()


def test_a_form_that_is_called_like_a_script_is_still_drawn():
    form = hostile.stream(b"0 0 420 595 re f", hostile.FORM)
    data = hostile.with_object(b"/X Do", b"XObject", form).replace(b"/X ", b"/JS ")
    marked = pymupdf.open(stream=ask("marked page", data))
    assert marked[0].get_pixmap().pixel(5, 5) == (0, 0, 0)


def test_a_picture_holds_pixels_only():
    picture = Image.open(io.BytesIO(ask("picture", hostile.armed_pdf())))
    assert picture.format == "WEBP"
    assert not {"exif", "xmp", "icc_profile"} & picture.info.keys()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "build",
    [
        hostile.armed_pdf,
        lambda: hostile.owned(pymupdf.PDF_ENCRYPT_RC4_128),
        lambda: hostile.owned(pymupdf.PDF_ENCRYPT_AES_256),
    ],
    ids=["armed", "RC4", "AES"],
)
def test_it_is_read_quoted_proved_and_shown(build):
    data = build()
    dokument = store_dokument(data, name="a.pdf")
    (bindung,) = bind([SENTENCE], [Scope("x", everywhere=True)])
    zitat = keep(bindung.zitat)
    ((_, urteil),) = check_zitate([zitat])
    assert urteil.ergebnis == Pruefung.Ergebnis.BEWIESEN
    marked = pymupdf.open(stream=pictures.marked_page(dokument, 1, zitat.rects))
    assert not marked.is_encrypted
    assert SENTENCE in marked[0].get_text()
    picture = Image.open(io.BytesIO(pictures.page_image(dokument, 1))).convert("L")
    assert picture.getextrema()[0] < 100, "the letters are drawn"


# --- Chance ---------------------------------------------------------------------------------------

SAMPLES = Path(__file__).resolve().parents[2] / "gwoe" / "demo" / "samples"


def broken(data, dice):
    """Some bytes changed, or a piece cut out, doubled or cut off."""
    data = bytearray(data)
    for _ in range(dice.choice([1, 3, 10, 100])):
        data[dice.randrange(len(data))] = dice.randrange(256)
    start = dice.randrange(len(data))
    piece = slice(start, start + dice.randrange(2000))
    match dice.randrange(4):
        case 0:
            del data[piece]
        case 1:
            data[piece.start : piece.start] = data[piece]
        case 2:
            del data[piece.start :]
    return bytes(data)


@pytest.mark.parametrize("seed", range(8))
def test_a_broken_sample_is_read_or_refused(seed, settings):
    settings.PDF_MAX_SECONDS = settings.PDF_PICTURE_SECONDS = 10
    dice = random.Random(seed)  # noqa: S311  no secret
    path = dice.choice(sorted(SAMPLES.glob("*.pdf")))
    data = broken(path.read_bytes(), dice)
    for task in ("read", "picture"):
        assert not re.search("Protokoll|abgestürzt", end_of(task, data))
