"""The environment as settings read it: a number has a range, and outside of it nothing starts."""

import math

import environ
from django.core.exceptions import ImproperlyConfigured


class Environment(environ.Env):
    def whole(self, name: str, *, default: int, least: int = 1) -> int:
        """A whole number, `least` or more. Raises ImproperlyConfigured."""
        try:
            value = int(self.str(name, default=str(default)))
        except ValueError:
            raise ImproperlyConfigured(f"{name} must be a whole number.") from None
        if value < least:
            raise ImproperlyConfigured(f"{name} must be {least} or more.")
        return value

    def number(self, name: str, *, default: float, least: float = 0.0, most: float = 1e9) -> float:
        """From `least` to `most`. Raises ImproperlyConfigured."""
        try:
            value = float(self.str(name, default=str(default)))
        except ValueError:
            raise ImproperlyConfigured(f"{name} must be a number.") from None
        if math.isnan(value) or not least <= value <= most:
            raise ImproperlyConfigured(f"{name} must lie between {least:g} and {most:g}.")
        return value
