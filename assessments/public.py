"""What of the lower layers has a public address: only what a published assessment cites."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from citations.models import Dokument, Zitat
from parlamente.models import Parlament
from programme.models import Programm

from .models import Assessment, Beleg, BelegQuerySet

READABLE = Assessment.READABLE
# What the page of a quote shows of a use. The long texts of fields and summaries stay away.
_VERWENDUNG = (
    "assessment__antrag__parlament",
    "assessment__antrag__wahlperiode",
    "assessment__fassung",
    "feldbewertung",
    "vergleich__partei",
)
_GEZEIGT = (
    "seite",
    "zitat",
    "verbesserung",
    "assessment__status",
    "assessment__version",
    "assessment__antrag__nummer",
    "assessment__antrag__zusatz",
    "assessment__antrag__typ",
    "assessment__antrag__datum",
    "assessment__antrag__quelle_url",
    "assessment__antrag__parlament__code",
    "assessment__antrag__parlament__name",
    "assessment__antrag__parlament__muster",
    "assessment__antrag__wahlperiode__nummer",
    "assessment__fassung__dokument",
    "feldbewertung__feld",
    "vergleich__programmtyp",
    "vergleich__partei__kuerzel",
)


def public_belege() -> BelegQuerySet:
    return Beleg.objects.angenommen().filter(assessment__status__in=READABLE)


def public_zitate() -> QuerySet[Zitat]:
    return Zitat.objects.filter(pk__in=public_belege().values("zitat"))


def verwendungen(zitat: Zitat) -> list[Beleg]:
    """Where the Zitat is cited in public, the newest version first."""
    belege = public_belege().filter(zitat=zitat).select_related(*_VERWENDUNG)
    return list(belege.only(*_GEZEIGT).order_by("-assessment__published_at", "pk"))


def downloadable_dokumente() -> QuerySet[Dokument]:
    """Files that are shown whole: assessed motions, and programmes of invented parties.

    A party's own programme is quoted, never republished (§ 51 UrhG); readers get a link to it.
    """
    assessed = Assessment.objects.filter(status__in=READABLE).values("fassung__dokument")
    cited = public_zitate().values("extraktion__dokument")
    invented = Q(programm__parteien__muster=True, pk__in=cited)
    return Dokument.objects.filter(
        Q(pk__in=assessed) | invented, anzeige=Dokument.Anzeige.SEITE
    ).distinct()


def is_downloadable(zitat: Zitat, belege: Iterable[Beleg], programm: Programm | None) -> bool:
    """The same for the document of a quote, from what is loaded: its public uses and programme."""
    dokument = zitat.extraktion.dokument
    assessed = any(beleg.assessment.fassung.dokument_id == dokument.pk for beleg in belege)
    invented = programm is not None and any(partei.muster for partei in programm.parteien.all())
    return dokument.anzeige == Dokument.Anzeige.SEITE and (assessed or invented)


def public_parlamente() -> QuerySet[Parlament]:
    """Those with at least one published assessment."""
    published = Assessment.objects.public().values("antrag__parlament")
    return Parlament.objects.filter(pk__in=published).order_by("name")


def everything_is_invented() -> bool:
    """Whether all that is published is sample data; false where nothing is."""
    return set(public_parlamente().values_list("muster", flat=True).distinct()) == {True}
