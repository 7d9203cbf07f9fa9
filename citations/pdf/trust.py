"""Whether a page's text layer can be trusted: if not, its words are neither false nor proved."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from citations.unlesbar import BROKEN_FONT, NO_TEXT, RECOGNISED

from .glyphs import Line, Run
from .letter_pairs import LETTER_PAIRS
from .visibility import MIN_ALPHA

# Fewer letters on a page than this: it counts as a page without text.
MIN_LETTERS = 20

# Signs without a known letter: a single one may be a bracket, and what leads to a page number has
# one or two shapes. Words have more.
UNKNOWN = re.compile("\ufffd{2,14}")
MIN_SHAPES = 4
# A font whose letters mean other letters: of so many letter pairs this share is not German. Names
# reach 0.25 of 12 pairs, a shifted alphabet 0.6 and more.
MIN_PAIRS = 12
MAX_STRANGE_PAIRS = 0.35
# Or so many letters, of which half are of no European alphabet.
MIN_FONT_LETTERS = 4
# Latin with its accents, Greek, Cyrillic: names of people and places are written in these.
KNOWN_SCRIPTS = re.compile("[a-z\u00aa\u00ba\u00df-\u017f\u0370-\u052f\u1e00-\u1fff]")
# Recognised with errors: of so many words this share has a capital, a figure or a mark inside,
# each counted once. Papers full of "BayEUG" reach 0.05; a layer under a picture is believed less.
MIN_WORDS = 20
MAX_NOISE = 0.12
MAX_NOISE_OF_LAYER = 0.02
# In German prose 1.8 to 2.6 % of the letters are ä, ö, ü or ß; recognition for English sees none.
MIN_PROSE = 2000
MIN_UMLAUTS = 0.003
_WORD = re.compile(r"[^\W\d_]+")
_NOISE = re.compile(
    r"[a-zäöüß][A-ZÄÖÜ][a-zäöüß]|[^\W\d_][,;!\"~|\\^\[\]{}<>•][^\W\d_]|[^\W\d_]\d[^\W\d_]"
)
_GENDER = re.compile(r"[*:_/]-?[iI]n(nen)?|I(nnen|n\b)")
_NO_WORD = re.compile(r"\.\.|www|@|http|/")


def why_unreadable(lines: Sequence[Line], text: str) -> str:
    """Why no machine can say what stands on the page, in German; empty where one can.

    `lines` are all that can be seen, `text` is the page's flow text.
    """
    if sum(map(str.isalpha, text)) < MIN_LETTERS and not _has_broken_font(lines):
        return NO_TEXT
    if _has_broken_font(lines):
        return BROKEN_FONT
    limit = MAX_NOISE_OF_LAYER if _is_layer(lines) else MAX_NOISE
    return RECOGNISED if _noise(text) > limit else ""


def lacks_umlauts(texts: Iterable[str]) -> bool:
    """Whether a whole document in German has no umlauts where it must have some."""
    text = "".join(texts).casefold()
    letters = sum(map(str.isalpha, text))
    umlauts = sum(text.count(sign) for sign in "äöüß")
    spelt_out = sum(text.count(pair) for pair in ("ae", "oe", "ue"))
    is_prose = letters >= MIN_PROSE and text.count(" und ") * 500 >= letters
    return is_prose and umlauts < MIN_UMLAUTS * letters and spelt_out < 4 * MIN_UMLAUTS * letters


def _has_broken_font(lines: Sequence[Line]) -> bool:
    runs = [run for line in lines for run in line.runs]
    fonts: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        fonts[run.font].append(run.text)
    shapes = {shape for run in runs for shape in _unknown_shapes(run)}
    return len(shapes) >= MIN_SHAPES or any(map(_is_garbled, map(" ".join, fonts.values())))


def _unknown_shapes(run: Run) -> set[int]:
    """How wide the signs in words are that no letter is known for, in hundredths of the size."""
    return {
        round(100 * (box[2] - box[0]) / run.size)
        for match in UNKNOWN.finditer(run.text)
        for box in run.boxes[slice(*match.span())]
    }


def _is_garbled(text: str) -> bool:
    words = _WORD.findall(text.casefold())
    pairs = [word[at : at + 2] for word in words for at in range(len(word) - 1)]
    strange = sum(1 for pair in pairs if pair not in LETTER_PAIRS)
    letters = "".join(words)
    foreign = sum(1 for letter in letters if not KNOWN_SCRIPTS.match(letter))
    return (len(pairs) >= MIN_PAIRS and strange >= MAX_STRANGE_PAIRS * len(pairs)) or (
        len(letters) >= MIN_FONT_LETTERS and 2 * foreign >= len(letters)
    )


def _is_layer(lines: Sequence[Line]) -> bool:
    """Whether most of the text is drawn with nothing: a layer under the picture of a page."""
    runs = [run for line in lines for run in line.runs]
    unseen = sum(len(run.text) for run in runs if run.alpha < MIN_ALPHA)
    return 2 * unseen > sum(len(run.text) for run in runs)


def _noise(text: str) -> float:
    """The share of words that no German would write so."""
    words = [word for word in text.split() if sum(map(str.isalpha, word)) >= 4]
    words = [word for word in words if not _NO_WORD.search(word)]
    noisy = {word for word in words if _NOISE.search(_GENDER.sub("", word))}
    return len(noisy) / len(words) if len(words) >= MIN_WORDS else 0.0
