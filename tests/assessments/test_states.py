"""The way from draft to publication, through the verbs and past them by raw SQL."""

import pytest
from django.db import IntegrityError, connection, transaction

from assessments.models import Assessment, Beleg, InvalidTransition, ReviewEvent
from citations.models import Zitat

from .factories import AssessmentFactory, BelegFactory, UserFactory, approve, place_zitat

pytestmark = pytest.mark.django_db


def sql(statement, *parameters):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def make_open(assessment):
    bewertung = assessment.feldbewertungen.get(feld="D1")
    return BelegFactory(owner_row=bewertung, offen=True)


def test_a_published_assessment_is_public_and_numbered():
    assessment = AssessmentFactory(published=True)
    assert list(Assessment.objects.public()) == [assessment]
    assert assessment.version == 1


@pytest.mark.parametrize("stand", ["draft", "in_review", "approved", "withdrawn"])
def test_nothing_else_is_public(stand):
    AssessmentFactory(stand=stand)
    assert not Assessment.objects.public().exists()


def test_publishing_needs_approval():
    assessment = AssessmentFactory(in_review=True)
    with pytest.raises(InvalidTransition, match="in Prüfung"):
        assessment.publish(by=UserFactory(publisher=True))


def test_publishing_needs_a_second_person():
    assessment = AssessmentFactory(approved=True)
    with pytest.raises(InvalidTransition, match="zweite Person"):
        assessment.publish(by=assessment.approved_by)


def test_one_person_may_publish_where_four_eyes_were_not_asked_for(settings):
    settings.VIER_AUGEN = False
    assessment = AssessmentFactory(approved=True)
    assessment.publish(by=assessment.approved_by)
    assert assessment.status == Assessment.Status.PUBLISHED


def test_open_evidence_cannot_be_approved():
    assessment = AssessmentFactory(in_review=True)
    make_open(assessment)
    with pytest.raises(InvalidTransition, match="Belege offen"):
        assessment.approve(by=UserFactory(approver=True))


def test_evidence_cannot_be_opened_behind_an_approval():
    assessment = AssessmentFactory(approved=True)
    with pytest.raises(IntegrityError, match="cannot be changed"), transaction.atomic():
        make_open(assessment)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE assessments_beleg SET zustand = 'offen', zitat_id = NULL WHERE assessment_id = %s",
        "UPDATE assessments_feldbewertung SET wert_redaktion = 'pp' WHERE assessment_id = %s",
        "UPDATE assessments_vergleich SET score_redaktion = 1 WHERE assessment_id = %s",
        "UPDATE assessments_verbesserung SET titel_modell = 'x' WHERE assessment_id = %s",
        "DELETE FROM assessments_beleg WHERE assessment_id = %s",
        "UPDATE assessments_assessment SET zusammenfassung_modell = 'x' WHERE id = %s",
        "UPDATE assessments_assessment SET version = 9 WHERE id = %s",
        "UPDATE assessments_assessment SET approved_by_id = NULL WHERE id = %s",
        "UPDATE assessments_assessment SET status = 'draft' WHERE id = %s",
        "DELETE FROM assessments_assessment WHERE id = %s",
        "UPDATE citations_zitat SET text = 'x' WHERE id IN "
        "(SELECT zitat_id FROM assessments_beleg WHERE assessment_id = %s)",
    ],
)
def test_published_rows_are_frozen_even_for_raw_sql(statement):
    assessment = AssessmentFactory(published=True)
    with pytest.raises(IntegrityError):
        sql(statement, assessment.pk)


@pytest.mark.parametrize(
    ("stand", "change"),
    [
        ("approved", "approved_by_id = %s"),
        ("approved", "approved_at = now(), published_by_id = %s"),
        ("approved", "version = 7, published_by_id = %s"),
        ("in_review", "vier_augen = false, approved_by_id = %s"),
        ("in_review", "version = 7, published_by_id = %s"),
        ("draft", "version = 7, published_by_id = %s"),
    ],
)
def test_raw_sql_enters_nobody_who_did_not_do_it(stand, change):
    """Another approver would be one whom no rule asked: for shown evidence, for own ratings."""
    assessment = AssessmentFactory(stand=stand)
    update = "UPDATE assessments_assessment SET {} WHERE id = %s"
    with pytest.raises(IntegrityError, match="cannot be changed"):
        sql(update.format(change), UserFactory().pk, assessment.pk)


def test_raw_sql_does_not_make_four_eyes_two():
    assessment = AssessmentFactory(in_review=True)
    with pytest.raises(IntegrityError, match="cannot be changed"):
        sql("UPDATE assessments_assessment SET vier_augen = false WHERE id = %s", assessment.pk)


@pytest.mark.parametrize("stand", ["draft", "in_review"])
def test_raw_sql_cannot_skip_to_published(stand):
    assessment = AssessmentFactory(stand=stand)
    person = UserFactory()
    with pytest.raises(IntegrityError):
        sql(
            "UPDATE assessments_assessment SET status = 'published', version = 1, "
            "approved_by_id = %s, approved_at = now(), published_by_id = %s, published_at = now() "
            "WHERE id = %s",
            *(person.pk, UserFactory().pk, assessment.pk),
        )


def test_raw_sql_cannot_publish_with_open_evidence():
    """Even with the guard of the parts out of the way, the way to publication looks itself."""
    assessment = AssessmentFactory(approved=True)
    beleg = Beleg.objects.filter(assessment=assessment).first()
    sql("SET CONSTRAINTS ALL IMMEDIATE")
    sql("ALTER TABLE assessments_beleg DISABLE TRIGGER assessment_part_guard")
    sql("UPDATE assessments_beleg SET zustand = 'offen', zitat_id = NULL WHERE id = %s", beleg.pk)
    sql("ALTER TABLE assessments_beleg ENABLE TRIGGER assessment_part_guard")
    with pytest.raises(IntegrityError, match="open evidence"):
        sql(
            "UPDATE assessments_assessment SET status = 'published', version = 1, "
            "published_by_id = %s, published_at = now() WHERE id = %s",
            *(UserFactory().pk, assessment.pk),
        )


def test_an_unrated_field_cannot_be_approved():
    assessment = AssessmentFactory(in_review=True)
    assessment.feldbewertungen.filter(feld="C3").update(wert_modell="")
    with pytest.raises(InvalidTransition, match="25 Felder"):
        assessment.approve(by=UserFactory(approver=True))


def test_the_record_is_append_only():
    assessment = AssessmentFactory(published=True)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        ReviewEvent.objects.filter(assessment=assessment).update(note="nie geschehen")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        ReviewEvent.objects.filter(assessment=assessment).delete()


def test_every_verb_is_recorded():
    assessment = AssessmentFactory(withdrawn=True)
    verbs = assessment.events.order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["submit", "approve", "publish", "withdraw"]


def test_a_second_publication_supersedes_the_first():
    first = AssessmentFactory(published=True)
    second = AssessmentFactory(antrag=first.antrag, approved=True)
    second.publish(by=UserFactory(publisher=True))
    first.refresh_from_db()
    assert (first.status, second.version) == (Assessment.Status.SUPERSEDED, 2)


def test_a_superseded_version_can_be_withdrawn_once():
    first = AssessmentFactory(published=True)
    AssessmentFactory(antrag=first.antrag, published=True)
    with pytest.raises(InvalidTransition, match="Grund"):
        first.withdraw(by=first.published_by, note="")
    first.withdraw(by=first.published_by, note="Sie nennt einen falschen Namen.")
    assert first.status == Assessment.Status.WITHDRAWN
    assert first.events.get(verb="withdraw").von == Assessment.Status.SUPERSEDED
    with pytest.raises(InvalidTransition, match="zurückgezogen"):
        first.withdraw(by=first.published_by, note="Noch einmal.")


@pytest.mark.parametrize("stand", ["draft", "in_review"])
def test_a_quote_never_changes_not_even_in_a_draft(stand):
    zitat = AssessmentFactory(stand=stand).belege.first().zitat
    with pytest.raises(IntegrityError, match="cannot be changed"):
        sql("UPDATE citations_zitat SET text = 'x' WHERE id = %s", zitat.pk)


def test_a_quote_that_nothing_cites_can_be_deleted():
    assessment = AssessmentFactory()
    words = "Der Landtag wolle beschließen"
    zitat = place_zitat(words, assessment.fassung.dokument)
    zitat.delete()
    assert not Zitat.objects.filter(text=words).exists()


def test_what_the_database_refuses_is_told_in_german_and_without_its_names():
    zitat = AssessmentFactory().belege.first().zitat
    with pytest.raises(IntegrityError) as refused:
        sql("UPDATE citations_zitat SET text = 'x' WHERE id = %s", zitat.pk)
    sentence = str(InvalidTransition.from_database(refused.value))
    assert sentence.startswith("Die Datenbank lehnt das ab.")
    assert "_" not in sentence


def test_the_same_verb_twice_has_one_winner():
    assessment = AssessmentFactory(in_review=True)
    same = Assessment.objects.get(pk=assessment.pk)
    approve(assessment)
    with pytest.raises(InvalidTransition, match="freigegeben"):
        same.approve(by=UserFactory(approver=True))


def test_withdrawing_needs_a_reason():
    assessment = AssessmentFactory(published=True)
    with pytest.raises(InvalidTransition, match="Grund"):
        assessment.withdraw(by=assessment.published_by, note=" ")


def test_a_proposal_can_be_accepted_taken_back_and_dropped():
    assessment = AssessmentFactory(in_review=True)
    other = Beleg.objects.filter(assessment=assessment).exclude(zitat=None).first()
    beleg = make_open(assessment)
    person = UserFactory(reviewer=True)
    with pytest.raises(InvalidTransition, match="keine Stelle"):
        beleg.accept(by=person)
    beleg.accept(by=person, zitat=other.zitat)
    beleg.reopen(by=person)
    assert beleg.vorschlag == other.zitat
    beleg.drop(by=person)
    assert beleg.zustand == Beleg.Zustand.VERWORFEN
    assert list(beleg.events.order_by("pk").values_list("verb", flat=True)) == [
        "accept",
        "reopen",
        "drop",
    ]


def test_evidence_stays_with_its_own_assessment():
    one, other = AssessmentFactory(), AssessmentFactory()
    with pytest.raises(IntegrityError, match="another assessment"):
        sql(
            "UPDATE assessments_beleg SET assessment_id = %s WHERE assessment_id = %s",
            *(other.pk, one.pk),
        )
