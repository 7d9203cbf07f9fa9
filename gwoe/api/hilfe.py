"""The API's description as a page of our own: no script, no foreign assets."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from assessments.views.caching import public_page

from . import api


@public_page
def api_hilfe(request: HttpRequest) -> HttpResponse:
    schema = api.get_openapi_schema()
    context = {"bereich": "daten", "info": schema["info"], "wege": _operations(schema)}
    return render(request, "gwoe/api.html", context)


def _operations(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """What the page lists, straight from the OpenAPI document, so that the two agree."""
    return [
        {
            "pfad": path,
            "titel": operation["summary"],
            "parameter": [_parameter(each) for each in operation.get("parameters", [])],
            "antworten": sorted(int(code) for code in operation["responses"]),
        }
        for path, methods in schema["paths"].items()
        for operation in methods.values()
    ]


def _parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": parameter["name"],
        "ort": "Pfad" if parameter["in"] == "path" else "Abfrage",
        "text": parameter["schema"].get("description") or parameter.get("description", ""),
    }
