"""How fast somebody may try secrets: per account and address together, and loosely per address.

Nothing counts per account alone, so nobody can lock somebody else out. Passwords, codes of the
second factor and links are counted apart: who has one right has not got another one right.
"""

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from ninja.throttling import AnonRateThrottle

from .models import Anmeldeversuch

FREE = 5  # mistyped passwords that cost no waiting
FIRST_WAIT = timedelta(seconds=30)  # doubles with each further failure
LONGEST_WAIT = timedelta(minutes=15)
PAIR_WINDOW = timedelta(hours=1)
# An office or a school behind one address types many wrong passwords, but not so many.
ADDRESS_FREE = 50
ADDRESS_WINDOW = timedelta(minutes=15)
KEPT = timedelta(days=90)
Schritt = Anmeldeversuch.Schritt


class Gesperrt(Exception):
    """Not tried; says for people when the next attempt will be."""

    def __init__(self, until: datetime) -> None:
        self.uhrzeit = timezone.localtime(until).strftime("%H:%M:%S")
        super().__init__(
            "Von hier aus gab es zu viele Versuche, die nicht passten. Der nächste geht ab "
            f"{self.uhrzeit} Uhr; bis dahin wird nichts geprüft, auch nichts Richtiges."
        )


@transaction.atomic
def attempt(
    name: str, adresse: str, check: Callable[[], bool], *, schritt: Schritt = Schritt.PASSWORT
) -> bool:
    """What `check` says, recorded; raises Gesperrt without asking it."""
    hold(adresse)
    if until := locked_until(name, adresse, schritt):
        raise Gesperrt(until)
    erfolg = check()
    record(name, adresse, erfolg=erfolg, schritt=schritt)
    return erfolg


def client_address(request: HttpRequest) -> str:
    """As the API counts (NUM_PROXIES); of IPv6 the /64, all of which one person has."""
    text = AnonRateThrottle("1/s").get_ident(request) or ""
    try:
        address = ip_address(text)
    except ValueError:
        return text[:45]
    if isinstance(address, IPv6Address) and not address.ipv4_mapped:
        return str(ip_network((address, 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


def hold(adresse: str) -> None:
    """Until the transaction ends: of two attempts at once the second sees the first."""
    number = int.from_bytes(hashlib.sha256(adresse.encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def locked_until(name: str, adresse: str, schritt: Schritt = Schritt.PASSWORT) -> datetime | None:
    """When the next attempt will be answered; None if now."""
    now = timezone.now()
    ends = [_pair_end(name, adresse, schritt, now), _address_end(adresse, now)]
    return max((end for end in ends if end and end > now), default=None)


def record(name: str, adresse: str, *, erfolg: bool, schritt: Schritt = Schritt.PASSWORT) -> None:
    now = timezone.now()
    Anmeldeversuch.objects.filter(zeitpunkt__lt=now - KEPT).delete()
    Anmeldeversuch.objects.create(
        schritt=schritt,
        kennung=_kennung(name),
        adresse=adresse,
        konto=get_user_model().objects.filter(username=name).first(),
        erfolg=erfolg,
        zeitpunkt=now,
    )


def _pair_end(name: str, adresse: str, schritt: Schritt, now: datetime) -> datetime | None:
    pair = Anmeldeversuch.objects.filter(
        schritt=schritt,
        kennung=_kennung(name),
        adresse=adresse,
        zeitpunkt__gt=now - PAIR_WINDOW,
    )
    failures = pair.filter(erfolg=False)
    if success := pair.filter(erfolg=True).order_by("-zeitpunkt").first():
        failures = failures.filter(zeitpunkt__gt=success.zeitpunkt)
    last, count = failures.order_by("-zeitpunkt").first(), failures.count()
    if last is None or count < FREE:
        return None
    # Ten doublings are more than the longest wait; 2**count might be no timedelta any more.
    return last.zeitpunkt + min(FIRST_WAIT * 2 ** min(count - FREE, 10), LONGEST_WAIT)


def _address_end(adresse: str, now: datetime) -> datetime | None:
    """A success does not count here: whoever has one account could try others for ever."""
    times = Anmeldeversuch.objects.filter(
        adresse=adresse, erfolg=False, zeitpunkt__gt=now - ADDRESS_WINDOW
    ).order_by("-zeitpunkt")
    oldest = times.values_list("zeitpunkt", flat=True)[ADDRESS_FREE - 1 : ADDRESS_FREE]
    return oldest[0] + ADDRESS_WINDOW if oldest else None


def _kennung(name: str) -> str:
    return salted_hmac("konten.sperre", name, algorithm="sha256").hexdigest()
