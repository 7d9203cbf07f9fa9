"""Our German domain values as the API's English ones."""

from assessments.belegansicht import BelegAnsicht
from assessments.models import Beleg, Vergleich
from assessments.pruefstand import Pruefstand
from assessments.zitatseite import Ort
from citations.comparison import Grad
from citations.models import Dokument, Pruefung
from parlamente.models import Antrag
from programme.models import Programm

TYPES: dict[str, str] = {
    Antrag.Typ.ANTRAG: "motion",
    Antrag.Typ.GESETZENTWURF: "bill",
    Antrag.Typ.ENTSCHLIESSUNGSANTRAG: "resolution_motion",
    Antrag.Typ.AENDERUNGSANTRAG: "amendment",
    Antrag.Typ.ALTERNATIVANTRAG: "alternative_motion",
}
GRADES: dict[str, str] = {
    Grad.WOERTLICH: "verbatim",
    Grad.AUSLASSUNG: "omission",
    Grad.ANGEGLICHEN: "matched",
}
SIDES: dict[str, str] = {Beleg.Seite.ANTRAG: "motion", Beleg.Seite.PROGRAMM: "programme"}
ROLES: dict[str, str] = {
    Vergleich.Rolle.EINBRINGEND: "submitting",
    Vergleich.Rolle.REGIEREND: "governing",
    Vergleich.Rolle.BEIDES: "both",
}
PROGRAMME_TYPES: dict[str, str] = {
    Programm.Typ.WAHLPROGRAMM: "election_programme",
    Programm.Typ.GRUNDSATZPROGRAMM: "basic_programme",
}
# `unbewertet` cannot be published (assessments/0002_triggers).
RESULTS: dict[str, str] = {
    Vergleich.Ergebnis.BEWERTET: "rated",
    Vergleich.Ergebnis.KEIN_PROGRAMM: "programme_missing",
    Vergleich.Ergebnis.NICHTS_GEFUNDEN: "nothing_relevant",
    Vergleich.Ergebnis.OHNE_BELEG: "no_verbatim_quote",
}
CHECKS: dict[str, str] = {
    Pruefung.Ergebnis.BEWIESEN: "proved",
    Pruefung.Ergebnis.WIDERLEGT: "refuted",
    Pruefung.Ergebnis.NICHT_BEWEISBAR: "unprovable",
}
DISPLAYS: dict[str, str] = {
    Dokument.Anzeige.SEITE: "page",
    Dokument.Anzeige.AUSSCHNITT: "excerpt",
    Dokument.Anzeige.VERWEIS: "reference",
}
CERTAINTIES: dict[str, str] = {
    Ort.GENAU: "exact",
    Ort.UNGEFAEHR: "approximate",
    Ort.WEG: "gone",
}


def quote_state(stand: Pruefstand) -> str:
    if stand.ist_bewiesen:
        return "proved"
    return "under_review" if stand.in_pruefung else "confirmed_by_editors"


def quote(ansicht: BelegAnsicht, absolute: str) -> dict[str, object]:
    """The fields of `schemas.Quote`; `absolute` is the site's own address."""
    zitat = ansicht.zitat
    return {
        "id": zitat.pk,
        "url": absolute + ansicht.url,
        "text": zitat.text,
        "grade": GRADES[zitat.grade],
        "state": quote_state(ansicht.stand),
        "side": SIDES[ansicht.beleg.seite],
        "source": ansicht.quelle.werk,
        "pages": list(ansicht.quelle.zahlen),
    }
