"""Trying passwords gets slow for whoever tries, and for nobody else."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from konten import sperre
from konten.models import Anmeldeversuch
from tests.assessments.factories import UserFactory

pytestmark = pytest.mark.django_db
PASSWORD = "ein langes Kennwort"
HERE, THERE = "198.51.100.7", "203.0.113.9"


@pytest.fixture
def person():
    return with_password("redaktion")


def with_password(username, **fields):
    person = UserFactory(username=username, **fields)
    person.set_password(PASSWORD)
    person.save()
    return person


def attempt(password, *, name="redaktion", address=HERE, **headers):
    return Client().post(
        reverse("admin:login"),
        {"username": name, "password": password},
        REMOTE_ADDR=address,
        **headers,
    )


def is_locked(response):
    # The words, because contexts of requests in other threads are mixed up by the test client.
    return response.status_code == 200 and "Der nächste geht ab" in response.content.decode()


def is_in(response):
    return response.status_code == 302


def failed(times, *, ago, name="redaktion", address=HERE):
    for _ in range(times):
        Anmeldeversuch.objects.create(
            kennung=sperre._kennung(name),
            adresse=address,
            erfolg=False,
            zeitpunkt=timezone.now() - ago,
        )


def test_after_five_failures_not_even_the_right_password_is_tried(person):
    assert not any(is_locked(attempt("falsch")) for _ in range(sperre.FREE))
    refused = attempt(PASSWORD)
    assert is_locked(refused)
    (sentence,) = refused.context["form"].non_field_errors()
    until = sperre.locked_until("redaktion", HERE)
    assert f"{timezone.localtime(until):%H:%M:%S} Uhr" in sentence


def test_somebody_elsewhere_is_not_locked_out(person):
    for _ in range(sperre.FREE):
        attempt("falsch")
    assert is_locked(attempt(PASSWORD))
    assert is_in(attempt(PASSWORD, address=THERE))


def test_somebody_else_at_the_same_address_is_not_locked_out(person):
    with_password("kollegin")
    failed(sperre.FREE, ago=timedelta())
    assert is_in(attempt(PASSWORD, name="kollegin"))


def test_the_wait_doubles_and_ends(person):
    failed(sperre.FREE, ago=timedelta(seconds=31))
    assert not is_locked(attempt("falsch"))  # the sixth: now a minute
    wait = sperre.locked_until("redaktion", HERE) - timezone.now()
    assert timedelta(seconds=50) < wait <= timedelta(seconds=60)


def test_nobody_waits_longer_than_a_quarter_of_an_hour(person):
    failed(40, ago=timedelta(minutes=15, seconds=1))
    assert is_in(attempt(PASSWORD))


def test_a_success_begins_the_count_anew(person):
    failed(sperre.FREE - 1, ago=timedelta(seconds=5))
    assert is_in(attempt(PASSWORD))
    assert not is_locked(attempt("falsch"))
    assert is_in(attempt(PASSWORD))


def test_many_names_from_one_address_are_stopped_there_only(person):
    for number in range(sperre.ADDRESS_FREE):
        failed(1, ago=timedelta(minutes=1), name=f"name{number}")
    assert is_locked(attempt(PASSWORD))
    assert is_in(attempt(PASSWORD, address=THERE))


def test_the_old_password_of_a_change_counts_like_one_at_the_log_in(person):
    client = Client(REMOTE_ADDR=HERE)
    client.force_login(person)
    url, new = reverse("admin:password_change"), "ein ganz neues Kennwort"

    def change(old):
        given = {"old_password": old, "new_password1": new, "new_password2": new}
        return client.post(url, given)

    assert "Das alte Passwort war falsch" in change("falsch").content.decode()
    for _ in range(sperre.FREE - 1):
        change("falsch")
    assert is_locked(change(PASSWORD))
    assert is_locked(attempt(PASSWORD))
    Anmeldeversuch.objects.all().delete()
    assert change(PASSWORD).url == reverse("admin:password_change_done")
    assert is_in(attempt(new))


def test_known_unknown_and_foreign_accounts_are_locked_alike(person):
    with_password("gast", is_staff=False)
    for name, password in (("redaktion", "falsch"), ("niemand", "falsch"), ("gast", PASSWORD)):
        refused = [is_locked(attempt(password, name=name)) for _ in range(sperre.FREE + 1)]
        assert refused == [False] * sperre.FREE + [True]


def test_a_made_up_header_does_not_escape(person):
    for number in range(sperre.FREE):
        attempt("falsch", HTTP_X_FORWARDED_FOR=f"192.0.2.{number}")
    assert is_locked(attempt(PASSWORD, HTTP_X_FORWARDED_FOR="192.0.2.99"))


def test_all_addresses_of_one_ipv6_network_are_one():
    def address(text):
        return sperre.client_address(type("R", (), {"META": {"REMOTE_ADDR": text}})())

    assert address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::9")
    assert address("2001:db8:1:2::1") != address("2001:db8:1:3::1")
    assert address("::ffff:198.51.100.7") == HERE


def test_attempts_are_recorded_without_what_was_typed(person):
    attempt("geheimes Falsches")
    attempt(PASSWORD)
    attempt("x", name="mein Kennwort im falschen Feld")
    rows = list(Anmeldeversuch.objects.order_by("pk").values())
    assert [(row["konto_id"], row["erfolg"]) for row in rows] == [
        (person.pk, False),
        (person.pk, True),
        (None, False),
    ]
    assert not any(word in str(rows) for word in ("geheimes", "Kennwort", PASSWORD))


def test_a_recorded_attempt_cannot_be_changed(person):
    attempt("falsch")
    with pytest.raises(IntegrityError, match="cannot be changed"), transaction.atomic():
        Anmeldeversuch.objects.update(erfolg=True)


def test_old_attempts_are_forgotten(person):
    failed(1, ago=sperre.KEPT + timedelta(days=1))
    attempt(PASSWORD)
    assert Anmeldeversuch.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_moment_do_not_slip_through():
    with_password("redaktion")

    def guess(number):
        try:
            return is_locked(attempt(f"falsch {number}"))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        locked = list(pool.map(guess, range(12)))
    assert locked.count(False) == sperre.FREE


def test_only_the_leitung_may_look_at_the_attempts():
    call_command("setup_groups", stdout=StringIO())
    may = Group.objects.filter(permissions__codename="view_anmeldeversuch")
    assert [group.name for group in may] == ["Leitung"]
    leader = UserFactory()
    leader.groups.add(Group.objects.get(name="Leitung"))
    client = Client()
    client.force_login(leader)
    assert client.get(reverse("admin:konten_anmeldeversuch_changelist")).status_code == 200
    assert client.get(reverse("admin:konten_anmeldeversuch_add")).status_code == 403
    client.force_login(UserFactory(publisher=True))
    assert client.get(reverse("admin:konten_anmeldeversuch_changelist")).status_code == 403
