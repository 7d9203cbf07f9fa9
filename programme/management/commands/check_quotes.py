"""Places a person's own quotes in PDF files, without a database (docs/reference/commands.md)."""

import os
from argparse import ArgumentParser
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from citations.zitatsuche import REJECT, Zitatsuche
from citations.zitatzeilen import Zitatzeile, as_csv, as_json_lines, read_rows
from parlamente.facts import DATEI, read_fakten
from programme.parteinamen import says_party

# What shells say of a program that Ctrl-C, or the end of who reads, has ended.
INTERRUPTED, NOBODY_READS = 130, 141


class Command(BaseCommand):
    help = "Says of each quote of a list whether and where it stands in the PDF files of a folder."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="JSON Lines or CSV")
        parser.add_argument(
            "--pdf-dir",
            type=Path,
            default=Path("."),
            help="folder with the PDF files, with all below it; otherwise the current one",
        )
        parser.add_argument("--output", type=Path, help="file to write to; otherwise standard out")
        parser.add_argument("--csv", action="store_true", help="write CSV, not JSON Lines")
        parser.add_argument("--strict", action="store_true", help="exit 1 if a row is rejected")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._check(**options)
        except KeyboardInterrupt as error:
            raise CommandError("Abgebrochen.", returncode=INTERRUPTED) from error

    def _check(self, *, file: Path, pdf_dir: Path, **options: Any) -> None:
        self._require_free(options["output"], file)
        zeilen = self._rows(file)
        if not pdf_dir.is_dir():
            raise CommandError(f"Den Ordner {pdf_dir} gibt es nicht.")
        quiet = options["verbosity"] == 0

        def progress(files: Iterable[Any], total: int) -> Iterable[Any]:
            return tqdm(files, total=total, unit="Datei", disable=quiet)

        suche = Zitatsuche(pdf_dir, says_party(read_fakten(DATEI)))
        if not suche.names:
            self.stderr.write(f"In {pdf_dir} liegt keine PDF-Datei: Gesucht wird in nichts.")
        results = suche.run(zeilen, progress)
        lines = as_csv(results) if options["csv"] else as_json_lines(results)
        self._write(lines, options["output"])
        self._report(results)
        if options["strict"] and any(row["urteil"] == REJECT for row in results):
            raise CommandError("Mindestens ein Zitat ist abgelehnt.", returncode=1)

    def _require_free(self, output: Path | None, file: Path) -> None:
        """Before anything is read: the list and the documents are never written over."""
        if output is None:
            return
        same = output.exists() and output.samefile(file)
        if same or output.is_dir() or output.suffix.casefold() == ".pdf" or not output.name:
            raise CommandError(f"{output} ist die Liste selbst, ein Ordner oder eine PDF-Datei.")
        if not output.parent.is_dir():
            raise CommandError(f"{output} lässt sich nicht schreiben: Der Ordner fehlt.")

    def _rows(self, file: Path) -> list[Zitatzeile]:
        try:
            with file.open("rb") as data:
                is_csv = file.suffix.casefold() in (".csv", ".tsv")
                return list(read_rows(data, is_csv=is_csv))
        except (OSError, ValueError) as error:
            raise CommandError(f"{file} lässt sich nicht lesen: {error}") from error

    def _write(self, lines: Iterable[str], output: Path | None) -> None:
        try:
            if output is None:
                self._write_out(lines)
            elif output.exists() and not output.is_file():  # a device or a pipe
                with output.open("w", encoding="utf-8") as stream:
                    stream.writelines(lines)
            else:
                _write_file(lines, output)
        except OSError as error:
            where = output or "Das Ergebnis"
            raise CommandError(f"{where} lässt sich nicht schreiben: {error}") from error

    def _write_out(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self.stdout.write(line, ending="")
            self.stdout.flush()
        except OSError as error:
            with suppress(OSError):  # or Python writes the rest at the end, and complains
                self.stdout.close()
            if isinstance(error, BrokenPipeError):
                message = "Das Ergebnis wird nicht zu Ende gelesen."
                raise CommandError(message, returncode=NOBODY_READS) from error
            raise

    def _report(self, results: list[dict[str, Any]]) -> None:
        counts = dict.fromkeys(("publish", "review", "reject"), 0)
        for row in results:
            counts[row["urteil"]] += 1
        malformed = sum(1 for row in results if row["fehler"])
        said = ", ".join(f"{count} {urteil}" for urteil, count in counts.items())
        self.stderr.write(f"Zitate: {len(results)} ({said}); fehlerhafte Zeilen: {malformed}")


def _write_file(lines: Iterable[str], output: Path) -> None:
    """The file is there whole or not at all."""
    part = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as stream:
            stream.writelines(lines)
        part.replace(output)
    finally:
        part.unlink(missing_ok=True)
