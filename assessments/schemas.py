"""What a model may answer, and what becomes of it once its quotes are placed.

The names of the answer follow the seeds of the project (docs/adr/0001): `wahlprogramm_scores`,
`zitate`, `text`, `quelle`, `url`. Nothing in an answer is trusted but its shape.
"""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from citations.models import Zitat
from parlamente.models import Partei
from parlamente.zeichen import plain
from programme.models import Programm

from .models import Beleg, Vergleich
from .scale import Wert

Text = Annotated[str, Field(max_length=1200)]
Label = Annotated[str, Field(max_length=300)]
FeldCode = Annotated[str, Field(pattern="^[A-E][1-5]$")]
SCORE = Annotated[int, Field(ge=0, le=10)]


class _Antwort(BaseModel):
    """An answer; keys that were not asked for are ignored, missing ones are an error."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def is_plain(cls, values: Any) -> Any:
        """A NUL or half a surrogate pair in an answer must not end a paid run at the database."""
        if not isinstance(values, dict):
            return values
        return {key: _plain(value) for key, value in values.items()}


def _plain(value: Any) -> Any:
    """Texts and lists of texts; what is nested deeper is an answer of its own."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return plain(value) if isinstance(value, str) else value


class ModellZitat(_Antwort):
    text: Text
    quelle: Label
    url: Label


class FeldAntwort(_Antwort):
    feld: FeldCode
    wert: int = Field(ge=-2, le=2)
    begruendung: str = Field(max_length=800)
    zitate: list[ModellZitat] = Field(max_length=3)


class VerbesserungAntwort(_Antwort):
    feld: FeldCode
    titel: str = Field(max_length=200)
    zitat: ModellZitat
    neuer_wortlaut: str = Field(max_length=1500)
    begruendung: str = Field(max_length=800)


class MatrixAntwort(_Antwort):
    """The blind rating; fields that are not named are not affected."""

    zusammenfassung: str = Field(max_length=1200)
    themen: list[Annotated[str, Field(max_length=60)]] = Field(max_length=3)
    felder: list[FeldAntwort] = Field(max_length=25)
    verbesserungen: list[VerbesserungAntwort] = Field(max_length=3)

    @model_validator(mode="after")
    def each_field_once(self) -> Self:
        codes = [feld.feld for feld in self.felder]
        if len(codes) != len(set(codes)):
            raise ValueError("a field is rated twice")
        return self


class ProgrammAntwort(_Antwort):
    score: SCORE | None
    begruendung: str = Field(max_length=1000)
    zitate: list[ModellZitat] = Field(max_length=5)
    antrag_zitate: list[ModellZitat] = Field(max_length=3)


class ParteiAntwort(_Antwort):
    partei: Label
    wahlprogramm: ProgrammAntwort
    parteiprogramm: ProgrammAntwort


class VergleichAntwort(_Antwort):
    wahlprogramm_scores: list[ParteiAntwort] = Field(min_length=1, max_length=1)


# --- With placed quotes ------------------------------------------------------------------------


class _Entwurf(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)


class BelegEntwurf(_Entwurf):
    """One quote after placing: accepted with its Zitat, or open with the reason."""

    seite: Beleg.Seite
    zustand: Beleg.Zustand
    herkunft: Beleg.Herkunft
    zitat: Zitat | None = None
    vorschlag: Zitat | None = None
    grund: Beleg.Grund | None = None
    erklaerung: str = ""
    wortlaut_modell: str = ""
    quelle_modell: str = ""
    url_modell: str = ""
    quelle_programm: Programm | None = None
    quelle_stimmt: bool | None = None
    forderung: str = ""

    @model_validator(mode="after")
    def accepted_means_placed(self) -> Self:
        if (self.zustand == Beleg.Zustand.ANGENOMMEN) != (self.zitat is not None):
            raise ValueError("accepted evidence has a Zitat, other evidence has none")
        if self.zustand == Beleg.Zustand.OFFEN and self.grund is None:
            raise ValueError("open evidence says why")
        return self


class FeldEntwurf(_Entwurf):
    """`wert` is None where nobody has rated the field yet."""

    feld: FeldCode
    wert: Wert | None
    begruendung: str = ""
    belege: tuple[BelegEntwurf, ...] = ()


class VergleichEntwurf(_Entwurf):
    partei: Partei
    rolle: Vergleich.Rolle
    programmtyp: Programm.Typ
    programm: Programm | None
    ergebnis: Vergleich.Ergebnis
    score: SCORE | None = None
    begruendung: str = ""
    durchsucht: str = ""
    belege: tuple[BelegEntwurf, ...] = ()

    @model_validator(mode="after")
    def no_source_no_score(self) -> Self:
        rated = self.ergebnis == Vergleich.Ergebnis.BEWERTET
        if (self.score is not None) != rated:
            raise ValueError("a score goes with the result *bewertet* and with no other")
        if rated and self.programm is None:
            raise ValueError("no source, no score")
        return self


class VerbesserungEntwurf(_Entwurf):
    feld: FeldCode
    titel: str
    wortlaut: str
    begruendung: str
    beleg: BelegEntwurf


class AssessmentEntwurf(_Entwurf):
    """Everything that is stored of a run, in one piece."""

    zusammenfassung: str = ""
    themen: tuple[str, ...] = ()
    felder: tuple[FeldEntwurf, ...] = Field(min_length=25, max_length=25)
    vergleiche: tuple[VergleichEntwurf, ...] = ()
    verbesserungen: tuple[VerbesserungEntwurf, ...] = Field(default=(), max_length=3)
