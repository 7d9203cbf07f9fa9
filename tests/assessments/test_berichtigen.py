"""Corrections of what is published, and that no later version is published without a reason."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from assessments.addresses import antrag_address, version_address
from assessments.bestaetigung import is_accepted_by_editor
from assessments.desk.rahmen import desk_url
from assessments.models import (
    MAX_BERICHTIGUNG,
    Assessment,
    InvalidTransition,
    Lauf,
    ReviewEvent,
)
from assessments.tasks import enqueue_assessment, run_lauf
from assessments.vermerk import entworfene
from tests.citations.factories import PruefungFactory

from .am_tisch import desk, said, sit_down, step
from .factories import AssessmentFactory, BelegFactory, UserFactory, approve, place_zitat, tamper
from .seiten import published, read, words

pytestmark = pytest.mark.django_db
GRUND = "Bei Feld B5 stand alle zwei Jahre, richtig ist jedes Jahr."
Status = Assessment.Status


def sql(statement, *parameters):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)


@pytest.fixture
def first():
    return published()


def corrected(version: Assessment, note: str = GRUND) -> Assessment:
    return version.correct(by=UserFactory(reviewer=True), note=note)


def publish(assessment: Assessment, note: str = "") -> Assessment:
    approve(assessment, note=note)
    assessment.publish(by=UserFactory(publisher=True), note=note)
    return assessment


def again(antrag, **fields) -> Assessment:
    """What a new run drafts; without a reason, as the pipeline leaves it."""
    return AssessmentFactory(antrag=antrag, in_review=True, berichtigung="", **fields)


# --- The verb --------------------------------------------------------------------------------


def content(assessment: Assessment) -> dict[str, list]:
    """Everything that editors and readers see of the parts."""
    skipped = {"id", "assessment_id", "feldbewertung_id", "vergleich_id", "verbesserung_id", "los"}
    parts = {}
    for name in ("feldbewertungen", "vergleiche", "verbesserungen", "belege"):
        rows = getattr(assessment, name).order_by("pk").values()
        parts[name] = [{k: v for k, v in row.items() if k not in skipped} for row in rows]
    parts["owners"] = [str(beleg.owner) for beleg in assessment.belege.order_by("pk")]
    return parts


def test_a_correction_is_a_copy_in_the_queue():
    version = AssessmentFactory(in_review=True)
    bewertung = version.feldbewertungen.get(feld="D1")
    bewertung.wert_redaktion, bewertung.begruendung_redaktion = "p", "Weniger stark."
    bewertung.save()
    BelegFactory(owner_row=bewertung, zustand="verworfen", zitat=None, grund="kein_zitat")
    publish(version)
    correction = corrected(version)
    assert (correction.status, correction.corrects) == (Status.IN_REVIEW, version)
    assert content(correction) == content(version)
    assert correction.zusammenfassung == version.zusammenfassung
    assert correction.themen == version.themen
    assert correction.lauf is None
    assert not correction.belege.filter(assessment=version).exists()
    version.refresh_from_db()
    assert version.status == Status.PUBLISHED


def test_the_lot_is_drawn_anew(first):
    assert all(beleg.los != 0.9 for beleg in corrected(first).belege.all())


def test_decisions_of_the_editors_come_along_with_person_and_day(first):
    """Else a quote that an editor stands for would lose that with the correction."""
    version = AssessmentFactory(in_review=True)
    beleg = BelegFactory(
        owner_row=version.feldbewertungen.get(feld="D1"),
        offen=True,
        vorschlag=place_zitat("Der Landtag wolle beschließen", version.fassung.dokument),
    )
    editor = UserFactory(reviewer=True)
    beleg.accept(by=editor, note="Verglichen.")
    publish(version)
    correction = corrected(version)
    copy = correction.belege.get(zitat=beleg.zitat)
    (event,) = copy.events.all()
    (original,) = beleg.events.all()
    assert (event.by, event.am, event.note) == (editor, original.am, "Verglichen.")
    assert is_accepted_by_editor(copy)


def test_both_records_say_that_a_correction_was_begun_and_why(first):
    correction = corrected(first)
    for assessment in (first, correction):
        event = assessment.events.get(verb="correct")
        assert event.note == GRUND
    assert list(correction.events.order_by("pk").values_list("verb", flat=True)) == [
        "correct",
        "submit",
    ]


@pytest.mark.parametrize("stand", ["draft", "in_review", "approved", "withdrawn"])
def test_only_what_is_published_can_be_corrected(stand):
    with pytest.raises(InvalidTransition):
        corrected(AssessmentFactory(stand=stand))


@pytest.mark.parametrize("note", ["", "  \n", "x" * (MAX_BERICHTIGUNG + 1)])
def test_a_correction_needs_a_reason_of_some_length(first, note):
    with pytest.raises(InvalidTransition, match="Grund"):
        corrected(first, note)
    assert Assessment.objects.count() == 1


def test_there_is_one_open_correction_at_a_time(first):
    corrected(first)
    with pytest.raises(InvalidTransition, match="schon eine Berichtigung"):
        corrected(first)
    assert first.events.filter(verb="correct").count() == 1


def test_after_a_rejected_one_another_can_begin(first):
    corrected(first).reject(by=UserFactory(approver=True), note="Doch richtig.")
    corrected(first)


# --- Publication -----------------------------------------------------------------------------


def test_a_correction_supersedes_what_it_corrects(first):
    correction = publish(corrected(first))
    first.refresh_from_db()
    assert (first.status, correction.version) == (Status.SUPERSEDED, 2)


def test_a_new_run_over_a_published_version_needs_a_reason_too(first):
    assessment = again(first.antrag)
    with pytest.raises(InvalidTransition, match="was die neue ändert und warum"):
        approve(assessment)


@pytest.mark.parametrize("empty", ["", " ", "\n\t "])
def test_raw_sql_cannot_publish_a_later_version_without_a_reason(first, empty):
    assessment = again(first.antrag)
    tamper(
        "UPDATE assessments_assessment SET status = 'approved', approved_by_id = %s, "
        "approved_at = now(), berichtigung = %s WHERE id = %s",
        UserFactory().pk,
        empty,
        assessment.pk,
    )
    sql("UPDATE assessments_assessment SET status = 'superseded' WHERE id = %s", first.pk)
    with pytest.raises(IntegrityError, match="does not say why"):
        sql(
            "UPDATE assessments_assessment SET status = 'published', version = 2, "
            "published_at = now(), published_by_id = %s WHERE id = %s",
            UserFactory().pk,
            assessment.pk,
        )


def test_what_was_approved_before_the_other_was_published_hears_what_to_do(first):
    antrag = AssessmentFactory().antrag
    one, other = again(antrag), again(antrag)
    approve(one)
    approve(other)
    one.publish(by=UserFactory(publisher=True))
    with pytest.raises(InvalidTransition, match="an den Entwurf zurück"):
        other.publish(by=UserFactory(publisher=True))
    one.refresh_from_db()
    assert one.status == Status.PUBLISHED


def test_after_a_withdrawal_the_next_version_says_why_as_well():
    withdrawn = AssessmentFactory(withdrawn=True)
    with pytest.raises(InvalidTransition, match="was die neue ändert"):
        approve(again(withdrawn.antrag))


def test_a_correction_of_what_is_no_longer_the_newest_is_refused(first):
    """It would silently take back what was published meanwhile."""
    correction = corrected(first)
    AssessmentFactory(antrag=first.antrag, published=True)
    with pytest.raises(InvalidTransition, match="neuere Fassung"):
        approve(correction)


def test_the_first_version_needs_no_reason():
    assert publish(AssessmentFactory(in_review=True)).version == 1


def test_a_later_one_is_ready_to_approve_only_with_a_reason(first):
    assessment = again(first.antrag)
    ready = Assessment.objects.ready_to_approve()
    assert assessment not in ready
    Assessment.objects.filter(pk=assessment.pk).update(berichtigung=GRUND)
    assert assessment in ready.all()


# --- The desk --------------------------------------------------------------------------------


def change_page(assessment):
    return reverse("admin:assessments_assessment_change", args=[assessment.pk])


def press(client, assessment, name, **data):
    form = {"gesehen": assessment.letztes_ereignis} | data
    return client.post(desk_url(name, assessment.pk), form, follow=True)


def test_the_button_opens_the_desk_with_the_copy(client, first):
    person = sit_down(client)
    assert "Berichtigen" in client.get(change_page(first)).content.decode()
    response = press(client, first, "berichtigen", note=GRUND)
    correction = Assessment.objects.get(corrects=first)
    assert response.context["auftrag"] == correction
    assert correction.events.get(verb="correct").by == person
    html = response.content.decode()
    assert "Berichtigung von Fassung 1." in html
    assert "Vergleich mit Fassung 1" in html
    html = client.get(change_page(first)).content.decode()
    assert "Zur offenen Berichtigung" in html
    assert "g-berichtigen" not in html


def test_the_desk_and_the_lists_do_not_say_that_a_correction_has_no_model(client, first):
    correction = corrected(publish(corrected(first)))
    sit_down(client)
    for name in ("texte", "felder"):
        html = client.get(desk_url(name, correction.pk)).content.decode()
        assert "ohne Modell" not in html
    assert f"Modell {first.lauf.modell}" in html
    html = client.get(desk_url("changelist")).content.decode()
    assert "ohne Modell" not in html
    assert ">Berichtigung<" in html


def test_who_may_not_review_can_neither_correct_nor_start_a_run(client, first):
    sit_down(client, may=["publish_assessment"])
    for name in ("berichtigen", "neu_bewerten"):
        assert press(client, first, name, note=GRUND).status_code == 403
        assert client.get(desk_url(name, first.pk)).status_code == 405
    assert Assessment.objects.count() == 1


def test_a_refused_correction_gives_back_what_was_typed(client, first):
    corrected(first)
    sit_down(client)
    assert GRUND in said(press(client, first, "berichtigen", note=GRUND))


def test_the_reason_can_be_reworded_until_approval_and_each_wording_is_recorded(client, first):
    correction = corrected(first)
    person = sit_down(client, approver=True)
    address = desk_url("aendern", correction.pk, "bewertung", correction.pk)
    form = {"berichtigung": "Besser gesagt.", "zuvor": GRUND, "zurueck": "texte"}
    client.post(address, form)
    correction.refresh_from_db()
    assert correction.berichtigung == "Besser gesagt."
    event = correction.events.get(verb="change")
    assert (event.von, event.nach) == (GRUND, "Besser gesagt.")
    approve(correction, by=person)
    client.post(address, form | {"berichtigung": "Zu spät.", "zuvor": "Besser gesagt."})
    correction.refresh_from_db()
    assert correction.berichtigung == "Besser gesagt."


def test_line_ends_of_a_reason_count_as_browsers_count_them(client, first):
    sit_down(client)
    reason = "Zeile.\n" * (MAX_BERICHTIGUNG // 7) + "Ende."
    press(client, first, "berichtigen", note=reason.replace("\n", "\r\n"))
    assert Assessment.objects.get(corrects=first).berichtigung == reason


def test_too_long_a_reason_is_refused_and_given_back(client, first):
    correction = corrected(first)
    sit_down(client)
    address = desk_url("aendern", correction.pk, "bewertung", correction.pk)
    form = {"berichtigung": "x" * (MAX_BERICHTIGUNG + 1), "zuvor": GRUND, "zurueck": "texte"}
    response = client.post(address, form, follow=True)
    assert form["berichtigung"] in said(response)
    correction.refresh_from_db()
    assert correction.berichtigung == GRUND


def test_the_desk_says_that_the_reason_is_missing(client, first):
    assessment = again(first.antrag)
    sit_down(client, approver=True)
    html = client.get(desk_url("texte", assessment.pk)).content.decode()
    assert "Neue Bewertung neben Fassung 1." in words(html)
    assert "was diese Fassung ändert und warum, fehlt" in words(html)
    assert "Fehlt noch." in html
    assert "Reiter Texte" in said(step(client, assessment, "freigeben"))
    sit_down(client)
    to_do = words(client.get(desk(assessment)).content.decode())
    assert "Was diese Fassung ändert und warum, fehlt" in to_do


def test_without_an_earlier_version_the_desk_does_not_ask(client):
    assessment = AssessmentFactory(in_review=True)
    sit_down(client)
    html = client.get(desk_url("texte", assessment.pk)).content.decode()
    assert "Was diese Fassung ändert" not in html


# --- Running again ---------------------------------------------------------------------------


@pytest.mark.parametrize("stand", ["in_review", "approved", "published", "withdrawn"])
def test_a_run_can_be_started_beside_what_is_there(client, stand):
    assessment = AssessmentFactory(stand=stand)
    sit_down(client)
    assert "Neu bewerten" in client.get(change_page(assessment)).content.decode()
    response = press(client, assessment, "neu_bewerten")
    assert "wartet" in said(response)
    assert Lauf.objects.filter(fassung=assessment.fassung, status="wartet").count() == 1
    assert "schon ein Lauf" in said(press(client, assessment, "neu_bewerten"))


def test_the_draft_of_a_new_run_lies_beside_what_is_published(first):
    lauf = enqueue_assessment(first.fassung)
    run_lauf(lauf.pk)
    first.refresh_from_db()
    assert (first.status, first.version) == (Status.PUBLISHED, 1)
    draft = Assessment.objects.get(lauf=lauf)
    assert (draft.status, draft.antrag, draft.version) == (Status.IN_REVIEW, first.antrag, None)
    assert draft.vorgaenger() == first


# --- Readers ---------------------------------------------------------------------------------


@pytest.fixture
def versions(first):
    """A first version, its correction, and a new run over that."""
    second = publish(corrected(first))
    third = publish(AssessmentFactory(antrag=first.antrag, in_review=True))
    for assessment in (first, second):
        assessment.refresh_from_db()
    return first, second, third


def test_each_version_keeps_its_address_and_leads_to_the_one_that_counts(client, versions):
    *older, newest = versions
    for version in older:
        html = read(client, version_address(version))
        assert f"Es gilt Fassung {newest.version}" in words(html)
        assert f'href="{version_address(newest)}"' in html
    assert "frühere Fassung" not in read(client, version_address(newest))
    assert "Fassung 3" in read(client, antrag_address(newest.antrag))


def test_each_later_version_shows_its_reason_and_stands_in_the_list(client, versions):
    _, second, third = versions
    assert f"{GRUND}" in read(client, version_address(second))
    assert "Berichtigt am" in words(read(client, version_address(second)))
    assert "Neu bewertet am" in words(read(client, version_address(third)))
    html = words(read(client, reverse("korrekturen")))
    assert f"Neu bewertet in Fassung 3. {third.berichtigung}" in html
    assert f"Berichtigt in Fassung 2. {GRUND}" in html
    assert html.index("Fassung 3") < html.index("Fassung 2")


def test_what_is_not_published_yet_stands_in_no_list(client, first):
    corrected(first)
    assert GRUND not in read(client, reverse("korrekturen"))
    assert GRUND not in read(client, version_address(first))
    assert GRUND not in read(client, f"/api/v1/assessments{version_address(first)}".rstrip("/"))


def test_withdrawn_versions_answer_gone_each_with_its_reason(client, versions):
    for version in versions:
        note = f"Grund zu Fassung {version.version}."
        version.withdraw(by=UserFactory(publisher=True), note=note)
        html = read(client, version_address(version), status=410)
        assert note in html
        assert version.berichtigung not in html or not version.berichtigung
    read(client, antrag_address(versions[0].antrag), status=410)
    html = words(read(client, reverse("korrekturen")))
    assert html.count("Zurückgezogen.") == 3
    assert "Berichtigt in" not in html


def test_the_page_of_a_withdrawn_version_leads_to_the_one_that_counts(client, versions):
    first, _, third = versions
    first.withdraw(by=UserFactory(publisher=True), note="Ein falscher Name.")
    html = read(client, version_address(first), status=410)
    assert f'Es gilt <a href="{antrag_address(third.antrag)}">Fassung 3' in html
    third.withdraw(by=UserFactory(publisher=True), note="Noch einer.")
    assert "Es gilt" not in read(client, version_address(first), status=410)


def test_the_api_tells_corrections_from_new_runs(client, versions):
    for version, corrects in zip(versions, (None, 1, None), strict=True):
        path = f"/api/v1/assessments{version_address(version)}".rstrip("/")
        answer = client.get(path).json()["assessment"]
        assert answer["corrects_version"] == corrects
        assert answer["correction"] == version.berichtigung
        assert [row["version"] for row in answer["versions"]] == [3, 2, 1]


def test_a_corrected_version_has_the_provenance_of_what_it_corrects(client, first):
    second = publish(corrected(first))
    third = publish(corrected(second))
    for version in (second, third):
        html = words(read(client, version_address(version)))
        assert first.lauf.modell in html
        assert f"Fassung {version.version - 1}, begonnen am" in html
        path = f"/api/v1/assessments{version_address(version)}".rstrip("/")
        review = client.get(path).json()["assessment"]["review"]
        assert review["model"] == first.lauf.modell
        assert review["drafted_at"][:19] == first.erstellt_am.isoformat()[:19]


def test_nothing_can_take_the_reason_of_a_published_version_away(versions):
    _, second, _ = versions
    with pytest.raises(IntegrityError, match="cannot be changed"):
        sql("UPDATE assessments_assessment SET berichtigung = '' WHERE id = %s", second.pk)
    with pytest.raises(IntegrityError, match="append-only"):
        sql("DELETE FROM assessments_reviewevent WHERE assessment_id = %s", second.pk)
    assert ReviewEvent.objects.filter(verb="correct").count() == 2


def test_a_doubt_since_the_correction_still_shows(client, first):
    """Old confirmations count from their own day, not from that of the copy."""
    correction = corrected(first)
    zitat = correction.belege.filter(zitat__isnull=False).first().zitat
    PruefungFactory(zitat=zitat, widerlegt=True)
    publish(correction, note="Das steht dort; nur das zweite Leseprogramm liest es anders.")
    assert "in Prüfung" in read(client, version_address(correction))


def test_one_query_finds_the_draft_however_often_it_was_corrected(first, django_assert_num_queries):
    version = first
    for _ in range(3):
        version = Assessment.objects.get(pk=publish(corrected(version)).pk)
    with django_assert_num_queries(1):
        assert entworfene(version) == first
