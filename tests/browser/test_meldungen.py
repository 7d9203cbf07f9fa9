"""Reporting an error and deciding it in a real browser: for everybody, and without JavaScript."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from assessments.addresses import antrag_address, zitat_address
from meldungen import schein
from meldungen.models import Meldung
from meldungen.schlange import bearbeiten_address
from meldungen.ziel import danke_address, melden_address
from tests.assessments.factories import AssessmentFactory
from tests.assessments.seiten import correction_of, published
from tests.meldungen.factories import TEXT, MeldungFactory, cited, decider

from .test_pages import RULES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(1280, "light"), (390, "dark"), (320, "light")]


@pytest.fixture
def assessment():
    return published()


def findings(page, width, *, of: str = "body") -> list[tuple[str, str]]:
    violations = Axe().run(page, context=of, options=RULES).response["violations"]
    wide = page.evaluate("document.documentElement.scrollWidth")
    found = [(v["id"], v["nodes"][0]["html"][:160]) for v in violations]
    return found + ([("too wide", page.url)] if wide > width else [])


@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_public_pages_of_a_report_are_for_everybody(open_page, assessment, width, scheme):
    MeldungFactory(assessment=assessment).dismiss(by=decider(), note="Es steht so im Antrag.")
    MeldungFactory(assessment=assessment)
    page = open_page(width=width, color_scheme=scheme)
    found = {}
    for address in (
        melden_address(assessment, cited(assessment)),
        danke_address(assessment),
        f"{antrag_address(assessment.antrag)}#hinweise",
    ):
        page.goto(address)
        found[address] = findings(page, width)
    assert not any(found.values()), found


@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_the_editors_pages_are_for_everybody(signed_in, assessment, width, scheme):
    AssessmentFactory(in_review=True)
    closed = MeldungFactory(assessment=assessment)
    closed.dismiss(by=decider(), note="Es steht so im Antrag.")
    whole = MeldungFactory(assessment=assessment)
    quote = MeldungFactory(assessment=assessment, zitat=cited(assessment), text="x" * 900 + "abcd")
    correction_of(assessment)
    page = signed_in(width=width, color_scheme=scheme)
    queue = reverse("admin:assessments_pruefauftrag_changelist")
    found = {}
    for address in map(bearbeiten_address, (closed, whole, quote)):
        page.goto(address)
        found[address] = findings(page, width)
    page.goto(queue)
    found[queue] = findings(page, width, of=".offene-hinweise")
    assert not any(found.values()), found


def test_a_report_is_sent_and_decided_without_javascript(
    open_page, signed_in, assessment, monkeypatch
):
    monkeypatch.setattr(schein, "SHORTEST", schein.SHORTEST * 0)
    page = open_page(java_script_enabled=False)
    page.goto(zitat_address(cited(assessment)))
    page.get_by_role("link", name="Fehler an diesem Zitat melden").click()
    page.get_by_label("Stelle falsch markiert").check()
    page.get_by_label("Was genau ist falsch").fill(TEXT)
    page.get_by_role("button", name="Hinweis senden").click()
    assert page.get_by_role("heading", name="Ihr Hinweis ist angekommen").is_visible()
    assert page.context.cookies() == []
    desk = signed_in(java_script_enabled=False)
    desk.goto(reverse("admin:assessments_pruefauftrag_changelist"))
    desk.locator(".offene-hinweise li > a").click()
    assert desk.locator("svg.pdf rect.mk").count() >= 1
    desk.get_by_label("Begründung").fill("Die Stelle ist richtig markiert.")
    desk.get_by_role("button", name="Unbegründet").click()
    page.goto(f"{antrag_address(assessment.antrag)}#hinweise")
    assert page.get_by_text("Die Stelle ist richtig markiert.").is_visible()
    assert Meldung.objects.get().status == "abgewiesen"


def test_the_trap_is_out_of_sight_and_of_the_way_of_the_keyboard(open_page, assessment):
    page = open_page(width=390)
    page.goto(melden_address(assessment))
    trap = page.get_by_label("Dieses Feld bitte leer lassen")
    box = trap.bounding_box()
    assert box["x"] + box["width"] < 0
    page.get_by_label("Was genau ist falsch").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Hinweis senden"
