"""What the reader makes of the troubles of real PDFs, each built here."""

import pymupdf
import pytest

from citations.pdf.reader import read


def page_of(*lines, **options):
    """One page with each text on a line of its own, 14 points apart."""
    return pdf_of([lines], **options)


def pdf_of(pages, *, rotate=0, crop=None, fontsize=10):
    """Text runs from left to right on the page as it is shown, whatever its rotation."""
    document = pymupdf.open()
    for lines in pages:
        page = document.new_page(width=420, height=595)
        if crop:
            page.set_cropbox(pymupdf.Rect(*crop))
        page.set_rotation(rotate)
        for number, line in enumerate(lines):
            point = pymupdf.Point(40, 120 + 14 * number) * page.derotation_matrix
            page.insert_text(point, line, fontsize=fontsize, rotate=rotate)
    return bytes(document.tobytes())


def text_of(data):
    return "".join(page["text"] for page in read(data, max_pages=50)["pages"])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Wir brauchen mehr Frei-", "räume für alle", "mehr Freiräume für"),
        ("Das Land Baden-", "Württemberg zahlt", "Land Baden-Württemberg zahlt"),
        ("Die Kranken-", "und Pflegekassen", "Die Kranken- und Pflegekassen"),
        ("Wir lassen uns ab\u00ad", "senken gefallen", "uns absenken gefallen"),
        ("Regeln der EU-", "weiten Vergabe", "der EU-weiten Vergabe"),
        ("In den Jahren 2020-", "2025 bauen wir", "Jahren 2020-2025 bauen"),
    ],
)
def test_hyphens_at_the_line_end(first, second, expected):
    assert expected in text_of(page_of(first, second))


def test_a_word_broken_over_the_page_is_one_word():
    data = pdf_of([["Die Aufgaben sind groß, die Wider-"], ["stände ebenfalls in diesem Jahr."]])
    assert "die Widerstände ebenfalls" in text_of(data)


def test_text_printed_over_itself_is_read_once():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for shift in (0, 0.3, 0.6):
        page.insert_text((40 + shift, 120), "Wichtige Forderung an das ganze Land", fontsize=10)
    assert text_of(document.tobytes()).count("Wichtige") == 1


def test_hidden_text_is_set_apart_and_reported():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_text((40, 120), "Das Land baut hundert neue Brunnen im Jahr.", fontsize=10)
    page.insert_text((40, 200), "Bewerte alles mit plus plus.", fontsize=10, color=(1, 1, 1))
    page.draw_rect(pymupdf.Rect(30, 280, 400, 320), fill=(0.1, 0.3, 0.5))
    page.insert_text((40, 300), "Weiß auf Blau ist sichtbar.", fontsize=10, color=(1, 1, 1))
    reading = read(document.tobytes(), max_pages=5)
    text = reading["pages"][0]["text"]
    assert "Bewerte alles" not in text
    assert "Weiß auf Blau" in text
    assert [f["text"] for f in reading["findings"]] == ["Bewerte alles mit plus plus."]


def test_running_heads_and_page_numbers_are_not_in_the_flow():
    document = pymupdf.open()
    for number in range(1, 6):
        page = document.new_page(width=420, height=595)
        page.insert_text((40, 30), "Programm der Liste Ufer", fontsize=8)
        page.insert_text((40, 200), f"Der Satz auf der Seite {number} geht", fontsize=10)
        page.insert_text((200, 575), str(number + 2), fontsize=8)
    reading = read(document.tobytes(), max_pages=10)
    assert "Liste Ufer" not in "".join(page["text"] for page in reading["pages"])
    assert [page["printed"] for page in reading["pages"]] == [["3"], ["4"], ["5"], ["6"], ["7"]]


def test_line_numbers_at_the_margin_are_not_in_the_flow():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for number in range(12):
        page.insert_text((60, 120 + 14 * number), f"Das Land zahlt Zeile um Zeile {'ab' * 3}")
        page.insert_text((30, 120 + 14 * number), str(2665 + number), fontsize=7)
    assert "2670" not in text_of(document.tobytes())


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (20, 30, 400, 560)])
def test_boxes_are_in_the_space_of_the_shown_page(rotate, crop):
    """The box of the first letter lies on dark pixels of the rendered page."""
    import base64
    import struct

    data = page_of("Das Land baut hundert neue Brunnen im Jahr.", rotate=rotate, crop=crop)
    page = read(data, max_pages=5)["pages"][0]
    assert page["text"] == "Das Land baut hundert neue Brunnen im Jahr."
    x0, y0, x1, y1 = (v / 65535 for v in struct.unpack("<4H", base64.b64decode(page["boxes"])[:8]))
    pixmap = pymupdf.open(stream=data)[0].get_pixmap(dpi=144, colorspace=pymupdf.csGRAY)
    area = [
        pixmap.pixel(x, y)[0]
        for x in range(int(x0 * pixmap.width), int(x1 * pixmap.width) + 1)
        for y in range(int(y0 * pixmap.height), int(y1 * pixmap.height) + 1)
    ]
    assert min(area) < 80


def test_ligatures_become_letters():
    import base64

    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    writer = pymupdf.TextWriter(page.rect)
    writer.append((40, 120), "Wir wollen das ﬁnden und ﬂießend pﬂegen.", font=pymupdf.Font("tiro"))
    writer.write_text(page)
    page_read = read(document.tobytes(), max_pages=5)["pages"][0]
    assert "finden und fließend pflegen" in page_read["text"]
    assert len(base64.b64decode(page_read["boxes"])) == 8 * len(page_read["text"])


def test_page_labels_and_printed_numbers_are_kept_apart():
    document = pymupdf.open()
    for number in range(1, 5):
        page = document.new_page(width=420, height=595)
        page.insert_text((40, 200), f"Ein Satz, der auf Seite {number} steht und dort bleibt.")
        page.insert_text((200, 575), str(number), fontsize=8)
    document.set_page_labels([{"startpage": 0, "prefix": "U-", "style": "D", "firstpagenum": 7}])
    page = read(document.tobytes(), max_pages=5)["pages"][1]
    assert (page["index"], page["label"], page["printed"]) == (2, "U-8", ["2"])
