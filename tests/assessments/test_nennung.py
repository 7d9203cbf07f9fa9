"""Names of editors on public pages: only of those who agreed, and for as long as they do."""

import pytest

from assessments.addresses import antrag_address, version_address
from assessments.desk.rahmen import desk_url
from assessments.models import Namensnennung

from .am_tisch import said, sit_down
from .factories import AssessmentFactory, UserFactory, approve, prove
from .seiten import read, words
from .test_pages_leaks import crawl

pytestmark = pytest.mark.django_db
PERSON = {"username": "geheim.konto", "first_name": "Vorneweg", "last_name": "Nachname"}


@pytest.fixture
def person():
    return UserFactory(approver=True, email="post@geheim.example", **PERSON)


def published_by(person, **fields):
    """Approved by this person; published by another one."""
    assessment = AssessmentFactory(in_review=True, **fields)
    approve(assessment, by=person)
    assessment.publish(by=UserFactory(publisher=True, username="zweites.konto"))
    return prove(assessment)


def test_without_consent_no_name_of_anybody_is_public(client, person):
    first = published_by(person)
    first.correct(by=person, note="Ein Fehler.")
    other = AssessmentFactory(in_review=True)
    approve(other, by=person)
    other.publish(by=UserFactory(publisher=True))
    other.withdraw(by=person, note="Überholt.")
    address = antrag_address(other.antrag)
    pages = crawl(
        client,
        *("/", "/sitemap.xml", "/korrekturen/", "/api/v1/assessments", "/api/v1/status"),
        *(address, f"{address}v1/", f"/api/v1/assessments{address}v1"),
        f"/api/v1/assessments{version_address(first)}".rstrip("/"),
    )
    assert len(pages) > 10
    names = [*PERSON.values(), "geheim.example", "zweites.konto"]
    assert {url for url, html in pages.items() for name in names if name in html} == set()


def test_who_agreed_is_named_on_page_and_interface(client, person):
    Namensnennung.agree(person, "V. Nachname")
    assessment = published_by(person)
    html = words(read(client, antrag_address(assessment.antrag)))
    assert "zwei Personen der Redaktion, darunter V. Nachname" in html
    path = f"/api/v1/assessments{version_address(assessment)}".rstrip("/")
    assert client.get(path).json()["assessment"]["review"]["names"] == ["V. Nachname"]


def test_a_consent_counts_for_what_is_published_afterwards(client, person):
    before = published_by(person)
    Namensnennung.agree(person, "V. Nachname")
    assert "V. Nachname" not in read(client, antrag_address(before.antrag))


def test_another_name_leaves_what_was_agreed_before(client, person):
    Namensnennung.agree(person, "V. Nachname")
    before = published_by(person)
    Namensnennung.agree(person, "Frau Anders")
    html = read(client, antrag_address(before.antrag))
    assert "V. Nachname" in html
    assert "Frau Anders" not in html


def test_a_withdrawn_consent_takes_the_name_away_for_good(client, person):
    Namensnennung.agree(person, "V. Nachname")
    assessment = published_by(person)
    Namensnennung.revoke(person)
    assert "V. Nachname" not in read(client, antrag_address(assessment.antrag))
    Namensnennung.agree(person, "V. Nachname")
    assert "V. Nachname" not in read(client, antrag_address(assessment.antrag))


def test_who_had_no_hand_in_it_is_not_named(client, person):
    Namensnennung.agree(UserFactory(reviewer=True), "Ganz Unbeteiligt")
    assert "Unbeteiligt" not in read(client, antrag_address(published_by(person).antrag))


# --- The page of one's own name --------------------------------------------------------------


def test_by_default_nobody_is_named(client):
    sit_down(client)
    assert "Sie werden nicht genannt." in client.get(desk_url("mein_name")).content.decode()


def test_one_agrees_and_revokes_for_oneself_alone(client):
    other = UserFactory(reviewer=True)
    Namensnennung.agree(other, "Andere Person")
    person = sit_down(client)
    form = {"genannt_als": "  K.  Muster ", "person": other.pk}
    response = client.post(desk_url("mein_name"), form, follow=True)
    assert "K. Muster" in said(response)
    assert Namensnennung.objects.get(person=person).genannt_als == "K. Muster"
    client.post(desk_url("mein_name"), {"zurueck": "ja"})
    assert list(Namensnennung.objects.values_list("genannt_als", flat=True)) == ["Andere Person"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "\u202eretsuM"])
def test_a_name_that_is_none_is_refused(client, name):
    sit_down(client)
    response = client.post(desk_url("mein_name"), {"genannt_als": name}, follow=True)
    assert "Bitte einen Namen" in said(response)
    assert not Namensnennung.objects.exists()


@pytest.mark.parametrize(
    "name",
    ["Karla Muster", "karla  MUSTER", "Karla\u00a0Muster", "Ｋarla Muster", "kmuster", "K. M."],
)
def test_nobody_is_named_as_somebody_else(client, name):
    other = UserFactory(reviewer=True, username="kmuster", first_name="Karla", last_name="Muster")
    Namensnennung.agree(other, "K. M.")
    client.force_login(person := UserFactory(reviewer=True))
    response = client.post(desk_url("mein_name"), {"genannt_als": name}, follow=True)
    assert "heißt hier schon jemand anderes" in response.content.decode()
    assert not Namensnennung.objects.filter(person=person).exists()
    client.force_login(other)  # one's own are no hindrance
    client.post(desk_url("mein_name"), {"genannt_als": "Karla Muster"})
    assert Namensnennung.objects.get().genannt_als == "Karla Muster"


def test_only_the_editors_have_that_page(client):
    sit_down(client, may=[])
    assert client.get(desk_url("mein_name")).status_code == 403
    assert client.post(desk_url("mein_name"), {"genannt_als": "X"}).status_code == 403


def test_a_name_is_only_shown(client, person):
    Namensnennung.agree(person, "<script>alert(1)</script>")
    assert "<script" not in read(client, antrag_address(published_by(person).antrag))
