"""What programmes are there and what is missing: parliament × party × election."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from django.conf import settings

from parlamente.models import Parlament, Partei, Wahlperiode

from .adressen import parse
from .models import Programm
from .quellen import Quelle, read_quellen

Stand = Literal["eingelesen", "geholt", "adresse", "ohne"]


@dataclass(frozen=True)
class Eintrag:
    """One programme of one party: there, or how far it is from being there."""

    stand: Stand
    jahr: int | None = None
    programm: Programm | None = None
    quelle: Quelle | None = None

    @property
    def ort(self) -> str:
        """Whose server the first address is on, or the page to go on looking."""
        if not self.quelle or not (self.quelle.adressen or self.quelle.einstieg):
            return ""
        url = self.quelle.adressen[0].url if self.quelle.adressen else self.quelle.einstieg
        return parse(str(url)).host.removeprefix("www.")

    @property
    def weitere(self) -> int:
        """Addresses beside the first one."""
        return max(len(self.quelle.adressen) - 1, 0) if self.quelle else 0


@dataclass
class Zeile:
    partei: str
    # Each column's name with the programmes in it; none where the party has no business there.
    paare: list[tuple[str, list[Eintrag]]]


@dataclass
class Tafel:
    """The parties of one parliament by elections, or all parties' basic programmes."""

    anker: str
    titel: str
    spalten: list[str]
    zeilen: list[Zeile]
    anzahl: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for zeile in self.zeilen:
            self.anzahl.update(eintrag.stand for _, zelle in zeile.paare for eintrag in zelle)


def tafeln() -> list[Tafel]:
    """By parliaments' names, the basic programmes last; a parliament without elections has none."""
    quellen = read_quellen()
    programme = list(Programm.objects.select_related("parlament").prefetch_related("parteien"))
    parlamente = list(Parlament.objects.order_by("name").prefetch_related("wahlperioden"))
    found = [_of_parlament(parlament, quellen, programme) for parlament in parlamente]
    grundsatz = _of_basic_programmes(quellen, programme, parlamente)
    return [tafel for tafel in [*found, grundsatz] if tafel.zeilen]


def _of_parlament(
    parlament: Parlament, quellen: Iterable[Quelle], programme: Iterable[Programm]
) -> Tafel:
    wahlen = sorted(parlament.wahlperioden.all(), key=lambda wp: wp.wahltag, reverse=True)
    columns = [
        _of_election(
            wahl,
            [q for q in quellen if _is_for(q, parlament, wahl)],
            [p for p in programme if p.parlament == parlament and wahl.wahltag in p.gueltig],
        )
        for wahl in wahlen
    ]
    names = [f"Wahl {wahl.wahltag:%d.%m.%Y}" for wahl in wahlen]
    parteien = sorted({partei for column in columns for partei in column}, key=str.casefold)
    return Tafel(
        anker=parlament.code.lower(),
        titel=parlament.name,
        spalten=names,
        zeilen=[
            Zeile(p, [(name, c.get(p, [])) for name, c in zip(names, columns, strict=True)])
            for p in parteien
        ],
    )


def _is_for(quelle: Quelle, parlament: Parlament, wahl: Wahlperiode) -> bool:
    return (quelle.parlament, quelle.wahltag) == (parlament.code, wahl.wahltag)


def _of_election(
    wahl: Wahlperiode, quellen: list[Quelle], programme: list[Programm]
) -> dict[str, list[Eintrag]]:
    """The entry of each party that sat there, is on the list, or has a programme."""
    column = {str(fraktion["partei"]): [Eintrag("ohne")] for fraktion in wahl.fraktionen}
    for quelle in quellen:
        column |= {partei: [_from_source(quelle)] for partei in quelle.parteien}
    for programm in programme:
        entry = Eintrag("eingelesen", programm.jahr, programm)
        column |= {partei.kuerzel: [entry] for partei in programm.parteien.all()}
    return column


def _of_basic_programmes(
    quellen: Iterable[Quelle], programme: Iterable[Programm], parlamente: Iterable[Parlament]
) -> Tafel:
    """Of the parties that sat in some parliament, and of those that have one."""
    known = set(Partei.objects.values_list("kuerzel", flat=True))
    entries: dict[str, dict[int, Eintrag]] = {
        str(fraktion["partei"]): {}
        for parlament in parlamente
        for wahl in parlament.wahlperioden.all()
        for fraktion in wahl.fraktionen
    }
    for quelle in quellen:
        if quelle.typ == Programm.Typ.GRUNDSATZPROGRAMM:
            for kuerzel in known & set(quelle.parteien):
                entries.setdefault(kuerzel, {})[quelle.jahr] = _from_source(quelle)
    for programm in programme:
        if programm.typ == Programm.Typ.GRUNDSATZPROGRAMM:
            entry = Eintrag("eingelesen", programm.jahr, programm)
            for partei in programm.parteien.all():
                entries.setdefault(partei.kuerzel, {})[programm.jahr] = entry
    by_party = sorted(entries.items(), key=lambda item: item[0].casefold())
    return Tafel(
        anker="grundsatz",
        titel="Grundsatzprogramme",
        spalten=["Programme"],
        zeilen=[Zeile(kuerzel, [("", _newest_first(found))]) for kuerzel, found in by_party],
    )


def _newest_first(entries: dict[int, Eintrag]) -> list[Eintrag]:
    return [entries[jahr] for jahr in sorted(entries, reverse=True)] or [Eintrag("ohne")]


def _from_source(quelle: Quelle) -> Eintrag:
    if (Path(settings.FETCH_DIR) / quelle.datei).is_file():
        return Eintrag("geholt", quelle.jahr, quelle=quelle)
    return Eintrag("adresse" if quelle.adressen else "ohne", quelle.jahr, quelle=quelle)
