"""Fetches party programmes from where they are published (docs/how-to/get-the-programmes.md)."""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from programme.abgeordnetenwatch import API, Abgeordnetenwatch
from programme.abruf import Abrufer
from programme.beschaffung import Ergebnis, obtain
from programme.models import Programm
from programme.naming import UnklareAngaben, fold
from programme.quellen import (
    DATEI,
    Bekannt,
    FehlerhafteQuellen,
    Quelle,
    read_quellen,
    require_known,
)
from programme.sammlung import Sammlung


class Command(BaseCommand):
    help = "Fetches party programmes into a folder that ingest_programme takes in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--parlament", nargs="+", default=[], help="codes of parliaments, or alle"
        )
        parser.add_argument("--grundsatz", action="store_true", help="the basic programmes")
        parser.add_argument("--wahl", help="year or day of the election (2021 or 2021-03-14)")
        parser.add_argument("--partei", nargs="+", default=[], help="Kürzel of parties")
        parser.add_argument("--ziel", type=Path, help="folder; otherwise FETCH_DIR")
        parser.add_argument("--quellen", type=Path, default=DATEI, help="another list of sources")
        parser.add_argument(
            "--abgeordnetenwatch",
            nargs="?",
            const=API,
            default=settings.FETCH_ABGEORDNETENWATCH,
            metavar="ADDRESS",
            help="look there as well, at its public API",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        quellen = self._chosen(options)
        abrufer = Abrufer()
        api = options["abgeordnetenwatch"]
        zweitquelle = Abgeordnetenwatch(abrufer, api) if api else None
        sammlung = Sammlung(options["ziel"] or Path(settings.FETCH_DIR))
        self.counts: Counter[str] = Counter()
        try:
            sammlung.create()
            with tqdm(quellen, unit=" Programme", disable=options["verbosity"] == 0) as bar:
                for quelle in bar:
                    ergebnis = obtain(quelle, sammlung, abrufer, zweitquelle)
                    bar.clear()
                    self._tell(ergebnis)
        except UnklareAngaben as failure:
            raise CommandError(f"{sammlung.ordner / 'programme.csv'}: {failure}") from failure
        except OSError as failure:
            raise CommandError(f"{sammlung.ordner}: {failure.strerror or failure}") from failure
        self._report(sammlung)

    def _chosen(self, options: dict[str, Any]) -> list[Quelle]:
        if not options["parlament"] and not options["grundsatz"]:
            raise CommandError("Nennen Sie --parlament (Codes oder alle) oder --grundsatz.")
        try:
            quellen = read_quellen(options["quellen"])
            bekannt = Bekannt.from_tables()
            require_known(quellen, bekannt)
        except FehlerhafteQuellen as failure:
            hint = "Sind die Parlamente geladen (load_parlamente)?"
            raise CommandError(f"{failure}\n{hint}") from failure
        self._require_codes(options["parlament"], bekannt)
        chosen = [quelle for quelle in quellen if _is_meant(quelle, options)]
        if not chosen:
            raise CommandError("Zu dieser Auswahl steht kein Programm in der Liste der Quellen.")
        return chosen

    def _require_codes(self, codes: list[str], bekannt: Bekannt) -> None:
        for code in codes:
            if code.casefold() != "alle" and code.upper() not in bekannt.wahltage:
                known = ", ".join(sorted(bekannt.wahltage))
                raise CommandError(f"Das Parlament „{code}“ ist unbekannt. Möglich sind: {known}.")

    def _tell(self, ergebnis: Ergebnis) -> None:
        self.counts[ergebnis.ausgang] += 1
        line = f"{ergebnis.quelle.name}: {ergebnis.ausgang}"
        if ergebnis.seiten:
            line += f", {ergebnis.seiten} Seiten"
        if ergebnis.adresse:
            line += f" ({ergebnis.adresse})"
        self.stdout.write(line)
        for grund in ergebnis.gruende:
            self.stdout.write(f"    {grund}")

    def _report(self, sammlung: Sammlung) -> None:
        order = ("geholt", "vorhanden", "gescheitert", "ohne Adresse")
        counts = ", ".join(f"{self.counts[ausgang]} {ausgang}" for ausgang in order)
        self.stdout.write(f"Programme in {sammlung.ordner}: {counts}")
        if failed := self.counts["gescheitert"]:
            raise CommandError(f"{failed} gescheitert; die Gründe stehen oben.")


def _is_meant(quelle: Quelle, options: dict[str, Any]) -> bool:
    return (
        _is_meant_by_place(quelle, options)
        and options["wahl"] in (None, str(quelle.jahr), str(quelle.wahltag))
        and _is_meant_by_party(quelle, options["partei"])
    )


def _is_meant_by_place(quelle: Quelle, options: dict[str, Any]) -> bool:
    if quelle.typ == Programm.Typ.GRUNDSATZPROGRAMM:
        return bool(options["grundsatz"])
    codes = {code.upper() for code in options["parlament"]}
    return "ALLE" in codes or quelle.parlament in codes


def _is_meant_by_party(quelle: Quelle, names: list[str]) -> bool:
    wanted = {fold(name) for name in names}
    return not wanted or any(fold(kuerzel) in wanted for kuerzel in quelle.parteien)
