"""Changes the embedding model while the old one is read (docs/reference/programme.md)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from programme.embeddings import EinbettungFehler, configured_name, drop, read_from, write_also
from programme.management.argumente import add_processes
from programme.naming import UnklareAngaben
from programme.prozesse import ProzessVerloren
from programme.reembedding import missing, reembed


class Command(BaseCommand):
    help = "Gives every programme vectors of another model, lets it be read, or drops one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--model", help="name of the model; otherwise the configured one")
        step = parser.add_mutually_exclusive_group()
        step.add_argument(
            "--switch", action="store_true", help="compare questions with its vectors from now on"
        )
        step.add_argument("--drop", action="store_true", help="delete it with its vectors")
        add_processes(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            name = options["model"] or configured_name()
            if options["switch"]:
                self.stdout.write(f"Gelesen wird jetzt {read_from(name)}.")
            elif options["drop"]:
                drop(name)
                self.stdout.write(f"Entfernt: {name} mit seinen Vektoren.")
            else:
                self._reembed(name, options)
        except (UnklareAngaben, EinbettungFehler, ProzessVerloren) as failure:
            raise CommandError(str(failure)) from failure

    def _reembed(self, name: str, options: dict[str, Any]) -> None:
        modell = write_also(name)
        programme = missing(modell)
        done = reembed(programme, modell, processes=options["processes"])
        for _ in tqdm(
            done, total=len(programme), unit=" Programme", disable=options["verbosity"] == 0
        ):
            pass
        self.stdout.write(f"Programme: {len(programme)} mit neuen Vektoren von {modell}")
        if modell.rolle == modell.Rolle.SCHREIBEN:
            self.stdout.write(f"Lesen lassen: reembed --model {modell} --switch")
