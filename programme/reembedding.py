"""Builds the indexes of programmes that are there: anew, or with vectors of one more model."""

from collections.abc import Iterator

from .embeddings import written_models
from .ingesting import add_vectors, plan_index, put_index
from .models import EinbettungsModell, Programm
from .prozesse import in_order
from .wortschatz import count_words


def missing(modell: EinbettungsModell) -> list[Programm]:
    rows = Programm.objects.without_vectors_of(modell).select_related("dokument")
    return list(rows.order_by("pk"))


def reembed(
    programme: list[Programm], modell: EinbettungsModell, *, processes: int
) -> Iterator[Programm]:
    """Each programme when it has its vectors: all of them or none, whenever this is ended.

    Raises EinbettungFehler and ProzessVerloren.
    """
    calls = ((programm, plan_index(programm, [modell])) for programm in programme)
    for programm, work in in_order(calls, processes=min(processes, len(programme) or 1)):
        add_vectors(programm, work())
        yield programm


def reindex_all(programme: list[Programm], *, processes: int) -> Iterator[Programm]:
    """Each programme when its index is built anew, whole, whenever this is ended.

    Raises UnklareAngaben, EinbettungFehler and ProzessVerloren.
    """
    modelle = written_models()
    calls = ((programm, plan_index(programm, modelle)) for programm in programme)
    for programm, work in in_order(calls, processes=min(processes, len(programme) or 1)):
        put_index(programm, work())
        yield programm
    count_words()
