"""Names of editors on published pages: only of those who agreed, and for as long as they do."""

import unicodedata
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models, transaction
from django.utils import timezone

if TYPE_CHECKING:
    from .assessment import Assessment

MAX_NAME = 80


class Namensnennung(models.Model):
    """Somebody wants to be named in the records of what is published; no row means no.

    Deleting it takes the name from every page (`Nennung` goes with it).
    """

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="namensnennung"
    )
    genannt_als = models.CharField("genannt als", max_length=MAX_NAME)
    since = models.DateTimeField("seit")

    class Meta:
        verbose_name = "Namensnennung"
        verbose_name_plural = "Namensnennungen"
        constraints = [
            models.CheckConstraint(condition=~models.Q(genannt_als=""), name="named_as_something")
        ]

    def __str__(self) -> str:
        return self.genannt_als

    @classmethod
    def agree(cls, person: Any, name: str) -> None:
        """Holds for what is published from now on; another name leaves older pages as they are."""
        defaults = {"genannt_als": name, "since": timezone.now()}
        cls.objects.update_or_create(person=person, defaults=defaults)

    @classmethod
    def is_anothers(cls, person: Any, name: str) -> bool:
        """Whether somebody else has this name here: readers would take it for theirs."""
        accounts = get_user_model().objects.exclude(pk=person.pk)
        names = {one for konto in accounts for one in (konto.get_full_name(), konto.username)}
        named = Nennung.objects.exclude(zusage=person.pk).values_list("name", flat=True)
        agreed = cls.objects.exclude(person=person.pk).values_list("genannt_als", flat=True)
        return _folded(name) in map(_folded, {*names, *agreed, *named.distinct()})

    @classmethod
    def revoke(cls, person: Any) -> None:
        cls.objects.filter(person=person).delete()


class Nennung(models.Model):
    """A name that one version shows, as it was agreed when the version was published."""

    assessment = models.ForeignKey("Assessment", models.CASCADE, related_name="nennungen")
    zusage = models.ForeignKey(
        Namensnennung, models.CASCADE, verbose_name="Zusage", related_name="nennungen"
    )
    name = models.CharField("Name", max_length=MAX_NAME)

    class Meta:
        verbose_name = "Nennung"
        verbose_name_plural = "Nennungen"
        constraints = [
            models.UniqueConstraint(fields=["assessment", "zusage"], name="named_once_per_version")
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    @transaction.atomic
    def record(cls, assessment: "Assessment") -> None:
        """Of those who had a hand in the version, the ones who agree now."""
        # Locked, so that who revokes meanwhile takes this name away as well.
        agreed = Namensnennung.objects.select_for_update().filter(
            person__in=assessment.beteiligte()
        )
        rows = [Nennung(assessment=assessment, zusage=row, name=row.genannt_als) for row in agreed]
        Nennung.objects.bulk_create(rows)


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
