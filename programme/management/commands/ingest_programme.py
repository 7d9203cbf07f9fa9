"""Takes party programmes in from files and folders (docs/reference/programme.md)."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from citations.reading import UnbrauchbaresDokument, file_bytes
from programme.angaben import CSV_NAME, FELDER, read_csv, resolve
from programme.embeddings import EinbettungFehler
from programme.ingesting import ingest, is_current
from programme.models import Programm
from programme.naming import UnklareAngaben

HELP = {
    "partei": "Kürzel of the party; several joined with +",
    "parlament": "code of the parliament, such as BW or BUND",
    "typ": "wahlprogramm or grundsatzprogramm",
    "jahr": "year of the election, or of the basic programme",
    "titel": "title",
    "gueltig_ab": "first valid day (YYYY-MM-DD); otherwise computed",
    "gueltig_bis": "last valid day (YYYY-MM-DD); otherwise computed",
    "quelle_url": "where the file comes from",
    "lizenzhinweis": "note on the licence",
    "anzeige": "what the public may see: seite, ausschnitt or verweis; otherwise ausschnitt, and "
    "seite for invented parties",
}


@dataclass(frozen=True)
class Datei:
    path: Path
    roh: Mapping[str, str]


class Command(BaseCommand):
    help = "Ingests party programmes: PDF files, or folders of them with an optional programme.csv."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        for feld in FELDER:
            parser.add_argument(f"--{feld.replace('_', '-')}", dest=feld, help=HELP[feld])

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        stated = {feld: options[feld] for feld in FELDER if options[feld]}
        self.counts = {"neu": 0, "erneuert": 0, "unverändert": 0}
        self.failures: list[str] = []
        files = list(self._files(paths))
        for datei in tqdm(files, unit=" Dateien", disable=options["verbosity"] == 0):
            self._ingest(datei, stated)
        self._report()

    def _files(self, paths: list[Path]) -> Iterator[Datei]:
        for path in paths:
            if path.is_dir():
                yield from self._folder(path)
            elif path.is_file():
                yield Datei(path, {})
            else:
                self.failures.append(f"{path}: Die Datei gibt es nicht.")

    def _folder(self, folder: Path) -> Iterator[Datei]:
        # By stem, so that spd-bw-2016.pdf comes before spd-bw-2016-entwurf.pdf.
        pdfs = sorted(
            (path for path in folder.iterdir() if path.suffix.lower() == ".pdf"),
            key=lambda path: path.stem,
        )
        table = self._table(folder / CSV_NAME)
        if not pdfs:
            self.failures.append(f"{folder}: Der Ordner enthält keine PDF-Dateien.")
        for name in table.keys() - {path.name for path in pdfs}:
            self.failures.append(f"{folder / CSV_NAME}: Die Datei {name} fehlt im Ordner.")
        for path in pdfs:
            yield Datei(path, table.get(path.name, {}))

    def _table(self, path: Path) -> dict[str, dict[str, str]]:
        if not path.exists():
            return {}
        try:
            return read_csv(path)
        except UnklareAngaben as failure:
            # Without its table every file of the folder could be taken for something else.
            raise CommandError(f"{path}: {failure}") from failure

    def _ingest(self, datei: Datei, stated: Mapping[str, str]) -> None:
        try:
            angaben = resolve({**datei.roh, **stated}, name=datei.path.name)
            before = Programm.objects.for_file(data := file_bytes(datei.path))
            outcome = "neu" if not before else "unverändert" if is_current(before) else "erneuert"
            ingest(data, angaben, name=datei.path.name)
        except (UnklareAngaben, UnbrauchbaresDokument, EinbettungFehler, OSError) as failure:
            self.failures.append(f"{datei.path.name}: {failure}")
        else:
            self.counts[outcome] += 1

    def _report(self) -> None:
        counts = ", ".join(f"{number} {outcome}" for outcome, number in self.counts.items())
        self.stdout.write(f"Programme: {counts}, {len(self.failures)} gescheitert")
        if self.failures:
            raise CommandError("\n".join(["Nicht eingelesen:", *self.failures]))
