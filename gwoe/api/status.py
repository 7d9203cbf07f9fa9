"""`/status`: whether the service works, and how much is public. No secrets, no drafts."""

import tomllib
from collections import Counter
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja import Router

from assessments.models import Assessment
from assessments.pruefstand import pruefstaende
from assessments.public import public_zitate

from .notice import ERRORS
from .schemas import StatusResponse

router = Router(tags=["status"])
Status = Assessment.Status


@router.get(
    "/status",
    response={200: StatusResponse, 429: ERRORS[429]},
    summary="Version and public counts",
)
def get_status(request: HttpRequest) -> dict[str, Any]:
    """Answers only when the database does, so an answer says that it is fine."""
    counts = Counter(Assessment.objects.reachable().values_list("status", flat=True))
    zitate = list(public_zitate().values_list("pk", flat=True))
    states = pruefstaende(zitate)
    return {
        "version": software_version(),
        "database": "ok",
        "published_assessments": counts[Status.PUBLISHED],
        "superseded_assessments": counts[Status.SUPERSEDED],
        "withdrawn_assessments": counts[Status.WITHDRAWN],
        "published_quotes": len(zitate),
        "quotes_under_review": sum(stand.in_pruefung for stand in states.values()),
        "ai_generated": False,
    }


@cache
def software_version() -> str:
    """From pyproject.toml, because the project runs from its checkout."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])
