"""The cited page in a real browser: marks in their place, the right picture, the keyboard."""

import io

import pymupdf
import pytest
from PIL import Image
from playwright.sync_api import expect

from assessments.addresses import antrag_address, zitat_address
from citations.reading import store_dokument
from tests.assessments.factories import (
    ANTRAGSTEXT,
    AssessmentFactory,
    BelegFactory,
    advance,
    place_zitat,
    prove,
)
from tests.parlamente.factories import AntragFactory, FassungFactory

pytestmark = [
    pytest.mark.browser,
    pytest.mark.ausdauer,
    pytest.mark.django_db(transaction=True),
]

WIDTH, HEIGHT = 595.276, 841.89
KREISE = ("Nord", "Ost", "Süd", "West", "Mitte", "Ober", "Unter", "Vorder", "Hinter", "Alt")
# (rotation, whether the visible page is only a part of the sheet)
PAGES = [(0, False), (0, True), (90, False), (180, False), (270, False), (90, True)]
TOLERANCE = 0.03
MEASURE = """
() => {
  const box = e => (r => [r.left, r.top, r.right, r.bottom])(e.getBoundingClientRect());
  const stack = document.querySelector("#marken").closest(".stapel");
  return {
    sheet: box(stack.querySelector("img")),
    marks: [...stack.querySelectorAll("rect.mk")].map(box),
  };
}
"""


def sentence(page: int, kreis: str) -> str:
    return f"Der Kreis {kreis}land baut auf Blatt {page} eine neue Schule mit Turnhalle und Garten."


def turned_pdf() -> bytes:
    document = pymupdf.open()
    for number, (rotation, is_cropped) in enumerate(PAGES, 1):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        text = "\n\n".join(sentence(number, kreis) for kreis in KREISE)
        frame = pymupdf.Rect(120, 140, WIDTH - 120, HEIGHT - 140)
        assert page.insert_textbox(frame, text, fontsize=10.3, rotate=rotation) > 0
        if is_cropped:
            page.set_cropbox(pymupdf.Rect(61.7, 83.3, WIDTH - 47.1, HEIGHT - 71.9))
        page.set_rotation(rotation)
    return bytes(document.tobytes())


@pytest.fixture
def zitate():
    """Sixty quotes on pages of every kind, published and proved."""
    return published([KREISE] * len(PAGES))


@pytest.fixture
def einige():
    """All of the first page, and one of each of the others."""
    return published([KREISE, *[KREISE[:1]] * (len(PAGES) - 1)])


def published(kreise_by_page):
    antrag = AntragFactory()
    FassungFactory(antrag=antrag, dokument=store_dokument(_with_usual_text(), name="a.pdf"))
    assessment = AssessmentFactory(antrag=antrag)
    places = [
        place_zitat(sentence(number, kreis), antrag.fassung.dokument)
        for number, kreise in enumerate(kreise_by_page, 1)
        for kreis in kreise
    ]
    bewertung = assessment.feldbewertungen.get(feld="B5")
    for nr, zitat in enumerate(places, 10):
        BelegFactory(owner_row=bewertung, zitat=zitat, nr=nr)
    advance(assessment, "published")
    prove(assessment)
    return places


def _with_usual_text() -> bytes:
    document = pymupdf.open(stream=turned_pdf())
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_textbox(pymupdf.Rect(60, 60, WIDTH - 60, HEIGHT - 60), ANTRAGSTEXT, fontsize=10)
    return bytes(document.tobytes())


@pytest.mark.parametrize("zoom", [0.5, 1, 2])
def test_every_mark_lies_on_its_stored_box(open_page, zitate, zoom):
    """A browser's zoom makes its pixels larger, and the window as much smaller."""
    page = open_page(width=round(1280 / zoom), height=round(900 / zoom), device_scale_factor=zoom)
    worst = 0.0
    for zitat in zitate:
        page.goto(zitat_address(zitat))
        found = page.evaluate(MEASURE)
        assert len(found["marks"]) == len(zitat.rects) >= 1
        for mark, rect in zip(found["marks"], zitat.rects, strict=True):
            expected = place_on(found["sheet"], rect)
            worst = max(worst, *(abs(a - b) for a, b in zip(mark, expected, strict=True)))
    assert worst <= TOLERANCE


def place_on(sheet, rect):
    left, top, right, foot = sheet
    return (
        left + rect["x0"] * (right - left),
        top + rect["y0"] * (foot - top),
        left + rect["x1"] * (right - left),
        top + rect["y1"] * (foot - top),
    )


@pytest.mark.parametrize("number", range(1, len(PAGES) + 1))
def test_under_every_mark_there_is_ink(open_page, einige, number):
    """Also where the page is turned or cut: picture and marks mean the same page."""
    zitat = next(zitat for zitat in einige if zitat.seite == number)
    page = open_page(width=1440, height=1800)
    page.goto(zitat_address(zitat))
    page.wait_for_load_state("networkidle")
    for mark in page.locator("#marken rect.mk").all():
        picture = Image.open(io.BytesIO(page.screenshot(clip=mark.bounding_box()))).convert("RGB")
        pixels = list(zip(*[iter(picture.tobytes())] * 3, strict=True))
        assert sum(red > 240 and blue < 160 for red, _, blue in pixels) > len(pixels) / 8
        assert sum(max(pixel) < 150 for pixel in pixels) > len(pixels) / 50


@pytest.mark.parametrize(("density", "width"), [(1, 620), (2, 1240)])
def test_each_screen_gets_its_own_picture_and_no_other(open_page, einige, density, width):
    page = open_page(width=1280, device_scale_factor=density)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(zitat_address(einige[0]))
    page.wait_for_load_state("networkidle")
    pictures = [url.rsplit("/", 1)[-1] for url in asked if url.endswith(".webp")]
    assert pictures == [f"seite-1-{width}.webp"]


def test_a_link_to_the_place_scrolls_to_it(open_page, einige):
    zitat = max((z for z in einige if z.seite == 1), key=lambda z: z.rects[0]["y0"])
    page = open_page(width=1280, height=500)
    page.goto(antrag_address(zitat.belege.first().assessment.antrag))
    with page.expect_navigation():
        page.locator(f"a[href='{zitat_address(zitat)}#stelle']").last.click()
    page.wait_for_function(
        "() => { const mark = document.querySelector('#marken rect.mk').getBoundingClientRect();"
        " return 0 <= mark.top && mark.bottom <= innerHeight; }"
    )


def test_on_a_phone_the_words_come_first_and_the_cut_out_shows_the_place(open_page, einige):
    page = open_page(width=390, height=844)
    page.goto(zitat_address(einige[9]))
    expect(page.locator(".wortlaut mark")).to_be_visible()
    page.wait_for_load_state("networkidle")
    # Drawn before anybody scrolls there: marks without the words under them say nothing.
    assert page.locator(".lupe img").evaluate("image => image.naturalWidth") > 0
    assert "ausschnitt-" in page.locator(".lupe img").evaluate("image => image.currentSrc")


@pytest.mark.parametrize("number", [0, 9])
def test_on_a_phone_a_link_to_the_place_scrolls_to_the_cut_out(open_page, einige, number):
    page = open_page(width=390, height=844)
    page.goto(f"{zitat_address(einige[number])}#stelle")
    page.wait_for_function(
        "() => { const cutout = document.querySelector('.lupe').getBoundingClientRect();"
        " return scrollY > 0 && 0 <= cutout.top && cutout.top < innerHeight / 2; }"
    )


def test_the_next_and_the_previous_place_are_reached_by_keyboard(open_page, einige):
    page = open_page()
    page.goto(zitat_address(einige[4]))
    follow(page, "next")
    assert page.url.endswith(f"{zitat_address(einige[5])}#stelle")
    follow(page, "prev")
    assert page.url.endswith(f"{zitat_address(einige[4])}#stelle")


def follow(page, rel):
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches('.wege a[rel={rel}]')"):
            break
    with page.expect_navigation():
        page.keyboard.press("Enter")
