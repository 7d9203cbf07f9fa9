"""The ticket of a form: signed, bound to its target and timed, so that nothing must be stored.

It stands in for the CSRF token, which would need a cookie.
"""

from datetime import timedelta
from enum import StrEnum
from urllib.parse import urlsplit

from django.core.signing import BadSignature, SignatureExpired, TimestampSigner
from django.http import HttpRequest

from .ziel import Ziel

SALT = "meldungen.schein"
# Nobody reads the form and writes a sentence faster.
SHORTEST = timedelta(seconds=3)
# A tab that stays open over a day's work.
LONGEST = timedelta(hours=12)


class Mangel(StrEnum):
    """Why a ticket does not count, as a sentence for whoever sent the form."""

    FREMD = "Das Formular kam nicht von dieser Seite."
    UNGUELTIG = "Das Formular passt nicht zu dieser Seite."
    ZU_SCHNELL = "Das ging schneller, als man schreiben kann."
    ZU_ALT = "Das Formular lag zu lange offen."


def issue(ziel: Ziel) -> str:
    return TimestampSigner(salt=SALT).sign(ziel.key)


def flaw(schein: str, ziel: Ziel) -> Mangel | None:
    """What is wrong with it; None where it counts."""
    signer = TimestampSigner(salt=SALT)
    try:
        if signer.unsign(schein, max_age=LONGEST) != ziel.key:
            return Mangel.UNGUELTIG
    except SignatureExpired:
        return Mangel.ZU_ALT
    except BadSignature:
        return Mangel.UNGUELTIG
    try:
        signer.unsign(schein, max_age=SHORTEST)
    except SignatureExpired:
        return None
    return Mangel.ZU_SCHNELL


def is_foreign(request: HttpRequest) -> bool:
    """Whether the browser says that another site sent the form.

    A ticket can be fetched by anybody and planted in another page; that page cannot forge these
    headers. Browsers without them are believed.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site not in ("same-origin", "none")
    origin = request.headers.get("Origin", "")
    try:
        return bool(origin) and urlsplit(origin).netloc != request.get_host()
    except ValueError:  # no address at all
        return True
