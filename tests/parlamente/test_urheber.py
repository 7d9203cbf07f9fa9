import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlamente.facts import DATEI, read_fakten
from parlamente.urheber import UrheberArt, build_tafel, resolve_urheber, tidy

FAKTEN = read_fakten(DATEI)
SPELLINGS = [(p.kuerzel, [p.name, *p.aliase]) for p in FAKTEN.parteien]


def tafel(code="BW"):
    eigene = next(p.schreibweisen for p in FAKTEN.parlamente if p.code == code)
    return build_tafel(SPELLINGS, eigene)


def parties(text, code="BW"):
    return [
        kuerzel for urheber in resolve_urheber(text, tafel(code)) for kuerzel in urheber.kuerzel
    ]


def kinds(text, code="BW"):
    return [(urheber.roh, urheber.art) for urheber in resolve_urheber(text, tafel(code))]


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("CDU, SPD, BÜNDNISGRÜNE", "SN", ["CDU", "SPD", "GRÜNE"]),
        ("CDU;SPD", "SL", ["CDU", "SPD"]),
        ("CDU ; GRÜNE", "NW", ["CDU", "GRÜNE"]),
        ("Fraktion der CDU; Fraktion der SPD", "HE", ["CDU", "SPD"]),
        ("Fraktion GRÜNE, Fraktion der CDU", "BW", ["GRÜNE", "CDU"]),
        ("BÜNDNIS 90/\u00adDIE GRÜNEN, SPD", "BW", ["GRÜNE", "SPD"]),
        ("Bündnis 90 / Die Grünen", "BE", ["GRÜNE"]),
        ("GAL", "HH", ["GRÜNE"]),
        ("DIE LINKE.", "SN", ["LINKE"]),
        ("Linkspartei.PDS", "BE", ["LINKE"]),
        ("FDP/DVP", "BW", ["FDP"]),
        ("FDP (Gruppe)", "MV", ["FDP"]),
        ("Freie Demokraten", "HE", ["FDP"]),
        ("SPD-Fraktion und Abgeordnete des SSW", "SH", ["SPD", "SSW"]),
        ("Fraktionen der SPD und der CDU", "BB", ["SPD", "CDU"]),
        ("BIW", "HB", ["BD"]),
        ("FREIE WÄHLER", "BY", ["FREIE WÄHLER"]),
    ],
)
def test_groups_of_every_form_become_their_parties(text, code, expected):
    assert parties(text, code) == expected


@pytest.mark.parametrize("text", ["CDU, SPD", "SPD, CDU", "CDU,SPD"])
def test_a_comma_between_groups_loses_none(text):
    """Regression of the first system: "CDU, SPD" was stored as SPD alone."""
    assert sorted(parties(text)) == ["CDU", "SPD"]


def test_cdu_csu_is_one_originator_and_two_parties():
    (urheber,) = resolve_urheber("Fraktion der CDU/CSU", tafel("BUND"))
    assert urheber.kuerzel == ("CDU", "CSU")


@pytest.mark.parametrize("text", ["FREIE WÄHLER", "Freie Wähler", "FW", "BVB / FREIE WÄHLER"])
def test_freie_waehler_of_brandenburg_are_bvb(text):
    assert parties(text, "BB") == ["BVB-FW"]


def test_bvb_is_not_freie_waehler_elsewhere():
    assert parties("BVB/FREIE WÄHLER", "BY") == ["BVB-FW"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Otto, Andreas (Grüne)", [("Otto, Andreas (Grüne)", ["GRÜNE"])]),
        (
            "Weiß, Marius, SPD; Schmitt, Norbert, SPD",
            [("Weiß, Marius, SPD", ["SPD"]), ("Schmitt, Norbert, SPD", ["SPD"])],
        ),
        ("Preuß, Peter CDU", [("Preuß, Peter CDU", ["CDU"])]),
        ("Anna Beispiel u. a. SPD", [("Anna Beispiel u. a. SPD", ["SPD"])]),
        ("Götz Beispiel, MdB, AfD", [("Götz Beispiel, MdB, AfD", ["AfD"])]),
        ("Bernd Beispiel BSW", [("Bernd Beispiel BSW", ["BSW"])]),
        ("Abg. Muster (fraktionslos)", [("Abg. Muster (fraktionslos)", [])]),
        ("Linke, Peter (SPD)", [("Linke, Peter (SPD)", ["SPD"])]),
        ("Grüne, Anna, CDU", [("Grüne, Anna, CDU", ["CDU"])]),
        ("Anna Grüne (SPD)", [("Anna Grüne (SPD)", ["SPD"])]),
    ],
)
def test_a_name_stays_whole_and_keeps_its_party(text, expected):
    found = resolve_urheber(text, tafel())
    assert [(urheber.roh, list(urheber.kuerzel)) for urheber in found] == expected
    assert {urheber.art for urheber in found} == {UrheberArt.PERSON}


def test_persons_and_their_group_are_kept_apart():
    text = "Dr. Lud Muster (AfD), Tom Beispiel (AfD), AfD"
    assert [art for _, art in kinds(text, "HH")] == ["person", "person", "fraktion"]


@pytest.mark.parametrize(
    ("text", "art"),
    [
        ("Landesregierung", "regierung"),
        ("Landesregierung (Ministerium für Inneres und Bau)", "regierung"),
        ("Ministerium für Umwelt, Klima und Energiewirtschaft", "regierung"),
        ("Landesregierung (Inneres, Bau)", "regierung"),
        ("Senat von Berlin", "regierung"),
        ("Senatsverwaltung für Inneres", "regierung"),
        ("Ministerpräsidentin", "regierung"),
        ("Präsidentin des Landtags", "parlament"),
        ("Ausschuss für Umwelt, Energie und Klima", "parlament"),
        ("Petitionsausschuss", "parlament"),
        ("Volksinitiative Schulwege", "sonstige"),
        ("Präsident des Landesrechnungshofs", "sonstige"),
    ],
)
def test_bodies_are_one_originator_without_party(text, art):
    (urheber,) = resolve_urheber(text, tafel())
    assert (urheber.roh, urheber.art, urheber.kuerzel) == (text, art, ())
    assert urheber.bekannt


def test_an_unknown_wording_is_kept_as_it_is():
    spd, unknown = resolve_urheber("SPD, Bund der Wolken", tafel())
    assert (unknown.roh, unknown.art, unknown.bekannt) == ("Bund der Wolken", "sonstige", False)
    assert spd.kuerzel == ("SPD",)


def test_nothing_named_gives_nothing():
    assert resolve_urheber(" ; , ", tafel()) == []


NAMES = [(kuerzel, name) for kuerzel, names in SPELLINGS for name in (kuerzel, *names)]


@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique_by=lambda pair: pair[0]),
    st.sampled_from([", ", ";", " ; ", ","]),
    st.sampled_from(["", "Fraktion ", "Fraktion der "]),
)
def test_any_list_in_any_spelling_keeps_every_party_in_order(groups, separator, prefix):
    text = separator.join(prefix + name for _, name in groups)
    assert parties(text) == [kuerzel for kuerzel, _ in groups]


@given(st.lists(st.text("abGRÜNEspd(),;/ .1-", max_size=12), max_size=6).map(", ".join))
def test_no_word_is_lost_and_nothing_raises(text):
    kept = {word for urheber in resolve_urheber(text, tafel()) for word in words(urheber.roh)}
    assert words(text) - kept <= FILL_WORDS


# A group named together with another ("SPD und FDP") keeps its name without the words around it.
FILL_WORDS = {"a", "A", "u", "U"}


def words(text):
    return set(re.findall(r"\w+", tidy(text)))
