"""The four lines of "So wurde geprüft": file, words, marks, origin; each with its outcome."""

from dataclasses import dataclass
from enum import StrEnum

from django.utils.formats import date_format

from citations.comparison import Grad
from citations.models import Pruefung, Zitat

from .models import Beleg
from .pruefstand import Pruefstand
from .quellen import Quelle, seiten_indizes

Gegenstand = Pruefung.Gegenstand


class Ausgang(StrEnum):
    """The names of the icons."""

    BESTANDEN = "haken"
    WIDERLEGT = "weg"
    OFFEN = "offen"

    @property
    def wort(self) -> str:
        return {"haken": "bestanden", "weg": "nicht bestanden", "offen": "offen"}[self.value]


@dataclass(frozen=True, slots=True)
class Zeile:
    titel: str
    ausgang: Ausgang
    satz: str


def pruefzeilen(zitat: Zitat, beleg: Beleg, quelle: Quelle, stand: Pruefstand) -> list[Zeile]:
    """`beleg` is the use of the Zitat whose origin is judged."""
    refuted = _refuted_line(stand)
    lines = [_datei(zitat), _wortlaut(), _markierung(stand), herkunft(zitat, beleg, quelle)]
    if stand.am is None:
        return [_unchecked(line) for line in lines]
    if refuted is None:
        return lines
    shown = lines[:refuted]
    shown.append(Zeile(lines[refuted].titel, Ausgang.WIDERLEGT, stand.grund))
    return shown + [_unchecked(line) for line in lines[refuted + 1 :]]


def datei_stimmt(stand: Pruefstand) -> bool:
    """Whether the stored file is still the one that was read: else no picture of it is shown."""
    return stand.gegenstand != Gegenstand.DATEI


def zusammenfassung(zitat: Zitat) -> str:
    """What the grade means for this quote, in one sentence."""
    words = sum(len(teil.split()) for teil in zitat.teile)
    where = "auf dieser Seite" if len(seiten_indizes(zitat)) == 1 else "auf diesen Seiten"
    if zitat.grade == Grad.ANGEGLICHEN:
        return f"Angeglichen. Gezeigt sind die {words} Wörter, die {where} stehen."
    all_words = f"Alle {words} Wörter stehen in dieser Reihenfolge {where}"
    if zitat.grade == Grad.AUSLASSUNG:
        return f"Wörtlich, mit Auslassung. {all_words}; was dazwischen fehlt, ist gekennzeichnet."
    return f"Wörtlich. {all_words}."


def herkunft(zitat: Zitat, beleg: Beleg, quelle: Quelle) -> Zeile:
    """Whether the document is the one that the quote speaks for."""
    wrong = beleg.wrong_origin(zitat)
    if wrong:
        return Zeile("Herkunft", Ausgang.WIDERLEGT, wrong)
    antrag = beleg.assessment.antrag
    if quelle.programm is None:
        satz = f"Drucksache {antrag.drucksache}, {antrag.parlament.name}"
        return Zeile("Herkunft", Ausgang.BESTANDEN, satz)
    land = f" für {quelle.programm.parlament.land}" if quelle.programm.parlament else ""
    tag = date_format(antrag.datum, "j. F Y")
    satz = f"Programm von {quelle.programm.kuerzel}{land}, gültig am {tag}"
    return Zeile("Herkunft", Ausgang.BESTANDEN, satz)


def _datei(zitat: Zitat) -> Zeile:
    reading = zitat.extraktion
    day = date_format(reading.dokument.eingelesen_am, "j. F Y")
    pages = "1 Seite" if reading.seitenzahl == 1 else f"{reading.seitenzahl} Seiten"
    return Zeile("Datei", Ausgang.BESTANDEN, f"Unverändert seit dem {day}, {pages}")


def _wortlaut() -> Zeile:
    satz = "Buchstaben und Ziffern stimmen mit der Lesung der Datei überein"
    return Zeile("Wortlaut", Ausgang.BESTANDEN, satz)


def _markierung(stand: Pruefstand) -> Zeile:
    if stand.ergebnis == Pruefung.Ergebnis.NICHT_BEWEISBAR:
        confirmed = stand.ist_bestaetigt and stand.bestaetigt_am
        by_hand = (
            f" Die Redaktion hat verglichen am {date_format(confirmed, 'j. F Y')}."
            if confirmed
            else " Die Redaktion vergleicht noch."
        )
        return Zeile("Markierung", Ausgang.OFFEN, stand.grund + by_hand)
    satz = "Ein zweites Leseprogramm findet in den markierten Flächen dieselben Buchstaben"
    return Zeile("Markierung", Ausgang.BESTANDEN, satz)


def _refuted_line(stand: Pruefstand) -> int | None:
    """The position of the line that the newest check refuted."""
    return Gegenstand.values.index(stand.gegenstand) if stand.gegenstand else None


def _unchecked(line: Zeile) -> Zeile:
    return Zeile(line.titel, Ausgang.OFFEN, "Noch nicht geprüft")
