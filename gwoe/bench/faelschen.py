"""Makes true, drifted and forged quotes out of a text, by the classes of the golden set.

The classes and what must become of each are those of the adversarial set that the bars speak of:
A–F are true and more or less altered, N are forged or misleading.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from citations.comparison import compare_form
from citations.placing import MAX_GAP_LETTERS, split_segments
from citations.quelltext import Lesetext
from citations.words import has_digit, letters_in, negations_in, rejections_in

MISLEADING = ("N6_cut_before_neg", "N7_midword_un")
PUBLISH, EITHER, NEVER = "publish", "publish_or_review", "not_publish"
MIN_CHARS, MAX_CHARS, MIN_WORDS, MIN_PROSE_LETTERS = 60, 300, 8, 40
# Words that turn round what is said.
ANTONYMS = {
    "mehr": "weniger",
    "weniger": "mehr",
    "neue": "alte",
    "erhöhen": "senken",
    "senken": "erhöhen",
    "stärken": "schwächen",
    "fördern": "verhindern",
    "ausbauen": "abbauen",
    "abschaffen": "einführen",
    "einführen": "abschaffen",
    "öffentliche": "private",
    "private": "öffentliche",
    "ablehnen": "unterstützen",
    "unterstützen": "ablehnen",
    "große": "kleine",
    "sichere": "unsichere",
    "gute": "schlechte",
    "schnell": "langsam",
    "hohe": "niedrige",
}
STRAIGHT = str.maketrans("„“»«–", '""""-')
FOREIGN_WORDS = ["Teekanne", "Regenbogen", "Schmetterling", "Klavier", "Weltraum", "Zirkus"]


@dataclass(frozen=True, slots=True)
class Faelschung:
    """`klasse` as in the golden set; `erwartet` is PUBLISH, EITHER or NEVER."""

    klasse: str
    erwartet: str
    zitat: str


def faelschungen(text: Lesetext, fremd: Lesetext, *, je_klasse: int, seed: int) -> list[Faelschung]:
    """Up to `je_klasse` quotes of each class; `fremd` is another document, for absent words."""
    chance = random.Random(seed)  # noqa: S311  the same quotes every time
    saetze = list(_saetze(text))
    made: list[Faelschung] = []
    for klasse, erwartet, make in CLASSES:
        wanted = chance.sample(saetze, len(saetze))
        quotes = (make(satz, chance, saetze) for satz in wanted)
        forged = (quote for quote in quotes if quote and _is_fair(quote, erwartet, klasse, text))
        found = list(islice(forged, je_klasse))
        made += [Faelschung(klasse, erwartet, quote) for quote in found]
    broken = list(_saetze(text, across_pages=True))[:je_klasse]
    made += [Faelschung("F_crosspage", PUBLISH, satz) for satz in broken]
    absent = [satz for satz in _saetze(fremd) if not _is_true(satz, text)][:je_klasse]
    return made + [Faelschung("N0_absent", NEVER, satz) for satz in absent]


def _is_fair(quote: str, erwartet: str, klasse: str, text: Lesetext) -> bool:
    """Words that do stand there are no forgery, unless they mislead by where they are cut."""
    return erwartet != NEVER or klasse in MISLEADING or not _is_true(quote, text)


def _is_true(quote: str, text: Lesetext) -> bool:
    """Whether a forgery says by chance what the text says: papers repeat their formulas."""
    form = text.form.text
    head, *tail = map(compare_form, split_segments(quote))
    if not tail:
        return head in form
    reach = len(head) + MAX_GAP_LETTERS + len(tail[-1])
    places = (match.start() for match in re.finditer(re.escape(head), form))
    return any(tail[-1] in form[place + len(head) : place + reach] for place in places)


def _saetze(text: Lesetext, *, across_pages: bool = False) -> Iterator[str]:
    """Whole sentences of running text, on pages that can be checked, as one copies them."""
    for start, ende in text.saetze:
        satz = " ".join(text.text[start:ende].split())
        is_prose = MIN_CHARS <= len(satz) <= MAX_CHARS and len(satz.split()) >= MIN_WORDS
        is_prose = is_prose and ". ." not in satz and letters_in(satz) >= MIN_PROSE_LETTERS
        begins = satz[:1].isupper() and satz[-1:] in ".!?" and "•" not in satz
        if across_pages and len(text.touched((start, ende))) < 2:
            continue
        if is_prose and begins and text.unpruefbar([(start, ende)]) is None:
            yield satz


Make = Callable[[str, random.Random, list[str]], str | None]


def _turns(satz: str) -> bool:
    return bool(negations_in(satz) or rejections_in(satz))


def _raw(satz: str, chance: random.Random, alle: list[str]) -> str:
    return satz


def _drift(satz: str, chance: random.Random, alle: list[str]) -> str:
    plain = satz.translate(STRAIGHT)
    return f'"{plain.rstrip(".")}"'


def _ellipsis(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    words = satz.split()
    if _turns(satz) or len(words) < 12:
        return None
    mark = chance.choice(["…", "...", "[…]", "(...)"])
    head, tail = words[:5], words[-5:]
    if min(letters_in(" ".join(head)), letters_in(" ".join(tail))) < 14:
        return None
    return f"{' '.join(head)} {mark} {' '.join(tail)}"


def _truncated(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    words = satz.split()
    cut = " ".join(words[: max(6, len(words) * 2 // 3)])
    return None if _turns(satz) or letters_in(cut) < 24 else f"{cut} ..."


def _inflected(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    return _with_word(satz, chance, lambda w: len(w) > 7 and w.islower(), lambda w: f"{w}n")


def _invented_tail(satz: str, chance: random.Random, alle: list[str]) -> str:
    head = " ".join(satz.split()[:6])
    return f"{head} den Bau einer Brücke zum Mond aus Mitteln des Zirkus bezahlen."


def _invented_head(satz: str, chance: random.Random, alle: list[str]) -> str:
    tail = " ".join(satz.split()[-6:])
    return f"Der Zirkus baut aus eigenen Mitteln eine Brücke zum Mond und {tail}"


def _negation(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    words = satz.split()
    for number, word in enumerate(words):
        if word in ("nicht", "kein", "keine", "keinen"):
            return " ".join(words[:number] + words[number + 1 :])
    for number, word in enumerate(words):
        if word in ("ist", "sind", "wird", "werden", "soll", "sollen", "muss", "müssen"):
            return " ".join([*words[: number + 1], "nicht", *words[number + 1 :]])
    return None


def _number(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    numbers = re.findall(r"\d+", satz)
    if not numbers:
        return None
    one = chance.choice(numbers)
    return re.sub(rf"(?<!\d){one}(?!\d)", str(int(one) + chance.choice([1, 10])), satz, count=1)


def _decimal(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    changed = re.sub(r"(\d)[,.](\d)", r"\1\2", satz, count=1)
    return changed if changed != satz else None


def _antonym(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    return _with_word(satz, chance, lambda w: w in ANTONYMS, lambda w: ANTONYMS[w])


def _other_word(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    foreign = chance.choice(FOREIGN_WORDS)
    return _with_word(satz, chance, lambda w: len(w) > 6 and w.istitle(), lambda w: foreign)


def _splice(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    other = chance.choice(alle)
    if other == satz:
        return None
    one, two = satz.split(), other.split()
    return " ".join([*one[: len(one) // 2], *two[len(two) // 2 :]])


def _reversed(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    words = satz.rstrip(".!?").split()
    half = len(words) // 2
    head, tail = " ".join(words[:half]), " ".join(words[half:])
    return f"{tail} … {head}" if min(letters_in(head), letters_in(tail)) >= 14 else None


def _far(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    place = alle.index(satz)
    if place + 8 >= len(alle):
        return None
    return f"{' '.join(satz.split()[:6])} […] {' '.join(alle[place + 8].split()[-6:])}"


def _behind_negation(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    match = re.search(r"\b(?:nicht|keine?[nmrs]?|nie|niemals|ohne)\s+(.{40,})", satz)
    return match[1] if match and letters_in(match[1]) >= 24 else None


def _inside_word(satz: str, chance: random.Random, alle: list[str]) -> str | None:
    match = re.search(r"\b[Uu]n([a-zäöü]{5,}.{30,})", satz)
    return match[1] if match else None


def _with_word(
    satz: str, chance: random.Random, fits: Callable[[str], bool], change: Callable[[str], str]
) -> str | None:
    """The sentence with one fitting word changed; not its first, and none with a figure."""
    words = satz.split()
    fitting = [n for n, word in enumerate(words[1:], 1) if fits(word) and not has_digit(word)]
    if not fitting:
        return None
    number = chance.choice(fitting)
    return " ".join([*words[:number], change(words[number]), *words[number + 1 :]])


CLASSES: list[tuple[str, str, Make]] = [
    ("A_raw", PUBLISH, _raw),
    ("B_drift", PUBLISH, _drift),
    ("C_ellipsis", PUBLISH, _ellipsis),
    ("D_inflect", EITHER, _inflected),
    ("E_trunc", PUBLISH, _truncated),
    ("N1_inv_tail", NEVER, _invented_tail),
    ("N1b_inv_head", NEVER, _invented_head),
    ("N2_negation", NEVER, _negation),
    ("N3_number", NEVER, _number),
    ("N3b_decimal", NEVER, _decimal),
    ("N4_antonym", NEVER, _antonym),
    ("N4b_word", NEVER, _other_word),
    ("N5_splice", NEVER, _splice),
    ("N5_rev_ellips", NEVER, _reversed),
    ("N5_far_ellips", NEVER, _far),
    ("N6_cut_before_neg", NEVER, _behind_negation),
    ("N7_midword_un", NEVER, _inside_word),
]
