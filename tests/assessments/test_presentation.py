"""The pure parts behind the pages: balance, small matrix, context, marks, states of a check."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.addresses import anker
from assessments.blatt import Kasten, blatt, points
from assessments.einbringer import aufzaehlung
from assessments.kleinmatrix import kleinmatrix
from assessments.presentation import Bewertungsseite
from assessments.pruefstand import pruefstaende
from assessments.quellen import Quelle
from assessments.scale import Wert
from assessments.umfeld import absaetze, mit_umfeld
from assessments.waage import MIN_DISTANCE, waage
from parlamente.models import Partei
from tests.citations.factories import PruefungFactory

from .factories import FORDERUNG, AssessmentFactory, UserFactory, advance

FELDER = [f"{row}{column}" for row in "ABCDE" for column in range(1, 6)]
WERTE = st.dictionaries(st.sampled_from(FELDER), st.sampled_from(list(Wert)), max_size=25)


def rated(**werte: str) -> dict[str, Wert]:
    return {feld: Wert(wert) for feld, wert in werte.items()}


# --- Balance -------------------------------------------------------------------------------------


def test_the_pointer_is_the_balance_point_of_the_tiles():
    balance = waage(rated(A1="mm", A2="pp", A3="pp"))
    assert balance.wert == Decimal("6.7")
    assert balance.x == "63.6%"
    assert balance.rechnung == "5 + 2,5 × 2 ÷ 3 = 6,7"


def test_without_an_affected_field_there_is_no_balance():
    assert waage(rated(A1="n")) is None
    assert waage({"A1": None}) is None


@given(WERTE)
def test_the_balance_holds_each_affected_field_once(werte):
    balance = waage(werte)
    affected = sorted(feld for feld, wert in werte.items() if wert.zahl is not None)
    assert sorted(f for s in (balance.stufen if balance else []) for f in s.felder) == affected


@given(WERTE)
def test_no_label_of_the_axis_touches_the_value(werte):
    balance = waage(werte)
    for stufe in balance.stufen if balance else []:
        distance = abs(Decimal(stufe.x[:-1]) - Decimal(balance.x[:-1]))
        assert bool(stufe.zahl) == (distance >= MIN_DISTANCE)


def test_numbers_for_svg_have_a_point_and_numbers_for_people_a_comma():
    balance = waage(rated(A1="p", A2="p", A3="p", A4="o"))
    assert "." in balance.x
    assert [stufe.zahl for stufe in balance.stufen] == ["0", "2,5", "5", "", "10"]


@pytest.mark.parametrize(
    ("werte", "spanne"), [({"A1": "mm", "A2": "pp"}, "−− bis ++"), ({"A1": "p"}, "alle +")]
)
def test_the_spread_is_said_in_signs(werte, spanne):
    assert waage(rated(**werte)).spanne == spanne


@pytest.mark.parametrize(
    ("werte", "wo"),
    [
        ({"A1": "pp", "A2": "pp", "A3": "pp"}, "bei stark fördernd"),
        ({"A1": "mm", "A2": "mm", "A3": "mm"}, "bei stark hemmend"),
        ({"A1": "p", "A2": "o", "A3": "o"}, "zwischen ohne Wirkung und fördernd"),
    ],
)
def test_the_pointers_place_is_said_in_words(werte, wo):
    assert waage(rated(**werte)).zwischen == wo


# --- Small matrix --------------------------------------------------------------------------------


def test_squares_stand_at_their_row_and_column():
    (square,) = kleinmatrix(rated(D3="p", A1="n")).kaestchen
    assert (square.x, square.y) == (32, 48)


def test_an_empty_small_matrix_says_so():
    assert kleinmatrix(rated(A1="n")).beschreibung == "Kein Feld betroffen"


# --- Words around a quote ------------------------------------------------------------------------

TEXT = "Erst kommt dies. Dann kommt das Zitat selbst. Danach folgt mehr. Und noch mehr."


def shown(text: str, *quotes: str) -> list[tuple[str, bool]]:
    spans = [(text.index(quote), text.index(quote) + len(quote)) for quote in quotes]
    return [(piece.text, piece.ist_zitat) for piece in mit_umfeld(text, spans)]


def test_a_whole_sentence_stands_between_its_neighbours():
    assert shown(TEXT, "Dann kommt das Zitat selbst") == [
        ("… Erst kommt dies. ", False),
        ("Dann kommt das Zitat selbst", True),
        (". Danach folgt mehr. …", False),
    ]


def test_a_part_of_a_sentence_stands_in_its_sentence():
    assert shown(TEXT, "das Zitat") == [
        ("… Dann kommt ", False),
        ("das Zitat", True),
        (" selbst. …", False),
    ]


def test_what_is_omitted_is_shown_between_the_parts():
    assert (" das Zitat ", False) in shown(TEXT, "Dann kommt", "selbst")


def test_signs_stand_as_close_to_their_words_as_in_the_text():
    text = "Es kostet 5 Euro, für alle (und jeden) im Land. Das ist viel."
    assert (", für alle (", False) in shown(text, "5 Euro", "und jeden")
    assert shown(text, "und jeden")[0] == ("… Es kostet 5 Euro, für alle (", False)
    assert shown(text, "und jeden")[-1] == (") im Land. …", False)


def test_a_long_omission_stays_an_ellipsis():
    text = f"Anfang {'Wort ' * 100}Ende"
    assert (" […] ", False) in shown(text, "Anfang", "Ende")


def test_at_the_edges_there_is_no_context():
    assert shown("Nur das", "Nur das") == [("Nur das", True)]


@given(st.text(alphabet="ab .\n", max_size=80), st.data())
def test_a_page_with_its_quote_is_still_the_same_page(text, data):
    start = data.draw(st.integers(-5, len(text) + 5))
    ende = data.draw(st.integers(start, len(text) + 10))
    paragraphs = absaetze(text, [(start, ende)])
    lines = [line for line in text.split("\n") if line]
    assert ["".join(piece.text for piece in p) for p in paragraphs] == lines
    quoted = "".join(piece.text for p in paragraphs for piece in p if piece.ist_zitat)
    assert quoted == text[max(start, 0) : max(ende, 0)].replace("\n", "")


# --- The drawn page ------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_cut_out_holds_every_mark_and_whole_lines():
    zitat = AssessmentFactory().belege.filter(feldbewertung__feld="B5").get().zitat
    sheet = blatt(zitat, zitat.extraktion.seiten.get())
    for box in sheet.kaesten:
        assert sheet.ausschnitt.x0 <= box.x0 < box.x1 <= sheet.ausschnitt.x1
        assert sheet.ausschnitt.y0 <= box.y0 < box.y1 <= sheet.ausschnitt.y1
    assert sheet.ausschnitt.hoehe < sheet.seite.hoehe / 2


@pytest.mark.django_db
def test_an_uncertain_place_has_a_bracket_and_no_mark():
    zitat = AssessmentFactory().belege.filter(feldbewertung__feld="B5").get().zitat
    sheet = blatt(zitat, zitat.extraktion.seiten.get(), is_certain=False)
    assert sheet.marken == []
    assert len(sheet.klammern) == 1


def test_numbers_are_short_in_svg():
    assert points(12.0004) == "12"
    assert points(12.0396) == "12.04"
    assert Kasten(1, 2, 3.26, 4).viewbox == "1 2 2.26 2"


# --- States of a check ---------------------------------------------------------------------------


@pytest.fixture
def accepted():
    """A Zitat that an editor accepted, and that was proved then, in a published assessment."""
    assessment = AssessmentFactory()
    beleg = assessment.belege.filter(feldbewertung__feld="B5").get()
    beleg.reopen(by=None)
    beleg.accept(by=UserFactory())
    advance(assessment, "published")
    return beleg.zitat


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ergebnisse", "in_pruefung"),
    [
        ([], True),
        (["bewiesen"], False),
        (["bewiesen", "widerlegt"], True),
        (["widerlegt", "bewiesen"], False),
        (["nicht_beweisbar"], True),
    ],
)
def test_the_newest_check_decides(ergebnisse, in_pruefung):
    zitat = AssessmentFactory(published=True).belege.first().zitat
    for ergebnis in ergebnisse:
        PruefungFactory(zitat=zitat, **{ergebnis: True})
    assert pruefstaende([zitat.pk])[zitat.pk].in_pruefung is in_pruefung


@pytest.mark.django_db
def test_what_an_editor_accepted_before_the_doubt_came_up_is_in_review(accepted):
    PruefungFactory(zitat=accepted, widerlegt=True)
    assert pruefstaende([accepted.pk])[accepted.pk].in_pruefung


@pytest.mark.django_db
def test_what_was_proved_when_an_editor_accepted_it_is_relied_on(accepted):
    assert not pruefstaende([accepted.pk])[accepted.pk].in_pruefung


@pytest.mark.django_db
def test_a_doubt_is_as_old_as_its_first_occurrence():
    zitat = AssessmentFactory(published=True).belege.first().zitat
    checks = [
        PruefungFactory(zitat=zitat, **{ergebnis: True})
        for ergebnis in ("widerlegt", "bewiesen", "widerlegt", "widerlegt")
    ]
    assert pruefstaende([zitat.pk])[zitat.pk].seit == checks[2].am


# --- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kuerzel", "name"),
    [
        ("BRÜCKE", "partei-bruecke"),
        ("BVB-FW", "partei-bvb-fw"),
        ("FREIE WÄHLER", "partei-freie-waehler"),
    ],
)
def test_a_party_has_a_name_for_its_place_on_the_page(kuerzel, name):
    assert anker(Partei(kuerzel=kuerzel)) == name


def test_pages_are_named_from_first_to_last():
    assert Quelle("Antrag", ("4",)).text == "Antrag, S.\u00a04"
    assert Quelle("Antrag", ("4", "5")).text == "Antrag, S.\u00a04–5"


def test_names_are_listed_as_in_speech():
    assert aufzaehlung(["A"]) == "A"
    assert aufzaehlung(["A", "B", "C"]) == "A, B und C"


def test_the_example_sentence_has_as_many_words_as_the_pages_say():
    assert len(FORDERUNG.split()) == 13


@pytest.mark.django_db
def test_a_proposal_without_its_place_is_not_shown():
    assessment = AssessmentFactory(in_review=True)
    (vorschlag,) = assessment.verbesserungen.all()
    for beleg in vorschlag.belege.all():
        beleg.reopen(by=UserFactory(reviewer=True))
        beleg.drop(by=UserFactory(reviewer=True))
    assert Bewertungsseite(assessment).vorschlaege == []
