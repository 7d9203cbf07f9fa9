from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from parlamente.facts import DATEI, FehlerhafteFakten, read_fakten
from parlamente.loading import FremdeZeile, load_fakten


class Command(BaseCommand):
    help = (
        "Loads parliaments, parties, Wahlperioden and governments from a data file; "
        "run again, it changes nothing. Rows that editors changed are kept."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            default=DATEI,
            help="JSON file; without it the file of the 17 German parliaments.",
        )

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            fakten = read_fakten(file)
            bericht = load_fakten(fakten)
        except (FehlerhafteFakten, FremdeZeile) as error:
            raise CommandError(str(error)) from error
        for row in bericht.entfernt:
            self.stdout.write(f"Entfernt, steht nicht mehr in der Datei: {row}")
        for row in bericht.behalten:
            self.stdout.write(f"Behalten, wie die Redaktion es geändert hat: {row}")
        self.stdout.write(
            f"{file.name} vom {fakten.stand:%d.%m.%Y}: {len(fakten.parlamente)} Parlamente."
        )
        self.stdout.write(
            f"{len(bericht.neu)} neu, {len(bericht.geaendert)} geändert, "
            f"{len(bericht.entfernt)} entfernt, {len(bericht.behalten)} behalten."
            if bericht.has_changes or bericht.behalten
            else "Nichts zu ändern."
        )
