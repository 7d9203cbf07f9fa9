import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from parlamente.facts import DATEI, read_fakten
from parlamente.loading import load_fakten
from parlamente.models import Parlament, Partei
from tests.programme.factories import ProgrammFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("width", "color_scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_of_coverage_is_read_on_every_screen_and_by_everybody(
    signed_in, width, color_scheme
):
    load_fakten(read_fakten(DATEI))
    bw = Parlament.objects.get(code="BW")
    ProgrammFactory(parlament=bw, parteien=[Partei.objects.get(kuerzel="SPD")])
    page = signed_in(width=width, color_scheme=color_scheme)
    page.goto(reverse("admin:programme_programm_abdeckung"))
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"][:160]) for v in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_overview_leads_to_a_parliament_by_keyboard(signed_in):
    load_fakten(read_fakten(DATEI))
    page = signed_in()
    page.goto(reverse("admin:programme_programm_abdeckung"))
    page.get_by_role("link", name="Landtag Brandenburg", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Landtag Brandenburg"
