"""Binds quotes to places in documents. The server believes no quote (docs/adr/0001)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import Exists, OuterRef

from .comparison import Grad, compare_form
from .lesetext import lesetext
from .models import Extraktion, Pruefung, Zitat
from .pictures import enqueue_pictures
from .placing import MAX_EQUAL_PLACES, MIN_LETTERS, equal_places, place_in_reading, split_segments
from .platz import NOWHERE, Hindernis, Platz
from .quelltext import Span
from .stelle import stelle_at
from .verification import Urteil, check_zitate


@dataclass(frozen=True)
class Bereich:
    """A reading, and the parts of it that are preferred (the passages shown to the model)."""

    extraktion: Extraktion
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Scope:
    """Readings that a quote may come from, under a name that the caller understands.

    `everywhere` searches all readings for exact words: only to say where a quote really stands.
    """

    name: str
    bereiche: tuple[Bereich, ...] = ()
    everywhere: bool = False


@dataclass(frozen=True)
class Bindung:
    """What became of one quote.

    `zitat` is the place, not yet saved, proved by the second engine; or the nearest place where
    `platz.hindernis` says what hinders; or None where nothing is near.
    """

    quote: str
    scope: str
    platz: Platz
    zitat: Zitat | None = None
    urteil: Urteil | None = None

    @property
    def is_bound(self) -> bool:
        return self.platz.is_placed and self.zitat is not None


@dataclass(frozen=True)
class _Fund:
    """A place found for one quote."""

    scope: str = ""
    extraktion: Extraktion | None = None
    platz: Platz = NOWHERE

    def is_as_good_as(self, other: "_Fund") -> bool:
        one, two = self.platz, other.platz
        return one.is_placed and (one.rang, one.grad) == (two.rang, two.grad)


def bind(quotes: Sequence[str], scopes: Sequence[Scope]) -> list[Bindung]:
    """Places every quote in the first scope where it stands, and has each place proved."""
    return reconstruct_zitate([(quote, scopes) for quote in quotes])


def reconstruct_zitate(anfragen: Sequence[tuple[str, Sequence[Scope]]]) -> list[Bindung]:
    """`bind` for quotes with scopes of their own; the second engine opens each file once."""
    quotes = [quote for quote, _ in anfragen]
    funde = [_best_places(quote, scopes) for quote, scopes in anfragen]
    bindungen = _proved([_bindung(quote, one[0]) for quote, one in zip(quotes, funde, strict=True)])
    for attempt in range(1, MAX_EQUAL_PLACES):
        tried = {
            number: _bindung(quotes[number], equal[attempt])
            for number, equal in enumerate(funde)
            if _is_unproved(bindungen[number]) and attempt < len(equal)
        }
        for number, bindung in zip(tried, _proved(list(tried.values())), strict=True):
            if bindung.is_bound:
                bindungen[number] = bindung
    return bindungen


def _proved(bindungen: Sequence[Bindung]) -> list[Bindung]:
    """With what the second engine says of each that is placed."""
    placed = [b.zitat for b in bindungen if b.is_bound and b.zitat]
    urteile = {id(zitat): urteil for zitat, urteil in check_zitate(placed)}
    return [_with_urteil(bindung, urteile.get(id(bindung.zitat))) for bindung in bindungen]


def _is_unproved(bindung: Bindung) -> bool:
    return bindung.urteil is not None and not bindung.is_bound


def make_zitat(extraktion: Extraktion, spans: tuple[Span, ...], grad: Grad) -> Zitat:
    """An unsaved Zitat: text, page and boxes cut from the spans."""
    stelle = stelle_at(lesetext(extraktion), spans, grad)
    return Zitat(
        extraktion=extraktion,
        spans=[list(span) for span in stelle.spans],
        seite=stelle.seite,
        text=stelle.text,
        rects=stelle.rects,
        grade=stelle.grade,
    )


def keep(zitat: Zitat) -> Zitat:
    """Stores the Zitat, or finds the same place that is stored already."""
    kept, created = Zitat.objects.get_or_create(
        extraktion=zitat.extraktion,
        spans=zitat.spans,
        grade=zitat.grade,
        defaults={"seite": zitat.seite, "text": zitat.text, "rects": zitat.rects},
    )
    if created:
        enqueue_pictures(kept)
    return kept


def _best_places(quote: str, scopes: Sequence[Scope]) -> list[_Fund]:
    """The best place, earlier scopes first, and behind it those of its scope that are as good."""
    best = [_Fund()]
    for scope in scopes:
        found = [
            fund for one in _bereiche(scope, quote) for fund in _places(quote, scope.name, one)
        ]
        first = max(found, key=lambda fund: fund.platz.rang, default=best[0])
        if first.platz.rang > best[0].platz.rang:
            equal = (one for one in found if one is not first and one.is_as_good_as(first))
            best = [first, *islice(equal, MAX_EQUAL_PLACES - 1)]
        if first.platz.is_placed:
            break
    return best


def _places(quote: str, scope: str, bereich: Bereich) -> Iterator[_Fund]:
    text = lesetext(bereich.extraktion)
    platz = place_in_reading(quote, text, preferred=bereich.spans)
    equal = islice(equal_places(quote, platz, text), MAX_EQUAL_PLACES - 1)
    for one in (platz, *equal):
        yield _Fund(scope, bereich.extraktion, one)


def _bereiche(scope: Scope, quote: str) -> Iterable[Bereich]:
    if not scope.everywhere:
        return scope.bereiche
    longest = max(map(compare_form, split_segments(quote)), key=len, default="")
    if len(longest) < MIN_LETTERS:
        return ()
    newer = Extraktion.objects.filter(
        dokument=OuterRef("dokument"), version__gt=OuterRef("version")
    )
    readings = Extraktion.objects.filter(~Exists(newer), suchtext__form__contains=longest)
    return (Bereich(reading) for reading in readings.order_by("pk"))


def _bindung(quote: str, best: _Fund) -> Bindung:
    if best.extraktion is None or not best.platz.spans:
        return Bindung(quote, best.scope, best.platz)
    proposed = Grad.WOERTLICH if len(best.platz.spans) == 1 else Grad.AUSLASSUNG
    grad = best.platz.grad if best.platz.grad is not Grad.UNGEPRUEFT else proposed
    return Bindung(
        quote,
        best.scope,
        best.platz,
        zitat=make_zitat(best.extraktion, best.platz.spans, grad),
    )


def _with_urteil(bindung: Bindung, urteil: Urteil | None) -> Bindung:
    """What the second engine does not confirm is not accepted by the machine alone."""
    if urteil is None or urteil.ergebnis == Pruefung.Ergebnis.BEWIESEN:
        return replace(bindung, urteil=urteil)
    hindernis = (
        Hindernis.NICHT_BEWIESEN
        if urteil.ergebnis == Pruefung.Ergebnis.WIDERLEGT
        else Hindernis.NICHT_PRUEFBAR
    )
    return replace(bindung, urteil=urteil, platz=replace(bindung.platz, hindernis=hindernis))
