"""Marks that both engines must agree on: each kind of trouble built here, read, placed, proved."""

import pymupdf
import pytest

from citations.comparison import Grad
from citations.placing import place
from citations.reading import read_file_text
from citations.stelle import stelle_at
from citations.verification import PROVED, second_reading
from gwoe.bench.zweites import page_picture

FILLER = "Das Land baut in jedem Jahr hundert neue Brunnen."


def proved(data, quote):
    """The Stelle of the quote in the file, which the second engine must prove."""
    text = read_file_text(data)
    platz = place(quote, text)
    assert platz.is_placed
    stelle = stelle_at(text, platz.spans, platz.grad)
    (urteil,) = second_reading(data, [stelle], [[]])
    assert urteil == PROVED
    return stelle


def html_page(html):
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_htmlbox(pymupdf.Rect(40, 100, 380, 300), html)
    return document.tobytes()


def typeset(text, font="tiro"):
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    writer = pymupdf.TextWriter(page.rect)
    writer.append((40, 120), text, font=pymupdf.Font(font), fontsize=10)
    writer.write_text(page)
    return document.tobytes()


def test_a_footnote_mark_between_the_words_is_not_marked():
    data = html_page(f"<p>{FILLER} (3) <sup>1</sup>Die Gemeinden zahlen dafür nichts.</p>")
    stelle = proved(data, "(3) Die Gemeinden zahlen dafür nichts.")
    (aside,) = [entry for entry in read_file_text(data).seiten[0].beiwerk if entry[1] == "1"]
    middle = (aside[2][0] + aside[2][2]) / 2
    assert not any(rect["x0"] < middle < rect["x1"] for rect in stelle.rects)
    # Nor is the blank before it.
    assert any(aside[2][0] - 4 / 420 < rect["x1"] < aside[2][0] - 2 / 420 for rect in stelle.rects)


@pytest.mark.parametrize(
    "text",
    [
        "Wir schaﬀen oﬀene Büros und eﬃziente Ämter im Land.",
        "Wir ﬁnden die ﬂeißigen Leute in allen Ämtern im Land.",
    ],
)
def test_letters_of_one_ligature_are_not_taken_for_a_double(text):
    import unicodedata

    stelle = proved(typeset(text), unicodedata.normalize("NFKC", text))
    assert stelle.text == unicodedata.normalize("NFKC", text)


def test_words_printed_over_themselves_are_marked_once():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for shift in (0, 0.3, 0.6):
        page.insert_text((40 + shift, 120), "Wichtige Forderung an das ganze Land", fontsize=10)
    stelle = proved(document.tobytes(), "Wichtige Forderung an das ganze Land")
    assert len(stelle.rects) == 1


def test_a_bullet_between_two_list_items_is_not_marked():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for number, text in enumerate(["Wir bauen neue Brücken.", "Wir bauen neue Straßen."]):
        page.insert_text((40, 120 + 14 * number), "n", fontsize=10, fontname="zadb")
        page.insert_text((52, 120 + 14 * number), text, fontsize=10)
    stelle = proved(document.tobytes(), "Wir bauen neue Brücken. n Wir bauen neue Straßen.")
    assert stelle.grade == Grad.ANGEGLICHEN
    assert all(rect["x0"] > 50 / 420 for rect in stelle.rects)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (20, 30, 400, 560)])
def test_both_engines_agree_whatever_the_rotation_and_the_crop_box(rotate, crop):
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    if crop:
        page.set_cropbox(pymupdf.Rect(*crop))
    page.set_rotation(rotate)
    for number, line in enumerate(["Das Land baut hundert neue Brun-", "nen in jedem Jahr."]):
        point = pymupdf.Point(40, 120 + 14 * number) * page.derotation_matrix
        page.insert_text(point, line, fontsize=10, rotate=rotate)
    data = document.tobytes()
    stelle = proved(data, "Das Land baut hundert neue Brunnen in jedem Jahr.")
    assert len(stelle.rects) == 2
    for rect in stelle.rects:
        assert ink_beside(data, rect) == 0


def ink_beside(data, rect):
    """Dark pixels of the page above, below, before and behind the box, on its page of one quote."""
    picture = page_picture(data, rect["seite"])
    edges = [rect["y0"] * picture.height, rect["y1"] * picture.height]
    columns = range(round(rect["x0"] * picture.width), round(rect["x1"] * picture.width))
    rows = [round(edges[0]) - 2, round(edges[1]) + 2]
    return sum(picture.is_dark(x, y) for x in columns for y in rows)
