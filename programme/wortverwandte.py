"""The whole vocabulary in memory, asked which words are like those of a question.

Words are alike that share sequences of letters, which finds compounds and inflections without a
dictionary (docs/adr/0030). A question has dozens of stems, and asking an index of sequences for
each of them took longer than all the rest of a search (docs/adr/0029).
"""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from functools import lru_cache
from math import log, sqrt
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db import connection

from .models import Wort, Wortgebrauch, Wortschatzstand

# So many words are like a question (docs/adr/0030, 0032).
MOST = 1000
# A word is rare that stands in less than one of 150 passages (docs/adr/0032).
RARE = 5.0
# The same noun in other words: so many of all sequences, or it stands within one; shorter ones
# stand in too many.
SAME_NOUN, MIN_INNER = 0.5, 5

Numbers = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
# A programme's primary key, and that of its first passage, which is another one whenever it has
# been indexed anew; None without passages.
Indexstand = tuple[int, int | None]
_RUN = re.compile(r"[^\W_]+")


def folgen(stem: str) -> set[str]:
    """Its sequences of three letters, each run of letters and digits behind two blanks and before
    one: as pg_trgm's show_trgm."""
    return _sequences(stem, 3, "  ")


def gewogene_folgen(stem: str) -> set[str]:
    """Its sequences of three and of four letters, each run between two blanks. A first letter alone
    says nothing."""
    return _sequences(stem, 3, " ") | _sequences(stem, 4, " ")


def _sequences(stem: str, length: int, before: str) -> set[str]:
    runs = (f"{before}{run} " for run in _RUN.findall(stem.lower()))
    return {run[at : at + length] for run in runs for at in range(len(run) - length + 1)}


class Wortschatz:
    """Words (key, stem, number of passages) by their sequences, among so many passages in all."""

    def __init__(self, words: Iterable[tuple[int, str, int]], passagen: int) -> None:
        keys, sizes, counts = array("q"), array("i"), array("q")
        self._places: dict[str, int] = {}
        having = defaultdict[str, Any](lambda: array("i"))
        stems = []
        for place, (key, stem, count) in enumerate(words):
            own = folgen(stem)
            keys.append(key)
            sizes.append(len(own))
            counts.append(count)
            stems.append(stem)
            self._places[stem] = place
            for folge in own | gewogene_folgen(stem):
                having[folge].append(place)
        self._keys: Numbers = np.array(keys, np.int64)
        self._sizes = np.array(sizes, np.float64)
        self._having = {folge: np.array(places) for folge, places in having.items()}
        self._passages = np.array(counts, np.float64)
        self._of_all = passagen
        self._rarity = {
            folge: rarity(float(self._passages[places].sum()), passagen)
            for folge, places in self._having.items()
        }
        self._said: dict[Indexstand, Places] = {}
        self._text = "\n".join(stems)
        self._starts = np.cumsum([0, *(len(stem) + 1 for stem in stems)])

    def like(
        self, stems: Iterable[str], said_in: Collection[Indexstand] | None = None
    ) -> list[tuple[int, float]]:
        """Keys of the words that are most like the stems, and how much each counts.

        Each sequence that they share adds the square of its rarity, as often as the stems have it;
        the sum is divided by the length of the stems' own vector. Where programmes are given, words
        that none of them says are left out: they would only make the vectors longer.
        """
        asked = Counter(
            folge for stem in stems for folge in gewogene_folgen(stem) if folge in self._having
        )
        order = sorted(asked)  # every process adds in the same order
        if not order:
            return []
        rarities = np.array([self._rarity[folge] for folge in order])
        times = np.array([asked[folge] for folge in order])
        lists = [self._having[folge] for folge in order]
        added = np.repeat(times * rarities**2, [len(places) for places in lists])
        likeness = np.bincount(np.concatenate(lists), added)
        length = sqrt(float(((times * rarities) ** 2).sum()))
        places = np.flatnonzero(likeness)
        if len(places) > MOST:
            places = places[np.argpartition(likeness[places], -MOST)[-MOST:]]
        if said_in is not None:
            places = places[self._are_said_in(said_in)[places]]
        shares = likeness[places] / (length or 1.0)
        return list(zip(self._keys[places].tolist(), shares.tolist(), strict=True))

    def rare(self, stems: Iterable[str]) -> list[tuple[int, float]]:
        """Keys of those of the stems that are rare words, and the share of each in all of them, by
        the square of its rarity.

        Words count that some programme says, searched or not: what is found for one party does not
        depend on who else is asked.
        """
        known = sorted({self._places[stem] for stem in stems if stem in self._places})
        rarities = {place: rarity(self._passages[place], self._of_all) for place in known}
        weights = {place: one**2 for place, one in rarities.items() if one > RARE}
        total = sum(weights.values())
        return [(int(self._keys[place]), weight / total) for place, weight in weights.items()]

    def who_says(self, noun: str, programme: Collection[Indexstand]) -> list[int]:
        """Which of the programmes (primary keys) say the noun, whose stem it is, in some word."""
        same = np.zeros(len(self._keys), np.bool_)
        same[self._same_noun(noun)] = True
        said = self._words_of(programme)
        return [key for (key, _), places in said.items() if same[places].any()]

    def _are_said_in(self, programme: Collection[Indexstand]) -> npt.NDArray[np.bool_]:
        flags = np.zeros(len(self._keys), np.bool_)
        for places in self._words_of(programme).values():
            flags[places] = True
        return flags

    def _words_of(self, programme: Collection[Indexstand]) -> dict[Indexstand, Places]:
        """The places of the words that each says; one that came after the count has none yet."""
        missing = [one for one in programme if one not in self._said]
        if missing:
            uses: dict[int, list[int]] = defaultdict(list)
            rows = Wortgebrauch.objects.filter(programm__in=[key for key, _ in missing])
            for wort, programm in rows.values_list("wort", "programm"):
                uses[programm].append(wort)
            for one in missing:
                own = np.array(uses[one[0]], np.int64)
                self._said[one] = np.flatnonzero(np.isin(self._keys, own))
        return {one: self._said[one] for one in programme}

    def _same_noun(self, stem: str) -> list[int]:
        """Places of words that say the noun: much like it, or compounds with it."""
        places, shared, size = self._sharing(stem)
        alike = shared / (size + self._sizes[places] - shared) >= SAME_NOUN
        inner = self._containing(stem) if len(stem) >= MIN_INNER else ()
        return [*places[alike].tolist(), *inner]

    def _sharing(self, stem: str) -> tuple[Places, Shares, int]:
        """Places of the words that share a sequence, how many each, and how many the stem has."""
        own = folgen(stem)
        lists = [self._having[folge] for folge in own if folge in self._having]
        counts = np.bincount(np.concatenate(lists)) if lists else np.zeros(0, np.int64)
        places = np.flatnonzero(counts)
        return places, counts[places].astype(np.float64), len(own)

    def _containing(self, part: str) -> list[int]:
        """Places of the words that it stands in, some of them twice."""
        found = []
        at = self._text.find(part)
        while at >= 0:
            found.append(at)
            at = self._text.find(part, at + len(part))
        places = np.searchsorted(self._starts, found, side="right") - 1
        return [int(place) for place in places]


def wortschatz() -> Wortschatz:
    """The vocabulary as it was last counted; read anew by the first who asks after a count."""
    counted = Wortschatzstand.objects.values_list("stand", "passagen").first()
    return _read(*counted) if counted else Wortschatz((), 0)


@lru_cache(maxsize=1)
def _read(stand: UUID, passagen: int) -> Wortschatz:
    """Only what stands in some passage: sequences that nothing says would seem the rarest.

    As of the count: what came or went since would make processes differ by when they read it.
    """
    known = Wort.objects.filter(passagen__gt=0)
    rows = known.order_by("pk").values_list("pk", "lexem", "passagen")
    return Wortschatz(rows.iterator(10_000), passagen)


def rarity(passagen: float, of_all: int) -> float:
    """Of what stands in so many passages; counted over words, so it may be more than all."""
    return log((of_all + 1) / (min(passagen, of_all) + 0.5))


def stems(texts: list[str]) -> list[tuple[int, str]]:
    """Pairs of a text's number from 0 and one of its stems, each once."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nr - 1, lexem FROM unnest(%s::text[]) WITH ORDINALITY AS f(text, nr), "
            "unnest(tsvector_to_array(to_tsvector('german', text))) AS l(lexem) ORDER BY 1, 2",
            [texts],
        )
        return cursor.fetchall()
