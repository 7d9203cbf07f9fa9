"""True and forged quotes: how many are published, reviewed, rejected."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citations.zitatsuche import PUBLISH as PUBLISHED
from citations.zitatsuche import REJECT, Zitatsuche
from citations.zitatzeilen import Zitatzeile

from .faelschen import EITHER, MISLEADING, NEVER, PUBLISH, Faelschung, faelschungen
from .quellen import Ordner
from .zeile import Zeile, at_least, none_of, share

EVAL = Path("eval") / "quotes_adversarial_dev.jsonl"
# Classes and the share of their true quotes that must be published.
BARS = (
    ("roh, gedriftet, über den Seitenwechsel", ("A_raw", "B_drift", "F_crosspage"), 99.5),
    ("mit Auslassung", ("C_ellipsis",), 98.0),
    ("gekürzt", ("E_trunc",), 98.0),
)


@dataclass(frozen=True, slots=True)
class Ergebnis:
    """One quote: its class, what must become of it, and the verdict of check_quotes."""

    klasse: str
    erwartet: str
    zitat: str
    urteil: str
    grund: str


def golden(folder: Path) -> list[Ergebnis]:
    """The folder's golden set, each quote searched in the file that its row names."""
    text = (folder / EVAL).read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return _judge(folder, ((row["klasse"], row["erwartet"], row) for row in rows))


def forged(ordner: Ordner, *, je_klasse: int, seed: int = 1) -> list[Ergebnis]:
    """Quotes of every class made from every file of the folder."""
    quellen = list(ordner.quellen())
    rows: list[tuple[str, str, dict[str, Any]]] = []
    for position, quelle in enumerate(quellen):
        # Not the neighbour, which is often another edition of the same text.
        other = quellen[(position + len(quellen) // 2) % len(quellen)].text
        for one in faelschungen(quelle.text, other, je_klasse=je_klasse, seed=seed):
            rows.append((one.klasse, one.erwartet, _row(quelle.name, one)))
    return _judge(ordner.folder, rows)


def _row(name: str, one: Faelschung) -> dict[str, Any]:
    return {"datei": name, "zitat": one.zitat}


def _judge(folder: Path, rows: Iterable[tuple[str, str, dict[str, Any]]]) -> list[Ergebnis]:
    rows = list(rows)
    zeilen = [Zitatzeile(row["zitat"], row["datei"], row.get("seite")) for _, _, row in rows]
    results = Zitatsuche(folder, lambda stem, partei: True).run(zeilen)
    return [
        Ergebnis(klasse, erwartet, row["zitat"], result["urteil"], result["grund"])
        for (klasse, erwartet, row), result in zip(rows, results, strict=True)
    ]


def zeilen(ergebnisse: list[Ergebnis], woher: str) -> Iterator[Zeile]:
    """The bars; `woher` names the set."""
    never = [one for one in ergebnisse if one.erwartet == NEVER]
    forged = [one for one in never if one.klasse not in MISLEADING]
    yield none_of(f"{woher}: Fälschungen N0–N5 veröffentlicht", _published(forged), len(forged))
    misleading = [one for one in never if one.klasse in MISLEADING]
    wrong = share(_published(misleading), len(misleading)) if misleading else 0.0
    counts = f"{wrong:.2f} % von {len(misleading)}"
    yield Zeile(f"{woher}: irreführend N6, N7 veröffentlicht", counts, "≤ 1 %", wrong <= 1)
    true = [one for one in ergebnisse if one.erwartet == PUBLISH]
    for name, classes, bar in BARS:
        rows = [one for one in true if one.klasse in classes]
        yield at_least(f"{woher}: wahr, {name}, veröffentlicht", _published(rows), len(rows), bar)
    honest = [one for one in ergebnisse if one.erwartet in (PUBLISH, EITHER)]
    rejected = sum(1 for one in honest if one.urteil == REJECT)
    yield none_of(f"{woher}: wahre Zitate abgelehnt", rejected, len(honest))


def _published(ergebnisse: list[Ergebnis]) -> int:
    return sum(1 for one in ergebnisse if one.urteil == PUBLISHED)
