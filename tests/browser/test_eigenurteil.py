"""Own ratings first, in a real browser: by keyboard alone, without JavaScript, for everybody."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from assessments.desk.rahmen import desk_url
from assessments.models import Eigenurteil
from tests.assessments.am_tisch import desk
from tests.assessments.factories import UserFactory
from tests.assessments.test_eigenurteil import answer, asked
from tests.assessments.test_einwaende import doubt, found_nothing
from tests.assessments.test_risiko import blur_page, hide_text

from .blick import Blick
from .test_desk import press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assessment():
    return asked()


def given(assessment):
    return list(assessment.eigenurteile.order_by("feld").values_list("feld", "wert"))


def test_both_fields_are_rated_and_compared_by_keyboard_alone(open_page, log_in, assessment):
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    expect(page.get_by_text("Zuerst Ihr eigenes Urteil")).to_be_visible()
    press(page, "2")
    assert given(assessment) == [("A4", "m")]
    press(page, "6")
    assert given(assessment) == [("A4", "m"), ("C1", "n")]
    expect(page.get_by_text("stimmt nicht überein")).to_be_visible()
    press(page, "1")  # one's own value of the first field
    feld = assessment.feldbewertungen.get(feld="A4")
    assert (feld.wert_modell, feld.wert_redaktion) == ("mm", "m")
    press(page, "1")  # and back
    feld.refresh_from_db()
    assert feld.wert_redaktion == ""
    press(page, "j")
    assert "/pruefen/" in page.url


def test_both_fields_are_rated_with_the_tabulator_and_enter(open_page, log_in, assessment):
    """As the row of signs on the desk is."""
    page = open_page()
    log_in(page)
    page.goto(desk(assessment))
    for feld in ("A4", "C1"):
        page.locator(".notenwahl button").first.focus()
        page.keyboard.press("Tab")
        press(page, "Enter")
        assert (feld, "m") in given(assessment)


def test_everything_works_without_javascript(open_page, log_in, assessment):
    page = open_page(java_script_enabled=False)
    log_in(page)
    page.goto(desk(assessment))
    for _ in range(2):
        page.get_by_role("button", name="ohne Wirkung").first.click()
    assert given(assessment) == [("A4", "o"), ("C1", "o")]
    page.get_by_role("button", name="Ihr Wert: ohne Wirkung").first.click()
    assert assessment.feldbewertungen.get(feld="A4").wert_redaktion == "o"
    page.get_by_role("link", name="Weiter zu den Belegen").click()
    assert "/pruefen/" in page.url


def test_the_other_tab_is_told_and_changes_nothing(open_page, log_in, assessment):
    first = open_page()
    log_in(first)
    second = first.context.new_page()
    for tab in (first, second):
        tab.goto(desk(assessment))
    press(first, "2")
    press(second, "5")
    expect(second.get_by_text("Ihr Wert zu A4 steht schon fest: hemmend.")).to_be_visible()
    assert given(assessment) == [("A4", "m")]


def test_axe_finds_nothing_and_nothing_scrolls_sideways(open_page, log_in, assessment):
    page = open_page()
    person = log_in(page)
    blick = Blick(page)
    own = desk_url("eigenurteil", assessment.pk)
    blick.look(own)
    Eigenurteil.record(assessment, "A4", "m", by=person)
    blick.look(own)
    Eigenurteil.record(assessment, "C1", "n", by=person)
    answer(assessment, UserFactory())
    blick.look(own)
    for happens in (doubt, hide_text, blur_page, found_nothing):
        happens(assessment)
    blick.look(desk(assessment))
    blick.look(desk_url("vergleiche", assessment.pk))
    blick.require_nothing()


def test_the_start_page_shows_the_figures_without_a_cut_column(open_page, log_in, assessment):
    page = open_page(width=390)
    log_in(page)
    answer(assessment, UserFactory())
    page.goto(reverse("admin:index"))
    expect(page.get_by_role("heading", name="Eigenes Urteil vor dem des Modells")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
