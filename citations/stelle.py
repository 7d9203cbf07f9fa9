"""A place in a text, cut out once: what a Zitat stores. Pure."""

from dataclasses import dataclass

from .comparison import Grad
from .marks import Rect, rects_for
from .quelltext import Lesetext, Span, cut


@dataclass(frozen=True, slots=True)
class Stelle:
    """The fields mean what they mean on `Zitat` (citations/models.py)."""

    spans: tuple[Span, ...]
    seite: int
    text: str
    rects: list[Rect]
    grade: Grad

    @property
    def teile(self) -> list[str]:
        return teile_of(self.text)


def stelle_at(text: Lesetext, spans: tuple[Span, ...], grade: Grad) -> Stelle:
    """Text, page and boxes of the spans. Raises ValueError where boxes and text do not match."""
    return Stelle(
        spans=spans,
        seite=text.seite_at(spans[0][0]),
        text=cut(text.text, spans),
        rects=rects_for(text, spans),
        grade=grade,
    )


def teile_of(text: str) -> list[str]:
    """The quoted pieces, without the […] between them."""
    return text.split(" […] ")
