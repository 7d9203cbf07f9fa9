"""Nobody approves what the desk has not shown them."""

import pytest
from django.db import IntegrityError, connection, transaction

from assessments.models import Assessment, Beleg, InvalidTransition, Sichtung
from assessments.scale import Wert
from citations.comparison import Grad
from tests.citations.factories import PruefungFactory

from .am_tisch import decide, desk, look_at_all, open_evidence, sit_down, step
from .factories import AssessmentFactory, UserFactory, show_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    """In review; all its evidence is word for word, proved, and not drawn."""
    made = AssessmentFactory(in_review=True)
    made.feldbewertungen.filter(wert_modell__in=["m", "mm"]).update(wert_modell=Wert.FOERDERND)
    for beleg in made.belege.all():
        PruefungFactory(zitat=beleg.zitat)
    return made


def to_show(assessment) -> list[Beleg]:
    belege = assessment.belege.with_sichtung(UserFactory().pk)
    return [beleg for beleg in belege if beleg.ist_zu_zeigen]


def matched(beleg):
    """The same words, said to be only like those of the model."""
    zitat = beleg.zitat
    zitat.pk, zitat.grade = None, Grad.ANGEGLICHEN
    zitat.save()
    PruefungFactory(zitat=zitat)
    Beleg.objects.filter(pk=beleg.pk).update(zitat=zitat)


def hindering(beleg):
    beleg.feldbewertung.wert_redaktion = Wert.HEMMEND
    beleg.feldbewertung.save()


def decided(beleg):
    beleg.reopen(by=UserFactory())
    beleg.accept(by=UserFactory())


def refuted(beleg):
    PruefungFactory(zitat=beleg.zitat, widerlegt=True)


def drawn(beleg):
    Beleg.objects.filter(pk=beleg.pk).update(los=0.2)


def test_what_is_plain_and_not_drawn_need_not_be_shown(assessment):
    assert to_show(assessment) == []
    assessment.approve(by=UserFactory(approver=True))


@pytest.mark.parametrize("make", [matched, hindering, decided, refuted, drawn])
def test_what_is_not_plain_must_be_shown_to_whoever_approves(assessment, make):
    beleg = assessment.belege.get(feldbewertung__feld="B5")
    make(beleg)
    asked = to_show(assessment)
    assert beleg in asked
    approver = UserFactory(approver=True)
    show_all(assessment, UserFactory())  # somebody else has seen it
    with pytest.raises(InvalidTransition, match="Ihnen gezeigt"):
        assessment.approve(by=approver, note="Mit dem Heft verglichen.")
    for one in asked:  # several may cite the same place
        Sichtung.record(one, by=approver)
    assessment.approve(by=approver, note="Mit dem Heft verglichen.")
    assert assessment.status == Assessment.Status.APPROVED


def test_what_somebody_else_changed_since_must_be_shown_again(assessment):
    beleg = assessment.belege.get(feldbewertung__feld="B5")
    approver = UserFactory(approver=True)
    Sichtung.record(beleg, by=approver)
    decided(beleg)
    with pytest.raises(InvalidTransition, match="gezeigt"):
        assessment.approve(by=approver)


def test_what_one_has_decided_oneself_was_shown(assessment):
    approver = UserFactory(approver=True)
    beleg = assessment.belege.get(feldbewertung__feld="B5")
    Sichtung.record(beleg, by=approver)
    beleg.reopen(by=approver)
    beleg.accept(by=approver)
    assessment.approve(by=approver)


def test_raw_sql_approves_nothing_unseen(assessment):
    drawn(assessment.belege.get(feldbewertung__feld="B5"))
    statement = (
        "UPDATE assessments_assessment SET status = 'approved', approved_by_id = %s, "
        "approved_at = now() WHERE id = %s"
    )
    with (
        pytest.raises(IntegrityError, match="was not shown"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, [UserFactory().pk, assessment.pk])


def test_a_third_is_drawn():
    bewertung = AssessmentFactory().feldbewertungen.get(feld="C1")
    rows = [
        Beleg(
            assessment=bewertung.assessment,
            feldbewertung=bewertung,
            seite="antrag",
            zustand="offen",
            herkunft="modell",
        )
        for _ in range(600)
    ]
    Beleg.objects.bulk_create(rows)
    share = bewertung.belege.filter(los__lt=1 / 3).count() / 600
    assert 0.2 < share < 0.47  # by chance beyond that once in 10^10 runs


# --- On the desk --------------------------------------------------------------------------------


def test_the_desk_records_whose_place_it_shows(client, assessment):
    person = sit_down(client, approver=True)
    beleg = assessment.belege.get(feldbewertung__feld="B5")
    client.get(desk(assessment, beleg=beleg.pk))
    assert list(Sichtung.objects.values_list("beleg", "by")) == [(beleg.pk, person.pk)]
    client.get(desk(assessment, beleg=beleg.pk))
    assert Sichtung.objects.count() == 1


def test_the_desk_does_not_call_proved_what_the_newest_check_refuted(client, assessment):
    sit_down(client, approver=True)
    beleg = assessment.belege.get(feldbewertung__feld="B5")
    assert "maschinell bewiesen" in client.get(desk(assessment, beleg=beleg.pk)).content.decode()
    refuted(beleg)
    html = client.get(desk(assessment, beleg=beleg.pk)).content.decode()
    assert "maschinell bewiesen" not in html
    assert "von der letzten Prüfung nicht bewiesen" in html


def test_another_page_of_the_document_shows_no_place(client):
    assessment = AssessmentFactory(in_review=True)
    sit_down(client, approver=True)
    beleg = assessment.belege.get(seite="programm")
    motion = assessment.fassung.dokument_id
    client.get(desk(assessment, beleg=beleg.pk, dokument=motion))
    assert not Sichtung.objects.exists()


def test_the_closed_door_says_what_was_not_shown_and_leads_there(client, assessment):
    sit_down(client, approver=True)
    for feld in ("B5", "D1"):
        drawn(assessment.belege.get(feldbewertung__feld=feld))
    first = client.get(desk(assessment, beleg=assessment.belege.get(seite="programm").pk))
    html = " ".join(first.content.decode().split())
    assert "2 Belege</a>, die Sie ansehen müssen, wurden Ihnen noch nicht gezeigt." in html
    step(client, assessment, "freigeben")
    assert assessment.status == Assessment.Status.IN_REVIEW
    look_at_all(client, assessment)
    html = client.get(desk(assessment)).content.decode()
    assert "Die 2 Belege, die Sie ansehen müssen, wurden gezeigt." in html
    step(client, assessment, "freigeben")
    assert assessment.status == Assessment.Status.APPROVED


def test_behind_the_last_decision_lies_what_is_still_to_be_shown(client, assessment):
    sit_down(client, approver=True)
    drawn(assessment.belege.get(feldbewertung__feld="B5"))
    beleg = open_evidence(assessment)
    client.get(desk(assessment))
    response = decide(client, beleg, "annehmen")
    assert response.context["posten"].beleg.feldbewertung.feld == "B5"
    assert not response.context["tisch"].ungezeigte


def test_who_may_not_approve_is_not_sent_through_what_is_plain(client, assessment):
    sit_down(client)
    drawn(assessment.belege.get(feldbewertung__feld="B5"))
    assert client.get(desk(assessment)).context["posten"] is None
