"""What every answer says about itself: licence, attribution, and whether a model took part."""

from typing import Final, Literal

from ninja import Field, Schema

LICENSE: Final = "CC-BY-4.0"
LICENSE_URL = "https://creativecommons.org/licenses/by/4.0/"
ATTRIBUTION = (
    "GWÖ-Antragsprüfer. Quotations belong to their authors and are not covered by the licence; "
    "titles of the matrix fields by ECOnGOOD."
)


class Notice(Schema):
    license: Literal["CC-BY-4.0"] = LICENSE
    license_url: str = LICENSE_URL
    attribution: str = ATTRIBUTION
    ai_generated: bool = Field(
        description="True where a language model drafted (part of) this answer's content. "
        "Editors reviewed all of it."
    )


class Problem(Schema):
    """The body of every error."""

    detail: str | list[dict[str, object]]
    license: Literal["CC-BY-4.0"] = LICENSE
    attribution: str = ATTRIBUTION


class Gone(Problem):
    """A withdrawn version: the reason stays public."""

    reason: str
    withdrawn_at: str


# For the OpenAPI document; the handlers in __init__ make these answers.
ERRORS = {404: Problem, 422: Problem, 429: Problem}
