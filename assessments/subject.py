"""What is assessed, and what it is compared with: the motion's text and the parties' passages."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from citations.lesetext import lesetext
from citations.models import Extraktion, Seite
from parlamente.models import Antrag, Fassung, Partei, Urheber
from programme.models import Programm
from programme.queries import Frage, motion_queries
from programme.retrieval import Bestand, Fundstelle, find_passages, searched

from .blind import Blende
from .models import Vergleich
from .prompt import Quelle

_BEGRUENDUNG = re.compile(r"^(?:Zur\s+)?Begründung\b", re.MULTILINE)
# find_passages, or what orders its passages anew.
Suche = Callable[..., dict[int, list[Fundstelle]]]
# Letters; a paper that opens with its reasons has its demands behind them.
MIN_DEMANDS = 150
# Signs of a demand that are shown beside what answers it.
MAX_DEMAND = 160


class NichtBewertbar(Exception):
    """The motion cannot be assessed; the message says why, in German."""


@dataclass(frozen=True)
class Parteivergleich:
    """One party and one kind of programme: what counts, and what was found in it."""

    partei: Partei
    rolle: Vergleich.Rolle
    typ: Programm.Typ
    bestand: Bestand
    fundstellen: tuple[Fundstelle, ...]
    fragen: tuple[Frage, ...] = ()

    @property
    def programm(self) -> Programm | None:
        """The programme that counts: where the best passage stands, else the first one."""
        if self.fundstellen:
            return self.fundstellen[0].programm
        return self.bestand.programme[0] if self.bestand.programme else None

    @property
    def absence(self) -> Vergleich.Ergebnis | None:
        """Why there is nothing to compare with; None where passages were found."""
        if not self.bestand.in_index:
            return Vergleich.Ergebnis.KEIN_PROGRAMM
        return None if self.fundstellen else Vergleich.Ergebnis.NICHTS_GEFUNDEN

    @property
    def durchsucht(self) -> str:
        labels = ", ".join(programm.label for programm in self.bestand.programme)
        number = self.bestand.passagen
        passagen = "1 Passage" if number == 1 else f"{number} Passagen"
        return f"{passagen} ({labels})" if labels else ""

    def forderung(self, fundstelle: Fundstelle) -> str:
        """The demand that the passage answers best: `2. die Mittel anzuheben`; empty for none."""
        number = fundstelle.forderung
        text = next((f.text for f in self.fragen if number and f.forderung == number), "")
        return f"{number}. {shorten(text, MAX_DEMAND, placeholder=' …')}" if text else ""

    def quellen(self) -> list[Quelle]:
        return [
            Quelle(self.typ, f"{fund.programm.label}, S. {_printed(fund)}", fund.text)
            for fund in self.fundstellen
        ]


@dataclass(frozen=True)
class Gegenstand:
    """A version of a motion with everything that an assessment of it looks at.

    `titel` and `text` are blind; nothing else of the motion goes into prompts and searches.
    """

    fassung: Fassung
    titel: str
    text: str
    blende: Blende
    vergleiche: tuple[Parteivergleich, ...]

    @property
    def forderungen(self) -> str:
        """What is demanded, without the reasons: what a party's promises are compared with."""
        demands = _BEGRUENDUNG.split(self.text, maxsplit=1)[0].strip()
        return demands if len(demands) >= MIN_DEMANDS else self.text

    @property
    def parteien(self) -> list[Partei]:
        return list(dict.fromkeys(vergleich.partei for vergleich in self.vergleiche))

    def quellen_von(self, partei: Partei) -> list[Quelle]:
        """What was found in the party's programmes, as it is shown to the model."""
        own = [vergleich for vergleich in self.vergleiche if vergleich.partei == partei]
        return [quelle for vergleich in own for quelle in vergleich.quellen()]


def gather(fassung: Fassung, find: Suche = find_passages) -> Gegenstand:
    """Reads the motion blind and finds the parties' passages. Raises NichtBewertbar."""
    antrag = fassung.antrag
    blende = Blende(_party_names(), _people(antrag))
    titel, text = blende.phrase(antrag.titel), blende.text(_citable_text(fassung))
    vergleiche = _vergleiche(antrag, motion_queries(titel, text), find)
    return Gegenstand(fassung, titel, text, blende, tuple(vergleiche))


def _vergleiche(antrag: Antrag, queries: Sequence[Frage], find: Suche) -> Iterator[Parteivergleich]:
    rollen = compared_parties(antrag)
    parteien, parlament, datum = list(rollen), antrag.parlament, antrag.datum
    found = find(parteien, parlament=parlament, datum=datum, queries=queries)
    stock = searched(parteien, parlament=parlament, datum=datum)
    for partei, rolle in rollen.items():
        for typ in Programm.Typ:
            yield Parteivergleich(
                partei=partei,
                rolle=rolle,
                typ=typ,
                bestand=stock[partei.pk, typ],
                fundstellen=tuple(f for f in found[partei.pk] if f.programm.typ == typ),
                fragen=tuple(queries),
            )


def compared_parties(antrag: Antrag) -> dict[Partei, Vergleich.Rolle]:
    """Submitting parties first, then governing ones, each in alphabetical order."""
    submitting = sorted(antrag.einbringende(), key=lambda partei: partei.kuerzel)
    governing = sorted(antrag.regierende(), key=lambda partei: partei.kuerzel)
    rollen = dict.fromkeys(submitting, Vergleich.Rolle.EINBRINGEND)
    for partei in governing:
        both = partei in rollen
        rollen[partei] = Vergleich.Rolle.BEIDES if both else Vergleich.Rolle.REGIEREND
    return rollen


def _citable_text(fassung: Fassung) -> str:
    lesung = fassung.dokument.lesung
    if lesung.status != Extraktion.Status.ZITIERFAEHIG:
        raise NichtBewertbar(f"{fassung.antrag} ist nicht zitierfähig: {lesung.grund}")
    return lesetext(lesung).text


def _party_names() -> tuple[str, ...]:
    """Every known party, not only those involved: what is left out must not tell who submits."""
    rows = Partei.objects.values_list("kuerzel", "name", "aliase")
    return tuple(name for kuerzel, full, aliase in rows for name in (kuerzel, full, *aliase))


def _people(antrag: Antrag) -> tuple[str, ...]:
    people = antrag.urheber.filter(art=Urheber.Art.PERSON)
    return tuple(people.values_list("roh", flat=True))


def _printed(fund: Fundstelle) -> str:
    return Seite.objects.get(extraktion=fund.extraktion_id, index=fund.seite).zahl
