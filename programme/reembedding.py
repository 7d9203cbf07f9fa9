"""Gives the programmes vectors of another model while the old one is read."""

from collections.abc import Iterator

from .ingesting import add_vectors, plan_vectors
from .models import EinbettungsModell, Programm
from .prozesse import in_order


def missing(modell: EinbettungsModell) -> list[Programm]:
    rows = Programm.objects.without_vectors_of(modell).select_related("dokument")
    return list(rows.order_by("pk"))


def reembed(
    programme: list[Programm], modell: EinbettungsModell, *, processes: int
) -> Iterator[Programm]:
    """Each programme when it has its vectors: all of them or none, whenever this is ended.

    Raises EinbettungFehler and ProzessVerloren.
    """
    calls = ((programm, plan_vectors(programm, modell)) for programm in programme)
    for programm, work in in_order(calls, processes=min(processes, len(programme) or 1)):
        add_vectors(programm, work())
        yield programm
