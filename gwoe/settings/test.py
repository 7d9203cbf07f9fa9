"""Tests: the real database server, fast password hashing, no provider configured."""

from .base import *  # noqa: F403  settings modules extend each other
from .base import Q_CLUSTER, VAR_DIR, env
from .database import database_from

SECRET_KEY = "tests-only"  # noqa: S105  nothing outside a test run is signed with it
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
DATABASES = {"default": database_from(env, VAR_DIR)}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MEDIA_ROOT = VAR_DIR / "test-media"
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
# Nothing of a developer's own configuration (.env) but the database reaches a test: neither a
# provider nor a limit that a test counts on. tests/gwoe/test_settings.py tries every variable.
LLM_BASE_URL = LLM_API_KEY = LLM_MODEL = ""
LLM_FALLBACK_BASE_URL = LLM_FALLBACK_API_KEY = LLM_FALLBACK_MODEL = ""
LLM_JSON_SCHEMA = True
LLM_TIMEOUT_SECONDS = 120.0
LLM_CALL_SECONDS = 300.0
LLM_MAX_RETRIES = 3
LLM_RETRY_SECONDS = 2.0
LLM_MAX_OUTPUT_TOKENS = 4000
LLM_PRICE_INPUT = LLM_PRICE_OUTPUT = 0.0
LLM_DAILY_TOKENS = 2_000_000
EMBEDDING_BACKEND = "use"
EMBEDDING_BASE_URL = EMBEDDING_API_KEY = EMBEDDING_MODEL = ""
RETRIEVAL_TOP_K = 5
RETRIEVAL_REWRITE = RETRIEVAL_RERANK = False
RETRIEVAL_MODEL_SECONDS = 10.0
FETCH_DIR = str(VAR_DIR / "test-programme")
FETCH_MAX_SECONDS = 300.0
FETCH_ABGEORDNETENWATCH = FETCH_TEST_ADDRESS = ""
PDF_MAX_BYTES = 100 * 1024 * 1024
PDF_MAX_PAGES = 1500
PDF_MAX_SECONDS = 180
PDF_MAX_MEMORY_MB = 2048
PDF_PICTURE_SECONDS = 10
PAGE_CACHE_MB = 500
ANZEIGE_ANTRAG = "seite"
ANZEIGE_WAHLPROGRAMM = ANZEIGE_GRUNDSATZPROGRAMM = "ausschnitt"
ZWEITER_FAKTOR = False
EINLADUNG_STUNDEN = 72
VIER_AUGEN = True
RESERVIERUNG_MINUTEN = 30
LAUF_MAX_VERSUCHE = 3
Q_CLUSTER = Q_CLUSTER | {"workers": 2, "timeout": 3000, "retry": 3300}
NINJA_NUM_PROXIES = 0
SITE_URL = "http://127.0.0.1:8000"
SOURCE_URL = ""
IMPRESSUM_NAME = "Redaktion Beispiel"
IMPRESSUM_ANSCHRIFT = "Beispielweg 1, 00000 Musterstadt"
IMPRESSUM_EMAIL = "redaktion@example.org"
IMPRESSUM_VERANTWORTLICH = "A. Beispiel, Anschrift wie oben"
