"""The whole vocabulary in memory, asked for the stems that are kin to a question's stem.

A question has dozens of stems, and asking an index of sequences for each of them took longer than
all the rest of a search (docs/adr/0029).
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db import connection

from .models import Wort, Wortschatzstand

# Kin are stems that share so much of their sequences of three letters, and of the question's stem;
# and of all sequences that the two have so many. Chosen on the golden sets
# (docs/reference/retrieval.md).
MIN_KINSHIP, MIN_SHARED = 0.4, 0.25
# A relative counts by its likeness to this power.
KINSHIP_POWER = 1.5
# The same noun in other words: so many of all sequences, or it stands within one; shorter ones
# stand in too many.
SAME_NOUN, MIN_INNER = 0.5, 5


class Verwandter(NamedTuple):
    """A word of the vocabulary by its key: how much it counts, in how many passages it stands, and
    whether it is the stem itself."""

    id: int
    naehe: float
    passagen: int
    ist_gleich: bool


Numbers = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]
_RUN = re.compile(r"[^\W_]+")


def folgen(stem: str) -> set[str]:
    """Its sequences of three letters, each run of letters and digits behind two blanks and before
    one: as pg_trgm's show_trgm."""
    runs = (f"  {run} " for run in _RUN.findall(stem.lower()))
    return {run[at : at + 3] for run in runs for at in range(len(run) - 2)}


class Wortschatz:
    """Words (key, stem, number of passages) in the form in which questions find relatives."""

    def __init__(self, words: Iterable[tuple[int, str, int]]) -> None:
        keys, sizes, having = array("q"), array("i"), defaultdict[str, Any](lambda: array("i"))
        stems, counts = [], array("q")
        for place, (key, stem, passagen) in enumerate(words):
            own = folgen(stem)
            keys.append(key)
            sizes.append(len(own))
            stems.append(stem)
            counts.append(passagen)
            for folge in own:
                having[folge].append(place)
        self._keys: Numbers = np.array(keys, np.int64)
        self._passagen: Numbers = np.array(counts, np.int64)
        self._place = {stem: place for place, stem in enumerate(stems)}
        self._sizes = np.array(sizes, np.float64)
        self._having = {folge: np.array(places) for folge, places in having.items()}
        self._text = "\n".join(stems)
        self._starts = np.cumsum([0, *(len(stem) + 1 for stem in stems)])

    def passagen(self, stem: str) -> int:
        """In how many passages it stands."""
        place = self._place.get(stem)
        return 0 if place is None else int(self._passagen[place])

    def relatives(self, stem: str) -> list[Verwandter]:
        """All kin: the stem itself counts 1, others less."""
        places, shared, size = self._sharing(stem)
        sizes = self._sizes[places]
        kinship = shared / np.sqrt(size * sizes) / 2 + shared / max(size, 1) / 2
        kin = (kinship >= MIN_KINSHIP) & (shared / (size + sizes - shared) >= MIN_SHARED)
        own = self._place.get(stem, -1)
        columns = (
            self._keys[places[kin]].tolist(),
            (kinship[kin] ** KINSHIP_POWER).tolist(),
            self._passagen[places[kin]].tolist(),
            (places[kin] == own).tolist(),
        )
        return [Verwandter(*row) for row in zip(*columns, strict=True)]

    def same_noun(self, stem: str) -> set[int]:
        """Keys of words that say the noun: much like it, or compounds with it."""
        places, shared, size = self._sharing(stem)
        alike = shared / (size + self._sizes[places] - shared) >= SAME_NOUN
        inner = self._containing(stem) if len(stem) >= MIN_INNER else ()
        return {int(self._keys[place]) for place in (*places[alike], *inner)}

    def _sharing(self, stem: str) -> tuple[npt.NDArray[np.intp], Shares, int]:
        """Places of the words that share a sequence, how many each, and how many the stem has."""
        own = folgen(stem)
        lists = [self._having[folge] for folge in own if folge in self._having]
        counts = np.bincount(np.concatenate(lists)) if lists else np.zeros(0, np.int64)
        places = np.flatnonzero(counts)
        return places, counts[places].astype(np.float64), len(own)

    def _containing(self, part: str) -> Iterator[int]:
        at = self._text.find(part)
        while at >= 0:
            place = int(np.searchsorted(self._starts, at, side="right")) - 1
            yield place
            at = self._text.find(part, int(self._starts[place + 1]))


def wortschatz() -> Wortschatz:
    """The vocabulary as it was last counted; read anew by the first who asks after a count."""
    stand = Wortschatzstand.objects.values_list("stand", flat=True).first()
    return _read(stand) if stand else Wortschatz(())


@lru_cache(maxsize=1)
def _read(stand: UUID) -> Wortschatz:
    """Words that were stored behind the count, and may already be seen, do no harm."""
    return Wortschatz(
        Wort.objects.order_by("pk").values_list("pk", "lexem", "passagen").iterator(10_000)
    )


def stems(texts: list[str]) -> list[tuple[int, str]]:
    """Pairs of a text's number from 0 and one of its stems, each once."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nr - 1, lexem FROM unnest(%s::text[]) WITH ORDINALITY AS f(text, nr), "
            "unnest(tsvector_to_array(to_tsvector('german', text))) AS l(lexem) ORDER BY 1, 2",
            [texts],
        )
        return cursor.fetchall()
