"""Who submitted a motion and who governed then, in sentences. Persons are not named."""

from collections.abc import Iterable, Sequence

from django.utils.formats import date_format

from parlamente.models import Antrag, Regierungsstand, Urheber

Art = Urheber.Art


def einbringer(antrag: Antrag) -> list[str]:
    """Each originator as a phrase that follows "von": parties, members, bodies."""
    rows = sorted(antrag.urheber.all(), key=lambda urheber: urheber.pk)
    return list(dict.fromkeys(_phrase(urheber) for urheber in rows))


def eingebracht(antrag: Antrag) -> str:
    names = einbringer(antrag)
    if not names:
        return "Wer den Antrag eingebracht hat, ist uns nicht bekannt."
    return f"Eingebracht von {aufzaehlung(names)}."


def regiert(antrag: Antrag) -> str:
    stand = antrag.regierungsstand()
    names = [partei.kuerzel for partei in antrag.regierende()]
    if not names or stand in (Regierungsstand.UNBEKANNT, Regierungsstand.KEIN_EINTRAG):
        return (
            "Regierung unbekannt: Wer an diesem Tag regierte, liegt uns nicht vor. "
            "Verglichen werden deshalb nur die einbringenden Parteien."
        )
    verb = "regierte" if len(names) == 1 else "regierten"
    tag = date_format(antrag.datum, "j. F Y")
    sentence = f"Am {tag} {verb} {aufzaehlung(names)}"
    return f"{sentence} (nach unsicherer Quelle)." if stand == "unsicher" else f"{sentence}."


def aufzaehlung(names: Sequence[str]) -> str:
    """`UFER, WERKBANK und TÄLER`."""
    return " und ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _phrase(urheber: Urheber) -> str:
    parteien = _kuerzel(urheber)
    if urheber.art == Art.FRAKTION:
        return parteien or urheber.roh
    if urheber.art == Art.PERSON:
        return f"Abgeordneten von {parteien}" if parteien else "fraktionslosen Abgeordneten"
    return urheber.roh


def _kuerzel(urheber: Urheber) -> str:
    return "/".join(sorted(_names(urheber)))


def _names(urheber: Urheber) -> Iterable[str]:
    return (partei.kuerzel for partei in urheber.parteien.all())
