"""The difference of two wordings, word by word (pure)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby

# A word with what joins its parts ("100.000", "Umwelt-"), one other sign, or a run of blanks:
# every character belongs to exactly one token.
_TOKEN = re.compile(r"\w+(?:[.,:/’'-]\w+)*-?|\s+|[^\w\s]")


class Art(StrEnum):
    GLEICH = "gleich"
    WEG = "weg"
    NEU = "neu"


@dataclass(frozen=True, slots=True)
class Teil:
    art: Art
    text: str


def wortdiff(alt: str, neu: str) -> list[Teil]:
    """The parts in reading order, what was taken away before what came in its place.

    The texts of GLEICH and WEG joined are `alt`, those of GLEICH and NEU joined are `neu`.
    """
    old, new = _TOKEN.findall(alt), _TOKEN.findall(neu)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    parts: list[Teil] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            parts.append(Teil(Art.GLEICH, "".join(old[i1:i2])))
        else:
            parts += [Teil(Art.WEG, "".join(old[i1:i2])), Teil(Art.NEU, "".join(new[j1:j2]))]
    return _gather(parts)


def _gather(parts: list[Teil]) -> list[Teil]:
    """One change instead of many that only blanks keep apart."""
    gathered: list[Teil] = []
    for is_same, run in groupby(_without_blank_islands(parts), lambda p: p.art is Art.GLEICH):
        if is_same:
            gathered.append(Teil(Art.GLEICH, "".join(part.text for part in run)))
        else:
            gathered += _change(list(run))
    return [part for part in gathered if part.text]


def _without_blank_islands(parts: list[Teil]) -> Iterable[Teil]:
    last = len(parts) - 1
    for position, part in enumerate(parts):
        is_island = part.art is Art.GLEICH and part.text.isspace() and 0 < position < last
        if is_island:
            yield from (Teil(Art.WEG, part.text), Teil(Art.NEU, part.text))
        else:
            yield part


def _change(run: list[Teil]) -> list[Teil]:
    return [
        Teil(art, "".join(part.text for part in run if part.art is art))
        for art in (Art.WEG, Art.NEU)
    ]
