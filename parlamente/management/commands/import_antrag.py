from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from citations.models import Extraktion
from citations.reading import UnbrauchbaresDokument, file_bytes
from parlamente.importing import (
    Antragsangaben,
    UnbrauchbarerAntrag,
    find_fassung,
    import_antrag,
)
from parlamente.models import Antrag, Fassung, Parlament


class Command(BaseCommand):
    help = "Imports one motion from a PDF; the same again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the motion as PDF")
        parser.add_argument("--parlament", required=True, help="code, such as BW or BUND")
        parser.add_argument("--drucksache", required=True, help="16/123; -neu for a new version")
        parser.add_argument("--titel", required=True)
        parser.add_argument("--datum", required=True, help="YYYY-MM-DD")
        parser.add_argument(
            "--partei",
            action="append",
            default=[],
            dest="parteien",
            help="submitting party; may be repeated",
        )
        parser.add_argument("--urheber", default="", help="originators as the paper names them")
        parser.add_argument("--typ", default=Antrag.Typ.ANTRAG, help=", ".join(Antrag.Typ.values))
        parser.add_argument("--quelle-url", default="", help="address of the original")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        angaben, pdf = _angaben(options), _content(file)
        try:
            known = find_fassung(angaben.parlament, angaben.drucksache, pdf)
            antrag, fassung = import_antrag(pdf, angaben)
        except (UnbrauchbarerAntrag, UnbrauchbaresDokument) as error:
            raise CommandError(f"{file.name}: {error}") from error
        self._tell(antrag, fassung, "Schon vorhanden" if known else "Übernommen")

    def _tell(self, antrag: Antrag, fassung: Fassung, what: str) -> None:
        parties = ", ".join(partei.kuerzel for partei in antrag.einbringende())
        self.stdout.write(f"{what}: {antrag} ({parties}), Fassung {fassung.nr}.")
        self.stdout.write(f"Nummer der Zeile: {antrag.pk}")
        reading = fassung.dokument.lesung
        if reading.status == Extraktion.Status.NICHT_ZITIERFAEHIG:
            self.stderr.write(self.style.WARNING(f"Nicht zitierfähig: {reading.grund}"))
        self.stdout.write(f"Weiter mit: manage.py assess {antrag.pk}")


def _angaben(options: Mapping[str, Any]) -> Antragsangaben:
    return Antragsangaben(
        parlament=_parlament(options["parlament"]),
        drucksache=options["drucksache"],
        titel=options["titel"],
        datum=_datum(options["datum"]),
        urheber=options["urheber"],
        parteien=options["parteien"],
        typ=_typ(options["typ"]),
        quelle_url=options["quelle_url"],
    )


def _parlament(code: str) -> Parlament:
    parlament = Parlament.objects.filter(code=code.strip().upper()).first()
    if parlament is None:
        known = ", ".join(Parlament.objects.order_by("code").values_list("code", flat=True))
        raise CommandError(
            f"Das Parlament „{code}“ ist nicht bekannt. Bekannt: {known}."
            if known
            else "Es sind noch keine Parlamente geladen. Zuerst: manage.py load_parlamente"
        )
    return parlament


def _datum(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise CommandError(
            f"„{text}“ ist kein Datum. Erwartet wird Jahr-Monat-Tag, zum Beispiel 2016-10-12."
        ) from error


def _typ(text: str) -> Antrag.Typ:
    try:
        return Antrag.Typ(text)
    except ValueError as error:
        allowed = ", ".join(Antrag.Typ.values)
        raise CommandError(f"Die Art „{text}“ gibt es nicht. Erlaubt: {allowed}.") from error


def _content(file: Path) -> bytes:
    try:
        return file_bytes(file)
    except FileNotFoundError as error:
        raise CommandError(f"Die Datei {file} gibt es nicht.") from error
    except OSError as error:
        raise CommandError(
            f"Die Datei {file} lässt sich nicht lesen ({error.strerror})."
        ) from error
