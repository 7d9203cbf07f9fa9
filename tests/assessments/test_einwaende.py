"""Whoever decides against a failed check says why; the verb asks, not only the desk."""

import pytest
from django.utils import timezone

from assessments.desk.editing import change
from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, BegruendungNoetig, Beleg, Vergleich
from assessments.models.einwaende import CHECKS, NEEDED, failed_checks
from citations.binding import keep, make_zitat
from citations.comparison import Grad
from citations.models import Extraktion, Pruefung
from tests.citations.factories import PruefungFactory

from .am_tisch import (
    ANFANG,
    SATZ,
    VERNEINT,
    decide,
    desk,
    look_at_all,
    open_evidence,
    said,
    sit_down,
    step,
)
from .factories import (
    AUFTRAG,
    AssessmentFactory,
    UserFactory,
    approve,
    cannot_read,
    place_zitat,
    show_all,
)
from .test_risiko import blur_page, hide_text

pytestmark = pytest.mark.django_db

NOTE = "Mit dem gedruckten Heft verglichen."


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


@pytest.fixture
def person():
    return UserFactory(approver=True)


def doubt(assessment, **traits):
    """The newest check of one accepted quote says no."""
    zitat = assessment.belege.filter(seite="programm").get().zitat
    return PruefungFactory(zitat=zitat, **(traits or {"ergebnis": "nicht_beweisbar"}))


def refute(assessment):
    return doubt(assessment, widerlegt=True)


def found_nothing(assessment) -> Vergleich:
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    vergleich.ergebnis_modell, vergleich.score_modell = "nichts_gefunden", None
    vergleich.save()
    return vergleich


def test_every_verb_with_checks_has_its_sentence():
    assert CHECKS.keys() == NEEDED.keys()


def test_nothing_speaks_against_what_no_check_refuses(assessment):
    assert [failed_checks(verb, assessment) for verb in ("approve", "publish", "return")] == [
        []
    ] * 3


# --- Approving ----------------------------------------------------------------------------------

AGAINST_APPROVAL = [
    pytest.param(doubt, "neueste Prüfung nicht bewiesen", id="cannot be proved"),
    pytest.param(refute, "neueste Prüfung nicht bewiesen", id="refuted"),
    pytest.param(hide_text, "Text, der nicht zu sehen ist", id="hidden text"),
    pytest.param(blur_page, r"Nicht maschinell lesbar ist im Antrag: S\. 1", id="unreadable"),
]


@pytest.mark.parametrize(("happens", "says"), AGAINST_APPROVAL)
def test_approving_against_a_check_asks_for_a_reason(assessment, person, happens, says):
    happens(assessment)
    show_all(assessment, person)
    with pytest.raises(BegruendungNoetig, match=says):
        assessment.approve(by=person, note="  ")
    assessment.refresh_from_db()
    assert assessment.status == Assessment.Status.IN_REVIEW
    assessment.approve(by=person, note=NOTE)
    assert assessment.events.get(verb="approve").note == NOTE


def test_all_failed_checks_are_named_at_once(assessment):
    for happens in (doubt, hide_text, blur_page):
        happens(assessment)
    assert len(failed_checks("approve", assessment)) == 3


def test_what_was_proved_since_is_no_objection(assessment):
    zitat = doubt(assessment).zitat
    PruefungFactory(zitat=zitat)
    assert failed_checks("approve", assessment) == []


def test_a_doubt_that_an_editor_confirmed_has_its_reason(assessment, person, monkeypatch):
    cannot_read(monkeypatch)
    beleg = open_evidence(assessment, AUFTRAG)
    beleg.accept(by=person, note=NOTE)
    assert beleg.zitat.letzte_pruefung().ergebnis == Pruefung.Ergebnis.NICHT_BEWEISBAR
    assert failed_checks("approve", assessment) == []


def test_dropped_evidence_is_no_objection(assessment, person):
    doubt(assessment)
    beleg = assessment.belege.get(seite="programm")
    beleg.reopen(by=person)
    beleg.drop(by=person)
    assert failed_checks("approve", assessment) == []


@pytest.mark.parametrize(("happens", "says"), AGAINST_APPROVAL)
def test_the_desk_names_the_checks_before_and_asks(client, assessment, happens, says):
    happens(assessment)
    sit_down(client, approver=True)
    look_at_all(client, assessment)
    html = client.get(desk(assessment)).content.decode()
    assert "Gegen die Freigabe spricht:" in html
    assert "Warum geben Sie trotzdem frei?" in html
    assert "geht nur mit einer Begründung" in said(step(client, assessment, "freigeben"))
    assert assessment.status == Assessment.Status.IN_REVIEW
    step(client, assessment, "freigeben", note=NOTE)
    assert assessment.status == Assessment.Status.APPROVED


def test_where_no_check_failed_the_desk_asks_for_nothing(client, assessment):
    sit_down(client, approver=True)
    html = client.get(desk(assessment)).content.decode()
    assert "Gegen die Freigabe spricht:" not in html


# --- Publishing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("happens", [doubt, refute])
def test_publishing_what_was_doubted_meanwhile_asks_for_a_reason(client, assessment, happens):
    approve(assessment)
    happens(assessment)
    sit_down(client, publisher=True)
    html = client.get(desk(assessment)).content.decode()
    assert "Gegen die Veröffentlichung spricht:" in html
    assert "Veröffentlichen geht nur" in said(step(client, assessment, "veroeffentlichen"))
    assert assessment.status == Assessment.Status.APPROVED
    step(client, assessment, "veroeffentlichen", note=NOTE)
    assert assessment.status == Assessment.Status.PUBLISHED


def test_a_refused_publication_leaves_the_older_version_public(assessment):
    older = AssessmentFactory(published=True, antrag=assessment.antrag)
    assessment.berichtigung = "Neu bewertet."
    assessment.save()
    approve(assessment)
    doubt(assessment)
    with pytest.raises(BegruendungNoetig):
        assessment.publish(by=UserFactory(publisher=True))
    older.refresh_from_db()
    assert older.status == Assessment.Status.PUBLISHED


def test_hidden_text_was_answered_at_approval(assessment, person):
    hide_text(assessment)
    show_all(assessment, person)
    assessment.approve(by=person, note=NOTE)
    assert failed_checks("publish", assessment) == []


@pytest.mark.parametrize("happens", [hide_text, blur_page])
def test_what_a_reading_since_approval_found_asks_for_a_reason(assessment, happens):
    approve(assessment)
    happens(assessment)
    assert failed_checks("publish", assessment) == []
    Extraktion.objects.update(am=timezone.now())
    with pytest.raises(BegruendungNoetig, match="Veröffentlichen geht nur"):
        assessment.publish(by=UserFactory(publisher=True))


# --- Rating a comparison ------------------------------------------------------------------------


def test_rating_where_the_search_found_nothing_asks_for_a_reason(assessment, person):
    vergleich = found_nothing(assessment)
    with pytest.raises(BegruendungNoetig, match="nichts Einschlägiges"):
        change(vergleich, {"score": 7}, by=person)
    vergleich.refresh_from_db()
    assert vergleich.ergebnis == Vergleich.Ergebnis.NICHTS_GEFUNDEN
    change(vergleich, {"score": 7}, by=person, note=NOTE)
    assert vergleich.score == 7
    assert all(NOTE in event.note for event in assessment.events.filter(verb="change"))
    change(vergleich, {"score": 6}, by=person)  # rated already
    assert vergleich.score == 6


def test_another_result_needs_no_reason(assessment, person):
    change(found_nothing(assessment), {"ergebnis": "ohne_beleg"}, by=person)
    assert assessment.vergleiche.get(programmtyp="wahlprogramm").ergebnis == "ohne_beleg"


def test_rating_what_the_model_left_unrated_needs_no_reason(assessment, person):
    vergleich = found_nothing(assessment)
    vergleich.ergebnis_modell = "unbewertet"
    vergleich.save()
    change(vergleich, {"score": 7}, by=person)
    assert vergleich.score == 7


def test_the_desk_asks_beside_the_numbers(client, assessment):
    vergleich = found_nothing(assessment)
    sit_down(client)
    page = desk_url("vergleiche", assessment.pk)
    assert "Warum doch ein Wert?" in client.get(page).content.decode()
    address = desk_url("aendern", assessment.pk, "vergleich", vergleich.pk)
    refused = client.post(address, {"score": "7", "zuvor": ""}, follow=True)
    assert "Ein Wert geht nur mit einer Begründung." in said(refused)
    client.post(address, {"score": "7", "zuvor": "", "note": NOTE})
    vergleich.refresh_from_db()
    assert vergleich.score == 7
    assert "Warum doch ein Wert?" not in client.get(page).content.decode()


# --- Accepting ----------------------------------------------------------------------------------


@pytest.fixture
def cut():
    """Open evidence whose place leaves out the "nicht" of its sentence."""
    text = f"{SATZ}\n\n{AUFTRAG}\n\n{VERNEINT}"
    assessment = AssessmentFactory(in_review=True, antrag__mit_text=text)
    whole = place_zitat(VERNEINT, assessment.fassung.dokument)
    start = whole.spans[0][0]
    place = make_zitat(whole.extraktion, ((start, start + len(ANFANG)),), Grad.WOERTLICH)
    return open_evidence(assessment, None, vorschlag=keep(place))


def test_the_desk_says_before_that_a_negation_is_left_out(client, cut):
    sit_down(client)
    html = client.get(desk(cut.assessment)).content.decode()
    assert "Im selben Satz steht eine Verneinung" in html
    assert "Warum diese Stelle trotzdem gilt" in html
    decide(client, cut, "annehmen", note=NOTE)
    assert cut.zustand == Beleg.Zustand.ANGENOMMEN


def test_no_reason_is_asked_for_where_none_would_help(client, cut):
    """The gap has the "nicht": the check refuses that, so only the whole sentence can be taken."""
    ((start, ende),) = place_zitat(VERNEINT, cut.assessment.fassung.dokument).spans
    gap = start + VERNEINT.index("nicht")
    pieces = ((start, gap), (gap + len("nicht"), ende))
    place = keep(make_zitat(cut.vorschlag.extraktion, pieces, Grad.AUSLASSUNG))
    Beleg.objects.filter(pk=cut.pk).update(vorschlag=place)
    sit_down(client)
    html = client.get(desk(cut.assessment)).content.decode()
    assert "Annehmen geht nicht: Die Auslassung lässt eine Verneinung" in html
    assert "Warum diese Stelle trotzdem gilt" not in html
    decide(client, cut, "annehmen", note=NOTE)
    assert cut.zustand == Beleg.Zustand.OFFEN
    decide(client, cut, "erweitern")
    assert cut.zitat.text == VERNEINT


def test_the_whole_sentence_needs_no_reason(client, cut):
    sit_down(client)
    decide(client, cut, "erweitern")
    assert cut.zitat.text == VERNEINT


def test_an_earlier_doubt_about_the_place_is_said_before(client, assessment):
    beleg = open_evidence(assessment, AUFTRAG)
    PruefungFactory(zitat=beleg.vorschlag, ergebnis="nicht_beweisbar", grund="Seite ist ein Bild.")
    sit_down(client)
    assert "Seite ist ein Bild." in client.get(desk(assessment)).content.decode()


# --- Not against a check ------------------------------------------------------------------------


def test_dropping_what_is_proved_needs_no_reason(assessment, person):
    beleg = assessment.belege.get(feldbewertung__feld="B5")
    PruefungFactory(zitat=beleg.zitat)
    beleg.reopen(by=person)
    beleg.drop(by=person)
    assert beleg.zustand == Beleg.Zustand.VERWORFEN
