"""Rows as the content of answers (the shapes are in schemas.py)."""

from typing import Any

from django.conf import settings
from django.urls import reverse

from assessments.addresses import readable_address, version_parts
from assessments.models import Assessment
from assessments.presentation import Bewertungsseite, ParteiAnsicht, ProgrammAnsicht
from assessments.waage import Waage, waage

from .values import PROGRAMME_TYPES, RESULTS, ROLES, TYPES, quote


def absolute(path: str) -> str:
    return settings.SITE_URL + path


def version_url(assessment: Assessment) -> str:
    parts = version_parts(assessment)
    kwargs = {
        "parliament": parts["code"],
        "term": parts["wahlperiode"],
        "number": parts["nummer"],
        "version": parts["version"],
    }
    return absolute(reverse("api:get_version", kwargs=kwargs))


def item(assessment: Assessment) -> dict[str, Any]:
    """For rows from `load_eintraege` or `load_for_page`."""
    antrag = assessment.antrag
    return {
        "parliament": antrag.parlament.code.lower(),
        "legislative_term": antrag.wahlperiode.nummer,
        "number": antrag.drucksache,
        "type": TYPES[antrag.typ],
        "title": antrag.titel,
        "date": antrag.datum,
        "submitted_by": [partei.kuerzel for partei in antrag.einbringende()],
        "invented": antrag.parlament.muster,
        "version": assessment.version,
        "status": assessment.status,
        "published_at": assessment.published_at,
        "corrects_version": assessment.corrects.version if assessment.corrects else None,
        "summary": assessment.zusammenfassung,
        "topics": assessment.themen,
        "overall": _overall(assessment, waage(assessment.werte())),
        "ai_generated": is_ai_generated(assessment),
        "url": absolute(readable_address(assessment)),
        "api_url": version_url(assessment),
    }


def is_ai_generated(assessment: Assessment) -> bool:
    """Whether a model rated any field or wrote the summary."""
    rated = any(bewertung.wert_modell for bewertung in assessment.feldbewertungen.all())
    return rated or bool(assessment.zusammenfassung_modell)


def detail(seite: Bewertungsseite) -> dict[str, Any]:
    assessment = seite.assessment
    comparisons = [
        _comparison(partei, programm)
        for partei in seite.parteien
        for programm in partei.programme
        if programm.vergleich
    ]
    return item(assessment) | {
        "matrix": assessment.matrix_version,
        "correction": assessment.berichtigung,
        "fields": [_field(feld) for feld in seite.felder],
        "comparisons": comparisons,
        "proposals": [_proposal(vorschlag) for vorschlag in seite.vorschlaege],
        "review": _review(seite),
        "original": _original(seite),
        "versions": [_version(version) for version in seite.versionen],
    }


def _overall(assessment: Assessment, balance: Waage | None) -> dict[str, Any]:
    return {
        "value": float(balance.wert) if balance else None,
        "fields_affected": balance.anzahl if balance else 0,
        "lowest": balance.niedrigste.wert.zahl if balance else None,
        "highest": balance.hoechste.wert.zahl if balance else None,
        "formula_version": assessment.formel_version,
    }


def _field(feld: Any) -> dict[str, Any]:
    return {
        "code": feld.feld.code,
        "title": feld.feld.klartitel,
        "affected": feld.ist_betroffen,
        "rating": feld.wert.zahl,
        "rating_by_model": feld.wert_modell.zahl if feld.wert_modell else None,
        "changed_by_editors": feld.wert_modell is not None,
        "reason": feld.bewertung.begruendung,
        "evidence": [quote(beleg, settings.SITE_URL) for beleg in feld.belege],
    }


def _comparison(partei: ParteiAnsicht, programm: ProgrammAnsicht) -> dict[str, Any]:
    vergleich = programm.vergleich
    assert vergleich is not None  # noqa: S101  the caller leaves out kinds never compared
    return {
        "party": partei.kuerzel,
        "role": ROLES[vergleich.rolle],
        "programme_type": PROGRAMME_TYPES[vergleich.programmtyp],
        "programme_year": vergleich.programm.jahr if vergleich.programm else None,
        "result": RESULTS[vergleich.ergebnis],
        "score": vergleich.score,
        "reason": vergleich.begruendung,
        "searched": vergleich.durchsucht,
        "evidence": [quote(beleg, settings.SITE_URL) for beleg in programm.belege],
    }


def _proposal(vorschlag: Any) -> dict[str, Any]:
    verbesserung = vorschlag.verbesserung
    return {
        "title": verbesserung.titel,
        "field": verbesserung.feld or None,
        "passage": quote(vorschlag.beleg, settings.SITE_URL),
        "wording": verbesserung.wortlaut,
        "reason": verbesserung.begruendung,
    }


def _review(seite: Bewertungsseite) -> dict[str, Any]:
    return {
        "model": seite.modell or None,
        "prompt_version": (seite.lauf.prompt_version or None) if seite.lauf else None,
        "drafted_at": seite.entworfen_am,
        "approved_at": seite.assessment.approved_at,
        "people": seite.beteiligte,
        "names": seite.namen,
        "four_eyes": seite.assessment.vier_augen,
        "quotes_proposed": seite.zitate.vorgeschlagen,
        "quotes_published": seite.zitate.veroeffentlicht,
        "quotes_dropped": seite.zitate.verworfen,
        "fields_changed": [feld.feld for feld in seite.aenderungen.felder],
        "last_checked_at": seite.zuletzt_geprueft,
    }


def _original(seite: Bewertungsseite) -> dict[str, Any]:
    return {
        "url": seite.original or None,
        "retrieved_at": seite.assessment.fassung.abgerufen_am,
        "sha256": seite.dokument.sha256,
        "pages": seite.seitenzahl,
    }


def _version(assessment: Assessment) -> dict[str, Any]:
    return {
        "version": assessment.version,
        "status": assessment.status,
        "published_at": assessment.published_at,
        "correction": assessment.berichtigung,
        "api_url": version_url(assessment),
    }
