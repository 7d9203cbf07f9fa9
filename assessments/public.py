"""What of the lower layers has a public address: only what a published assessment cites."""

from django.db.models import Q, QuerySet

from citations.models import Dokument, Zitat
from parlamente.models import Parlament

from .models import Assessment, Beleg

READABLE = Assessment.READABLE


def public_belege() -> QuerySet[Beleg]:
    return Beleg.objects.angenommen().filter(assessment__status__in=READABLE)


def public_zitate() -> QuerySet[Zitat]:
    return Zitat.objects.filter(pk__in=public_belege().values("zitat"))


def verwendungen(zitat: Zitat) -> list[Beleg]:
    """Where the Zitat is cited in public, the newest version first."""
    belege = public_belege().filter(zitat=zitat)
    return list(
        belege.select_related(
            "assessment__antrag__parlament",
            "assessment__antrag__wahlperiode",
            "assessment__fassung",
            "feldbewertung",
            "vergleich__partei",
            "verbesserung",
        ).order_by("-assessment__published_at", "pk")
    )


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


def public_parlamente() -> QuerySet[Parlament]:
    """Those with at least one published assessment."""
    published = Assessment.objects.public().values("antrag__parlament")
    return Parlament.objects.filter(pk__in=published).order_by("name")
