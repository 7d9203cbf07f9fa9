"""Development and trying out: the embedded database server unless DATABASE_URL is set."""

import secrets

from .base import *  # noqa: F403  settings modules extend each other
from .base import VAR_DIR, env
from .database import database_from


def _secret_key() -> str:
    """A random key kept under var/, so that log-ins survive a restart and none is published."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()


DEBUG = env.bool("DEBUG", default=True)
SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key()
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
DATABASES = {"default": database_from(env, VAR_DIR)}
# Static files straight from the apps: no collectstatic before trying out.
WHITENOISE_USE_FINDERS = True
