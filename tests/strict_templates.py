"""A variable that does not exist fails the test, where one of our own templates shows it.

Django shows nothing instead, so that a typing error is seen by nobody. Its own templates rely on
that, and `{% if %}` and `{% for %}` may ask for what is not there.
"""

from copy import copy
from pathlib import Path

from django.conf import settings
from django.template.base import FilterExpression, Parser


class StrictExpression(FilterExpression):
    def resolve(self, context, ignore_failures=False):
        if ignore_failures or not self.is_var:
            return super().resolve(context, ignore_failures)
        known = copy(self)
        known.var, known.is_var = self.var.resolve(context), False
        return FilterExpression.resolve(known, context)


def compile_filter(parser, token):
    return (StrictExpression if _is_ours(parser.origin) else FilterExpression)(token, parser)


def _is_ours(origin) -> bool:
    return origin is not None and Path(origin.name).is_relative_to(settings.BASE_DIR / "templates")


def install():
    """Before the first template is compiled."""
    Parser.compile_filter = compile_filter
