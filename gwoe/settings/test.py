"""Tests: the real database server, fast password hashing, no provider configured."""

from .base import *  # noqa: F403  settings modules extend each other
from .base import VAR_DIR, env
from .database import database_from

SECRET_KEY = "tests-only"  # noqa: S105  nothing outside a test run is signed with it
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
DATABASES = {"default": database_from(env, VAR_DIR)}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MEDIA_ROOT = VAR_DIR / "test-media"
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
# A developer's own configuration must not reach a provider from a test.
LLM_BASE_URL = LLM_API_KEY = LLM_MODEL = ""
LLM_FALLBACK_BASE_URL = LLM_FALLBACK_API_KEY = LLM_FALLBACK_MODEL = ""
EMBEDDING_BACKEND = "use"
IMPRESSUM_NAME = "Redaktion Beispiel"
IMPRESSUM_ANSCHRIFT = "Beispielweg 1, 00000 Musterstadt"
IMPRESSUM_EMAIL = "redaktion@example.org"
IMPRESSUM_VERANTWORTLICH = "A. Beispiel, Anschrift wie oben"
