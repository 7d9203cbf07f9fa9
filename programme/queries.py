"""Cutting a motion into the questions that its parties' programmes are searched with (pure)."""

import re

from citations.sentences import satz_spans

# Shorter pieces ("Begründung", "Der Landtag wolle beschließen") ask nothing.
MIN_CHARACTERS = 25
# A long bill says what it is about on its first pages; each question costs a scan of all vectors.
MAX_PIECES = 40
# The title counts as much as a third of the sentences: recall@5 of the golden motions .87 with it,
# .84 with the title once (docs/reference/programme.md).
TITLE_SHARE = 3

# Enumerations run on within a sentence: "…; 2. den Ankauf …; 3. …".
_ITEM = re.compile(r"[;:]\s+(?=(?:\d{1,2}\.|\d{1,2}\)|[a-z]\))\s)|;\s+")


def motion_queries(titel: str, text: str) -> list[str]:
    """The title, repeated by its weight, and the sentences and list items of the text."""
    sentences = [text[slice(*span)] for span in satz_spans(text)]
    pieces = [piece.strip() for sentence in sentences for piece in _ITEM.split(sentence)]
    meant = [piece for piece in pieces if len(piece) >= MIN_CHARACTERS][:MAX_PIECES]
    return [titel] * max(1, len(meant) // TITLE_SHARE) + meant
