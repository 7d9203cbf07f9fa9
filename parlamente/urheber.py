"""Originators of a motion: splitting what a source wrote and resolving it to parties.

Pure: strings and tables in, values out. The forms are those of the seventeen parliaments
("CDU, SPD", "Otto, Andreas (Grüne)", "Weiß, Marius, SPD; …", "Preuß, Peter CDU",
"Landesregierung (Ministerium für …)"); docs/reference/parlamente.md lists them.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import TextChoices

from .zeichen import plain


class UrheberArt(TextChoices):
    FRAKTION = "fraktion", "Fraktion oder Gruppe"
    PERSON = "person", "Mitglied des Parlaments"
    REGIERUNG = "regierung", "Regierung"
    PARLAMENT = "parlament", "Parlament oder Ausschuss"
    SONSTIGE = "sonstige", "sonstige"


@dataclass(frozen=True)
class UrheberEntwurf:
    """One originator: as written, what it is, and the Kürzel of its parties.

    `bekannt` is False for a wording that no rule knows; it is kept all the same.
    """

    roh: str
    art: UrheberArt
    kuerzel: tuple[str, ...] = ()
    bekannt: bool = True


@dataclass(frozen=True)
class Tafel:
    """The spellings of parties: folded spelling → Kürzel ("cdu/csu" stands for two)."""

    kuerzel: Mapping[str, tuple[str, ...]]
    muster: re.Pattern[str]


# What may stand around the name of a group: "Fraktion der SPD im Landtag", "FDP (Gruppe)".
_GROUP_WORDS = re.compile(
    r"(?:\W|\b(?:fraktion(?:en)?|gruppen?|parlamentarische|de[rsnm]|die|und|sowie|vo[nm]|im|in|u|a"
    r"|abg|abgeordnete[rn]?|mitglied(?:er)?|md[lba]|mdbb|landtags?|bundestag(?:es)?|bürgerschaft"
    r"|abgeordnetenhaus(?:es)?)\b)*",
    re.IGNORECASE,
)
_FRAKTIONSLOS = re.compile(r"\bfraktionslos(?:e[nrs]?)?\b", re.IGNORECASE)
# The order matters: the president of the audit office is neither government nor parliament,
# and "Ministerpräsident" ends like "Präsident".
_BODIES = [
    (
        UrheberArt.SONSTIGE,
        r"volksinitiative|volksbegehren|volksantrag|bürgerantrag|bürgerschaftliche deputation"
        r"|(?:präsident\w* des )?(?:landes|bundes)?rechnungshof|rechnungshof"
        r"|\w*datenschutz|\w*beauftragte",
    ),
    (
        UrheberArt.REGIERUNG,
        r"(?:landes|staats|bundes)?regierung|lreg\b|senat(?:s\w*)?\b|senator(?:in)?\b|staatskanzlei"
        r"|sk$|\w*ministerium|\w*minister(?:in|ien|präsident\w*)?\b|präsident\w* des senats"
        r"|(?:regierende\w? )?bürgermeister",
    ),
    (
        UrheberArt.PARLAMENT,
        r"(?:landtags|bundestags|bürgerschafts)?(?:vize)?präsident|präsidium|ältestenrat"
        r"|\w*ausschuss|enquete-?kommission|bürgerschaftsvorstand",
    ),
]
_BODY_PATTERNS = [
    (art, re.compile(rf"(?:der |die |das )?(?:{pattern})", re.IGNORECASE))
    for art, pattern in _BODIES
]
_IN_PARENTHESES = re.compile(r"(?P<name>[^()]+)\((?P<party>[^()]+)\)$")


def tidy(text: str) -> str:
    """NFC, plain, no soft hyphens, no blanks around slashes, single blanks."""
    text = unicodedata.normalize("NFC", plain(text)).replace("\u00ad", "")
    return re.sub(r"\s+", " ", re.sub(r"\s*/\s*", "/", text)).strip()


def fold(name: str) -> str:
    """The form in which two spellings of a party are the same."""
    return tidy(name).casefold().removesuffix(".")


def build_tafel(
    parteien: Iterable[tuple[str, Iterable[str]]], eigene: Mapping[str, Sequence[str]]
) -> Tafel:
    """All spellings of the parties (Kürzel, spellings); those of one parliament win."""
    kuerzel: dict[str, tuple[str, ...]] = {
        fold(name): (party,) for party, names in parteien for name in (party, *names)
    }
    kuerzel |= {fold(name): tuple(parties) for name, parties in eigene.items()}
    # The longest first, so that "BVB/FREIE WÄHLER" is not taken for "FREIE WÄHLER".
    longest_first = sorted(kuerzel, key=len, reverse=True)
    either = "|".join(re.escape(name) for name in longest_first) or r"(?!)"
    return Tafel(kuerzel, re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE))


def resolve_urheber(text: str, tafel: Tafel) -> list[UrheberEntwurf]:
    """Everyone named in `text`, in its order, without repetitions."""
    found = [
        urheber
        for group in _split(tidy(text), ";")
        for urheber in _resolve_list(_split(group, ","), tafel)
    ]
    return list(dict.fromkeys(found))


def _split(text: str, separator: str) -> list[str]:
    """At `separator` outside parentheses; empty pieces vanish."""
    pieces, depth = [""], 0
    for character in text:
        depth = max(0, depth + (character == "(") - (character == ")"))
        if character == separator and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [piece.strip() for piece in pieces if piece.strip()]


def _resolve_list(pieces: list[str], tafel: Tafel) -> list[UrheberEntwurf]:
    """Pieces between commas, put together again where the comma belongs to a name."""
    result: list[UrheberEntwurf] = []
    names: list[str] = []  # pieces that may be the beginning of "surname, first name"
    for position, piece in enumerate(pieces):
        found = _resolve_piece(piece, tafel)
        if not found and not names and _continues(result, piece):
            result[-1] = _joined([result[-1].roh, piece], result[-1])
        elif not found or _is_surname(pieces[position : position + 3], tafel):
            names.append(piece)
        elif _completes_name(names, found):
            result.append(_joined([*names, piece], found[0]))
            names = []
        else:
            result += _unknown(names, tafel) + found
            names = []
    return result + _unknown(names, tafel)


def _resolve_piece(piece: str, tafel: Tafel) -> list[UrheberEntwurf]:
    """One piece on its own; empty where no rule knows it."""
    for art, pattern in _BODY_PATTERNS:
        if pattern.match(piece):
            return [UrheberEntwurf(piece, art)]
    return _as_group(piece, tafel) or _as_person(piece, tafel)


def _as_group(piece: str, tafel: Tafel) -> list[UrheberEntwurf]:
    """ "Fraktion der SPD"; a piece that names several ("SPD und FDP") becomes several."""
    hits = list(tafel.muster.finditer(piece))
    if not hits or not _GROUP_WORDS.fullmatch(tafel.muster.sub(" ", piece)):
        return []
    names = [piece] if len(hits) == 1 else [hit.group() for hit in hits]
    return [
        UrheberEntwurf(name, UrheberArt.FRAKTION, tafel.kuerzel[fold(hit.group())])
        for name, hit in zip(names, hits, strict=True)
    ]


def _as_person(piece: str, tafel: Tafel) -> list[UrheberEntwurf]:
    """ "Martin Schmidt (AfD)", "Bernd Rudolph BSW", "Abg. Beispiel (fraktionslos)"."""
    if _FRAKTIONSLOS.search(piece):
        return [UrheberEntwurf(piece, UrheberArt.PERSON)]
    if match := _IN_PARENTHESES.match(piece):
        parties = _as_group(match["party"], tafel)
        kuerzel = tuple(k for party in parties for k in party.kuerzel)
        return [UrheberEntwurf(piece, UrheberArt.PERSON, kuerzel)] if kuerzel else []
    # Only at the end: a name may contain what is also a party ("Anna Grüne SPD").
    last = next((h for h in tafel.muster.finditer(piece) if h.end() == len(piece)), None)
    if last and last.start() > 0:
        return [UrheberEntwurf(piece, UrheberArt.PERSON, tafel.kuerzel[fold(last.group())])]
    return []


def _is_surname(pieces: list[str], tafel: Tafel) -> bool:
    """Whether the first piece, though the name of a party, is a surname: "Linke, Peter (SPD)"."""
    if len(pieces) < 2 or not re.fullmatch(r"[A-ZÄÖÜ][a-zäöüß]+", pieces[0]):
        return False
    if re.fullmatch(r"\w[\w-]+( \w\.)? ?(\(.+\)|\S+)", pieces[1]):
        following = _resolve_piece(pieces[1], tafel)
        if following and following[0].art == UrheberArt.PERSON:
            return True
    first_name = re.fullmatch(r"\w[\w-]+( \w\.)?", pieces[1])
    third = _as_group(pieces[2], tafel) if len(pieces) > 2 else []
    return bool(first_name and third and not _resolve_piece(pieces[1], tafel))


def _completes_name(names: list[str], found: list[UrheberEntwurf]) -> bool:
    """ "Otto" + "Andreas (Grüne)"; "Weiß" + "Marius" + "SPD"; "Götz Frömming" + "MdB" + "AfD"."""
    if len(found) > 1 or any(re.search(r"\d", name) or name.count(" ") > 2 for name in names):
        return False
    expected = {UrheberArt.PERSON: 1, UrheberArt.FRAKTION: 2}
    return len(names) == expected.get(found[0].art)


def _continues(result: list[UrheberEntwurf], piece: str) -> bool:
    """ "Ministerium für Umwelt" + "Klima und Energie": a comma inside the name of a body."""
    bodies = (UrheberArt.REGIERUNG, UrheberArt.PARLAMENT)
    return bool(result) and result[-1].art in bodies and " für " in result[-1].roh


def _joined(pieces: list[str], last: UrheberEntwurf) -> UrheberEntwurf:
    art = UrheberArt.PERSON if last.art == UrheberArt.FRAKTION else last.art
    return UrheberEntwurf(", ".join(pieces), art, last.kuerzel)


def _unknown(names: list[str], tafel: Tafel) -> list[UrheberEntwurf]:
    """Names that nothing completed: what they are on their own, else kept as they are."""
    result: list[UrheberEntwurf] = []
    for name in names:
        result += _resolve_piece(name, tafel) or [
            UrheberEntwurf(name, UrheberArt.SONSTIGE, bekannt=False)
        ]
    return result
