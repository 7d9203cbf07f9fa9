"""Who may do something to whose account: nobody gives or takes over more than they have."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db.models import Q, QuerySet


class NichtErlaubt(Exception):
    """A German sentence for whoever asked."""


def permissions_of(person: Any) -> set[int]:
    """Of the database, because Django says of an inactive account that it has none."""
    found = Permission.objects.all()
    if not person.is_superuser:
        found = found.filter(Q(group__user=person.pk) | Q(user=person.pk))
    return set(found.values_list("pk", flat=True))


def givable_groups(by: Any) -> QuerySet[Group]:
    """The groups of which `by` has every permission."""
    beyond = Group.objects.exclude(permissions=None).filter(
        permissions__in=Permission.objects.exclude(pk__in=permissions_of(by))
    )
    return Group.objects.exclude(pk__in=beyond.values("pk")).order_by("name")


def require_may_give(by: Any, groups: Iterable[Group]) -> None:
    givable = set(givable_groups(by).values_list("pk", flat=True))
    if not {group.pk for group in groups} <= givable:
        raise NichtErlaubt("Sie können nur Gruppen vergeben, deren Rechte Sie selbst haben.")


def may_manage(by: Any, konto: Any) -> bool:
    """Never one's own account, and none that may more than `by`."""
    if by.pk == konto.pk or not by.is_active:
        return False
    if by.is_superuser:
        return True
    return not konto.is_superuser and permissions_of(konto) <= permissions_of(by)


def require_may_manage(by: Any, konto: Any) -> None:
    if by.pk == konto.pk:
        raise NichtErlaubt("Das eigene Konto kann nur jemand anderes ändern.")
    if not may_manage(by, konto):
        raise NichtErlaubt("Dieses Konto darf mehr als Sie. Ändern kann es nur, wer so viel darf.")
