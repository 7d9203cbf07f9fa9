"""The invented Land with its documents, and a model that answers from samples."""

from functools import cache
from typing import Any

import pytest

from citations import reading
from gwoe.demo import loading
from gwoe.demo.replay import ReplayServer
from programme import embeddings, ingesting


@pytest.fixture
def musterland(db, monkeypatch):
    """Parliaments, programmes and motions of the samples; the motions by their number."""
    with monkeypatch.context() as patch:
        patch.setattr(reading, "read_pdf", read_once)
        patch.setattr(ingesting, "embed", embed_once)
        loading.load_parlamente()
        list(loading.load_programme())
        return {f"{a.parlament.code} {a.drucksache}": a for a in loading.load_antraege()}


# The files never change, so each process of the tests reads and embeds them once.
read_once = cache(reading.read_pdf)
_vectors: dict[tuple[str, ...], Any] = {}


def embed_once(texts, modell):
    key = (modell.name, *texts)
    if key not in _vectors:
        _vectors[key] = embeddings.embed(texts, modell)
        _vectors[key].flags.writeable = False
    return _vectors[key]


@pytest.fixture
def replay(settings):
    """The sample model behind a real HTTP endpoint, configured as the provider."""
    with ReplayServer(loading.SAMPLES / "antworten") as server:
        settings.LLM_BASE_URL = server.base_url
        settings.LLM_API_KEY = "beispiel"
        settings.LLM_MODEL = "muster-1"
        yield server
