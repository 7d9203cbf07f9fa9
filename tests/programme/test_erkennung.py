"""What the first pages must name; the texts are invented, the spellings those of the tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlamente.facts import DATEI, read_fakten
from programme.erkennung import ERSTE_SEITEN, SCHREIBWEISEN, first_pages, mismatches
from tests.citations.factories import DokumentFactory

FAKTEN = read_fakten(DATEI)
PARTEIEN = {p.kuerzel: [p.kuerzel, p.name, *p.aliase] for p in FAKTEN.parteien}
LAENDER = [parlament.land for parlament in FAKTEN.parlamente]


def missing(text, *kuerzel, land=None, jahr=2021):
    return mismatches(text, parteien={k: PARTEIEN[k] for k in kuerzel}, land=land, jahr=jahr)


def test_a_document_that_says_everything_has_no_mismatch():
    text = "Wahlprogramm der SPD Hessen zur Landtagswahl 2021"
    assert missing(text, "SPD", land="Hessen") == []


def test_each_missing_name_is_said():
    assert missing("Unser Land kann mehr.", "SPD", land="Hessen") == [
        "Auf den ersten Seiten fehlt die Partei SPD.",
        "Auf den ersten Seiten fehlt das Land Hessen.",
        "Auf den ersten Seiten fehlt das Jahr 2021.",
    ]


def test_every_land_of_the_table_is_known():
    assert set(SCHREIBWEISEN) == set(LAENDER)


@pytest.mark.parametrize("land", LAENDER)
def test_a_land_is_known_by_its_name_and_by_no_other(land):
    name = "Deutschland" if land == "Bund" else land
    named = [other for other in LAENDER if not missing(f"{name} 2021", land=other)]
    assert named == [land]


@pytest.mark.parametrize(
    ("text", "kuerzel"),
    [
        ("BÜNDNIS 90/DIE GRÜNEN", "GRÜNE"),
        ("Bündnis 90 / Die Grünen", "GRÜNE"),
        ("BÜNDNISGRÜNE", "GRÜNE"),
        ("Grüne Baden-Württemberg", "GRÜNE"),
        ("www.gruene-bw.de", "GRÜNE"),
        ("Die Linke", "LINKE"),
        ("DIE LINKE.", "LINKE"),
        ("www.dielinke.berlin", "LINKE"),
        ("Freie Demokraten", "FDP"),
        ("Freie\nDemokraten", "FDP"),
        ("fdp.de", "FDP"),
        ("Alternative für Deutschland", "AfD"),
        ("FREIE WÄHLER", "FREIE WÄHLER"),
        ("freiewaehler.eu", "FREIE WÄHLER"),
        ("BVB / FREIE WÄHLER", "BVB-FW"),
        ("Bünd\u00adnis Sahra Wagenknecht", "BSW"),
    ],
)
def test_a_party_is_known_in_its_spellings(text, kuerzel):
    assert missing(f"{text} 2021", kuerzel) == []


@pytest.mark.parametrize(
    ("text", "kuerzel"),
    [
        ("Für die grüne Wiese und grünen Strom", "GRÜNE"),
        ("Auf die linke Seite der Straße", "LINKE"),
        ("Bd. 2, Seite 5", "BD"),
        ("Spdx und xSPD", "SPD"),
        ("Freie Wahl", "FREIE WÄHLER"),
    ],
)
def test_ordinary_words_are_no_party(text, kuerzel):
    assert missing(f"{text} 2021", kuerzel) == [
        f"Auf den ersten Seiten fehlt die Partei {kuerzel}."
    ]


def test_each_party_of_a_joint_programme_is_named():
    assert missing("CDU/CSU 2021", "CDU", "CSU") == []
    assert missing("CDU 2021", "CDU", "CSU") == ["Auf den ersten Seiten fehlt die Partei CSU."]


@pytest.mark.parametrize(
    ("text", "land"),
    [
        ("BW", "Baden-Württemberg"),
        ("Baden-\nWürttembergs", "Baden-Württemberg"),
        ("NRW", "Nordrhein-Westfalen"),
        ("für die hessische Wirtschaft", "Hessen"),
        ("Bremer Bürgerschaft", "Bremen"),
        ("im Saarland", "Saarland"),
        ("Thüringer Weg", "Thüringen"),
        ("Sachsen und Sachsen-Anhalt", "Sachsen"),
        ("Bundestagswahl", "Bund"),
        ("Sozialdemokratische Partei Deutschlands, Deutschland", "Bund"),
        ("Musterländer", "Musterländ"),
    ],
)
def test_a_land_is_known_in_its_spellings(text, land):
    assert missing(f"SPD, {text}, 2021", "SPD", land=land) == []


@pytest.mark.parametrize(
    ("text", "land"),
    [
        ("Sachsen-Anhalt", "Sachsen"),
        ("Sachsen–Anhalts Weg", "Sachsen"),
        ("Niedersachsen und niedersächsisch", "Sachsen"),
        ("Sachsen", "Niedersachsen"),
        ("Sozialdemokratische Partei Deutschlands", "Bund"),
        ("bw", "Baden-Württemberg"),
    ],
)
def test_another_land_or_the_partys_name_is_not_the_land(text, land):
    assert len(missing(f"SPD, {text}, 2021", "SPD", land=land)) == 1


@pytest.mark.parametrize("text", ["2016–2021", "2016 - 2021", "2016 bis 2021", "2016/2021"])
def test_the_end_of_a_term_is_not_the_year_of_the_election(text):
    """The programme for 2016 names 2021 as well."""
    assert missing(f"Regierungsprogramm {text}", jahr=2016) == []
    assert missing(f"Regierungsprogramm {text}") == ["Auf den ersten Seiten fehlt das Jahr 2021."]


@pytest.mark.parametrize("text", ["2021", "2021–2026", "Wahl2021", "14.03.2021", "2016–2021, 2021"])
def test_a_year_is_found(text):
    assert missing(text) == []


@pytest.mark.parametrize("text", ["120210", "20211", "21", ""])
def test_other_numbers_are_no_year(text):
    assert missing(text)


@given(st.text(), st.text())
def test_more_text_never_takes_a_party_away(before, after):
    """Other words around a name do not hide it."""
    found = missing(f"{before} | Freie Demokraten | {after} . 2021", "FDP")
    assert "Auf den ersten Seiten fehlt die Partei FDP." not in found


@pytest.mark.django_db
def test_only_the_first_pages_are_read():
    from citations.lesetext import lesetext

    pages = [f"Auf dieser Seite steht das Wort Nummer{number}." for number in range(1, 10)]
    text = first_pages(lesetext(DokumentFactory(*pages).lesung))
    assert f"Nummer{ERSTE_SEITEN}" in text
    assert f"Nummer{ERSTE_SEITEN + 1}" not in text
