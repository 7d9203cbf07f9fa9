"""Invented programmes, and lists of where they are."""

import json
from pathlib import Path
from typing import Any

from tests.citations.factories import make_pdf

SATZ = "Wir wollen bezahlbare Wohnungen bauen und die Wege in den Städten kürzer machen. "


def programm_pdf(titel: str, *, seiten: int = 24) -> bytes:
    """As long as a programme is, with the title on its first page."""
    return make_pdf(f"{titel}\n\n{SATZ * 4}", *[SATZ * 5] * (seiten - 1))


def write_list(path: Path, *programme: dict[str, Any]) -> Path:
    """A list of sources; each programme has the fields of the list, addresses as a list."""
    lines = ['stand = "ungeprüft"', "datum = 2026-11-30"]
    for programm in programme:
        lines.append("[[programm]]")
        for name, value in programm.items():
            lines.append(f"{name} = {_toml(name, value)}")
    path.write_text("\n".join(lines), "utf-8")
    return path


def _toml(name: str, value: Any) -> str:
    if name == "adressen":
        return "[" + ", ".join(_table(one) for one in value) + "]"
    return value if name == "wahltag" else json.dumps(value, ensure_ascii=False)


def _table(fundstelle: dict[str, Any]) -> str:
    pairs = ({"art": "offiziell"} | fundstelle).items()
    return "{" + ", ".join(f"{name} = {json.dumps(value)}" for name, value in pairs) + "}"
