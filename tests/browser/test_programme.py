"""The admin's pages about programmes that wait for a confirmation, and about models."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from programme.models import EinbettungsModell, Programm
from tests.parlamente.factories import ParlamentFactory, ParteiFactory
from tests.programme.factories import ProgrammFactory

from .blick import Blick

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ZWEIFEL = [
    "Auf den ersten Seiten fehlt das Land Baden-Württemberg.",
    "Auf den ersten Seiten fehlt das Jahr 2016.",
]
SEITEN = [f"Wir schützen {word}. {word} bleibt." for word in ("Wald", "See", "Berg", "Tal")]


@pytest.fixture
def programm():
    programm = ProgrammFactory(
        parlament=ParlamentFactory(baden_wuerttemberg=True),
        parteien=[ParteiFactory(kuerzel="SPD")],
        seiten=SEITEN,
    )
    programm.unconfirm()
    programm.doubt(ZWEIFEL)
    EinbettungsModell.objects.create(
        name="neues-modell", dims=384, rolle="schreiben", adresse="https://modelle.example/v1"
    )
    return programm


def addresses(programm):
    return {
        "bestaetigen": reverse("admin:programme_programm_bestaetigen", args=[programm.pk]),
        "programm": reverse("admin:programme_programm_change", args=[programm.pk]),
        "liste": reverse("admin:programme_programm_changelist"),
        "modelle": reverse("admin:programme_einbettungsmodell_changelist"),
    }


def test_the_page_that_confirms_is_read_on_every_screen_and_by_everybody(signed_in, programm):
    page = signed_in()
    blick = Blick(page)
    blick.look(addresses(programm)["bestaetigen"])
    blick.require_nothing()
    image = page.locator(".seiten img").first
    image.scroll_into_view_if_needed()
    expect(image).to_have_js_property("naturalWidth", 1240)


def test_an_editor_finds_and_confirms_a_programme_by_keyboard(signed_in, programm):
    page = signed_in()
    page.goto(f"{addresses(programm)['liste']}?verwendung=bestaetigen")
    page.locator("td.field-verwendung").get_by_role("link", name="zu bestätigen").press("Enter")
    page.get_by_role("button", name="Ja, es ist dieses Programm").press("Enter")
    page.get_by_text("ist bestätigt und wird von jetzt an verwendet").wait_for()
    assert Programm.objects.get().verwendbar
