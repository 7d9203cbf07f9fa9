"""Sitting down at the desk: who, and with what open evidence."""

from assessments.desk.rahmen import desk_url
from assessments.models import Beleg

from .factories import BelegFactory, UserFactory, place_zitat

# A sentence of the motion, and its beginning without the "nicht" that turns it around.
VERNEINT = "Den Einrichtungen einen Leitfaden zu schicken reicht in diesem Sommer nicht aus."
ANFANG = "Den Einrichtungen einen Leitfaden zu schicken"
# A sentence whose beginning stands for itself.
SATZ = "Die Landesregierung berichtet dem Landtag jährlich bis zum 30. Juni über die Wirkung."
HALBSATZ = "Die Landesregierung berichtet dem Landtag jährlich"


def sit_down(client, **traits):
    """Logs somebody in, by default one who may review; returns the person."""
    person = UserFactory(**(traits or {"reviewer": True}))
    client.force_login(person)
    return person


def open_evidence(assessment, words: str | None = HALBSATZ, *, feld: str = "D1", **fields) -> Beleg:
    """Open evidence of a field with the place of `words` as the proposal; None: with no place."""
    bewertung = assessment.feldbewertungen.get(feld=feld)
    place = place_zitat(words, assessment.fassung.dokument) if words else None
    return BelegFactory(owner_row=bewertung, offen=True, **{"vorschlag": place} | fields)


def open_programme_evidence(assessment, words: str | None, **fields) -> Beleg:
    vergleich = assessment.vergleiche.get(programmtyp="wahlprogramm")
    place = place_zitat(words, vergleich.programm.dokument) if words else None
    return BelegFactory(
        owner_row=vergleich, offen=True, seite=Beleg.Seite.PROGRAMM, vorschlag=place, **fields
    )


def desk(assessment, **query) -> str:
    return desk_url("pruefen", assessment.pk, **query)


def look_at_all(client, assessment) -> None:
    """Opens every piece of evidence on the desk."""
    for beleg in assessment.belege.all():
        client.get(desk(assessment, beleg=beleg.pk))


def shown(beleg) -> dict[str, object]:
    """What a form on a page that shows `beleg` as it is now says about it."""
    beleg.refresh_from_db()
    return {"zustand": beleg.zustand, "stelle": beleg.stelle_id or ""}


def decide(client, beleg, verb, **data):
    """Presses a button of the page as it is now, or as `data` says that it was."""
    address = desk_url("entscheiden", beleg.assessment_id, beleg.pk, verb)
    response = client.post(address, shown(beleg) | data, follow=True)
    beleg.refresh_from_db()
    return response


def step(client, assessment, verb, **data):
    """Presses a button of the page as it is now, or as `data` says that it was."""
    form = {"gesehen": assessment.letztes_ereignis} | data
    response = client.post(desk_url("schritt", assessment.pk, verb), form, follow=True)
    assessment.refresh_from_db()
    return response


def said(response) -> str:
    """The messages on the page."""
    return " ".join(str(message) for message in response.context["messages"])
