import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.queries import MAX_FORDERUNGEN, MAX_REASONS, Namen, is_named, motion_queries

TEXT = (
    "Der Landtag wolle beschließen: Die Landesregierung wird ersucht: "
    "1. die Verordnung zur Begrenzung der Miethöhe fortzuführen; "
    "2. den Ankauf von Belegungsrechten zu erleichtern.\n"
    "Begründung:\n"
    "In den großen Städten finden viele Haushalte keine Wohnung.\n"
    "Stuttgart, den 3. Mai 2018\n"
    "Müller, Meier und Fraktion"
)
NAMEN = Namen(["SPD", "GRÜNE", "CDU", "CSU", "FDP", "DIE LINKE"], ["Baden-Württemberg", "Bund"])


def demands(text):
    return {f.forderung: f.text for f in motion_queries("Titel", text) if f.forderung}


def test_a_motion_is_asked_by_its_demands_without_formulas_and_signatures():
    assert demands(TEXT) == {
        1: "die Verordnung zur Begrenzung der Miethöhe fortzuführen;".rstrip(";"),
        2: "den Ankauf von Belegungsrechten zu erleichtern.",
    }
    texts = [frage.text for frage in motion_queries("Mietpreisbremse fortführen", TEXT)]
    assert texts[0] == "Mietpreisbremse fortführen"
    assert texts[-1] == "In den großen Städten finden viele Haushalte keine Wohnung."
    for formula in ("wolle beschließen", "ersucht", "Begründung", "Fraktion", "3. Mai"):
        assert not any(formula in text for text in texts)


@pytest.mark.parametrize(
    "formula",
    [
        "Der Bundestag wolle beschließen: Der Deutsche Bundestag fordert die Bundesregierung auf, ",
        "Die Bürgerschaft wolle beschließen: Der Senat wird aufgefordert, ",
        "Der Landtag wolle beschließen:\n\nDie Staatsregierung wird gebeten, ",
        "Das Abgeordnetenhaus wolle beschließen:\nDer Senat wird aufgefordert,\n",
        "Der Bundestag fordert die Bundesregierung auf, einen Gesetzentwurf vorzulegen, der ",
    ],
)
def test_formulas_of_all_kinds_of_parliaments_ask_nothing(formula):
    items = (
        "den Radverkehr im ganzen Land zu fördern",
        "zehn neue Brücken über den Fluss zu bauen",
    )
    text = f"{formula}1. {items[0]}; 2. {items[1]}."
    assert list(demands(text).values()) == [items[0], f"{items[1]}."]


def test_a_paper_s_head_hides_no_demand():
    head = (
        "Antrag\nder Abgeordneten Anna Müller, Bert Meier und Fraktion\nHannover, den 14.02.2023\n"
    )
    text = f"{head}Der Landtag möge beschließen:\n1. den Radverkehr im Land zu fördern"
    assert demands(text) == {1: "den Radverkehr im Land zu fördern"}


def test_demands_keep_the_motion_s_own_numbers():
    text = (
        "Die Bürgerschaft (Landtag) wolle beschließen: Die Bürgerschaft stellt fest, dass es eilt. "
        "Der Senat wird aufgefordert, 1. Tempolimit einführen; 3. bis Freitag, 3. Mai 2019, dem "
        "Ausschuss über die Einführung der 2. Fremdsprache zu berichten"
    )
    assert demands(text) == {
        1: "Tempolimit einführen",
        3: "bis Freitag, 3. Mai 2019, dem Ausschuss über die Einführung der 2. Fremdsprache zu "
        "berichten",
    }


@pytest.mark.parametrize("heading", ["Begründung", "BEGRÜNDUNG:", "Zur Begründung:"])
def test_reasons_begin_with_their_heading_alone(heading):
    item = "1. bei jeder Ablehnung eine\nBegründung vorzulegen;"
    text = f"{item}\n{heading}\nWeil es nötig ist und eilt."
    fragen = motion_queries("", text)
    assert [frage.text for frage in fragen if not frage.forderung] == [
        "Weil es nötig ist und eilt."
    ]


def test_a_bill_without_numbers_is_asked_in_pieces():
    text = " ".join(
        f"Der Paragraf {n} wird wie folgt geändert und neu gefasst." for n in range(900)
    )
    assert max(len(frage.text) for frage in motion_queries("Titel", text)) <= 800


def test_title_alone_is_a_question():
    (frage,) = motion_queries("Titel", "")
    assert (frage.text, frage.forderung) == ("Titel", None)


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_long_bill_does_not_ask_without_end_and_demands_weigh_the_same_together(demands, reasons):
    text = "\n".join(
        f"{n}. die Maßnahme mit der Nummer {n} zu ergreifen;" for n in range(1, demands + 1)
    )
    text += "\nBegründung\n" + " ".join(
        f"Das ist der Grund mit der Nummer {n}." for n in range(reasons)
    )
    fragen = motion_queries("Titel", text)
    assert len(fragen) <= 1 + MAX_FORDERUNGEN + MAX_REASONS
    weights = [frage.gewicht for frage in fragen if frage.forderung]
    assert not weights or sum(weights) == pytest.approx(1)


@pytest.mark.parametrize(
    ("frage", "subject"),
    [
        ("Wie steht die SPD zur Freigabe von Cannabis?", "zur Freigabe von Cannabis?"),
        ("Was hält die FDP im Land davon, Plätze zu filmen?", "Plätze zu filmen?"),
        ("Müssen Eltern nach den Plänen der SPD von 2016 weiter zahlen?", "Eltern weiter zahlen?"),
        ("Wird die Steuer gesenkt, wenn CDU und CSU regieren?", "die Steuer gesenkt?"),
        ("Dürfen Jäger laut Grünen in Baden-Württemberg schießen?", "Jäger schießen?"),
        ("Wie hoch soll laut dem SPD-Programm die Rente sein?", "Wie hoch soll die Rente sein?"),
        ("Was plant die SPD Baden-Württemberg 2016 für Theater?", "für Theater?"),
        ("Wie viele Busse sollen laut FDP bis 2020 fahren?", "Wie viele Busse sollen fahren?"),
        ("Sollen Eltern 2000 Euro bekommen?", "Eltern 2000 Euro bekommen?"),
        ("Was ist in Planungsverfahren vorgesehen?", "Was ist in Planungsverfahren vorgesehen?"),
        ("Soll sich der Bund an Bädern beteiligen?", "sich der Bund an Bädern beteiligen?"),
    ],
)
def test_of_a_question_the_subject_is_left(frage, subject):
    assert NAMEN.without(frage) == subject


def test_a_question_of_names_alone_stays_as_it_is():
    assert NAMEN.without("SPD?") == "SPD?"
    assert Namen([], []).without("Was ist mit Wölfen?") == "Was ist mit Wölfen?"


@given(st.text(max_size=200))
def test_no_question_becomes_empty_or_fails(text):
    assert bool(NAMEN.without(text)) == bool(text)


def test_a_party_is_named_in_any_case_of_its_name():
    assert is_named(["GRÜNE", "Bündnis 90/Die Grünen"], "Was wollen die Grünen?")
    assert not is_named(["GRÜNE"], "Was ist mit grünen Wiesen?")
    assert not is_named(["SPD"], "Was will die CDU?")
    assert is_named(["FREIE WÄHLER"], "Was wollen Freie Wähler?")
