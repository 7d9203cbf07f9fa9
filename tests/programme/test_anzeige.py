"""What the public may see of a programme's file: the copyright is the party's."""

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.urls import reverse

from citations.models import Dokument
from programme.angaben import resolve
from programme.ingesting import ingest
from programme.models import Programm
from programme.naming import UnklareAngaben
from tests.citations.factories import make_pdf
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

from .factories import ProgrammFactory

pytestmark = pytest.mark.django_db

TEXT = "Wir wollen bezahlbare Wohnungen bauen. Dafür stellt das Land Mittel bereit."


@pytest.fixture(autouse=True)
def wahl():
    WahlperiodeFactory(parlament=ParlamentFactory(baden_wuerttemberg=True))
    WahlperiodeFactory(parlament=ParlamentFactory(code="ML", muster=True))
    ParteiFactory(kuerzel="SPD")
    ParteiFactory(kuerzel="UFER", muster=True)


def take_in(name, *, data=None, **roh):
    return ingest(data or make_pdf(f"{TEXT} {name}"), resolve(roh, name=name), name=name)


def shown(programm):
    return Dokument.objects.get(pk=programm.dokument_id).anzeige


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("spd-bw-2016.pdf", "ausschnitt"),
        ("spd-bund-grundsatz-2007.pdf", "ausschnitt"),
        ("spd-ml-2016.pdf", "ausschnitt"),
        ("ufer-bw-2016.pdf", "ausschnitt"),
        ("ufer-ml-2016.pdf", "seite"),
        ("ufer-ml-grundsatz-2007.pdf", "seite"),
    ],
)
def test_only_invented_programmes_are_shown_whole_without_a_word(name, expected):
    ParlamentFactory(bundestag=True)
    assert shown(take_in(name)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("spd-bw-2016.pdf", "verweis"),
        ("spd-bund-grundsatz-2007.pdf", "seite"),
        ("ufer-ml-2016.pdf", "seite"),
    ],
)
def test_each_kind_has_its_own_setting(settings, name, expected):
    ParlamentFactory(bundestag=True)
    settings.ANZEIGE_WAHLPROGRAMM, settings.ANZEIGE_GRUNDSATZPROGRAMM = "verweis", "seite"
    assert shown(take_in(name)) == expected


@pytest.mark.parametrize("anzeige", Dokument.Anzeige.values)
def test_somebody_may_say_what_is_shown(anzeige):
    assert shown(take_in("spd-bw-2016.pdf", anzeige=anzeige)) == anzeige


def test_unknown_word_is_refused():
    with pytest.raises(UnklareAngaben, match="seite, ausschnitt, verweis"):
        take_in("spd-bw-2016.pdf", anzeige="alles")


def test_document_of_an_attempt_that_failed_is_not_shown_whole():
    data = make_pdf(TEXT)
    with pytest.raises(UnklareAngaben):
        take_in("spd-bw-2016.pdf", data=make_pdf(""))
    take_in("ufer-ml-2016.pdf", data=data)
    Programm.objects.all().delete()
    assert shown(take_in("spd-bw-2016.pdf", data=data)) == "ausschnitt"


def test_ingesting_again_does_not_show_what_was_taken_out_of_sight():
    data = make_pdf(TEXT)
    programm = take_in("spd-bw-2016.pdf", data=data, anzeige="seite")
    Dokument.objects.update(anzeige="verweis")
    with pytest.raises(UnklareAngaben, match="nur Verweis"):
        take_in("spd-bw-2016.pdf", data=data, anzeige="seite")
    assert take_in("spd-bw-2016.pdf", data=data) == programm
    assert shown(programm) == "verweis"


def test_option_and_column_say_it_too(tmp_path):
    (tmp_path / "spd-bw-2016.pdf").write_bytes(make_pdf(TEXT))
    (tmp_path / "programme.csv").write_text("datei,anzeige\nspd-bw-2016.pdf,verweis")
    call_command("ingest_programme", str(tmp_path), verbosity=0, processes=1)
    assert shown(Programm.objects.get()) == "verweis"
    with pytest.raises(CommandError, match="unbekannt"):
        call_command("ingest_programme", str(tmp_path), verbosity=0, processes=1, anzeige="x")


# --- The admin ----------------------------------------------------------------------------------


@pytest.fixture
def programm():
    return ProgrammFactory(parteien=[ParteiFactory(kuerzel="SPD")])


def open_page(client, programm, **changes):
    """The change page; with changes, as they were typed into its form and saved."""
    url = reverse("admin:programme_programm_change", args=[programm.pk])
    page = client.get(url)
    if not changes:
        return page
    form = page.context["adminform"].form
    data = {
        "gueltig_0": "2016-03-13",
        "gueltig_1": "2021-03-14",
        **{name: value for name, value in form.initial.items() if value is not None},
        "parteien": [partei.pk for partei in programm.parteien.all()],
    }
    return client.post(url, data | changes)


def may(django_user_model, *codenames):
    person = django_user_model.objects.create_user("person", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return person


def test_editor_changes_what_is_shown(client, django_user_model, programm):
    client.force_login(may(django_user_model, "change_programm"))
    assert open_page(client, programm, anzeige="verweis").status_code == 302
    assert shown(programm) == "verweis"
    form = open_page(client, programm).context["adminform"].form
    assert form["anzeige"].initial == "verweis"
    assert {"titel", "parteien", "gueltig", "anzeige"} <= form.fields.keys()


def test_who_may_only_look_sees_it_and_changes_nothing(client, django_user_model, programm):
    client.force_login(may(django_user_model, "view_programm"))
    assert "ganze Seite" in open_page(client, programm).content.decode()
    url = reverse("admin:programme_programm_change", args=[programm.pk])
    assert client.post(url, {"anzeige": "verweis"}).status_code == 403
    assert shown(programm) == "seite"
