"""When a programme counts as what its party promises."""

from collections.abc import Iterable
from datetime import date, timedelta

from django.db.backends.postgresql.psycopg_any import DateRange

from parlamente.models import Parlament, Partei

from .models import Programm
from .naming import UnklareAngaben


class UnklareGeltung(UnklareAngaben):
    """The validity cannot be derived; the message is German and says what to do."""


def gueltig(jahr: int, beginne: Iterable[date]) -> DateRange:
    """From the day in `jahr` on which such a programme begins to count until the next such day.

    For an election programme these are the parliament's election days: a party stands for the new
    programme from election day on, although the old parliament sits for some months yet. For a
    basic programme it is 1 January of the year of each of the party's basic programmes. The last
    day is exclusive; without a later one the end is open. Raises UnklareGeltung.
    """
    ordered = sorted(set(beginne))
    matching = [tag for tag in ordered if tag.year == jahr]
    if len(matching) != 1:
        problem = "keine Wahl" if not matching else "mehr als eine Wahl"
        raise UnklareGeltung(
            f"Für {jahr} ist {problem} zu diesem Parlament bekannt. Laden Sie die Wahlperioden "
            "(load_parlamente) oder geben Sie --gueltig-ab und --gueltig-bis an."
        )
    return until_next(matching[0], ordered)


def until_next(ab: date, beginne: Iterable[date]) -> DateRange:
    return DateRange(ab, min((tag for tag in beginne if tag > ab), default=None))


def given(ab: date, bis: date | None, beginne: Iterable[date]) -> DateRange:
    """What somebody stated: `bis` is the last valid day; without it, until the next beginning."""
    if bis is None:
        return until_next(ab, beginne)
    if bis < ab:
        raise UnklareGeltung(f"Die Geltung endet ({bis:%d.%m.%Y}) vor ihrem Beginn.")
    return DateRange(ab, bis + timedelta(days=1))


def wahltage(parlament: Parlament) -> list[date]:
    return list(parlament.wahlperioden.values_list("wahltag", flat=True))


def grundsatz_beginne(parteien: Iterable[Partei], *jahre: int) -> list[date]:
    """1 January of the years of the known basic programmes of the same parties, and of `jahre`."""
    known = {programm.jahr for programm in _same_parteien(parteien)}
    return [date(jahr, 1, 1) for jahr in known | set(jahre)]


def _same_parteien(parteien: Iterable[Partei]) -> list[Programm]:
    wanted = {partei.pk for partei in parteien}
    candidates = Programm.objects.filter(
        typ=Programm.Typ.GRUNDSATZPROGRAMM, parteien__in=wanted
    ).prefetch_related("parteien")
    return [
        programm
        for programm in candidates.distinct()
        if {partei.pk for partei in programm.parteien.all()} == wanted
    ]


def close_open_ends() -> list[Programm]:
    """Ends programmes that a later election or a newer basic programme has overtaken.

    A stated or computed end is never touched. Returns the changed programmes.
    """
    overtaken = []
    for programm in Programm.objects.filter(gueltig__upper_inf=True).select_related("parlament"):
        closed = until_next(programm.gueltig.lower, beginne_for(programm))
        if closed.upper:
            programm.gueltig = closed
            programm.save(update_fields=["gueltig"])
            overtaken.append(programm)
    return overtaken


def beginne_for(programm: Programm) -> list[date]:
    if programm.parlament:
        return wahltage(programm.parlament)
    return grundsatz_beginne(programm.parteien.all())
