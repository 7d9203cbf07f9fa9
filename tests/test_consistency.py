"""What must hold all over the project, and what no other check sees."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.core.management import call_command
from django.db import models
from django.utils import timezone
from django.utils.text import camel_case_to_spaces

ROOT = Path(__file__).resolve().parent.parent
# Each app may know the ones behind it.
LAYERS = ("gwoe", "meldungen", "assessments", "programme", "parlamente", "citations", "konten")
EMPTY_NAMES = {"utils", "helpers", "services", "managers", "common", "core", "misc"}
OUR_MODELS = [model for model in apps.get_models() if model._meta.app_label in LAYERS]


def python_files() -> Iterator[Path]:
    for app in LAYERS:
        yield from (ROOT / app).rglob("*.py")


# --- Apps and names ----------------------------------------------------------------------------


def relations() -> Iterator[tuple[models.Field, str]]:
    """Every foreign key and many-to-many field of ours, with the app that it points to."""
    for model in OUR_MODELS:
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
            if field.is_relation and field.related_model:
                yield field, field.related_model._meta.app_label


def test_models_point_only_to_layers_below_theirs():
    """import-linter does not see string foreign keys."""
    upwards = [
        str(field)
        for field, target in relations()
        if target in LAYERS and LAYERS.index(target) < LAYERS.index(field.model._meta.app_label)
    ]
    assert list(relations())
    assert not upwards


def test_no_module_has_a_name_that_says_nothing():
    found = [
        str(path.relative_to(ROOT))
        for path in python_files()
        if EMPTY_NAMES & {path.stem, *path.relative_to(ROOT).parent.parts}
    ]
    assert not found


@pytest.mark.parametrize("model", OUR_MODELS, ids=lambda model: model.__name__)
def test_every_model_has_a_german_name(model):
    derived = camel_case_to_spaces(model.__name__)
    assert model._meta.verbose_name != derived
    assert model._meta.verbose_name_plural not in (f"{derived}s", f"{model._meta.verbose_name}s")


@pytest.mark.parametrize("model", OUR_MODELS, ids=lambda model: model.__name__)
def test_every_field_has_a_name_for_editors(model):
    """A relation that is called after its target needs none: the noun is the target's."""
    unnamed = [
        field.name
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many)
        if not (field.primary_key or field._verbose_name or is_called_after_its_target(field))
    ]
    assert not unnamed


def is_called_after_its_target(field: models.Field) -> bool:
    return field.is_relation and field.related_model.__name__.lower().endswith(field.name)


# --- Templates ---------------------------------------------------------------------------------

TEMPLATES = sorted(
    path.relative_to(ROOT / "templates") for path in (ROOT / "templates").rglob("*.*")
)
# Django asks for these by name.
ERROR_PAGES = {"400.html", "403.html", "403_csrf.html", "404.html", "500.html"}


def is_override(template: Path) -> bool:
    """Whether the admin asks for it: its own template, for all or for one of our models."""
    if template.parts[0] != "admin":
        return False
    *path, name = template.parts
    in_django = any((Path(folder) / "templates/admin" / name).exists() for folder in admin.__path__)
    ours = [["admin"], *(["admin", *m._meta.label_lower.split(".")] for m in OUR_MODELS)]
    return in_django and path in ours


def uses(text: str, template: Path) -> bool:
    """Named in quotes, or made from a part of its name that stands in quotes in the same app."""
    if re.search(rf"[\"']{re.escape(str(template))}[\"'#]", text):
        return True
    made = rf"f\"{re.escape(str(template.parent))}/\{{\w+\}}{template.suffix}\""
    return bool(re.search(made, text)) and is_word_in_code(template.stem)


def is_word_in_code(word: str) -> bool:
    return any(f'"{word}"' in path.read_text(encoding="utf-8") for path in python_files())


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_every_template_is_used(template):
    if str(template) in ERROR_PAGES or is_override(template):
        return
    paths = [*python_files(), *(ROOT / "templates").rglob("*.*")]
    assert any(uses(path.read_text(encoding="utf-8"), template) for path in paths)


# --- Migrations --------------------------------------------------------------------------------


@pytest.mark.parametrize("app", LAYERS)
def test_every_migration_has_a_name(app):
    names = [path.stem for path in (ROOT / app / "migrations").glob("0*.py")]
    assert all(re.fullmatch(r"\d{4}_[a-z0-9_]+", name) for name in names)
    assert not [name for name in names if re.match(r"\d{4}_(auto|alter_.*_and_more)", name)]


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


# --- Time --------------------------------------------------------------------------------------

# Half past midnight in Germany, while it is still yesterday in UTC.
AFTER_MIDNIGHT = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that knows nothing of this one's settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
    )


def test_today_is_the_german_day():
    assert settings.TIME_ZONE == "Europe/Berlin"
    assert timezone.localdate(AFTER_MIDNIGHT) == date(2026, 7, 1)


def test_today_is_the_german_day_on_a_machine_in_utc():
    code = (
        "import django, datetime; django.setup(); from django.utils import timezone;"
        f"moment = datetime.datetime.fromtimestamp({AFTER_MIDNIGHT.timestamp()}, datetime.UTC);"
        "print(timezone.localdate(moment), datetime.date.fromtimestamp(moment.timestamp()))"
    )
    result = run_python(code, TZ="UTC", DJANGO_SETTINGS_MODULE="gwoe.settings.test")
    assert result.stdout.split() == ["2026-07-01", "2026-07-01"], result.stderr


def test_days_are_asked_of_django():
    """`date.today()` is the process's day, `timezone.localdate()` the day of the settings."""
    pattern = re.compile(r"\bdate\.today\(\)|\bdatetime\.(?:now|today)\(\)|\butcnow\(\)")
    found = [str(p.relative_to(ROOT)) for p in python_files() if pattern.search(p.read_text())]
    assert not found


# --- Production --------------------------------------------------------------------------------

PRODUCTION = {
    "SECRET_KEY": "x" * 50,
    "DATABASE_URL": "postgres://gwoe:secret@127.0.0.1:1/gwoe",
    "ALLOWED_HOSTS": "antraege.example.org",
    "SITE_URL": "https://antraege.example.org",
    "IMPRESSUM_NAME": "Redaktion Beispiel",
    "IMPRESSUM_ANSCHRIFT": "Beispielweg 1, 00000 Musterstadt",
    "IMPRESSUM_EMAIL": "redaktion@example.org",
    "IMPRESSUM_VERANTWORTLICH": "A. Beispiel",
    # Empty, not absent: what the environment says wins over a developer's .env.
    "LLM_BASE_URL": "",
    "LLM_API_KEY": "",
}


def start_production(**changes: str) -> subprocess.CompletedProcess[str]:
    return run_python("import gwoe.settings.production", **(PRODUCTION | changes))


def test_production_starts_when_everything_is_set():
    result = start_production()
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", [name for name in PRODUCTION if not name.startswith("LLM")])
def test_production_refuses_to_start_without(name):
    """Without DATABASE_URL the embedded server would start; it is for trying out."""
    result = start_production(**{name: ""})
    assert result.returncode != 0
    assert "ImproperlyConfigured" in result.stderr
    assert name in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"SECRET_KEY": "short"}, "SECRET_KEY"), ({"LLM_BASE_URL": "https://x/v1"}, "LLM_API_KEY")],
)
def test_production_refuses_to_start_half_configured(changes, named):
    result = start_production(**changes)
    assert result.returncode != 0
    assert named in result.stderr.splitlines()[-1]
