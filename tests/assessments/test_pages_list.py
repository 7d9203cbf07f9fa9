"""The start page: list, search, filters, and what it says when there is nothing."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.models import Assessment
from assessments.views import liste
from parlamente.models import Parlament
from tests.parlamente.factories import AntragFactory, ParlamentFactory, ParteiFactory

from .factories import ANTRAGSTEXT, AssessmentFactory, advance
from .seiten import correction_of, published, read, words

pytestmark = pytest.mark.django_db


def motion(titel="Ein Antrag", **fields):
    return AntragFactory(mit_text=ANTRAGSTEXT, titel=titel, **fields)


def test_an_empty_site_says_so(client):
    html = read(client, "/")
    assert "Noch nichts veröffentlicht" in html
    assert "Satz für Satz belegt" in html


def test_an_entry_shows_title_summary_submitters_and_value_with_its_spread(client):
    published(antrag=motion("Hitzeschutz", einbringende=[ParteiFactory(kuerzel="UFER")]))
    text = words(read(client, "/"))
    assert "1 Antrag" in text
    assert "Hitzeschutz Das Land soll jedes Jahr berichten" in text
    assert "Eingebracht von UFER" in text
    assert "5,6 von 10 4 Felder, −− bis ++" in text


def test_the_small_matrix_names_its_fields_in_words(client):
    published()
    assert "Betroffene Felder: A4 stark hemmend, B5 fördernd" in read(client, "/")


def test_the_newest_motion_comes_first(client):
    published(antrag=motion("Älter", datum=date(2016, 5, 20)))
    published(antrag=motion("Neuer", datum=date(2016, 9, 20)))
    html = read(client, "/")
    assert html.index(">Neuer<") < html.index(">Älter<")


def test_the_cut_out_shows_a_proved_quote_of_the_newest_motion(client):
    zitat = published().belege.filter(feldbewertung__feld="B5").get().zitat
    html = read(client, "/")
    assert f'href="/zitat/{zitat.pk}/"' in html or 'class="schnipsel"' in html


@pytest.mark.parametrize("q", ["Hitzeschutz", "hitze", "30. Juni", "jedes jahr", "Hitze Juni"])
def test_search_finds_title_summary_and_quotes(client, q):
    published(antrag=motion("Hitzeschutz in Kitas"))
    assert "1 Antrag" in read(client, "/", q=q)


@pytest.mark.parametrize(
    ("q", "anzahl"),
    [
        ('"Hitzeschutz in Kitas"', 1),
        ("„schutz in“", 1),
        ('"Kitas in Hitzeschutz"', 0),
        ("»Hitzeschutz« Kitas", 1),
        ('Kitas "Hitze', 1),
        ('""', 1),
    ],
)
def test_words_between_marks_stand_together(client, q, anzahl):
    published(antrag=motion("Hitzeschutz in Kitas"))
    html = read(client, "/", q=q)
    assert ("1 Antrag" in html) == bool(anzahl)
    assert ("Kein geprüfter Antrag" in html) == (not anzahl)


def test_a_question_with_marks_of_its_own_gets_no_others(client):
    published()
    assert "Kein geprüfter Antrag zu „Halte neun“<" in read(client, "/", q="„Halte neun“")
    assert "Kein geprüfter Antrag zu „Halteneun“<" in read(client, "/", q="Halteneun")


@pytest.mark.parametrize(("of_this_period", "found"), [(True, True), (False, False)])
def test_a_number_with_its_period_is_of_that_period(client, of_this_period, found):
    antrag = published(antrag=motion("Hitzeschutz")).antrag
    period = antrag.wahlperiode.nummer + (0 if of_this_period else 1)
    html = read(client, "/", q=f"{period}/{antrag.nummer}")
    assert ("1 Antrag" in html) == found
    assert "1 Antrag" in read(client, "/", q=antrag.nummer)


def test_all_words_must_occur(client):
    published(antrag=motion("Hitzeschutz"))
    text = words(read(client, "/", q="Hitze Wassercent"))
    assert "Kein geprüfter Antrag zu „Hitze Wassercent“" in text
    assert "Bewertungen, die noch in Prüfung sind, werden nicht durchsucht." in text


def test_the_models_summary_is_not_searched_once_the_editors_wrote_another(client):
    assessment = AssessmentFactory()
    Assessment.objects.filter(pk=assessment.pk).update(zusammenfassung_redaktion="Anders gesagt.")
    assessment.refresh_from_db()
    advance(assessment, "published")
    assert "Kein geprüfter Antrag" in read(client, "/", q="aussetzen")


def test_filters_narrow_the_list_and_can_be_taken_away(client):
    ufer = ParteiFactory(kuerzel="UFER")
    published(antrag=motion("Von UFER", einbringende=[ufer]), themen=["Klima"])
    published(antrag=motion("Von anderen", einbringende=[ParteiFactory(kuerzel="TÄLER")]))
    html = read(client, "/", partei="UFER", thema="Klima", feld="A4")
    assert "Von UFER" in html
    assert "Von anderen" not in html
    assert 'href="/?thema=Klima&amp;feld=A4"' in html  # without the party


def test_a_field_that_no_motion_affects_finds_nothing(client):
    published()
    assert "Kein geprüfter Antrag mit diesem Filter" in read(client, "/", feld="A1")


def test_an_unknown_filter_is_left_out_and_said(client):
    published()
    html = read(client, "/", partei="NIEMAND")
    assert "Einen der Filter gibt es nicht" in html
    assert "1 Antrag" in html


def test_a_parliament_has_its_own_list(client):
    published(antrag=motion("Hier", parlament=ParlamentFactory(code="ML")))
    published(antrag=motion("Dort", parlament=ParlamentFactory(code="SE")))
    html = read(client, "/ml/")
    assert "Hier" in html
    assert "Dort" not in html
    assert client.get("/ML/").headers["Location"] == "/ml/"


def test_a_parliament_without_anything_published_says_so(client):
    published()
    ParlamentFactory(code="SE", land="Seenland")
    assert "Kein geprüfter Antrag mit diesem Filter" in read(client, "/se/")


def test_corrections_are_announced_beside_the_list(client):
    correction_of(published())
    html = read(client, "/")
    assert "Zuletzt berichtigt" in html
    assert "<strong>berichtigt</strong>" in html


def test_the_list_is_paged(client, monkeypatch):
    monkeypatch.setattr(liste, "PER_PAGE", 3)
    for day in range(4):
        published(antrag=motion(f"Nr. {day:02}", datum=date(2016, 6, 1) + timedelta(days=day)))
    first, second = read(client, "/"), read(client, "/", seite=2)
    assert "Nr. 03" in first
    assert "Nr. 00" not in first
    assert "Nr. 00" in second
    assert 'href="/?seite=2" rel="next"' in first
    # One more entry must not cost one more query.
    with CaptureQueriesContext(connection) as many:
        read(client, "/", q="Nr")
    with CaptureQueriesContext(connection) as one:
        read(client, "/", q="Nr", seite=2)
    assert len(many) == len(one)


@pytest.mark.parametrize("seite", ["0", "-3", "x", "1e9", "9" * 5000, "²", ""])
def test_any_page_number_is_answered(client, seite):
    published()
    assert "1 Antrag" in read(client, "/", seite=seite)


def test_a_huge_question_is_cut_and_the_page_says_so(client):
    published()
    html = read(client, "/", q="Hitze " * 2000)
    assert "Die Suche war sehr lang" in html
    assert len(html) < 30_000


@pytest.mark.parametrize(
    "q",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "%_\\",
        "a\x00b",
        "\u202egnp.exe",
        "' OR 1=1 --",
    ],
)
def test_a_hostile_question_is_only_text(client, q):
    published()
    html = read(client, "/", q=q, thema=q, parlament=q, partei=q, feld=q)
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "\x00" not in html


def test_search_results_are_not_for_search_engines(client):
    published()
    assert 'content="noindex"' in read(client, "/", q="x")
    assert "noindex" not in read(client, "/")


def test_invented_parliaments_are_named_as_such_among_real_ones(client):
    published(antrag=motion(parlament=ParlamentFactory(muster=True)))
    assert "Musterdaten: Das Land" in read(client, "/")
    published()
    html = read(client, "/")
    assert "Musterdaten: Das Land" not in html
    assert html.count("<strong>erfunden</strong>") == Parlament.objects.filter(muster=True).count()
