"""Document types: the sources' labels → one canonical type."""

import re

from django.db.models import TextChoices


class Dokumenttyp(TextChoices):
    ANTRAG = "antrag", "Antrag"
    GESETZENTWURF = "gesetzentwurf", "Gesetzentwurf"
    ENTSCHLIESSUNGSANTRAG = "entschliessungsantrag", "Entschließungsantrag"
    AENDERUNGSANTRAG = "aenderungsantrag", "Änderungsantrag"
    ALTERNATIVANTRAG = "alternativantrag", "Alternativantrag"
    GROSSE_ANFRAGE = "grosse_anfrage", "Große Anfrage"
    KLEINE_ANFRAGE = "kleine_anfrage", "Kleine Anfrage"
    MUENDLICHE_ANFRAGE = "muendliche_anfrage", "Mündliche Anfrage"
    BERICHTERSUCHEN = "berichtersuchen", "Berichtersuchen"
    ANTWORT = "antwort", "Antwort"
    SONSTIGES = "sonstiges", "sonstiges"


# A label counts at the beginning of what the source wrote ("Antrag der Fraktion …"), longest first.
_LABELS = {
    Dokumenttyp.ANTRAG: """
        Antrag; Antrag mit Wahlvorschlag; Dringlicher Antrag; Dringliche Anträge;
        Dringlichkeitsantrag; Berichtsantrag; Dringlicher Berichtsantrag; Prüfantrag;
        Missbilligungsantrag; Initiativdrucksache""",
    Dokumenttyp.GESETZENTWURF: """
        Gesetzentwurf; Gesetzesentwurf; Antrag (Gesetzentwurf); Dringlicher Gesetzentwurf;
        Haushaltsgesetz; Staatsvertrag""",
    Dokumenttyp.ENTSCHLIESSUNGSANTRAG: "Entschließungsantrag; Dringlicher Entschließungsantrag",
    Dokumenttyp.AENDERUNGSANTRAG: """
        Änderungsantrag; Abänderungsantrag; Dringlicher Änderungsantrag""",
    Dokumenttyp.ALTERNATIVANTRAG: "Alternativantrag; Dringlicher Alternativantrag; Zusatzantrag",
    Dokumenttyp.GROSSE_ANFRAGE: "Große Anfrage; Interpellation",
    Dokumenttyp.KLEINE_ANFRAGE: "Kleine Anfrage; Schriftliche Anfrage; Schriftliche Kleine Anfrage",
    Dokumenttyp.MUENDLICHE_ANFRAGE: """
        Mündliche Anfrage; Dringliche Anfrage; Dringlichkeitsanfrage; Anfrage zum Plenum""",
    Dokumenttyp.BERICHTERSUCHEN: """
        Berichterstattungsverlangen; Berichtsersuchen; Aktuelle Stunde; Aktuelle Debatte""",
    Dokumenttyp.ANTWORT: "Antwort; Mitteilung des Senats (Antwort auf",
}
# Codes count only when nothing else stands there: "a" and "ab" are also words.
_CODES = {
    Dokumenttyp.ANTRAG: "Antr; Ag",
    Dokumenttyp.GESETZENTWURF: "GE; GesEntw; GEnt; Gs",
    Dokumenttyp.ENTSCHLIESSUNGSANTRAG: "EntschlAntr",
    Dokumenttyp.AENDERUNGSANTRAG: "ÄndAntr; Ab",
    Dokumenttyp.GROSSE_ANFRAGE: "GrAnfr",
    Dokumenttyp.KLEINE_ANFRAGE: "KlAnfr; SchrAnfr; Af",
    Dokumenttyp.MUENDLICHE_ANFRAGE: "MdlAnfr",
    Dokumenttyp.ANTWORT: "Antw; a; Aw",
    Dokumenttyp.SONSTIGES: "So",
}


def _fold(label: str) -> str:
    """Case, ß/ss, dots and repeated blanks make no difference."""
    return " ".join(label.replace(".", "").casefold().split())


def _folded(table: dict[Dokumenttyp, str]) -> dict[str, Dokumenttyp]:
    return {_fold(label): typ for typ, labels in table.items() for label in labels.split(";")}


_BY_LABEL = _folded(_LABELS)
_BY_CODE = _folded(_CODES)
_LABEL = re.compile(
    "(?:"
    + "|".join(re.escape(label) for label in sorted(_BY_LABEL, key=len, reverse=True))
    + r")(?!\w)"
)


def normalise_typ(roh: str) -> Dokumenttyp:
    """SONSTIGES for every label that is not known; such a document is never taken for a motion."""
    folded = _fold(roh)
    if folded in _BY_CODE:
        return _BY_CODE[folded]
    match = _LABEL.match(folded)
    return _BY_LABEL[match.group()] if match else Dokumenttyp.SONSTIGES
