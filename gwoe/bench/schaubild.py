"""The checked-in figures of retrieval as a table and a plot for the documentation (pure)."""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from .grundwerte import FIGURES, LAEUFE, ROOT

SEITE = ROOT / "docs" / "reference" / "retrieval.md"
BILD = ROOT / "docs" / "images" / "retrieval.svg"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
FIGURE = "recall@5"

# Colours that keep their contrast on white and on black; each leg has its own shape as well.
LEGS = {
    "hybrid": ("#1a7f5a", '<circle cx="{x}" cy="{y}" r="5"/>'),
    "dense": ("#3f7fc1", '<path d="M{x} {y}m0 -6l6 6l-6 6l-6 -6z"/>'),
    "lexical": ("#b8692e", '<path d="M{x} {y}m0 -6l6 10h-12z"/>'),
    "truthbase": ("#8a6fb0", '<path d="M{x} {y}m-5 -5h10v10h-10z"/>'),
}
LEFT, WIDTH, ROW, GAP, TOP = 190, 480, 18, 16, 52
STYLE = (
    "text{font:13px sans-serif;fill:#222}.l{stroke:#bbb;fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.l{stroke:#555}}"
)


def tabelle(grundwerte: dict[str, Any]) -> str:
    rows = [f"| set | leg | {' | '.join(FIGURES)} |", f"|---|---|{'---|' * len(FIGURES)}"]
    for titel, result in _results(grundwerte):
        for leg, figures in result["legs"].items():
            cells = " | ".join(f"{figures[name]:.3f}" for name in FIGURES)
            rows.append(f"| {titel} (n = {result['n']}) | {leg} | {cells} |")
    rows += ["", "| set | rightly empty | wrongly empty | date | commit |", "|---|---|---|---|---|"]
    for titel, result in _results(grundwerte):
        right, false = (_share(result["empty"][name]) for name in ("right", "false"))
        rows.append(f"| {titel} | {right} | {false} | {result['date']} | `{result['commit']}` |")
    return "\n".join(rows)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def with_tabelle(page: str, grundwerte: dict[str, Any]) -> str:
    """The page with the table between its two marks."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    return pattern.sub(lambda _: f"{BEGIN}\n\n{tabelle(grundwerte)}\n\n{END}", page)


def schaubild(grundwerte: dict[str, Any]) -> str:
    """Per set and leg the figure with its 95 % interval."""
    body, y = [], TOP
    for titel, result in _results(grundwerte):
        body.append(f'<text x="10" y="{y + 5}">{escape(titel)}</text>')
        for leg in (leg for leg in LEGS if leg in result["legs"]):
            body += _row(leg, result["legs"][leg], y)
            y += ROW
        y += GAP
    height = y + 14
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 30} {height}" '
        f'role="img"><title>{FIGURE} of each set and leg with 95 % intervals</title>'
        f"<style>{STYLE}</style>"
    )
    return "\n".join([head, *_legend(), *_axis(y - GAP), *body, "</svg>\n"])


def _row(leg: str, figures: dict[str, Any], y: int) -> Iterator[str]:
    colour, shape = LEGS[leg]
    low, high = (_x(value) for value in figures["intervals"][FIGURE])
    yield f'<path d="M{low} {y}H{high}" stroke="{colour}" stroke-width="2"/>'
    yield f'<g fill="{colour}">{shape.format(x=_x(figures[FIGURE]), y=y)}</g>'


def _legend() -> Iterator[str]:
    for number, (leg, (colour, shape)) in enumerate(LEGS.items()):
        x = LEFT + 110 * number
        yield f'<g fill="{colour}">{shape.format(x=x, y=14)}</g>'
        yield f'<text x="{x + 12}" y="19">{leg}</text>'


def _axis(bottom: int) -> Iterator[str]:
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        yield f'<path class="l" d="M{x} {TOP - 12}V{bottom}"/>'
        yield f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{tenth / 10:.1f}</text>'


def _x(value: float) -> float:
    return round(LEFT + WIDTH * value, 1)


def _results(grundwerte: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    known = (lauf for lauf in LAEUFE if lauf.name in grundwerte)
    return ((lauf.titel, grundwerte[lauf.name]) for lauf in known)
