"""The pages that explain, and those for errors."""

import pytest
from django.views.defaults import server_error

from assessments.addresses import version_address

from .factories import AssessmentFactory
from .seiten import NO_ADDRESS, correction_of, published, read, words

pytestmark = pytest.mark.django_db


def test_corrections_and_withdrawals_are_listed_with_their_reason(client):
    corrected = correction_of(published())
    withdrawn = AssessmentFactory(withdrawn=True)
    text = words(read(client, "/korrekturen/"))
    assert "Berichtigt in Fassung 2. Bei Feld B5 stand alle zwei Jahre" in text
    assert "Zurückgezogen. Überholte Fassung." in text
    html = read(client, "/korrekturen/")
    assert version_address(corrected) in html
    assert version_address(withdrawn) in html


def test_without_corrections_the_page_says_so(client):
    assert "Bisher wurde keine Bewertung" in read(client, "/korrekturen/")


def test_the_imprint_comes_from_the_settings(client, settings):
    settings.IMPRESSUM_ANSCHRIFT = "Weg 1\n<b>Ort</b>"
    html = read(client, "/impressum/")
    assert "Redaktion Beispiel" in html
    assert "Weg 1<br>&lt;b&gt;Ort&lt;/b&gt;" in html
    assert "A. Beispiel, Anschrift wie oben" in html
    assert "mailto:redaktion@example.org" in html


def test_without_an_imprint_the_page_says_that_this_is_a_trial(client, settings):
    settings.IMPRESSUM_NAME = ""
    assert "Diese Installation ist ein Probelauf." in read(client, "/impressum/")


@pytest.mark.parametrize("page", ["impressum", "korrekturen", "methodik", "barrierefreiheit"])
def test_without_an_address_the_page_says_so(client, settings, page):
    assert NO_ADDRESS not in read(client, f"/{page}/")
    settings.IMPRESSUM_EMAIL = ""
    html = read(client, f"/{page}/")
    assert NO_ADDRESS in html
    assert "mailto:" not in html


def test_the_method_names_all_fields_and_the_grades(client):
    text = words(read(client, "/methodik/"))
    assert "A1 Grundrechtsschutz" in text
    assert "E5 Transparente und demokratische Mitbestimmung" in text
    for word in ("wörtlich", "mit Auslassung", "angeglichen", "in Prüfung"):
        assert word in text
    assert "drei Grade, und einen Stand ohne Gelb" in text


def test_the_method_promises_two_people_only_where_two_are_needed(client, settings):
    assert "zwei verschiedenen Personen" in read(client, "/methodik/")
    settings.VIER_AUGEN = False
    assert "zwei verschiedenen Personen" not in read(client, "/methodik/")


@pytest.mark.parametrize("page", ["datenschutz", "barrierefreiheit", "daten"])
def test_every_page_of_the_foot_can_be_read(client, page):
    assert "<h1>" in read(client, f"/{page}/")


def test_crawlers_are_kept_from_the_desk_and_shown_the_map(client):
    text = read(client, "/robots.txt")
    assert "Disallow: /redaktion/" in text
    assert "Sitemap: http" in text


def test_the_map_lists_published_assessments_only(client, settings):
    settings.SITE_URL = "https://example.org"
    assessment = published()
    AssessmentFactory(in_review=True)
    xml = read(client, "/sitemap.xml")
    assert xml.count("<url>") == 2
    address = version_address(assessment).removesuffix("v1/")
    assert f"https://example.org{address}" in xml


def test_an_error_of_ours_is_said_in_german(rf):
    html = server_error(rf.get("/")).content.decode()
    assert "Auf unserer Seite ist ein Fehler aufgetreten." in html


@pytest.mark.parametrize("muster", [True, False])
def test_where_everything_is_invented_every_page_says_so(client, muster):
    antrag = published().antrag
    type(antrag.parlament).objects.filter(pk=antrag.parlament_id).update(muster=muster)
    pages = ["daten", "methodik", "korrekturen", "impressum", "datenschutz", "api/v1/docs"]
    for address in ["/", *(f"/{page}/" for page in pages[:-1]), f"/{pages[-1]}"]:
        assert ("Musterdaten: Das Land" in read(client, address)) is muster, address


def test_where_nothing_is_published_nothing_is_called_invented(client):
    assert "Musterdaten" not in read(client, "/daten/")
