"""Prints how well retrieval finds what it should (docs/reference/retrieval.md)."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from programme import llm
from programme.embeddings import EinbettungFehler
from programme.evaluation import (
    FIGURES,
    HELPED_LEGS,
    LEGS,
    Messung,
    measure,
    measure_refusals,
    unplaced,
)
from programme.pruefdatenbank import Ausgang, pruefdatenbank
from programme.pruefsatz import Pruefsatz, PruefsatzFehler, read_pruefsatz


class Command(BaseCommand):
    help = "Measures retrieval on golden sets of questions, motions, or paragraphs (SQuAD)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--pdf-dir",
            type=Path,
            help="what the paths in the sets are relative to; otherwise the folder above the set's",
        )
        parser.add_argument(
            "--legs",
            default=",".join(LEGS),
            help=f"some of {','.join(LEGS)}, which otherwise are all measured; "
            f"with a model also {','.join(HELPED_LEGS)}",
        )
        parser.add_argument(
            "--without-party",
            action="store_true",
            help="search the programmes of all parties for the parliament",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(
        self,
        *args: Any,
        files: list[Path],
        pdf_dir: Path | None,
        legs: str,
        without_party: bool,
        **options: Any,
    ) -> None:
        chosen = [leg.strip() for leg in legs.split(",") if leg.strip()]
        _require_known(chosen)
        try:
            saetze = [read_pruefsatz(path) for path in files]
            with pruefdatenbank(saetze, pdf_dir or files[0].resolve().parent.parent) as outside:
                result = _measured(saetze, chosen, with_party=not without_party, outside=outside)
                missing = [one for satz in saetze for one in unplaced(satz.aufgaben)]
        except (PruefsatzFehler, EinbettungFehler) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(result), ensure_ascii=False, indent=1))
        else:
            self._print(result)
        if missing:
            self.stderr.write(f"Nicht in der Lesung gefunden: {', '.join(missing)}")

    def _print(self, result: dict[str, Any]) -> None:
        names = list(FIGURES)
        for leg, messung in result["legs"].items():
            if not messung.werte:
                continue
            figures = messung.kennzahlen()
            self.stdout.write(f"\n{leg} (n = {len(messung.werte)})")
            for name in names:
                low, high = messung.spanne(name)
                self.stdout.write(f"  {name:10} {figures[name]:.3f}  [{low:.3f}, {high:.3f}]")
            if messung.ausfaelle:
                self.stdout.write(
                    f"  Modellaufrufe ohne brauchbare Antwort: {messung.ausfaelle}; "
                    "dort zählt die Reihung ohne Modell."
                )
            for tag, values in messung.by_tag().items():
                listed = "  ".join(f"{name} {values[name]:.3f}" for name in names[:4])
                self.stdout.write(f"    {tag:16} n {int(values['n']):4d}  {listed}")
        leere = result["empty"]
        self.stdout.write(
            f"\nLeer: richtig {leere.richtig} von {leere.ohne_antwort}, "
            f"falsch {leere.falsch} von {leere.mit_antwort}"
        )


def _require_known(legs: Sequence[str]) -> None:
    known = (*LEGS, *HELPED_LEGS)
    unknown = sorted(set(legs) - set(known))
    if unknown or not legs:
        named = ", ".join(unknown) or "kein Suchweg genannt"
        raise CommandError(f"Unbekannt: {named}. Möglich: {', '.join(known)}.")
    helped = sorted(set(legs) & set(HELPED_LEGS))
    if helped and not llm.is_configured():
        raise CommandError(
            f"{', '.join(helped)}: Dafür ist kein Modell eingerichtet (LLM_BASE_URL, LLM_MODEL)."
        )


def _measured(
    saetze: Sequence[Pruefsatz], legs: Sequence[str], *, with_party: bool, outside: Ausgang
) -> dict[str, Any]:
    aufgaben = [aufgabe for satz in saetze for aufgabe in satz.aufgaben]
    messungen = {leg: Messung() for leg in legs}
    answerable = sum(bool(aufgabe.stellen) for aufgabe in aufgaben) * len(legs)
    measured = measure(aufgaben, legs=legs, with_party=with_party, outside=outside)
    for leg, _, wert in tqdm(
        measured, total=answerable, unit=" Fragen", desc="Suchen", mininterval=1
    ):
        messungen[leg].werte.append(wert)
    return {"legs": messungen, "empty": measure_refusals(aufgaben)}


def _as_json(result: dict[str, Any]) -> dict[str, Any]:
    return {
        "legs": {
            leg: {
                **messung.kennzahlen(),
                **_failed(leg, messung),
                "tags": messung.by_tag(),
                "intervals": {name: messung.spanne(name) for name in FIGURES},
            }
            for leg, messung in result["legs"].items()
            if messung.werte
        },
        "empty": result["empty"].kennzahlen(),
        "n": max((len(messung.werte) for messung in result["legs"].values()), default=0),
    }


def _failed(leg: str, messung: Messung) -> dict[str, int]:
    return {"failed": messung.ausfaelle} if leg in HELPED_LEGS else {}
