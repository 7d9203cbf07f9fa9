"""Gets one programme's file: there already, or fetched from the first address that has it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from citations.reading import file_bytes
from parlamente.models import Parlament, Partei

from .abruf import Abrufer, AbrufGescheitert
from .erkennung import spellings
from .pruefung import Befund, Erwartung, examine
from .quellen import Fundstelle, Quelle
from .sammlung import Sammlung

Ausgang = Literal["geholt", "vorhanden", "gescheitert", "ohne Adresse"]
# A second place to look, asked for addresses only when the listed ones have failed.
Zweitquelle = Callable[[Quelle], Iterable[Fundstelle]]


@dataclass
class Ergebnis:
    quelle: Quelle
    ausgang: Ausgang
    adresse: str = ""
    seiten: int = 0
    # Why each address that was tried did not do, as "address: reason".
    gruende: list[str] = field(default_factory=list)


def obtain(
    quelle: Quelle, sammlung: Sammlung, abrufer: Abrufer, zweitquelle: Zweitquelle | None = None
) -> Ergebnis:
    """Raises UnklareAngaben where the folder's programme.csv is not readable, and OSError."""
    erwartung = expectation(quelle)
    ergebnis = Ergebnis(quelle, "gescheitert")
    if sammlung.path(quelle).exists() and _is_there(ergebnis, sammlung, erwartung):
        return ergebnis
    tried = False
    for fundstelle in _addresses(quelle, zweitquelle, ergebnis):
        tried = True
        if _fetch(ergebnis, fundstelle, sammlung, abrufer, erwartung):
            return ergebnis
    if not tried and not ergebnis.gruende:
        ergebnis.ausgang = "ohne Adresse"
    return ergebnis


def expectation(quelle: Quelle) -> Erwartung:
    parlament = Parlament.objects.get(code=quelle.parlament) if quelle.parlament else None
    return Erwartung(
        parteien=spellings(Partei.objects.filter(kuerzel__in=quelle.parteien)),
        land=parlament.land if parlament else None,
        jahr=quelle.jahr,
    )


def _addresses(
    quelle: Quelle, zweitquelle: Zweitquelle | None, ergebnis: Ergebnis
) -> Iterable[Fundstelle]:
    yield from quelle.adressen
    if zweitquelle:
        known = {fundstelle.url for fundstelle in quelle.adressen}
        try:
            yield from (found for found in zweitquelle(quelle) if found.url not in known)
        except AbrufGescheitert as failure:
            ergebnis.gruende.append(f"abgeordnetenwatch.de: {failure}")


def _is_there(ergebnis: Ergebnis, sammlung: Sammlung, erwartung: Erwartung) -> bool:
    """Whether the file that is there is right; one that is not is put aside."""
    quelle = ergebnis.quelle
    path, row = sammlung.path(quelle), sammlung.recorded(quelle)
    adresse = row["adresse"] if row else ""
    known = next((f for f in quelle.adressen if f.url == adresse), None)
    if row and (known is None or known.sha256 in (None, row["sha256"])):
        befund = Befund(row["sha256"], int(row["seiten"] or 0), [])
    else:
        befund = examine(file_bytes(path), _with(erwartung, known))
    if not befund.ok:
        target = sammlung.put_aside(quelle, path, adresse, befund)
        ergebnis.gruende.append(
            f"{path.name} lag da: {' '.join(befund.gruende)} Beiseite gelegt als {target.name}."
        )
        return False
    if row:
        sammlung.describe(quelle, adresse)
    else:
        sammlung.keep(quelle, path, adresse, befund)
    ergebnis.ausgang, ergebnis.adresse, ergebnis.seiten = "vorhanden", adresse, befund.seiten
    return True


def _fetch(
    ergebnis: Ergebnis,
    fundstelle: Fundstelle,
    sammlung: Sammlung,
    abrufer: Abrufer,
    erwartung: Erwartung,
) -> bool:
    quelle, teil = ergebnis.quelle, sammlung.teil(ergebnis.quelle)
    try:
        abrufer.download_pdf(fundstelle.url, teil)
    except AbrufGescheitert as failure:
        ergebnis.gruende.append(f"{fundstelle.url}: {failure}")
        return False
    befund = examine(file_bytes(teil), _with(erwartung, fundstelle))
    if not befund.ok:
        target = sammlung.put_aside(quelle, teil, fundstelle.url, befund)
        ergebnis.gruende.append(
            f"{fundstelle.url}: {' '.join(befund.gruende)} Beiseite gelegt als {target.name}."
        )
        return False
    sammlung.keep(quelle, teil, fundstelle.url, befund)
    ergebnis.ausgang, ergebnis.adresse, ergebnis.seiten = "geholt", fundstelle.url, befund.seiten
    return True


def _with(erwartung: Erwartung, fundstelle: Fundstelle | None) -> Erwartung:
    if fundstelle is None:
        return erwartung
    return replace(erwartung, sha256=fundstelle.sha256, seiten=fundstelle.seiten)
