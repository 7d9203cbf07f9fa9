"""Takes party programmes in from files and folders (docs/reference/programme.md)."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from programme.angaben import CSV_NAME, FELDER, read_csv, resolve
from programme.embeddings import EinbettungFehler
from programme.management.argumente import add_processes
from programme.models import Programm
from programme.naming import UnklareAngaben
from programme.prozesse import ProzessVerloren
from programme.stapel import Datei, ingest_files

AUSGAENGE = ("neu", "erneuert", "unverändert")
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


class Command(BaseCommand):
    help = "Ingests party programmes: PDF files, or folders of them with an optional programme.csv."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        add_processes(parser)
        for feld in FELDER:
            parser.add_argument(f"--{feld.replace('_', '-')}", dest=feld, help=HELP[feld])

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        stated = {feld: options[feld] for feld in FELDER if options[feld]}
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.zweifelhaft: list[Programm] = []
        dateien = [
            datei for path, roh in self._files(paths) for datei in self._said(path, roh | stated)
        ]
        started = monotonic()
        try:
            self._ingest(dateien, options)
        except (EinbettungFehler, ProzessVerloren) as failure:
            self.failures.append(str(failure))
        self._report(monotonic() - started)

    def _files(self, paths: list[Path]) -> Iterator[tuple[Path, dict[str, str]]]:
        for path in paths:
            if path.is_dir():
                yield from self._folder(path)
            elif path.is_file():
                yield path, {}
            else:
                self.failures.append(f"{path}: Die Datei gibt es nicht.")

    def _folder(self, folder: Path) -> Iterator[tuple[Path, dict[str, str]]]:
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
            yield path, table.get(path.name, {})

    def _table(self, path: Path) -> dict[str, dict[str, str]]:
        if not path.exists():
            return {}
        try:
            return read_csv(path)
        except UnklareAngaben as failure:
            # Without its table every file of the folder could be taken for something else.
            raise CommandError(f"{path}: {failure}") from failure

    def _said(self, path: Path, roh: dict[str, str]) -> Iterator[Datei]:
        """The file with its particulars; none where they are unclear."""
        try:
            yield Datei(path, resolve(roh, name=path.name))
        except UnklareAngaben as failure:
            self.failures.append(f"{path.name}: {failure}")

    def _ingest(self, dateien: list[Datei], options: dict[str, Any]) -> None:
        results = ingest_files(dateien, processes=options["processes"])
        silent = options["verbosity"] == 0
        for ergebnis in tqdm(results, total=len(dateien), unit=" Dateien", disable=silent):
            self.counts[ergebnis.ausgang] += 1
            if ergebnis.programm is None:
                self.failures.append(f"{ergebnis.datei.path.name}: {ergebnis.grund}")
            elif not ergebnis.programm.verwendbar:
                self.zweifelhaft.append(ergebnis.programm)
            if ergebnis.programm and ergebnis.ausgang != "unverändert":
                self.counts["seiten"] += ergebnis.programm.dokument.lesung.seitenzahl

    def _report(self, seconds: float) -> None:
        counts = ", ".join(f"{self.counts[ausgang]} {ausgang}" for ausgang in AUSGAENGE)
        self.stdout.write(f"Programme: {counts}, {len(self.failures)} gescheitert")
        if seiten := self.counts["seiten"]:
            self.stdout.write(
                f"Seiten: {seiten} in {seconds:.0f} s ({seiten / seconds:.1f} je Sekunde)"
            )
        self._tell_doubts()
        if self.failures:
            raise CommandError("\n".join(["Nicht eingelesen:", *self.failures]))

    def _tell_doubts(self) -> None:
        """What is stored and not used: for an editor, and no failure."""
        if not self.zweifelhaft:
            return
        self.stdout.write(
            "Eingelesen, aber nicht verwendet, bis jemand es in der Verwaltung bestätigt "
            "(Programme, Filter „zu bestätigen“):"
        )
        for programm in self.zweifelhaft:
            self.stdout.write(f"{programm} ({programm.dokument}): {' '.join(programm.zweifel)}")
