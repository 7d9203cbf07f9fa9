"""The editors' handbook names what the desk shows."""

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from assessments.desk.rahmen import desk_url
from assessments.desk.tisch import Posten
from assessments.models import Assessment, Beleg

from .am_tisch import sit_down

ROOT = Path(__file__).resolve().parents[2]
HANDBOOK = ROOT / "docs" / "redaktion"


def headings(name):
    return re.findall(r"^## (.+)$", (HANDBOOK / name).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("grund", Beleg.Grund)
def test_every_reason_has_its_section(grund):
    assert grund.label in headings("gruende.md")


@pytest.mark.parametrize("status", Assessment.Status)
def test_every_state_is_explained(status):
    assert f"| {status.label} |" in (HANDBOOK / "zustaende.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["annehmen", "erweitern", "stelle", "verwerfen"])
def test_the_help_page_and_the_handbook_explain_every_decision(name):
    taten = {
        tat.verb: tat.text for tat in Posten(1, Beleg(), None, False, False, False, False).taten
    }
    help_page = Path(get_template("assessments/desk/hilfe.html").origin.name).read_text()
    assert f"<dt>{taten[name]}</dt>" in help_page
    assert f"**{taten[name]}**" in (HANDBOOK / "pruefen.md").read_text(encoding="utf-8")


def test_every_key_is_listed():
    source = Path(get_template("assessments/desk/_tastenliste.html").origin.name).read_text()
    table = (HANDBOOK / "pruefen.md").read_text(encoding="utf-8").partition("## Tasten")[2]
    for key in re.findall(r"<kbd>(.)</kbd>", source):
        assert f"`{key}`" in table


@pytest.mark.django_db
def test_the_help_page_links_to_the_handbook_where_it_can_be_read(client, settings):
    sit_down(client)
    assert "docs/redaktion" in client.get(desk_url("hilfe")).content.decode()
    settings.HANDBUCH_URL = "https://handbuch.example.org/redaktion/"
    page = client.get(desk_url("hilfe")).content.decode()
    assert f'<a href="{settings.HANDBUCH_URL}">' in page
