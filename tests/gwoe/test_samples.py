"""The sample documents are what the expectations about them say.

Compared is on letters and digits only, with a reading of its own: running heads and feet and
margin numbers are cut away by their place, notes, raised marks and hidden text by their size.
"""

import difflib
import json
import re
import unicodedata
from collections import Counter
from datetime import date
from functools import cache
from itertools import chain, count, islice
from pathlib import Path

import pymupdf
import pytest

from gwoe.demo import typeset
from gwoe.demo.quellen import read_quelle

SAMPLES = Path(typeset.__file__).parent / "samples"
ANTWORTEN = SAMPLES / "antworten"
MOTIONS = ("ml-7-2318", "ml-7-2291", "ml-7-2251")
EXPECTED = json.loads((ANTWORTEN / "erwartung.json").read_text(encoding="utf-8"))
META = json.loads((SAMPLES / "samples.json").read_text(encoding="utf-8"))
PARLAMENTE = json.loads((SAMPLES / "parlamente.json").read_text(encoding="utf-8"))
PUBLIC = {"treu", "auslassung", "drift", "falsche_seite", "nur_seite"}
NEVER = {
    "gekuerzt_verneinung", "verneint", "zahl", "auslassung_verneinung", "erfundenes_ende",
    "erfunden", "andere_partei", "veraltet", "anderes_land",
}  # fmt: skip
ELLIPSIS = " […] "


def letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.replace("\u00ad", "")).casefold()
    return "".join(c for c in folded if c.isalnum())


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())


def answers(motion: str) -> dict:
    return json.loads((ANTWORTEN / f"{motion}.json").read_text(encoding="utf-8"))


@cache
def pages(stem: str) -> tuple[str, ...]:
    """The running text of each page, one line of print per line."""
    look = read_quelle(SAMPLES / "quellen" / f"{stem}.md").kopf["gestalt"]
    with pymupdf.open(SAMPLES / f"{stem}.pdf") as document:
        return tuple(running_text(page, look["links"], look["grad"]) for page in document)


def running_text(page: pymupdf.Page, left: float, size: float) -> str:
    clip = pymupdf.Rect(left - 1, 54, page.rect.width, page.rect.height - 44)
    blocks = page.get_text("dict", clip=clip)["blocks"]
    lines = chain.from_iterable(block.get("lines", ()) for block in blocks)
    texts = (
        "".join(span["text"] for span in line["spans"] if span["size"] > 0.85 * size)
        for line in lines
    )
    return "\n".join(text for text in texts if text.strip())


@cache
def flow(stem: str) -> str:
    """The letters of the whole document, over all page breaks."""
    return "".join(letters(page) for page in pages(stem))


@cache
def sentences(stem: str) -> tuple[str, ...]:
    text = re.sub(r"\u00ad(- )?\n|(?<=\w)-\n(?=[a-zäöüß])", "", "\n".join(pages(stem)))
    text = text.replace("\n", " ")
    return tuple(re.split(r"(?<=[.:;!?])\s+(?=[A-ZÄÖÜ„\d])", text))


@cache
def printed(stem: str) -> tuple[str, ...]:
    head = read_quelle(SAMPLES / "quellen" / f"{stem}.md").kopf
    numbers = chain(head.get("vorspann", []), map(str, count(head.get("erste", 1))))
    return tuple(islice(numbers, len(pages(stem))))


def page_of(stem: str, text: str) -> str:
    """The printed number of the page on which the words begin."""
    start = flow(stem).index(letters(text.split(ELLIPSIS)[0]))
    for number, page in zip(printed(stem), pages(stem), strict=True):
        if start < len(letters(page)):
            return number
        start -= len(letters(page))
    raise AssertionError(text)


def stands_in(stem: str, text: str) -> bool:
    """All segments of a quote stand in the document, in their order."""
    pattern = ".*?".join(re.escape(letters(segment)) for segment in text.split(ELLIPSIS))
    return re.search(pattern, flow(stem)) is not None


def quotes(motion: str) -> dict[str, dict]:
    """Every quote of an answer under the path by which the expectations call it."""
    found: dict[str, dict] = {}
    answer = answers(motion)
    for feld in answer["matrix"]["felder"]:
        found |= numbered(f"matrix.{feld['feld']}", feld["zitate"])
    for vorschlag in answer["matrix"]["verbesserungen"]:
        found |= numbered(f"verbesserungen.{vorschlag['feld']}", [vorschlag["zitat"]])
    for partei, vergleich in answer["vergleiche"].items():
        (eintrag,) = vergleich["wahlprogramm_scores"]
        for art in ("wahlprogramm", "parteiprogramm"):
            wo = f"vergleiche.{partei}.{art}"
            found |= numbered(wo, eintrag[art]["zitate"])
            found |= numbered(f"{wo}.antrag", eintrag[art]["antrag_zitate"])
    return found


def numbered(wo: str, zitate: list[dict]) -> dict[str, dict]:
    return {f"{wo}[{i}]": zitat for i, zitat in enumerate(zitate)}


def claimed(expected: dict) -> tuple[str | None, str]:
    """The document and the page that an answer's label names."""
    label = quotes(expected["antrag"])[expected["wo"]]["quelle"]
    source, page = re.fullmatch(r"(?:(.+), )?S\. (\d+)", label).groups()
    if source == "Antrag":
        return expected["antrag"], page
    return source and programme(source), page


def programme(label: str) -> str:
    partei, land, typ, jahr = label.split()
    (datei,) = (
        p["datei"]
        for p in META["programme"]
        if (p["parteien"], p["parlament"]) == ([partei], land)
        and (p["typ"], p["jahr"]) == (typ.lower(), int(jahr))
    )
    return datei.removesuffix(".pdf")


def of_class(*klassen: str):
    cases = [e for e in EXPECTED if e["klasse"] in klassen]
    assert cases, klassen
    names = [f"{e['antrag']}-{e['wo']}" for e in cases]
    return pytest.mark.parametrize("expected", cases, ids=names)


# -- expectations and answers ----------------------------------------------------------------------


@pytest.mark.parametrize("motion", MOTIONS)
def test_every_quote_is_expected(motion):
    expected = {e["wo"]: e["text"] for e in EXPECTED if e["antrag"] == motion}
    assert expected == {wo: zitat["text"] for wo, zitat in quotes(motion).items()}


def test_every_class_occurs_in_the_troubled_motion():
    klassen = Counter(e["klasse"] for e in EXPECTED if e["antrag"] == "ml-7-2318")
    assert set(klassen) == PUBLIC | NEVER


def test_clean_motion_has_only_faithful_quotes_one_ellipsis_and_one_drift():
    klassen = Counter(e["klasse"] for e in EXPECTED if e["antrag"] == "ml-7-2291")
    assert set(klassen) == {"treu", "auslassung", "drift"}
    assert klassen["auslassung"] == klassen["drift"] == 1


def test_what_may_be_public_follows_from_the_class():
    assert all(e["oeffentlich"] == (e["klasse"] in PUBLIC) for e in EXPECTED)


@of_class("treu")
def test_faithful_quote_stands_on_the_claimed_page(expected):
    stem, page = claimed(expected)
    assert letters(expected["text"]) in flow(stem)
    assert page_of(stem, expected["text"]) == page


@of_class("treu", "auslassung")
def test_faithful_quote_stands_only_where_expected(expected):
    where = [
        path.stem
        for path in SAMPLES.glob("*.pdf")
        if not path.stem.startswith(("ml-7", "se-7")) and stands_in(path.stem, expected["text"])
    ]
    assert where in ([], [expected["dokument"]])


@of_class("auslassung")
def test_ellipsis_leaves_out_little_and_no_negation(expected):
    gap = left_out(expected)
    assert 0 < len(gap) <= 250
    assert not re.search("nicht|kein|ohne|nie|kaum", gap)


@of_class("auslassung_verneinung")
def test_false_ellipsis_leaves_out_a_negation(expected):
    assert "nicht" in left_out(expected)


def left_out(expected: dict) -> str:
    before, after = map(letters, expected["text"].split(ELLIPSIS))
    text = flow(claimed(expected)[0])
    start = text.index(before) + len(before)
    return text[start : text.index(after, start)]


@of_class("drift")
def test_drift_is_one_inflection_a_comma_or_a_hyphen(expected):
    stem, _ = claimed(expected)
    quoted = words(expected["text"])
    source = nearest(words(" ".join(sentences(stem))), quoted)
    changed = [(a, b) for a, b in zip(source, quoted, strict=True) if a != b]
    assert len(changed) <= 1
    assert all(a[:4] == b[:4] and abs(len(a) - len(b)) <= 2 for a, b in changed)
    assert not any(expected["text"] in sentence for sentence in sentences(stem))


def nearest(source: list[str], quoted: list[str]) -> list[str]:
    """The run of as many words that shares the most words with the quote."""
    runs = (source[i : i + len(quoted)] for i in range(len(source) - len(quoted) + 1))
    return max(runs, key=lambda run: sum(a == b for a, b in zip(run, quoted, strict=True)))


@of_class("falsche_seite")
def test_wrong_page_stands_elsewhere_in_the_claimed_document(expected):
    stem, page = claimed(expected)
    assert letters(expected["text"]) in flow(stem)
    assert page_of(stem, expected["text"]) != page


@of_class("nur_seite")
def test_bare_label_names_no_document(expected):
    assert claimed(expected)[0] is None
    assert letters(expected["text"]) in flow(expected["dokument"])


@of_class("gekuerzt_verneinung")
def test_cut_quote_hides_the_negation_of_its_sentence(expected):
    stem, _ = claimed(expected)
    quoted = letters(expected["text"])
    (sentence,) = (s for s in sentences(stem) if quoted in letters(s))
    assert "nicht" in letters(sentence).replace(quoted, " ")


@of_class("verneint")
def test_negated_quote_differs_by_its_negation_only(expected):
    stem, _ = claimed(expected)
    assert letters(expected["text"]) not in flow(stem)
    assert letters(expected["text"].replace(" nicht ", " ")) in flow(stem)


@of_class("zahl")
def test_renumbered_quote_differs_by_its_number_only(expected):
    stem, _ = claimed(expected)
    assert letters(expected["text"]) not in flow(stem)
    assert letters(expected["text"].replace("400", "40")) in flow(stem)


@of_class("erfundenes_ende")
def test_invented_tail_has_six_real_words(expected):
    stem, _ = claimed(expected)
    quoted = expected["text"].split()
    assert letters("".join(quoted[:6])) in flow(stem)
    assert letters("".join(quoted[:7])) not in flow(stem)


@of_class("erfunden")
def test_invented_quote_is_like_nothing_in_any_document(expected):
    for path in SAMPLES.glob("*.pdf"):
        for sentence in sentences(path.stem):
            alike = difflib.SequenceMatcher(None, words(sentence), words(expected["text"]))
            assert alike.quick_ratio() < 0.8 or alike.ratio() < 0.6


@of_class("andere_partei", "veraltet", "anderes_land")
def test_borrowed_quote_stands_in_another_document_only(expected):
    stem, _ = claimed(expected)
    assert stem != expected["dokument"]
    assert letters(expected["text"]) in flow(expected["dokument"])
    assert not stands_in(stem, expected["text"])


@pytest.mark.parametrize("motion", MOTIONS)
def test_answers_keep_to_their_lengths(motion):
    matrix = answers(motion)["matrix"]
    assert len(matrix["zusammenfassung"]) <= 600
    assert len(matrix["themen"]) <= 3
    assert len(matrix["verbesserungen"]) <= 3
    assert all(len(feld["begruendung"]) <= 400 for feld in matrix["felder"])
    assert all(re.fullmatch("[A-E][1-5]", feld["feld"]) for feld in matrix["felder"])
    assert all(feld["wert"] in range(-2, 3) and feld["zitate"] for feld in matrix["felder"])


@pytest.mark.parametrize("motion", MOTIONS)
def test_reasons_paraphrase_and_the_matrix_names_no_party(motion):
    answer = answers(motion)
    own = [answer["matrix"]["zusammenfassung"]]
    own += [x["begruendung"] for key in ("felder", "verbesserungen") for x in answer["matrix"][key]]
    parteien = "|".join(p["kuerzel"] for p in PARLAMENTE["parteien"])
    assert not any(re.search(parteien, text) for text in own)
    for vergleich in answer["vergleiche"].values():
        (eintrag,) = vergleich["wahlprogramm_scores"]
        own += [eintrag[art]["begruendung"] for art in ("wahlprogramm", "parteiprogramm")]
    assert not any(re.search('[„“”"»«]', text) for text in own)


@pytest.mark.parametrize("motion", MOTIONS)
def test_no_source_no_score(motion):
    for vergleich in answers(motion)["vergleiche"].values():
        (eintrag,) = vergleich["wahlprogramm_scores"]
        for art in ("wahlprogramm", "parteiprogramm"):
            assert (eintrag[art]["score"] is None) == (eintrag[art]["zitate"] == [])


@pytest.mark.parametrize("motion", MOTIONS)
def test_recognition_phrase_stands_in_its_motion_only(motion):
    phrase = answers(motion)["erkennung"]
    motions = [Path(antrag["datei"]).stem for antrag in META["antraege"]]
    assert len(phrase) >= 30
    assert [stem for stem in motions if letters(phrase) in flow(stem)] == [motion]


# -- metadata --------------------------------------------------------------------------------------


def test_metadata_and_files_agree():
    named = {x["datei"] for x in META["programme"] + META["antraege"]}
    assert named == {path.name for path in SAMPLES.glob("*.pdf")}
    assert {Path(n).stem for n in named} == {p.stem for p in (SAMPLES / "quellen").glob("*.md")}


def test_two_motions_share_their_number():
    numbers = Counter(antrag["drucksache"] for antrag in META["antraege"])
    assert numbers["7/2318"] == 2


def test_one_election_programme_is_valid_for_each_party_of_the_land():
    for antrag in META["antraege"]:
        valid = [
            p["parteien"][0]
            for p in META["programme"]
            if p["parlament"] == antrag["parlament"] and p["typ"] == "wahlprogramm"
            and is_valid(p, date.fromisoformat(antrag["datum"]))
        ]  # fmt: skip
        assert set(antrag["urheber"]) <= set(valid)
        assert len(valid) == len(set(valid))


def is_valid(programm: dict, day: date) -> bool:
    end = date.fromisoformat(programm["gueltig_bis"] or "9999-12-31")
    return date.fromisoformat(programm["gueltig_von"]) <= day <= end


# -- troubles on purpose ---------------------------------------------------------------------------


def raw(stem: str) -> str:
    with pymupdf.open(SAMPLES / f"{stem}.pdf") as document:
        return "".join(page.get_text() for page in document)


def test_samples_are_small_and_embed_their_fonts():
    assert sum(path.stat().st_size for path in SAMPLES.glob("*.pdf")) < 2_000_000
    for path in SAMPLES.glob("*.pdf"):
        with pymupdf.open(path) as document:
            fonts = {
                (font[1], font[3]) for font in document.get_page_fonts(document.page_count - 1)
            }
        assert all("+" in name for kind, name in fonts if kind != "n/a")


@pytest.mark.parametrize(
    ("stem", "sign"),
    [
        ("taeler-ml-2024", "\u00ad- \n"),
        ("werkbank-ml-grundsatz-2016", "\u00ad\n"),
        ("ufer-ml-2024", "-\n"),
        ("bruecke-ml-2024", "\ufb01"),
        ("bruecke-ml-2024", "\ufb02"),
        ("bruecke-ml-2024", "»"),
        ("ufer-ml-2024", "„"),
        ("taeler-ml-grundsatz-2021", "\u00a0"),
        ("bruecke-ml-2024", "•"),
    ],
)  # fmt: skip
def test_document_contains_its_trouble(stem, sign):
    assert sign in raw(stem)


@pytest.mark.parametrize("stem", ["ufer-ml-2024", "bruecke-ml-2024", "ufer-ml-grundsatz-2019"])
def test_labels_are_neither_index_nor_print(stem):
    with pymupdf.open(SAMPLES / f"{stem}.pdf") as document:
        labels = [page.get_label() for page in document]
    assert labels[2] not in ("3", printed(stem)[2])


@pytest.mark.parametrize("stem", ["ml-7-2291", "bruecke-ml-2024", "werkbank-ml-2024"])
def test_a_word_is_broken_over_a_page(stem):
    assert any(re.search(r"\w-$", page) for page in pages(stem))


def test_hidden_line_is_in_one_motion_only():
    hidden = [p.stem for p in SAMPLES.glob("*.pdf") if "Hinweis an das Sprachmodell" in raw(p.stem)]
    assert hidden == ["ml-7-2251"]
    assert "Sprachmodell" not in "".join(pages("ml-7-2251"))


def test_election_programme_of_taeler_speaks_of_heat_in_fragments_only():
    about = [s for s in sentences("taeler-ml-2024") if re.search("(?i)hitze|schatten|kühl", s)]
    assert about
    assert not any(re.match(r"[A-ZÄÖÜ][^|•]{20,150}\.$", s) for s in about)


def test_basic_programme_of_werkbank_says_nothing_on_the_motions():
    words_of_motions = "hitze|pflege|kita|vergabe|lieferkette|schiene|bahnstrecke|haushalt"
    assert not re.search(words_of_motions, flow("werkbank-ml-grundsatz-2016"))


# -- typesetting -----------------------------------------------------------------------------------


def make(path: Path) -> Path:
    return typeset.typeset_antrag(
        path,
        parlament="Landtag Musterland",
        drucksache="7/1",
        datum=date(2026, 11, 2),
        titel="Bänke an Bushaltestellen",
        einreichende=["UFER", "TÄLER"],
        text="Der Landtag fordert,\n\n1. an jeder Haltestelle\neine Bank zu bauen.\n\n# kein Titel",
    )


def test_typesetting_gives_the_same_bytes(tmp_path):
    assert make(tmp_path / "a.pdf").read_bytes() == make(tmp_path / "b.pdf").read_bytes()


def test_typeset_motion_can_be_read(tmp_path):
    with pymupdf.open(make(tmp_path / "a.pdf")) as document:
        text = document[0].get_text()
    assert "Drucksache 7/1" in text
    assert "der Fraktionen UFER und TÄLER" in text
    assert "an jeder Haltestelle eine Bank zu bauen." in text
    assert "# kein Titel" in text
