"""What the model is told: complete, blind, within the budget, and a new version when it changes."""

import hashlib

from assessments.matrix import load_matrix
from assessments.prompt import (
    PROMPT_VERSION,
    PROMPTS,
    Quelle,
    matrix_messages,
    vergleich_messages,
)
from parlamente.models import Partei
from programme.llm import estimate_tokens
from programme.models import Programm

# A version, and the prompts it stands for. Changed texts need a new version and a new line.
VERSIONS = {"1": "534c69605981d761"}
UFER = Partei(kuerzel="UFER", name="Liste Ufer")
WAHL = Programm.Typ.WAHLPROGRAMM


def tokens(messages):
    return sum(estimate_tokens(message["content"]) for message in messages)


def sources(typ=WAHL, count=5):
    return [Quelle(typ, f"UFER ML Wahlprogramm 2024, S. {n}", "x" * 800) for n in range(count)]


def test_a_changed_prompt_is_a_new_version():
    texts = [path.read_text(encoding="utf-8") for path in sorted(PROMPTS.glob("*.txt"))]
    whole = "".join([*texts, *(m["content"] for m in matrix_messages(load_matrix(), "T", "x"))])
    assert hashlib.sha256(whole.encode()).hexdigest()[:16] == VERSIONS[PROMPT_VERSION]


def test_a_motion_of_250_words_with_eight_parties_stays_below_25_000_tokens():
    motion = "Die Landesregierung wird ersucht, die Mittel für Schulen zu erhöhen. " * 25
    assert len(motion.split()) == 250
    matrix = tokens(matrix_messages(load_matrix(), "Titel des Antrags", motion))
    party = tokens(vergleich_messages(UFER, sources(), "Titel des Antrags", motion))
    assert matrix + 8 * party <= 25_000


def test_every_field_is_asked_for_with_its_question():
    text = matrix_messages(load_matrix(), "Titel", "Text")[0]["content"]
    for feld in load_matrix().felder:
        assert feld.leitfrage in text


def test_sources_are_numbered_under_their_full_label():
    text = vergleich_messages(UFER, sources(count=2), "Titel", "Text")[1]["content"]
    assert "[Q1] UFER ML Wahlprogramm 2024, S. 0" in text
    assert "[Q2] UFER ML Wahlprogramm 2024, S. 1" in text


def test_a_kind_of_programme_without_sources_is_named_as_such():
    text = vergleich_messages(UFER, sources(), "Titel", "Text")[1]["content"]
    assert "Keine Quellen im Bestand für: Grundsatzprogramm" in text
    assert "Keine Quellen im Bestand für: Wahlprogramm" not in text


def test_what_never_changes_comes_first():
    """Providers bill a repeated beginning less."""
    one = vergleich_messages(UFER, sources(), "Titel", "Text")
    other = vergleich_messages(Partei(kuerzel="X", name="Y"), [], "Anderer", "Text")
    assert one[0] == other[0]
