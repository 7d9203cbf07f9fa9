"""Own ratings before the model's: the lot, the record, what approval asks for, and the figures."""

from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction

from assessments.desk.editing import change
from assessments.models import (
    Assessment,
    Eigenurteil,
    EigenurteilFehlt,
    Feldbewertung,
    InvalidTransition,
    Uebereinstimmung,
)
from assessments.scale import Wert

from .am_tisch import open_evidence
from .factories import FELDER, RATED, AssessmentFactory, UserFactory, approve, show_all

pytestmark = pytest.mark.django_db

GEFRAGT = ["A4", "C1"]


def asked(**traits):
    """In review; asks for own ratings of A4, which the model rates −−, and C1, not affected."""
    return AssessmentFactory(eigenurteil_felder=GEFRAGT, in_review=True, **traits)


def answer(assessment, person, wert=Wert.FOERDERND):
    for feld in assessment.eigenurteil_gefragt:
        Eigenurteil.record(assessment, feld, wert, by=person)


def sql(statement, *parameters):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def drawn(assessment, anteil=1.0):
    with connection.cursor() as cursor:
        cursor.execute("SELECT eigenurteil_auswahl(%s, %s)", [assessment.pk, anteil])
        return cursor.fetchone()[0]


# --- The lot ------------------------------------------------------------------------------------


def test_a_share_of_nothing_asks_nobody():
    assessment = AssessmentFactory(in_review=True)
    assert assessment.eigenurteil_felder == []
    assert assessment.eigenurteil_offen(UserFactory()) == []


def test_two_fields_are_drawn_at_submission_and_one_is_affected(settings):
    settings.EIGENURTEIL_ANTEIL = 1.0
    felder = AssessmentFactory(in_review=True).eigenurteil_felder
    assert len(set(felder)) == 2
    assert set(felder) <= set(FELDER)
    assert set(felder) & set(RATED)


def test_every_draw_has_an_affected_field_and_any_other():
    assessment = AssessmentFactory()
    draws = [drawn(assessment) for _ in range(60)]
    assert all(set(felder) & set(RATED) for felder in draws)
    assert all(felder == sorted(felder) for felder in draws)  # the order does not tell which
    assert len({feld for felder in draws for feld in felder}) > 10
    assert any(set(felder) - set(RATED) for felder in draws)


def test_the_share_is_a_share():
    assessment = AssessmentFactory()
    hits = sum(bool(drawn(assessment, 0.5)) for _ in range(300))
    assert 90 < hits < 210  # by chance beyond that once in 10^11 runs
    assert not any(drawn(assessment, 0.0) for _ in range(50))


def test_where_nothing_is_affected_two_others_are_asked():
    assessment = AssessmentFactory()
    assessment.feldbewertungen.update(wert_modell=Wert.NICHT_BETROFFEN)
    assert len(drawn(assessment)) == 2


def test_without_a_model_there_is_nothing_to_keep_back():
    assessment = AssessmentFactory()
    assessment.feldbewertungen.exclude(feld="A1").update(wert_modell="")
    assert drawn(assessment) == []


def test_a_correction_of_what_is_public_asks_nobody():
    assert drawn(AssessmentFactory(corrects=AssessmentFactory(published=True))) == []


def test_the_lot_stays_whatever_becomes_of_the_setting(settings):
    settings.EIGENURTEIL_ANTEIL = 1.0
    assessment = AssessmentFactory(in_review=True)
    felder = assessment.eigenurteil_felder
    assessment.return_to_draft(by=None, note="Noch einmal.")
    settings.EIGENURTEIL_ANTEIL = 0.0
    assessment.submit()
    assert assessment.eigenurteil_felder == felder
    spared = AssessmentFactory(in_review=True)
    spared.return_to_draft(by=None, note="Noch einmal.")
    settings.EIGENURTEIL_ANTEIL = 1.0
    spared.submit()
    assert spared.eigenurteil_felder == []


def test_raw_sql_changes_no_lot():
    assessment = asked()
    with pytest.raises(IntegrityError, match="cannot be changed"):
        sql("UPDATE assessments_assessment SET eigenurteil_felder = '{}' WHERE id = %s",
            assessment.pk)  # fmt: skip


# --- The record ---------------------------------------------------------------------------------


def test_the_answer_keeps_both_values():
    assessment, person = asked(), UserFactory()
    Eigenurteil.record(assessment, "A4", Wert.HEMMEND, by=person)
    row = assessment.eigenurteile.get()
    assert (row.feld, row.by, row.wert, row.wert_modell) == ("A4", person, "m", "mm")
    assert assessment.eigenurteil_offen(person) == ["C1"]
    assert assessment.feldbewertungen.get(feld="A4").wert == Wert.STARK_HEMMEND  # nothing changed


@pytest.mark.parametrize(
    ("feld", "wert", "says"),
    [("B5", "p", "nicht gefragt"), ("", "p", "nicht gefragt"), ("A4", "x", "gibt es nicht")],
)
def test_only_what_is_asked_for_is_recorded(feld, wert, says):
    assessment = asked()
    with pytest.raises(InvalidTransition, match=says):
        Eigenurteil.record(assessment, feld, wert, by=UserFactory())
    assert not Eigenurteil.objects.exists()


def test_the_first_answer_counts():
    assessment, person = asked(), UserFactory()
    Eigenurteil.record(assessment, "A4", Wert.HEMMEND, by=person)
    with pytest.raises(InvalidTransition, match="steht schon fest: hemmend"):
        Eigenurteil.record(assessment, "A4", Wert.FOERDERND, by=person)
    assert assessment.eigenurteile.get().wert == Wert.HEMMEND


def test_after_approval_nobody_is_asked():
    assessment, late = asked(), UserFactory()
    approver = UserFactory(approver=True)
    answer(assessment, approver)
    approve(assessment, by=approver)
    assert assessment.eigenurteil_offen(late) == []
    with pytest.raises(InvalidTransition, match="freigegeben"):
        Eigenurteil.record(assessment, "A4", Wert.HEMMEND, by=late)


@pytest.mark.parametrize(
    "statement",
    ["UPDATE assessments_eigenurteil SET wert = 'p'", "DELETE FROM assessments_eigenurteil"],
)
def test_answers_are_append_only(statement):
    answer(asked(), UserFactory())
    with pytest.raises(IntegrityError, match="append-only"):
        sql(statement)


@pytest.mark.parametrize(
    ("feld", "modell", "says"),
    [("A4", "pp", "not what the model said"), ("B5", "p", "does not ask")],
)
def test_raw_sql_records_nothing_else(feld, modell, says):
    insert = (
        "INSERT INTO assessments_eigenurteil (assessment_id, feld, by_id, wert, wert_modell, am) "
        "VALUES (%s, %s, %s, 'p', %s, now())"
    )
    with pytest.raises(IntegrityError, match=says):
        sql(insert, asked().pk, feld, UserFactory().pk, modell)


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_at_once_one_answer_counts():
    assessment, person = asked(), UserFactory()
    start, refused = Barrier(4), []

    def send(wert):
        try:
            start.wait()
            Eigenurteil.record(Assessment.objects.get(pk=assessment.pk), "A4", wert, by=person)
        except InvalidTransition as error:
            refused.append(str(error))
        finally:
            connection.close()

    threads = [Thread(target=send, args=[wert]) for wert in ("m", "o", "p", "pp")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = assessment.eigenurteile.get()
    assert len(refused) == 3
    assert all(kept.get_wert_display() in reason for reason in refused)


# --- What waits for it --------------------------------------------------------------------------


def test_nobody_approves_without_their_own_ratings():
    assessment, person = asked(), UserFactory(approver=True)
    show_all(assessment, person)
    answer(assessment, UserFactory())  # somebody else's do not help
    with pytest.raises(EigenurteilFehlt, match="A4, C1"):
        assessment.approve(by=person)
    Eigenurteil.record(assessment, "A4", Wert.HEMMEND, by=person)
    with pytest.raises(EigenurteilFehlt, match="C1"):
        assessment.approve(by=person)
    Eigenurteil.record(assessment, "C1", Wert.HEMMEND, by=person)
    assessment.approve(by=person)
    assert assessment.status == Assessment.Status.APPROVED


def test_raw_sql_approves_nothing_without_them():
    assessment, person = asked(), UserFactory()
    show_all(assessment, person)
    statement = (
        "UPDATE assessments_assessment SET status = 'approved', approved_by_id = %s, "
        "approved_at = now() WHERE id = %s"
    )
    Eigenurteil.record(assessment, "A4", Wert.HEMMEND, by=person)
    with pytest.raises(IntegrityError, match="waits for own ratings"):
        sql(statement, person.pk, assessment.pk)
    Eigenurteil.record(assessment, "C1", Wert.HEMMEND, by=person)
    sql(statement, person.pk, assessment.pk)


@pytest.mark.parametrize("verb", ["reject", "return_to_draft"])
def test_nobody_closes_it_unasked(verb):
    assessment, person = asked(), UserFactory(approver=True)
    with pytest.raises(EigenurteilFehlt):
        getattr(assessment, verb)(by=person, note="Darum.")
    answer(assessment, person)
    getattr(assessment, verb)(by=person, note="Darum.")


def test_nobody_decides_or_changes_before_it():
    assessment, person = asked(), UserFactory(reviewer=True)
    beleg = open_evidence(assessment)
    feld = assessment.feldbewertungen.get(feld="D1")
    for act in (
        lambda: beleg.accept(by=person),
        lambda: beleg.drop(by=person),
        lambda: change(feld, {"wert": "m"}, by=person),
    ):
        with pytest.raises(EigenurteilFehlt):
            act()
    answer(assessment, person)
    beleg.accept(by=person)
    assert change(feld, {"wert": "m"}, by=person) == ["wert"]


def test_a_second_person_publishes_without_being_asked():
    assessment, person = asked(), UserFactory(approver=True)
    answer(assessment, person)
    approve(assessment, by=person)
    assessment.publish(by=UserFactory(publisher=True))
    assert assessment.status == Assessment.Status.PUBLISHED


# --- Figures ------------------------------------------------------------------------------------


def pairs(*values, modell="muster-1", version="1"):
    """One own rating of A4 per pair of values: the person's and the model's."""
    rated = {}
    for own, model in values:
        if model not in rated:
            rated[model] = rate_as(model, modell, version)
        Eigenurteil.record(rated[model], "A4", own, by=UserFactory())


def rate_as(wert, modell, version):
    assessment = AssessmentFactory(eigenurteil_felder=GEFRAGT)
    assessment.lauf.modell, assessment.lauf.prompt_version = modell, version
    assessment.lauf.save()
    Feldbewertung.objects.filter(assessment=assessment, feld="A4").update(wert_modell=wert)
    assessment.submit()
    return assessment


def test_agreement_is_counted_per_model_and_version():
    pairs(("pp", "pp"), ("p", "pp"), ("m", "p"), ("n", "o"))
    pairs(("n", "n"), modell="muster-2", version="2")
    assert Eigenurteil.objects.agreement() == [
        Uebereinstimmung("muster-2", "2", n=1, gleich=1, nah=1, richtung=1),
        Uebereinstimmung("muster-1", "1", n=4, gleich=1, nah=2, richtung=3),
    ]


def test_the_newest_instructions_come_first_and_ten_is_newer_than_nine():
    for version in ("9", "10"):
        pairs(("p", "p"), version=version)
    found = [row.prompt_version for row in Eigenurteil.objects.agreement()]
    assert found == ["10", "9"]


def test_nothing_is_counted_without_an_answer():
    asked()
    assert Eigenurteil.objects.agreement() == []


ZAHL = {"mm": -2, "m": -1, "o": 0, "p": 1, "pp": 2, "n": None}


def test_near_and_direction_are_those_of_the_scale():
    pairs(*((own, model) for own in ZAHL for model in ZAHL))
    for own, a in ZAHL.items():
        for model, b in ZAHL.items():
            (row,) = Eigenurteil.objects.filter(wert=own, wert_modell=model).agreement()
            near = own == model or (a is not None and b is not None and abs(a - b) <= 1)
            sign, other = [0 if x is None else (x > 0) - (x < 0) for x in (a, b)]
            assert (row.n, row.gleich, row.nah) == (1, own == model, near), (own, model)
            assert row.richtung == (sign == other), (own, model)
