"""Public addresses: `/ml/7/2318/`, `/ml/7/2318/v2/`, `/hb/21/905-s/`, `/zitat/12/`."""

import re

from django.urls import reverse

from citations.models import Zitat
from parlamente.models import Antrag, Partei

from .models import Assessment

CODE = "[A-Za-z0-9]{2,8}"
NUMMER = "[0-9]{1,12}(?:-[A-Za-z0-9]{1,8})?"
_UMLAUTE = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def antrag_address(antrag: Antrag) -> str:
    """Where the newest published assessment of the motion stands."""
    return reverse("bewertung", kwargs=_parts(antrag))


def version_address(assessment: Assessment) -> str:
    """The lasting address of one version."""
    return reverse("bewertung-fassung", kwargs=version_parts(assessment))


def version_parts(assessment: Assessment) -> dict[str, str | int | None]:
    """The parts of a version's address; the JSON API has the same."""
    return {**_parts(assessment.antrag), "version": assessment.version}


def readable_address(assessment: Assessment) -> str:
    """The motion's own address for the version that counts, else that of the version."""
    if assessment.status == Assessment.Status.PUBLISHED:
        return antrag_address(assessment.antrag)
    return version_address(assessment)


def parlament_address(code: str) -> str:
    return reverse("parlament", kwargs={"code": code.lower()})


def zitat_address(zitat: Zitat) -> str:
    return reverse("zitat", args=[zitat.pk])


def anker(partei: Partei) -> str:
    """The name of a party's section on the page of an assessment: `partei-bruecke`."""
    folded = partei.kuerzel.casefold().translate(_UMLAUTE)
    return "partei-" + re.sub(r"[^a-z0-9]+", "-", folded).strip("-")


def find_antrag(code: str, wahlperiode: int, nummer: str) -> Antrag:
    """The motion at an address, in any case of letters. Raises Antrag.DoesNotExist."""
    digits, _, zusatz = nummer.partition("-")
    return Antrag.objects.with_urheber().get(
        parlament__code__iexact=code,
        wahlperiode__nummer=wahlperiode,
        nummer=digits,
        zusatz__iexact=zusatz,
    )


def _parts(antrag: Antrag) -> dict[str, str | int]:
    zusatz = f"-{antrag.zusatz.lower()}" if antrag.zusatz else ""
    return {
        "code": antrag.parlament.code.lower(),
        "wahlperiode": antrag.wahlperiode.nummer,
        "nummer": f"{antrag.nummer}{zusatz}",
    }
