"""Production: refuses to start half-configured."""

from django.core.exceptions import ImproperlyConfigured

from .base import *  # noqa: F403  settings modules extend each other
from .base import STORAGES, VAR_DIR, env
from .database import database_from


def _required(*names: str) -> dict[str, str]:
    values = {name: env.str(name, default="") for name in names}
    missing = [name for name, value in values.items() if not value]
    if missing:
        raise ImproperlyConfigured(
            f"Production needs these environment variables: {', '.join(missing)}. "
            "See .env.example and docs/how-to/deploy.md."
        )
    return values


# DATABASE_URL is required: the embedded server is for trying out (docs/adr/0008).
_values = _required(
    "SECRET_KEY",
    "DATABASE_URL",
    "ALLOWED_HOSTS",
    "SITE_URL",
    "IMPRESSUM_NAME",
    "IMPRESSUM_ANSCHRIFT",
    "IMPRESSUM_EMAIL",
    "IMPRESSUM_VERANTWORTLICH",
)
SECRET_KEY = _values["SECRET_KEY"]
if len(SECRET_KEY) < 40:
    raise ImproperlyConfigured("SECRET_KEY must have at least 40 characters.")
if env.str("LLM_BASE_URL", default="") and not env.str("LLM_API_KEY", default=""):
    raise ImproperlyConfigured("LLM_BASE_URL is set, but LLM_API_KEY is not.")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = [_values["SITE_URL"]]
DATABASES = {"default": database_from(env, VAR_DIR)}
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
}
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
