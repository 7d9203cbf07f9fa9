import pytest

from assessments.blind import blind_text
from assessments.matrix import load_matrix
from assessments.prompt import matrix_messages

PARTEIEN = ["UFER", "Liste Ufer", "WERKBANK", "Forum Werkbank", "BRÜCKE", "Brückenpartei"]
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
    blind = blind_text(text, parteien=PARTEIEN)
    for name in ("UFER", "WERKBANK", "Muster", "Beispielholz", "Nirgendwo", "Fraktion"):
        assert name not in blind
    assert "Das Land legt ein Programm auf." in blind


def test_swapping_the_submitters_leaves_the_matrix_prompt_byte_identical():
    one = motion("Antrag der Fraktionen UFER und WERKBANK", "UFER und WERKBANK haben",
                 "Ida Muster und Fraktion\nBero Beispielholz und Fraktion")  # fmt: skip
    other = motion("Antrag der Fraktion der BRÜCKE", "BRÜCKE haben", "Jon Beliebig und Fraktion")
    prompts = [
        matrix_messages(load_matrix(), "Hitzeschutz", blind_text(text, parteien=PARTEIEN))
        for text in (one, other)
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
    blind = blind_text(f"{kopf}\nDas Land baut Brunnen.", parteien=PARTEIEN)
    assert blind == "Das Land baut Brunnen."


def test_signatures_before_the_reasons_are_left_out():
    text = "Das Land baut Brunnen.\nDr. Ida Muster\nBero Beispielholz\nBegründung\nEs ist heiß."
    assert blind_text(text, parteien=PARTEIEN) == "Das Land baut Brunnen.\nBegründung\nEs ist heiß."


def test_named_people_are_masked_where_they_are_mentioned():
    blind = blind_text("Wie Ida Muster sagte, fehlt Wasser.", parteien=[], personen=["Ida Muster"])
    assert blind == "Wie [Person] sagte, fehlt Wasser."


def test_ordinary_sentences_stay():
    text = "Eine Brücke wird gebaut.\nDie Gemeinden erhalten Geld, und die Träger planen."
    assert blind_text(text, parteien=["UFER"]) == text
