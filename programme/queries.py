"""What the parties' programmes are asked: the parts of a motion, or somebody's question (pure)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citations.sentences import satz_spans

# Shorter pieces ("Begründung", "1. a)") ask nothing.
MIN_CHARACTERS = 25
# A long bill says what it is about on its first pages; each question costs a look at all passages.
MAX_FORDERUNGEN = 12
# One question per so many characters of a long demand, and of the reasons, which speak of the same
# subject in other words.
PIECE_CHARACTERS, MAX_CHARACTERS = 400, 800
MAX_REASONS = 4
# All demands together count 1. Of ten weightings tried on the golden motions this was the best.
TITLE_WEIGHT = 0.5
REASONS_WEIGHT = 0.5


@dataclass(frozen=True)
class Frage:
    """One view of what is asked. `forderung` is the number of the motion's demand, from 1.

    `nennt_thema` where its nouns name the subject: who never says them says nothing of it.
    """

    text: str
    gewicht: float = 1.0
    forderung: int | None = None
    nennt_thema: bool = False

    @property
    def nomen(self) -> list[str]:
        return _NOUN.findall(self.text) if self.nennt_thema else []


_NOUN = re.compile(r"\b[A-ZÄÖÜ][\w-]{3,}")
# "Der Landtag wolle beschließen: Die Landesregierung wird ersucht, …": who shall do what how.
_HAUS = (
    r"\b(?:Der|Die|Das)\s+(?:\w+\s+)?(?:Landtag|Bundestag|Bürgerschaft|Abgeordnetenhaus)"
    r"(?:\s+\(Landtag\))?"
)
_REGIERUNG = r"(?:Bundesregierung|Landesregierung|Staatsregierung|Senat)"
_FORMULA = re.compile(
    rf"{_HAUS}\s+(?:wolle|möge)\s+(?:bitte\s+)?beschließen\s*:?"
    rf"|{_HAUS}(?:\s+\w+){{0,3}}?\s+fordert\s+(?:\w+\s+){{0,3}}{_REGIERUNG}\s+auf\s*[,:]?"
    r"(?:\s*(?:einen|den)\s+Gesetzentwurf\s+vorzulegen\s*,\s*der\b)?"
    rf"|\b(?:Die|Der)\s+{_REGIERUNG}\s+wird\s+"
    r"(?:\w+\s+)?(?:ersucht|aufgefordert|gebeten|beauftragt)\s*[,:]?"
)
_REASONS = re.compile(r"^[ \t]*(?:Zur[ ]+)?Begründung[ \t]*(?::|$)", re.MULTILINE | re.IGNORECASE)
# The names under a motion: a line with place and date, or "… und Fraktion".
_SIGNATURES = re.compile(
    r"^[ \t]*(?:[A-ZÄÖÜ][\w-]+,[ ]+(?:den[ ]+)?\d{1,2}\.[ ]*(?:\w+|\d{1,2}\.)[ ]*\d{4}[ \t]*$"
    r"|[^\n]{0,120}\bund[ ]+(?:die[ ]+)?Fraktion[ \t]*$)[\s\S]*",
    re.MULTILINE,
)
# Enumerations run on within a sentence: "…; 2. den Ankauf …; 3. …". A comma before a figure may
# be a date's, and "der 2. Fremdsprache" is no item.
_ITEM = re.compile(
    r"(?:^|(?<=[;:.\n])|(?<=\bder)(?=\s+1\.))[ \t]*"
    r"(?=(?:\(?\d{1,2}[.)]|\(?[a-z]\)|[•–-])[ \t]+\S)"
    r"|,\s+(?=(?:\(?1[.)]|\(?a\))[ \t])|;\s+|\n[ \t]*\n",
    re.MULTILINE,
)
_MARK = re.compile(r"^(?:\(?(\d{1,2})[.)]|\(?[a-z]\)|[•–-])\s+")


def motion_queries(titel: str, text: str) -> list[Frage]:
    """The title, each demand, and the reasons in a few pieces; no formulas, no signatures."""
    before, *behind = _REASONS.split(text, maxsplit=1)
    demands = _demands(before)
    reasons = _pieces(_SIGNATURES.sub("", behind[0] if behind else ""))[:MAX_REASONS]
    title = [Frage(titel.strip(), TITLE_WEIGHT, nennt_thema=True)] if titel.strip() else []
    share = REASONS_WEIGHT / max(len(reasons), 1)
    weight = 1 / max(len(demands), 1)
    return [
        *title,
        *(Frage(piece, weight, number, nennt_thema=True) for number, piece in demands),
        *(Frage(piece, share) for piece in reasons),
    ]


def _demands(text: str) -> list[tuple[int | None, str]]:
    """Each with its number in the motion, as far as it has one."""
    # What stands before the first formula is the paper's head.
    first = _FORMULA.search(text)
    plain = _FORMULA.sub("\n\n", text[first.start() :] if first else text)
    demands: list[tuple[int | None, str]] = []
    for item in _ITEM.split(_SIGNATURES.sub("", plain)):
        mark = _MARK.match(item.strip())
        words = item.strip()[mark.end() if mark else 0 :]
        for piece in _pieces(words, shortest=2 if mark else MIN_CHARACTERS):
            demands.append((int(mark[1]) if mark and mark[1] else None, piece))
    return demands[:MAX_FORDERUNGEN]


def _pieces(text: str, *, shortest: int = MIN_CHARACTERS) -> list[str]:
    """Whole sentences, some together; a longer one is cut."""
    pieces: list[str] = []
    for start, ende in satz_spans(text):
        satz = text[start:ende][:MAX_CHARACTERS]
        if pieces and len(pieces[-1]) + len(satz) < PIECE_CHARACTERS:
            pieces[-1] += f" {satz}"
        else:
            pieces.append(satz)
    return [piece for piece in pieces if len(piece) >= shortest]


# --- Somebody's question ------------------------------------------------------------------------

# "nach den Plänen der …", "laut …": that somebody is asked, not what.
_STANCE = (
    r"(?:Willen|Wunsch|Plan|Plänen|Vorstellung(?:en)?|Ansicht|Auffassung|Meinung|Sicht|Überzeugung"
    r"|Position|(?:Wahl|Regierungs|Grundsatz)?[Pp]rogramm)\b"
)
_JAHR = r"(?:19|20)\d\d"
_ARTICLE = r"(?:\b(?:[Dd]ie|[Dd]er|dem|den|[Dd]as|des)\s+)?"
# Names that no list of parties has.
_COLLOQUIAL = {"Union", "Unionsparteien", "Liberalen", "Sozialdemokraten", "Christdemokraten"}


# How a question begins says nothing about its subject.
_FRAME = re.compile(
    r"^(?:Wie\s+(?:steht|stehen|bewerte[nt]+|beurteil\w+)(?:\s+dazu,\s+(?:dass|wenn))?"
    r"|Was\s+(?:h(?:ält|alten)(?:\s+davon,)?|sag(?:t|en)|plan(?:t|en)|versprech\w+|verspricht"
    r"|forder[nt]|fordert|ha(?:t|ben)|wird\s+aus|würde\s+sich|will|wollen)"
    r"|Woll(?:en|te|ten)|Will|Fordern|Fordert|Ist|Sind|Soll(?:en|te|ten)?|Dürfen|Darf|Müssen|Muss"
    r"|Können|Kann|Wird|Werden)(?![\w-]),?\s*"
)


class Namen:
    """The names that a question says although the search knows them: parties, and Länder.

    They are no part of what is asked, and draw an embedding to every passage that says them
    (docs/adr/0022).
    """

    def __init__(self, parteien: Iterable[str], laender: Iterable[str]) -> None:
        land = _alternatives(set(laender) - {"Bund"})  # what the Bund shall do is asked
        spelt = {form for name in parteien for form in _inflected(name)} | _COLLOQUIAL
        name = _alternatives(spelt)
        partei = (
            rf"{_ARTICLE}\b(?:{name})s?(?:\s+und\s+(?:{name}))?\b(?:-{_STANCE}\b)?"
            rf"(?:\s+(?:{land})\b)?(?:\s+{_JAHR}\b)?"
        )
        self._patterns = [
            re.compile(pattern)
            for pattern in (
                rf"\b(?:in|im|für|aus)\s+(?:Land\s+)?(?:{land})\b|\b(?:{land})s\b",
                r"\bim\s+(?:Land|Freistaat|Bundesland|Süden|Südwesten|Norden|Osten)\b",
                rf"\b(?:von|im\s+Jahr|seit|bis(?:\s+zum\s+Jahr)?)\s+{_JAHR}\b",
                rf",?\s+wenn\s+(?:es\s+nach\s+)?{partei}[^,?]{{0,25}}(?=[,?])",
                rf"\b(?:nach|laut|gemäß|aus|in)\s(?:(?:dem|den|der|ihrem|seinem)\s)?{_STANCE}"
                rf"\s?(?:(?:der|des|von)\s)?(?:{partei})?",
                rf"\b(?:laut|nach|bei|mit|von)\s{partei}",
                partei,
            )
        ]

    def without(self, frage: str) -> str:
        """The subject of the question; all of it where nothing else is left."""
        rest = frage
        for pattern in self._patterns:
            rest = pattern.sub(" ", rest)
        rest = re.sub(r"\s+([,?.])", r"\1", " ".join(rest.split()))
        rest = _FRAME.sub("", rest)
        return rest if sum(map(str.isalpha, rest)) >= 3 else frage


def is_named(names: Iterable[str], frage: str) -> bool:
    """Whether the question names the party in one of its spellings."""
    forms = {form for name in names for form in _inflected(name)}
    return bool(re.search(rf"\b(?:{_alternatives(forms)})s?\b", frage))


def _inflected(name: str) -> set[str]:
    """ "GRÜNE" is also written "Grüne" and "Grünen"."""
    forms = {name, name.title()} if name.isupper() and len(name) > 4 else {name}
    return forms | {f"{form}n" for form in forms if form.endswith("e")}


def _alternatives(names: Iterable[str]) -> str:
    """Longer names first; what matches nothing where there are none."""
    ordered: Sequence[str] = sorted({name for name in names if name}, key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in ordered) or r"(?!)"
