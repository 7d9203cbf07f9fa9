"""Pictures of pages: two widths, kept within a limit, drawn by a child that may die."""

import io
import os
import threading
import time

import pymupdf
import pytest
from django_q.models import OrmQ
from PIL import Image

from citations import bildlager, bildprozess, pictures
from citations.ablehnung import Ablehnung
from citations.bildprozess import Bildprozess, ChildBusy
from citations.binding import keep, make_zitat
from citations.children import ChildFailed, ChildRefused
from citations.comparison import Grad
from citations.datei import DateiUnbrauchbar
from citations.pdf.bilder import FILES_OPEN
from citations.pdf.render import FINE_SHADES
from citations.pictures import Breite, draw_pages, is_refused, page_image
from citations.reading import store_dokument

from .factories import DokumentFactory, make_pdf

CHILD = "tests.citations.stubborn_painter"
SENTENCE = "Das Land baut in jedem Kreis neue Schulen und Kindergärten."


@pytest.fixture
def painter(settings):
    settings.PDF_PICTURE_SECONDS = 1
    process = Bildprozess(CHILD)
    yield process
    process.stop()


@pytest.fixture
def drawn(monkeypatch):
    """What the child was asked for; everything else came from disk."""
    asked = []

    def counting(request, *args):
        asked.append(request)
        return bildprozess.draw(request, *args)

    monkeypatch.setattr(pictures, "draw", counting)
    return asked


def ask(painter, task="echo", sha256="a", data=b"file"):
    return painter.ask({"task": task}, sha256, lambda: data)


# --- The child -----------------------------------------------------------------------------------


def test_one_child_answers_many_requests(painter):
    assert ask(painter) == ask(painter)
    assert ask(painter, "pid") == ask(painter, "pid")


def test_a_file_is_sent_once_while_it_is_open(painter):
    sent = []
    for sha256 in ("a", "b", "a", *map(str, range(FILES_OPEN)), "a"):
        painter.ask({"task": "echo"}, sha256, lambda name=sha256: sent.append(name) or b"x")
    assert sent.count("a") == 2
    assert sent.count("b") == 1


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ("loop", "dauert zu lange"),
        ("sleep", "dauert zu lange"),
        ("allocate", "zu viel Speicher"),
        ("crash", r"abgestürzt \(Signal 6\)"),
        ("fail", r"nicht verarbeitet \(Fehler 1\)"),
        ("babble", "nicht in der vereinbarten Form"),
        ("leave", "nicht verarbeitet"),
    ],
)
def test_after_each_end_of_the_child_the_next_request_is_answered(painter, task, message):
    with pytest.raises(ChildFailed, match=message):
        ask(painter, task)
    assert ask(painter) == b"file"


def test_a_refusal_is_no_failure(painter):
    before = ask(painter, "pid")
    with pytest.raises(ChildRefused, match="keine PDF"):
        ask(painter, "refuse")
    assert ask(painter, "pid") == before


def test_a_child_that_died_while_nobody_asked_is_replaced(painter):
    os.kill(int(ask(painter, "pid")), 9)
    painter.process.wait()
    assert ask(painter) == b"file"


def test_a_child_is_replaced_after_many_answers(painter, monkeypatch):
    monkeypatch.setattr(bildprozess, "REQUESTS", 2)
    pids = [ask(painter, "pid") for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_who_waits_for_a_turn_waits_no_longer_than_for_an_answer(painter, monkeypatch):
    monkeypatch.setattr(bildprozess, "GRACE_SECONDS", -0.9)
    painter.turn.acquire()
    with pytest.raises(ChildBusy, match="dauert zu lange"):
        ask(painter)
    painter.turn.release()


def test_threads_take_turns(painter):
    answers = []
    threads = [
        threading.Thread(target=lambda n=n: answers.append(ask(painter, sha256=n, data=n.encode())))
        for n in "abcdef"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [letter.encode() for letter in "abcdef"]


def test_a_forked_process_gets_a_child_of_its_own(monkeypatch):
    mine = Bildprozess()
    mine.owner += 1
    monkeypatch.setattr(bildprozess, "_here", mine)
    data = make_pdf(SENTENCE)
    request = {"task": "page_image", "index": 1, "width": 62}
    assert bildprozess.draw(request, "x", lambda: data).startswith(b"RIFF")
    assert bildprozess._here is not mine
    bildprozess._here.stop()


# --- The disk ------------------------------------------------------------------------------------


def files(settings):
    return sorted(p.name for p in (settings.MEDIA_ROOT / "seiten").rglob("*") if p.is_file())


def test_a_picture_is_made_once():
    made = []
    for _ in range(2):
        assert bildlager.cached("ab.webp", lambda: made.append(1) or b"picture") == b"picture"
    assert made == [1]


@pytest.mark.parametrize("damage", [b"", b"x", b"0123456789abcdef" + b"other"])
def test_a_damaged_picture_is_made_again(settings, damage):
    bildlager.cached("ab.webp", lambda: b"picture")
    (path,) = [p for p in (settings.MEDIA_ROOT / "seiten").rglob("*") if p.is_file()]
    path.write_bytes(damage)
    assert bildlager.cached("ab.webp", lambda: b"anew") == b"anew"
    assert bildlager.cached("ab.webp", lambda: b"never") == b"anew"


def test_the_least_recently_used_go_first_and_room_is_made_at_once(settings):
    settings.PAGE_CACHE_MB = 1
    names = [f"{n}.webp" for n in range(5)]
    for age, name in enumerate(names):
        bildlager.cached(name, lambda: bytes(200_000))
        path = settings.MEDIA_ROOT / "seiten" / name[:2] / name
        os.utime(path, (1000 + age, 1000 + age))
    bildlager.cached(names[0], bytes)  # used again
    bildlager.cached("new.webp", lambda: bytes(200_000))
    assert names[0] in files(settings)
    assert "new.webp" in files(settings)
    assert names[1] not in files(settings)
    assert sum(p.stat().st_size for p in settings.MEDIA_ROOT.rglob("*.webp")) < 1024 * 1024


def test_what_another_process_removed_meanwhile_is_no_error(settings, monkeypatch):
    settings.PAGE_CACHE_MB = 0
    listed = bildlager._files
    gone = (0.0, 9, str(settings.MEDIA_ROOT / "seiten/xx/gone.webp"))
    monkeypatch.setattr(bildlager, "_files", lambda: [gone, *listed()])
    assert bildlager.cached("ab.webp", lambda: b"picture") == b"picture"


def test_a_picture_that_cannot_be_made_leaves_nothing(settings):
    def fail():
        raise ChildFailed(Ablehnung.ABSTURZ)

    with pytest.raises(ChildFailed):
        bildlager.cached("ab.webp", fail)
    assert not (settings.MEDIA_ROOT / "seiten").exists()


# --- The pictures --------------------------------------------------------------------------------


def photograph_pdf() -> bytes:
    """A page that is a photograph, as far as a file can tell: soft light with some grain."""
    light = Image.radial_gradient("L").resize((800, 1120))
    grain = Image.effect_noise((800, 1120), 6)
    buffer = io.BytesIO()
    Image.merge("RGB", (light, Image.blend(light, grain, 0.3), light)).save(buffer, "PNG")
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_image(pymupdf.Rect(10, 10, 410, 570), stream=buffer.getvalue())
    page.insert_text((40, 585), SENTENCE)
    return bytes(document.tobytes())


def is_lossless(image: bytes) -> bool:
    return image[12:16] == b"VP8L"


@pytest.mark.django_db
@pytest.mark.parametrize("breite", list(Breite))
def test_a_page_of_text_is_lossless_at_both_widths(breite):
    image = page_image(DokumentFactory(SENTENCE), 1, breite)
    assert is_lossless(image)
    assert Image.open(io.BytesIO(image)).width == breite


@pytest.mark.django_db
def test_a_page_with_a_photograph_is_lossy_and_small():
    dokument = store_dokument(photograph_pdf(), name="bild.pdf")
    image = page_image(dokument, 1)
    assert not is_lossless(image)
    assert Image.open(io.BytesIO(image)).width == Breite.DOPPELT


def colours(image: bytes) -> dict[tuple[int, ...], int]:
    picture = Image.open(io.BytesIO(image)).convert("RGB")
    return {colour: count for count, colour in picture.getcolors(picture.width * picture.height)}


def most_shades(counts) -> int:
    """Of one colour."""
    return max(len(set(values)) for values in zip(*counts, strict=True))


@pytest.mark.django_db
def test_a_fine_picture_has_few_shades_at_letters_and_keeps_the_colour_of_areas():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.draw_rect(pymupdf.Rect(40, 300, 380, 560), color=None, fill=(0.9, 0.95, 0.87))
    for line in range(12):
        page.insert_text((40, 60 + 16 * line), SENTENCE)
    dokument = store_dokument(bytes(document.tobytes()), name="farbe.pdf")
    fine = colours(page_image(dokument, 1, Breite.DOPPELT))
    usual = colours(page_image(dokument, 1, Breite.EINFACH))
    assert most_shades(fine) <= FINE_SHADES + 1 < most_shades(usual)
    area = sorted(fine, key=fine.get)[-2]
    assert area == pytest.approx((229.5, 242.25, 221.85), abs=1)


@pytest.mark.django_db
def test_a_page_that_took_too_long_is_left_alone_for_a_while(monkeypatch):
    dokument, asked = DokumentFactory(SENTENCE), []

    def too_slow(*args):
        asked.append(args)
        raise ChildFailed(Ablehnung.ZU_AUFWENDIG)

    monkeypatch.setattr(pictures, "draw", too_slow)
    for _ in range(3):
        with pytest.raises(ChildFailed, match="dauert zu lange"):
            page_image(dokument, 1)
    assert len(asked) == 1
    assert is_refused(dokument, 1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "error", [ChildBusy(Ablehnung.ZU_AUFWENDIG), DateiUnbrauchbar("Die Datei fehlt.")]
)
def test_what_is_not_the_pages_fault_is_not_held_against_it(monkeypatch, error):
    dokument = DokumentFactory(SENTENCE)

    def fail(*args):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(pictures, "draw", fail)
        with pytest.raises(type(error)):
            page_image(dokument, 1)
    assert not is_refused(dokument, 1)
    assert is_lossless(page_image(dokument, 1))


@pytest.mark.django_db(transaction=True)
def test_pages_are_drawn_ahead_when_a_quote_is_stored(drawn):
    dokument = DokumentFactory(SENTENCE)
    zitat = keep(make_zitat(dokument.lesung, ((0, len(SENTENCE)),), Grad.WOERTLICH))
    keep(make_zitat(dokument.lesung, ((0, len(SENTENCE)),), Grad.WOERTLICH))
    (task,) = OrmQ.objects.all()
    assert task.func() == "citations.pictures.draw_pages"
    assert draw_pages(zitat.pk) == "1 Seiten"
    assert [request["width"] for request in drawn] == [620, 1240]
    for breite in Breite:
        page_image(dokument, 1, breite)
    assert len(drawn) == 2


@pytest.mark.django_db
def test_a_quote_whose_file_is_gone_is_no_fault_of_the_queue():
    dokument = DokumentFactory(SENTENCE)
    zitat = keep(make_zitat(dokument.lesung, ((0, len(SENTENCE)),), Grad.WOERTLICH))
    dokument.file.storage.delete(dokument.file.name)
    assert draw_pages(zitat.pk) == "Die Datei fehlt."


def test_the_whole_wait_is_bounded(painter):
    start = time.monotonic()
    with pytest.raises(ChildFailed):
        ask(painter, "sleep")
    assert time.monotonic() - start < 2 * (1 + bildprozess.GRACE_SECONDS)
