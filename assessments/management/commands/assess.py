from argparse import ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.formats import number_format

from assessments.costs import Kosten, estimate_costs
from assessments.models import InvalidTransition, Lauf
from assessments.subject import NichtBewertbar
from assessments.tasks import enqueue_assessment, run_lauf
from parlamente.drucksache import parse_drucksache
from parlamente.models import Antrag
from programme import llm

WITHOUT_MODEL = "ohne Modell (LLM_BASE_URL, LLM_MODEL sind leer)"


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
            return self._enqueue(each) if options["queue"] else self._run(each)
        except InvalidTransition as reason:
            self.stderr.write(f"{each}: {reason}")
            return False

    def _estimate(self, each: Antrag) -> bool:
        try:
            costs = estimate_costs(each.fassung)
        except NichtBewertbar as reason:
            self.stderr.write(f"{each}: {reason}")
            return False
        words = costs_in_words(costs)
        if llm.is_configured():
            self.stdout.write(f"{each}: {words}")
        else:
            self.stdout.write(f"{each}: {WITHOUT_MODEL}, kein Aufruf, keine Kosten.")
            self.stdout.write(f"  Mit einem Modell: {words}")
        return True

    def _enqueue(self, each: Antrag) -> bool:
        lauf = enqueue_assessment(each.fassung)
        self.stdout.write(f"{each}: wartet als Lauf {lauf.pk}; es arbeitet manage.py qcluster.")
        self.stdout.write(f"  Wie weit er ist: {address('admin:assessments_lauf_change', lauf.pk)}")
        return True

    def _run(self, each: Antrag) -> bool:
        lauf = Lauf.open(each.fassung)
        try:
            run_lauf(lauf.pk)
            lauf = Lauf.objects.select_related("assessment").get(pk=lauf.pk)
            desk = address("admin:assessments_pruefauftrag_pruefen", lauf.assessment.pk)
        except Exception as error:  # noqa: BLE001  recorded in the run; the next motion goes on
            self.stderr.write(f"{each}: {Lauf.objects.get(pk=lauf.pk).fehler or error}")
            return False
        how = f"mit dem Modell {lauf.modell}" if lauf.modell else WITHOUT_MODEL
        self.stdout.write(f"{each}: Entwurf {how}. Er wartet auf die Redaktion:\n  {desk}")
        return True


def costs_in_words(costs: Kosten) -> str:
    calls = f"Aufrufe: {costs.calls}, Tokens hinein: {costs.tokens_in}"
    price = "Preis unbekannt (LLM_PRICE_INPUT, LLM_PRICE_OUTPUT)"
    if settings.LLM_PRICE_INPUT or settings.LLM_PRICE_OUTPUT:
        price = f"höchstens {number_format(costs.euro, 2)} Euro"
    return f"{calls}, heraus höchstens: {costs.tokens_out}; {price}"


def address(name: str, pk: int) -> str:
    return settings.SITE_URL + reverse(name, args=[pk])
