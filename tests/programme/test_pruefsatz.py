"""Golden sets as files: each format is known by its content, and faults are named in German."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.pruefsatz import Pruefsatz, PruefsatzFehler, known_files, read_pruefsatz

FRAGE = {
    "id": "F1",
    "frage": "Was gilt für Mieten?",
    "partei": "SPD",
    "datei": "programme/spd-bw-2016.pdf",
    "beantwortbar": True,
    "seiten": [2],
    "zitat": "Wir begrenzen die Mieten.",
    "weitere": [{"seiten": [5, 6], "zitat": "Mieten werden begrenzt."}],
    "art": ["zahl", "liste"],
}
STUMM = {"beantwortbar": False, "seiten": [], "zitat": "", "weitere": []}
BELEG = {"datei": "spd.pdf", "seiten": [1], "zitat": "Züge für alle.", "haltung": "stützt"}
ANTRAG = {
    "id": "A1",
    "titel": "Bahnstrecken ausbauen",
    "text": "Der Landtag wolle beschließen: 1. alle Strecken zu elektrifizieren;",
    "belege": {"SPD": [BELEG], "CDU/CSU": []},
}
SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "T",
            "paragraphs": [
                {"context": "Der Zug fährt.", "qas": [{"id": "x", "question": "Wer fährt?"}]}
            ],
        }
    ],
}


@pytest.fixture
def written(tmp_path):
    def write(*entries, name="satz.jsonl", **options):
        path = tmp_path / name
        lines = [e if isinstance(e, str) else json.dumps(e, **options) for e in entries]
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


def test_a_question_has_its_quote_and_those_that_are_as_good(written):
    (aufgabe,) = read_pruefsatz(written(FRAGE)).aufgaben
    (stelle,) = aufgabe.stellen
    assert stelle.orte == (
        ("Wir begrenzen die Mieten.", (2,)),
        ("Mieten werden begrenzt.", (5, 6)),
    )
    assert (aufgabe.id, aufgabe.partei, aufgabe.ist_frage) == ("F1", "SPD", True)
    assert aufgabe.tags == stelle.tags == ("zahl", "liste")


def test_an_unanswerable_question_has_no_place(written):
    (aufgabe,) = read_pruefsatz(written(FRAGE | STUMM)).aufgaben
    assert aufgabe.stellen == ()


def test_a_motion_is_asked_of_each_party_and_silence_of_another_ones_parliament(written):
    satz = read_pruefsatz(written(ANTRAG))
    assert [(a.id, a.partei, len(a.stellen), a.datei) for a in satz.aufgaben] == [
        ("A1 SPD", "SPD", 1, "spd.pdf"),
        ("A1 CDU/CSU", "CDU/CSU", 0, "spd.pdf"),
    ]
    assert satz.aufgaben[0].stellen[0].tags == ("stützt",)
    assert satz.dateien == {"spd.pdf": "SPD"}
    assert [frage.forderung for frage in satz.aufgaben[0].fragen] == [None, 1]


def test_paragraphs_are_passages_without_a_party(written):
    satz = read_pruefsatz(written(SQUAD, name="satz.json"))
    assert satz.absaetze == ["Der Zug fährt."]
    (aufgabe,) = satz.aufgaben
    assert aufgabe.stellen[0].orte == (("Der Zug fährt.", ()),)
    assert (aufgabe.partei, aufgabe.datei) == ("", "")


@pytest.mark.parametrize("name", ["satz.json", "satz.jsonl", "satz.txt", "satz"])
@pytest.mark.parametrize("entry", [FRAGE, ANTRAG, SQUAD], ids=["frage", "antrag", "squad"])
@pytest.mark.parametrize("indent", [None, 1])
def test_the_format_is_known_by_the_content(written, name, entry, indent):
    assert len(read_pruefsatz(written(entry, name=name, indent=indent)).aufgaben) >= 1


def test_one_file_may_hold_questions_and_motions_and_empty_lines(written):
    assert len(read_pruefsatz(written(FRAGE, "", ANTRAG, "  ")).aufgaben) == 3


def test_a_byte_order_mark_and_line_separators_within_text_do_no_harm(written):
    path = written(FRAGE | {"frage": "Was gilt\u2028für Mieten?"}, ensure_ascii=False)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_pruefsatz(path).aufgaben[0].fragen[0].text == "Was gilt\u2028für Mieten?"


@pytest.mark.parametrize(
    "broken",
    [
        '{"frage": ',
        "[1, 2]",
        "7",
        "null",
        '"frage"',
        "{}",
        "[" * 100_000,
        {**FRAGE, "frage": 7},
        {**FRAGE, "seiten": 7},
        {**FRAGE, "seiten": []},
        {**FRAGE, "zitat": "…"},
        {**FRAGE, "zitat": None},
        {**FRAGE, "weitere": [{"seiten": [1]}]},
        {k: v for k, v in FRAGE.items() if k != "partei"},
        {**ANTRAG, "belege": [BELEG]},
        {**ANTRAG, "belege": {"SPD": ["spd.pdf"]}},
        {"data": [{"paragraphs": [{"context": "ohne Fragen"}]}]},
    ],
    ids=str,
)
def test_a_broken_row_is_named_by_its_line(written, broken):
    with pytest.raises(PruefsatzFehler, match=r"satz\.jsonl, Zeile 3: Es fehlt etwas"):
        read_pruefsatz(written(FRAGE, "", broken))


@pytest.mark.parametrize("content", [b"", b"\n \n", b'{"data": []}'])
def test_a_set_without_questions_is_none(tmp_path, content):
    path = tmp_path / "leer.jsonl"
    path.write_bytes(content)
    with pytest.raises(PruefsatzFehler, match=r"leer\.jsonl"):
        read_pruefsatz(path)


def test_a_missing_file_and_one_that_is_no_text_are_named(tmp_path):
    (tmp_path / "bild").write_bytes(b"\xff\xfe\x00")
    for name in ("fehlt.jsonl", "bild", "."):
        with pytest.raises(PruefsatzFehler, match="lässt sich nicht lesen"):
            read_pruefsatz(tmp_path / name)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_set_or_a_named_fault(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "zufall.jsonl"
    path.write_bytes(content)
    with pytest.raises(PruefsatzFehler):
        read_pruefsatz(path)


# --- The programmes that a set names ------------------------------------------------------------


def known(folder, *names):
    return list(known_files([Pruefsatz("x", dateien=dict.fromkeys(names, "SPD"))], folder))


def test_paths_are_relative_to_the_folder(tmp_path):
    (tmp_path / "programme").mkdir()
    (tmp_path / "programme" / "a.pdf").touch()
    (entry,) = known(tmp_path, "programme/a.pdf")
    assert entry == ("programme/a.pdf", (tmp_path / "programme" / "a.pdf").resolve(), "SPD")


@pytest.mark.parametrize(
    "name",
    ["fehlt.pdf", "../draussen.pdf", "{outside}", "verweis.pdf", "a\0b.pdf", "x" * 5000, ".", ""],
)
def test_what_is_not_a_file_in_the_folder_is_refused(tmp_path, name):
    outside, folder = tmp_path / "draussen.pdf", tmp_path / "drin"
    outside.touch()
    folder.mkdir()
    (folder / "verweis.pdf").symlink_to(outside)
    with pytest.raises(PruefsatzFehler, match="gibt es unter"):
        known(folder, name.format(outside=outside))
