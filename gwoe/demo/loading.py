"""Takes the samples in: invented parliaments, programmes and motions. Idempotent."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from parlamente.facts import read_fakten
from parlamente.importing import Antragsangaben, UnbrauchbarerAntrag, import_antrag
from parlamente.loading import FremdeZeile, load_fakten
from parlamente.models import Antrag, Fassung, Parlament
from programme.angaben import resolve
from programme.ingesting import ingest
from programme.models import Programm
from programme.naming import UnklareAngaben

SAMPLES = Path(__file__).parent / "samples"


class AndereBeispiele(Exception):
    """The database holds the samples of another version, or rows in their place (German).

    They cannot be replaced: what was published, and the documents that it quotes, stay.
    """


def load_parlamente() -> None:
    try:
        load_fakten(read_fakten(SAMPLES / "parlamente.json"))
    except FremdeZeile as error:
        raise AndereBeispiele(str(error)) from error


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
        try:
            angaben = resolve(roh, name=row["datei"])
            yield ingest(_file(row), angaben, name=row["datei"], bestaetigt_durch="Beispieldaten")
        except UnklareAngaben as error:
            raise AndereBeispiele(f"{row['datei']}: {error}") from error


def load_antraege() -> Iterator[Antrag]:
    for row in _meta()["antraege"]:
        try:
            antrag, fassung = _import(row)
        except UnbrauchbarerAntrag as error:
            raise AndereBeispiele(f"{row['datei']}: {error}") from error
        _require_only_one(antrag, fassung)
        yield antrag


def _import(row: dict[str, Any]) -> tuple[Antrag, Fassung]:
    angaben = Antragsangaben(
        parlament=Parlament.objects.get(code=row["parlament"]),
        drucksache=row["drucksache"],
        titel=row["titel"],
        datum=date.fromisoformat(row["datum"]),
        parteien=row["urheber"],
    )
    return import_antrag(_file(row), angaben)


def _require_only_one(antrag: Antrag, fassung: Fassung) -> None:
    """A file that changed is taken in as a new text, but what is assessed would be the old one."""
    if antrag.fassungen.exclude(pk=fassung.pk).exists():
        raise AndereBeispiele(f"Von {antrag} liegt schon ein anderer Text vor.")


def _meta() -> dict[str, Any]:
    return dict(json.loads((SAMPLES / "samples.json").read_text(encoding="utf-8")))


def _file(row: dict[str, Any]) -> bytes:
    return (SAMPLES / row["datei"]).read_bytes()
