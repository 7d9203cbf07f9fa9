"""The legs with a model: a right answer shows as a gain, a failed one as a failed one."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from programme import pruefdatenbank
from programme.evaluation import HELPED_LEGS
from programme.models import ModellAufruf
from programme.pruefsatz import known_files, read_pruefsatz
from tests.citations.factories import make_pdf

from .hilfen import THEMEN, answering, oracle, seite
from .provider import answer, provider

# The command works in a database of its own.
pytestmark = pytest.mark.django_db(transaction=True)

ZITAT = "Den Verkauf öffentlicher Schwimmbäder an Fonds wird es mit uns nicht geben."
ANDERS = "Verkauf öffentlicher Schwimmbäder an Fonds"
# Says it in such words that other passages are nearer.
FRAGE = "Gibt die SPD Hallenbäder und Häfen an Investoren ab?"


@pytest.fixture(scope="module")
def golden(tmp_path_factory, django_db_setup, django_db_blocker):
    folder = tmp_path_factory.mktemp("golden")
    (folder / "programme").mkdir()
    (folder / "programme/spd-bw-2016.pdf").write_bytes(make_pdf(*map(seite, THEMEN)))
    frage = {
        "id": "f1",
        "frage": FRAGE,
        "partei": "SPD",
        "datei": "programme/spd-bw-2016.pdf",
        "seiten": [THEMEN.index("Schwimmbäder") + 1],
        "zitat": ZITAT,
        "beantwortbar": True,
    }
    path = folder / "eval" / "golden.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps(frage))
    yield path
    saetze = [read_pruefsatz(path)]
    parlamente = folder / pruefdatenbank.PARLAMENTE
    _, name = pruefdatenbank._names(saetze, list(known_files(saetze, folder)), parlamente)
    with django_db_blocker.unblock():
        pruefdatenbank._drop([name])
        connection.close()


@pytest.fixture
def evaluate(golden, capsys, settings):
    settings.LLM_MODEL = "m"

    def evaluate(served, *legs):
        settings.LLM_BASE_URL = served.base_url
        call_command("eval_retrieval", str(golden), legs=",".join(legs), json=True)
        return json.loads(capsys.readouterr().out)["legs"]

    return evaluate


def test_the_gain_of_an_oracle_is_measured_by_the_same_command(evaluate):
    with answering(oracle(ZITAT, ANDERS)) as served:
        legs = evaluate(served, "hybrid", *HELPED_LEGS)
    assert 0 < legs["hybrid"]["mrr@10"] < 1
    assert legs["rewrite"]["mrr@10"] > legs["hybrid"]["mrr@10"]
    assert legs["rerank"]["mrr@10"] == legs["rewrite+rerank"]["mrr@10"] == 1
    assert "failed" not in legs["hybrid"]
    assert [legs[leg]["failed"] for leg in HELPED_LEGS] == [0, 0, 0]


def test_calls_are_counted_in_the_usual_database(evaluate, settings):
    """Else a measurement would have a daily budget of its own."""
    with answering(oracle(ZITAT, ANDERS)) as served:
        evaluate(served, *HELPED_LEGS)
    zwecke = ModellAufruf.objects.order_by("pk").values_list("zweck", flat=True)
    assert list(zwecke) == ["Umformulieren", "Umsortieren", "Umformulieren", "Umsortieren"]
    settings.LLM_DAILY_TOKENS = 100
    with answering(oracle(ZITAT, ANDERS)) as served:
        legs = evaluate(served, "hybrid", "rewrite+rerank")
    assert served.requests == []
    assert legs["rewrite+rerank"]["failed"] == 2


def test_failed_calls_are_counted_and_the_fused_order_measured(evaluate):
    with provider(answer("Gern!")) as served:
        legs = evaluate(served, "hybrid", *HELPED_LEGS)
    assert [legs[leg]["failed"] for leg in HELPED_LEGS] == [1, 1, 2]
    assert {legs[leg]["mrr@10"] for leg in legs} == {legs["hybrid"]["mrr@10"]}


def test_without_a_model_the_legs_are_refused(golden):
    with pytest.raises(CommandError, match="LLM_BASE_URL"):
        call_command("eval_retrieval", str(golden), legs="hybrid,rerank")
