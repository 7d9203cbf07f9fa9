import pytest

from programme.models import Programm
from programme.naming import UnklarerName, fold, parse_name

PARTEIEN = {
    fold(name): kuerzel
    for kuerzel, namen in {
        "CDU": ["CDU"],
        "CSU": ["CSU"],
        "SPD": ["SPD"],
        "GRÜNE": ["GRÜNE", "BÜNDNIS 90/DIE GRÜNEN"],
        "LINKE": ["LINKE", "DIE LINKE"],
        "FREIE WÄHLER": ["FREIE WÄHLER"],
        "SSW": ["SSW"],
    }.items()
    for name in namen
}
PARLAMENTE = ["BW", "RP", "NW", "BUND", "SH"]


def parse(stem):
    return parse_name(stem, parteien=PARTEIEN, parlamente=PARLAMENTE)


@pytest.mark.parametrize(
    ("stem", "parteien", "parlament", "jahr"),
    [
        ("spd-bw-2016", ("SPD",), "BW", 2016),
        ("cdu-csu-bund-2025", ("CDU", "CSU"), "BUND", 2025),
        ("gruene-nw-2022", ("GRÜNE",), "NW", 2022),
        ("freie-waehler-rp-2021", ("FREIE WÄHLER",), "RP", 2021),
        ("die-linke-bund-2025", ("LINKE",), "BUND", 2025),
        ("SPD-BW-2016", ("SPD",), "BW", 2016),
        ("ssw-bund-2025", ("SSW",), "BUND", 2025),
    ],
)
def test_name_says_party_parliament_and_year(stem, parteien, parlament, jahr):
    angaben = parse(stem)
    assert (angaben.parteien, angaben.parlament, angaben.jahr) == (parteien, parlament, jahr)
    assert angaben.typ == Programm.Typ.WAHLPROGRAMM
    assert angaben.zusatz == ""


def test_basic_programme_belongs_to_no_parliament():
    angaben = parse("gruene-bund-grundsatz-2020")
    assert (angaben.typ, angaben.parlament) == (Programm.Typ.GRUNDSATZPROGRAMM, None)


def test_addition_is_kept():
    assert parse("linke-bund-2025-entwurf").zusatz == "entwurf"


@pytest.mark.parametrize(
    ("stem", "part"),
    [
        ("linke-nw-2014-kommunal", "Kommunale"),
        ("koalition-bw-2021", "Koalitionsvertrag"),
        ("spd-braunschweig-2026", "spd-braunschweig"),
        ("bierpartei-bw-2016", "bierpartei"),
        ("cdu-xyz-bw-2016", "xyz"),
        ("spd-bw", "Jahr"),
        ("spd-bw-regierungsprogramm-2016", "regierungsprogramm"),
        ("bw-2016", "Parlament"),
        ("2016", "Parlament"),
        ("", "Jahr"),
    ],
)
def test_unclear_name_is_refused_and_names_the_part(stem, part):
    with pytest.raises(UnklarerName, match=part):
        parse(stem)
