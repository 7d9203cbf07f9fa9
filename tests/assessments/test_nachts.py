"""The nightly proof: scheduled once, told on the start page, withdrawing nothing."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from django_q.models import Schedule

from assessments.addresses import zitat_address
from assessments.models import Assessment
from assessments.tasks import verify_nightly
from citations.models import Pruefgang

from .factories import AssessmentFactory, UserFactory, tamper
from .seiten import published, read, words

pytestmark = pytest.mark.django_db


def start_page(client, **person):
    client.force_login(UserFactory(**(person or {"reviewer": True})))
    return words(read(client, reverse("admin:index")))


@pytest.fixture
def refuted():
    assessment = published()
    zitat = assessment.belege.filter(feldbewertung__feld="B5").get().zitat
    tamper("UPDATE citations_zitat SET text = 'Das Gegenteil' WHERE id = %s", zitat.pk)
    return zitat


def test_the_nightly_proof_is_scheduled_once():
    for _ in range(2):
        call_command("setup_schedules")
    (schedule,) = Schedule.objects.filter(name="verify_citations")
    assert schedule.func == "assessments.tasks.verify_nightly"
    assert schedule.schedule_type == Schedule.DAILY
    local = timezone.localtime(schedule.next_run)
    assert (local.hour, local.minute) == (3, 10)
    assert timezone.now() < schedule.next_run <= timezone.now() + timedelta(days=1)


def test_a_changed_time_is_kept():
    call_command("setup_schedules")
    later = timezone.now() + timedelta(hours=30)
    Schedule.objects.update(next_run=later, func="old")
    call_command("setup_schedules")
    schedule = Schedule.objects.get(name="verify_citations")
    assert (schedule.next_run, schedule.func) == (later, "assessments.tasks.verify_nightly")


def test_a_refuted_quote_withdraws_nothing_and_is_told(client, refuted):
    verify_nightly()
    assert Assessment.objects.get().status == Assessment.Status.PUBLISHED
    html = words(read(client, zitat_address(refuted)))
    assert "Dieses Zitat ist in Prüfung seit" in html
    text = start_page(client)
    assert "Ein veröffentlichtes Zitat ist in Prüfung." in text
    assert "Der Wortlaut ist nicht der, der an der Stelle steht." in text
    assert "Zuletzt nachgeprüft am" in text


def test_when_all_is_proved_the_start_page_says_so(client):
    published()
    verify_nightly()
    assert "Kein veröffentlichtes Zitat ist in Prüfung." in start_page(client)


def test_a_run_that_never_ended_is_told(client):
    Pruefgang.objects.create()
    assert "ist nicht zu Ende" in start_page(client)


def test_the_doubt_about_a_draft_is_not_a_published_one(client):
    zitat = AssessmentFactory(in_review=True).belege.first().zitat
    tamper("UPDATE citations_zitat SET text = 'Das Gegenteil' WHERE id = %s", zitat.pk)
    verify_nightly()
    assert "Kein veröffentlichtes Zitat ist in Prüfung." in start_page(client)


def test_who_may_not_look_is_told_nothing(client, refuted):
    verify_nightly()
    assert "Nachprüfung" not in start_page(client, is_staff=True)
