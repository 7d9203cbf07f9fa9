"""Where a passage stands: built from a real PDF, because sizes tell headings apart."""

import pymupdf
import pytest

from citations.reading import read_file_text
from programme.chunking import chunk
from programme.gliederung import heading_paths, lead_ins

SATZ = "Wir setzen uns in den kommenden Jahren für dieses Vorhaben mit aller Kraft ein. "


@pytest.fixture(scope="module")
def text():
    lines = [
        (20, "Soziales Land"),
        (14, "Wohnen"),
        *[(10, SATZ * 1)] * 12,
        (14, "Pflege"),
        *[(10, SATZ * 1)] * 12,
        (20, "Wirtschaft"),
        *[(10, SATZ * 1)] * 12,
        (10, "Wir fordern für den Mittelstand:"),
        *[
            (10, f"• die Entlastung Nummer {n} für alle Betriebe im ganzen Land umzusetzen,")
            for n in range(24)
        ],
    ]
    document = pymupdf.open()
    page, y = document.new_page(width=500, height=842), 60.0
    for size, line in lines:
        if y > 780:
            page, y = document.new_page(width=500, height=842), 60.0
        y += size * 1.8 if size > 10 else 13
        page.insert_text((40, y), line, fontsize=size)
        y += size if size > 10 else 0
    return read_file_text(document.tobytes())


def test_a_passage_knows_its_headings_from_the_highest_down(text):
    passages = chunk(text.text, text.saetze)
    paths = heading_paths(text, passages)
    by_path = {path: p for p, path in zip(passages, paths, strict=True)}
    assert "Soziales Land › Wohnen" in by_path
    assert "Soziales Land › Pflege" in by_path
    assert paths[-1] == "Wirtschaft"


def test_a_passage_inside_a_list_knows_the_sentence_before_it(text):
    passages = chunk(text.text, text.saetze)
    leads = lead_ins(text, passages)
    inside = [n for n, p in enumerate(passages) if text.text[p.start] == "•"]
    assert inside
    assert {leads[n] for n in inside} == {"Wir fordern für den Mittelstand:"}
    assert leads[0] == ""


def test_a_row_of_a_table_knows_its_head():
    document = pymupdf.open()
    page = document.new_page(width=500, height=842)
    page.insert_text((40, 60), "Jahr und Ausgaben in Millionen Euro", fontsize=10)
    for n in range(48):
        page.insert_text(
            (40, 80 + 15 * n), f"{1000000 + n}   {100000 + n}   {200000 + n}", fontsize=10
        )
    text = read_file_text(document.tobytes())
    passages = chunk(text.text, text.saetze)
    rows = [
        lead for p, lead in zip(passages, lead_ins(text, passages), strict=True) if p.start > 40
    ]
    assert rows
    assert set(rows) == {"Jahr und Ausgaben in Millionen Euro"}
