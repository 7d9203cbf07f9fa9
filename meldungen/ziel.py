"""What a report is about: a readable version of an assessment, perhaps one of its quotes."""

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.urls import reverse

from assessments.addresses import find_antrag, version_address, version_parts, zitat_address
from assessments.models import Assessment
from assessments.quellen import quellen
from citations.models import Zitat
from parlamente.models import Antrag


class KeinZiel(Exception):
    """Nothing readable stands at that address; what exists but is not public is no different."""


@dataclass(frozen=True)
class Ziel:
    assessment: Assessment
    zitat: Zitat | None = None

    @property
    def key(self) -> str:
        """Names the target in a token."""
        return f"{self.assessment.pk}/{self.zitat.pk if self.zitat else ''}"

    @property
    def antrag(self) -> Antrag:
        return self.assessment.antrag

    @property
    def adresse(self) -> str:
        """The address of its form."""
        return melden_address(self.assessment, self.zitat)

    @property
    def seite(self) -> str:
        """The page that it is about."""
        return zitat_address(self.zitat) if self.zitat else version_address(self.assessment)

    @property
    def fassung(self) -> str:
        return version_address(self.assessment)

    @cached_property
    def quelle(self) -> str:
        """Where the quote stands, `UFER, Wahlprogramm 2024, S. 41`; empty without one."""
        if self.zitat is None:
            return ""
        word = f"{self.antrag.get_typ_display()}, Drs. {self.antrag.drucksache}"
        return quellen([self.zitat], antrag=word)[self.zitat.pk].text


def find_ziel(
    code: str, wahlperiode: int, nummer: str, version: int, zitat: str | None = None
) -> Ziel:
    """Raises KeinZiel."""
    try:
        antrag = find_antrag(code, wahlperiode, nummer)
    except Antrag.DoesNotExist as error:
        raise KeinZiel from error
    readable = Assessment.objects.readable().filter(antrag=antrag, version=version)
    assessment = readable.select_related("antrag__parlament", "antrag__wahlperiode").first()
    if assessment is None:
        raise KeinZiel
    return Ziel(assessment, None if zitat is None else _quote(assessment, zitat))


def _quote(assessment: Assessment, number: str) -> Zitat:
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise KeinZiel
    cited = assessment.belege.angenommen().values("zitat")
    quotes = Zitat.objects.select_related("extraktion").filter(pk__in=cited)
    found = quotes.filter(pk=int(number)).first()
    if found is None:
        raise KeinZiel
    return found


def melden_address(assessment: Assessment, zitat: Zitat | None = None) -> str:
    address = reverse("melden", kwargs=version_parts(assessment))
    return f"{address}?{urlencode({'zitat': zitat.pk})}" if zitat else address


def danke_address(assessment: Assessment) -> str:
    return reverse("melden-danke", kwargs=version_parts(assessment))
