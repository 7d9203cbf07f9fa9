"""The invented Land with its documents, and a model that answers from samples."""

import pytest

from gwoe.demo import loading
from gwoe.demo.replay import ReplayServer


@pytest.fixture
def musterland(db):
    """Parliaments, programmes and motions of the samples; the motions by their number."""
    loading.load_parlamente()
    list(loading.load_programme())
    return {f"{a.parlament.code} {a.drucksache}": a for a in loading.load_antraege()}


@pytest.fixture
def replay(settings):
    """The sample model behind a real HTTP endpoint, configured as the provider."""
    with ReplayServer(loading.SAMPLES / "antworten") as server:
        settings.LLM_BASE_URL = server.base_url
        settings.LLM_API_KEY = "beispiel"
        settings.LLM_MODEL = "muster-1"
        yield server
