"""Whether a quote comes from whom it speaks for: party, Land, validity, or the motion itself."""

from citations.models import Dokument, Zitat
from parlamente.models import Antrag, Fassung, Partei
from programme.models import Programm


def permitted_programmes(partei: Partei, typ: str, antrag: Antrag) -> list[Programm]:
    """The party's programmes of that kind that count for the motion, the newest first."""
    return list(
        Programm.objects.for_parlament(antrag.parlament)
        .valid_on(antrag.datum)
        .filter(parteien=partei, typ=typ)
        .select_related("dokument", "parlament")
        .prefetch_related("parteien")
        .order_by("-jahr", "pk")
    )


def wrong_origin_of_programme_quote(zitat: Zitat, partei: Partei, typ: str, antrag: Antrag) -> str:
    """Why the words may not speak for the party's programme; empty if they may (German)."""
    programm = _programm(zitat.extraktion.dokument)
    if programm is None:
        return f"Die Worte stehen in keinem Programm, sondern in {source_line(zitat)}."
    if partei not in programm.parteien.all():
        return f"Die Worte stehen bei {source_line(zitat)}, nicht bei {partei.kuerzel}."
    if programm.parlament_id not in (None, antrag.parlament_id):
        return f"Die Worte stehen im Programm eines anderen Landes: {source_line(zitat)}."
    if antrag.datum not in programm.gueltig:
        return (
            f"Die Worte stehen in {source_line(zitat)}. Dieses Programm galt am "
            f"{antrag.datum:%d.%m.%Y} nicht."
        )
    if not programm.verwendbar:
        return (
            f"Die Worte stehen in {source_line(zitat)}. Ob die Datei dieses Programm ist, hat noch "
            "niemand bestätigt."
        )
    if programm.typ != typ:
        return f"Die Worte stehen im {programm.typ_wort}: {source_line(zitat)}."
    return ""


def wrong_origin_of_antrag_quote(zitat: Zitat, fassung: Fassung) -> str:
    """Why the words do not stand in the assessed text of the motion; empty if they do (German)."""
    if zitat.extraktion.dokument_id == fassung.dokument_id:
        return ""
    return f"Die Worte stehen nicht im Antrag, sondern in {source_line(zitat)}."


def source_line(zitat: Zitat) -> str:
    """Source and printed page for people: `UFER ML Wahlprogramm 2024, S. 3`."""
    return f"{_name(zitat.extraktion.dokument)}, S. {page_number(zitat)}"


def page_number(zitat: Zitat) -> str:
    """The number printed on the page where the quote begins, else the file's own count."""
    seite = zitat.extraktion.seiten.filter(index=zitat.seite).first()
    return seite.zahl if seite else str(zitat.seite)


def _programm(dokument: Dokument) -> Programm | None:
    """The programme in the file, from what was fetched with it if it was (one query otherwise)."""
    return getattr(dokument, "programm", None)


def _name(dokument: Dokument) -> str:
    programm = _programm(dokument)
    if programm:
        return programm.label
    fassung = Fassung.objects.filter(dokument=dokument).select_related("antrag__parlament").first()
    if fassung:
        return f"Drs. {fassung.antrag.drucksache} ({fassung.antrag.parlament.code})"
    return dokument.name or "einem anderen Dokument"
