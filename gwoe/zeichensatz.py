"""Text that comes in is UTF-8."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]


def always_utf_8(get_response: GetResponse) -> GetResponse:
    """Whatever charset a request's Content-Type names: Django would read even the query string
    of a GET by it, and some give halves of signs, which no database takes. (One that is no
    charset of text ends with 500 before any of our code runs.)"""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.encoding is not None:
            request.encoding = "utf-8"
        return get_response(request)

    return middleware
