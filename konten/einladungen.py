"""Links by which a person sets a password: issued, revoked and redeemed.

There is no mail server: whoever issues a link sees it once and passes it on by hand.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils import timezone

from .models import Einladung, Kontoereignis
from .rechte import NichtErlaubt, require_may_give, require_may_manage

Art = Kontoereignis.Art
# For so long one person cannot both give somebody's link away and reset their second factor.
GETRENNT = timedelta(days=30)


@transaction.atomic
def invite(
    username: str, *, by: Any, groups: Iterable[Group], first_name: str = "", last_name: str = ""
) -> tuple[User, str]:
    """A new account that nobody can log in to, and the secret of its link."""
    groups = list(groups)
    require_may_give(by, groups)
    konto = get_user_model().objects.create_user(
        username, first_name=first_name, last_name=last_name, is_staff=True
    )
    konto.groups.set(groups)
    names = ", ".join(group.name for group in groups)
    Kontoereignis.note(konto, Art.EINGELADEN, durch=by, vermerk=f"Gruppen: {names or 'keine'}")
    return konto, _issue(konto, by=by)


@transaction.atomic
def issue_link(konto: Any, *, by: Any) -> str:
    """The secret of a new link, to a first or to another password; ends the one before."""
    konto = locked(konto)
    require_may_manage(by, konto)
    if not konto.is_active:
        raise NichtErlaubt("Das Konto ist gesperrt. Geben Sie zuerst den Zugang wieder frei.")
    since = timezone.now() - GETRENNT
    if Kontoereignis.happened(konto, Art.ZURUECKGESETZT, durch=by, since=since):
        raise NichtErlaubt(
            "Sie haben den zweiten Faktor dieses Kontos zurückgesetzt. Den Link für ein neues "
            f"Passwort stellt deshalb {GETRENNT.days} Tage lang jemand anderes aus."
        )
    revoke_unused(konto)
    Kontoereignis.note(konto, Art.LINK, durch=by)
    return _issue(konto, by=by)


@transaction.atomic
def revoke(einladung: Einladung, *, by: Any) -> bool:
    """False where it was no longer open."""
    require_may_manage(by, einladung.konto)
    revoked = Einladung.objects.open().filter(pk=einladung.pk).update(widerrufen_am=timezone.now())
    if revoked:
        Kontoereignis.note(einladung.konto, Art.WIDERRUFEN, durch=by)
    return bool(revoked)


def revoke_unused(konto: Any) -> None:
    Einladung.objects.unused().filter(konto_id=konto.pk).update(widerrufen_am=timezone.now())


def find(secret: str) -> Einladung | None:
    """Changes nothing; None for whatever cannot be redeemed, without saying why."""
    found = Einladung.objects.redeemable().filter(pruefsumme=_hash(secret))
    return found.select_related("konto").first()


@transaction.atomic
def redeem(einladung: Einladung, password: str) -> bool:
    """Sets the password, which ends every session of the account; False where it came too late."""
    konto = locked(einladung.konto)
    now = timezone.now()  # before the condition, so that it lies within the time of the link
    if not Einladung.objects.redeemable().filter(pk=einladung.pk).update(eingeloest_am=now):
        return False
    konto.set_password(password)
    konto.save(update_fields=["password"])
    Kontoereignis.note(konto, Art.EINGELOEST)
    return True


def locked(konto: Any) -> User:
    """The account's row, locked: of two that change it at once the second sees the first.

    No stronger than that, or two people who do something to each other's accounts at once would
    wait for each other: the record of either names both.
    """
    return get_user_model().objects.select_for_update(no_key=True).get(pk=konto.pk)


def _issue(konto: User, *, by: Any) -> str:
    secret, now = secrets.token_urlsafe(32), timezone.now()
    new = not konto.has_usable_password()
    Einladung.objects.create(
        konto=konto,
        zweck=Einladung.Zweck.EINLADUNG if new else Einladung.Zweck.PASSWORT,
        pruefsumme=_hash(secret),
        ausgestellt_durch_id=by.pk,
        ausgestellt_am=now,
        gueltig_bis=now + timedelta(hours=settings.EINLADUNG_STUNDEN),
    )
    return secret


def _hash(secret: str) -> str:
    """Without a key and a salt: the secret has 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
