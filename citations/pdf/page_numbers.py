"""The numbers printed on the pages, which are not the file's own count nor its labels."""

from collections import Counter

from .margins import (
    PAGE_NUMBER,
    PageLines,
    in_band,
    is_outermost,
    page_number,
    recurring_enough,
)

# Numbers that run along with the pages are found on at least this share of them.
NUMBERED_SHARE = 0.2

# (1 or 2 numbers per page, number minus that times the page's place): equal where numbers run along
Series = tuple[int, int]


def printed_numbers(pages: list[PageLines]) -> list[list[str]]:
    """The numbers printed on each page, in reading order; two on a two-up spread.

    Only numbers that run along with the pages are believed: a house number in the foot, a paper's
    own number or a single figure does not.
    """
    candidates = [_candidates(page) for page in pages]
    counts: Counter[Series] = Counter(
        series
        for place, numbers in enumerate(candidates)
        for number in set(numbers)
        for series in _series(number, place)
    )
    enough = max(recurring_enough(len(pages)), int(len(pages) * NUMBERED_SHARE))
    believed = {series: count for series, count in counts.items() if count >= enough}
    per_page = _numbers_per_page(believed)
    return [
        _believed_on(place, numbers, believed, per_page) or _own_count(pages[place], place)
        for place, numbers in enumerate(candidates)
    ]


def _series(number: int, place: int) -> tuple[Series, Series]:
    return (1, number - place), (2, number - 2 * place)


def _numbers_per_page(believed: dict[Series, int]) -> int:
    weight = {n: sum(count for series, count in believed.items() if series[0] == n) for n in (1, 2)}
    return 2 if weight[2] > weight[1] else 1


def _believed_on(
    place: int, numbers: list[int], believed: dict[Series, int], per_page: int
) -> list[str]:
    """The page's numbers that belong to the strongest series, at most two on a spread."""
    strength = {number: believed.get(_series(number, place)[per_page - 1], 0) for number in numbers}
    ranked = sorted((n for n in strength if strength[n]), key=lambda n: -strength[n])
    chosen = set(ranked[:per_page])
    return [str(number) for number in dict.fromkeys(numbers) if number in chosen]


def _own_count(page: PageLines, place: int) -> list[str]:
    """A lone number at the edge that is the page's own count: two pages make no series."""
    for line in page.flow:
        match = PAGE_NUMBER.match(line.text.strip())
        if match and int(match[1]) == place + 1 and is_outermost(line, page):
            return [match[1]]
    return []


def _candidates(page: PageLines) -> list[int]:
    found = []
    for line in page.flow:
        number = page_number(line)
        if number is not None and line.upright and in_band(line, page):
            found.append((line.box[0], number))
    return [number for _, number in sorted(found)]
