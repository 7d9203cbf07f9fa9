"""The motion's text without those who submitted it: no parties, Fraktionen, names (ADR 0010). Pure.

What is left out here never reaches a model. Quotes are placed in the whole text all the same.
"""

import re
from dataclasses import dataclass
from functools import cached_property

PARTEI = "[Partei]"
PERSON = "[Person]"

# "Antrag der Fraktionen A und B": the rest of the line names who submits.
_SUBMITTERS = re.compile(
    r"\b(?:Dringlicher?\s+)?(?:[A-ZÄÖÜ][\w-]*)?(?:[Aa]ntrag|[Gg]esetzentwurf|[Aa]nfrage)\s+"
    r"(?:der|des|von)\s+(?:Fraktion|Abgeordnete|Gruppe|Abg\.)[^\n]*"
)
_FRAKTION_BEHIND = re.compile(
    r"\s+(?:und|für\s+die)\s+(?:die\s+)?(?:Fraktion(?:en)?|Gruppe)"
    r"(?:\s+(?:der\s+)?[\w./ -]{2,40})?\s*$"
)
_TITLE = r"(?:gez\.?|Abg\.?|Dr|Prof|med|jur|h\.\s?c|MdL|MdB|von|der|zu|van|de|Graf|und)\b\.?"
_NAME = r"[A-ZÄÖÜ][\wäöüß]*(?:[-.'’][A-ZÄÖÜa-zäöü]*)*"
_NAMES_ONLY = re.compile(rf"^(?:(?:{_TITLE}|{_NAME}|\([^)\d]*\)|,|;)\s*)+$")
_ADDRESSED = re.compile(
    rf"\b((?:die|der|den|dem)?\s*(?:Abgeordneten?|Abg\.|Herrn?|Frau))\s+"
    rf"(?:(?:Dr|Prof)\.?\s+)*{_NAME}(?:\s+{_NAME})?(?:\s+\([^)\d]*\))?"
)
_BEGRUENDUNG = re.compile(r"^(?:Zur\s+)?Begründung\b")
# Longer paragraphs are prose, whatever they begin with.
MAX_NAME_LINE = 300
# Shorter names in capitals are acronyms ("CDU"); longer ones are also written as words ("Grüne").
MAX_ACRONYM = 4
# What stands in an originator's line beside the name.
_NOT_A_NAME = re.compile(r"\([^)]*\)|\b(?:Dr|Prof|Md[LB]|u\.\s?a)\b\.?")


@dataclass(frozen=True)
class Blende:
    """Everything that must not be seen: the names of all parties, and of the motion's people."""

    parteien: tuple[str, ...]
    personen: tuple[str, ...] = ()

    def text(self, text: str) -> str:
        """A whole motion: without submitters and signatures, names replaced by placeholders."""
        kept = _without_signatures(_SUBMITTERS.sub("", text).split("\n"))
        return self.phrase("\n".join(line for line in kept if line.strip()))

    def phrase(self, text: str) -> str:
        """A title or a sentence with its names replaced."""
        for pattern in self._persons:
            text = pattern.sub(PERSON, text)
        text = _ADDRESSED.sub(rf"\1 {PERSON}", text)
        if self._parties:
            text = self._parties.sub(PARTEI, text)
        return _collapse(text)

    @cached_property
    def _parties(self) -> re.Pattern[str] | None:
        """Whole words only, the longest name first, with a "Fraktion" that belongs to it."""
        names = sorted({name.strip() for name in self.parteien if name.strip()}, key=len)[::-1]
        if not names:
            return None
        alternatives = "|".join(map(_party_pattern, names))
        return re.compile(
            r"(?:\b(?:Land(?:tags)?|Bundestags)?-?[Ff]raktion(?:en)?\s+(?:der\s+|von\s+)?)?"
            rf"(?<!\w)(?:{alternatives})(?!\w)(?:-\s?(?:Landtags|Bundestags)?[Ff]raktion(?:en)?)?"
        )

    @cached_property
    def _persons(self) -> list[re.Pattern[str]]:
        spellings = {form for person in self.personen for form in _spellings(person)}
        return [
            re.compile(rf"(?<!\w){_spaced(form)}(?!\w)", re.IGNORECASE)
            for form in sorted(spellings, key=len, reverse=True)
        ]


def _party_pattern(name: str) -> str:
    """How a party's name may be written, inflected and in other capitals."""
    if len(name) <= MAX_ACRONYM and name.upper() == name:
        return re.escape(name)
    if re.search(r"[\s/]", name):
        return rf"(?i:{_spaced(name)})[nrs]?"
    forms = dict.fromkeys([name, name.capitalize(), name.upper()])
    return rf"(?:{'|'.join(map(re.escape, forms))})[nrs]?"


def _spaced(name: str) -> str:
    """The name with any blanks, and any blanks around a slash."""
    words = [re.escape(word) for word in re.split(r"\s+", name.strip())]
    return r"\s+".join(words).replace("/", r"\s*/\s*")


def _spellings(person: str) -> list[str]:
    """A person as "First Last" and "Last, First", from any form a source writes.

    `Otto, Andreas (Grüne)`, `Weiß, Marius, SPD`, `Preuß, Peter CDU`, `Bernd Rudolph BSW`.
    """
    parts = [part.split() for part in _NOT_A_NAME.sub(" ", person).split(",")]
    names = [[word for word in part if not _is_acronym(word)] for part in parts]
    names = [part for part in names if part]
    if not names:
        return []
    if len(names) == 1:
        first, last = " ".join(names[0][:-1]), names[0][-1]
    else:
        first, last = " ".join(names[1]), " ".join(names[0])
    return [f"{first} {last}", f"{last}, {first}"] if first else []


def _is_acronym(word: str) -> bool:
    return len(word) >= 2 and (word.isupper() or word == "AfD")


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
    """Names, and behind them for which Fraktion they sign."""
    if len(text) > MAX_NAME_LINE:
        return False
    names, count = _FRAKTION_BEHIND.subn("", re.sub(r"\([^)]*\)\s*$", "", text).rstrip())
    return bool(count) and _is_names(names)


def _is_names(text: str) -> bool:
    return len(text) <= MAX_NAME_LINE and bool(_NAMES_ONLY.match(text))


def _collapse(text: str) -> str:
    """One placeholder for several in a row: their number would tell who stands together."""
    article = r"(?:(?:die|der|den|dem|des)\s+)?"
    mark = re.escape(PARTEI)
    several = re.compile(rf"{mark}(?:\s*(?:,|/|und|oder|sowie)\s*{article}{mark})+")
    return several.sub(PARTEI, text).strip()
