"""The hard cases: each a quote of one trouble, with the page it stands on."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from citations.zitatsuche import PUBLISH, REVIEW, Zitatsuche
from citations.zitatzeilen import Zitatzeile

from .zeile import Zeile

CASES = Path("hardcases.json")


@dataclass(frozen=True, slots=True)
class Fall:
    """`ist_gut`: on the right page with boxes there, or the page rightly said to be unusable."""

    art: str
    datei: str
    seite: int
    urteil: str
    grund: str
    ist_gut: bool


def measure(folder: Path) -> list[Fall]:
    cases = json.loads((folder / CASES).read_text(encoding="utf-8"))
    rows = [Zitatzeile(case["mensch"], case["datei"], case["seite"]) for case in cases]
    results = Zitatsuche(folder, lambda stem, partei: True).run(rows)
    faelle = []
    for case, result in zip(cases, results, strict=True):
        placed = result["seite"] == case["seite"] and bool(result["rects"])
        unusable = result["urteil"] == REVIEW and "Nicht maschinell prüfbar" in result["grund"]
        good = unusable or (placed and result["urteil"] in (PUBLISH, REVIEW))
        faelle.append(
            Fall(case["art"], case["datei"], case["seite"], result["urteil"], result["grund"], good)
        )
    return faelle


def zeilen(folder: Path) -> Iterator[Zeile]:
    faelle = measure(folder)
    good = sum(fall.ist_gut for fall in faelle)
    yield Zeile("harte Fälle", f"{good} von {len(faelle)}", "alle", good == len(faelle))
    for fall in faelle:
        if not fall.ist_gut:
            yield Zeile(f"  {fall.art}, {fall.datei} S. {fall.seite}: {fall.grund}", fall.urteil)
