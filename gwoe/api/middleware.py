"""What django-ninja does not do: HEAD, and a JSON body where a method is refused."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from . import problem

GetResponse = Callable[[HttpRequest], HttpResponse]


def api_methods(get_response: GetResponse) -> GetResponse:
    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/api/"):
            return get_response(request)
        response = _answer(request, get_response)
        return _not_allowed(request) if response.status_code == 405 else response

    return middleware


def _answer(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """HEAD is answered like GET; whoever sends the answer leaves the body out."""
    if request.method != "HEAD":
        return get_response(request)
    request.method = "GET"
    try:
        return get_response(request)
    finally:
        request.method = "HEAD"


def _not_allowed(request: HttpRequest) -> HttpResponse:
    response = problem(request, "Read only: GET and HEAD.", 405)
    response["Allow"] = "GET, HEAD"
    return response
