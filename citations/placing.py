"""Where a quote stands in a text, and how well: the rule of docs/adr/0006. Pure.

The model's five-word anchor of an earlier system accepted 60 to 99 % of invented, negated or
renumbered quotes; here every letter of the quote must be accounted for.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from .comparison import Grad, compare_form, vergleichsform
from .copied import copied_places
from .drift import Drift, drift_between
from .nearest import nearest_span
from .platz import NOWHERE, Hindernis, Platz
from .quelltext import ANFANG, Lesetext, Quelltext, Span
from .words import letters_in, negations_in, rejections_in, turns_next
from .wortlaut import has_same_figures, reads_alike

MIN_LETTERS = 20
MIN_SEGMENT_LETTERS = 12
# A quote shorter than MIN_LETTERS comes near a place from this similarity on (0–100).
NEAR_ENOUGH_WHEN_SHORT = 85.0
# An ellipsis may leave out this many letters and one sentence end.
MAX_GAP_LETTERS = 250
MAX_GAP_SENTENCE_ENDS = 1
# Places of the same words that are looked at; a heading repeated on every page has as many.
MAX_PLACES = 500
# Equal places of a quote that the second engine is asked about, one after the other.
MAX_EQUAL_PLACES = 5
# What can stand inside a number.
NUMBER_JOINTS = ".,:/-–  "
HYPHENS = ("-", "\u2010", "\u2011")
# "Anti-Atomkraft-Politik" is no Atomkraft-Politik, a "BAföG-Antrag" is an Antrag. At the end every
# compound counts: Atomkraft-Ausstieg, Atomkraft-Gegner.
REVERSING = re.compile(
    r"(?<!\w)(?:anti|nicht|non|kontra|contra|gegen|pseudo|schein|ex|halb)[-\u2010\u2011]$",
    re.IGNORECASE,
)
FINAL_STOPS = tuple(".!?;:")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.{3,})\s*\]|\(\s*(?:…|\.{3,})\s*\)|…|\.{3,})\s*")
_OUTER_QUOTES = " \t\n„“”\"'»«›‹‚‘’"


def place(
    quote: str, text: Quelltext, *, preferred: tuple[Span, ...] = (), nearly: bool = True
) -> Platz:
    """Places `quote` in `text`; of several places one that begins in `preferred` comes first.

    Unless `nearly`, only the quote's own words are looked for, not what comes near them.
    """
    segments = split_segments(quote)
    if not segments:
        return NOWHERE
    platz = _place_verbatim(segments, text, preferred)
    if platz is not None:
        platz = _graded(platz, segments, text)
    else:
        platz = _place_nearly(segments, text) if nearly else NOWHERE
    words = [text.text[start:ende] for start, ende in platz.spans] if platz.is_placed else segments
    letters = [letters_in(piece) for piece in words]
    too_short = len(words) > 1 and min(letters) < MIN_SEGMENT_LETTERS
    return _too_short(platz) if too_short or sum(letters) < MIN_LETTERS else platz


def place_in_reading(
    quote: str, text: Lesetext, *, preferred: tuple[Span, ...] = (), nearly: bool = True
) -> Platz:
    """`place`, where what stands on a page that no machine can read is neither false nor proved."""
    platz = place(quote, text, preferred=preferred, nearly=nearly)
    if text.unpruefbar(platz.spans) is None:
        return platz
    unusable = replace(platz, grad=Grad.UNGEPRUEFT, hindernis=Hindernis.NICHT_PRUEFBAR)
    return next(equal_places(quote, platz, text), unusable)


def equal_places(quote: str, platz: Platz, text: Lesetext) -> Iterator[Platz]:
    """The other places where a placed quote stands as well, each with the rest beside it."""
    segments = split_segments(quote)
    for spans in platz.weitere if platz.is_placed else ():
        other = _graded(_in_context(spans, platz.grad, text), segments, text)
        if other.is_placed and text.unpruefbar(spans) is None:
            others = tuple(one for one in (platz.spans, *platz.weitere) if one != spans)
            yield replace(other, weitere=others)


def split_segments(quote: str) -> list[str]:
    """The quote without unseen signs and outer quotation marks, cut at its ellipses."""
    seen = "".join(char for char in quote if unicodedata.category(char) != "Cf")
    pieces = _ELLIPSIS.split(seen.strip(_OUTER_QUOTES))
    return [piece.strip(_OUTER_QUOTES) for piece in pieces if any(map(str.isalnum, piece))]


def _graded(platz: Platz, segments: list[str], text: Quelltext) -> Platz:
    """Matched, not verbatim, where only the comparison form is the same."""
    if len(segments) > 1 or not platz.is_placed:
        return platz
    alike = reads_alike(segments[0], text.text[slice(*platz.spans[0])])
    return platz if alike else replace(platz, grad=Grad.ANGEGLICHEN)


def _too_short(platz: Platz) -> Platz:
    """A few words stand nearly anywhere: they are found, but nothing follows from that."""
    near = platz.naehe >= NEAR_ENOUGH_WHEN_SHORT
    spans, weitere = (platz.spans, platz.weitere) if near else ((), ())
    return Platz(Grad.UNGEPRUEFT, spans, Hindernis.ZU_KURZ, weitere=weitere, naehe=platz.naehe)


# --- Verbatim ----------------------------------------------------------------------------------


def _place_verbatim(
    segments: list[str], text: Quelltext, preferred: tuple[Span, ...]
) -> Platz | None:
    """None where not all of the words stand there."""
    if len(segments) == 1:
        return _place_whole(segments[0], text, preferred)
    return _place_elided(segments, text, preferred)


def _place_whole(segment: str, text: Quelltext, preferred: tuple[Span, ...]) -> Platz | None:
    found, grad = _occurrences(segment, text)
    on_words = [span for span in found if _is_on_word_boundaries(span, text)]
    same = [span for span in on_words if has_same_figures(segment, text.text[slice(*span)])]
    if same:
        chains = [(_with_final_stop(span, segment, text),) for span in same]
        return _best_of(chains, grad, text, preferred)
    if on_words:
        return Platz(Grad.UNGEPRUEFT, (on_words[0],), Hindernis.ZAHL)
    return Platz(Grad.UNGEPRUEFT, (found[0],), Hindernis.WORTGRENZE) if found else None


def _occurrences(segment: str, text: Quelltext) -> tuple[list[Span], Grad]:
    """Where the segment's comparison form stands in the flow text.

    Or, matched, where it stands with heads, line numbers and the like that a viewer copies along.
    """
    needle = compare_form(segment)
    places = _at_word_beginnings(needle, text) or _anywhere(needle, text.form.text)
    if places:
        length = len(needle)
        return [text.form.span(place, place + length) for place in places], Grad.WOERTLICH
    return copied_places(vergleichsform(segment), text), Grad.ANGEGLICHEN


def _at_word_beginnings(needle: str, text: Quelltext) -> list[int]:
    candidates = text.wortanfaenge.get(needle[:ANFANG], [])
    form = text.form.text
    return [place for place in candidates if form.startswith(needle, place)][:MAX_PLACES]


def _anywhere(needle: str, form: str) -> list[int]:
    places: list[int] = []
    place = form.find(needle) if needle else -1
    while place >= 0 and len(places) < MAX_PLACES:
        places.append(place)
        place = form.find(needle, place + 1)
    return places


def _is_on_word_boundaries(span: Span, text: Quelltext) -> bool:
    """No letter or figure touches the span, and neither a number nor a compound is cut."""
    start, ende = span
    flow = text.text
    before, after = flow[max(start - 2, 0) : start], flow[ende : ende + 2]
    if before[-1:].isalnum() or after[:1].isalnum():
        return False
    if _cuts_number(flow[start], before) or _cuts_number(flow[ende - 1], after[::-1]):
        return False
    cuts_end = flow[ende - 1].isalpha() and after[:1] in HYPHENS and after[1:].isalpha()
    return not (cuts_end or REVERSING.search(flow[max(start - 12, 0) : start]))


def _cuts_number(edge: str, outside: str) -> bool:
    """`edge` is the quote's outermost sign, `outside` the two signs beyond it, the nearest last.

    "500 Euro" is not "1 500 Euro".
    """
    return edge.isdigit() and outside[:1].isdigit() and outside[1:] in tuple(NUMBER_JOINTS)


def _with_final_stop(span: Span, segment: str, text: Quelltext) -> Span:
    """The form ends at the last letter; a full stop that both have belongs to the quote."""
    start, ende = span
    stop = text.text[ende : ende + 1]
    return (start, ende + 1) if stop in FINAL_STOPS and segment.endswith(stop) else span


def _best_of(
    chains: Sequence[tuple[Span, ...]], grad: Grad, text: Quelltext, preferred: tuple[Span, ...]
) -> Platz:
    """The first place that says what the quote says, a preferred one before the others."""
    places = [_in_context(spans, grad, text) for spans in chains]
    best = min(places, key=lambda platz: (not platz.is_placed, _distance(platz, preferred)))
    others = tuple(platz.spans for platz in places if platz is not best)
    return replace(best, weitere=others) if others else best


def _distance(platz: Platz, preferred: tuple[Span, ...]) -> int:
    """0 for a place inside a preferred area, 1 where it only begins there, else 2."""
    first, last = platz.spans[0][0], platz.spans[-1][1]
    ends = [ende for start, ende in preferred if start <= first < ende]
    if not ends:
        return 2
    return 0 if last <= max(ends) else 1


def _in_context(spans: tuple[Span, ...], grad: Grad, text: Quelltext) -> Platz:
    """A negation in the same sentence outside the quoted words changes what they say."""
    if any(negations_in(words) for span in spans for words in text.daneben_in(span)):
        return Platz(Grad.UNGEPRUEFT, spans, Hindernis.VERNEINUNG)
    satz = text.satz_um(spans[0][0], spans[-1][1])
    before, after = text.text[satz[0] : spans[0][0]], text.text[spans[-1][1] : satz[1]]
    outside = f"{before} | {after}"
    if negations_in(outside) or rejections_in(outside) or turns_next(before):
        return Platz(grad, spans, Hindernis.ABGESCHNITTEN, satz)
    return Platz(grad, spans)


# --- With ellipses -----------------------------------------------------------------------------


def _place_elided(
    segments: list[str], text: Quelltext, preferred: tuple[Span, ...]
) -> Platz | None:
    places = [_places_on_words(segment, text) for segment in segments]
    if not all(places):
        return None
    chains = list(_chains(places))
    allowed = [chain for chain in chains if gap_hindrance(chain, text) is None]
    if allowed:
        stopped = [(*c[:-1], _with_final_stop(c[-1], segments[-1], text)) for c in allowed]
        return _best_of(stopped, Grad.AUSLASSUNG, text, preferred)
    if not chains:  # every piece stands there, but not in this order
        return Platz(Grad.UNGEPRUEFT, (places[0][0],), Hindernis.AUSLASSUNG)
    nearest = min(chains, key=lambda chain: chain[-1][1] - chain[0][0])
    return Platz(Grad.UNGEPRUEFT, nearest, gap_hindrance(nearest, text))


def _places_on_words(segment: str, text: Quelltext) -> list[Span]:
    found, _ = _occurrences(segment, text)
    on_words = (span for span in found if _is_on_word_boundaries(span, text))
    return [span for span in on_words if has_same_figures(segment, text.text[slice(*span)])]


def _chains(places: list[list[Span]]) -> Iterator[tuple[Span, ...]]:
    """For each place of the first piece, the nearest following places of the others."""
    for first in places[0]:
        chain = [first]
        for spans in places[1:]:
            later = next((span for span in spans if span[0] >= chain[-1][1]), None)
            if later is None:
                break
            chain.append(later)
        else:
            yield tuple(chain)


def gap_hindrance(chain: tuple[Span, ...], text: Quelltext) -> Hindernis | None:
    """Why the pieces must not stand as one quote: a negation or too much lies between them."""
    for before, after in pairwise(chain):
        gap = text.text[before[1] : after[0]]
        if negations_in(gap) or rejections_in(gap) or turns_next(gap):
            return Hindernis.VERNEINUNG
        if letters_in(gap) > MAX_GAP_LETTERS or _is_stitched(before, after, text):
            return Hindernis.AUSLASSUNG
    return None


def _is_stitched(before: Span, after: Span, text: Quelltext) -> bool:
    """Whether too many sentences end in the gap, or an end and a beginning make a new sentence."""
    first, last = text.satz_nummer(before[1] - 1), text.satz_nummer(after[0])
    begins_inside = text.saetze[text.satz_nummer(before[0])][0] < before[0]
    begins_anew = text.saetze[last][0] == after[0]
    return last - first > MAX_GAP_SENTENCE_ENDS or (last > first and begins_inside and begins_anew)


# --- Nearly ------------------------------------------------------------------------------------

_HINDRANCE_OF_DRIFT = {
    Drift.NEGATION: Hindernis.VERNEINUNG,
    Drift.NUMBER: Hindernis.ZAHL,
    Drift.WORDS: Hindernis.WEICHT_AB,
}


def _place_nearly(segments: list[str], text: Quelltext) -> Platz:
    """Tiny differences are matched to the source's words; anything else goes to an editor.

    Of a quote with ellipses only the longest piece is looked for, and never matched.
    """
    longest = max(segments, key=letters_in)
    near = nearest_span(longest, text)
    if near is None:
        return NOWHERE
    if len(segments) > 1:
        return Platz(Grad.UNGEPRUEFT, (near.span,), Hindernis.WEICHT_AB, naehe=near.naehe)
    drift = drift_between(longest, text.text[slice(*near.span)])
    if drift is Drift.TINY:
        span = _with_final_stop(near.span, longest, text)
        return replace(_in_context((span,), Grad.ANGEGLICHEN, text), naehe=near.naehe)
    return Platz(Grad.UNGEPRUEFT, (near.span,), _HINDRANCE_OF_DRIFT[drift], naehe=near.naehe)
