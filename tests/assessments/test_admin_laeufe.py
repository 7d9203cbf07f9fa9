import pytest
from django.urls import reverse

from assessments.models import Lauf
from tests.parlamente.factories import AntragFactory
from tests.programme.factories import ModellAufrufFactory

from .factories import ANTRAGSTEXT, LaufFactory, UserFactory

pytestmark = pytest.mark.django_db
ADD = "admin:assessments_lauf_add"
LIST = "admin:assessments_lauf_changelist"


@pytest.fixture
def antrag():
    return AntragFactory(mit_text=ANTRAGSTEXT)


def test_an_editor_starts_a_run_from_the_admin(client, antrag, django_capture_on_commit_callbacks):
    client.force_login(UserFactory(reviewer=True))
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(reverse(ADD), {"antrag": antrag.pk}, follow=True)
    lauf = Lauf.objects.get()
    assert (lauf.fassung, lauf.status) == (antrag.fassung, Lauf.Status.WARTET)
    assert "wartet" in response.content.decode()


def test_a_motion_without_text_cannot_be_assessed(client):
    client.force_login(UserFactory(reviewer=True))
    response = client.post(reverse(ADD), {"antrag": AntragFactory().pk})
    assert "kein Text vor" in response.content.decode()
    assert not Lauf.objects.exists()


def test_who_may_not_review_may_not_start_a_run(client, antrag):
    client.force_login(UserFactory())
    assert client.post(reverse(ADD), {"antrag": antrag.pk}).status_code == 403


def test_only_failed_runs_are_started_again(client, antrag):
    failed = LaufFactory(fassung=antrag.fassung, status=Lauf.Status.GESCHEITERT)
    done = LaufFactory(fassung=antrag.fassung)
    client.force_login(UserFactory(reviewer=True))
    chosen = {"action": "retry", "_selected_action": [failed.pk, done.pk]}
    response = client.post(reverse(LIST), chosen, follow=True)
    failed.refresh_from_db()
    done.refresh_from_db()
    assert (failed.status, done.status) == (Lauf.Status.WARTET, Lauf.Status.FERTIG)
    assert "nur ein gescheiterter" in response.content.decode()


def test_a_failed_run_waits_for_another_one_of_the_same_text(client, antrag):
    failed = LaufFactory(fassung=antrag.fassung, status=Lauf.Status.GESCHEITERT)
    other = LaufFactory(fassung=antrag.fassung, status=Lauf.Status.WARTET)
    client.force_login(UserFactory(reviewer=True))
    chosen = {"action": "retry", "_selected_action": [failed.pk]}
    response = client.post(reverse(LIST), chosen, follow=True)
    assert "wartet oder läuft schon ein Lauf" in response.content.decode()
    failed.refresh_from_db()
    other.refresh_from_db()
    assert (failed.status, other.status) == (Lauf.Status.GESCHEITERT, Lauf.Status.WARTET)


def test_the_page_of_a_run_says_which_call_failed(client, antrag):
    lauf = LaufFactory(fassung=antrag.fassung, status=Lauf.Status.GESCHEITERT)
    lauf.aufrufe.add(ModellAufrufFactory(zweck="Matrix", modell="m", fehler="Zeitueberschreitung"))
    client.force_login(UserFactory(reviewer=True))
    page = client.get(reverse("admin:assessments_lauf_change", args=[lauf.pk])).content.decode()
    assert "Matrix (m): Zeitueberschreitung" in page
