"""The shapes of the answers. Values that machines compare are English and never translated."""

from datetime import date, datetime
from typing import Literal

from ninja import Field, Schema

from .notice import Notice

DocumentType = Literal["motion", "bill", "resolution_motion", "amendment", "alternative_motion"]


class Overall(Schema):
    """The overall value never stands without its number of fields and its spread."""

    value: float | None = Field(description="0–10 in steps of 0.1; null where no field is affected")
    fields_affected: int
    lowest: int | None = Field(description="−2…+2")
    highest: int | None
    formula_version: int


class Quote(Schema):
    id: int
    url: str
    text: str = Field(description="The source's words; omissions as […]")
    grade: Literal["verbatim", "omission", "matched"]
    state: Literal["proved", "confirmed_by_editors", "under_review"]
    side: Literal["motion", "programme"]
    source: str
    pages: list[str] = Field(description="Printed page numbers, else those of the file")


class AssessmentItem(Schema):
    parliament: str
    legislative_term: int
    number: str = Field(description="As it is cited, with the term: 7/2318, 21/905 S")
    type: DocumentType
    title: str
    date: date
    submitted_by: list[str]
    invented: bool = Field(description="True for sample data: parliament and parties do not exist")
    version: int
    status: Literal["published", "superseded"]
    published_at: datetime
    corrects_version: int | None = Field(
        description="Of a correction; null where a new run replaced the version before"
    )
    summary: str
    topics: list[str]
    overall: Overall
    ai_generated: bool
    url: str
    api_url: str


class FieldRating(Schema):
    code: str
    title: str
    affected: bool
    rating: int | None = Field(description="−2…+2; null where the field is not affected")
    rating_by_model: int | None = Field(description="Only where the editors changed it")
    changed_by_editors: bool
    reason: str
    evidence: list[Quote]


class Comparison(Schema):
    party: str
    role: Literal["submitting", "governing", "both"]
    programme_type: Literal["election_programme", "basic_programme"]
    programme_year: int | None
    result: Literal["rated", "programme_missing", "nothing_relevant", "no_verbatim_quote"]
    score: int | None = Field(description="0 contradicts, 10 coincides; null without a source")
    reason: str
    searched: str
    evidence: list[Quote]


class Proposal(Schema):
    """Another wording for a passage of the motion."""

    title: str
    field: str | None
    passage: Quote
    wording: str
    reason: str


class Review(Schema):
    model: str | None
    prompt_version: str | None
    drafted_at: datetime
    approved_at: datetime
    people: int
    names: list[str] = Field(description="Only of people who agreed to be named")
    four_eyes: bool
    quotes_proposed: int
    quotes_published: int
    quotes_dropped: int
    fields_changed: list[str]
    last_checked_at: datetime | None


class Original(Schema):
    url: str | None
    retrieved_at: datetime
    sha256: str
    pages: int


class Version(Schema):
    version: int
    status: Literal["published", "superseded", "withdrawn"]
    published_at: datetime
    correction: str
    api_url: str


class AssessmentDetail(AssessmentItem):
    matrix: str
    correction: str = Field(description="What this version changes and why; empty for the first")
    fields: list[FieldRating]
    comparisons: list[Comparison]
    proposals: list[Proposal]
    review: Review
    original: Original
    versions: list[Version]


class AssessmentResponse(Notice):
    assessment: AssessmentDetail


class AssessmentList(Notice):
    items: list[AssessmentItem]
    count: int
    page: int
    page_size: int


class Box(Schema):
    """A marked box: fractions of the visible page, origin top left; `page` counts from 1."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Check(Schema):
    result: Literal["proved", "refuted", "unprovable"]
    at: datetime
    reason: str


class Use(Schema):
    parliament: str
    number: str
    version: int
    url: str


class Picture(Schema):
    """A WebP picture; `width` in pixels, null for a cut-out of the lines around the quote."""

    page: int
    url: str
    width: int | None


class PageText(Schema):
    """The text of a cited page; `start` is its offset in the document, as in `spans`."""

    page: int
    start: int
    text: str


class Place(Schema):
    """What the quote's page shows of the document, and no more than it may show."""

    certainty: Literal["exact", "approximate", "gone"] = Field(
        description="approximate: words and boxes disagree or are not proved; gone: no such place"
    )
    display: Literal["page", "excerpt", "reference"]
    context: str | None = Field(description="The words with what stands around them")
    pictures: list[Picture]
    page_texts: list[PageText] = Field(description="Where whole pages are shown, else empty")
    marked_pdf: str | None
    previous: str | None = Field(description="The cited place before this one, as an API address")
    next: str | None


class QuoteDetail(Quote):
    parts: list[str]
    place: Place
    document_sha256: str
    document_pages: int
    reading_version: int
    spans: list[list[int]] = Field(description="Characters of the reading, end exclusive")
    boxes: list[Box]
    last_check: Check | None
    used_in: list[Use]


class QuoteResponse(Notice):
    quote: QuoteDetail


class ParliamentItem(Schema):
    code: str
    name: str
    state: str
    invented: bool
    published_assessments: int
    url: str | None = Field(description="null while nothing of it is published")


class ParliamentList(Notice):
    items: list[ParliamentItem]
    count: int


class StatusResponse(Notice):
    version: str
    database: Literal["ok"]
    published_assessments: int
    superseded_assessments: int
    withdrawn_assessments: int
    published_quotes: int
    quotes_under_review: int
