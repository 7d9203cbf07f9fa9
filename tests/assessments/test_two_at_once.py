"""Raw SQL on two connections at once: one wins, and what must hold holds.

The first has done its statement and not yet committed when the second one comes.
"""

import queue
import threading
import time

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from assessments.models import Assessment, Beleg, InvalidTransition

from .factories import AssessmentFactory, UserFactory, show_all

pytestmark = pytest.mark.django_db(transaction=True)

APPROVE = (
    "UPDATE assessments_assessment SET status = 'approved', approved_by_id = %(one)s, "
    "approved_at = now() WHERE id = %(id)s AND status = 'in_review'"
)
PUBLISH = (
    "UPDATE assessments_assessment SET status = 'published', published_by_id = %(two)s, "
    "published_at = now(), version = %(id)s %% 30000 WHERE id = %(id)s AND status = 'approved'"
)
PUBLISH_OTHER = PUBLISH.replace("%(id)s", "%(other)s")
WITHDRAW = (
    "UPDATE assessments_assessment SET status = 'withdrawn' WHERE id = %(id)s "
    "AND status IN ('published', 'superseded')"
)
SUPERSEDE = (
    "UPDATE assessments_assessment SET status = 'superseded' WHERE id = %(id)s "
    "AND status = 'published'"
)
RETURN = (
    "UPDATE assessments_assessment SET status = 'draft', approved_by_id = NULL, "
    "approved_at = NULL WHERE id = %(id)s AND status IN ('in_review', 'approved')"
)
REJECT = (
    "UPDATE assessments_assessment SET status = 'rejected' WHERE id = %(id)s "
    "AND status = 'in_review'"
)
REOPEN = "UPDATE assessments_beleg SET zustand = 'offen', zitat_id = NULL WHERE id = %(beleg)s"
ADD_OPEN = (
    "INSERT INTO assessments_beleg SELECT (jsonb_populate_record(b, jsonb_build_object("
    "'id', b.id + 1000000, 'zustand', 'offen', 'zitat_id', NULL))).* "
    "FROM assessments_beleg b WHERE id = %(beleg)s"
)
UNRATE = "UPDATE assessments_feldbewertung SET wert_modell = '' WHERE id = %(feld)s"
DROP_SOURCE = (
    "UPDATE assessments_beleg SET zustand = 'verworfen', zitat_id = NULL "
    "WHERE assessment_id = %(id)s AND seite = 'programm'"
)
EMPTY = "UPDATE assessments_assessment SET zusammenfassung_modell = '' WHERE id = %(id)s"


def parameters(assessment, other=None):
    return {
        "id": assessment.pk,
        "other": other.pk if other else None,
        "beleg": assessment.belege.filter(seite="antrag").first().pk,
        "feld": assessment.feldbewertungen.get(feld="C3").pk,
        "one": assessment.approved_by_id or UserFactory().pk,
        "two": UserFactory().pk,
    }


def connect():
    params = connection.get_connection_params()
    params.pop("cursor_factory", None)
    params.pop("context", None)
    return psycopg.connect(**params)


def attempt(link, statement, values):
    """What becomes of it: done, nothing, or the name of the rule that refused."""
    try:
        count = link.execute(statement, values).rowcount
        link.commit()
    except psycopg.errors.IntegrityError as error:
        link.rollback()
        return error.diag.constraint_name
    return "done" if count else "nothing"


def race(first, second, values):
    """The second comes while the first is not committed; what becomes of the second."""
    with connect() as one, connect() as two:
        one.execute(first, values)
        answers = []
        late = threading.Thread(target=lambda: answers.append(attempt(two, second, values)))
        late.start()
        wait_until_blocked(two.info.backend_pid, late)
        one.commit()
        late.join()
    return answers[0]


def wait_until_blocked(pid, thread):
    """Or until it is through: not every pair gets in each other's way."""
    with connect() as looking:
        looking.autocommit = True
        deadline = time.monotonic() + 20
        while thread.is_alive() and time.monotonic() < deadline:
            (blocking,) = looking.execute("SELECT pg_blocking_pids(%s)", [pid]).fetchone()
            if blocking:
                return


def require_invariants():
    for assessment in Assessment.objects.filter(status__in=["approved", "published"]):
        assert not assessment.belege.offen().exists()
        assert not assessment.vergleiche.undecided().exists()
        assert not assessment.vergleiche.without_source().exists()
        assert all(assessment.werte().values())
        assert assessment.zusammenfassung
    for antrag in Assessment.objects.values_list("antrag", flat=True):
        assert Assessment.objects.public().filter(antrag=antrag).count() <= 1


@pytest.mark.parametrize("hinder", [REOPEN, ADD_OPEN, UNRATE, DROP_SOURCE, EMPTY])
@pytest.mark.parametrize("approval_first", [True, False])
def test_approval_against_what_hinders_it_has_one_winner(hinder, approval_first):
    assessment = AssessmentFactory(in_review=True)
    values = parameters(assessment)
    show_all(assessment, UserFactory._meta.model.objects.get(pk=values["one"]))
    pair = (APPROVE, hinder) if approval_first else (hinder, APPROVE)
    assert race(*pair, values) not in ("done", "nothing")
    require_invariants()
    assessment.refresh_from_db()
    assert (assessment.status == "approved") == approval_first


@pytest.mark.parametrize("pair", [(PUBLISH, RETURN), (RETURN, PUBLISH)])
def test_publication_against_return_has_one_winner(pair):
    assessment = AssessmentFactory(approved=True)
    assert race(*pair, parameters(assessment)) == "nothing"
    require_invariants()


@pytest.mark.parametrize("pair", [(APPROVE, REJECT), (REJECT, APPROVE)])
def test_approval_against_rejection_has_one_winner(pair):
    assessment = AssessmentFactory(in_review=True)
    values = parameters(assessment)
    show_all(assessment, UserFactory._meta.model.objects.get(pk=values["one"]))
    assert race(*pair, values) == "nothing"
    require_invariants()


def test_two_publications_of_one_motion_have_one_winner():
    first = AssessmentFactory(approved=True)
    second = AssessmentFactory(antrag=first.antrag, approved=True)
    refused = race(PUBLISH, PUBLISH_OTHER, parameters(first, second))
    assert refused == "one_published_per_antrag"
    require_invariants()


@pytest.mark.parametrize(
    "pair",
    [(SUPERSEDE, PUBLISH_OTHER), (WITHDRAW, PUBLISH_OTHER), (WITHDRAW, SUPERSEDE)],
)
def test_a_correction_against_the_withdrawal_of_what_it_corrects(pair):
    """Whatever comes first, one version at most is public, and a withdrawn one stays withdrawn."""
    first = AssessmentFactory(published=True)
    second = AssessmentFactory(antrag=first.antrag, approved=True)
    race(*pair, parameters(first, second))
    require_invariants()
    first.refresh_from_db()
    assert first.status == ("superseded" if pair[0] == SUPERSEDE else "withdrawn")


def test_a_correction_and_a_withdrawal_by_their_verbs_have_one_order():
    """The withdrawal always holds; the publication too, unless it is told what happened."""
    first = AssessmentFactory(published=True)
    second = AssessmentFactory(antrag=first.antrag, approved=True)
    start, refused = threading.Barrier(2), []

    def run(verb, **options):
        try:
            start.wait()
            verb(**options)
        except InvalidTransition as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=run, args=[second.publish], kwargs={"by": UserFactory()}),
        threading.Thread(
            target=run, args=[first.withdraw], kwargs={"by": UserFactory(), "note": "Falsch."}
        ),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("withdrawn", "approved" if refused else "published")
    require_invariants()


# --- One connection, past every verb ------------------------------------------------------------

FORBIDDEN = {
    "publish without approval": ("in_review", PUBLISH.replace("status = 'approved'", "true")),
    "publish as the one who approved": ("approved", PUBLISH.replace("%(two)s", "%(one)s")),
    "approve what was not shown": ("in_review", APPROVE),
    "reopen published evidence": ("published", REOPEN),
    "add to published evidence": ("published", ADD_OPEN),
    "rate a published field anew": ("published", UNRATE),
    "drop published evidence": ("published", DROP_SOURCE),
    "change a published summary": ("published", EMPTY),
    "change an event": ("published", "UPDATE assessments_reviewevent SET verb = 'x'"),
    "delete an event": ("published", "DELETE FROM assessments_reviewevent"),
    "change a quote": ("published", "UPDATE citations_zitat SET text = text || '.'"),
    "delete a quote": (
        "published",
        "DELETE FROM citations_zitat WHERE id IN (SELECT zitat_id FROM assessments_beleg)",
    ),
    "take a withdrawn one back": (
        "withdrawn",
        "UPDATE assessments_assessment SET status = 'published' WHERE id = %(id)s",
    ),
}


@pytest.mark.parametrize("forbidden", FORBIDDEN)
def test_raw_sql_is_refused_and_changes_nothing(forbidden):
    state, statement = FORBIDDEN[forbidden]
    assessment = AssessmentFactory(stand=state)
    before = list(Assessment.objects.values()), list(Beleg.objects.order_by("pk").values())
    with connect() as link:
        assert attempt(link, statement, parameters(assessment)) not in ("done", "nothing")
    assert before == (
        list(Assessment.objects.values()),
        list(Beleg.objects.order_by("pk").values()),
    )


def test_a_correction_and_a_new_version_at_once_do_not_wait_for_each_other():
    """Both want the public version and its motion; the editor that came first has the version."""
    public = AssessmentFactory(published=True)
    newer = AssessmentFactory(antrag=public.antrag, approved=True)
    pid, failed = queue.Queue(), []

    def publish():
        try:
            connection.ensure_connection()
            pid.put(connection.connection.info.backend_pid)
            newer.publish(by=UserFactory())
        except DatabaseError as error:
            failed.append(error)
        finally:
            connection.close()

    publisher = threading.Thread(target=publish)
    with transaction.atomic():
        public.require_as_seen(public.letztes_ereignis)
        publisher.start()
        wait_until_blocked(pid.get(timeout=20), publisher)
        correction = public.correct(by=UserFactory(), note="Ein Zitat steht falsch.")
    publisher.join()
    assert not failed
    assert Assessment.objects.public().get(antrag=public.antrag) == newer
    assert correction.status == Assessment.Status.IN_REVIEW
