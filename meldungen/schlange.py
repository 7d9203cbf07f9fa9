"""Reports as items of the editors' queue."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.urls import reverse

from assessments.quellen import quellen

from .models import Meldung
from .ziel import Ziel

VIEW = "meldungen.view_meldung"
DECIDE = "meldungen.decide_meldung"
# The oldest; the others are a link away.
SHOWN = 20


def may_look(user: Any) -> bool:
    return user.has_perm(VIEW) or user.has_perm(DECIDE)


def bearbeiten_address(meldung: Meldung) -> str:
    return reverse("admin:meldungen_meldung_change", args=[meldung.pk])


@dataclass(frozen=True)
class Posten:
    """`quelle` is where the reported quote stands; empty where the whole assessment is meant."""

    meldung: Meldung
    quelle: str

    @property
    def ziel(self) -> Ziel:
        return Ziel(self.meldung.assessment, self.meldung.zitat)

    @property
    def betrifft(self) -> str:
        return f"Zitat: {self.quelle}" if self.quelle else "Bewertung"

    @property
    def adresse(self) -> str:
        return bearbeiten_address(self.meldung)


@dataclass(frozen=True)
class OffeneMeldungen:
    posten: Sequence[Posten]
    anzahl: int

    @classmethod
    def load(cls) -> Self:
        """In a fixed number of queries."""
        rows = list(Meldung.objects.offen().with_target()[:SHOWN])
        sources = quellen({row.zitat for row in rows if row.zitat}, antrag="Antrag")
        posten = [Posten(row, sources[row.zitat_id].text if row.zitat_id else "") for row in rows]
        return cls(posten, cls.count())

    @staticmethod
    def count() -> int:
        return Meldung.objects.filter(status=Meldung.Status.OFFEN).count()

    @property
    def weitere(self) -> int:
        return self.anzahl - len(self.posten)
