"""Where sentences begin and end in flow text. Pure."""

import re

# A sentence end, with closing quotation marks and brackets behind it, before blank and beginning.
_END = re.compile(r"(?<![.!?…])[.!?…]++[“”\"»«)\]]*+(?=\s+[„\"»«(\[–•]*\s*[A-ZÄÖÜ0-9])|\n+")
# A single letter ("z. B.", initials) counts as an abbreviation anyway.
_ABBREVIATION = re.compile(
    r"\b(?:\w|abs|art|bd|bspw|bzgl|bzw|ca|co|dr|drs|einschl|etc|evtl|exkl|ff|ggf|ggü|gem|inkl|insb"
    r"|insbes|jr|lit|max|mind|mio|mrd|nr|prof|rd|rn|sog|st|std|str|tel|tsd|usw|vgl|zzgl"
    r"|jan|feb|mär|apr|jun|jul|aug|sept|okt|nov|dez)$",
    re.IGNORECASE,
)
# "am 3. März" goes on, "seit 2016. Wir" ends: ordinals have at most two figures.
_ORDINAL = re.compile(r"(?<!\d)\d{1,2}$")
# Longer than any word above; bounds the search.
_LOOK_BACK = 12


def satz_spans(text: str) -> list[tuple[int, int]]:
    """Start and end (exclusive) of each sentence, without the blanks around it.

    Headings and list items end at a line feed. "Nr. 3", "z. B." and ordinals ("3. März") do not
    end a sentence.
    """
    spans = []
    start = 0
    for match in _END.finditer(text):
        if text[match.start()] != "\n" and not _ends_sentence(text, match):
            continue
        spans.append(_trimmed(text, start, match.end()))
        start = match.end()
    spans.append(_trimmed(text, start, len(text)))
    return [(begin, end) for begin, end in spans if begin < end]


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    if text[match.start()] != ".":
        return True
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    return not (_ABBREVIATION.search(before) or _ORDINAL.search(before))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
