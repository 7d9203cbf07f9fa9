"""Picking another passage: by words in the motion, by meaning in a programme, or typed in."""

import pytest

from assessments.desk.rahmen import desk_url
from assessments.models import Beleg
from programme.ingesting import reindex
from tests.programme.factories import ProgrammFactory

from .am_tisch import (
    HALBSATZ,
    SATZ,
    decide,
    open_evidence,
    open_programme_evidence,
    said,
    shown,
    sit_down,
)
from .factories import AUFTRAG, ZUSAGE, AssessmentFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


def look_for(client, beleg, words):
    return client.get(desk_url("stelle", beleg.assessment_id, beleg.pk, q=words))


def choose(client, beleg, hit=None, **data):
    """Puts the found sentence (or what `data` says) on the desk."""
    if hit:
        found = next(satz for satz in hit.saetze if satz.gefunden)
        data = {"lesung": hit.lesung.pk, "satz": found.schluessel, **data}
    response = client.post(
        desk_url("stelle", beleg.assessment_id, beleg.pk), shown(beleg) | data, follow=True
    )
    beleg.refresh_from_db()
    return response


def test_the_motion_is_searched_by_words(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    (hit,) = look_for(client, beleg, "Nachweise der Lieferkette").context["treffer"]
    assert [satz.text for satz in hit.saetze if satz.gefunden] == [AUFTRAG]
    assert (hit.werk, hit.zahl) == ("Antrag", "1")


def test_a_chosen_sentence_is_shown_first_and_accepted_by_a_step_of_its_own(client, assessment):
    person = sit_down(client)
    beleg = open_evidence(assessment, None)
    (hit,) = look_for(client, beleg, "Lieferkette").context["treffer"]
    response = choose(client, beleg, hit)
    assert (beleg.zustand, beleg.vorschlag.text) == (Beleg.Zustand.OFFEN, AUFTRAG)
    assert beleg.herkunft == Beleg.Herkunft.REDAKTION
    assert "Von der Redaktion gewählte Stelle" in response.content.decode()
    decide(client, beleg, "annehmen")
    assert beleg.zitat.text == AUFTRAG
    assert [event.by for event in beleg.events.all()] == [person, person]


def test_a_programme_is_searched_by_meaning_and_only_that_of_the_party(client, assessment):
    sit_down(client)
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    reindex(vergleich.programm)
    vergleich.programm.confirm(durch="Prüfung", gesehen=vergleich.programm.zweifel)
    ProgrammFactory(
        parlament=assessment.antrag.parlament,
        seiten=["Wir legen jedes Jahr genau offen, wofür das Land sein Geld ausgibt und warum."],
    )
    beleg = open_programme_evidence(assessment, None)
    hits = look_for(client, beleg, "Wofür gibt das Land sein Geld aus?").context["treffer"]
    assert {hit.lesung.dokument_id for hit in hits} == {vergleich.programm.dokument_id}
    hit = hits[0]
    span = next(satz for satz in hit.saetze if satz.text == ZUSAGE)
    choose(client, beleg, lesung=hit.lesung.pk, satz=span.schluessel)
    decide(client, beleg, "annehmen")
    assert beleg.zitat.text == ZUSAGE


def test_where_no_sentence_has_the_words_the_nearest_by_meaning_comes_first(client, assessment):
    sit_down(client)
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    reindex(vergleich.programm)
    vergleich.programm.confirm(durch="Prüfung", gesehen=vergleich.programm.zweifel)
    beleg = open_programme_evidence(assessment, None)
    hit = look_for(client, beleg, "Finanzen jährlich transparent machen").context["treffer"][0]
    assert not any(satz.gefunden for satz in hit.saetze)
    first = next(satz for satz in hit.saetze if satz.schluessel == hit.erster)
    assert first.text == ZUSAGE != hit.saetze[0].text


def test_typed_words_are_placed_by_the_server(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    choose(client, beleg, wortlaut=f"„{HALBSATZ}“")
    assert beleg.vorschlag.text == HALBSATZ


def test_words_typed_nearly_right_lead_to_the_nearest_place(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    response = choose(client, beleg, wortlaut=SATZ.replace("30. Juni", "31. Dezember"))
    assert "Genau so steht es dort nicht" in said(response)
    assert "30. Juni" in beleg.vorschlag.text


def test_invented_words_find_no_place(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    response = choose(client, beleg, wortlaut="Alle Kühe des Landes erhalten bunte Glocken.")
    assert "nichts kommt ihnen nahe" in said(response)
    assert beleg.vorschlag is None


@pytest.mark.parametrize(
    "satz", [[], ["0-5"], ["5-2"], ["x-y"], ["0-99999999"], ["-4-9"], ["0-" + "9" * 40]]
)
def test_a_made_up_place_is_refused(client, assessment, satz):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    lesung = assessment.fassung.dokument.lesung
    response = choose(client, beleg, lesung=lesung.pk, satz=satz)
    assert said(response)
    assert beleg.vorschlag is None


def test_sentences_must_follow_each_other(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    hits = look_for(client, beleg, "Landtag Lieferkette").context["treffer"]
    saetze = {satz.text: satz.schluessel for hit in hits for satz in hit.saetze}
    first, last = min(saetze.values(), key=_start), max(saetze.values(), key=_start)
    response = choose(client, beleg, lesung=hits[0].lesung.pk, satz=[first, last])
    assert "aufeinander folgen" in said(response)
    choose(client, beleg, lesung=hits[0].lesung.pk, satz=list(saetze.values()))
    assert AUFTRAG in beleg.vorschlag.text


def _start(schluessel):
    return int(schluessel.partition("-")[0])


def test_a_document_that_may_not_speak_here_cannot_be_chosen(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    foreign = assessment.vergleiche.get(programmtyp="wahlprogramm").programm.dokument.lesung
    response = choose(client, beleg, lesung=foreign.pk, satz="0-40")
    assert "darf dieser Beleg nicht zitieren" in said(response)
    assert beleg.vorschlag is None


def test_a_decided_piece_cannot_be_given_another_place(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment)
    decide(client, beleg, "annehmen")
    response = choose(client, beleg, wortlaut=SATZ)
    assert "schon geschehen" in said(response)


def test_a_question_is_shown_as_text(client, assessment):
    sit_down(client)
    beleg = open_evidence(assessment, None)
    html = look_for(client, beleg, '"><script>x</script>').content.decode()
    assert "<script>x" not in html
    assert "Nichts gefunden" in html


def test_a_programme_without_an_index_is_searched_by_its_words(client, assessment):
    sit_down(client)
    beleg = open_programme_evidence(assessment, None)
    (hit,) = look_for(client, beleg, "jedes Jahr Geld").context["treffer"]
    assert [satz.text for satz in hit.saetze if satz.gefunden] == [ZUSAGE]
