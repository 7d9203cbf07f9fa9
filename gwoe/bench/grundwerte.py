"""The figures of retrieval that are checked in: measured anew, compared, written.

The sets that ship are always measured, those of the folder of real documents where it is at hand.
"""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from .quellen import SAMPLES

ROOT = Path(settings.BASE_DIR)
DATEI = ROOT / "docs" / "evals" / "retrieval-baseline.json"
# Figures are stored with four digits.
LAST_DIGIT = 0.0001
FIGURES = ("recall@1", "recall@5", "recall@8", "mrr@10", "ndcg@5")

Ergebnis = dict[str, Any]


@dataclass(frozen=True)
class Lauf:
    """One evaluation: golden sets, and whether the party is given."""

    name: str
    titel: str
    saetze: tuple[str, ...]
    without_party: bool = False
    ships: bool = False

    def files(self, shared: Path | None) -> list[Path]:
        """None where the folder of real documents is absent."""
        if self.ships:
            folder = ROOT / "programme" / "data" / "pruefsatz"
        elif shared:
            folder = shared / "data" / "eval"
        else:
            return []
        return [folder / name for name in self.saetze]


MUSTER = ("fragen.jsonl", "antraege.jsonl")
LAEUFE = (
    Lauf("muster", "Shipped set", MUSTER, ships=True),
    Lauf("muster_ohne_partei", "Shipped set, no party", MUSTER, without_party=True, ships=True),
    Lauf("fragen", "Questions", ("golden_fragen.jsonl",)),
    Lauf("fragen_ohne_partei", "Questions, no party", ("golden_fragen.jsonl",), without_party=True),
    Lauf("antraege", "Motions", ("golden_antraege.jsonl",)),
    Lauf("xquad", "XQuAD-de", ("xquad.de.json",)),
)


def measure(lauf: Lauf, shared: Path | None, *, legs: str = "") -> Ergebnis | None:
    """What `eval_retrieval --json` says, without tags; None where the set is not at hand."""
    files = lauf.files(shared)
    if not files:
        return None
    options: dict[str, Any] = {"without_party": lauf.without_party}
    if lauf.ships:
        options["pdf_dir"] = SAMPLES
    if legs:
        options["legs"] = legs
    out = StringIO()
    call_command("eval_retrieval", *files, json=True, stdout=out, **options)
    result: Ergebnis = json.loads(out.getvalue())
    for figures in result["legs"].values():
        del figures["tags"]
    return result


def falls(before: Ergebnis, now: Ergebnis) -> Iterator[str]:
    """Every figure that is worse than before, of the legs that were measured now."""
    for leg, figures in now["legs"].items():
        for name in FIGURES:
            was, is_now = before["legs"][leg][name], figures[name]
            if is_now < was - LAST_DIGIT / 2:
                yield f"{leg} {name}: {was} → {is_now}"
    for name, sign in (("right", 1), ("false", -1)):
        was, is_now = before["empty"][name], now["empty"][name]
        if was is not None and sign * (is_now - was) < -LAST_DIGIT / 2:
            yield f"empty {name}: {was} → {is_now}"


def read() -> dict[str, Ergebnis]:
    """By the Lauf's name."""
    if not DATEI.exists():
        return {}
    return dict(json.loads(DATEI.read_text(encoding="utf-8")))


def write(measured: dict[str, Ergebnis]) -> None:
    """With today's date and the present commit; what was not measured stays."""
    stamp = {"date": timezone.localdate().isoformat(), "commit": _commit()}
    known = read() | {name: stamp | result for name, result in measured.items()}
    ordered = {lauf.name: known[lauf.name] for lauf in LAEUFE if lauf.name in known}
    text = json.dumps(ordered, ensure_ascii=False, indent=1)
    DATEI.write_text(f"{text}\n", encoding="utf-8")


def _commit() -> str:
    """Of the checkout, with + where something in it is not committed."""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    git = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)  # noqa: S603
    return git.stdout.strip()
