from typing import Any

from django.conf import settings
from django.http import HttpRequest

from assessments.public import everything_is_invented


def site(request: HttpRequest) -> dict[str, Any]:
    """What head and foot of every page need, and whom readers can write to."""
    return {
        "site_name": settings.SITE_NAME,
        "source_url": settings.SOURCE_URL,
        "kontakt": settings.IMPRESSUM_EMAIL,
        "alles_erfunden": everything_is_invented,  # asked by the pages that say so only
    }
