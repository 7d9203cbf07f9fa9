"""Characters that no name and no title from outside may bring along (pure)."""

import re

from django.core.exceptions import ValidationError

# They turn the direction of the text around them: a title would read otherwise than it is.
RICHTUNG = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Neither PostgreSQL nor UTF-8 takes NUL and half a surrogate pair; the other controls show nothing.
STEUERUNG = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
_UNPLAIN = re.compile(f"[{RICHTUNG}{STEUERUNG}]")


def plain(text: str) -> str:
    """The text without them; blanks and line ends stay."""
    return _UNPLAIN.sub("", text)


def require_plain(text: str) -> str:
    """Raises ValueError with a German sentence."""
    if found := _UNPLAIN.search(text):
        raise ValueError(
            f"Enthält das unsichtbare Zeichen U+{ord(found.group()):04X}; bitte entfernen."
        )
    return text


def validate_plain(value: str) -> None:
    """The same rule for the fields of a model."""
    try:
        require_plain(value)
    except ValueError as error:
        raise ValidationError(str(error)) from error
