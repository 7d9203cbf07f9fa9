"""How public pages and files may be kept by browsers and proxies."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import (
    add_never_cache_headers,
    get_conditional_response,
    patch_cache_control,
    set_response_etag,
)
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

View = Callable[..., HttpResponse]

# Long enough to carry a rush, short enough for a correction to reach readers at once.
PAGE_SECONDS = 300
# A picture never changes; it must only vanish from caches some time after a withdrawal.
FILE_SECONDS = 24 * 60 * 60


def public_page(view: View) -> View:
    """GET and HEAD only; ETag from the page itself, so 304 is right after any change."""
    return require_safe(_conditional(cache_control(public=True, max_age=PAGE_SECONDS)(view)))


def public_file(view: View) -> View:
    """The same for files, which never run anything in our name (ASVS 5.3, sandbox)."""

    @wraps(view)
    def harmless(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        response["X-Robots-Tag"] = "noindex"
        if response.status_code == HTTPStatus.OK:
            patch_cache_control(response, public=True, max_age=FILE_SECONDS)
        else:  # what fails now may be there in a moment
            add_never_cache_headers(response)
        return response

    return require_safe(_conditional(harmless))


def _conditional(view: View) -> View:
    """As Django's `conditional_page`, which leaves HEAD without an ETag."""

    @wraps(view)
    def answered(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code != HTTPStatus.OK:
            return response
        etag = set_response_etag(response)["ETag"]
        return cast(HttpResponse, get_conditional_response(request, etag, None, response))

    return answered
