"""`/assessments`: the list, a motion's newest version, and each numbered version."""

from datetime import UTC, datetime
from typing import Annotated, Any

from django.db.models import Q
from django.http import Http404, HttpRequest
from ninja import Field, FilterSchema, Query, Router, Status
from pydantic import AwareDatetime

from assessments import suche
from assessments.addresses import find_antrag
from assessments.eintrag import load_eintraege
from assessments.models import Assessment
from assessments.presentation import Bewertungsseite, load_for_page
from assessments.public import READABLE
from parlamente.models import Antrag

from .content import detail, item
from .notice import ERRORS, Gone
from .schemas import AssessmentList, AssessmentResponse

router = Router(tags=["assessments"])
MAX_PAGE_SIZE = 50


class AssessmentFilter(FilterSchema):
    parliament: str | None = Field(None, max_length=8, description="Code: bw, bund")
    party: str | None = Field(None, max_length=30, description="Short name of a submitting party")
    topic: str | None = Field(None, max_length=60)
    field: str | None = Field(None, pattern="^[A-E][1-5]$", description="Affected field: D3")
    q: str | None = Field(
        None,
        max_length=suche.MAX_LENGTH,
        description="Words in title, summary and quotes; all must occur",
    )
    published_since: AwareDatetime | None = Field(
        None,
        ge=datetime(2000, 1, 1, tzinfo=UTC),
        le=datetime(9000, 1, 1, tzinfo=UTC),
        description="ISO 8601 with offset",
    )

    def custom_expression(self) -> Q:
        """The same conditions as the public list's, so that both find the same."""
        asked = [
            (suche.of_parlament, self.parliament),
            (suche.submitted_by, self.party),
            (suche.about, self.topic),
            (suche.affecting, self.field),
            (suche.contains_all, self.q),
        ]
        conditions = [condition(suche.clean(value)) for condition, value in asked if value]
        if self.published_since:
            conditions.append(Q(published_at__gte=self.published_since))
        return Q(*conditions)


@router.get(
    "/assessments",
    response={200: AssessmentList, 422: ERRORS[422], 429: ERRORS[429]},
    summary="Published assessments, the newest motion first",
)
def list_assessments(
    request: HttpRequest,
    filters: Query[AssessmentFilter],
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
    page_size: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 20,
) -> dict[str, Any]:
    found = filters.filter(Assessment.objects.public()).order_by("-antrag__datum", "-antrag__pk")
    start = (page - 1) * page_size
    rows = load_eintraege(found)[start : start + page_size]
    items = [item(assessment) for assessment in rows]
    return {
        "items": items,
        "count": found.count(),
        "page": page,
        "page_size": page_size,
        "ai_generated": any(each["ai_generated"] for each in items),
    }


@router.get(
    "/assessments/{parliament}/{int:term}/{number}",
    response={200: AssessmentResponse, 410: Gone, **ERRORS},
    summary="The assessment of a motion that counts now",
)
def get_assessment(request: HttpRequest, parliament: str, term: int, number: str) -> Any:
    versions = _versions(parliament, term, number)
    published = versions.filter(status=Assessment.Status.PUBLISHED).first()
    return _answer(published or versions.first())


@router.get(
    "/assessments/{parliament}/{int:term}/{number}/v{int:version}",
    response={200: AssessmentResponse, 410: Gone, **ERRORS},
    summary="One numbered version, as it was published",
)
def get_version(request: HttpRequest, parliament: str, term: int, number: str, version: int) -> Any:
    return _answer(_versions(parliament, term, number).filter(version=version).first())


def _versions(parliament: str, term: int, number: str) -> Any:
    try:
        antrag = find_antrag(suche.clean(parliament), term, suche.clean(number))
    except Antrag.DoesNotExist as error:
        raise Http404 from error
    reachable = Assessment.objects.reachable().filter(antrag=antrag)
    return load_for_page(reachable).order_by("-version")


def _answer(assessment: Assessment | None) -> Any:
    if assessment is None:
        raise Http404
    if assessment.status not in READABLE:
        return _gone(assessment)
    content = detail(Bewertungsseite(assessment))
    return {"assessment": content, "ai_generated": content["ai_generated"]}


def _gone(assessment: Assessment) -> Status:
    event = assessment.events.get(nach=Assessment.Status.WITHDRAWN)
    body = {
        "detail": "This version was withdrawn.",
        "reason": event.note,
        "withdrawn_at": event.am.isoformat(),
    }
    return Status(410, body)
