"""Quotes as a viewer copies them: with heads, line numbers and doubled words between. Pure."""

from bisect import bisect_left
from collections.abc import Iterator

from .comparison import Vergleichsform
from .quelltext import ANFANG, Quelltext, Span

# So many letters must be the text's own, or the quote is nothing but a head.
MIN_LETTERS = 12
# Ways that are tried; a file full of equal pieces beside its text makes a great many.
MAX_STATES = 50_000


def copied_places(quote: Vergleichsform, text: Quelltext) -> list[Span]:
    """Where the quote stands, if what stands beside the text is left out.

    Every letter of the text between the first and the last one must be there; of what stands
    beside the text each piece may be there, at its place, or not.
    """
    if not text.beiformen:
        return []
    places = []
    seen: set[State] = set()
    for start, *state in _begins(quote, text):
        end = _end(quote, (state[0], state[1], state[2]), text, seen)
        if end is not None and end - start >= MIN_LETTERS:
            places.append(text.form.span(start, end))
    return list(dict.fromkeys(places))


# How much of the quote is read, where the form is read on, and the next piece beside the text.
State = tuple[int, int, int]


def _begins(quote: Vergleichsform, text: Quelltext) -> Iterator[tuple[int, int, int, int]]:
    """Where the quote may begin in the form, and the state behind that.

    It begins with the text's own words, or soon with a piece beside it.
    """
    needle, form = quote.text, text.form.text
    for start in text.wortanfaenge.get(needle[:ANFANG], ()):
        yield start, 0, start, bisect_left(text.beiformen, (start, ""))
    for before in range(min(ANFANG, len(needle))):
        for words, numbers in text.beiform_nummern.get(needle[before], {}).items():
            if not _stands_at(words, before, quote):
                continue
            for number in numbers:
                position = text.beiformen[number][0]
                if position >= before and form.startswith(needle[:before], position - before):
                    yield position - before, before + len(words), position, number + 1


def _end(quote: Vergleichsform, begin: State, text: Quelltext, seen: set[State]) -> int | None:
    """Where the quote ends in the form, if it says the same from `begin` on.

    What led nowhere from one beginning leads nowhere from another: `seen` is shared.
    """
    if begin in seen or len(seen) > MAX_STATES:
        return None
    seen.add(begin)
    waiting = [begin]
    while waiting:
        read, position, number = waiting.pop()
        border = text.beiformen[number][0] if number < len(text.beiformen) else len(text.form.text)
        length = min(border - position, len(quote.text) - read)
        if not text.form.text.startswith(quote.text[read : read + length], position):
            continue
        read, position = read + length, position + length
        if read == len(quote.text):
            return position
        for state in _behind_border(quote, read, position, number, text):
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return None


def _behind_border(
    quote: Vergleichsform, read: int, position: int, number: int, text: Quelltext
) -> Iterator[State]:
    """The piece beside the text is left out, or it is in the quote."""
    if number < len(text.beiformen):
        yield read, position, number + 1
        words = text.beiformen[number][1]
        if _stands_at(words, read, quote):
            yield read + len(words), position, number + 1


def _stands_at(words: str, place: int, quote: Vergleichsform) -> bool:
    """Whether the quote has these words there, and does not make one number of two."""
    behind = place + len(words)
    return (
        quote.text.startswith(words, place) and _is_apart(quote, place) and _is_apart(quote, behind)
    )


def _is_apart(quote: Vergleichsform, place: int) -> bool:
    if not 0 < place < len(quote.text):
        return True
    figures = quote.text[place - 1].isdigit() and quote.text[place].isdigit()
    return not figures or quote.offsets[place] - quote.offsets[place - 1] > 1
