"""The public pages in a real browser: accessible, steady, narrow, and marked where words stand."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from assessments.addresses import antrag_address, zitat_address
from assessments.models import Vergleich
from citations.binding import keep, make_zitat
from citations.comparison import Grad
from tests.assessments.factories import (
    AssessmentFactory,
    BelegFactory,
    advance,
    place_zitat,
    prove,
)
from tests.assessments.seiten import antrag_with, correction_of, published
from tests.citations.factories import PruefungFactory
from tests.parlamente.factories import ParlamentFactory, ParteiFactory

from .blick import OPEN_DETAILS, Blick

pytestmark = [
    pytest.mark.browser,
    pytest.mark.ausdauer,
    pytest.mark.django_db(transaction=True),
]

OMITTED = "Die Mittel werden nach Bedarf […] in jeder Gemeinde des Landes gerecht verteilt."
LONG = (
    "Die Mittel werden nach Bedarf und auf kurzen Antrag "
    "in jeder Gemeinde des Landes gerecht verteilt."
)
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(e => window.shifts.push(e.value)))
  .observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture
def assessment():
    """With every look: each grade, a quote in review, each absence, a change, two versions."""
    antrag = antrag_with(LONG, parlament=ParlamentFactory(muster=True), titel="Mittel verteilen")
    first = published(antrag=antrag, themen=["Haushalt", "Klima und Umwelt"])
    second = AssessmentFactory(
        antrag=antrag, corrects=first, berichtigung="Bei Feld B5 stand ein falsches Jahr."
    )
    add_grades(second)
    add_absences(second)
    second.feldbewertungen.filter(feld="D1").update(wert_redaktion="p")
    advance(second, "published")
    prove(second)
    in_review = second.belege.filter(feldbewertung__feld="A4").get().zitat
    PruefungFactory(zitat=in_review, widerlegt=True)
    return second


def add_grades(assessment):
    dokument = assessment.fassung.dokument
    omitted = place_zitat(OMITTED, dokument)
    exact = place_zitat(LONG, dokument)
    adjusted = keep(make_zitat(exact.extraktion, exact.spans, Grad.ANGEGLICHEN))
    for feld, zitat in (("D1", omitted), ("D5", adjusted)):
        BelegFactory(owner_row=assessment.feldbewertungen.get(feld=feld), zitat=zitat)


def add_absences(assessment):
    for number, ergebnis in enumerate(("nichts_gefunden", "ohne_beleg", "kein_programm")):
        Vergleich.objects.create(
            assessment=assessment,
            partei=ParteiFactory(kuerzel=f"PARTEI {number}"),
            rolle=Vergleich.Rolle.EINBRINGEND,
            programmtyp="wahlprogramm",
            ergebnis_modell=ergebnis,
            durchsucht="alle 64 Seiten",
        )


def addresses(assessment) -> list[str]:
    zitate = [beleg.zitat for beleg in assessment.belege.exclude(zitat=None)]
    in_review = assessment.belege.filter(feldbewertung__feld="A4").get().zitat
    return [
        "/",
        "/?q=gibtesnicht&feld=A1",
        antrag_address(assessment.antrag),
        zitat_address(next(zitat for zitat in zitate if zitat.grade == "auslassung")),
        zitat_address(in_review),
        "/methodik/",
        "/korrekturen/",
        "/daten/",
        "/api/v1/docs",
        "/nicht-da/",
    ]


# Of other pages and states: test_jede_seite.py.
def test_pages_are_accessible_and_never_scroll_sideways(open_page, assessment):
    blick = Blick(open_page())
    for address in addresses(assessment):
        if address != "/nicht-da/":  # the browser's console reports a 404 as an error
            blick.look(address)
    blick.require_nothing()


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_moves_while_a_page_loads(open_page, assessment, width):
    page = open_page(width=width)
    page.add_init_script(WATCH_SHIFTS)
    for address in addresses(assessment)[:4]:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert sum(page.evaluate("window.shifts")) == 0, address


def test_a_click_on_a_quote_leads_to_the_marked_page(open_page, assessment):
    page = open_page()
    page.goto(antrag_address(assessment.antrag))
    quote = page.locator("#B5 blockquote a")
    words = quote.inner_text()
    quote.click()
    assert page.locator(".wortlaut mark").inner_text() == words
    assert page.locator("#marken rect.mk").count() >= 1


def test_marks_lie_where_the_words_are(open_page, assessment):
    zitat = assessment.belege.filter(feldbewertung__feld="B5").get().zitat
    page = open_page(width=1440, height=1400)
    page.goto(zitat_address(zitat))
    page.wait_for_load_state("networkidle")
    sheet = page.locator(".blattrahmen:not(.lupe *) img").bounding_box()
    for mark, rect in zip(
        page.locator(".blattrahmen:not(.lupe *) rect.mk").all(), zitat.rects, strict=True
    ):
        box = mark.bounding_box()
        assert box["x"] - sheet["x"] == pytest.approx(rect["x0"] * sheet["width"], abs=1)
        assert box["y"] - sheet["y"] == pytest.approx(rect["y0"] * sheet["height"], abs=1)
        assert box["width"] == pytest.approx((rect["x1"] - rect["x0"]) * sheet["width"], abs=1.5)
        assert has_ink_on_yellow(page.screenshot(clip=box))


def has_ink_on_yellow(png: bytes) -> bool:
    data = Image.open(io.BytesIO(png)).convert("RGB").tobytes()
    pixels = list(zip(data[::3], data[1::3], data[2::3], strict=True))
    yellow = sum(red > 240 and green > 200 and blue < 160 for red, green, blue in pixels)
    ink = sum(max(pixel) < 90 for pixel in pixels)
    return yellow > len(pixels) / 3 and ink > len(pixels) / 50


def test_the_cut_out_is_shown_on_phones_only(open_page, assessment):
    zitat = assessment.belege.filter(feldbewertung__feld="B5").get().zitat
    for width, visible in ((390, True), (1440, False)):
        page = open_page(width=width)
        page.goto(zitat_address(zitat))
        assert page.locator(".lupe").is_visible() is visible


def test_a_party_that_is_folded_opens_where_the_table_leads(open_page, assessment):
    page = open_page()
    page.goto(f"{antrag_address(assessment.antrag)}#partei-ufer")
    expect(page.locator("#partei-ufer")).to_be_visible()


def test_the_keyboard_reaches_the_content_and_each_quote_once(open_page, assessment):
    page = open_page()
    page.goto(antrag_address(assessment.antrag))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Zum Inhalt"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    assert page.locator(".beleg blockquote a:not([tabindex='-1'])").count() == 0
    assert page.locator(".beleg figcaption a[tabindex]").count() == 0


def test_links_outside_of_text_are_large_enough_to_touch(open_page, assessment):
    page = open_page(width=390)
    page.goto(antrag_address(assessment.antrag))
    page.evaluate(OPEN_DETAILS)
    for selector in (".inhaltsweg a", ".waage ul a", ".beleg figcaption a", ".pfad a", "summary"):
        for link in page.locator(selector).all():
            assert link.bounding_box()["height"] >= 24, selector


@pytest.mark.parametrize("options", [{"forced_colors": "active"}, {"reduced_motion": "reduce"}])
def test_pages_work_in_contrast_mode_and_without_motion(open_page, assessment, options):
    page = open_page(**options)
    for address in addresses(assessment)[:4]:
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()
    if "reduced_motion" in options:
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_pages_are_complete_without_javascript(open_page, assessment):
    page = open_page(java_script_enabled=False)
    page.goto("/")
    page.get_by_label("Suchen in Titel, Zusammenfassung und Zitaten").fill("Mittel")
    page.get_by_role("button", name="Suchen").click()
    page.get_by_role("link", name="Mittel verteilen").click()
    page.locator("#B5 figcaption a").click()
    expect(page.get_by_role("heading", name="So wurde geprüft")).to_be_visible()


def test_a_correction_is_announced_above_the_fold(open_page):
    assessment = correction_of(published())
    page = open_page(width=1440)
    page.goto(antrag_address(assessment.antrag))
    expect(page.get_by_text("Berichtigt am").first).to_be_visible()
