"""Where a quote stands in a text, and how well: the rule of docs/adr/0006. Pure.

The model's five-word anchor of an earlier system accepted 60 to 99 % of invented, negated or
renumbered quotes; here every letter of the quote must be accounted for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from .comparison import Grad, Vergleichsform, compare_form
from .drift import Drift, drift_between
from .nearest import nearest_span
from .quelltext import Quelltext, Span
from .words import letters_in, negations_in

MIN_LETTERS = 20
MIN_SEGMENT_LETTERS = 12
# An ellipsis may leave out this many letters and one sentence end.
MAX_GAP_LETTERS = 250
MAX_GAP_SENTENCE_ENDS = 1
FINAL_STOPS = tuple(".!?;:")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.{3,})\s*\]|\(\s*(?:…|\.{3,})\s*\)|…|\.{3,})\s*")
_OUTER_QUOTES = " \t\n„“”\"'»«›‹‚‘’"


class Hindernis(StrEnum):
    """Why a quote is not placed without an editor."""

    NICHT_GEFUNDEN = "nicht_gefunden"
    WEICHT_AB = "weicht_ab"
    VERNEINUNG = "verneinung"
    ZAHL = "zahl"
    ABGESCHNITTEN = "abgeschnitten"
    AUSLASSUNG = "auslassung"
    WORTGRENZE = "wortgrenze"
    ZU_KURZ = "zu_kurz"
    NICHT_PRUEFBAR = "nicht_pruefbar"
    NICHT_BEWIESEN = "nicht_bewiesen"


@dataclass(frozen=True, slots=True)
class Platz:
    """The place of a quote, or the nearest one with what hinders.

    `spans` are offsets in the flow text, in order; empty where nothing is near.
    `satz` is the sentence to extend to, where a negation was cut off. `weitere` are other places
    of the same words, in the order of the text. `naehe` (0–100) is how near the nearest one is.
    """

    grad: Grad
    spans: tuple[Span, ...] = ()
    hindernis: Hindernis | None = None
    satz: Span | None = None
    weitere: tuple[tuple[Span, ...], ...] = ()
    naehe: float = 100.0

    @property
    def is_placed(self) -> bool:
        return self.hindernis is None

    @property
    def rang(self) -> tuple[int, float]:
        """The greater, the better: a place beats words that only lack their context, and so on."""
        if self.is_placed:
            return 3, self.naehe
        if self.hindernis is Hindernis.ABGESCHNITTEN:
            return 2, self.naehe
        return (1 if self.spans else 0), self.naehe


NOWHERE = Platz(Grad.UNGEPRUEFT, (), Hindernis.NICHT_GEFUNDEN, naehe=0.0)


def place(quote: str, text: Quelltext, *, preferred: tuple[Span, ...] = ()) -> Platz:
    """Places `quote` in `text`; of several places one that begins in `preferred` comes first."""
    segments = split_segments(quote)
    if sum(letters_in(segment) for segment in segments) < MIN_LETTERS:
        return Platz(Grad.UNGEPRUEFT, (), Hindernis.ZU_KURZ)
    if len(segments) == 1:
        return _place_whole(segments[0], text, preferred)
    return _place_elided(segments, text, preferred)


def split_segments(quote: str) -> list[str]:
    """The quote without its outer quotation marks, cut at its ellipses."""
    pieces = _ELLIPSIS.split(quote.strip(_OUTER_QUOTES))
    return [piece.strip(_OUTER_QUOTES) for piece in pieces if compare_form(piece)]


# --- One piece ---------------------------------------------------------------------------------


def _place_whole(segment: str, text: Quelltext, preferred: tuple[Span, ...]) -> Platz:
    found = list(_occurrences(compare_form(segment), text.form))
    on_words = [span for span in found if _is_on_word_boundaries(span, text)]
    if on_words:
        chains = [(_with_final_stop(span, segment, text),) for span in on_words]
        return _best_of(chains, Grad.WOERTLICH, text, preferred)
    if found:
        return Platz(Grad.UNGEPRUEFT, (found[0],), Hindernis.WORTGRENZE)
    return _place_drifted(segment, text)


def _occurrences(needle: str, form: Vergleichsform) -> Iterator[Span]:
    """Every place of the comparison form, as spans of the flow text."""
    position = form.text.find(needle)
    while needle and position >= 0:
        yield form.span(position, position + len(needle))
        position = form.text.find(needle, position + 1)


def _is_on_word_boundaries(span: Span, text: Quelltext) -> bool:
    """No letter or figure touches the span, and no number is cut at its separator."""
    start, ende = span
    flow = text.text
    before, after = flow[max(start - 2, 0) : start], flow[ende : ende + 2]
    if before[-1:].isalnum() or after[:1].isalnum():
        return False
    cuts_first = flow[start].isdigit() and re.fullmatch(r"\d[.,:/]", before)
    cuts_last = flow[ende - 1].isdigit() and re.fullmatch(r"[.,:/]\d", after)
    return not (cuts_first or cuts_last)


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
    begins = [ende for start, ende in preferred if start <= first < ende]
    if not begins:
        return 2
    return 0 if last <= max(begins) else 1


def _in_context(spans: tuple[Span, ...], grad: Grad, text: Quelltext) -> Platz:
    """A negation in the same sentence outside the quoted words changes what they say."""
    satz = text.satz_um(spans[0][0], spans[-1][1])
    outside = text.text[satz[0] : spans[0][0]] + " | " + text.text[spans[-1][1] : satz[1]]
    if negations_in(outside):
        return Platz(grad, spans, Hindernis.ABGESCHNITTEN, satz)
    return Platz(grad, spans)


# --- With ellipses -----------------------------------------------------------------------------


def _place_elided(segments: list[str], text: Quelltext, preferred: tuple[Span, ...]) -> Platz:
    if any(letters_in(segment) < MIN_SEGMENT_LETTERS for segment in segments):
        return Platz(Grad.UNGEPRUEFT, (), Hindernis.ZU_KURZ)
    places = [_places_on_words(segment, text) for segment in segments]
    if not all(places):
        return _nearest_of_elided(segments, text)
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
    found = _occurrences(compare_form(segment), text.form)
    return [span for span in found if _is_on_word_boundaries(span, text)]


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
    for (_, end), (start, _) in pairwise(chain):
        gap = text.text[end:start]
        if negations_in(gap):
            return Hindernis.VERNEINUNG
        ends = len(re.findall(r"[.!?](?=\s)|\n", gap))
        if letters_in(gap) > MAX_GAP_LETTERS or ends > MAX_GAP_SENTENCE_ENDS:
            return Hindernis.AUSLASSUNG
    return None


def _nearest_of_elided(segments: list[str], text: Quelltext) -> Platz:
    """Where the longest piece stands, or comes nearest."""
    longest = max(segments, key=letters_in)
    near = nearest_span(longest, text)
    if near is None:
        return NOWHERE
    return Platz(Grad.UNGEPRUEFT, (near.span,), Hindernis.WEICHT_AB, naehe=near.naehe)


# --- Nearly ------------------------------------------------------------------------------------

_HINDRANCE_OF_DRIFT = {
    Drift.NEGATION: Hindernis.VERNEINUNG,
    Drift.NUMBER: Hindernis.ZAHL,
    Drift.WORDS: Hindernis.WEICHT_AB,
}


def _place_drifted(segment: str, text: Quelltext) -> Platz:
    """Tiny differences are matched to the source's words; anything else goes to an editor."""
    near = nearest_span(segment, text)
    if near is None:
        return NOWHERE
    start, ende = near.span
    drift = drift_between(segment, text.text[start:ende])
    if drift is Drift.TINY:
        span = _with_final_stop(near.span, segment, text)
        return replace(_in_context((span,), Grad.ANGEGLICHEN, text), naehe=near.naehe)
    return Platz(Grad.UNGEPRUEFT, (near.span,), _HINDRANCE_OF_DRIFT[drift], naehe=near.naehe)
