"""The marks: do the boxes hold the quote's glyphs and its ink, and nothing of a neighbour's?"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Levenshtein

from citations.comparison import Grad, compare_form
from citations.marks import Rect, char_boxes
from citations.quelltext import CharBox, Lesetext, Span
from citations.stelle import Stelle, stelle_at
from citations.verification import PROVED, second_reading

from .quellen import Quelle
from .zeile import Zeile, at_least, share
from .zweites import Bild, Zeichen, page_picture, page_signs

MIN_CHARS, MAX_CHARS = 60, 300
# Points that the two engines' boxes may differ in x.
SAME_X = 0.05
# Of a sign's width; its double in fake bold is shifted by less.
DOUBLED = 0.3


@dataclass
class Messung:
    """Counts over all quotes: letters, dark pixels, boxes, and what the second engine says."""

    marked: int = 0
    expected: int = 0
    common: int = 0
    own_ink: int = 0
    own_ink_marked: int = 0
    marked_ink: int = 0
    foreign_ink_marked: int = 0
    ends: int = 0
    same_ends: int = 0
    boxes: int = 0
    same_boxes: int = 0
    quotes: int = 0
    proved: int = 0
    disagreeing: list[str] = field(default_factory=list)


def sample(quellen: Iterable[Quelle], *, count: int, seed: int = 7) -> list[tuple[Quelle, Span]]:
    """Sentences of all files in turn, on pages that can be checked."""
    chance = random.Random(seed)  # noqa: S311  the same sentences every time
    chosen: list[tuple[Quelle, Span]] = []
    files = [(quelle, list(_sentences(quelle.text))) for quelle in quellen]
    for _, spans in files:
        chance.shuffle(spans)
    while len(chosen) < count and any(spans for _, spans in files):
        for quelle, spans in files:
            if spans and len(chosen) < count:
                chosen.append((quelle, spans.pop()))
    return chosen


def _sentences(text: Lesetext) -> Iterator[Span]:
    """Without tables of contents: nobody quotes the dots that lead to a page number."""
    for start, ende in text.saetze:
        is_long = MIN_CHARS <= ende - start <= MAX_CHARS and ". ." not in text.text[start:ende]
        if is_long and text.unpruefbar([(start, ende)]) is None:
            yield start, ende


def measure(quellen: Iterable[Quelle], *, count: int, seed: int = 7) -> Messung:
    messung = Messung()
    by_file: dict[str, tuple[Quelle, list[Span]]] = {}
    for quelle, span in sample(quellen, count=count, seed=seed):
        by_file.setdefault(quelle.name, (quelle, []))[1].append(span)
    for quelle, spans in by_file.values():
        _measure_file(quelle, spans, messung)
    return messung


def zeilen(quellen: Iterable[Quelle], *, count: int = 300) -> Iterator[Zeile]:
    m = measure(quellen, count=count)
    yield at_least(f"markierte Zeichen ({m.quotes} Zitate): Genauigkeit", m.common, m.marked, 100)
    yield at_least("markierte Zeichen: Vollständigkeit", m.common, m.expected, 100)
    yield at_least("Tinte der Worte unter der Markierung", m.own_ink_marked, m.own_ink, 99)
    pure = m.marked_ink - m.foreign_ink_marked
    yield at_least("Tinte unter der Markierung, die zu den Worten gehört", pure, m.marked_ink, 99)
    was = "Anfang und Ende der Zitate wie im zweiten Programm (x auf 0,05 pt)"
    yield at_least(was, m.same_ends, m.ends, 98)
    every = f"{share(m.same_boxes, m.boxes):.2f} % ({m.same_boxes}/{m.boxes})"
    yield Zeile("  linke und rechte Kante jedes Zeichens", every)
    yield at_least("vom zweiten Programm bewiesen", m.proved, m.quotes, 99.5)
    yield from (Zeile(f"  {one}", "weicht ab") for one in m.disagreeing[:10])


def _measure_file(quelle: Quelle, spans: Sequence[Span], messung: Messung) -> None:
    text = quelle.text
    stellen = [stelle_at(text, (span,), Grad.WOERTLICH) for span in spans]
    printed = [text.seiten[stelle.seite - 1].gedruckt for stelle in stellen]
    for stelle, urteil in zip(stellen, second_reading(quelle.data, stellen, printed), strict=True):
        messung.quotes += 1
        messung.proved += urteil == PROVED
        if urteil != PROVED:
            messung.disagreeing.append(f"{quelle.name} S. {stelle.seite}: {urteil.grund}")
    pages = {rect["seite"] for stelle in stellen for rect in stelle.rects}
    for index in sorted(pages):
        signs, picture = page_signs(quelle.data, index), page_picture(quelle.data, index)
        for stelle in stellen:
            rects = [rect for rect in stelle.rects if rect["seite"] == index]
            if rects:
                _measure_letters(stelle, rects, index, text, signs, messung)
                _measure_ink(rects, signs, picture, messung)


def _on_page(stelle: Stelle, index: int, text: Lesetext) -> tuple[str, list[CharBox]]:
    """The quote's letters on the page, and the boxes of its characters there."""
    seite = text.seiten[index - 1]
    start, ende = stelle.spans[0]
    begin, end = max(start - seite.start, 0), min(ende - seite.start, len(seite.text))
    boxes = char_boxes(seite, begin, end)
    return seite.text[begin:end], [box for box in boxes if box]


def _measure_letters(
    stelle: Stelle,
    rects: Sequence[Rect],
    index: int,
    text: Lesetext,
    signs: Sequence[Zeichen],
    messung: Messung,
) -> None:
    """Letters whose centre lies in a mark, by the second engine, against those of the quote."""
    words, _ = _on_page(stelle, index, text)
    inside = _inside(rects, signs)
    found, expected = compare_form("".join(sign.char for sign in inside)), compare_form(words)
    messung.marked += len(found)
    messung.expected += len(expected)
    blocks = Levenshtein.opcodes(found, expected)
    messung.common += sum(b.src_end - b.src_start for b in blocks if b.tag == "equal")
    _measure_boxes(stelle, index, text, inside, messung)


def _measure_boxes(
    stelle: Stelle, index: int, text: Lesetext, inside: Sequence[Zeichen], messung: Messung
) -> None:
    """Left and right edges of every sign that both engines have; the quote's first and last.

    The second engine's box also takes in ink that reaches beyond the sign's advance (r, f, j, W).
    """
    seite = text.seiten[index - 1]
    start, ende = stelle.spans[0]
    length = len(seite.text)
    begin, end = max(start - seite.start, 0), min(ende - seite.start, length)
    begins_here, ends_here = start >= seite.start, ende - seite.start <= length
    chars = zip(seite.text[begin:end], char_boxes(seite, begin, end), strict=True)
    ours = [(char, box) for char, box in chars if box and not char.isspace()]
    theirs = [sign for sign in inside if not sign.char.isspace()]
    said, seen = [char for char, _ in ours], [sign.char for sign in theirs]
    for same in (op for op in Levenshtein.opcodes(said, seen) if op.tag == "equal"):
        for n in range(same.src_end - same.src_start):
            box, sign = ours[same.src_start + n][1], theirs[same.dest_start + n]
            left, right = (
                abs(own - other) * seite.breite <= SAME_X
                for own, other in ((box[0], sign.x0), (box[2], sign.x1))
            )
            messung.boxes += 2
            messung.same_boxes += left + right
            if begins_here and same.src_start + n == 0:
                messung.ends, messung.same_ends = messung.ends + 1, messung.same_ends + left
            if ends_here and same.src_start + n == len(ours) - 1:
                messung.ends, messung.same_ends = messung.ends + 1, messung.same_ends + right


def _inside(rects: Sequence[Rect], signs: Sequence[Zeichen]) -> list[Zeichen]:
    found: list[Zeichen] = []
    for rect in rects:
        row = [
            sign
            for sign in signs
            if rect["x0"] <= (sign.x0 + sign.x1) / 2 <= rect["x1"]
            and rect["y0"] <= (sign.y0 + sign.y1) / 2 <= rect["y1"]
        ]
        found += _once(sorted(row, key=lambda sign: sign.x0))
    return found


def _once(row: Sequence[Zeichen]) -> list[Zeichen]:
    """Without the doubles of fake bold: on the first, or beside it by less than a stroke.

    Neighbours in the text are none: the two letters of one ligature lie in one place.
    """
    return [
        sign
        for number, sign in enumerate(row)
        if not any(
            other.char == sign.char
            and abs(sign.nr - other.nr) > 1
            and sign.x0 - other.x0 < DOUBLED * (sign.x1 - sign.x0)
            for other in row[max(number - 8, 0) : number]
        )
    ]


def _measure_ink(
    rects: Sequence[Rect], signs: Sequence[Zeichen], picture: Bild, messung: Messung
) -> None:
    """Dark pixels by whose loose box they lie in: a quoted sign's, or another's on the page.

    Loose boxes reach from the highest ascender to the lowest descender; where those of two lines
    overlap, the pixels count for neither.
    """
    quoted = _inside(rects, signs)
    chosen = {(sign.x0, sign.y0) for sign in quoted}
    others = [sign for sign in signs if (sign.x0, sign.y0) not in chosen]
    own, foreign = _dark(map(_box, quoted), picture), _dark(_near(others, rects), picture)
    marked = _dark([(r["x0"], r["y0"], r["x1"], r["y1"]) for r in rects], picture)
    messung.own_ink += len(own - foreign)
    messung.own_ink_marked += len((own - foreign) & marked)
    messung.marked_ink += len(marked & (own ^ foreign))
    messung.foreign_ink_marked += len(marked & (foreign - own))


def _box(sign: Zeichen) -> CharBox:
    return sign.x0, sign.y0, sign.x1, sign.y1


def _near(signs: Iterable[Zeichen], rects: Sequence[Rect]) -> list[CharBox]:
    boxes = [_box(sign) for sign in signs if not sign.char.isspace()]
    return [box for box in boxes if any(r["y0"] < box[3] and box[1] < r["y1"] for r in rects)]


def _dark(boxes: Iterable[CharBox], picture: Bild) -> set[int]:
    """The dark pixels whose middle lies in one of the boxes."""
    pixels: set[int] = set()
    for x0, y0, x1, y1 in boxes:
        columns = range(round(x0 * picture.width), min(round(x1 * picture.width), picture.width))
        for y in range(round(y0 * picture.height), min(round(y1 * picture.height), picture.height)):
            pixels.update(y * picture.width + x for x in columns if picture.is_dark(x, y))
    return pixels
