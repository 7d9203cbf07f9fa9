"""What turns the direction of writing, or cannot be stored, gets into no label."""

import sys

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

import manage
from parlamente.adapters.entwurf import normalise_titel
from parlamente.models import Antrag, Parlament, Partei, Regierung, Urheber
from parlamente.urheber import tidy
from parlamente.zeichen import plain, validate_plain
from programme.models import Programm
from tests.assessments.factories import UserFactory

from .factories import ParteiFactory

TURNING = [*"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
UNSTORABLE = ["\x00", "\x1b", "\x85", "\ud800", "\udce4"]
LABELS = [
    *((Antrag, "titel"), (Antrag, "quelle_url"), (Antrag, "fremd_id"), (Urheber, "roh")),
    *((Partei, "kuerzel"), (Partei, "name"), (Parlament, "name"), (Parlament, "land")),
    *((Regierung, "kopf"), (Programm, "titel"), (Programm, "lizenzhinweis")),
]


@pytest.mark.parametrize("character", TURNING + UNSTORABLE)
def test_titles_and_originators_come_in_without_it(character):
    assert normalise_titel(f"Mehr{character} Züge") == "Mehr Züge"
    assert tidy(f"SPD{character}, CDU") == "SPD, CDU"


@pytest.mark.parametrize("escaped", ["&#8238;", "&rlm;"])
def test_an_entity_is_no_way_around(escaped):
    assert normalise_titel(f"Mehr{escaped} Züge") == "Mehr Züge"


def test_everything_else_stays():
    text = "Größe – „Zitat“\n\t½ ✓ \u00a0 שלום"
    assert plain(text) == text
    validate_plain(text)


@pytest.mark.parametrize(("model", "name"), LABELS)
def test_no_label_takes_it(model, name):
    with pytest.raises(ValidationError, match=r"U\+202E"):
        model._meta.get_field(name).clean("Liste\u202e Ufer", None)


def test_no_spelling_of_a_party_takes_it():
    with pytest.raises(ValidationError, match=r"U\+2066"):
        Partei._meta.get_field("aliase").clean(["Ufer\u2066"], None)


@pytest.mark.django_db
def test_an_editor_is_told_which_character_it_is(client):
    partei = ParteiFactory()
    client.force_login(UserFactory(is_superuser=True, is_staff=True))
    address = reverse("admin:parlamente_partei_change", args=[partei.pk])
    page = client.post(address, {"kuerzel": "UFER", "name": "Liste\u202e Ufer", "aliase": ""})
    assert "U+202E" in page.content.decode()


@pytest.mark.parametrize("option", ["--titel", "--partei", "--urheber", "--parlament"])
def test_a_command_refuses_bytes_that_are_no_text(monkeypatch, option):
    undecodable = b"M\xfcll".decode("utf-8", "surrogateescape")
    monkeypatch.setattr(sys, "argv", ["manage.py", "import_antrag", option, undecodable])
    with pytest.raises(SystemExit, match="kein gültiges UTF-8"):
        manage.main()
