"""The figures of retrieval, computed by hand, and the command that prints them."""

import json
from io import StringIO
from math import log2

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from citations.lesetext import lesetext
from programme.evaluation import (
    FIGURES,
    LEGS,
    Leere,
    Messung,
    Wert,
    _cover,
    _wert,
    kennzahlen,
)
from programme.pruefsatz import Aufgabe, Stelle
from tests.citations.factories import make_pdf

from .databases import drop_new_databases
from .factories import ProgrammFactory

WOHNEN = "Wir bauen mehr bezahlbare Wohnungen und begrenzen den Anstieg der Mieten im Land."
BAHN = "Alle Bahnstrecken im Land werden bis 2030 elektrifiziert und zweigleisig ausgebaut."
SCHULE = "Lehrkräfte werden besser bezahlt, und jede Schule bekommt eine Bibliothek."
WALD = "Im Wald lassen wir ein Zehntel der Fläche ohne jede Nutzung."


def wert(*raenge, tags=()):
    found = [1.0 if rank is not None else 0.0 for rank in raenge]
    return Wert(list(raenge), found, list(tags) or [()] * len(raenge))


# --- Figures ------------------------------------------------------------------------------------


def test_recall_counts_places_and_the_ranks_count_questions():
    figures = kennzahlen([wert(0, 6, None), wert(None)])
    assert (figures["recall@1"], figures["recall@5"], figures["recall@8"]) == (0.25, 0.25, 0.5)
    assert figures["mrr@10"] == 0.5
    assert figures["ndcg@5"] == round((1 / (1 + 1 / log2(3) + 1 / 2)) / 2, 4) == 0.2346
    assert figures["deckung"] == 0.5


@pytest.mark.parametrize("depth", [1, 5, 8])
def test_recall_looks_at_so_many_passages_and_no_more(depth):
    assert kennzahlen([wert(depth - 1)])[f"recall@{depth}"] == 1
    assert kennzahlen([wert(depth)])[f"recall@{depth}"] == 0


@pytest.mark.parametrize(
    ("raenge", "mrr", "ndcg"),
    [
        ((0,), 1, 1),
        ((1,), 1 / 2, 1 / log2(3)),
        ((4,), 1 / 5, 1 / log2(6)),
        ((5,), 1 / 6, 0),
        ((9,), 1 / 10, 0),
        ((10,), 0, 0),
        ((None,), 0, 0),
        ((0, 1), 1, 1),
        ((2, 0), 1, (1 + 1 / 2) / (1 + 1 / log2(3))),
        ((0, 0), 1, 1),  # both places in one passage: nothing better is possible
        ((0, 1, 2, 3, 4, 5), 1, 1),
    ],
)
def test_reciprocal_rank_and_gain(raenge, mrr, ndcg):
    assert wert(*raenge).kehrwert == pytest.approx(mrr)
    assert wert(*raenge).ndcg == pytest.approx(ndcg)


ranks = st.lists(st.none() | st.integers(0, 12), min_size=1, max_size=4)


@given(st.lists(ranks, min_size=1, max_size=8))
def test_figures_lie_between_none_and_all_and_within_their_intervals_edges(all_ranks):
    messung = Messung([wert(*one) for one in all_ranks])
    for name in FIGURES:
        low, high = messung.spanne(name)
        assert 0 <= low <= high <= 1
        assert 0 <= messung.kennzahlen()[name] <= 1


@given(st.lists(ranks, min_size=1, max_size=8))
def test_recall_never_falls_with_depth(all_ranks):
    figures = kennzahlen([wert(*one) for one in all_ranks])
    assert figures["recall@1"] <= figures["recall@5"] <= figures["recall@8"]


def test_the_interval_of_a_certain_figure_has_no_width_and_is_the_same_every_time():
    assert Messung([wert(0)] * 5).spanne("recall@5") == (1, 1)
    half = Messung([wert(0), wert(None)] * 50)
    assert half.spanne("recall@5") == half.spanne("recall@5")
    low, high = half.spanne("recall@5")
    # By the normal approximation: 0.5 ± 1.96 · √(0.25 / 100)
    assert low == pytest.approx(0.402, abs=0.02)
    assert high == pytest.approx(0.598, abs=0.02)


def test_tags_count_their_own_places():
    messung = Messung([wert(0, None, tags=[("zahl",), ("liste", "zahl")]), wert(0, tags=[("x",)])])
    by_tag = messung.by_tag()
    assert {tag: (v["n"], v["recall@5"]) for tag, v in by_tag.items()} == {
        "liste": (1, 0),
        "x": (1, 1),
        "zahl": (1, 0.5),
    }


def test_refusals_are_shares_of_what_has_no_answer_and_of_what_has_one():
    leere = Leere()
    for has_answer, is_empty in [(False, True), (False, False), (True, True), *[(True, False)] * 3]:
        leere.add(has_answer=has_answer, is_empty=is_empty)
    assert leere.kennzahlen() == {"right": 0.5, "false": 0.25}
    assert Leere().kennzahlen() == {"right": None, "false": None}


LETTERS = sum(map(str.isalpha, WOHNEN))


def held(letters):
    """Where WOHNEN has so many letters before."""
    return next(n for n in range(len(WOHNEN) + 1) if sum(map(str.isalpha, WOHNEN[:n])) == letters)


@pytest.mark.django_db
@pytest.mark.parametrize("letters", [0, 1, LETTERS // 2, LETTERS])
def test_a_passage_covers_the_share_of_letters_that_it_holds(letters):
    programm = ProgrammFactory(seiten=[f"Vorweg steht ein Satz ohne Belang. {WOHNEN}", BAHN])
    stelle = Stelle((("Steht nirgends.", (1,)), (WOHNEN, (1,))))
    start = lesetext(programm.dokument.lesung).text.index(WOHNEN)
    chunk = programm.chunks.first()
    chunk.ende = start + held(letters)
    assert _cover(chunk, programm, stelle) == pytest.approx(letters / LETTERS)
    chunk.start, chunk.ende = start + held(letters), start + 1000
    assert _cover(chunk, programm, stelle) == pytest.approx(1 - letters / LETTERS)
    assert _cover(chunk, ProgrammFactory(seiten=[BAHN]), stelle) == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("letters", "rank"), [(LETTERS - LETTERS // 2, 0), (LETTERS // 2 - 1, None)]
)
def test_half_of_the_letters_is_enough(letters, rank):
    programm = ProgrammFactory(seiten=[WOHNEN, BAHN])
    aufgabe = Aufgabe("x", (), (Stelle(((WOHNEN, (1,)),)),), datei=programm.dokument.name)
    chunk = programm.chunks.first()
    chunk.ende = chunk.start + held(letters)
    assert _wert(aufgabe, [chunk]).raenge == [rank]


# --- The command --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory, django_db_setup, django_db_blocker):
    """Programmes of one, of two parties together, and of a name that says nothing."""
    folder = tmp_path_factory.mktemp("daten")
    (folder / "programme").mkdir()
    (folder / "eval").mkdir()
    for name, pages in {
        "spd-bund-2025": (WOHNEN, BAHN),
        "cdu-csu-bund-2025": (SCHULE, WALD),
        "ohne-angaben": (WALD, BAHN.replace("2030", "2040")),
    }.items():
        (folder / "programme" / f"{name}.pdf").write_bytes(make_pdf(*pages))
    with drop_new_databases(django_db_blocker):
        yield folder


def frage(text, partei, datei, zitat="", seite=1, **more):
    return {
        "frage": text,
        "partei": partei,
        "datei": f"programme/{datei}.pdf",
        "beantwortbar": bool(zitat),
        "zitat": zitat,
        "seiten": [seite] if zitat else [],
    } | more


FRAGEN = [
    frage("Was gilt für Mieten?", "SPD", "spd-bund-2025", WOHNEN, art=["zahl"]),
    frage("Wie verdienen Lehrkräfte?", "CDU/CSU", "cdu-csu-bund-2025", SCHULE),
    frage("Was geschieht im Wald?", "Neue Liste/Grund", "ohne-angaben", WALD),
    frage("Kommt Vorratsdatenspeicherung?", "SPD", "spd-bund-2025"),
]


@pytest.fixture
def evaluate(folder, tmp_path):
    def run(*entries, **options):
        path = folder / "eval" / f"{tmp_path.name}.jsonl"
        path.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
        out, err = StringIO(), StringIO()
        try:
            call_command("eval_retrieval", path, stdout=out, stderr=err, **options)
        finally:
            path.unlink()
        return out.getvalue(), err.getvalue()

    return run


needs_databases = pytest.mark.django_db(transaction=True)


@needs_databases
def test_json_is_all_that_is_printed(evaluate, capfd):
    out, _ = evaluate(*FRAGEN, json=True)
    assert capfd.readouterr().out == ""
    result = json.loads(out)
    assert list(result["legs"]) == list(LEGS)
    for figures in result["legs"].values():
        assert set(figures) > {"recall@1", "recall@5", "recall@8", "mrr@10", "ndcg@5", "tags"}
    hybrid = result["legs"]["hybrid"]
    assert (hybrid["recall@5"], hybrid["tags"]["zahl"]["n"]) == (1, 1)
    assert result["empty"]["right"] in (0, 1)
    assert result["n"] == 3


@needs_databases
def test_without_json_tables_are_printed(evaluate):
    out, err = evaluate(*FRAGEN, legs="hybrid")
    assert "hybrid (n = 3)" in out
    assert "recall@5   1.000  [1.000, 1.000]" in out
    assert "Leer: richtig" in out
    assert "truthbase" not in out
    assert err == ""


@needs_databases
def test_the_connection_is_the_usual_one_afterwards(evaluate, monkeypatch):
    before = connection.settings_dict["NAME"]
    evaluate(*FRAGEN, legs="hybrid")
    assert connection.settings_dict["NAME"] == before
    monkeypatch.setattr("programme.evaluation.find_passages", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        evaluate(*FRAGEN, legs="hybrid")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone() == (before,)


@needs_databases
def test_a_joint_programme_is_found_for_both_parties_and_for_each(evaluate):
    rows = [
        frage("Wie verdienen Lehrkräfte?", partei, "cdu-csu-bund-2025", SCHULE)
        for partei in ("CDU", "CSU", "CDU/CSU")
    ]
    out, _ = evaluate(*FRAGEN, *rows, legs="hybrid,lexical", json=True)
    assert json.loads(out)["legs"]["hybrid"]["recall@1"] == 1


@needs_databases
def test_without_party_the_parliaments_other_programmes_compete(evaluate):
    rows = [frage("Was geschieht im Wald?", "SPD", "spd-bund-2025", WOHNEN), *FRAGEN[1:3]]
    known, _ = evaluate(*rows, legs="dense", json=True)
    unknown, _ = evaluate(*rows, legs="dense", json=True, without_party=True)
    recall = [json.loads(out)["legs"]["dense"]["recall@1"] for out in (known, unknown)]
    assert recall[0] > recall[1]


@needs_databases
def test_a_quote_counts_on_one_of_its_pages_and_another_good_quote_counts_as_well(evaluate):
    datei, partei = "spd-bund-2025", "SPD"
    short = BAHN[:30]
    rows = [
        frage("Mieten?", partei, datei, f"{WOHNEN} {BAHN}", seiten=[1, 2]),
        frage("Mieten?", partei, datei, "Nirgends.", weitere=[{"zitat": WOHNEN, "seiten": [1]}]),
        frage("Mieten?", partei, datei, WOHNEN, seiten=[2]),  # the words of another page
        frage("Mieten?", partei, datei, f"{WOHNEN} {short}", seiten=[1]),
    ]
    for row, expected in zip(rows, (1, 1, 0, 1), strict=True):
        out, err = evaluate(*FRAGEN[1:3], row, legs="hybrid", json=True)
        legs = json.loads(out)["legs"]["hybrid"]
        assert legs["recall@8"] == pytest.approx((2 + expected) / 3, abs=1e-4), row
        assert ("Nicht in der Lesung gefunden" in err) == (not expected)


@needs_databases
def test_paragraphs_are_ranked_without_a_party(folder, tmp_path):
    qas = [("Was wird elektrifiziert?", BAHN), ("Was geschieht mit den Mieten?", WOHNEN)]
    paragraphs = [
        {"context": text, "qas": [{"id": str(n), "question": question}]}
        for n, (question, text) in enumerate(qas)
    ]
    path = tmp_path / "squad.json"
    path.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}), encoding="utf-8")
    out = StringIO()
    call_command("eval_retrieval", path, json=True, stdout=out)
    result = json.loads(out.getvalue())
    assert {leg: figures["recall@1"] for leg, figures in result["legs"].items()} == dict.fromkeys(
        LEGS, 1
    )
    assert result["empty"] == {"right": None, "false": None}


@needs_databases
@pytest.mark.parametrize(
    ("entry", "options", "message"),
    [
        ({"frage": "Nur das?"}, {}, "Zeile 1: Es fehlt etwas"),
        (frage("Wer?", "SPD", "fehlt", "Nichts da."), {}, r"programme/fehlt\.pdf gibt es unter"),
        (frage("Wer?", "SPD", "../../x", "Nichts da."), {}, "gibt es unter"),
        (FRAGEN[0], {"legs": "hybrid,raten"}, "Unbekannt: raten"),
        (FRAGEN[0], {"legs": ","}, "kein Suchweg genannt"),
    ],
)
def test_faults_are_told_in_german(evaluate, entry, options, message):
    with pytest.raises(CommandError, match=message):
        evaluate(entry, **options)


@needs_databases
def test_a_missing_file_is_told_in_german(tmp_path):
    with pytest.raises(CommandError, match="lässt sich nicht lesen"):
        call_command("eval_retrieval", tmp_path / "fehlt.jsonl")
