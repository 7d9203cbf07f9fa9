from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.costs import estimate_costs
from assessments.models import InvalidTransition, Lauf
from assessments.subject import NichtBewertbar
from assessments.tasks import enqueue_assessment, run_lauf
from parlamente.drucksache import parse_drucksache
from parlamente.models import Antrag


def antrag(value: str) -> Antrag:
    """A primary key, or code and number as in `BW:16/123`."""
    try:
        if value.isdigit():
            return Antrag.objects.get(pk=int(value))
        code, _, number = value.partition(":")
        drucksache = parse_drucksache(number)
        return Antrag.objects.get(
            parlament__code=code.upper(),
            wahlperiode__nummer=drucksache.wahlperiode,
            nummer=drucksache.nummer,
            zusatz=drucksache.zusatz,
        )
    except (Antrag.DoesNotExist, ValueError) as error:
        raise ArgumentTypeError(
            f"Es gibt keinen Antrag {value}. Erwartet: Nummer der Zeile oder etwa BW:16/123."
        ) from error


class Command(BaseCommand):
    help = "Drafts assessments of motions; they wait in the editors' queue afterwards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("antraege", nargs="+", type=antrag, metavar="ANTRAG")
        parser.add_argument("--dry-run", action="store_true", help="print tokens and price only")
        parser.add_argument("--queue", action="store_true", help="leave the work to the worker")

    def handle(self, *args: Any, antraege: list[Antrag], **options: Any) -> None:
        failed = [each for each in antraege if not self._handle_one(each, options)]
        if failed:
            raise CommandError(f"Nicht bewertet: {', '.join(map(str, failed))}")

    def _handle_one(self, each: Antrag, options: dict[str, Any]) -> bool:
        if not each.fassungen.exists():
            self.stderr.write(f"{each}: Zu diesem Antrag liegt kein Text vor.")
            return False
        if options["dry_run"]:
            return self._estimate(each)
        try:
            if options["queue"]:
                self.stdout.write(f"{each}: queued as {enqueue_assessment(each.fassung)}")
                return True
            return self._run(each)
        except InvalidTransition as reason:
            self.stderr.write(f"{each}: {reason}")
            return False

    def _estimate(self, each: Antrag) -> bool:
        try:
            costs = estimate_costs(each.fassung)
        except NichtBewertbar as reason:
            self.stderr.write(f"{each}: {reason}")
            return False
        self.stdout.write(
            f"{each}: {costs.calls} calls, {costs.tokens_in} tokens in, at most "
            f"{costs.tokens_out} out, at most {costs.euro:.2f} euro"
        )
        return True

    def _run(self, each: Antrag) -> bool:
        lauf = Lauf.open(each.fassung)
        try:
            self.stdout.write(f"{each}: {run_lauf(lauf.pk)}")
        except Exception as error:  # noqa: BLE001  recorded in the run; the next motion goes on
            self.stderr.write(f"{each}: {Lauf.objects.get(pk=lauf.pk).fehler or error}")
            return False
        return True
