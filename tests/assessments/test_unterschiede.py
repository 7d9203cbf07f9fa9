"""What differs: between two versions, and between the model and the editors."""

import pytest

from assessments.desk.rahmen import desk_url
from assessments.models import Beleg
from assessments.scale import Wert
from assessments.unterschiede import MAX_DIFF, Inhalt, between, by_editors
from citations.wortdiff import Art

from .am_tisch import sit_down
from .factories import AssessmentFactory, BelegFactory, LaufFactory, place_zitat
from .seiten import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def alt():
    return AssessmentFactory(published=True)


@pytest.fixture
def neu(alt):
    lauf = LaufFactory(fassung=alt.fassung, modell="muster-2", prompt_version="2")
    return AssessmentFactory(antrag=alt.antrag, in_review=True, lauf=lauf)


def compared(alt, neu):
    return between(Inhalt.load(alt), Inhalt.load(neu))


def changed(assessment):
    return by_editors(Inhalt.load(assessment))


def rows(difference):
    return {row.ort.split(",")[0]: row for row in difference.zeilen}


def test_two_that_say_the_same_do_not_differ(alt):
    neu = AssessmentFactory(antrag=alt.antrag)
    difference = compared(alt, neu)
    assert difference.zeilen == []
    assert difference.angaben == []
    assert difference.gleiche == 1 + 25 + 2 + 1
    assert difference.belege == (0, 0, alt.belege.count())


def test_ratings_reasons_and_summary_are_compared(alt, neu):
    neu.feldbewertungen.filter(feld="D1").update(
        wert_redaktion="m", begruendung_redaktion="So wirkt der Antrag kaum auf D1."
    )
    neu.zusammenfassung_redaktion = "Das Land soll jeden Monat berichten und Nachweise aussetzen."
    neu.save()
    found = rows(compared(alt, neu))
    assert list(found) == ["Zusammenfassung", "D1"]
    assert (found["D1"].alt.zeichen, found["D1"].neu.zeichen) == ("++", "−")
    ((name, diff),) = found["D1"].texte
    assert name == "Begründung"
    assert [part.text for part in diff if part.art is Art.NEU] == ["kaum "]
    ((_, diff),) = found["Zusammenfassung"].texte
    assert [part.text for part in diff if part.art is Art.WEG] == ["jedes Jahr"]


def test_comparisons_show_their_scores_or_why_there_is_none(alt, neu):
    neu.vergleiche.filter(programmtyp="wahlprogramm").update(score_redaktion=3)
    neu.vergleiche.filter(programmtyp="grundsatzprogramm").update(
        ergebnis_redaktion="nichts_gefunden"
    )
    one, other = compared(alt, neu).zeilen
    assert (one.alt.zeichen, one.neu.zeichen) == ("8", "3")
    assert other.alt.wort == "Das Programm liegt uns nicht vor."
    assert other.neu.wort == "Gesucht, nichts Einschlägiges gefunden."


def test_evidence_is_new_gone_or_the_same(alt, neu):
    extra = place_zitat("Der Landtag wolle beschließen", neu.fassung.dokument)
    BelegFactory(owner_row=neu.feldbewertungen.get(feld="B5"), zitat=extra)
    neu.feldbewertungen.get(feld="D1").belege.update(zustand=Beleg.Zustand.VERWORFEN, zitat=None)
    difference = compared(alt, neu)
    found = rows(difference)
    assert found["B5"].dazu == ["Antrag: „Der Landtag wolle beschließen“"]
    assert found["B5"].gleich == 1
    assert len(found["D1"].weg) == 1
    assert difference.belege == (1, 1, alt.belege.count() - 1)


def test_how_it_came_about_is_told_where_it_differs(alt, neu):
    angaben = {a.name: (a.alt, a.neu) for a in compared(alt, neu).angaben}
    assert angaben == {
        "Modell": ("muster-1", "muster-2"),
        "Anweisungen": ("Fassung 1", "Fassung 2"),
    }


def test_another_programme_shows(alt, neu):
    vergleich = neu.vergleiche.get(programmtyp="wahlprogramm")
    neu.vergleiche.filter(pk=vergleich.pk).update(programm=None, score_modell=None)
    neu.vergleiche.filter(pk=vergleich.pk).update(ergebnis_modell="kein_programm")
    (row,) = compared(alt, neu).zeilen
    assert "Programm" in dict(row.texte)


def test_what_the_editors_changed_stands_against_what_the_model_said():
    assessment = AssessmentFactory(in_review=True)
    assert changed(assessment).zeilen == []
    assessment.feldbewertungen.filter(feld="A4").update(wert_redaktion=Wert.OHNE_WIRKUNG)
    assessment.verbesserungen.update(titel_redaktion="Nachweise vereinfachen statt streichen")
    field, proposal = changed(assessment).zeilen
    assert (field.alt.zeichen, field.neu.zeichen) == ("−−", "○")
    ((name, _),) = proposal.texte
    assert name == "Titel"


def test_what_no_model_said_is_no_change_of_it():
    assessment = AssessmentFactory()
    assessment.feldbewertungen.update(wert_modell="", wert_redaktion="n", begruendung_modell="")
    assert all("," not in row.ort or row.texte for row in changed(assessment).zeilen)
    assert not [row for row in changed(assessment).zeilen if row.hat_werte]


def test_texts_of_any_length_are_compared_in_bounded_time(alt, neu):
    long = "wort " * MAX_DIFF
    neu.feldbewertungen.filter(feld="D1").update(begruendung_redaktion=long)
    ((_, diff),) = rows(compared(alt, neu))["D1"].texte
    assert [part.art for part in diff] == [Art.WEG, Art.NEU]


# --- On the pages ----------------------------------------------------------------------------


def test_the_desk_has_a_tab_with_both_comparisons(client, neu):
    neu.feldbewertungen.filter(feld="D1").update(wert_redaktion="m")
    sit_down(client)
    html = words(client.get(desk_url("unterschiede", neu.pk)).content.decode())
    assert "Vergleich mit Fassung 1" in html
    assert "muster-1 muster-2" in html
    assert "++ stark fördernd → − hemmend" in html
    assert "Modell und Redaktion" in html


def test_two_drafts_that_wait_are_compared_with_each_other(client):
    older = AssessmentFactory(in_review=True)
    newer = AssessmentFactory(antrag=older.antrag, in_review=True)
    sit_down(client)
    html = words(client.get(desk_url("unterschiede", newer.pk)).content.decode())
    assert "Vergleich mit der Bewertung vom" in html
    html = words(client.get(desk_url("unterschiede", older.pk)).content.decode())
    assert "Vergleich mit der Bewertung vom" not in html


@pytest.mark.parametrize("stand", ["draft", "in_review", "approved", "published", "withdrawn"])
def test_model_and_editors_can_be_told_apart_in_every_state(client, stand):
    assessment = AssessmentFactory(stand=stand)
    sit_down(client)
    response = client.get(desk_url("alle_unterschiede", assessment.pk))
    assert "nichts geändert" in words(response.content.decode())


def test_the_page_is_for_the_editors_only(client, alt):
    sit_down(client, may=[])
    assert client.get(desk_url("alle_unterschiede", alt.pk)).status_code == 403
    assert client.post(desk_url("alle_unterschiede", alt.pk)).status_code in (403, 405)


def test_hostile_texts_are_only_shown(client, alt, neu):
    neu.feldbewertungen.filter(feld="D1").update(begruendung_redaktion="<script>x</script>")
    sit_down(client)
    html = client.get(desk_url("unterschiede", neu.pk)).content.decode()
    assert "<script>x" not in html


def test_queries_are_bounded(client, neu, django_assert_max_num_queries):
    """Thirteen more than the other pages of the desk."""
    neu.feldbewertungen.update(wert_redaktion="m", begruendung_redaktion="Anders.")
    sit_down(client)
    with django_assert_max_num_queries(38):
        client.get(desk_url("unterschiede", neu.pk))
