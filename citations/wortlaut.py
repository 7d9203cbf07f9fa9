"""What the comparison form overlooks between two texts that it calls the same words. Pure."""

import re
import unicodedata
from bisect import bisect_left

from .comparison import vergleichsform

_STOP = re.compile(r"[.!?]")
# Letters and figures that are none of the usual ones: "³" is among them.
_ODD = re.compile(r"[^\W\d_A-Za-zÄÖÜäöüß]")
_SHARP_S = ("ß", "ẞ")


def reads_alike(quote: str, source: str) -> bool:
    """Whether both end their sentences at the same words and spell ß and ss alike."""
    one, other = " ".join(quote.split()), " ".join(source.split())
    if one == other:  # nearly every quote
        return True
    return _stops(one) == _stops(other) and _spelling(one) == _spelling(other)


def has_same_figures(quote: str, source: str) -> bool:
    """Whether the same figures are raised behind others: 1³ is not 13, 2½ not 21/2."""
    return quote == source or _raised(quote) == _raised(source)


def _stops(text: str) -> list[tuple[int, bool]]:
    """Where in the comparison form a sentence may end inside the text, and whether it asks."""
    stops = list(_STOP.finditer(text.rstrip(" .!?")))
    offsets = vergleichsform(text).offsets if stops else ()
    places = ((bisect_left(offsets, stop.start()), stop[0] == "?") for stop in stops)
    return [(place, asks) for place, asks in places if place < len(offsets)]


def _spelling(text: str) -> str:
    if not any(sign in text for sign in _SHARP_S):
        return ""
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKC", text).lower()))


def _raised(text: str) -> list[int]:
    """Where in the comparison form a raised figure and a plain one stand side by side."""
    if not _ODD.search(text):
        return []
    form = vergleichsform(text)
    plain = [_is_plain(text[offset]) for offset in form.offsets]
    return [
        place
        for place in range(1, len(plain))
        if plain[place] != plain[place - 1] and form.text[place - 1 : place + 1].isdigit()
    ]


def _is_plain(char: str) -> bool:
    """Not ³, ₂, ① or ½."""
    return char.isdecimal() or not char.isnumeric()
