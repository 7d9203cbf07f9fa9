"""The lease on an assessment of the queue: one winner, an end, a takeover, and the next item."""

import re
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from assessments.desk.editing import change
from assessments.desk.rahmen import desk_url
from assessments.models import Assessment, Reserviert, Reservierung
from assessments.risiko import by_risk

from .am_tisch import decide, desk, open_evidence, said, sit_down, step
from .factories import PUBLISHER, REVIEWER, AssessmentFactory, UserFactory, approve, show_all

pytestmark = pytest.mark.django_db


def lease(assessment, person=None):
    person = person or UserFactory(reviewer=True)
    Reservierung.take(assessment, by=person)
    return person


def holder(assessment):
    row = Reservierung.objects.active().filter(assessment=assessment.pk).first()
    return row.person if row else None


def run_out(assessment):
    Reservierung.objects.filter(assessment=assessment.pk).update(bis=timezone.now())


def test_one_has_the_lease_until_it_ends():
    assessment = AssessmentFactory(in_review=True)
    first, second = lease(assessment), UserFactory(reviewer=True)
    with pytest.raises(Reserviert, match=f"reserviert von {first} bis"):
        lease(assessment, second)
    run_out(assessment)
    lease(assessment, second)
    assert holder(assessment) == second


def test_a_decision_of_anybody_else_is_refused_by_the_model_and_goes_once_the_lease_ends():
    assessment = AssessmentFactory(in_review=True)
    beleg, other = open_evidence(assessment), UserFactory(approver=True)
    lease(assessment)
    feld = assessment.feldbewertungen.get(feld="B5")
    for refused in (
        lambda: beleg.drop(by=other),
        lambda: change(feld, {"begruendung": "anders"}, by=other),
        lambda: assessment.reject(by=other, note="So nicht."),
        lambda: assessment.return_to_draft(by=other, note="Bitte neu."),
    ):
        with pytest.raises(Reserviert, match="Entschieden oder gespeichert ist nichts"):
            refused()
    run_out(assessment)
    beleg.drop(by=other)


def test_work_prolongs_the_lease(settings):
    assessment = AssessmentFactory(in_review=True)
    beleg, person = open_evidence(assessment), lease(assessment)
    soon = timezone.now() + timedelta(minutes=1)
    Reservierung.objects.update(bis=soon)
    beleg.drop(by=person)
    assert Reservierung.objects.get().bis > soon + timedelta(minutes=20)
    settings.RESERVIERUNG_MINUTEN = 5
    lease(assessment, person)
    assert Reservierung.objects.get().bis < timezone.now() + timedelta(minutes=6)


@pytest.mark.parametrize(
    ("stand", "verb"), [("in_review", "approve"), ("in_review", "reject"), ("approved", "publish")]
)
def test_the_last_step_ends_the_lease(stand, verb):
    assessment = AssessmentFactory(stand=stand)
    person = lease(assessment, UserFactory(publisher=True))
    show_all(assessment, person)
    getattr(assessment, verb)(by=person, note="Fertig.")
    assert not Reservierung.objects.exists()


def test_looking_takes_no_lease_and_the_button_does(client):
    me = sit_down(client)
    assessment = AssessmentFactory(in_review=True)
    html = client.get(desk(assessment)).content.decode()
    assert holder(assessment) is None
    address = desk_url("reservieren", assessment.pk)
    assert address in html
    assert client.get(address).status_code == 405
    html = client.post(address, follow=True).content.decode()
    assert holder(assessment) == me
    assert "für Sie reserviert bis" in html


@pytest.mark.parametrize("may", [REVIEWER, PUBLISHER])
def test_who_can_only_wait_for_publication_is_offered_no_lease(client, may):
    """Theirs would only stop the person who can publish."""
    me = sit_down(client, may=may)
    assessment = AssessmentFactory(in_review=True)
    approve(assessment, by=me if may is PUBLISHER else None)
    html = client.get(desk(assessment)).content.decode()
    assert desk_url("reservieren", assessment.pk) not in html
    client.post(desk_url("schritt", assessment.pk, "veroeffentlichen"))
    assert holder(assessment) is None
    sit_down(client, publisher=True)
    assert desk_url("reservieren", assessment.pk) in client.get(desk(assessment)).content.decode()


def test_the_script_gets_the_line_alone(client):
    sit_down(client)
    assessment = AssessmentFactory(in_review=True)
    lease(assessment)
    html = client.post(desk_url("reservieren", assessment.pk), {"nur": "stand"}).content.decode()
    assert "Reserviert von" in html
    assert "<h1" not in html


def test_who_may_only_look_takes_none(client):
    sit_down(client, may=["view_assessment"])
    assessment = AssessmentFactory(in_review=True)
    for name in ("reservieren", "uebernehmen"):
        assert client.post(desk_url(name, assessment.pk)).status_code == 403
        assert desk_url(name, assessment.pk) not in client.get(desk(assessment)).content.decode()
    assert holder(assessment) is None


def test_the_first_decision_takes_the_lease(client):
    me = sit_down(client)
    assessment = AssessmentFactory(in_review=True)
    decide(client, open_evidence(assessment), "verwerfen")
    assert holder(assessment) == me


# What works without the lease: taking it over, looking for words, and what every page has.
FREE_BUTTONS = (
    "Übernehmen",
    ">Suchen<",
    "Abmelden",
    "theme-toggle",
    'type="button" class="textknopf"',
)


@pytest.mark.parametrize("stand", ["in_review", "approved"])
@pytest.mark.parametrize("name", ["pruefen", "felder", "vergleiche", "texte", "stelle"])
def test_while_another_has_it_every_button_is_off_and_the_reason_beside(client, name, stand):
    sit_down(client, publisher=True)
    assessment = AssessmentFactory(**{stand: True})
    beleg = assessment.belege.exclude(feldbewertung=None).first()
    if stand == "in_review":
        beleg = open_evidence(assessment)
    other = lease(assessment)
    pages = [desk_url(name, assessment.pk, *([beleg.pk] if name == "stelle" else []))]
    if name == "pruefen":
        pages.append(desk(assessment, beleg=assessment.belege.angenommen().first().pk))
    for address in pages:
        html = client.get(
            address, {"q": "Lieferkette"} if name == "stelle" else {}
        ).content.decode()
        on = [button for button in re.findall(r"<button.*?</button>", html) if is_on(button)]
        assert on == [], address
        assert html.count(f"Die Bewertung ist reserviert von {other} bis") >= 1


def is_on(button: str) -> bool:
    return " disabled" not in button and not any(word in button for word in FREE_BUTTONS)


def test_others_see_who_has_it_and_a_refused_decision_loses_no_text(client):
    sit_down(client)
    assessment = AssessmentFactory(in_review=True)
    other, beleg = lease(assessment), open_evidence(assessment)
    assert f"Reserviert von {other} bis" in client.get(desk(assessment)).content.decode()
    queue = client.get(reverse("admin:assessments_pruefauftrag_changelist"))
    assert f"reserviert von {other} bis" in queue.content.decode()
    response = decide(client, beleg, "verwerfen", note="Trägt die Aussage nicht")
    assert "Trägt die Aussage nicht" in said(response)
    assert beleg.zustand == "offen"
    feld = assessment.feldbewertungen.get(feld="B5")
    form = {"begruendung": "Mein langer Text", "zuvor": feld.begruendung}
    response = client.post(desk_url("aendern", assessment.pk, "feld", feld.pk), form, follow=True)
    assert "Mein langer Text" in said(response)
    feld.refresh_from_db()
    assert feld.begruendung_redaktion == ""


def test_a_takeover_is_recorded_and_told_once(client):
    me = sit_down(client)
    assessment = AssessmentFactory(in_review=True)
    other = lease(assessment)
    client.post(desk_url("uebernehmen", assessment.pk))
    assert holder(assessment) == me
    event = assessment.events.get(verb="take_over")
    assert (event.von, event.nach, event.by) == (str(other), str(me), me)
    client.force_login(other)
    response = client.get(reverse("admin:index"))
    assert f"{me} hat um" in said(response)
    assert "übernommen" not in said(client.get(reverse("admin:index")))


def test_the_next_by_risk_that_nobody_else_has_opens_leased(client):
    me = sit_down(client, approver=True)
    done, old, risky, taken = (AssessmentFactory(in_review=True) for _ in range(4))
    open_evidence(risky)
    open_evidence(taken)
    open_evidence(taken, None, feld="B5")
    Assessment.objects.filter(pk=taken.pk).update(erstellt_am=timezone.now() - timedelta(days=9))
    lease(taken)
    assert by_risk(Assessment.objects.to_review()).first().pk == taken.pk
    show_all(done, me)
    response = step(client, done, "freigeben")
    assert response.redirect_chain[-1][0] == desk(risky)
    assert holder(risky) == me
    assert holder(old) is None


def test_the_queries_of_list_desk_and_start_page_are_bounded(client, django_assert_max_num_queries):
    sit_down(client)
    for _ in range(3):
        assessment = AssessmentFactory(in_review=True)
        open_evidence(assessment)
        lease(assessment)
    pages = {
        reverse("admin:assessments_pruefauftrag_changelist"): 14,
        reverse("admin:index"): 16,
        desk(assessment): 40,
    }
    for page, most in pages.items():
        client.get(page)
        with django_assert_max_num_queries(most):
            client.get(page)


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_gets_the_lease():
    assessment = AssessmentFactory(in_review=True)
    people = [UserFactory(reviewer=True) for _ in range(4)]
    start, won, refused = Barrier(len(people)), [], []

    def take(person):
        try:
            start.wait()
            Reservierung.take(assessment, by=person)
            won.append(person)
        except Reserviert:
            refused.append(person)
        finally:
            connection.close()

    threads = [Thread(target=take, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(refused)) == (1, 3)
    assert holder(assessment) == won[0]
