import numpy as np
import pytest

from programme import embeddings
from programme.embeddings import (
    EinbettungFehler,
    embed,
    reading_model,
    unit_length,
    write_also,
    written_models,
)
from programme.models import EinbettungsModell

from .provider import Reply, error, provider

pytestmark = pytest.mark.django_db


def vectors(*rows) -> Reply:
    """In the wrong order on purpose: the index counts."""
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return Reply(body={"object": "list", "data": data[::-1], "model": "m", "usage": {}})


@pytest.fixture
def endpoint(settings):
    """Configures an endpoint that answers with these replies."""

    def configure(served):
        settings.EMBEDDING_BACKEND = "openai"
        settings.EMBEDDING_BASE_URL = served.base_url
        settings.EMBEDDING_MODEL = "fremdes-modell"

    return configure


# --- Vectors ------------------------------------------------------------------------------------


def test_vectors_have_unit_length():
    unit = unit_length([[3.0, 4.0], [0.1, 0.0]], dims=2)
    assert unit.dtype == np.float32
    assert np.allclose(np.linalg.norm(unit, axis=1), 1)


@pytest.mark.parametrize(
    "rows", [[[0.0, 0.0]], [[float("nan"), 1.0]], [[float("inf"), 1.0]], [[1.0, 0.0, 0.0]]]
)
def test_unusable_vectors_are_refused(rows):
    with pytest.raises(EinbettungFehler):
        unit_length(rows, dims=2)


def test_local_model_understands_german():
    question, near, far = embed(
        [
            "Mehr bezahlbare Wohnungen bauen",
            "Wir schaffen günstigen Wohnraum für alle.",
            "Der Schienenverkehr wird elektrifiziert.",
        ],
        reading_model(),
    )
    assert question @ near > question @ far + 0.2


def test_decomposed_umlauts_and_line_feeds_make_no_difference():
    one, other = embed(["Grüne Wälder", "Gru\u0308ne\nWa\u0308lder"], reading_model())
    assert one @ other > 0.999


def test_no_texts_give_no_vectors():
    assert embed([], reading_model()).shape == (0, embeddings.LOCAL_DIMS)


# --- The endpoint -------------------------------------------------------------------------------


def test_endpoint_gives_vectors_in_the_order_of_the_texts(endpoint):
    with provider(vectors([1.0, 0.0]), vectors([1.0, 0.0], [0.0, 2.0])) as served:
        endpoint(served)
        modell = reading_model()
        assert (modell.name, modell.dims) == ("fremdes-modell", 2)
        assert embed(["a", "b"], modell).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert served.requests[-1]["input"] == ["a", "b"]


@pytest.mark.parametrize(
    "reply",
    [
        vectors([1.0, 0.0]),  # one is missing
        vectors([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),  # other dimensions than the model's
        vectors([1.0, 0.0], [0.0]),
        error(401),
        Reply(body="<html>"),
    ],
)
def test_unusable_answer_of_the_endpoint_is_an_error(endpoint, reply):
    with provider(reply) as served:
        endpoint(served)
        modell = EinbettungsModell.objects.create(
            name="fremdes-modell", dims=2, rolle="lesen", adresse=served.base_url
        )
        with pytest.raises(EinbettungFehler):
            embed(["a", "b"], modell)
    assert served.requests


def test_half_configured_endpoint_is_refused(settings):
    settings.EMBEDDING_BACKEND = "openai"
    with pytest.raises(EinbettungFehler, match="EMBEDDING_BASE_URL"):
        reading_model()


# --- Which model is read, which is written ------------------------------------------------------


def test_model_of_the_former_provider_is_neither_written_nor_asked_of_the_new_one(
    endpoint, settings
):
    with provider(vectors([1.0, 0.0])) as former:
        endpoint(former)
        assert [modell.name for modell in written_models()] == ["fremdes-modell"]
    with provider(vectors([1.0, 0.0, 0.0])) as current:
        endpoint(current)
        settings.EMBEDDING_MODEL = "neues-modell"
        with pytest.raises(EinbettungFehler, match="reembed"):
            written_models()
        write_also("neues-modell")
        assert [modell.name for modell in written_models()] == ["neues-modell"]
        with pytest.raises(EinbettungFehler, match="reembed"):
            embed(["a"], reading_model())
    assert {request["model"] for request in current.requests} == {"neues-modell"}


def test_second_model_of_the_same_provider_is_written_beside_the_first(endpoint, settings):
    with provider(vectors([1.0, 0.0])) as served:
        endpoint(served)
        reading_model()
        settings.EMBEDDING_MODEL = "neues-modell"
        write_also("neues-modell")
        assert [m.name for m in written_models()] == ["fremdes-modell", "neues-modell"]


def test_a_change_of_the_setting_alone_changes_no_role(endpoint):
    local = reading_model()
    with provider(vectors([1.0, 0.0])) as served:
        endpoint(served)
        assert written_models() == [local]


def test_model_that_moved_to_another_address_is_the_same_model(endpoint):
    with provider(vectors([1.0, 0.0])) as served:
        endpoint(served)
        modell = reading_model()
    with provider(vectors([1.0, 0.0])) as moved:
        endpoint(moved)
        assert embed(["a"], modell).tolist() == [[1.0, 0.0]]
        assert written_models() == [modell]
        assert reading_model().adresse == moved.base_url
