"""Every page there is, found through the URL resolver: a new one is looked at without being named.

A page that takes arguments gets them from the scene; one whose arguments the scene does not know
fails the test that asks for it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.contrib.admin import site
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

# Routes that lead nowhere of their own: Django's redirect to the change page, its page of what it
# does not know, and ours for the interface.
NOWHERE = ("<path:object_id>/", "(?P<url>.*)$", "^api/(?!v1$)")
# The answers of an address that shows no page to anybody: refused, moved, for POST only; and of one
# that needs a question (the list behind a field with suggestions).
NO_PAGE = {302, 403, 405}
# And those of the second factor, which is off here: test_konten.py walks through them.
NOT_ALONE = {
    *("admin:autocomplete", "admin:view_on_site"),
    *("admin:zweiter_faktor", "admin:zweiter_faktor_einrichten", "admin:zweiter_faktor_geraet"),
}
Arguments = Callable[[str, str], object]


@dataclass(frozen=True)
class Route:
    route: str
    name: str
    arguments: tuple[str, ...]

    def address(self, argument: Arguments) -> str:
        if not self.name:
            return f"/{self.route}"
        values = {each: argument(self.name, each) for each in self.arguments}
        return reverse(self.name, kwargs=values)


def routes() -> list[Route]:
    found = _routes(get_resolver(), "", "")
    return [r for r in found if not r.route.endswith(NOWHERE) and r.name not in NOT_ALONE]


def _routes(resolver: URLResolver, prefix: str, namespace: str) -> Iterator[Route]:
    for each in resolver.url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            inner = f"{namespace}{each.namespace}:" if each.namespace else namespace
            yield from _routes(each, route, inner)
        else:
            yield _route(each, route, namespace)


def _route(pattern: URLPattern, route: str, namespace: str) -> Route:
    groups = pattern.pattern.regex.groupindex
    return Route(route, f"{namespace}{pattern.name}" if pattern.name else "", tuple(groups))


def row_of(route_name: str) -> object:
    """The key of a row of the model whose admin page the route is."""
    for model in site._registry:
        prefix = f"admin:{model._meta.app_label}_{model._meta.model_name}_"
        if route_name.startswith(prefix):
            row = model._default_manager.order_by("pk").first()
            assert row is not None, f"{route_name}: the scene has no row of {model._meta.label}"
            return row.pk
    raise LookupError(f"{route_name} is the page of no model")


def pages(client: Client, argument: Arguments) -> list[str]:
    """The addresses that answer with a page of HTML."""
    return [a for a in (r.address(argument) for r in routes()) if _is_page(client, a)]


def _is_page(client: Client, address: str) -> bool:
    response = client.get(address)
    is_known = response.status_code == 200 or response.status_code in NO_PAGE
    assert is_known, f"{address} answers {response.status_code}"
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    return response.status_code == 200 and is_html
