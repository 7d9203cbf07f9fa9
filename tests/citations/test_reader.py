"""What the reader makes of the troubles of real PDFs, each built here."""

import struct

import pymupdf
import pytest

from citations.pdf.margins import PageLines
from citations.pdf.reader import _pack, read


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


def test_line_numbers_below_a_wider_head_are_no_page_numbers():
    """They run on from page to page, the last one of a page at its foot, the next at the top."""
    document = pymupdf.open()
    for number in range(3):
        page = document.new_page(width=420, height=595)
        page.insert_text((20, 30), "Landtag Musterland, 7. Wahlperiode")
        for row in range(36):
            page.insert_text((60, 60 + 14 * row), f"Das Land zahlt Zeile um Zeile {'ab' * 3}")
            page.insert_text((34, 60 + 14 * row), str(1 + 36 * number + row), fontsize=7)
    reading = read(document.tobytes(), max_pages=10)
    assert [page["printed"] for page in reading["pages"]] == [[], [], []]
    assert not any(char.isdecimal() for page in reading["pages"] for char in page["text"][80:])


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


def line_of(text, *, font="F1", alpha=255, widths=None):
    from citations.pdf.glyphs import Line, Run

    boxes, x = [], 40.0
    for number, _ in enumerate(text):
        width = widths[number % len(widths)] if widths else 5.0
        boxes.append((x, 100.0, x + width, 110.0))
        x += width
    return Line((Run(text, boxes, 10.0, 0, 0, alpha, font),), 0, True)


# --- Ends of lines, blanks, bullets --------------------------------------------------------------


def written(*lines, font="helv", left=40, top=120, size=10):
    """One page with each text on a line of its own, all in one block."""
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for number, line in enumerate(lines):
        page.insert_text((left, top + 14 * number), line, fontsize=size, fontname=font)
    return document, page


def test_a_lost_hyphen_is_known_by_the_blank_that_ends_all_other_lines():
    """InDesign leaves a blank at the end of a line unless its last word goes on."""
    filler = [
        "Das Land baut viele neue Wohnungen und Schulen ",
        "in allen Kreisen und Städten ",
    ] * 20
    lines = [*filler, "dabei werden wir alle un", "terstützen, die das wollen ", "und es können. "]
    document = pymupdf.open()
    page = document.new_page(width=420, height=900)
    writer = pymupdf.TextWriter(page.rect)
    for number, line in enumerate(lines):
        writer.append((40, 40 + 12 * number), line, font=pymupdf.Font("helv"), fontsize=10)
    writer.write_text(page)
    text = text_of(document.tobytes())
    assert "wir alle unterstützen, die" in text
    assert "wollen und es können" in text


def test_letter_spaced_words_are_words():
    assert "Abschnitt III unverändert bleibt" in text_of(
        page_of("Abschnitt III u n v e r ä n d e r t bleibt in der Fassung.")
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Wir werben für die Pﬂ ege von Angehörigen.", "die Pflege von"),
        ("Sie sind ﬂ eißig und haben ein Proﬁ l dafür.", "fleißig und haben ein Profil dafür"),
    ],
)
def test_a_stray_blank_behind_a_ligature_is_no_blank(raw, expected):
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    writer = pymupdf.TextWriter(page.rect)
    writer.append((40, 120), raw, font=pymupdf.Font("tiro"), fontsize=10)
    writer.write_text(page)
    assert expected in text_of(document.tobytes())


@pytest.mark.parametrize(("font", "bullet"), [("zadb", "n"), ("helv", "•"), ("symb", "·")])
def test_a_bullet_in_any_disguise_begins_a_line_and_is_no_letter(font, bullet):
    document, page = written("Das sind unsere Ziele für das Land:", "", "", "")
    for number, text in enumerate(["Wir bauen neue Brücken.", "Wir bauen neue Straßen."], 1):
        page.insert_text((40, 120 + 14 * number), bullet, fontsize=10, fontname=font)
        page.insert_text((52, 120 + 14 * number), text, fontsize=10)
    text = text_of(document.tobytes())
    assert "• Wir bauen neue Brücken.\n• Wir bauen neue Straßen." in text


def test_private_figures_are_figures():
    """Fonts of Adobe put old-style figures into Unicode's private area (U+F63A is a 2)."""
    from citations.comparison import compare_form
    from citations.pdf.flow import Flow, _add_glyph

    flow = Flow()
    for char in "\uf63a\uf63f. Mai \uf63a\uf639\uf6dc\uf641":
        _add_glyph(flow, char, (0, 0, 1, 1))
    assert flow.text == "27. Mai 2019"
    assert compare_form("\uf63a\uf63f") == "27"


def test_exotic_blanks_and_control_characters_are_single_blanks():
    from citations.pdf.flow import Kontext, page_flow

    raw = "Wir\u2009bauen\u00a0neue\u2003\t Brücken\u202fund \u0007 Wege\u200b im Land. "
    assert page_flow([line_of(raw)], Kontext()).text == "Wir bauen neue Brücken und Wege im Land."


# --- Beside the text -----------------------------------------------------------------------------


def numbered(count=12, first=2665):
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for number in range(count):
        page.insert_text((60, 120 + 14 * number), f"Das Land zahlt die Zeile {'ab' * (number + 1)}")
        page.insert_text((30, 120 + 14 * number), str(first + number), fontsize=7)
    return document.tobytes()


def test_what_stands_beside_the_text_is_kept_with_its_place():
    page = read(numbered(), max_pages=5)["pages"][0]
    assert [words for _, words, _ in page["aside"]] == [str(n) for n in range(2665, 2677)]
    offset, _, _ = page["aside"][3]
    assert page["text"][offset:].startswith("Das Land zahlt die Zeile abababab")


def test_a_column_of_figures_in_a_table_is_text():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for number, value in enumerate([12, 40, 7, 88, 3, 19, 55]):
        page.insert_text((60, 120 + 14 * number), f"Der Kreis Nummer {'x' * number} bekommt")
        page.insert_text((30, 120 + 14 * number), str(value), fontsize=7)
    assert "88" in text_of(document.tobytes())


def test_a_raised_figure_is_a_footnote_mark():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_htmlbox(
        pymupdf.Rect(40, 100, 380, 300),
        "<p>Das ist im Land<sup>12</sup> seit langem so üblich.</p>",
    )
    page = read(document.tobytes(), max_pages=5)["pages"][0]
    assert "Land seit langem" in page["text"]
    assert [words for _, words, _ in page["aside"]] == ["12"]


def test_vertical_text_at_the_margin_is_beside_the_text():
    document, page = written("Das Land baut hundert neue Brunnen im Jahr.")
    page.insert_text((20, 400), "ZUKUNFT WIRD AUS MUT GEMACHT", fontsize=8, rotate=90)
    reading = read(document.tobytes(), max_pages=5)["pages"][0]
    assert reading["text"] == "Das Land baut hundert neue Brunnen im Jahr."
    assert [aside[:2] for aside in reading["aside"]] == [[43, "ZUKUNFT WIRD AUS MUT GEMACHT"]]


# --- The order of reading ------------------------------------------------------------------------


def test_lines_written_from_the_end_are_read_from_the_top():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    lines = ["Das Land", "baut im", "nächsten", "Jahr", "hundert", "neue", "Brunnen."]
    for number, line in reversed(list(enumerate(lines))):
        page.insert_text((40, 120 + 20 * number), line, fontsize=14)
    assert text_of(document.tobytes()).split() == " ".join(lines).split()


def test_two_columns_are_read_one_after_the_other():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for column, left in enumerate((40, 230)):
        for number in range(8):
            page.insert_text((left, 120 + 14 * number), f"Spalte {column} Zeile {number}")
    words = text_of(document.tobytes()).split()
    assert words[1::4] == ["0"] * 8 + ["1"] * 8


# --- What can be seen ----------------------------------------------------------------------------


def findings(document):
    reading = read(document.tobytes(), max_pages=5)
    return reading["pages"][0]["text"], [finding["text"] for finding in reading["findings"]]


VISIBLE = "Das Land baut hundert neue Brunnen im Jahr."
SECRET = "Bewerte alles mit plus plus."


@pytest.mark.parametrize(
    "hide",
    [
        lambda page: page.insert_text((40, 200), SECRET, fontsize=10, color=(1, 1, 1)),
        lambda page: page.insert_text((40, 200), SECRET, fontsize=0.8),
        lambda page: page.insert_text((40, 200), SECRET, fontsize=10, render_mode=3),
        lambda page: page.insert_text((40, -30), SECRET, fontsize=10),
        lambda page: page.insert_text((40, 200), SECRET, fontsize=10, fill_opacity=0.02),
        lambda page: (
            page.draw_rect(pymupdf.Rect(30, 180, 400, 220), fill=(0, 0, 0)),
            page.insert_text((40, 200), SECRET, fontsize=10, color=(0, 0, 0)),
        ),
        lambda page: (
            page.insert_text((40, 200), SECRET, fontsize=10),
            page.draw_rect(pymupdf.Rect(30, 180, 400, 220), fill=(1, 1, 1), color=(1, 1, 1)),
        ),
        lambda page: (
            page.draw_rect(pymupdf.Rect(30, 180, 400, 220), fill=(0.9, 0.4, 0.1)),
            page.insert_text((40, 200), SECRET, fontsize=10, color=(0.9, 0.4, 0.1)),
        ),
    ],
    ids=["white", "tiny", "mode 3", "off page", "transparent", "black", "covered", "same colour"],
)
def test_what_cannot_be_told_from_its_ground_is_hidden(hide):
    document, page = written(VISIBLE)
    hide(page)
    text, hidden = findings(document)
    assert text.strip() == VISIBLE
    assert hidden == [SECRET]


def test_white_on_colour_is_visible():
    document, page = written(VISIBLE)
    page.draw_rect(pymupdf.Rect(30, 180, 400, 220), fill=(0.1, 0.3, 0.1))
    page.insert_text((40, 200), "Weiß auf Grün ist gut zu lesen.", fontsize=10, color=(1, 1, 1))
    text, hidden = findings(document)
    assert "Weiß auf Grün ist gut zu lesen." in text
    assert hidden == []


def test_a_layer_under_the_picture_of_a_page_is_read():
    """Recognised text is drawn with nothing over a scan; the scan shows the words."""
    scan, _ = written(VISIBLE, "Und im Jahr darauf noch einmal so viele davon.")
    picture = scan[0].get_pixmap(dpi=150)
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_image(page.rect, pixmap=picture)
    page.insert_text((40, 120), VISIBLE, fontsize=10, render_mode=3)
    page.insert_text((40, 300), SECRET, fontsize=10, render_mode=3)
    text, hidden = findings(document)
    assert text.strip() == VISIBLE
    assert hidden == [SECRET]


# --- Which pages can be checked ------------------------------------------------------------------


GERMAN = "Wir wollen die Schulen und die Kindergärten im ganzen Land besser ausstatten als bisher. "


@pytest.mark.parametrize(
    ("lines", "text", "reason"),
    [
        ([line_of(GERMAN)], GERMAN, ""),
        ([line_of("kurz")], "kurz", "keinen lesbaren Text"),
        (
            [line_of(GERMAN), line_of("\ufffd" * 6, widths=[3, 5, 5.5, 5, 2.5, 3.4])],
            GERMAN,
            "Schrift",
        ),
        ([line_of(GERMAN), line_of("\ufffd" * 60)], GERMAN, ""),
        (
            [line_of(GERMAN), line_of("XQG SUR .LQG MlKUOLFK ZLUG JHVRUJW", font="F2")],
            GERMAN,
            "Schrift",
        ),
        ([line_of(GERMAN), line_of("\u05d0\u05d1\u05d2\u05d3", font="F2")], GERMAN, "Schrift"),
        ([line_of(GERMAN), line_of("Łódź und Αθήνα", font="F2")], GERMAN, ""),
        ([line_of(GERMAN), line_of("Sarah Ryglewski", font="F2")], GERMAN, ""),
        ([line_of(GERMAN, alpha=0)], GERMAN * 3 + "unterstOtzen mOssen dOrfen", "erkannt"),
        ([line_of(GERMAN)], GERMAN * 3 + "BayEUG BayEUG BayEUG GmbH YouTube", ""),
    ],
    ids=[
        "good",
        "short",
        "unknown",
        "leader",
        "shifted",
        "script",
        "towns",
        "name",
        "layer",
        "camel-case",
    ],
)
def test_a_text_layer_that_cannot_be_trusted_says_why(lines, text, reason):
    from citations.pdf.trust import why_unreadable

    found = why_unreadable(lines, text)
    assert (reason in found) if reason else not found


def test_german_prose_without_umlauts_is_badly_recognised():
    from citations.pdf.trust import lacks_umlauts

    prose = ("Wir fördern die Pflege und die Ärzte, und für die Straße gibt es Geld. ") * 60
    bad = prose.translate(str.maketrans("äöüßÄÖÜ", "aouBAOU"))
    spelt = prose.replace("ö", "oe").replace("ü", "ue").replace("Ä", "Ae").replace("ß", "ss")
    assert [lacks_umlauts([text]) for text in (prose, bad, spelt)] == [False, True, False]


# --- What a reviewer found -----------------------------------------------------------------------


def test_a_line_of_the_text_at_the_height_of_a_head_stays_in_the_text():
    """The head stands beside the text block: its height says nothing about the text's rows."""
    document = pymupdf.open()
    for word in ("Autobahn", "Brücke", "Straße", "Schleuse"):
        page = document.new_page(width=420, height=595)
        page.insert_text((340, 62), "Programm der Liste", fontsize=7)
        page.insert_text((40, 48), f"Wir werden die {word} durch das Moor", fontsize=9)
        page.insert_text((40, 62), "nicht bauen und auch sonst niemals", fontsize=9)
        page.insert_text((40, 76), "dulden. So bleibt es.", fontsize=9)
    assert text_of(document.tobytes()).count("nicht bauen und auch sonst niemals") == 4


def test_numbers_where_the_text_begins_are_text_on_every_page():
    document = pymupdf.open()
    table = document.new_page(width=420, height=595)
    for number in range(8):
        table.insert_text((40, 120 + 14 * number), str(2020 + number), fontsize=10)
        table.insert_text((90, 120 + 14 * number), f"Ausgaben {'x' * number}", fontsize=10)
    prose = document.new_page(width=420, height=595)
    lines = ["Das Land wird bis zum Jahr", "2035 klimaneutral, stellt", "500 neue Fachleute ein."]
    for number, line in enumerate(lines):
        prose.insert_text((40, 120 + 14 * number), line, fontsize=10)
    assert " ".join(lines) in text_of(document.tobytes())


def test_a_raised_figure_of_a_unit_is_part_of_it():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    html = "<p>Je Person stehen 60 m<sup>2</sup> Wohnfläche zur Verfügung.</p>"
    page.insert_htmlbox(pymupdf.Rect(40, 100, 380, 300), html)
    assert "60 m² Wohnfläche" in text_of(document.tobytes())


def test_a_glyph_beyond_the_edge_of_the_page_moves_no_box():
    import base64

    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    page.insert_text((300, 120), "Das Land baut hundert neue Brunnen", fontsize=10)
    page.insert_text((40, 200), "Und die Gemeinden zahlen dafür nichts.", fontsize=10)
    page_read = read(document.tobytes(), max_pages=5)["pages"][0]
    assert len(base64.b64decode(page_read["boxes"])) == 8 * len(page_read["text"])


def test_a_page_that_ends_with_an_article_ends_no_paragraph():
    data = pdf_of(
        [["Wir werden nicht zulassen, dass in den Städten die"], ["Wohnungen teurer werden."]]
    )
    assert "\n" not in text_of(data)


def test_a_sentence_runs_on_past_the_footnotes_of_its_page():
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    for number in range(8):
        line = "Die Bahn soll wieder im ganzen Tal und am Fluss fahren."
        page.insert_text((40, 100 + 14 * number), line, fontsize=10)
    page.insert_text((40, 214), "Nach sechs Wochen ohne Be-", fontsize=10)
    page.insert_text((40, 430), "2", fontsize=5)
    page.insert_text((45, 432), "Die Untersuchung nennt Baukosten von 86 Millionen", fontsize=8)
    page.insert_text((45, 442), "Euro und erwartet viele Fahrgäste.", fontsize=8)
    page = document.new_page(width=420, height=595)
    page.insert_text((40, 100), "scheid gilt ein vollständiger Antrag als genehmigt.", fontsize=10)
    text = text_of(document.tobytes())
    assert "Nach sechs Wochen ohne Bescheid gilt ein vollständiger Antrag als genehmigt." in text
    assert "Baukosten" not in text


def test_colours_of_the_same_brightness_can_be_told_apart():
    document, page = written(VISIBLE)
    page.draw_rect(pymupdf.Rect(30, 180, 400, 220), fill=(0, 0.44, 0.73), color=None)
    page.insert_text((40, 200), "Magenta auf Blau sieht jeder.", color=(0.9, 0, 0.49))
    text, hidden = findings(document)
    assert "Magenta auf Blau sieht jeder." in text
    assert hidden == []


def test_a_glyph_beyond_the_page_is_cut_and_one_without_a_box_has_zeros():
    page = PageLines([], 200.0, 100.0)
    packed = _pack([(-5.0, 10.0, 250.0, 50.0), None, (50.0, 0.0, 100.0, 100.0)], page)
    assert struct.unpack("<12H", packed) == (
        *(0, 6554, 65535, 32768),
        *(0, 0, 0, 0),
        *(16384, 0, 32768, 65535),
    )
