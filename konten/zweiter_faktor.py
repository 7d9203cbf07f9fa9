"""The second factor: a code from an app (TOTP), and recovery codes on paper.

Between the password and the code nobody is logged in: the session only remembers, for ten minutes,
whose password was right (docs/adr/0025).
"""

import secrets
import time
from base64 import b32encode
from typing import Any

import django_otp
from django.conf import settings
from django.contrib import auth
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from . import sperre
from .einladungen import GETRENNT, locked
from .models import Kontoereignis
from .rechte import NichtErlaubt, require_may_manage

Art = Kontoereignis.Art
PENDING = "zweiter_faktor_offen"  # in the session: whose password was right
NEW_KEY = "zweiter_faktor_schluessel"  # in the session: the key of a device that is being set up
PENDING_SECONDS = 10 * 60
CODES = 10
# Fifty random bits, without letters that look alike, in two groups.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Wartet(Exception):
    """The device takes no code for a moment, from wherever it comes."""


def is_asked_for(request: HttpRequest) -> bool:
    """Whether this visitor still lacks the second factor."""
    return settings.ZWEITER_FAKTOR and getattr(request.user, "otp_device", None) is None


def has_device(person: Any) -> bool:
    return TOTPDevice.objects.filter(user_id=person.pk, confirmed=True).exists()


def codes_left(person: Any) -> int:
    return StaticToken.objects.filter(device__user_id=person.pk).count()


# --- Logging in --------------------------------------------------------------------------------


def begin(request: HttpRequest, person: User, *, weiter: str) -> None:
    """After the right password: a new session that knows who may try codes."""
    request.session.flush()
    request.session[PENDING] = {
        "konto": person.pk,
        "stand": person.get_session_auth_hash(),
        "seit": time.time(),
        "weiter": weiter,
    }
    if not has_device(person):
        request.session[NEW_KEY] = random_hex(20)


def pending(request: HttpRequest) -> User | None:
    """Whose password was right a moment ago; not after it changed, or the account was closed."""
    entry = request.session.get(PENDING)
    if not entry or time.time() - entry["seit"] > PENDING_SECONDS:
        return None
    person = User.objects.filter(pk=entry["konto"], is_active=True, is_staff=True).first()
    if person and constant_time_compare(entry["stand"], person.get_session_auth_hash()):
        return person
    return None


def check_code(person: User, code: str, adresse: str) -> Device | None:
    """The device that takes this code, once; raises Gesperrt or Wartet without trying it.

    Six digits are the app's, anything else is a recovery code: a mistyped one counts for its own
    device only.
    """
    taken: list[Device] = []

    def check() -> bool:
        code_ = _plain(code)
        model = TOTPDevice if code_.isdecimal() and len(code_) == 6 else StaticDevice
        device = model.objects.select_for_update().filter(user=person, confirmed=True).first()
        if device is None:
            return False
        if not device.verify_is_allowed()[0]:
            raise Wartet
        if device.verify_token(code_ if model is TOTPDevice else _stored(person, code_)):
            taken.append(device)
        return bool(taken)

    sperre.attempt(person.get_username(), adresse, check, schritt=sperre.Schritt.CODE)
    return taken[0] if taken else None


def complete(request: HttpRequest, person: User, device: Device) -> str:
    """Logs in, in a new session again; where to go from here."""
    entry = request.session.pop(PENDING, {})
    request.session.pop(NEW_KEY, None)
    auth.login(request, person)
    django_otp.login(request, device)
    if isinstance(device, StaticDevice):
        Kontoereignis.note(person, Art.NOTFALL, durch=person)
    return entry.get("weiter", "")


# --- Setting up --------------------------------------------------------------------------------


def begin_set_up(request: HttpRequest) -> None:
    """Another device for somebody who is logged in with both factors."""
    request.session[NEW_KEY] = random_hex(20)


def new_device(request: HttpRequest, person: User) -> TOTPDevice | None:
    """The device that is being set up; not stored."""
    key = request.session.get(NEW_KEY)
    return TOTPDevice(user=person, name="App", key=key, confirmed=True) if key else None


def set_up(
    person: User, device: TOTPDevice, code: str, adresse: str, *, replace: bool
) -> list[str] | None:
    """Stores the device when its code is right, and returns new recovery codes.

    An old device goes only where `replace` says so: a password alone must not put one away.
    """
    codes: list[str] = []

    def check() -> bool:
        locked(person)
        if has_device(person) and not replace:
            return False
        with transaction.atomic():
            _remove(person)
            device.save()
            if not device.verify_token(_plain(code)):
                transaction.set_rollback(True)
                return False
        codes.extend(_new_codes(person))
        Kontoereignis.note(person, Art.FAKTOR, durch=person)
        return True

    sperre.attempt(person.get_username(), adresse, check, schritt=sperre.Schritt.CODE)
    return codes or None


def key_for_typing(device: TOTPDevice) -> str:
    """As apps take it, in groups of four."""
    text = b32encode(device.bin_key).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


# --- Resetting ---------------------------------------------------------------------------------


@transaction.atomic
def reset(konto: Any, *, by: Any) -> bool:
    """The next log-in sets up a new device; False where there was none.

    `by` is None at the operator's command line.
    """
    konto = locked(konto)
    if by is not None:
        require_may_manage(by, konto)
        since = timezone.now() - GETRENNT
        if Kontoereignis.happened(konto, Art.LINK, durch=by, since=since):
            raise NichtErlaubt(
                "Sie haben den Link für ein neues Passwort dieses Kontos ausgestellt. Den zweiten "
                f"Faktor setzt deshalb {GETRENNT.days} Tage lang jemand anderes zurück."
            )
    if not _remove(konto):
        return False
    Kontoereignis.note(konto, Art.ZURUECKGESETZT, durch=by)
    return True


def _remove(person: User) -> bool:
    deleted, _ = TOTPDevice.objects.filter(user=person).delete()
    StaticDevice.objects.filter(user=person).delete()
    return bool(deleted)


def _new_codes(person: User) -> list[str]:
    device = StaticDevice.objects.create(user=person, name="Wiederherstellungscodes")
    codes = ["".join(secrets.choice(LETTERS) for _ in range(10)) for _ in range(CODES)]
    for code in codes:
        device.token_set.create(token=_stored(person, code))
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def _plain(code: str) -> str:
    return "".join(code.split()).replace("-", "").lower()


def _stored(person: User, code: str) -> str:
    """A keyed hash as long as the column: whoever reads the database has no codes."""
    salt = f"konten.zweiter_faktor.{person.pk}"
    return salted_hmac(salt, code, algorithm="sha256").hexdigest()[:16]
