"""What is assessed, and what it is compared with: the motion's text and the parties' passages."""

from dataclasses import dataclass

from citations.lesetext import lesetext
from citations.models import Extraktion
from parlamente.models import Antrag, Fassung, Partei, Urheber
from programme.models import Programm
from programme.queries import motion_queries
from programme.retrieval import Bestand, Fundstelle, find_passages, searched

from .blind import blind_text
from .models import Vergleich
from .prompt import Quelle


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
        return f"{self.bestand.passagen} Passagen ({labels})" if labels else ""

    def quellen(self) -> list[Quelle]:
        return [
            Quelle(self.typ, f"{fund.programm.label}, S. {_printed(fund)}", fund.text)
            for fund in self.fundstellen
        ]


@dataclass(frozen=True)
class Gegenstand:
    """A version of a motion with everything that an assessment of it looks at."""

    fassung: Fassung
    text: str
    vergleiche: tuple[Parteivergleich, ...]

    @property
    def parteien(self) -> list[Partei]:
        return list(dict.fromkeys(vergleich.partei for vergleich in self.vergleiche))

    def vergleiche_mit(self, partei: Partei) -> list[Parteivergleich]:
        return [vergleich for vergleich in self.vergleiche if vergleich.partei == partei]


def gather(fassung: Fassung) -> Gegenstand:
    """Reads the motion blind and finds the parties' passages. Raises NichtBewertbar."""
    text = _citable_text(fassung)
    antrag = fassung.antrag
    rollen = compared_parties(antrag)
    parteien, parlament, datum = list(rollen), antrag.parlament, antrag.datum
    queries = motion_queries(antrag.titel, text)
    found = find_passages(parteien, parlament=parlament, datum=datum, queries=queries)
    stock = searched(parteien, parlament=parlament, datum=datum)
    return Gegenstand(
        fassung=fassung,
        text=text,
        vergleiche=tuple(
            Parteivergleich(
                partei=partei,
                rolle=rolle,
                typ=typ,
                bestand=stock[partei.pk, typ],
                fundstellen=tuple(f for f in found[partei.pk] if f.programm.typ == typ),
            )
            for partei, rolle in rollen.items()
            for typ in Programm.Typ
        ),
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
    text = lesetext(lesung).text
    return blind_text(text, parteien=_party_names(), personen=_people(fassung.antrag))


def _party_names() -> list[str]:
    """Every known party, not only those involved: what is left out must not tell who submits."""
    rows = Partei.objects.values_list("kuerzel", "name", "aliase")
    return [name for kuerzel, full, aliase in rows for name in (kuerzel, full, *aliase)]


def _people(antrag: Antrag) -> list[str]:
    people = antrag.urheber.filter(art=Urheber.Art.PERSON)
    return [roh.split("(")[0].strip() for roh in people.values_list("roh", flat=True)]


def _printed(fund: Fundstelle) -> str:
    return fund.programm.dokument.lesung.seiten.get(index=fund.seite).zahl
