"""Bullets in any disguise: signs of symbol fonts, private-use signs, control characters."""

import re

from .glyphs import Line

BULLET = "•"
# Fonts whose letters are pictures; the letter "n" of one of them is a square.
SYMBOL_FONT = re.compile(r"dingbat|wingding|webding|symbol|bullet|marlett|zapf", re.IGNORECASE)
# Signs that are bullets in any font at the beginning of a line.
SIGNS = frozenset("•·●○◦■□▪▫▶►▸‣✓✔✗✘➔➜➤➢❖◆◇♦★☆→⇒\u0001\u0002\u0004\u0007\u0008\u000f\u0084\u0095")
# As many signs make a bullet at most: "ñ" and its private-use twin.
MAX_SIGNS = 3


def without_bullet(line: Line) -> tuple[Line, Line | None]:
    """The line without the bullet it begins with, and the bullet if it has one."""
    text = line.text
    begin = len(text) - len(text.lstrip())
    end = begin
    fonts = [run.font for run in line.runs for _ in run.text]
    while end < len(text) and end - begin < MAX_SIGNS and _is_sign(text[end], fonts[end]):
        end += 1
    if end == begin or (end < len(text) and text[end].isalnum() and not _stands_off(line, end)):
        return line, None
    return line.part(end), line.part(begin, end)


def _is_sign(char: str, font: str) -> bool:
    if char.isspace():
        return False
    return char in SIGNS or "\ue000" <= char <= "\uf8ff" or bool(SYMBOL_FONT.search(font))


def _stands_off(line: Line, end: int) -> bool:
    """A gap between the sign and the word; some papers set no blank there."""
    sign, word = line.boxes[end - 1], line.boxes[end]
    return word[0] - sign[2] > 0.15 * (word[3] - word[1])
