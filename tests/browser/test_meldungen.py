"""Reporting an error and deciding it in a real browser: for everybody, and without JavaScript."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from assessments.addresses import antrag_address, zitat_address
from meldungen import schein
from meldungen.models import Meldung
from meldungen.schlange import bearbeiten_address
from meldungen.ziel import danke_address, melden_address
from tests.assessments.factories import AssessmentFactory
from tests.assessments.seiten import correction_of, published
from tests.meldungen.factories import TEXT, MeldungFactory, cited, decider

from .blick import Blick

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assessment():
    return published()


def test_public_pages_of_a_report_are_for_everybody(open_page, assessment):
    MeldungFactory(assessment=assessment).dismiss(by=decider(), note="Es steht so im Antrag.")
    MeldungFactory(assessment=assessment)
    blick = Blick(open_page())
    blick.look(melden_address(assessment, cited(assessment)))
    blick.look(danke_address(assessment))
    blick.look(f"{antrag_address(assessment.antrag)}#hinweise")
    blick.require_nothing()


def test_the_editors_pages_are_for_everybody(signed_in, assessment):
    AssessmentFactory(in_review=True)
    closed = MeldungFactory(assessment=assessment)
    closed.dismiss(by=decider(), note="Es steht so im Antrag.")
    whole = MeldungFactory(assessment=assessment)
    quote = MeldungFactory(assessment=assessment, zitat=cited(assessment), text="x" * 900 + "abcd")
    correction_of(assessment)
    blick = Blick(signed_in())
    for meldung in (closed, whole, quote):
        blick.look(bearbeiten_address(meldung))
    blick.look(reverse("admin:assessments_pruefauftrag_changelist"))
    blick.require_nothing()


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
    expect(page.get_by_role("heading", name="Ihr Hinweis ist angekommen")).to_be_visible()
    assert page.context.cookies() == []
    desk = signed_in(java_script_enabled=False)
    desk.goto(reverse("admin:assessments_pruefauftrag_changelist"))
    desk.locator(".offene-hinweise li > a").click()
    assert desk.locator("svg.pdf rect.mk").count() >= 1
    desk.get_by_label("Begründung").fill("Die Stelle ist richtig markiert.")
    desk.get_by_role("button", name="Unbegründet").click()
    page.goto(f"{antrag_address(assessment.antrag)}#hinweise")
    expect(page.get_by_text("Die Stelle ist richtig markiert.")).to_be_visible()
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
