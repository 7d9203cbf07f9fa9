"""The GWÖ matrix as a versioned data file (docs/reference/matrix.md)."""

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

DATA = Path(__file__).parent / "data"
SOFT_HYPHEN = "\u00ad"
CURRENT = "gemeinden-2.0"
FILES = {CURRENT: "matrix_gemeinden_2_0.json"}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MatrixWert(_Part):
    """A column: one of the five values."""

    nr: int = Field(ge=1, le=5)
    titel: str
    staatsprinzip: str
    titel_geprueft: bool
    quelle: str


class Gruppe(_Part):
    """A row: those who are affected."""

    code: str = Field(pattern="^[A-E]$")
    titel: str
    kurz: str
    lesart: str
    titel_geprueft: bool
    quelle: str


class Beispiele(_Part):
    mm: str
    m: str
    p: str
    pp: str


class Feld(_Part):
    """One of the 25 fields; everything but the title is in our own words.

    Titles carry soft hyphens for narrow cells; `klartitel` has none.
    """

    code: str = Field(pattern="^[A-E][1-5]$")
    titel: str
    titel_geprueft: bool
    quelle: str
    leitfrage: str
    beispiele: Beispiele
    nicht_betroffen: str

    @property
    def klartitel(self) -> str:
        return self.titel.replace(SOFT_HYPHEN, "")


class Matrix(_Part):
    version: str
    titel: str
    herausgeber: str
    hinweis: str
    werte: list[MatrixWert] = Field(min_length=5, max_length=5)
    gruppen: list[Gruppe] = Field(min_length=5, max_length=5)
    felder: list[Feld] = Field(min_length=25, max_length=25)

    def feld(self, code: str) -> Feld:
        return next(feld for feld in self.felder if feld.code == code)


@cache
def load_matrix(version: str = CURRENT) -> Matrix:
    """Raises KeyError for an unknown version, ValidationError for a broken file."""
    return Matrix.model_validate_json((DATA / FILES[version]).read_text(encoding="utf-8"))
