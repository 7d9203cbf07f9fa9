import pytest

from assessments.blind import Blende
from assessments.matrix import load_matrix
from assessments.prompt import matrix_messages
from assessments.subject import gather
from tests.parlamente.factories import AntragFactory, ParteiFactory

PARTEIEN = ["UFER", "Liste Ufer", "WERKBANK", "Forum Werkbank", "BRÜCKE", "Brückenpartei"]
BLENDE = Blende(
    (
        *(*PARTEIEN, "CDU", "SPD", "AfD", "FDP", "BSW", "GRÜNE", "LINKE", "DIE GRÜNEN"),
        *("BÜNDNIS 90/DIE GRÜNEN", "B90/GR", "Die Linke"),
    )
)
RUMPF = (
    "Der Landtag wolle beschließen: Das Land legt ein Programm auf.\n"
    "Begründung\n"
    "Die Sommer sind heißer geworden. {stimmen} seit Jahren darauf hingewiesen."
)


def motion(kopf: str, stimmen: str, schluss: str) -> str:
    return f"{kopf}\nHitzeschutz in Schulen\n{RUMPF.format(stimmen=stimmen)}\n{schluss}"


def test_who_submits_is_not_in_the_text():
    text = motion(
        "Antrag der Fraktionen UFER und WERKBANK",
        "Die Fraktion der UFER hat",
        "Ida Muster und Fraktion\nDr. Bero Beispielholz, Ada von Nirgendwo und Fraktion",
    )
    blind = BLENDE.text(text)
    for name in ("UFER", "WERKBANK", "Muster", "Beispielholz", "Nirgendwo", "Fraktion"):
        assert name not in blind
    assert "Das Land legt ein Programm auf." in blind


def test_swapping_the_submitters_leaves_the_matrix_prompt_byte_identical():
    one = motion("Antrag der Fraktionen UFER und WERKBANK", "UFER und WERKBANK haben",
                 "Ida Muster und Fraktion\nBero Beispielholz und Fraktion")  # fmt: skip
    other = motion("Antrag der Fraktion der BRÜCKE", "BRÜCKE haben", "Jon Beliebig und Fraktion")
    prompts = [
        matrix_messages(load_matrix(), "Hitzeschutz", BLENDE.text(text)) for text in (one, other)
    ]
    assert prompts[0] == prompts[1]


@pytest.mark.parametrize(
    "kopf",
    [
        "Antrag der Abgeordneten Martin Beispiel, Ida Muster und Fraktion (UFER)",
        "Dringlicher Antrag der Fraktion der BRÜCKE",
        "Gesetzentwurf der Fraktion WERKBANK",
        "Entschließungsantrag der Gruppe Ufer",
    ],
)
def test_headings_that_name_submitters_are_left_out(kopf):
    blind = BLENDE.text(f"{kopf}\nDas Land baut Brunnen.")
    assert blind == "Das Land baut Brunnen."


def test_signatures_before_the_reasons_are_left_out():
    text = "Das Land baut Brunnen.\nDr. Ida Muster\nBero Beispielholz\nBegründung\nEs ist heiß."
    assert BLENDE.text(text) == "Das Land baut Brunnen.\nBegründung\nEs ist heiß."


@pytest.mark.parametrize(
    "roh",
    [
        "Andreas Otto",
        "Otto, Andreas (Grüne)",
        "Otto, Andreas, SPD",
        "Otto, Andreas CDU",
        "Andreas Otto BSW",
        "Dr. Andreas Otto, MdB, AfD",
        "Andreas Otto u. a. SPD",
    ],
)
@pytest.mark.parametrize("form", ["Andreas Otto", "Otto, Andreas", "ANDREAS OTTO"])
def test_named_people_are_masked_however_a_source_writes_them(roh, form):
    blind = Blende((), (roh,)).text(f"Wie {form} sagte, fehlt im Land das Wasser.")
    assert blind == "Wie [Person] sagte, fehlt im Land das Wasser."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Die Fraktion Bündnis 90/Die Grünen fordert Brunnen.", "Die [Partei] fordert Brunnen."),
        ("Die Grünen und die Linken fordern das.", "[Partei] fordern das."),
        ("CDU und die SPD fordern das.", "[Partei] fordern das."),
        ("Haltung der SPD-Fraktion zum Wasser", "Haltung der [Partei] zum Wasser"),
        ("Die CDU-Landtagsfraktion fordert das.", "Die [Partei] fordert das."),
        ("Der Abgeordnete Klaus Muster fragt.", "Der Abgeordnete [Person] fragt."),
    ],
)
def test_parties_and_members_are_masked_in_titles_and_sentences(text, expected):
    assert BLENDE.phrase(text) == expected


@pytest.mark.parametrize(
    "line",
    [
        "gez. Klaus Muster",
        "Klaus Muster (SPD), Erna Beispiel (CDU)",
        "Abg. Daniela Evers, Hans-Peter Storz",
        "Dr. Alice Muster, Tino Beispiel und Fraktion",
        "Klaus Muster für die Fraktion der SPD",
        "Martin Hagen, Matthias Fischbach und Fraktion (FDP)",
    ],
)
def test_signatures_are_left_out(line):
    assert BLENDE.text(f"Das Land baut neue Brunnen.\n{line}") == "Das Land baut neue Brunnen."


@pytest.mark.parametrize(
    "text",
    [
        "Eine Straße wird gebaut.\nDie Gemeinden erhalten Geld, und die Träger planen.",
        "I. Die Zusammenarbeit der Verwaltung und Fraktionen zu verbessern,\nII. mehr zu bauen.",
    ],
)
def test_ordinary_sentences_stay(text):
    assert BLENDE.text(text) == text


@pytest.mark.django_db
def test_nothing_of_those_who_submit_reaches_a_prompt_from_title_or_text():
    ufer, bruecke = ParteiFactory(kuerzel="UFER"), ParteiFactory(kuerzel="BRÜCKE")

    def prompt(partei, kopf):
        antrag = AntragFactory(
            titel=f"Wasserplan der {partei.kuerzel}-Fraktion",
            einbringende=[partei],
            mit_text=f"{kopf}\n\nDas Land baut bis 2030 in jeder Gemeinde einen Brunnen.",
        )
        gegenstand = gather(antrag.fassung)
        return matrix_messages(load_matrix(), gegenstand.titel, gegenstand.text)

    one = prompt(ufer, "Antrag der Fraktion UFER")
    assert one == prompt(bruecke, "Antrag der Fraktion der BRÜCKE")
    assert "UFER" not in str(one)
