"""A programme that does not say what it is, is not used until somebody confirms it."""

from datetime import date

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.urls import reverse

from assessments.herkunft import permitted_programmes, wrong_origin_of_programme_quote
from citations.binding import make_zitat
from citations.comparison import Grad
from programme.angaben import resolve
from programme.ingesting import ingest, reindex
from programme.models import Programm
from programme.queries import Frage
from programme.retrieval import find_passages, searched
from tests.assessments.factories import UserFactory
from tests.citations.factories import make_pdf
from tests.parlamente.factories import (
    AntragFactory,
    ParlamentFactory,
    ParteiFactory,
    WahlperiodeFactory,
)

from .factories import ProgrammFactory, newer_reading

pytestmark = pytest.mark.django_db

WOHNEN = "Wir wollen bezahlbare Wohnungen bauen."
RIGHT = f"Regierungsprogramm der SPD Baden-Württemberg 2016\n{WOHNEN}"
TAG = date(2016, 10, 1)
MISSING = "Auf den ersten Seiten fehlt"


@pytest.fixture(autouse=True)
def bw():
    parlament = ParlamentFactory(baden_wuerttemberg=True)
    WahlperiodeFactory(parlament=parlament, nummer=16, wahltag=date(2016, 3, 13))
    ParteiFactory(kuerzel="SPD")
    ParteiFactory(kuerzel="CDU")
    return parlament


def take_in(text, name="spd-bw-2016.pdf", **options):
    return ingest(make_pdf(text), resolve({}, name=name), name=name, **options)


def confirm(programm):
    assert programm.confirm(durch="redaktion", gesehen=programm.zweifel)


# --- What is checked ----------------------------------------------------------------------------


def test_a_file_that_says_what_it_is_is_used_at_once():
    programm = take_in(RIGHT)
    assert (programm.verwendbar, programm.zweifel) == (True, [])


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (RIGHT.replace("SPD", "Partei"), "die Partei SPD."),
        (RIGHT.replace("Baden-Württemberg", "Hessen"), "das Land Baden-Württemberg."),
        (RIGHT.replace("2016", "2021"), "das Jahr 2016."),
    ],
)
def test_another_party_land_or_year_is_doubted(text, missing):
    programm = take_in(text)
    assert (programm.verwendbar, programm.zweifel) == (False, [f"{MISSING} {missing}"])


def test_a_basic_programme_needs_no_land(bw):
    ParlamentFactory(bundestag=True)
    text = f"Grundsatzprogramm der SPD 2007. {WOHNEN}"
    assert take_in(text, name="spd-bund-grundsatz-2007.pdf").verwendbar


def test_who_knows_better_confirms_while_taking_in():
    programm = take_in(WOHNEN, bestaetigt_durch="Prüfsatz")
    assert (programm.verwendbar, programm.bestaetigt_durch) == (True, "Prüfsatz")
    assert len(programm.zweifel) == 3


def test_who_knows_better_confirms_what_is_there_already():
    data, angaben = make_pdf(WOHNEN), resolve({}, name="spd-bw-2016.pdf")
    assert not ingest(data, angaben, name="x.pdf").verwendbar
    assert ingest(data, angaben, name="x.pdf", bestaetigt_durch="Prüfsatz").verwendbar


# --- What is not used ---------------------------------------------------------------------------


def uses(programm, bw):
    """Everything that could use it."""
    partei = programm.parteien.get()
    antrag = AntragFactory(parlament=bw, datum=TAG)
    found = find_passages([partei], parlament=bw, datum=TAG, queries=[Frage(WOHNEN)])
    bestand = searched([partei], parlament=bw, datum=TAG)
    return {
        "search": bool(found[partei.pk]),
        "index": bestand[partei.pk, programm.typ].in_index,
        "desk": permitted_programmes(partei, programm.typ, antrag) == [programm],
        "labels": programm in Programm.objects.usable(),
    }


def test_nothing_uses_it_before_it_is_confirmed_and_everything_does_behind(bw):
    programm = take_in(RIGHT.replace("2016", "2021"))
    assert set(uses(programm, bw).values()) == {False}
    confirm(programm)
    assert set(uses(programm, bw).values()) == {True}


def test_its_words_speak_for_nobody(bw):
    programm = take_in(RIGHT.replace("2016", "2021"))
    antrag = AntragFactory(parlament=bw, datum=TAG)
    zitat = make_zitat(programm.dokument.lesung, ((0, 20),), Grad.WOERTLICH)

    def wrong():
        partei = programm.parteien.get()
        stored = Programm.objects.get(pk=programm.pk)
        zitat.extraktion.dokument.programm = stored
        return wrong_origin_of_programme_quote(zitat, partei, programm.typ, antrag)

    assert "noch niemand bestätigt" in wrong()
    confirm(programm)
    assert wrong() == ""


def test_a_doubtful_programme_takes_no_label(bw):
    from assessments.assembling import _candidates
    from assessments.subject import gather

    programm = take_in(RIGHT.replace("2016", "2021"))
    antrag = AntragFactory(
        parlament=bw, datum=TAG, einbringende=[programm.parteien.get()], mit_text=True
    )
    gegenstand = gather(antrag.fassungen.get())
    assert _candidates(gegenstand) == []
    confirm(programm)
    assert _candidates(gegenstand) == [programm]


# --- The state ----------------------------------------------------------------------------------


def test_a_confirmation_counts_for_the_doubts_that_were_seen():
    programm = take_in(WOHNEN)
    assert not programm.confirm(durch="redaktion", gesehen=programm.zweifel[:1])
    assert not programm.verwendbar


def test_the_first_confirmation_stays():
    programm = take_in(WOHNEN)
    confirm(programm)
    assert not programm.confirm(durch="jemand", gesehen=programm.zweifel)
    assert programm.bestaetigt_durch == "redaktion"


def test_a_reading_that_says_less_withdraws_the_confirmation_and_one_that_says_more_does_not():
    programm = take_in(RIGHT.replace("2016", "2021"))
    confirm(programm)
    newer_reading(programm.dokument, RIGHT)
    reindex(programm)
    assert (programm.verwendbar, programm.zweifel) == (True, [])
    newer_reading(programm.dokument, WOHNEN)
    reindex(programm)
    assert not programm.verwendbar


@pytest.mark.parametrize(
    "values",
    [
        {"bestaetigt_durch": "redaktion"},
        {"bestaetigt_am": "2026-01-01T00:00:00Z"},
    ],
)
def test_the_database_wants_to_know_who_confirmed_and_when(values):
    programm = ProgrammFactory()
    with pytest.raises(IntegrityError, match="programm_is_confirmed"), transaction.atomic():
        Programm.objects.filter(pk=programm.pk).update(**values)


# --- The command --------------------------------------------------------------------------------


def test_the_command_ends_well_and_says_what_waits_for_whom(tmp_path, capsys):
    (tmp_path / "spd-bw-2016.pdf").write_bytes(make_pdf(RIGHT))
    (tmp_path / "cdu-bw-2016.pdf").write_bytes(make_pdf(RIGHT))
    for outcome in ("2 neu", "2 unverändert"):
        call_command("ingest_programme", str(tmp_path), processes=1, verbosity=0)
        said = capsys.readouterr().out
        assert outcome in said
        assert "nicht verwendet, bis jemand es in der Verwaltung bestätigt" in said
        assert "CDU BW Wahlprogramm 2016 (cdu-bw-2016.pdf): Auf den ersten Seiten fehlt" in said
        assert "SPD BW" not in said


# --- The admin ----------------------------------------------------------------------------------

LISTE = reverse("admin:programme_programm_changelist")


def page_of(programm):
    return reverse("admin:programme_programm_bestaetigen", args=[programm.pk])


@pytest.fixture
def log_in(client):
    def _log_in(*codenames):
        person = UserFactory()
        person.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client.force_login(person)
        return person

    return _log_in


def test_the_page_shows_the_doubts_and_the_first_pages(client, log_in):
    programm = take_in(WOHNEN)
    log_in("view_programm", "confirm_programm")
    page = client.get(page_of(programm)).content.decode()
    assert all(satz in page for satz in programm.zweifel)
    assert "wird nicht verwendet, bis es jemand bestätigt" in page
    image = client.get(reverse("admin:programme_programm_seite", args=[programm.pk, 1]))
    assert image["content-type"] == "image/webp"


def test_only_the_first_pages_are_served(client, log_in):
    words = ("Wald", "See", "Berg", "Tal", "Stadt", "Dorf", "Fluss", "Meer")
    programm = ProgrammFactory(seiten=[f"Wir schützen {word}. {word} bleibt." for word in words])
    log_in("view_programm")
    for index, status in [(6, 200), (7, 404), (0, 404), (99, 404)]:
        address = reverse("admin:programme_programm_seite", args=[programm.pk, index])
        assert client.get(address).status_code == status


def test_an_editor_confirms_and_is_named(client, log_in):
    programm = take_in(WOHNEN)
    person = log_in("view_programm", "confirm_programm")
    response = client.post(page_of(programm), {"gesehen": programm.zweifel}, follow=True)
    assert "ist bestätigt und wird von jetzt an verwendet" in response.content.decode()
    programm.refresh_from_db()
    assert (programm.verwendbar, programm.bestaetigt_durch) == (True, person.username)


def test_what_the_page_did_not_show_is_not_confirmed(client, log_in):
    programm = take_in(WOHNEN)
    log_in("view_programm", "confirm_programm")
    response = client.post(page_of(programm), {"gesehen": programm.zweifel[:2]}, follow=True)
    assert "Nicht bestätigt" in response.content.decode()
    programm.refresh_from_db()
    assert not programm.verwendbar


@pytest.mark.parametrize(
    ("codenames", "looks"),
    [(["view_programm", "change_programm"], 200), (["confirm_programm"], 403), ([], 403)],
)
def test_looking_and_confirming_are_rights_of_their_own(client, log_in, codenames, looks):
    programm = take_in(WOHNEN)
    log_in(*codenames)
    response = client.get(page_of(programm))
    assert response.status_code == looks
    assert "Ja, es ist dieses Programm" not in response.content.decode()
    assert client.post(page_of(programm), {"gesehen": programm.zweifel}).status_code == 403
    programm.refresh_from_db()
    assert not programm.verwendbar


def test_the_list_says_what_waits_and_finds_it(admin_client):
    waiting, used = take_in(WOHNEN), take_in(RIGHT.replace("SPD", "CDU"), name="cdu-bw-2016.pdf")
    page = admin_client.get(LISTE, {"verwendung": "bestaetigen"}).content.decode()
    assert page_of(waiting) in page
    assert used.label not in page
    assert (
        waiting.label not in admin_client.get(LISTE, {"verwendung": "verwendet"}).content.decode()
    )


def test_an_upload_that_is_doubted_leads_to_the_page(admin_client):
    from .test_admin import upload

    response = upload(admin_client, make_pdf(WOHNEN))
    programm = Programm.objects.get()
    assert response.url == page_of(programm)
    assert "aber noch nicht verwendet" in admin_client.get(response.url).content.decode()


def change(client, programm, **values):
    form = {"parteien": [partei.pk for partei in programm.parteien.all()], "typ": programm.typ}
    form |= {"parlament": programm.parlament_id, "jahr": programm.jahr, "anzeige": "ausschnitt"}
    form |= {"gueltig_0": "2016-03-13", "gueltig_1": "2021-03-14"}
    url = reverse("admin:programme_programm_change", args=[programm.pk])
    response = client.post(url, form | values, follow=True)
    programm.refresh_from_db()
    return response.content.decode()


def test_corrected_particulars_are_checked_again(admin_client):
    programm = take_in(RIGHT.replace("SPD", "CDU"))
    cdu = Programm.parteien.field.related_model.objects.get(kuerzel="CDU")
    change(admin_client, programm, parteien=[cdu.pk])
    assert (programm.verwendbar, programm.zweifel) == (True, [])


def test_wrong_particulars_take_it_out_of_use(admin_client):
    programm = take_in(RIGHT)
    page = change(admin_client, programm, jahr=2021)
    assert "wird nicht verwendet" in page
    assert programm.zweifel == [f"{MISSING} das Jahr 2021."]


def test_what_was_confirmed_were_other_particulars(admin_client):
    """Also where the new ones give fewer doubts than those that were confirmed."""
    programm = take_in(RIGHT.replace("SPD", "Partei").replace("2016", "2021"))
    confirm(programm)
    change(admin_client, programm, jahr=2021)
    assert (programm.verwendbar, programm.zweifel) == (False, [f"{MISSING} die Partei SPD."])


def test_another_title_leaves_a_confirmation_alone(admin_client):
    programm = take_in(WOHNEN)
    confirm(programm)
    change(admin_client, programm, titel="Ein Titel")
    assert (programm.titel, programm.verwendbar) == ("Ein Titel", True)
