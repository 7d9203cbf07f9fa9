"""Taking a report in: how many in a day, the same text once, and what is kept of who sent it."""

import re
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from konten.sperre import hold

from .models import Einsendung, Meldung
from .ziel import KeinZiel, Ziel

WINDOW = timedelta(days=1)


class ZuViele(Exception):
    """No more reports for now; `ab` is when the next one is taken."""

    def __init__(self, ab: datetime) -> None:
        super().__init__(ab)
        self.ab = ab

    @property
    def seconds(self) -> int:
        return max(1, round((self.ab - timezone.now()).total_seconds()))


class SchonGemeldet(Exception):
    """The same text came in about the same assessment before."""


def receive(ziel: Ziel, *, art: str, text: str, adresse: str) -> Meldung:
    """Stores a report. Raises ZuViele, SchonGemeldet, or KeinZiel where it was just withdrawn."""
    try:
        return _store(ziel, art, text, adresse)
    except IntegrityError as error:
        raise KeinZiel from error


@transaction.atomic
def _store(ziel: Ziel, art: str, text: str, adresse: str) -> Meldung:
    """One at a time, whoever sends: of two at once the second sees what the first did."""
    hold("meldungen")
    sender = _digest("adresse", adresse)
    _require_room(sender)
    fingerabdruck = _digest("text", _folded(text))
    if Meldung.objects.filter(assessment=ziel.assessment, fingerabdruck=fingerabdruck).exists():
        raise SchonGemeldet
    meldung = Meldung.objects.create(
        assessment=ziel.assessment,
        zitat=ziel.zitat,
        art=art,
        text=text,
        fingerabdruck=fingerabdruck,
    )
    meldung.ereignisse.create(verb="receive", nach=meldung.status)
    Einsendung.objects.create(adresse=sender, am=timezone.now())
    return meldung


def _require_room(sender: str) -> None:
    recent = Einsendung.objects.filter(am__gt=timezone.now() - WINDOW)
    limits = [
        (recent.filter(adresse=sender), settings.MELDUNGEN_JE_ADRESSE),
        (recent, settings.MELDUNGEN_JE_TAG),
    ]
    ends = [end for rows, most in limits if (end := _full_until(rows, most))]
    if ends:
        raise ZuViele(max(ends))


def _full_until(rows: QuerySet[Einsendung], most: int) -> datetime | None:
    """When fewer than `most` of them lie in the window; None where that is so now."""
    if most < 1:
        return timezone.now() + WINDOW
    times = rows.order_by("-am").values_list("am", flat=True)[most - 1 : most]
    return times[0] + WINDOW if times else None


def forget_addresses() -> int:
    """Deletes what no limit counts any more."""
    return Einsendung.objects.filter(am__lte=timezone.now() - WINDOW).delete()[0]


def forget_texts() -> int:
    """Empties the texts of reports that were decided long ago; outcome and reason stay."""
    before = timezone.now() - timedelta(days=settings.MELDUNG_TEXT_TAGE)
    return Meldung.objects.exclude(text="").filter(entschieden_am__lte=before).update(text="")


def _folded(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def _digest(what: str, value: str) -> str:
    """With the key of the installation: without it nobody can try addresses until one fits."""
    return salted_hmac(f"meldungen.{what}", value, algorithm="sha256").hexdigest()
