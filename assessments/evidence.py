"""From a model's quote to evidence: placed and permitted, or open with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from citations.binding import Bereich, Bindung, Scope, reconstruct_zitate
from citations.models import Zitat
from citations.platz import Hindernis
from citations.quelltext import Span
from parlamente.models import Fassung, Partei
from programme.labels import resolve
from programme.models import Programm

from .herkunft import (
    page_number,
    source_line,
    wrong_origin_of_antrag_quote,
    wrong_origin_of_programme_quote,
)
from .models import Beleg
from .schemas import BelegEntwurf, ModellZitat

Grund = Beleg.Grund
UEBERALL = Scope("überall", everywhere=True)


class Herkunftsregel(Protocol):
    """Where a quote may come from, and how to say that it does not."""

    @property
    def fassung(self) -> Fassung: ...
    @property
    def seite(self) -> Beleg.Seite: ...
    @property
    def scopes(self) -> Sequence[Scope]: ...
    def wrong_origin(self, zitat: Zitat) -> str: ...
    def forderung(self, zitat: Zitat) -> str: ...


@dataclass(frozen=True)
class AusAntrag:
    """Quotes from the text of the motion."""

    fassung: Fassung
    seite: Beleg.Seite = Beleg.Seite.ANTRAG

    @property
    def scopes(self) -> Sequence[Scope]:
        return (Scope("antrag", (Bereich(self.fassung.dokument.lesung),)), UEBERALL)

    def wrong_origin(self, zitat: Zitat) -> str:
        return wrong_origin_of_antrag_quote(zitat, self.fassung)

    def forderung(self, zitat: Zitat) -> str:
        """None: it is the motion that is quoted."""
        return ""


@dataclass(frozen=True)
class AusProgramm:
    """Quotes from one kind of programme of one party.

    `gezeigt` are the passages that the model was shown, `forderungen` the demand that each answers.
    """

    fassung: Fassung
    partei: Partei
    typ: Programm.Typ
    programme: tuple[Programm, ...]
    gezeigt: tuple[tuple[int, Span], ...] = ()  # (extraktion_id, span)
    forderungen: tuple[str, ...] = ()
    seite: Beleg.Seite = Beleg.Seite.PROGRAMM

    @property
    def scopes(self) -> Sequence[Scope]:
        lesungen = [programm.dokument.lesung for programm in self.programme]
        bereiche = tuple(Bereich(lesung, self._shown_in(lesung.pk)) for lesung in lesungen)
        return (Scope("programm", bereiche), UEBERALL)

    def _shown_in(self, extraktion_id: int) -> tuple[Span, ...]:
        return tuple(span for pk, span in self.gezeigt if pk == extraktion_id)

    def wrong_origin(self, zitat: Zitat) -> str:
        return wrong_origin_of_programme_quote(zitat, self.partei, self.typ, self.fassung.antrag)

    def forderung(self, zitat: Zitat) -> str:
        """Of the first passage shown that holds the quote's beginning."""
        begin = zitat.spans[0][0]
        for (pk, (start, ende)), forderung in zip(self.gezeigt, self.forderungen, strict=True):
            if pk == zitat.extraktion_id and start <= begin < ende:
                return forderung
        return ""


@dataclass(frozen=True)
class Anfrage:
    """One quote of an answer with the rule for where it may come from."""

    zitat: ModellZitat
    regel: Herkunftsregel


def to_evidence(anfragen: Sequence[Anfrage], kandidaten: Sequence[Programm]) -> list[BelegEntwurf]:
    """Evidence for every quote, in order; `kandidaten` are programmes a label may mean."""
    bindungen = reconstruct_zitate([(a.zitat.text, a.regel.scopes) for a in anfragen])
    return [
        _evidence(anfrage, bindung, kandidaten)
        for anfrage, bindung in zip(anfragen, bindungen, strict=True)
    ]


def _evidence(anfrage: Anfrage, bindung: Bindung, kandidaten: Sequence[Programm]) -> BelegEntwurf:
    zustand, grund, erklaerung = _judge(anfrage.regel, bindung)
    accepted = zustand == Beleg.Zustand.ANGENOMMEN
    # Words from elsewhere are explained, but never offered for acceptance.
    offered = not accepted and grund != Grund.ANDERES_PROGRAMM
    land = anfrage.regel.fassung.antrag.parlament.code
    angabe = resolve(anfrage.zitat.quelle, kandidaten, land=land)
    placed = bindung.zitat if accepted or offered else None
    stimmt = _claim_holds(bindung.zitat, angabe.programm, angabe.seite)
    if stimmt is False and bindung.zitat and grund != Grund.ANDERES_PROGRAMM:
        erklaerung = f"{erklaerung} {_correction(bindung.zitat, anfrage.zitat.quelle)}".strip()
    return BelegEntwurf(
        seite=anfrage.regel.seite,
        zustand=zustand,
        herkunft=Beleg.Herkunft.MODELL,
        zitat=bindung.zitat if accepted else None,
        vorschlag=bindung.zitat if offered else None,
        grund=grund,
        erklaerung=erklaerung,
        wortlaut_modell=anfrage.zitat.text,
        quelle_modell=anfrage.zitat.quelle,
        url_modell=anfrage.zitat.url,
        quelle_programm=angabe.programm,
        quelle_stimmt=stimmt,
        forderung=anfrage.regel.forderung(placed) if placed else "",
    )


def _correction(zitat: Zitat, claimed: str) -> str:
    return f"Die Worte stehen in {source_line(zitat)}; das Modell nannte „{claimed}“."


def _judge(regel: Herkunftsregel, bindung: Bindung) -> tuple[Beleg.Zustand, Grund | None, str]:
    """The right words from the wrong source are a finding for the editor, not evidence."""
    if bindung.zitat is not None:
        wrong = regel.wrong_origin(bindung.zitat)
        if wrong:
            return Beleg.Zustand.OFFEN, Grund.ANDERES_PROGRAMM, wrong
    if bindung.is_bound:
        return Beleg.Zustand.ANGENOMMEN, None, ""
    hindernis = bindung.platz.hindernis or Hindernis.NICHT_GEFUNDEN
    erklaerung = hindernis.erklaerung
    if bindung.urteil and bindung.urteil.grund:
        erklaerung = bindung.urteil.grund
    return Beleg.Zustand.OFFEN, Grund(hindernis.value), erklaerung


def _claim_holds(zitat: Zitat | None, programm: Programm | None, seite: int | None) -> bool | None:
    """Whether the words stand where the model said; None where it said nothing comparable."""
    if zitat is None or (programm is None and seite is None):
        return None
    if programm is not None and programm.dokument_id != zitat.extraktion.dokument_id:
        return False
    return seite is None or str(seite) in page_number(zitat).split("/")
