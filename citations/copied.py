"""Quotes as a viewer copies them: with heads, line numbers and doubled words between. Pure."""

from bisect import bisect_left
from collections.abc import Iterator

from .quelltext import ANFANG, Quelltext, Span

# So many letters must be the text's own, or the quote is nothing but a head.
MIN_LETTERS = 12


def copied_places(needle: str, text: Quelltext) -> list[Span]:
    """Where the comparison form `needle` stands, if what stands beside the text is left out.

    Every letter of the text between the first and the last one must be there; of what stands
    beside the text each piece may be there, at its place, or not.
    """
    if not text.beiformen:
        return []
    places = []
    for start, read, position, number in _begins(needle, text):
        end = _match(needle, read, position, number, text)
        if end is not None and end - start >= MIN_LETTERS:
            places.append(text.form.span(start, end))
    return list(dict.fromkeys(places))


# Where the quote begins in the form; how much of it is read; where the form is read on; and the
# next piece beside the text.
Begin = tuple[int, int, int, int]


def _begins(needle: str, text: Quelltext) -> Iterator[Begin]:
    """Where the needle may begin: with the text's own words, or soon with a piece beside it."""
    for start in text.wortanfaenge.get(needle[:ANFANG], ()):
        yield start, 0, start, bisect_left(text.beiformen, (start, ""))
    form = text.form.text
    for before in range(min(ANFANG, len(needle))):
        for words, numbers in text.beiform_nummern.get(needle[before], {}).items():
            if not needle.startswith(words, before):
                continue
            for number in numbers:
                position = text.beiformen[number][0]
                if position >= before and form.startswith(needle[:before], position - before):
                    yield position - before, before + len(words), position, number + 1


def _match(needle: str, read: int, position: int, number: int, text: Quelltext) -> int | None:
    """`number` is the next piece beside the text; each may be in the needle or not."""
    form, beside = text.form.text, text.beiformen
    while True:
        border = beside[number][0] if number < len(beside) else len(form)
        ende = position + min(border - position, len(needle) - read)
        if needle[read : read + ende - position] != form[position:ende]:
            return None
        read, position = read + ende - position, ende
        if read == len(needle):
            return position
        if number == len(beside):
            return None
        words = beside[number][1]
        number += 1
        if needle.startswith(words, read):
            end = _match(needle, read + len(words), position, number, text)
            if end is not None:
                return end
