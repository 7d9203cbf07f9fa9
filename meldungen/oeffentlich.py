"""What readers learn of reports: outcomes with their reasons, and how many wait; never a text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from assessments.addresses import version_address
from parlamente.models import Antrag

from .models import Meldung

# More would make a long page; the newest are what readers came for.
SHOWN = 50
# Whoever sends many reports must not get a large number onto the page.
COUNTED = 10

Status = Meldung.Status


@dataclass(frozen=True)
class Ausgang:
    """One closed report."""

    meldung: Meldung

    @property
    def fassung(self) -> str:
        return version_address(self.meldung.assessment)

    @property
    def wort(self) -> str:
        """The outcome; a correction is named in the page, with its link."""
        return str(Status(self.meldung.status).label)

    @property
    def berichtigung(self) -> str:
        durch = self.meldung.berichtigt_durch
        return version_address(durch) if durch else ""


@dataclass(frozen=True)
class Hinweise:
    ausgaenge: Sequence[Ausgang]
    geschlossen: int
    offen: int
    unbrauchbar: int

    @property
    def weitere(self) -> int:
        return self.geschlossen - len(self.ausgaenge)

    @property
    def ist_leer(self) -> bool:
        return not (self.offen or self.geschlossen or self.unbrauchbar)

    @property
    def offen_satz(self) -> str:
        if self.offen > COUNTED:
            return f"Mehr als {COUNTED} Hinweise werden geprüft."
        if self.offen == 1:
            return "1 Hinweis wird geprüft."
        return f"{self.offen} Hinweise werden geprüft." if self.offen else ""

    @property
    def unbrauchbar_satz(self) -> str:
        if self.unbrauchbar == 1:
            return "1 Hinweis war unbrauchbar."
        return f"{self.unbrauchbar} Hinweise waren unbrauchbar." if self.unbrauchbar else ""


def hinweise_zu(antrag: Antrag) -> Hinweise:
    """Of all versions of its assessment; one query, and a second where something is closed."""
    rows = Meldung.objects.filter(assessment__antrag=antrag)
    counted = rows.order_by().values_list("status").annotate(Count("pk"))
    counts: Counter[str] = Counter(dict(counted))
    closed = sum(counts[status] for status in Meldung.OEFFENTLICH)
    return Hinweise(
        ausgaenge=_outcomes(antrag) if closed else [],
        geschlossen=closed,
        offen=counts[Status.OFFEN],
        unbrauchbar=counts[Status.UNBRAUCHBAR],
    )


def _outcomes(antrag: Antrag) -> list[Ausgang]:
    rows = Meldung.objects.filter(assessment__antrag=antrag).with_public_outcome()
    loaded = rows.select_related(
        "assessment__antrag__parlament",
        "assessment__antrag__wahlperiode",
        "berichtigt_durch__antrag__parlament",
        "berichtigt_durch__antrag__wahlperiode",
    ).defer("text", "assessment__zusammenfassung_modell", "assessment__zusammenfassung_redaktion")
    return [Ausgang(meldung) for meldung in loaded[:SHOWN]]
