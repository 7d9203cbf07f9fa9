"""Each settings module in a process of its own, with exactly the environment of the test."""

import json
import os
import subprocess
import sys

import pytest

from tests.test_docs import ROOT, VARIABLES

PRODUCTION = {
    "SECRET_KEY": "x" * 50,
    "DATABASE_URL": "postgres://gwoe:x@127.0.0.1:5432/gwoe",
    "ALLOWED_HOSTS": "antraege.example.org",
    "SITE_URL": "https://antraege.example.org",
    "IMPRESSUM_NAME": "Beispiel",
    "IMPRESSUM_ANSCHRIFT": "Beispielweg 1",
    "IMPRESSUM_EMAIL": "redaktion@example.org",
    "IMPRESSUM_VERANTWORTLICH": "A. Beispiel",
}
# Set, though empty: a developer's .env must not fill them in.
NO_PROVIDER = {
    name: "" for name in VARIABLES if name.startswith(("LLM_FALLBACK", "LLM_BASE", "LLM_API"))
} | {"LLM_MODEL": "", "EMBEDDING_BASE_URL": "", "EMBEDDING_API_KEY": "", "EMBEDDING_MODEL": ""}
NO_PROVIDER["FETCH_TEST_ADDRESS"] = ""
DUMP = """
import importlib, json, sys
module = importlib.import_module(sys.argv[1])
print(json.dumps({name: repr(getattr(module, name)) for name in dir(module) if name.isupper()}))
"""


def load(module, variables):
    return subprocess.run(
        [sys.executable, "-c", DUMP, module],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
    )


def production(**changes):
    return load("gwoe.settings.production", PRODUCTION | NO_PROVIDER | changes)


def test_production_starts_without_a_provider():
    assert production().returncode == 0


@pytest.mark.parametrize(("query", "seconds"), [("", 60), ("?conn_max_age=0", 0)])
def test_a_process_keeps_its_connection_unless_the_address_says_otherwise(query, seconds):
    loaded = production(DATABASE_URL=PRODUCTION["DATABASE_URL"] + query)
    assert f"'CONN_MAX_AGE': {seconds}" in json.loads(loaded.stdout)["DATABASES"]


LLM = {"LLM_BASE_URL": "https://x/v1", "LLM_API_KEY": "k", "LLM_MODEL": "m"}
FALLBACK = {name.replace("LLM_", "LLM_FALLBACK_"): value for name, value in LLM.items()}
EMBEDDING = {name.replace("LLM_", "EMBEDDING_"): value for name, value in LLM.items()} | {
    "EMBEDDING_BACKEND": "openai"
}


@pytest.mark.parametrize("provider", [LLM, FALLBACK, EMBEDDING], ids=["llm", "second", "vectors"])
def test_production_refuses_a_half_configured_provider(provider):
    assert production(**provider).returncode == 0
    trigger = "EMBEDDING_BACKEND" if "EMBEDDING_BACKEND" in provider else next(iter(provider))
    for name in provider.keys() - {trigger}:
        refused = production(**provider | {name: ""})
        assert refused.returncode
        assert f"needs these environment variables: {name}" in refused.stderr


@pytest.mark.parametrize("name", sorted(PRODUCTION))
def test_production_refuses_to_start_without_what_it_needs(name):
    refused = production(**{name: ""})
    assert refused.returncode
    assert name in refused.stderr


def test_production_refuses_an_unknown_backend_of_embeddings():
    assert "EMBEDDING_BACKEND must be" in production(EMBEDDING_BACKEND="lokal").stderr


def test_production_refuses_the_address_that_is_excepted_for_tests():
    refused = production(FETCH_TEST_ADDRESS="127.0.0.1:8099")
    assert refused.returncode
    assert "FETCH_TEST_ADDRESS is for tests" in refused.stderr


# Where the tests run: given from outside on purpose.
PLACES = {"DATABASE_URL", "TEST_DB_SUFFIX", "GWOE_VAR_DIR"}


def test_no_configuration_of_a_developer_reaches_a_test():
    """7 is a number, no word for true, and nobody's default."""
    odd = {name: "7" for name in VARIABLES if name not in PLACES} | {"EIGENURTEIL_ANTEIL": "0.7"}
    plain, changed = (load("gwoe.settings.test", variables) for variables in ({}, odd))
    assert json.loads(changed.stdout) == json.loads(plain.stdout)


@pytest.mark.parametrize("sorting", ["0", "500"])
@pytest.mark.parametrize("seconds", ["60", "300", "1000"])
def test_the_queue_waits_longer_than_an_assessment_may_take(seconds, sorting):
    """Nine calls: the matrix, and eight parties; and eight that sort what was found."""
    variables = {
        "LLM_CALL_SECONDS": seconds,
        "RETRIEVAL_MODEL_SECONDS": sorting,
        "RETRIEVAL_RERANK": "1",
    }
    settings = json.loads(load("gwoe.settings.base", variables).stdout)
    queue, call = eval(settings["Q_CLUSTER"]), float(settings["LLM_CALL_SECONDS"])  # noqa: S307
    assert 9 * call + 8 * float(sorting) < queue["timeout"] < queue["retry"]


NUMBERS = {
    "EINLADUNG_STUNDEN": ["0", "-1", "x", "", "1.5"],
    "MELDUNG_TEXT_TAGE": ["-1"],
    "Q_WORKERS": ["0"],
    "EIGENURTEIL_ANTEIL": [
        "10",
        "-0.1",
        "nan",
        "0,1",
    ],  # 10 for ten per cent would ask of every one
    "LLM_CALL_SECONDS": ["-1", "inf", "0"],
    "FETCH_MAX_SECONDS": ["0"],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in NUMBERS.items() for value in values]
)
def test_no_number_outside_its_range_is_taken(name, value):
    ran = load("gwoe.settings.dev", {name: value})
    assert ran.returncode != 0
    assert f"ImproperlyConfigured: {name} must" in ran.stderr
