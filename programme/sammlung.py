"""The folder of fetched programmes: ready for `ingest_programme`, and never half-written.

Beside the files it holds programme.csv, the list of fetches (abrufe.csv), and a folder for what
failed a check, with the reasons.
"""

import csv
import io
import os
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from django.utils import timezone

from .angaben import CSV_NAME, FELDER, read_csv
from .pruefung import Befund
from .quellen import Quelle

LIZENZHINWEIS = "Werk der Partei, kein amtliches Werk; hier nur zum Zitieren mit Quelle."
ABRUFE = ("datei", "adresse", "abgerufen_am", "sha256", "bytes", "seiten")
GRUENDE = ("datei", "adresse", "abgerufen_am", "grund")


@dataclass(frozen=True)
class Sammlung:
    ordner: Path

    def path(self, quelle: Quelle) -> Path:
        return self.ordner / quelle.datei

    def teil(self, quelle: Quelle) -> Path:
        """Where the file is while it comes; no reader takes it for a PDF by its name."""
        return self.ordner / f"{quelle.datei}.teil"

    @property
    def beiseite(self) -> Path:
        return self.ordner / "beiseite"

    def create(self) -> None:
        self.ordner.mkdir(parents=True, exist_ok=True)

    def recorded(self, quelle: Quelle) -> dict[str, str] | None:
        """The fetch that brought the file that is there; None without one, or after a change."""
        path, row = self.path(quelle), self._abrufe().get(quelle.datei)
        if row is None or not path.is_file():
            return None
        return row if row["sha256"] == sha256(path.read_bytes()).hexdigest() else None

    def keep(self, quelle: Quelle, path: Path, adresse: str, befund: Befund) -> None:
        """Makes the checked file at `path` the programme's; its fetch is on record before it is."""
        row = {
            "datei": quelle.datei,
            "adresse": adresse,
            "abgerufen_am": _now(),
            "sha256": befund.sha256,
            "bytes": str(path.stat().st_size),
            "seiten": str(befund.seiten),
        }
        _write_table(self.ordner / "abrufe.csv", ABRUFE, self._abrufe() | {quelle.datei: row})
        os.replace(path, self.path(quelle))
        self.describe(quelle, adresse, anew=True)

    def describe(self, quelle: Quelle, adresse: str, *, anew: bool = False) -> None:
        """The programme's row in programme.csv. One that is there, perhaps by hand, stays.

        Raises UnklareAngaben where the table is not readable.
        """
        rows = self._programme()
        if quelle.datei in rows and not anew:
            return
        row = dict.fromkeys(FELDER, "") | {
            "partei": "+".join(quelle.parteien),
            "parlament": quelle.parlament or "",
            "typ": str(quelle.typ),
            "jahr": str(quelle.jahr),
            "titel": quelle.titel,
            "gueltig_ab": quelle.wahltag.isoformat() if quelle.wahltag else "",
            "quelle_url": adresse,
            "lizenzhinweis": LIZENZHINWEIS,
        }
        said = {feld: value for feld, value in rows.get(quelle.datei, {}).items() if value}
        self._describe_all(rows | {quelle.datei: row | said | {"quelle_url": adresse}})

    def put_aside(self, quelle: Quelle, path: Path, adresse: str, befund: Befund) -> Path:
        """Moves a file that failed a check out of the way, with its reasons on record."""
        self.beiseite.mkdir(exist_ok=True)
        # No name that says party, region and year: taken in without a word, it would be this one.
        target = self.beiseite / f"{befund.sha256[:8]}-{quelle.datei}"
        table = self.beiseite / "gruende.csv"
        row = {
            "datei": target.name,
            "adresse": adresse,
            "abgerufen_am": _now(),
            "grund": " ".join(befund.gruende),
        }
        _write_table(table, GRUENDE, _read_table(table) | {target.name: row})
        os.replace(path, target)
        if path == self.path(quelle):
            rows = self._programme()
            if rows.pop(quelle.datei, None):
                self._describe_all(rows)
        return target

    def _abrufe(self) -> dict[str, dict[str, str]]:
        return _read_table(self.ordner / "abrufe.csv")

    def _programme(self) -> dict[str, dict[str, str]]:
        path = self.ordner / CSV_NAME
        return read_csv(path) if path.exists() else {}

    def _describe_all(self, rows: dict[str, dict[str, str]]) -> None:
        table = {datei: {"datei": datei, **row} for datei, row in rows.items()}
        _write_table(self.ordner / CSV_NAME, ("datei", *FELDER), table)


def _read_table(path: Path) -> dict[str, dict[str, str]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["datei"]: row for row in csv.DictReader(file)}


def _write_table(path: Path, columns: tuple[str, ...], rows: dict[str, dict[str, str]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows[datei] for datei in sorted(rows))
    half = path.with_name(f"{path.name}.neu")
    half.write_text(text.getvalue(), encoding="utf-8")
    os.replace(half, path)


def _now() -> str:
    return datetime.isoformat(timezone.localtime(), timespec="seconds")
