"""The public JSON API under /api/v1/ (docs/reference/api.md). Read only, no key, no cookie."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.throttling import AnonRateThrottle

from .assessments import router as assessments
from .notice import ATTRIBUTION, LICENSE
from .parlamente import router as parlamente
from .status import router as status
from .zitate import router as zitate

# Per address; generous for a script that pages, cheap enough for one small server.
RATE = "120/m"
CACHE_SECONDS = 60

DESCRIPTION = (
    "Published assessments of motions in German parliaments against the GWÖ matrix, with every "
    "quote's place in the document. Drafts are never part of it."
)

api = NinjaAPI(
    title="GWÖ-Antragsprüfer",
    version="1.0.0",
    description=DESCRIPTION,
    # Swagger's page needs data: images, which our policy does not allow; we have our own page.
    docs_url=None,
    urls_namespace="api",
    throttle=[AnonRateThrottle(RATE)],
)
api.add_decorator(conditional_page, mode="view")
api.add_decorator(cache_control(public=True, max_age=CACHE_SECONDS), mode="view")
api.add_router("", assessments)
api.add_router("", zitate)
api.add_router("", parlamente)
api.add_router("", status)


def problem(request: HttpRequest, detail: object, status_code: int) -> HttpResponse:
    content = {"detail": detail, "license": LICENSE, "attribution": ATTRIBUTION}
    return api.create_response(request, content, status=status_code)


@csrf_exempt  # a page of HTML about a missing token would help no program
def unknown_address(request: HttpRequest) -> HttpResponse:
    """Whatever below /api/ is no address of the API."""
    return problem(request, "There is nothing at this address.", 404)


@api.exception_handler(Http404)
def not_found(request: HttpRequest, exc: Http404) -> HttpResponse:
    return problem(request, "Nothing is published here.", 404)


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, exc: HttpError) -> HttpResponse:
    return problem(request, str(exc), exc.status_code)


@api.exception_handler(ValidationError)
def invalid_parameters(request: HttpRequest, exc: ValidationError) -> HttpResponse:
    """Which parameter is wrong and why, without repeating what was sent."""
    detail = [{"loc": error["loc"], "msg": error["msg"]} for error in exc.errors]
    return problem(request, detail, 422)
