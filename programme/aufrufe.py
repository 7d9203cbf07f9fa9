"""The record and the daily budget of model calls: counted before a call is made."""

import hashlib
import math
from datetime import datetime, time
from decimal import Decimal

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Sum
from django.utils import timezone

from .models import ModellAufruf

# What a token is where the provider does not count: German text has three to four characters
# per token, so three errs on the expensive side.
CHARACTERS_PER_TOKEN = 3
# Any number does; it only has to be the same in every process.
BUDGET_LOCK = 0x67776F65
# Stands in the row from the reservation until the answer, and stays if the process dies.
OFFEN = "ohne Ergebnis abgebrochen"


class ModellFehler(RuntimeError):
    """A model call gave no usable answer; the message is German and quotes no text of it."""


class BudgetErschoepft(ModellFehler):
    """The daily token budget does not allow this call; nothing was sent."""


def estimate_tokens(text: str) -> int:
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def price(*, tokens_ein: int, tokens_aus: int) -> Decimal:
    """In Euro, by LLM_PRICE_INPUT and LLM_PRICE_OUTPUT per million tokens."""
    preis_ein = Decimal(str(settings.LLM_PRICE_INPUT)) * tokens_ein
    preis_aus = Decimal(str(settings.LLM_PRICE_OUTPUT)) * tokens_aus
    return (preis_ein + preis_aus) / 1_000_000


def tokens_today() -> int:
    """What today's calls used, in the calendar day of Germany."""
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(), time.min))
    today = ModellAufruf.objects.filter(am__gte=midnight)
    return today.aggregate(summe=Sum(F("tokens_ein") + F("tokens_aus")))["summe"] or 0


# Durable: inside a caller's transaction the record would vanish with a rollback, and a network
# call would follow while rows are locked. Django raises RuntimeError there.
@transaction.atomic(durable=True)
def reserve(
    *, zweck: str, modell: str, prompt_version: str, tokens_ein: int, tokens_aus: int
) -> ModellAufruf:
    """Books a call at its largest cost before it is made, one process after the other.

    Raises BudgetErschoepft. A call whose process dies stays booked at that estimate.
    """
    _wait_for_other_reservations()
    _require_budget(tokens_ein + tokens_aus)
    return ModellAufruf.objects.create(
        zweck=zweck,
        modell=modell,
        prompt_version=prompt_version,
        tokens_ein=tokens_ein,
        tokens_aus=tokens_aus,
        geschaetzt=True,
        kosten=price(tokens_ein=tokens_ein, tokens_aus=tokens_aus),
        dauer=0,
        fehler=OFFEN,
    )


def _require_budget(tokens: int) -> None:
    left = settings.LLM_DAILY_TOKENS - tokens_today()
    if tokens > left:
        raise BudgetErschoepft(
            f"Das Tagesbudget von {settings.LLM_DAILY_TOKENS} Tokens reicht nicht: "
            f"noch {max(left, 0)} frei, gebraucht würden bis zu {tokens}. "
            "Es beginnt um Mitternacht neu."
        )


def settle(
    aufruf: ModellAufruf,
    *,
    tokens_ein: int,
    tokens_aus: int,
    geschaetzt: bool,
    dauer: float,
    text: str = "",
    fehler: str = "",
) -> None:
    """Replaces the estimate by what the call used; of the text only a fingerprint is kept."""
    aufruf.tokens_ein = tokens_ein
    aufruf.tokens_aus = tokens_aus
    aufruf.geschaetzt = geschaetzt
    aufruf.kosten = price(tokens_ein=tokens_ein, tokens_aus=tokens_aus)
    aufruf.dauer = dauer
    aufruf.fingerabdruck = hashlib.sha256(text.encode()).hexdigest()[:16] if text else ""
    aufruf.fehler = fehler
    aufruf.save()


def _wait_for_other_reservations() -> None:
    """Until the end of the transaction: two workers must not both take the last tokens."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [BUDGET_LOCK])
