"""Settings shared by every environment. Values come from the environment (see .env.example)."""

from pathlib import Path

from csp.constants import NONE, SELF

from .environment import Environment

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = Environment()
env.read_env(str(BASE_DIR / ".env"))  # never overrides what the environment says

# Everything that the running system writes and that is not in a real database server.
VAR_DIR = Path(env.str("GWOE_VAR_DIR", default=str(BASE_DIR / "var")))

DEBUG = False
INSTALLED_APPS = [
    "gwoe.apps.GwoeConfig",
    "gwoe.apps.GwoeAdminConfig",
    "meldungen",
    "assessments",
    "programme",
    "parlamente",
    "citations",
    "konten",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "ninja",  # serves the API page's assets from here instead of a foreign server
    "django_q",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "gwoe.zeichensatz.always_utf_8",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",  # lazy: asks nothing until somebody asks who it is
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "gwoe.api.middleware.api_methods",
]
ROOT_URLCONF = "gwoe.urls"
WSGI_APPLICATION = "gwoe.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "gwoe.context_processors.site",
            ],
        },
    },
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

# --- Language and time -----------------------------------------------------------------------
LANGUAGE_CODE = "de"
USE_I18N = True
# The motions' dates and the programmes' validity are calendar days in Germany, wherever the
# server stands.
TIME_ZONE = "Europe/Berlin"
USE_TZ = True
USE_THOUSAND_SEPARATOR = False

# --- Files -----------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
MEDIA_ROOT = VAR_DIR / "media"
# Documents are served by views only (page images, one page, the original where allowed).
MEDIA_URL = ""
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        # Every file is named after the checksum of its document, so one of the same name is the
        # same: what a rolled-back transaction or a killed process left behind is written over.
        "OPTIONS": {"allow_overwrite": True},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024

# --- Browser security ------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 60 * 60

# --- Accounts --------------------------------------------------------------------------------
# Whether `demo` may make its two accounts, whose passwords it prints.
DEMO_ALLOWED = True
# Whether the desk asks for a code of an app beside the password.
ZWEITER_FAKTOR = env.bool("ZWEITER_FAKTOR", default=False)
# How long the link of an invitation or for a new password is valid.
EINLADUNG_STUNDEN = env.whole("EINLADUNG_STUNDEN", default=72)

# --- JSON API --------------------------------------------------------------------------------
# How many proxies of ours append to X-Forwarded-For. 0 ignores the header, because without a
# proxy anybody could pretend to be another address and escape the limit.
NINJA_NUM_PROXIES = env.whole("NUM_PROXIES", default=0, least=0)

# --- Documents -------------------------------------------------------------------------------
PDF_MAX_BYTES = env.whole("PDF_MAX_BYTES", default=100 * 1024 * 1024)
PDF_MAX_PAGES = env.whole("PDF_MAX_PAGES", default=1500)
PDF_MAX_SECONDS = env.whole("PDF_MAX_SECONDS", default=180)
PDF_MAX_MEMORY_MB = env.whole("PDF_MAX_MEMORY_MB", default=2048)
# A page is drawn in a tenth of a second; a visitor waits for it.
PDF_PICTURE_SECONDS = env.whole("PDF_PICTURE_SECONDS", default=10)
# Some six thousand pages of text at both widths.
PAGE_CACHE_MB = env.whole("PAGE_CACHE_MB", default=500, least=0)
# What the public sees of a new document: seite, ausschnitt or verweis (Dokument.Anzeige).
ANZEIGE_ANTRAG = env.str("ANZEIGE_ANTRAG", default="seite")
ANZEIGE_WAHLPROGRAMM = env.str("ANZEIGE_WAHLPROGRAMM", default="ausschnitt")
ANZEIGE_GRUNDSATZPROGRAMM = env.str("ANZEIGE_GRUNDSATZPROGRAMM", default="ausschnitt")

# --- Fetching programmes ---------------------------------------------------------------------
FETCH_DIR = env.str("FETCH_DIR", default=str(VAR_DIR / "programme"))
FETCH_MAX_SECONDS = env.number("FETCH_MAX_SECONDS", default=300.0, least=1)
# The address of the API; empty: not asked.
FETCH_ABGEORDNETENWATCH = env.str("FETCH_ABGEORDNETENWATCH", default="")
# The one internal address that may be fetched from, as 127.0.0.1:8099; refused in production.
FETCH_TEST_ADDRESS = env.str("FETCH_TEST_ADDRESS", default="")

# --- Retrieval -------------------------------------------------------------------------------
# Two per party missed the right page in 3 of 36 citations (docs/adr/0001).
RETRIEVAL_TOP_K = env.whole("RETRIEVAL_TOP_K", default=5)
# Help of the language model in searching, each off without one.
RETRIEVAL_REWRITE = env.bool("RETRIEVAL_REWRITE", default=False)
RETRIEVAL_RERANK = env.bool("RETRIEVAL_RERANK", default=False)
# Somebody waits at the desk; without an answer by then the fused order counts.
RETRIEVAL_MODEL_SECONDS = env.number("RETRIEVAL_MODEL_SECONDS", default=10.0)
EMBEDDING_BACKEND = env.str("EMBEDDING_BACKEND", default="use")
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", default="")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", default="")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", default="")

# --- Language model --------------------------------------------------------------------------
LLM_BASE_URL = env.str("LLM_BASE_URL", default="")
LLM_API_KEY = env.str("LLM_API_KEY", default="")
LLM_MODEL = env.str("LLM_MODEL", default="")
LLM_FALLBACK_BASE_URL = env.str("LLM_FALLBACK_BASE_URL", default="")
LLM_FALLBACK_API_KEY = env.str("LLM_FALLBACK_API_KEY", default="")
LLM_FALLBACK_MODEL = env.str("LLM_FALLBACK_MODEL", default="")
LLM_JSON_SCHEMA = env.bool("LLM_JSON_SCHEMA", default=True)
LLM_TIMEOUT_SECONDS = env.number("LLM_TIMEOUT_SECONDS", default=120.0, least=1)
# One call with all its attempts, at both providers; the queue's timeout follows from it.
LLM_CALL_SECONDS = env.number("LLM_CALL_SECONDS", default=300.0, least=1)
LLM_MAX_RETRIES = env.whole("LLM_MAX_RETRIES", default=3, least=0)
# The first pause before a retry; doubles each time.
LLM_RETRY_SECONDS = env.number("LLM_RETRY_SECONDS", default=2.0)
LLM_MAX_OUTPUT_TOKENS = env.whole("LLM_MAX_OUTPUT_TOKENS", default=4000)
# Euro per million tokens, for the record and for --dry-run.
LLM_PRICE_INPUT = env.number("LLM_PRICE_INPUT", default=0.0)
LLM_PRICE_OUTPUT = env.number("LLM_PRICE_OUTPUT", default=0.0)
LLM_DAILY_TOKENS = env.whole("LLM_DAILY_TOKENS", default=2_000_000, least=0)

# --- Queue -----------------------------------------------------------------------------------
# An assessment makes nine model calls (matrix and eight parties); searching, placing and proving
# have the time of a tenth, and sorting what was found for eight parties its own.
_RUN_SECONDS = int(10 * LLM_CALL_SECONDS + 8 * RETRIEVAL_MODEL_SECONDS * RETRIEVAL_RERANK)
Q_CLUSTER = {
    "name": "gwoe",
    "orm": "default",
    "workers": env.whole("Q_WORKERS", default=2),
    "poll": 0.5,
    "timeout": _RUN_SECONDS,
    # Must exceed the timeout, else a running task is handed out a second time.
    "retry": _RUN_SECONDS + 300,
    # Counted by Lauf.versuche, because django-q2 never acknowledges the task of a killed worker.
    "max_attempts": 3,
    "ack_failures": True,
    "catch_up": False,
    "label": "Warteschlange",
    # Of each task: else what runs every few minutes would push out what the nights found.
    "save_limit_per": "func",
}

# --- Assessments -----------------------------------------------------------------------------
VIER_AUGEN = env.bool("VIER_AUGEN", default=True)
# The share of assessments, 0 to 1, of which editors rate two fields before they see the model's.
EIGENURTEIL_ANTEIL = env.number("EIGENURTEIL_ANTEIL", default=0.1, most=1)
RESERVIERUNG_MINUTEN = env.whole("RESERVIERUNG_MINUTEN", default=30)
LAUF_MAX_VERSUCHE = env.whole("LAUF_MAX_VERSUCHE", default=3)

# --- Reports of errors -----------------------------------------------------------------------
# How many are taken within 24 hours: from one address, and of all together. 0 takes none.
MELDUNGEN_JE_ADRESSE = env.whole("MELDUNGEN_JE_ADRESSE", default=10, least=0)
MELDUNGEN_JE_TAG = env.whole("MELDUNGEN_JE_TAG", default=200, least=0)
# How long after the decision a reader's text is kept.
MELDUNG_TEXT_TAGE = env.whole("MELDUNG_TEXT_TAGE", default=90, least=0)

# --- Imprint and responsibility (§ 5 DDG, § 18 (2) MStV) ---------------------------------------
SITE_NAME = "GWÖ-Antragsprüfer"
OTP_TOTP_ISSUER = SITE_NAME  # what the app calls the account
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000")
IMPRESSUM_NAME = env.str("IMPRESSUM_NAME", default="")
IMPRESSUM_ANSCHRIFT = env.str("IMPRESSUM_ANSCHRIFT", default="")
IMPRESSUM_EMAIL = env.str("IMPRESSUM_EMAIL", default="")
IMPRESSUM_VERANTWORTLICH = env.str("IMPRESSUM_VERANTWORTLICH", default="")
SOURCE_URL = env.str("SOURCE_URL", default="")
HANDBUCH_URL = env.str("HANDBUCH_URL", default="")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}
