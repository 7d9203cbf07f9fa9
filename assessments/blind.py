"""The motion's text without those who submitted it: no parties, Fraktionen, names (ADR 0010). Pure.

What is left out here never reaches a prompt. Quotes are placed in the whole text all the same.
"""

import re
from collections.abc import Iterable

PARTEI = "[Partei]"
PERSON = "[Person]"

# "Antrag der Fraktionen A und B": the rest of the line names who submits.
_SUBMITTERS = re.compile(
    r"\b(?:Dringlicher?\s+)?(?:[A-ZÄÖÜ][\w-]*)?(?:[Aa]ntrag|[Gg]esetzentwurf|[Aa]nfrage)\s+"
    r"(?:der|des|von)\s+(?:Fraktion|Abgeordnete|Gruppe|Abg\.)[^\n]*"
)
_SIGNATURE = re.compile(r"\bund\s+(?:die\s+)?Fraktion(?:en)?\b|\bFraktions?(?:vorsitz|führung)")
_NAMES_ONLY = re.compile(
    r"^(?:(?:Dr|Prof|med|jur|h\.\s?c)\.?\s+|von\s+(?:der\s+)?|van\s+|de\s+|Graf\s+|,\s*|und\s+"
    r"|[A-ZÄÖÜ][\wäöüß.-]*(?:\s+|,\s*|$))+(?:\([^)]*\)\s*)?$"
)
_BEGRUENDUNG = re.compile(r"^(?:Begründung|Zur Begründung)\b")
# Longer paragraphs are prose, whatever they begin with.
MAX_NAME_LINE = 300


def blind_text(text: str, *, parteien: Iterable[str], personen: Iterable[str] = ()) -> str:
    """`text` without submitters, signature blocks, and the given names of parties and people."""
    kept = _without_signatures(_SUBMITTERS.sub("", text).split("\n"))
    blinded = "\n".join(line for line in kept if line.strip())
    blinded = _replace(blinded, personen, PERSON)
    return _collapse(_replace(blinded, parteien, PARTEI))


def _without_signatures(paragraphs: list[str]) -> list[str]:
    """Drops paragraphs of names at the end and before the reasons, and who signs for a Fraktion."""
    kept: list[str] = []
    in_block = True  # from behind: the end of the paper is where signatures stand
    for paragraph in reversed(paragraphs):
        text = paragraph.strip()
        if _is_signature(text) or (in_block and _is_names(text)):
            in_block = True
            continue
        in_block = bool(_BEGRUENDUNG.match(text)) or (in_block and not text)
        kept.append(paragraph)
    return kept[::-1]


def _is_signature(text: str) -> bool:
    short = len(text) <= MAX_NAME_LINE and not text.endswith((".", "!", "?", ";"))
    return short and bool(_SIGNATURE.search(text))


def _is_names(text: str) -> bool:
    return len(text) <= MAX_NAME_LINE and bool(_NAMES_ONLY.match(text))


def _replace(text: str, names: Iterable[str], placeholder: str) -> str:
    """Whole words only, the longest name first, with a "Fraktion" that belongs to it."""
    ordered = sorted({name for name in names if name.strip()}, key=len, reverse=True)
    if not ordered:
        return text
    alternatives = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in ordered)
    pattern = (
        r"(?:\b[Ff]raktion(?:en)?\s+(?:der\s+|von\s+)?)?"
        rf"(?<![\w])(?:{alternatives})(?![\w])(?:-\s?[Ff]raktion(?:en)?)?"
    )
    return re.sub(pattern, placeholder, text)


def _collapse(text: str) -> str:
    """One placeholder for several in a row: their number would tell who governs with whom."""
    several = re.compile(rf"{re.escape(PARTEI)}(?:\s*(?:,|/|und|sowie)\s*{re.escape(PARTEI)})+")
    return several.sub(PARTEI, text).strip()
