import csv
import json
from datetime import date

import pytest

from parlamente.facts import DATEI, FehlerhafteFakten, overlap, read_fakten

CODES = "BB BE BUND BW BY HB HE HH MV NI NW RP SH SL SN ST TH"


@pytest.fixture
def raw():
    return {
        "stand": "2026-11-30",
        "muster": True,
        "parteien": [{"kuerzel": "UFER", "name": "Liste Ufer", "aliase": ["Ufer-Liste"]}],
        "parlamente": [
            {
                "code": "ML",
                "name": "Landtag Musterland",
                "land": "Musterland",
                "wahlperioden": [
                    {"nummer": 7, "wahltag": "2024-06-09", "sicherheit": "wissen", "quelle": "x"}
                ],
                "regierungen": [
                    {"von": "2024-07-01", "parteien": ["UFER"], "sicherheit": "wissen"},
                ],
            }
        ],
    }


def read(tmp_path, raw):
    path = tmp_path / "fakten.json"
    path.write_text(json.dumps(raw))
    return read_fakten(path)


def test_the_seventeen_parliaments_are_there_with_four_wahlperioden_each():
    fakten = read_fakten(DATEI)
    assert " ".join(sorted(parlament.code for parlament in fakten.parlamente)) == CODES
    assert {len(parlament.wahlperioden) for parlament in fakten.parlamente} == {4}
    assert not fakten.muster


def test_exactly_one_wahlperiode_runs_and_one_government_is_in_office():
    for parlament in read_fakten(DATEI).parlamente:
        assert [wp.ende for wp in parlament.wahlperioden].count(None) == 1, parlament.code
        assert [r.bis for r in parlament.regierungen].count(None) == 1, parlament.code


def test_every_day_of_a_wahlperiode_has_a_government():
    for parlament in read_fakten(DATEI).parlamente:
        ends = {regierung.bis for regierung in parlament.regierungen if regierung.bis}
        starts = {regierung.von for regierung in parlament.regierungen}
        first = min(starts)
        assert {end.toordinal() + 1 for end in ends} == {s.toordinal() for s in starts - {first}}
        assert first <= parlament.wahlperioden[0].beginn


@pytest.mark.shared
def test_the_file_agrees_with_the_collected_facts(shared):
    folder = shared / "data" / "parlamente"
    rows = {
        name: list(csv.DictReader((folder / name).read_text("utf-8").splitlines(), delimiter="\t"))
        for name in ("legislaturen.tsv", "regierungen.tsv")
    }
    parlamente = read_fakten(DATEI).parlamente
    iso = lambda day: day.isoformat() if day else ""  # noqa: E731
    assert [
        (p.code, str(w.nummer), iso(w.wahltag), iso(w.beginn), iso(w.ende), w.sicherheit, w.quelle)
        for p in parlamente
        for w in p.wahlperioden
    ] == [tuple(row[k] for k in row if k != "fraktionen") for row in rows["legislaturen.tsv"]]
    assert [
        (p.code, iso(r.von), iso(r.bis), ";".join(r.parteien), r.kopf, r.sicherheit, r.quelle)
        for p in parlamente
        for r in p.regierungen
    ] == [tuple(row.values()) for row in rows["regierungen.tsv"]]


def test_the_cdu_and_csu_stand_apart_in_the_bundestag():
    bund = next(p for p in read_fakten(DATEI).parlamente if p.code == "BUND")
    assert bund.schreibweisen == {"CDU/CSU": ["CDU", "CSU"]}
    assert {"CDU", "CSU"} < set(bund.wahlperioden[-1].fraktionen)


def break_it(raw, path, value):
    *steps, last = path
    target = raw
    for step in steps:
        target = target[step]
    target[last] = value


REGIERUNG = ("parlamente", 0, "regierungen", 0)
WAHLPERIODE = ("parlamente", 0, "wahlperioden", 0)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((*WAHLPERIODE, "wahltag"), "9.6.2024", "ML, Wahlperiode 7, wahltag: kein Datum"),
        ((*WAHLPERIODE, "sicherheit"), "sicher", "ML, Wahlperiode 7, sicherheit: nicht erlaubt"),
        ((*WAHLPERIODE, "beginn"), "2024-01-01", "Wahlperiode 7: Wahltag, beginn und ende"),
        ((*WAHLPERIODE, "fraktionen"), {"WALD": 3}, "ML, Wahlperiode 7: unbekannte Partei WALD"),
        ((*REGIERUNG, "bis"), "2024-01-01", "Regierung ab 2024-07-01: bis liegt vor von"),
        ((*REGIERUNG, "sicherheit"), "belegt", "Regierung ab 2024-07-01: „belegt“ braucht eine"),
        ((*REGIERUNG, "parteien"), [], "Regierung ab 2024-07-01: parteien fehlen genau dann"),
        ((*REGIERUNG, "sicherheit"), "unbekannt", "parteien fehlen genau dann"),
        (("parlamente", 0, "code"), "ml", "ml, code: ungültig"),
        (("parlamente", 0, "land"), "", "ML, land: zu kurz"),
        (("parteien", 0, "name"), "Liste\u202e Ufer", r"Partei UFER, name: .*U\+202E"),
        (("parteien", 0, "farbe"), "blau", "Partei UFER, farbe: unbekanntes Feld"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, raw, path, value, message):
    break_it(raw, path, value)
    with pytest.raises(FehlerhafteFakten, match=message):
        read(tmp_path, raw)


def test_governments_that_overlap_are_refused(tmp_path, raw):
    second = {"von": "2025-01-01", "parteien": ["UFER"], "sicherheit": "wissen"}
    raw["parlamente"][0]["regierungen"].append(second)
    with pytest.raises(FehlerhafteFakten, match=r"01\.07\.2024 überschneidet 01\.01\.2025"):
        read(tmp_path, raw)


def test_two_parties_cannot_share_a_spelling(tmp_path, raw):
    raw["parteien"].append({"kuerzel": "TÄLER", "name": "Ufer-Liste"})
    with pytest.raises(FehlerhafteFakten, match="Schreibweise ufer-liste steht zweimal da"):
        read(tmp_path, raw)


def test_a_file_that_is_no_json_or_absent_is_refused(tmp_path):
    (tmp_path / "kaputt.json").write_text("{")
    for name, message in [("kaputt.json", "kein gültiges JSON"), ("fehlt.json", "nicht lesen")]:
        with pytest.raises(FehlerhafteFakten, match=message):
            read_fakten(tmp_path / name)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((1, 5), (6, None), False),
        ((1, 5), (5, None), True),
        ((1, None), (9, None), True),
        ((6, None), (1, 5), False),
        ((2, 3), (1, 9), True),
    ],
)
def test_overlap_includes_the_last_day(one, other, expected):
    def day(number):
        return number and date(2024, 1, number)

    assert overlap((day(one[0]), day(one[1])), (day(other[0]), day(other[1]))) is expected
