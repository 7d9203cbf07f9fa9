"""Accepting evidence proves it, whoever calls the verb; and what counts as confirmed."""

import pytest
from django.db import connection

from assessments.bestaetigung import is_confirmed
from assessments.models import BegruendungNoetig, Beleg, InvalidTransition
from assessments.pruefgang import verify
from assessments.pruefstand import pruefstaende
from citations import verification
from citations.binding import make_zitat
from citations.comparison import Grad
from citations.models import Pruefung
from citations.verification import run_child
from tests.citations.factories import PruefungFactory

from .am_tisch import ANFANG, HALBSATZ, SATZ, VERNEINT, open_evidence
from .factories import (
    AUFTRAG,
    AssessmentFactory,
    UserFactory,
    approve,
    cannot_read,
    place_zitat,
    tamper,
)

pytestmark = pytest.mark.django_db

Ergebnis = Pruefung.Ergebnis


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


@pytest.fixture
def person():
    return UserFactory(reviewer=True)


def during_the_check(monkeypatch, happens):
    """Something happens while the second engine (the outside edge) reads the file."""

    def slow(*args):
        happens()
        return run_child(*args)

    monkeypatch.setattr(verification, "run_child", slow)


# --- The verb proves ---------------------------------------------------------------------------


def test_accepting_keeps_the_check(assessment, person):
    beleg = open_evidence(assessment)
    beleg.accept(by=person)
    assert beleg.zitat.letzte_pruefung().ergebnis == Ergebnis.BEWIESEN


def test_a_refuted_place_is_never_accepted(assessment, person):
    beleg = open_evidence(assessment)
    tamper("UPDATE citations_zitat SET seite = 7 WHERE id = %s", beleg.vorschlag_id)
    with pytest.raises(InvalidTransition, match=r"gilt nicht als Beleg\. Die Seite"):
        Beleg.objects.get(pk=beleg.pk).accept(by=person, note="Doch.")
    beleg.refresh_from_db()
    assert beleg.zustand == Beleg.Zustand.OFFEN
    assert beleg.vorschlag.letzte_pruefung().ergebnis == Ergebnis.WIDERLEGT


def test_a_place_that_cannot_be_proved_needs_a_note(assessment, person, monkeypatch):
    cannot_read(monkeypatch)
    beleg = open_evidence(assessment)
    with pytest.raises(BegruendungNoetig):
        beleg.accept(by=person, note=" ")
    assert beleg.events.count() == 0
    beleg.accept(by=person, note="Mit dem Heft verglichen.")
    assert beleg.zitat.letzte_pruefung().ergebnis == Ergebnis.NICHT_BEWEISBAR


def test_a_place_that_leaves_out_a_negation_needs_a_note(person):
    text = f"{SATZ}\n\n{AUFTRAG}\n\n{VERNEINT}"
    assessment = AssessmentFactory(in_review=True, antrag__mit_text=text)
    whole = place_zitat(VERNEINT, assessment.fassung.dokument)
    start = whole.spans[0][0]
    cut = make_zitat(whole.extraktion, ((start, start + len(ANFANG)),), Grad.WOERTLICH)
    beleg = open_evidence(assessment, None)
    with pytest.raises(BegruendungNoetig, match="Verneinung"):
        beleg.accept(by=person, zitat=cut)
    beleg.accept(by=person, zitat=cut, note="Gemeint ist genau das.")
    assert beleg.zitat.text == ANFANG


def test_what_is_proved_is_the_stored_place(assessment, person):
    """An unsaved place that is stored already counts as it is stored."""
    stored = place_zitat(AUFTRAG, assessment.fassung.dokument)
    tamper("UPDATE citations_zitat SET text = 'Alles bleibt.' WHERE id = %s", stored.pk)
    fresh = make_zitat(stored.extraktion, tuple(map(tuple, stored.spans)), Grad(stored.grade))
    with pytest.raises(InvalidTransition, match="Wortlaut"):
        open_evidence(assessment, None).accept(by=person, zitat=fresh)


def test_what_was_chosen_during_the_check_is_not_accepted(assessment, person, monkeypatch):
    beleg = open_evidence(assessment, HALBSATZ)
    other = place_zitat(AUFTRAG, assessment.fassung.dokument)
    same = Beleg.objects.get(pk=beleg.pk)
    during_the_check(monkeypatch, lambda: same.propose(other, by=UserFactory()))
    with pytest.raises(InvalidTransition, match="andere Stelle"):
        beleg.accept(by=person)
    beleg.refresh_from_db()
    assert (beleg.zustand, beleg.vorschlag) == (Beleg.Zustand.OFFEN, other)


def test_what_was_dropped_during_the_check_stays_dropped(assessment, person, monkeypatch):
    beleg = open_evidence(assessment)
    same = Beleg.objects.get(pk=beleg.pk)
    during_the_check(monkeypatch, lambda: same.drop(by=UserFactory()))
    with pytest.raises(InvalidTransition, match="schon geschehen: Der Beleg ist verworfen"):
        beleg.accept(by=person)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_locked_while_the_second_engine_reads(monkeypatch):
    beleg = open_evidence(AssessmentFactory(in_review=True))
    locked = []
    during_the_check(monkeypatch, lambda: locked.append(connection.in_atomic_block))
    beleg.accept(by=UserFactory(reviewer=True))
    assert locked == [False]


# --- Confirmed: one definition for the pages and the verification ------------------------------


def accept_unprovable(assessment, person, monkeypatch) -> Beleg:
    cannot_read(monkeypatch)
    beleg = open_evidence(assessment, SATZ, feld="E1")
    beleg.accept(by=person, note="Mit dem Heft verglichen.")
    return beleg


def both_say(beleg) -> bool:
    """Whether the place is confirmed; the page and the verification must agree."""
    for_readers = pruefstaende([beleg.zitat_id])[beleg.zitat_id].ist_bestaetigt
    assert is_confirmed(beleg) == for_readers
    return for_readers


def test_an_editor_who_knew_the_doubt_confirmed_the_place(assessment, person, monkeypatch):
    beleg = accept_unprovable(assessment, person, monkeypatch)
    publish(assessment)
    beleg.zitat.pruefungen.create(ergebnis=Ergebnis.NICHT_BEWEISBAR)
    assert both_say(beleg)


def test_an_editor_who_accepted_what_was_proved_confirmed_no_later_doubt(assessment, person):
    beleg = open_evidence(assessment, SATZ, feld="E1")
    beleg.accept(by=person)
    publish(assessment)
    beleg.zitat.pruefungen.create(ergebnis=Ergebnis.NICHT_BEWEISBAR)
    assert not both_say(beleg)


def test_what_is_refuted_nobody_can_confirm(assessment, person, monkeypatch):
    beleg = accept_unprovable(assessment, person, monkeypatch)
    publish(assessment)
    PruefungFactory(zitat=beleg.zitat, widerlegt=True)
    assert not both_say(beleg)


def test_the_machine_confirms_nothing():
    beleg = AssessmentFactory(published=True).belege.first()
    beleg.zitat.pruefungen.create(ergebnis=Ergebnis.NICHT_BEWEISBAR)
    assert not both_say(beleg)


def test_a_confirmed_place_raises_no_alarm_and_an_unconfirmed_one_does(
    assessment, person, monkeypatch
):
    confirmed = accept_unprovable(assessment, person, monkeypatch)
    publish(assessment)
    bilanz = verify(published=True)
    doubtful = {f["beleg"]: f["confirmed"] for f in bilanz.failures}
    shared = set(assessment.belege.filter(zitat=confirmed.zitat_id).values_list("pk", flat=True))
    assert {pk for pk, is_sure in doubtful.items() if is_sure} == shared
    assert bilanz.unconfirmed == len(doubtful) - len(shared) > 0


def publish(assessment):
    approve(assessment)
    assessment.publish(by=UserFactory(publisher=True))
