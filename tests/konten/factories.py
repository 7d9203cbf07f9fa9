"""Accounts with passwords, groups and devices."""

import time

from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from konten import zweiter_faktor
from tests.assessments.factories import UserFactory

PASSWORD = "ein langes Kennwort"
HERE, THERE = "198.51.100.7", "203.0.113.9"


def account(username, *groups, **fields):
    """Somebody with a password, in the groups of this name (manage.py setup_groups)."""
    person = UserFactory(username=username, **fields)
    person.set_password(PASSWORD)
    person.save()
    person.groups.set(Group.objects.filter(name__in=groups))
    return person


def logged_in(person):
    client = Client()
    client.force_login(person)
    return client


def with_device(person):
    """A device, and the recovery codes."""
    device = TOTPDevice.objects.create(user=person, name="App", confirmed=True)
    return device, zweiter_faktor._new_codes(person)


def code_of(device, *, step=0):
    """What the app shows now, or so many steps of thirty seconds later."""
    totp = TOTP(device.bin_key)
    totp.time = time.time() + 30 * step
    return f"{totp.token():06d}"


def wrong(code):
    return f"{(int(code) + 500_000) % 1_000_000:06d}"


def password_step(username="redaktion", *, client=None, address=HERE, password=PASSWORD, next=""):
    client = client or Client(REMOTE_ADDR=address)
    address = reverse("admin:login") + (f"?next={next}" if next else "")
    client.answer = client.post(address, {"username": username, "password": password})
    return client


def code_step(client, code):
    return client.post(reverse("admin:zweiter_faktor"), {"code": code})


def is_in(client):
    return client.get(reverse("admin:index")).status_code == 200
