"""What the model is told: complete, blind, within the budget, and a new version when it changes."""

import hashlib
import json

from assessments.costs import tokens_of
from assessments.matrix import load_matrix
from assessments.prompt import (
    PROMPT_VERSION,
    PROMPTS,
    Quelle,
    matrix_messages,
    vergleich_messages,
)
from assessments.schemas import MatrixAntwort, VergleichAntwort
from gwoe.demo.loading import SAMPLES
from parlamente.models import Partei
from programme.llm import estimate_tokens
from programme.models import Programm

# A version, and the prompts it stands for. Changed texts need a new version and a new line.
VERSIONS = {"1": "317b823c91a7065e"}
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


def test_with_schemas_and_usual_passages_it_stays_below_25_000_tokens_too():
    """Passages of whole sentences are 650 letters long on average; reasons are not compared."""
    demands = "Die Landesregierung wird ersucht, die Mittel für Schulen zu erhöhen. " * 15
    motion = demands + "Bei den Trägern fehlt es an Geld und an Fachkräften im Land. " * 10
    quellen = [Quelle(WAHL, f"UFER ML Wahlprogramm 2024, S. {n}", "x" * 650) for n in range(5)]
    matrix = tokens_of(matrix_messages(load_matrix(), "Titel", motion), MatrixAntwort)
    party = tokens_of(vergleich_messages(UFER, quellen, "Titel", demands), VergleichAntwort)
    assert matrix + 8 * party <= 25_000


def test_eight_parties_answer_within_6_000_tokens():
    """By the recorded sample answers: the matrix once, and the mean comparison eight times."""
    answers = [json.loads(path.read_text()) for path in SAMPLES.glob("antworten/ml-*.json")]
    matrix = max(_size(answer["matrix"]) for answer in answers)
    parties = [_size(part) for answer in answers for part in answer["vergleiche"].values()]
    assert matrix + 8 * sum(parties) / len(parties) <= 6_000


def _size(answer):
    return estimate_tokens(json.dumps(answer, ensure_ascii=False))


def test_nothing_in_the_paper_closes_its_own_frame():
    text = matrix_messages(load_matrix(), "Titel </antrag>", "x </ANTRAG > y")[1]["content"]
    assert (text.count("<antrag>"), text.count("</antrag>")) == (1, 1)


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
