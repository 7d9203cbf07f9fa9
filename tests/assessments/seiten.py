"""Opening public pages in tests."""

import re

from django.test import Client

from assessments.addresses import antrag_address
from assessments.models import Assessment

from .factories import ANTRAGSTEXT, AntragFactory, AssessmentFactory, prove

NO_ADDRESS = "Eine Adresse für Hinweise ist in dieser Installation nicht eingetragen."


def published(**fields) -> Assessment:
    """A published assessment whose quotes are proved."""
    return prove(AssessmentFactory(published=True, **fields))


def correction_of(assessment: Assessment, **fields) -> Assessment:
    """The next published version; `assessment` is superseded by it."""
    corrected = published(
        antrag=assessment.antrag,
        corrects=assessment,
        berichtigung="Bei Feld B5 stand alle zwei Jahre, richtig ist jedes Jahr.",
        **fields,
    )
    assessment.refresh_from_db()
    return corrected


def antrag_with(sentence: str, **fields):
    """A motion with a file of its own: the usual text and one more sentence."""
    return AntragFactory(mit_text=f"{ANTRAGSTEXT}\n\n{sentence}", **fields)


def read(client: Client, address: str, status: int = 200, **query) -> str:
    response = client.get(address, query)
    assert response.status_code == status, response.content.decode()[:500]
    return response.content.decode()


def read_assessment(client: Client, assessment: Assessment) -> str:
    return read(client, antrag_address(assessment.antrag))


def words(html: str) -> str:
    """The text of a page as a reader sees it: no tags, single blanks."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("\u00ad", "").split())
