import pytest

from programme.labels import resolve
from tests.parlamente.factories import ParlamentFactory, ParteiFactory

from .factories import ProgrammFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def programme():
    """GRÜNE, FDP and the Union in Baden-Württemberg, Nordrhein-Westfalen and the Bund."""
    gruene = ParteiFactory(
        kuerzel="GRÜNE", name="BÜNDNIS 90/DIE GRÜNEN", aliase=["BÜNDNIS 90", "DIE GRÜNEN"]
    )
    fdp = ParteiFactory(kuerzel="FDP", name="Freie Demokratische Partei")
    cdu, csu = ParteiFactory(kuerzel="CDU"), ParteiFactory(kuerzel="CSU")
    nw, bw = ParlamentFactory(code="NW"), ParlamentFactory(code="BW")
    bund = ParlamentFactory(code="BUND")
    return {
        "gruene_nw": ProgrammFactory(parteien=[gruene], parlament=nw, jahr=2022),
        "gruene_bw": ProgrammFactory(parteien=[gruene], parlament=bw, jahr=2021),
        "gruene_grundsatz": ProgrammFactory(parteien=[gruene], grundsatz=True, jahr=2020),
        "fdp_nw": ProgrammFactory(parteien=[fdp], parlament=nw, jahr=2022),
        "fdp_bund": ProgrammFactory(parteien=[fdp], parlament=bund, jahr=2021),
        "cdu_bw": ProgrammFactory(parteien=[cdu], parlament=bw, jahr=2021),
        "union": ProgrammFactory(parteien=[cdu, csu], parlament=bund, jahr=2021),
    }


def resolved(label, programme, land=""):
    found = resolve(label, list(programme.values()), land=land)
    names = {programm.pk: name for name, programm in programme.items()}
    return (names[found.programm.pk] if found.programm else None), found.seite


@pytest.mark.parametrize(
    ("label", "name", "seite"),
    [
        ("GRÜNE NW Wahlprogramm 2022, S. 58", "gruene_nw", 58),
        ("Grünes Wahlprogramm NRW 2022 Seite 58", "gruene_nw", 58),
        ("Bündnis 90/Die Grünen Nordrhein-Westfalen, Wahlprogramm 2022, S.58", "gruene_nw", 58),
        ("Landtagswahlprogramm der Grünen NRW 2022", "gruene_nw", None),
        ("GRÜNE Grundsatzprogramm 2020, S. 12 f.", "gruene_grundsatz", 12),
        ("Wahlprogramm FDP NRW 2022 (Seiten 7-8)", "fdp_nw", 7),
        ("FDP Bundestagswahlprogramm 2021, S. 3", "fdp_bund", 3),
        ("CDU BW Wahlprogramm 2021, S. 9", "cdu_bw", 9),
        ("CDU/CSU BUND Wahlprogramm 2021, S. 9", "union", 9),
        ("CDU BUND Wahlprogramm 2021, S. 9", "union", 9),
    ],
)
def test_label_names_its_programme_and_page(programme, label, name, seite):
    assert resolved(label, programme) == (name, seite)


def test_label_with_only_a_page_names_no_programme(programme):
    """Named regression: "S. 75" let the first system cite another Land's programme."""
    assert resolved("S. 75", programme, land="NW") == (None, 75)


@pytest.mark.parametrize(
    "label",
    [
        "",
        "FDP",
        "FDP, S. 75",
        "Wahlprogramm 2022, S. 4",
        "SPD NW Wahlprogramm 2022, S. 4",  # a party that no candidate is of
        "FDP BY Wahlprogramm 2022",  # another Land
        "FDP NW Wahlprogramm 2017",  # another year
        "FDP NW Grundsatzprogramm 2022",  # another kind
    ],
)
def test_label_that_is_unclear_or_contradicts_names_no_programme(programme, label):
    assert resolved(label, programme)[0] is None


@pytest.mark.parametrize(
    "label", ["SPD NW Wahlprogramm 2022, S. 4", "NW Wahlprogramm 2022", "S. 4"]
)
def test_only_candidate_is_not_taken_for_want_of_a_better_one(programme, label):
    assert resolve(label, [programme["fdp_nw"]], land="NW").programm is None


def test_land_of_the_motion_decides_where_the_label_is_silent(programme):
    label = "GRÜNE Wahlprogramm, S. 5"
    assert resolved(label, programme) == (None, 5)
    assert resolved(label, programme, land="BW") == ("gruene_bw", 5)
    assert resolved(label, programme, land="NW") == ("gruene_nw", 5)


def test_stated_land_wins_over_the_land_of_the_motion(programme):
    assert resolved("GRÜNE NW Wahlprogramm 2022", programme, land="BW")[0] == "gruene_nw"


def test_sachsen_anhalt_is_not_sachsen():
    partei = ParteiFactory(kuerzel="SPD")
    sachsen = ProgrammFactory(parteien=[partei], parlament=ParlamentFactory(code="SN"))
    anhalt = ProgrammFactory(parteien=[partei], parlament=ParlamentFactory(code="ST"))
    found = resolve("SPD Sachsen-Anhalt Wahlprogramm 2016", [sachsen, anhalt])
    assert found.programm == anhalt
