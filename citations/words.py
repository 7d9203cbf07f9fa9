"""German words that turn a sentence around, and counting letters. Pure."""

import re

_NEGATION = re.compile(
    r"\b(?:nicht|nichts|nie|niemals|niemand\w*|nirgend\w*|kein\w*|weder|ohne)\b", re.IGNORECASE
)
_NUMBER_WORD = re.compile(
    r"(?:\w*(?:hundert|tausend|million|milliarde|zehn|zwanzig|dreissig|dreißig|vierzig|fünfzig|sechzig"
    r"|siebzig|achtzig|neunzig)\w*)|(?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|elf|zwölf)"
    r"(?:te[nmrs]?|mal|tel|fache[nmrs]?)?|drittel|dutzend",
    re.IGNORECASE,
)
# Words that a match must never add, drop or replace: quantity and scope, obligation, direction.
PROTECTED = re.compile(
    r"all(?:e[nmrs]?)?|jede[mnrs]?|manche[nr]?|einige[nr]?|wenige[nr]?|viele[nr]?|mehr|weniger"
    r"|mindestens|höchstens|nur|auch|noch|erst|bereits|schon|immer|teils|teilweise|vollständig"
    r"|ganz|halb|doppelt|beide[nr]?|sämtliche[nr]?|fast|etwa|rund|maximal|minimal"
    r"|muss|müssen|soll(?:en|ten?)?|kann|können|könnten?|darf|dürfen|will|wollen"
    r"|werden|wird|würden?|möchten?|brauch(?:en|t)"
    r"|für|gegen|mit|vor|nach|über|unter|bis|ab|trotz|statt|anstatt|aus(?:s|ß)er|wenn|falls|sofern"
    r"|soweit|aber|oder|sondern|jedoch"
)
# Articles and particles whose change does not change what is promised.
HARMLESS = re.compile(
    r"der|die|das|des|dem|den|eine?[nmrs]?|und|so|da|dort|hier|dabei|dafür|dazu|damit|hierfür"
    r"|hierzu|wir|uns|unsere?[nmrs]?|es|sich"
)


# Words that turn a sentence round as a negation does: "Ein Tempolimit lehnen wir ab."
_REJECTION = re.compile(
    r"\b(?:lehn(?:e|en|t|te|ten)|ab(?:ge|zu)?lehn\w*|verhinder\w*|ab(?:ge|zu)?schaff\w*|verbiet\w*|verbot(?:e|en|s)?"
    r"|untersag\w*|beend\w*|(?:ge)?stopp\w*|verzicht\w*|unterb[iu]nd\w*|widersetz\w*|widersprech\w*"
    r"|verweiger(?:e|n|t|te|ten)|entgegen(?:zu)?(?:stell|tret)\w*|streich(?:en|t)|gestrichen|aufzuheben|aufgehoben"
    r"|kaum|nein)\b"
    # Separated: "Wir schaffen die Rente mit 67 ab." Not: "Wir schaffen Platz ab 2025."
    r"|\b(?:schaff(?:e|en|t|te|ten)\b.*\bab|heb(?:e|en|t)\b.*\bauf|weis(?:e|en|t)\b.*\bzurück"
    r"|(?:stell|tret)(?:e|en|t)\b.*\bentgegen)(?=\s*(?:[^\w\s]|$)|\s+(?:und|oder|sowie)\b)",
    re.IGNORECASE | re.DOTALL,
)
# "gegen die geplante |": no noun and no comma stands between such a word and what it turns round.
_AGAINST = re.compile(
    r"\b(?:gegen|statt(?!\s+dessen\b)|anstatt|anstelle|wider|kontra|contra)"
    r"(?-i:\s+(?!und\b|oder\b)[a-zäöüß]\w*)*[\s(„“”\"'‚‘»«›‹]*$",
    re.IGNORECASE,
)


def rejections_in(text: str) -> list[str]:
    return _REJECTION.findall(text)


def turns_next(before: str) -> bool:
    """Whether what follows on `before` is what somebody is against, or has something else for."""
    return bool(_AGAINST.search(before))


def letters_in(text: str) -> int:
    return sum(map(str.isalpha, text))


def negations_in(text: str) -> list[str]:
    return _NEGATION.findall(text)


def is_negation(word: str) -> bool:
    return bool(_NEGATION.fullmatch(word))


def has_digit(word: str) -> bool:
    """Whether the word says a number, in figures or written out."""
    return any(char.isdigit() for char in word) or bool(_NUMBER_WORD.fullmatch(word))


def is_protected(word: str) -> bool:
    return bool(PROTECTED.fullmatch(word))


def is_harmless(word: str) -> bool:
    return bool(HARMLESS.fullmatch(word))
