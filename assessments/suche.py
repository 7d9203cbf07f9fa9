"""The list's search and filters: what a visitor asked for, and the query for it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import CharField, Count, Exists, Func, OuterRef, Q

from parlamente.models import Urheber

from .matrix import load_matrix
from .models import Assessment, AssessmentQuerySet, Feldbewertung
from .public import public_belege, public_parlamente
from .scale import Wert

# A longer question is cut, and the page says so: a search must stay cheap for everyone.
MAX_LENGTH = 200
MAX_WORDS = 8
FILTERS = ("parlament", "partei", "thema", "feld")
# Several words between quotation marks stand together; a mark without its other one is none.
_MARKS = '„“”"»«'
_TERM = re.compile(rf"[{_MARKS}]([^{_MARKS}]+)[{_MARKS}]|([^\s{_MARKS}]+)")


class Unnest(Func):
    """A row for each value of an array."""

    function = "unnest"
    set_returning = True
    output_field = CharField()


@dataclass(frozen=True)
class Wahl:
    """One choice of a filter; `anzahl` is None where it is not counted."""

    wert: str
    name: str
    anzahl: int | None = None


@dataclass(frozen=True)
class Suche:
    """What was asked for; `gewaehlt` holds the filters that exist, by name."""

    q: str
    gewaehlt: Mapping[str, Wahl]
    ist_gekuerzt: bool = False
    hat_unbekannten_filter: bool = False

    @property
    def ist_leer(self) -> bool:
        return not self.q and not self.gewaehlt

    @property
    def frage(self) -> str:
        """Between quotation marks, unless it has its own."""
        return self.q if set(self.q) & set(_MARKS) else f"„{self.q}“"

    def adresse(self, *, ohne: str = "", **weitere: object) -> str:
        """The query string of this search, without one of its parts or with more."""
        parts = {"q": self.q} | {name: wahl.wert for name, wahl in self.gewaehlt.items()}
        kept = {name: value for name, value in parts.items() if value and name != ohne}
        query = urlencode(kept | weitere)
        return f"?{query}" if query else ""

    @property
    def chips(self) -> list[tuple[str, str]]:
        """The chosen filters with the address that removes each."""
        question = [(self.frage, self.adresse(ohne="q"))] if self.q else []
        filters = [(wahl.name, self.adresse(ohne=name)) for name, wahl in self.gewaehlt.items()]
        return question + filters


def clean(text: str) -> str:
    """Without NUL, which PostgreSQL refuses in any text."""
    return text.replace("\x00", "")


def parse_suche(params: Mapping[str, str], auswahl: Mapping[str, list[Wahl]]) -> Suche:
    """Never raises: what cannot be used is cut or left out, and the page says so."""
    raw = " ".join(clean(params.get("q", "")).split())
    q = raw[:MAX_LENGTH].strip()
    asked = {name: clean(params[name]) for name in FILTERS if params.get(name)}
    known = {name: _find(auswahl[name], value) for name, value in asked.items()}
    return Suche(
        q=q,
        gewaehlt={name: wahl for name, wahl in known.items() if wahl},
        ist_gekuerzt=len(raw) > MAX_LENGTH or len(begriffe(q)) > MAX_WORDS,
        hat_unbekannten_filter=None in known.values(),
    )


def treffer(suche: Suche) -> AssessmentQuerySet:
    """Published assessments that have every word and pass every filter, the newest motion first."""
    found = Assessment.objects.public().filter(contains_all(suche.q))
    conditions = {
        "parlament": of_parlament,
        "partei": submitted_by,
        "thema": about,
        "feld": affecting,
    }
    for name, wahl in suche.gewaehlt.items():
        found = found.filter(conditions[name](wahl.wert))
    return found.order_by("-antrag__datum", "-antrag__pk")


def load_auswahl() -> dict[str, list[Wahl]]:
    """The choices that lead to at least one published assessment, in a fixed number of queries."""
    public = Assessment.objects.public()
    parlamente = dict(public.values_list("antrag__parlament").annotate(Count("pk")))
    themen = public.annotate(thema=Unnest("themen")).values_list("thema").annotate(Count("pk"))
    return {
        "parlament": [
            Wahl(parlament.code.lower(), parlament.name, parlamente[parlament.pk])
            for parlament in public_parlamente()
        ],
        "partei": _parteien(public),
        "thema": [Wahl(thema, thema, count) for thema, count in sorted(themen)],
        "feld": [Wahl(feld.code, f"{feld.code} {feld.klartitel}") for feld in load_matrix().felder],
    }


def _parteien(public: AssessmentQuerySet) -> list[Wahl]:
    rows = Urheber.objects.filter(antrag__in=public.values("antrag"), parteien__isnull=False)
    counts = rows.values_list("parteien__kuerzel").annotate(Count("antrag", distinct=True))
    return [Wahl(kuerzel, kuerzel, count) for kuerzel, count in sorted(counts)]


def _find(choices: Iterable[Wahl], value: str) -> Wahl | None:
    return next((wahl for wahl in choices if wahl.wert.casefold() == value.casefold()), None)


def begriffe(q: str) -> list[str]:
    """Its words, and what stands between quotation marks as one."""
    found = (quoted.strip() or word for quoted, word in _TERM.findall(q))
    return [begriff for begriff in found if begriff]


def contains_all(q: str) -> Q:
    return Q(*(contains(begriff) for begriff in begriffe(q)[:MAX_WORDS]))


def contains(wort: str) -> Q:
    """In the title, the number, the summary that is shown, or a quote that is shown."""
    by_editors = Q(zusammenfassung_redaktion__icontains=wort)
    by_model = Q(zusammenfassung_redaktion="", zusammenfassung_modell__icontains=wort)
    quoted = public_belege().filter(assessment=OuterRef("pk"), zitat__text__icontains=wort)
    return (
        Q(antrag__titel__icontains=wort)
        | _numbered(wort)
        | by_editors
        | by_model
        | Q(Exists(quoted))
    )


def _numbered(wort: str) -> Q:
    """`7/2291` or `2291`; the period is asked for only where it can be one."""
    period, _, number = wort.rpartition("/")
    numbered = Q(antrag__nummer=number)
    if re.fullmatch(r"[0-9]{1,3}", period):
        numbered &= Q(antrag__wahlperiode__nummer=int(period))
    return numbered


def of_parlament(code: str) -> Q:
    return Q(antrag__parlament__code__iexact=code)


def submitted_by(kuerzel: str) -> Q:
    mine = Urheber.objects.filter(antrag=OuterRef("antrag"), parteien__kuerzel=kuerzel)
    return Q(Exists(mine))


def about(thema: str) -> Q:
    return Q(themen__contains=[thema])


def affecting(feld: str) -> Q:
    none = Wert.NICHT_BETROFFEN
    affected = Q(wert_redaktion="") & ~Q(wert_modell=none) | (
        ~Q(wert_redaktion="") & ~Q(wert_redaktion=none)
    )
    rated = Feldbewertung.objects.filter(affected, assessment=OuterRef("pk"), feld=feld)
    return Q(Exists(rated))
