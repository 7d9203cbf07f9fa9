import json
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.proof import Bilanz, Zaehlung
from assessments.pruefgang import verify


def _positive(text: str) -> int:
    if not text.isdecimal() or len(text) > 7 or not 1 <= int(text) <= 1_000_000:
        raise ArgumentTypeError("a whole number from 1 to a million")
    return int(text)


class Command(BaseCommand):
    help = "Proves every stored quote again, by an independent reading of the stored files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--published", action="store_true", help="only what is public")
        parser.add_argument(
            "--limit-per-parlament",
            type=_positive,
            metavar="N",
            help="the newest N of each",
        )
        parser.add_argument(
            "--fresh", action="store_true", help="all anew, also after a run that was stopped"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        bilanz = verify(
            published=options["published"],
            limit=options["limit_per_parlament"],
            fresh=options["fresh"],
        )
        if options["json"]:
            self.stdout.write(json.dumps(bilanz.as_dict(), ensure_ascii=False))
        else:
            self._report(bilanz)
        if bilanz.is_alarming:
            raise CommandError("Nicht alle Zitate sind bewiesen.", returncode=1)

    def _report(self, bilanz: Bilanz) -> None:
        for code, counts in sorted(bilanz.per_parlament.items()):
            self.stdout.write(f"{code}: {_in_words(counts)}")
        for failure in bilanz.failures:
            self.stdout.write(
                f"{failure['ergebnis']}: {failure['antrag']}, Beleg {failure['beleg']}, "
                f"Zitat {failure['zitat']}: {failure['grund']}"
            )
        self.stdout.write(f"Zusammen: {_in_words(bilanz.total)}")


def _in_words(counts: Zaehlung) -> str:
    return (
        f"{counts.checked} geprüft, {counts.proved} bewiesen, {counts.refuted} widerlegt, "
        f"{counts.unprovable} nicht prüfbar"
    )
