"""Whether a programme is surely what its particulars say, by its first pages."""

from collections.abc import Iterable

from citations.lesetext import lesetext
from citations.quelltext import Lesetext
from parlamente.models import Parlament, Partei

from .erkennung import first_pages, mismatches, spellings
from .models import Programm


def doubts(
    text: Lesetext, *, parteien: Iterable[Partei], parlament: Parlament | None, jahr: int
) -> list[str]:
    """What the first pages do not name, as German sentences. The name may stand in a picture."""
    return mismatches(
        first_pages(text),
        parteien=spellings(parteien),
        land=parlament.land if parlament else None,
        jahr=jahr,
    )


def examine_again(programm: Programm) -> None:
    """After another reading, or a change of the particulars."""
    programm.doubt(
        doubts(
            lesetext(programm.dokument.lesung),
            parteien=programm.parteien.all(),
            parlament=programm.parlament,
            jahr=programm.jahr,
        )
    )
