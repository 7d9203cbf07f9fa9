"""The command that checks a person's own list. None of these tests may touch the database."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from citations import zitatsuche
from citations.verification import Gegenstand, refuted, second_reading
from citations.zitatzeilen import as_csv, read_rows
from parlamente.facts import DATEI, read_fakten
from programme.parteinamen import says_party
from tests.citations.factories import locked_pdf, make_pdf

WOHNEN = "Wir bauen jedes Jahr tausend neue Wohnungen im ganzen Land."
BAHN = "Die Bahn fährt auf jeder Strecke mindestens einmal in der Stunde."
NEIN = "Wir werden die alten Kraftwerke im Norden des Landes nicht wieder anfahren."


@pytest.fixture
def folder(tmp_path):
    pdfs = tmp_path / "pdfs"
    (pdfs / "alt").mkdir(parents=True)
    (pdfs / "spd-bw-2016.pdf").write_bytes(make_pdf(WOHNEN, f"{BAHN} {NEIN}"))
    (pdfs / "alt" / "gruene-bw-2011.pdf").write_bytes(make_pdf(f"Vorwort.\n\n{WOHNEN}"))
    (pdfs / "cdu-bw-2016.pdf").write_bytes(locked_pdf())
    (pdfs / "fdp-bw-2016.pdf").write_bytes(make_pdf(""))
    return pdfs


@pytest.fixture
def check(tmp_path, folder):
    """Checks rows (dicts, or text as it stands in the file) and returns the results."""

    def run(*rows, name="liste.jsonl", **options):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        liste, output = tmp_path / name, tmp_path / "ergebnis"
        liste.write_text("\n".join(lines), encoding="utf-8")
        call_command("check_quotes", liste, pdf_dir=folder, output=output, verbosity=0, **options)
        text = output.read_text(encoding="utf-8")
        if options.get("csv"):
            return list(csv.DictReader(io.StringIO(text)))
        return [json.loads(line) for line in text.splitlines()]

    return run


def test_a_true_quote_is_placed_and_proved(check):
    (row,) = check({"zitat": f"„{BAHN}“", "datei": "spd-bw-2016.pdf", "unbekannt": 1})
    assert (row["urteil"], row["grad"], row["seite"]) == ("publish", "woertlich", 2)
    assert row["text"] == BAHN
    assert row["fehler"] == row["grund"] == ""
    (rect,) = row["rects"]
    assert rect["seite"] == 2
    assert 0 < rect["x0"] < rect["x1"] < 1
    assert 0 < rect["y0"] < rect["y1"] < 1


def test_an_invention_is_rejected_and_a_changed_number_reviewed(check):
    invented, changed = check(
        {"zitat": "Das Rathaus bekommt ein goldenes Dach und dazu zwei Türme."},
        {"zitat": WOHNEN.replace("tausend", "zweitausend")},
    )
    assert (invented["urteil"], invented["grad"], invented["rects"]) == ("reject", "ungeprueft", [])
    assert "Nicht durchsuchbar: cdu-bw-2016.pdf" in invented["grund"]
    assert (changed["urteil"], changed["grad"]) == ("review", "ungeprueft")
    assert "[-zweitausend-]" in changed["unterschied"]
    assert "{+tausend+}" in changed["unterschied"]


def test_words_that_nobody_sees_are_reviewed_and_the_reason_says_so(check, folder):
    document = pymupdf.open(stream=make_pdf(WOHNEN))
    document[0].insert_text((40, 300), BAHN, fontsize=8, color=(1, 1, 1))
    (folder / "volt-bw-2016.pdf").write_bytes(document.tobytes())
    (row,) = check({"zitat": BAHN, "datei": "volt-bw-2016.pdf"})
    assert (row["urteil"], row["datei"]) == ("review", "volt-bw-2016.pdf")
    assert row["grund"] == "Die Worte stehen nur in Text, den man auf der Seite nicht sieht."


def test_a_cut_off_negation_is_reviewed_with_the_whole_sentence_as_proposal(check):
    (row,) = check({"zitat": "Wir werden die alten Kraftwerke im Norden des Landes"})
    assert (row["urteil"], row["grad"], row["vorschlag"]) == ("review", "woertlich", NEIN)
    assert row["text"] == "Wir werden die alten Kraftwerke im Norden des Landes"


def test_without_a_file_the_whole_folder_is_searched_and_every_place_listed(check):
    (row,) = check({"zitat": WOHNEN})
    places = {(place["datei"], place["seite"]) for place in row["stellen"]}
    assert places == {("alt/gruene-bw-2011.pdf", 1), ("spd-bw-2016.pdf", 1)}
    assert row["urteil"] == "publish"


def test_a_file_and_a_party_restrict_the_search(check):
    named, party, wrong, nobody = check(
        {"zitat": BAHN, "datei": "alt/gruene-bw-2011.pdf"},
        {"zitat": WOHNEN, "partei": "Bündnis 90/Die Grünen"},
        {"zitat": BAHN, "partei": "GRÜNE"},
        {"zitat": BAHN, "partei": "Volt"},
    )
    assert named["urteil"] == wrong["urteil"] == nobody["urteil"] == "reject"
    assert (party["urteil"], party["datei"]) == ("publish", "alt/gruene-bw-2011.pdf")
    assert "Volt" in nobody["grund"]


def test_the_page_is_a_hint(check):
    (row,) = check({"zitat": BAHN, "datei": "spd-bw-2016.pdf", "seite": 1})
    assert (row["urteil"], row["seite"]) == ("publish", 2)
    assert row["grund"] == "Steht auf Seite 2 der Datei, nicht auf 1."


@pytest.mark.parametrize(
    ("datei", "grund"), [("cdu-bw-2016.pdf", "Passwort"), ("fdp-bw-2016.pdf", "keinen lesbaren")]
)
def test_what_no_machine_can_read_is_never_called_false(check, datei, grund):
    (row,) = check({"zitat": BAHN, "datei": datei})
    assert row["urteil"] == "review"
    assert grund in row["grund"]


def test_there_is_one_row_for_each_row_in_order(check):
    rows = check(
        {"zitat": BAHN},
        "{kein json",
        "[1, 2]",
        {"text": BAHN},
        {"zitat": ""},
        {"zitat": 7},
        {"zitat": BAHN, "seite": "vorn"},
        {"zitat": BAHN, "seite": 0},
        {"zitat": BAHN, "datei": "gibt-es-nicht.pdf"},
        {"zitat": BAHN, "datei": "../liste.jsonl"},
        {"zitat": "x" * 5001},
        {"zitat": WOHNEN, "seite": "", "datei": None},
    )
    assert [bool(row["fehler"]) for row in rows] == [False, *[True] * 10, False]
    assert {row["urteil"] for row in rows[1:-1]} == {"review"}


def test_a_table_is_read_and_written(check):
    rows = check(
        "Zitat;datei;seite",
        f'"{BAHN}";spd-bw-2016.pdf;2.0',
        ";;",
        "=1+1;;",
        name="liste.csv",
        csv=True,
    )
    assert [row["urteil"] for row in rows] == ["publish", "review", "reject"]
    assert json.loads(rows[0]["rects"])[0]["seite"] == 2
    assert rows[2]["zitat"] == "'=1+1"


def test_strict_ends_with_an_error_if_something_is_rejected(check):
    check({"zitat": BAHN}, strict=True)
    with pytest.raises(CommandError, match="abgelehnt"):
        check({"zitat": "Das Rathaus bekommt ein goldenes Dach und zwei Türme."}, strict=True)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"spalte\nwert\n"])
def test_what_is_no_list_is_refused(tmp_path, folder, content):
    liste = tmp_path / "liste.csv"
    liste.write_bytes(content)
    with pytest.raises(CommandError, match="lässt sich nicht lesen"):
        call_command("check_quotes", liste, pdf_dir=folder, verbosity=0)


def test_a_failed_run_leaves_the_earlier_result(tmp_path, folder):
    liste = tmp_path / "liste.jsonl"
    liste.write_text(json.dumps({"zitat": BAHN}))
    with pytest.raises(CommandError, match="lässt sich nicht schreiben"):
        call_command("check_quotes", liste, pdf_dir=folder, output=tmp_path / "fehlt" / "e.jsonl")


@given(st.lists(st.dictionaries(st.sampled_from(["zitat", "datei", "seite", "x"]), st.text())))
def test_any_list_gives_as_many_rows(rows):
    data = "\n".join(json.dumps(row) for row in rows).encode()
    assert len(list(read_rows(io.BytesIO(data), is_csv=False))) == len(rows)


@given(st.text())
def test_no_cell_is_computed_by_a_spreadsheet(text):
    written = list(csv.DictReader(io.StringIO("".join(as_csv([{"zitat": text}])), newline="")))
    assert not written[0]["zitat"].startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(
    ("stem", "partei", "says"),
    [
        ("gruene-bund-2021", "GRÜNE", True),
        ("gruene-bund-2021", "Bündnis 90/Die Grünen", True),
        ("cdu-csu-bund-2021", "CSU", True),
        ("linke-bund-2017", "DIE LINKE", True),
        ("freie-waehler-by-2023", "FREIE WÄHLER", True),
        ("fdp-bund-2021", "SPD", False),
        ("afd-bund-2021", "Af", False),
        ("musterpartei-2021", "Musterpartei", True),
    ],
)
def test_names_say_parties_in_any_spelling(stem, partei, says):
    assert says_party(read_fakten(DATEI))(stem, partei) is says


def test_a_running_head_is_found_on_its_page_and_goes_to_a_person(check, folder):
    document = pymupdf.open()
    for number in range(1, 5):
        page = document.new_page(width=420, height=595)
        page.insert_text((40, 30), "Programm der Liste Ufer", fontsize=8)
        page.insert_text((40, 200), f"Der Satz auf der Seite {number} geht so weiter.", fontsize=10)
    (folder / "ufer-ml-2024.pdf").write_bytes(document.tobytes())
    (row,) = check({"zitat": "Programm der Liste Ufer", "datei": "ufer-ml-2024.pdf", "seite": 3})
    assert (row["urteil"], row["seite"], row["rects"][0]["seite"]) == ("review", 3, 3)
    assert "neben dem Text" in row["grund"]


def test_line_separators_and_lone_surrogates_in_one_row_spoil_no_other(check):
    odd = json.dumps({"zitat": f"{BAHN}\u2028Und mehr."}, ensure_ascii=False)
    rows = check(odd, '{"zitat": "Die Bahn \\ud800 steht"}', {"zitat": BAHN})
    assert [bool(row["fehler"]) for row in rows] == [False, True, False]


def test_an_unreadable_file_beside_is_no_reason_for_another_number(check):
    (row,) = check({"zitat": WOHNEN.replace("tausend", "zweitausend")})
    assert "Nicht maschinell prüfbar" not in row["grund"]


@pytest.mark.parametrize("name", ["liste.jsonl", "neu.pdf", "pdfs"])
def test_neither_the_list_nor_a_document_is_written_over(tmp_path, folder, name):
    liste = tmp_path / "liste.jsonl"
    liste.write_text(json.dumps({"zitat": BAHN}))
    with pytest.raises(CommandError, match="ist die Liste selbst"):
        call_command("check_quotes", liste, pdf_dir=folder, output=tmp_path / name, verbosity=0)
    assert json.loads(liste.read_text()) == {"zitat": BAHN}


# --- Lists that are no good ----------------------------------------------------------------------


def zeilen(data, *, is_csv):
    return list(read_rows(io.BytesIO(data.encode()), is_csv=is_csv))


@pytest.mark.parametrize(
    "field",
    [
        {"datei": 0},
        {"datei": False},
        {"datei": []},
        {"datei": {}},
        {"partei": 0},
        {"partei": False},
        {"seite": False},
        {"seite": True},
        {"seite": []},
        {"seite": -1},
        {"seite": "-1"},
        {"seite": 1.5},
        {"seite": "1,5"},
        {"seite": "zwei"},
        {"seite": "٣"},
        {"seite": 10**9},
        {"seite": float("nan")},
        {"zitat": f"{BAHN}\0"},
        {"datei": "a\0.pdf"},
    ],
)
def test_a_field_of_another_kind_is_a_fault_and_no_guess(field):
    row = {"zitat": BAHN} | field
    (zeile,) = zeilen(json.dumps(row), is_csv=False)
    assert zeile.fehler


@pytest.mark.parametrize("seite", [None, "", 2, 2.0, "2", " 02 ", "2.0"])
def test_a_page_is_a_whole_number_or_nothing(seite):
    (zeile,) = zeilen(json.dumps({"zitat": BAHN, "seite": seite}), is_csv=False)
    assert (zeile.fehler, zeile.seite) == ("", 2 if seite else None)


@pytest.mark.parametrize("line", ['"Text"', '""', "7", "null", "[]", '[["zitat", "x"]]', "{"])
def test_what_is_no_object_is_a_fault(line):
    (zeile,) = zeilen(line, is_csv=False)
    assert zeile.fehler.startswith("Die Zeile ist kein JSON")


def test_a_field_that_comes_twice_is_a_fault():
    twice = f'{{"zitat": "{BAHN}", "zitat": "{WOHNEN}"}}'
    once = f'{{"zitat": "{BAHN}", "x": 1, "x": 2}}'
    assert [zeile.fehler for zeile in zeilen(f"{twice}\n{once}", is_csv=False)] == [
        "Das Feld „zitat“ kommt mehrmals vor.",
        "",
    ]
    table = f"zitat,Datei,datei\n{BAHN},a.pdf,b.pdf\n{BAHN},,\n"
    assert {zeile.fehler for zeile in zeilen(table, is_csv=True)} == {
        "Das Feld „datei“ kommt mehrmals vor."
    }


LONG = "x" * 200_000


@pytest.mark.parametrize("cell", [LONG, f'"{LONG}"', f'"{LONG}"x', f"{BAHN},a,b,c", '"a"b"', "\0"])
def test_a_cell_that_is_no_good_spoils_no_other_row(cell):
    rows = zeilen(f"zitat,x\n{BAHN},1\n{cell},2\n{WOHNEN},3\n", is_csv=True)
    assert [bool(zeile.fehler) for zeile in rows] == [False, True, False]
    assert (rows[0].zitat, rows[2].zitat) == (BAHN, WOHNEN)


def test_the_limit_of_the_process_for_cells_stays_what_it_was():
    before = csv.field_size_limit()
    rows = read_rows(io.BytesIO(f"zitat\n{BAHN}\n{LONG}\n".encode()), is_csv=True)
    assert [csv.field_size_limit() for _ in rows] == [before, before]
    with pytest.raises(ValueError, match="keine Spalte"):
        list(read_rows(io.BytesIO(LONG.encode()), is_csv=True))
    assert csv.field_size_limit() == before


def test_a_quotation_mark_that_is_never_closed_is_a_fault():
    rows = zeilen(f'zitat\n{WOHNEN}\n"{BAHN}\n', is_csv=True)
    assert [bool(zeile.fehler) for zeile in rows] == [False, True]


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_of_every_program_are_read(bom, end, delimiter):
    head = delimiter.join(['"a,b;c\td"', '"Zitat"', "seite"])
    row = delimiter.join(["1", f'"{BAHN}{end}{NEIN}"', "2"])
    (zeile,) = zeilen(f"{bom}{head}{end}{row}{end}{end}", is_csv=True)
    assert (zeile.zitat, zeile.seite, zeile.fehler) == (f"{BAHN}{end}{NEIN}", 2, "")


def test_a_byte_order_mark_and_crlf_in_json_lines_say_nothing():
    line = json.dumps({"zitat": BAHN})
    rows = zeilen(f"\ufeff{line}\r\n\r\n{line}\r\n", is_csv=False)
    assert [(zeile.zitat, zeile.fehler) for zeile in rows] == [(BAHN, "")] * 2


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=5)))
def test_any_table_gives_as_many_rows(rows):
    table = io.StringIO(newline="")
    csv.writer(table).writerows([["zitat", "seite"], *rows])
    assert len(zeilen(table.getvalue(), is_csv=True)) == len(rows)


@given(st.lists(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists)))
def test_any_values_give_as_many_rows(values):
    lines = [
        json.dumps(one) for value in values for one in (value, {"zitat": BAHN, "datei": value})
    ]
    assert len(zeilen("\n".join(lines), is_csv=False)) == len(lines)


def test_a_list_is_read_row_by_row():
    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            row = b'{"zitat": "x"}\n'
            buffer[: len(row)] = row
            return len(row)

    rows = read_rows(io.BufferedReader(Endless()), is_csv=False)
    assert [next(rows).zitat for _ in range(3)] == ["x"] * 3


# --- As a program among others -------------------------------------------------------------------


def program(*args, **options):
    """The command as its own process, begun but not awaited."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "check_quotes", *map(str, args), "-v0"],
        cwd=Path(__file__).resolve().parents[2],
        stderr=subprocess.PIPE,
        # Whoever runs the tests in the background has told them to ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


@pytest.fixture
def liste(tmp_path):
    path = tmp_path / "liste.jsonl"
    path.write_text(f"{json.dumps({'zitat': BAHN})}\n" * 500)
    return path


def ended(process):
    """Its exit status and what it said."""
    with process:
        said = process.stderr.read().decode()
    return process.returncode, said


def test_a_reader_that_goes_away_ends_it_with_one_line(liste, folder):
    process = program(liste, "--pdf-dir", folder, stdout=subprocess.PIPE)
    process.stdout.close()
    assert ended(process) == (141, "CommandError: Das Ergebnis wird nicht zu Ende gelesen.\n")


@pytest.mark.parametrize("by_name", [True, False])
def test_a_full_disk_ends_it_with_one_line(liste, folder, by_name):
    with Path("/dev/full").open("wb") as full:
        options = ["--output", "/dev/full"] if by_name else []
        status, said = ended(program(liste, "--pdf-dir", folder, *options, stdout=full))
    assert (status, said.count("\n")) == (1, 1)
    assert "lässt sich nicht schreiben" in said
    assert Path("/dev/full").is_char_device()


def test_ctrl_c_ends_it_with_one_line(tmp_path, folder):
    liste = tmp_path / "liste.jsonl"
    os.mkfifo(liste)
    process = program(liste, "--pdf-dir", folder)
    with liste.open("wb"):  # from here on it waits for the list
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "CommandError: Abgebrochen.\n")


def test_a_file_whose_name_is_no_utf_8_is_searched_and_named(check, folder):
    name = os.fsdecode(b"w\xe4hler.pdf")
    (folder / name).write_bytes(make_pdf("Jede Stadt im Land bekommt bis dahin eine neue Brücke."))
    quote = {"zitat": "Jede Stadt im Land bekommt bis dahin eine neue Brücke."}
    free, named = check(quote, quote | {"datei": r"w\xe4hler.pdf"})
    assert (free["urteil"], free["datei"]) == ("publish", r"w\xe4hler.pdf")
    assert named["datei"] == free["datei"]


@pytest.mark.parametrize(
    ("refuted_page", "found"),
    [(1, ("spd-bw-2016.pdf", 3)), (3, ("alt/gruene-bw-2011.pdf", 1))],
)
def test_of_equal_places_one_that_the_second_engine_proves_is_taken(
    check, folder, monkeypatch, refuted_page, found
):
    """The first file has the words on its third page, and for one case on its first as well."""
    first = WOHNEN if refuted_page == 1 else "Vorwort."
    (folder / "spd-bw-2016.pdf").write_bytes(make_pdf(f"{first} {NEIN}", BAHN, f"{BAHN} {WOHNEN}"))
    if refuted_page == 1:
        (folder / "alt" / "gruene-bw-2011.pdf").unlink()
    else:
        (folder / "spd-bw-2016.pdf").rename(folder / "a.pdf")

    def judge(data, places, printed):
        urteile = second_reading(data, places, printed)
        wrong = refuted(Gegenstand.MARKIERUNG, "anders")
        pairs = zip(places, urteile, strict=True)
        return [wrong if place.seite == refuted_page else urteil for place, urteil in pairs]

    monkeypatch.setattr(zitatsuche, "second_reading", judge)
    (row,) = check({"zitat": WOHNEN})
    assert (row["urteil"], row["datei"], row["seite"]) == ("publish", *found)


def test_a_folder_without_pdf_files_is_said(tmp_path, capsys):
    liste = tmp_path / "liste.jsonl"
    liste.write_text(json.dumps({"zitat": WOHNEN}), encoding="utf-8")
    call_command("check_quotes", liste, pdf_dir=tmp_path, verbosity=0)
    said = capsys.readouterr()
    assert "liegt keine PDF-Datei" in said.err
    row = json.loads(said.out)
    assert (row["urteil"], row["grund"]) == ("reject", "Im Ordner liegt keine PDF-Datei.")
