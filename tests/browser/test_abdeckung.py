import pytest
from django.urls import reverse

from parlamente.facts import DATEI, read_fakten
from parlamente.loading import load_fakten
from parlamente.models import Parlament, Partei
from tests.programme.factories import ProgrammFactory

from .blick import Blick

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_page_of_coverage_is_read_on_every_screen_and_by_everybody(signed_in):
    load_fakten(read_fakten(DATEI))
    bw = Parlament.objects.get(code="BW")
    ProgrammFactory(parlament=bw, parteien=[Partei.objects.get(kuerzel="SPD")])
    blick = Blick(signed_in())
    blick.look(reverse("admin:programme_programm_abdeckung"))
    blick.require_nothing()


def test_the_overview_leads_to_a_parliament_by_keyboard(signed_in):
    load_fakten(read_fakten(DATEI))
    page = signed_in()
    page.goto(reverse("admin:programme_programm_abdeckung"))
    page.get_by_role("link", name="Landtag Brandenburg", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Landtag Brandenburg"
