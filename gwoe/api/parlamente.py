"""`/parlamente`: the parliaments that are known, and how much of each is published."""

from collections import Counter
from typing import Any

from django.http import HttpRequest
from ninja import Router

from assessments.addresses import parlament_address
from assessments.models import Assessment
from parlamente.models import Parlament

from .content import absolute
from .notice import ERRORS
from .schemas import ParliamentList

router = Router(tags=["parlamente"])


@router.get(
    "/parlamente",
    response={200: ParliamentList, 429: ERRORS[429]},
    summary="Parliaments with the number of published assessments",
)
def list_parlamente(request: HttpRequest) -> dict[str, Any]:
    published = Assessment.objects.public().values_list("antrag__parlament", flat=True)
    counts = Counter(published)
    items = [
        _item(parlament, counts[parlament.pk]) for parlament in Parlament.objects.order_by("code")
    ]
    return {"items": items, "count": len(items), "ai_generated": False}


def _item(parlament: Parlament, published: int) -> dict[str, Any]:
    return {
        "code": parlament.code.lower(),
        "name": parlament.name,
        "state": parlament.land,
        "invented": parlament.muster,
        "published_assessments": published,
        "url": absolute(parlament_address(parlament.code)) if published else None,
    }
