"""Production: refuses to start half-configured."""

from django.core.exceptions import ImproperlyConfigured

from .base import *  # noqa: F403  settings modules extend each other
from .base import EMBEDDING_BACKEND, FETCH_TEST_ADDRESS, STORAGES, VAR_DIR, env
from .database import database_from


def _required(*names: str, reason: str = "Production") -> dict[str, str]:
    values = {name: env.str(name, default="") for name in names}
    missing = [name for name, value in values.items() if not value]
    if missing:
        raise ImproperlyConfigured(
            f"{reason} needs these environment variables: {', '.join(missing)}. "
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
# A provider that is half configured would be found out by the first assessment, or never.
if env.str("LLM_BASE_URL", default=""):
    _required("LLM_API_KEY", "LLM_MODEL", reason="LLM_BASE_URL")
if env.str("LLM_FALLBACK_BASE_URL", default=""):
    _required("LLM_FALLBACK_API_KEY", "LLM_FALLBACK_MODEL", reason="LLM_FALLBACK_BASE_URL")
if EMBEDDING_BACKEND == "openai":
    _required(
        *("EMBEDDING_BASE_URL", "EMBEDDING_API_KEY", "EMBEDDING_MODEL"),
        reason="EMBEDDING_BACKEND=openai",
    )
elif EMBEDDING_BACKEND != "use":
    raise ImproperlyConfigured("EMBEDDING_BACKEND must be use or openai.")

# A word that nobody knows would be found out by the next upload.
for _name in ("ANZEIGE_ANTRAG", "ANZEIGE_WAHLPROGRAMM", "ANZEIGE_GRUNDSATZPROGRAMM"):
    if globals()[_name] not in ("seite", "ausschnitt", "verweis"):
        raise ImproperlyConfigured(f"{_name} must be seite, ausschnitt or verweis.")

# It would let a redirect on a foreign page reach this server's own network.
if FETCH_TEST_ADDRESS:
    raise ImproperlyConfigured("FETCH_TEST_ADDRESS is for tests and must be empty in production.")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = [_values["SITE_URL"]]
DATABASES = {"default": database_from(env, VAR_DIR)}
# Seconds that a process keeps its connection: a new one takes 3 ms of every request.
# DATABASE_URL may say otherwise (?conn_max_age=0), as behind a pooler.
DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
}
DEMO_ALLOWED = False
ZWEITER_FAKTOR = env.bool("ZWEITER_FAKTOR", default=True)
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
