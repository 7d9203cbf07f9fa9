"""The steps of a whole assessment from the desk, and who may take them."""

import re

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from assessments.addresses import antrag_address, readable_address, version_address
from assessments.desk.editing import change
from assessments.desk.rahmen import desk_url
from assessments.models import Assessment

from .am_tisch import decide, desk, look_at_all, open_evidence, said, sit_down, step
from .factories import APPROVER, PUBLISHER, REVIEWER, AssessmentFactory, UserFactory, show_all

pytestmark = pytest.mark.django_db

Status = Assessment.Status


@pytest.fixture
def assessment():
    return AssessmentFactory(in_review=True)


@pytest.mark.parametrize("verb", ["zurueck", "ablehnen"])
def test_a_reason_that_is_too_long_changes_nothing_and_is_given_back(client, assessment, verb):
    sit_down(client, approver=True)
    note = "Warum? " * 300
    message = said(step(client, assessment, verb, note=note))
    assert "Ihr Text ist zu lang: 2099 Zeichen, möglich sind 2000." in message
    assert note.strip() in message
    assert assessment.status == Status.IN_REVIEW


def test_from_the_queue_to_publication_by_two_people(client, assessment):
    sit_down(client, approver=True)
    look_at_all(client, assessment)
    assert "Alles ist entschieden" in client.get(desk(assessment)).content.decode()
    step(client, assessment, "freigeben")
    assert assessment.status == Status.APPROVED
    sit_down(client, publisher=True)
    step(client, assessment, "veroeffentlichen")
    assert (assessment.status, assessment.version) == (Status.PUBLISHED, 1)


def test_what_is_missing_stands_beside_the_closed_door(client, assessment):
    sit_down(client, approver=True)
    open_evidence(assessment)
    open_evidence(assessment, feld="B5")
    assessment.feldbewertungen.filter(feld="C3").update(wert_modell="")
    assessment.zusammenfassung_modell = ""
    assessment.save()
    response = client.get(desk(assessment))
    html = response.content.decode()
    bar = html[html.index("Freigeben geht noch nicht:</strong>") :]
    missing = re.findall(r'<a href="([^"]+)">([^<]+)</a>', bar[: bar.index("</p>")])
    assert missing[:3] == [
        (desk_url("pruefen", assessment.pk), "2 Belege sind offen"),
        (desk_url("felder", assessment.pk), "1 Feld ist unbewertet"),
        (desk_url("texte", assessment.pk), "die Zusammenfassung fehlt"),
    ]
    assert not Assessment.objects.ready_to_approve().exists()


def test_a_rating_without_a_source_is_named(client, assessment):
    sit_down(client, approver=True)
    beleg = assessment.belege.get(seite="programm")
    decide(client, beleg, "oeffnen")
    response = decide(client, beleg, "verwerfen")
    html = response.content.decode()
    vergleich = beleg.vergleich
    place = f"{desk_url('vergleiche', assessment.pk)}#v{vergleich.pk}"
    assert f'<a href="{place}">{vergleich}: Wert ohne Beleg aus dem Programm</a>' in html
    assert f'id="v{vergleich.pk}"' in client.get(place).content.decode()
    response = step(client, assessment, "freigeben")
    assert assessment.status == Status.IN_REVIEW
    assert "keinen Beleg aus dem Programm" in said(response)


def test_affected_fields_without_reason_or_quote_are_named_and_hinder_nothing(client, assessment):
    show_all(assessment, sit_down(client, approver=True))
    assert "Ohne Begründung:" not in client.get(desk(assessment)).content.decode()
    assessment.feldbewertungen.filter(feld__in=["B5", "C1"]).update(begruendung_modell="")
    beleg = assessment.belege.get(feldbewertung__feld="D5")
    decide(client, beleg, "oeffnen")
    decide(client, beleg, "verwerfen")
    for page in ("pruefen", "felder", "vergleiche", "texte", "verlauf"):
        tisch = client.get(desk_url(page, assessment.pk)).context["tisch"]
        assert [feld.feld for feld in tisch.unbegruendete] == ["B5"]  # C1 is not affected
        assert [feld.feld for feld in tisch.unbelegte] == ["D5"]
    html = client.get(desk(assessment)).content.decode()
    assert f'{desk_url("felder", assessment.pk)}#B5">B5</a>' in html
    assert "Ohne angenommenen Beleg:" in html
    assert "Das hält die Freigabe nicht auf." in html
    step(client, assessment, "freigeben")
    assert assessment.status == Status.APPROVED
    sit_down(client, publisher=True)
    html = client.get(desk(assessment)).content.decode()
    assert "Das hält die Veröffentlichung nicht auf." in html
    step(client, assessment, "veroeffentlichen")
    assert assessment.status == Status.PUBLISHED


def test_pressing_approve_all_the_same_gives_a_sentence_not_an_error(client, assessment):
    sit_down(client, approver=True)
    open_evidence(assessment)
    response = step(client, assessment, "freigeben")
    assert response.status_code == 200
    assert "Es sind noch Belege offen." in said(response)
    assert assessment.status == Status.IN_REVIEW


@pytest.mark.parametrize("verb", ["freigeben", "ablehnen"])
def test_a_step_counts_for_what_was_seen(client, assessment, verb):
    show_all(assessment, sit_down(client, approver=True))
    seen = assessment.letztes_ereignis
    assert f'name="gesehen" value="{seen}"' in client.get(desk(assessment)).content.decode()
    change(assessment, {"zusammenfassung": "Neu geschrieben."}, by=UserFactory())
    response = step(client, assessment, verb, gesehen=seen, note="Überholt.")
    assert "Inzwischen hat jemand etwas geändert" in said(response)
    assert assessment.status == Status.IN_REVIEW
    step(client, assessment, verb, note="Überholt.")
    assert assessment.status in (Status.APPROVED, Status.REJECTED)


def test_publishing_behind_the_backs_of_the_guards_gives_a_sentence(client):
    assessment = AssessmentFactory(approved=True)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE assessments_beleg DISABLE TRIGGER assessment_part_guard")
        cursor.execute(
            "UPDATE assessments_beleg SET zustand = 'offen', zitat_id = NULL WHERE id = %s",
            [assessment.belege.first().pk],
        )
        cursor.execute("ALTER TABLE assessments_beleg ENABLE TRIGGER assessment_part_guard")
    sit_down(client, publisher=True)
    response = step(client, assessment, "veroeffentlichen")
    assert "Es sind noch Belege offen." in said(response)
    assert assessment.status == Status.APPROVED


def test_whoever_approved_does_not_publish(client, assessment):
    show_all(assessment, sit_down(client, publisher=True))
    step(client, assessment, "freigeben")
    response = step(client, assessment, "veroeffentlichen")
    assert "zweite Person" in said(response)
    assert assessment.status == Status.APPROVED


@pytest.mark.parametrize(("verb", "stand"), [("ablehnen", "in_review"), ("zurueck", "approved")])
def test_turning_down_needs_a_reason(client, verb, stand):
    assessment = AssessmentFactory(stand=stand)
    show_all(assessment, sit_down(client, approver=True))
    step(client, assessment, verb, note=" ")
    assert assessment.status == stand
    step(client, assessment, verb, note="Die Fassung ist überholt.")
    assert assessment.status in (Status.REJECTED, Status.DRAFT)
    assert assessment.events.last().note == "Die Fassung ist überholt."


def test_a_draft_goes_back_into_the_queue(client):
    assessment = AssessmentFactory()
    sit_down(client)
    response = step(client, assessment, "einreichen")
    assert assessment.status == Status.IN_REVIEW
    assert response.context["auftrag"] == assessment


def test_withdrawing_says_why(client):
    assessment = AssessmentFactory(published=True)
    sit_down(client, publisher=True)
    step(client, assessment, "zurueckziehen", note="Die Fassung war überholt.")
    assert assessment.status == Status.WITHDRAWN


def test_a_replaced_version_can_be_withdrawn_too(client):
    first = AssessmentFactory(published=True)
    AssessmentFactory(antrag=first.antrag, published=True)
    sit_down(client, publisher=True)
    page = client.get(reverse("admin:assessments_assessment_change", args=[first.pk]))
    assert "Zurückziehen" in page.content.decode()
    step(client, first, "zurueckziehen", note="Sie nennt einen falschen Namen.")
    assert first.status == Status.WITHDRAWN
    response = client.get(version_address(first))
    assert response.status_code == 410
    assert "Sie nennt einen falschen Namen." in response.content.decode()
    assert client.get(antrag_address(first.antrag)).status_code == 200


def test_a_second_press_of_the_same_button_gets_a_clear_message(client, assessment):
    show_all(assessment, sit_down(client, approver=True))
    step(client, assessment, "freigeben")
    response = step(client, assessment, "freigeben")
    assert "Das geht nicht mehr" in said(response)
    sit_down(client, publisher=True)
    step(client, assessment, "veroeffentlichen")
    response = step(client, assessment, "veroeffentlichen")
    assert f"{assessment} ist veröffentlicht" in said(response)


def test_what_is_published_is_one_link_away(client, assessment):
    show_all(assessment, sit_down(client, approver=True))
    response = step(client, assessment, "freigeben")
    assert "So sehen es" not in response.content.decode()
    sit_down(client, publisher=True)
    response = step(client, assessment, "veroeffentlichen")
    way = f'<a href="{readable_address(assessment)}">So sehen es Leserinnen und Leser</a>'
    assert way in response.content.decode()


def test_after_a_step_the_next_assessment_of_the_queue_opens(client, assessment):
    following = AssessmentFactory(in_review=True)
    show_all(assessment, sit_down(client, approver=True))
    response = step(client, assessment, "freigeben")
    assert response.context["auftrag"] == following


def test_behind_the_last_one_comes_the_empty_queue(client, assessment):
    sit_down(client, approver=True)
    response = step(client, assessment, "ablehnen", note="Kein Antrag.")
    assert "Die Warteschlange ist leer." in response.content.decode()


def test_what_left_the_queue_is_a_message(client):
    assessment = AssessmentFactory(published=True)
    sit_down(client)
    response = client.get(desk(assessment), follow=True)
    assert "liegt nicht mehr in der Warteschlange: veröffentlicht." in said(response)


# --- Who may what ------------------------------------------------------------------------------

ROLES = {
    "niemand": [],
    "ansehend": ["view_assessment"],
    "Redaktion": REVIEWER,
    "Freigabe": APPROVER,
    "Leitung": PUBLISHER,
}
# Verb of the desk: which permission it asks for.
VERBS = {
    "beleg/{beleg}/annehmen/": "review_assessment",
    "beleg/{beleg}/erweitern/": "review_assessment",
    "beleg/{beleg}/verwerfen/": "review_assessment",
    "beleg/{beleg}/oeffnen/": "review_assessment",
    "beleg/{beleg}/stelle/": "review_assessment",
    "aendern/bewertung/{pk}/": "review_assessment",
    "felder/": "review_assessment",
    "schritt/einreichen/": "submit_assessment",
    "schritt/freigeben/": "approve_assessment",
    "schritt/ablehnen/": "reject_assessment",
    "schritt/zurueck/": "return_assessment",
    "schritt/veroeffentlichen/": "publish_assessment",
    "schritt/zurueckziehen/": "withdraw_assessment",
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_asks_for_its_permission(client, assessment, role, verb):
    beleg = open_evidence(assessment, None)
    client.force_login(UserFactory(may=ROLES[role]))
    base = desk(assessment).removesuffix("pruefen/")
    before = assessment.events.count()
    response = client.post(base + verb.format(beleg=beleg.pk, pk=assessment.pk))
    allowed = VERBS[verb] in ROLES[role]
    assert response.status_code == (302 if allowed else 403)
    if not allowed:
        assert assessment.events.count() == before


@pytest.mark.parametrize("page", ["pruefen", "felder", "vergleiche", "texte", "verlauf"])
@pytest.mark.parametrize("role", ROLES)
def test_each_page_asks_for_some_permission(client, assessment, page, role):
    client.force_login(UserFactory(may=ROLES[role]))
    status = client.get(desk_url(page, assessment.pk)).status_code
    assert status == (403 if role == "niemand" else 200)


@pytest.mark.parametrize("verb", VERBS)
def test_a_visitor_is_asked_to_log_in(client, assessment, verb):
    base = desk(assessment).removesuffix("pruefen/")
    response = client.post(base + verb.format(beleg=1, pk=assessment.pk))
    assert response.status_code == 302
    assert "/login/" in response.headers["Location"]


def test_whoever_may_only_look_gets_no_buttons(client, assessment):
    open_evidence(assessment)
    client.force_login(UserFactory(may=["view_assessment"]))
    html = client.get(desk(assessment)).content.decode()
    assert "Wortlaut der Quelle annehmen" not in html.split("<details")[0]
    assert 'name="begruendung"' not in html


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_needs_its_own_permission_and_no_other_helps(client, assessment, verb):
    beleg = open_evidence(assessment, None)
    client.force_login(UserFactory(may=[one for one in PUBLISHER if one != VERBS[verb]]))
    base = desk(assessment).removesuffix("pruefen/")
    response = client.post(base + verb.format(beleg=beleg.pk, pk=assessment.pk))
    assert response.status_code == 403


def test_the_groups_are_set_up_twice_with_the_same_result():
    call_command("setup_groups")
    call_command("setup_groups")
    rights = {
        group.name: set(group.permissions.values_list("codename", flat=True))
        for group in Group.objects.all()
    }
    assert set(rights) == {"Redaktion", "Freigabe", "Leitung"}
    assert "approve_assessment" not in rights["Redaktion"]
    assert "publish_assessment" not in rights["Freigabe"]
    assert rights["Redaktion"] < rights["Freigabe"] < rights["Leitung"]
    assert not {codename for codename in rights["Leitung"] if "user" in codename}
    deletes = {codename for codename in rights["Leitung"] if codename.startswith("delete_")}
    assert deletes == {"delete_antrag", "delete_programm"}  # what is cited stays, by the database
