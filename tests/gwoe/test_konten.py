"""Accounts: none by default, and how long a log-in lasts."""

from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from tests.assessments.factories import UserFactory
from tests.gwoe.test_settings import production

pytestmark = pytest.mark.django_db
PASSWORD = "ein langes Kennwort"
# What docs/how-to/deploy.md runs at every deployment and what touches the database.
DEPLOYMENT = ("load_parlamente", "close_programme", "setup_groups", "setup_schedules")


def logged_in(person):
    client = Client()
    response = client.post(
        reverse("admin:login"), {"username": person.username, "password": PASSWORD}
    )
    assert response.status_code == 302
    return client


@pytest.fixture
def person():
    person = UserFactory()
    person.set_password(PASSWORD)
    person.save()
    return person


def test_neither_migrations_nor_a_deployment_make_an_account():
    assert not get_user_model().objects.exists()
    for command in DEPLOYMENT:
        call_command(command, stdout=StringIO())
    assert not get_user_model().objects.exists()


def test_production_forbids_the_demo():
    assert '"DEMO_ALLOWED": "False"' in production().stdout


def test_the_forbidden_demo_says_so_and_makes_nothing(settings):
    settings.DEMO_ALLOWED = False
    with pytest.raises(CommandError, match="createsuperuser"):
        call_command("demo", "--no-serve", stdout=StringIO())
    assert not get_user_model().objects.exists()


def test_logging_in_gives_the_session_a_new_key(person):
    client = Client()
    session = client.session  # one that somebody else might have planted
    session["geplant"] = "ja"
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    response = client.post(
        reverse("admin:login"), {"username": person.username, "password": PASSWORD}
    )
    assert response.status_code == 302
    assert client.session.session_key != planted
    assert not client.session.exists(planted)


def test_a_changed_password_ends_every_other_session(person):
    here, elsewhere = logged_in(person), logged_in(person)
    new = "ein neues langes Kennwort"
    changed = here.post(
        reverse("admin:password_change"),
        {"old_password": PASSWORD, "new_password1": new, "new_password2": new},
    )
    assert changed.status_code == 302
    assert here.get(reverse("admin:index")).status_code == 200
    assert reverse("admin:login") in elsewhere.get(reverse("admin:index")).url


def test_a_session_lasts_half_a_day_however_busy(person):
    client = logged_in(person)
    assert client.cookies["sessionid"]["max-age"] == 12 * 60 * 60
    assert client.cookies["sessionid"]["httponly"]
    again = client.get(reverse("admin:index")).cookies
    assert "sessionid" not in again  # not prolonged by use


def test_production_sends_its_cookies_over_tls_only():
    for name in ("SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "CSRF_COOKIE_SECURE"):
        assert f'"{name}": "True"' in production().stdout
