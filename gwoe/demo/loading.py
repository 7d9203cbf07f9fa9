"""Takes the samples in: invented parliaments, programmes and motions. Idempotent."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from parlamente.facts import read_fakten
from parlamente.importing import import_antrag
from parlamente.loading import load_fakten
from parlamente.models import Antrag, Parlament
from programme.angaben import resolve
from programme.ingesting import ingest
from programme.models import Programm

SAMPLES = Path(__file__).parent / "samples"


def load_parlamente() -> None:
    load_fakten(read_fakten(SAMPLES / "parlamente.json"))


def load_programme() -> Iterator[Programm]:
    for row in _meta()["programme"]:
        roh = {
            "partei": "+".join(row["parteien"]),
            "parlament": row["parlament"] or "",
            "typ": row["typ"],
            "jahr": str(row["jahr"]),
            "titel": row["titel"],
            "gueltig_ab": row["gueltig_von"],
            "gueltig_bis": row["gueltig_bis"] or "",
        }
        yield ingest(_file(row), resolve(roh, name=row["datei"]), name=row["datei"])


def load_antraege() -> Iterator[Antrag]:
    for row in _meta()["antraege"]:
        antrag, _ = import_antrag(
            parlament=Parlament.objects.get(code=row["parlament"]),
            drucksache=row["drucksache"],
            titel=row["titel"],
            datum=date.fromisoformat(row["datum"]),
            pdf=_file(row),
            parteien=row["urheber"],
        )
        yield antrag


def _meta() -> dict[str, Any]:
    return dict(json.loads((SAMPLES / "samples.json").read_text(encoding="utf-8")))


def _file(row: dict[str, Any]) -> bytes:
    return (SAMPLES / row["datei"]).read_bytes()
