"""One row of the benchmark's table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Zeile:
    """`wert` is what was measured, `ziel` the bar, both as they are shown; `haelt` None: no bar."""

    was: str
    wert: str
    ziel: str = ""
    haelt: bool | None = None

    def __str__(self) -> str:
        mark = {True: "ja", False: "NEIN", None: ""}[self.haelt]
        return f"{self.was:<62} {self.wert:>24} {self.ziel:>16} {mark}"


def share(part: int, whole: int) -> float:
    """In percent; nothing of nothing is all."""
    return 100.0 * part / whole if whole else 100.0


def at_least(was: str, part: int, whole: int, percent: float) -> Zeile:
    """A share that must reach `percent`."""
    if not whole:
        return Zeile(was, "nichts gemessen", f"≥ {percent:g} %")
    reached = share(part, whole)
    return Zeile(was, f"{reached:.2f} % ({part}/{whole})", f"≥ {percent:g} %", reached >= percent)


def none_of(was: str, count: int, whole: int) -> Zeile:
    return Zeile(was, f"{count} von {whole}", "0", count == 0)
