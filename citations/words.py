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
    r"\b(?:lehn(?:en|t|te|ten)|ab(?:ge)?lehn\w*|verhinder\w*|abschaff\w*|abgeschafft|verbiet\w*|verboten"
    r"|beend\w*|stopp(?:en|t)|verzicht(?:en|et)|unterbind\w*|kaum)\b",
    re.IGNORECASE,
)


def rejections_in(text: str) -> list[str]:
    return _REJECTION.findall(text)


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
