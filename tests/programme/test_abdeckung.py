"""The admin's page of what is there and what is missing."""

from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from parlamente.facts import DATEI, read_fakten
from parlamente.loading import load_fakten
from programme import abdeckung
from programme.quellen import read_quellen
from tests.assessments.factories import UserFactory
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

from .factories import ProgrammFactory
from .sources import write_list

pytestmark = pytest.mark.django_db

SEITE = reverse("admin:programme_programm_abdeckung")
WAHL = "Wahl 13.03.2016"


@pytest.fixture(autouse=True)
def sources(tmp_path, settings, monkeypatch):
    """`sources(…)` are the list's programmes; none by default."""
    settings.FETCH_DIR = str(tmp_path / "programme")

    def _sources(*programme):
        path = write_list(tmp_path / "quellen.toml", *programme)
        monkeypatch.setattr(abdeckung, "read_quellen", lambda: read_quellen(path))

    _sources(QUELLE)
    return _sources


QUELLE = {
    "parlament": "BW",
    "wahltag": "2016-03-13",
    "parteien": ["CDU"],
    "adressen": [{"url": "https://cdu.example/a.pdf"}, {"url": "https://cdu.example/b.pdf"}],
}


@pytest.fixture
def bw():
    fraktionen = [{"partei": "SPD", "sitze": 19}, {"partei": "FDP", "sitze": None}]
    return WahlperiodeFactory(
        parlament=ParlamentFactory(baden_wuerttemberg=True), fraktionen=fraktionen
    ).parlament


def cells(parlament):
    """(party, column) -> stands."""
    [tafel] = [t for t in abdeckung.tafeln() if t.anker == parlament.code.lower()]
    return {
        (zeile.partei, spalte): [eintrag.stand for eintrag in zelle]
        for zeile in tafel.zeilen
        for spalte, zelle in zeile.paare
    }


def test_a_party_of_the_parliament_without_anything_is_a_gap(bw):
    assert cells(bw)["SPD", WAHL] == ["ohne"]


def test_an_address_that_is_not_fetched_is_said(bw):
    assert cells(bw)["CDU", WAHL] == ["adresse"]


def test_a_file_that_waits_to_be_taken_in_is_said(bw, settings):
    Path(settings.FETCH_DIR).mkdir()
    (Path(settings.FETCH_DIR) / "cdu-bw-2016.pdf").touch()
    assert cells(bw)["CDU", WAHL] == ["geholt"]


def test_a_programme_that_is_there_is_no_gap_for_each_of_its_parties(bw):
    parteien = [ParteiFactory(kuerzel="CDU"), ParteiFactory(kuerzel="XYZ")]
    ProgrammFactory(parlament=bw, parteien=parteien)
    assert cells(bw)["CDU", WAHL] == cells(bw)["XYZ", WAHL] == ["eingelesen"]


def test_a_programme_that_is_not_used_yet_leads_to_its_confirmation(admin_client, bw):
    programm = ProgrammFactory(parlament=bw, parteien=[ParteiFactory(kuerzel="SPD")])
    address = reverse("admin:programme_programm_bestaetigen", args=[programm.pk])
    assert address not in admin_client.get(SEITE).content.decode()
    programm.doubt(["Auf den ersten Seiten fehlt das Jahr 2016."])
    assert address in admin_client.get(SEITE).content.decode()


def test_a_programme_counts_for_its_own_election_only(bw):
    WahlperiodeFactory(parlament=bw, nummer=15, wahltag=date(2011, 3, 27), beginn=None)
    WahlperiodeFactory(parlament=bw, nummer=17, wahltag=date(2021, 3, 14), beginn=None)
    ProgrammFactory(parlament=bw, parteien=[ParteiFactory(kuerzel="SPD")])
    found = cells(bw)
    assert found["SPD", WAHL] == ["eingelesen"]
    assert found["SPD", "Wahl 27.03.2011"] == found["SPD", "Wahl 14.03.2021"] == []


def test_basic_programmes_stand_by_themselves(bw, sources):
    basic = {"typ": "grundsatzprogramm", "jahr": 1999}
    sources(basic | {"parteien": ["SPD"]}, basic | {"parteien": ["NICHT GELADEN"]})
    ProgrammFactory(grundsatz=True, parteien=[ParteiFactory(kuerzel="SPD")])
    tafel = abdeckung.tafeln()[-1]
    stands = {z.partei: [(e.jahr, e.stand) for e in z.paare[0][1]] for z in tafel.zeilen}
    assert stands == {"FDP": [(None, "ohne")], "SPD": [(2007, "eingelesen"), (1999, "ohne")]}


def test_the_page_says_all_of_it(admin_client, bw, sources):
    einstieg = {"parteien": ["FDP"], "adressen": [], "einstieg": "https://land.example/wahl"}
    sources(QUELLE, QUELLE | einstieg)
    programm = ProgrammFactory(parlament=bw, parteien=[ParteiFactory(kuerzel="SPD")])
    page = admin_client.get(SEITE).content.decode()
    assert f"{programm.pk}/change/" in page
    assert "13.03.2016 bis 13.03.2021" in page
    assert '<a href="https://cdu.example/a.pdf" rel="noopener noreferrer">cdu.example</a>' in page
    assert "und 1 weitere" in page
    assert ">weitersuchen bei land.example</a>" in page
    assert '<a href="#bw">Landtag von Baden-Württemberg</a>' in page


def test_the_list_of_programmes_leads_there(admin_client):
    page = admin_client.get(reverse("admin:programme_programm_changelist"))
    assert SEITE in page.content.decode()


def test_without_any_parliament_the_page_says_what_to_do(admin_client):
    assert "load_parlamente" in admin_client.get(SEITE).content.decode()


def test_who_may_see_programmes_may_see_it_and_nobody_else(client):
    user = UserFactory(is_staff=True)
    client.force_login(user)
    assert client.get(SEITE).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_programm"))
    assert client.get(SEITE).status_code == 200


def test_the_shipped_list_is_shown_in_a_fixed_number_of_queries(
    admin_client, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.undo()
    load_fakten(read_fakten(DATEI))
    ProgrammFactory.create_batch(5)
    with django_assert_max_num_queries(10):
        page = admin_client.get(SEITE).content.decode()
    assert "Abgeordnetenhaus von Berlin" in page
    assert page.count("<b>nicht geholt</b>") > 50
