"""One model is read while the vectors of the next one are written."""

from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from programme import embeddings
from programme.embeddings import LOCAL_MODEL, reading_model, write_also
from programme.models import Einbettung, EinbettungsModell, Programm
from programme.queries import Frage
from programme.reembedding import missing, reembed
from programme.retrieval import find_passages
from tests.parlamente.factories import ParteiFactory

from .factories import ChunkFactory, ProgrammFactory
from .provider import Reply, provider

pytestmark = pytest.mark.django_db

WOHNEN = "Wir bauen bezahlbare Wohnungen."
BAHN = "Wir bauen neue Schienen."
NEU = "neues-modell"


def by_subject(request: dict) -> Reply:
    """A model that knows one thing: whether a text speaks of Schienen."""
    rows = [[0.0, 1.0] if "Schienen" in text else [1.0, 0.0] for text in request["input"]]
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return Reply(body={"object": "list", "data": data, "model": "m", "usage": {}})


@pytest.fixture
def served(settings):
    with provider(by_subject) as endpoint:
        settings.EMBEDDING_BACKEND = "openai"
        settings.EMBEDDING_BASE_URL = endpoint.base_url
        settings.EMBEDDING_MODEL = NEU
        yield endpoint


@pytest.fixture
def programme(settings):
    """Two programmes with vectors of the local model, which is read."""
    return [ProgrammFactory(seiten=[f"{WOHNEN} {BAHN} Nummer {n}."]) for n in range(2)]


def run(*arguments):
    call_command("reembed", *arguments, "--processes", "1", verbosity=0)


def count(name):
    return Einbettung.objects.filter(modell__name=name).count()


def roles():
    return dict(EinbettungsModell.objects.values_list("name", "rolle"))


# --- The way from one to the other --------------------------------------------------------------


def test_vectors_of_the_new_model_are_written_while_the_old_one_is_read(programme, served, capsys):
    before = count(LOCAL_MODEL)
    run("--model", NEU)
    assert roles() == {LOCAL_MODEL: "lesen", NEU: "schreiben"}
    assert (count(LOCAL_MODEL), count(NEU)) == (before, before)
    assert "2 mit neuen Vektoren" in capsys.readouterr().out


def test_passages_stay_the_same_rows(programme, served):
    before = set(Programm.objects.values_list("chunks", flat=True))
    run()
    assert set(Programm.objects.values_list("chunks", flat=True)) == before


def test_new_programmes_get_vectors_of_both(programme, served):
    run()
    ProgrammFactory(seiten=["Ein neues Programm mit einem neuen Satz."])
    assert missing(EinbettungsModell.objects.get(name=NEU)) == []
    assert missing(EinbettungsModell.objects.get(name=LOCAL_MODEL)) == []


def test_switching_turns_the_roles_round_and_dropping_deletes_the_vectors(programme, served):
    run()
    run("--switch")
    assert roles() == {LOCAL_MODEL: "ruht", NEU: "lesen"}
    run("--model", LOCAL_MODEL, "--drop")
    assert roles() == {NEU: "lesen"}
    assert count(LOCAL_MODEL) == 0
    assert count(NEU) > 0


def test_the_way_back_embeds_only_what_came_since(programme, served):
    run()
    run("--switch")
    since = ProgrammFactory(seiten=["Ein neues Programm mit einem neuen Satz."])
    assert missing(EinbettungsModell.objects.get(name=LOCAL_MODEL)) == [since]
    run("--model", LOCAL_MODEL)
    assert roles() == {LOCAL_MODEL: "schreiben", NEU: "lesen"}
    run("--model", LOCAL_MODEL, "--switch")
    assert reading_model().name == LOCAL_MODEL


def test_what_was_interrupted_goes_on_with_what_is_missing(programme, served):
    modell = write_also(NEU)
    interrupted = reembed(missing(modell), modell, processes=1)
    done = next(interrupted)
    interrupted.close()
    served.requests.clear()
    run()
    assert missing(modell) == []
    asked = [text for request in served.requests for text in request["input"]]
    assert len(asked) == done.chunks.get().einbettungen.filter(modell=modell).count()


def test_overtaken_passages_are_built_again_for_both(programme, served):
    from .factories import newer_reading

    newer = newer_reading(programme[0].dokument, "Ein Satz, den der neue Leser anders las.")
    run()
    assert set(programme[0].chunks.values_list("extraktion", flat=True)) == {newer.pk}
    assert count(NEU) == count(LOCAL_MODEL)


# --- Vectors do not mix -------------------------------------------------------------------------


def test_questions_are_compared_with_vectors_of_the_read_model_only(served):
    """The other model has as many dimensions and says the opposite of everything."""
    partei = ParteiFactory()
    programm = ProgrammFactory(parteien=[partei])
    read = embeddings._create(NEU, EinbettungsModell.Rolle.LESEN)
    wohnen = ChunkFactory(programm=programm, text="Etwas über Wohnungen.")
    schienen = ChunkFactory(programm=programm, text="Etwas über Schienen.")
    other = EinbettungsModell.objects.create(name="anderes", dims=2, rolle="schreiben")
    Einbettung.objects.create(chunk=wohnen, modell=other, satz=0, vektor=[0.0, 1.0])
    Einbettung.objects.create(chunk=schienen, modell=other, satz=0, vektor=[1.0, 0.0])
    found = find_passages(
        [partei],
        parlament=programm.parlament,
        datum=date(2016, 10, 1),
        queries=[Frage("Schienen")],
        refuse=False,
    )[partei.pk]
    assert reading_model() == read
    assert [(stelle.chunk_id, stelle.cosinus) for stelle in found] == [
        (schienen.pk, 1.0),
        (wohnen.pk, 0.0),
    ]


@pytest.mark.parametrize("rolle", ["lesen", "schreiben"])
def test_one_model_is_read_and_one_is_written(rolle):
    EinbettungsModell.objects.create(name="eins", dims=2, rolle=rolle)
    with pytest.raises(IntegrityError, match="one_model_is"):
        EinbettungsModell.objects.create(name="zwei", dims=2, rolle=rolle)


# --- What is refused ----------------------------------------------------------------------------


def refusal(*arguments):
    with pytest.raises(CommandError) as failure:
        run(*arguments)
    return str(failure.value)


def test_an_unknown_model_is_refused_and_the_known_ones_are_named(programme, served):
    message = refusal("--model", "gibt-es-nicht")
    assert "nicht eingerichtet" in message
    assert f"{NEU}, {LOCAL_MODEL}" in message
    assert roles() == {LOCAL_MODEL: "lesen"}


@pytest.mark.parametrize("step", ["--switch", "--drop"])
def test_a_model_without_vectors_is_neither_read_nor_dropped(programme, served, step):
    assert "gibt es keine Vektoren" in refusal("--model", "gibt-es-nicht", step)


def test_a_model_that_is_not_complete_is_not_read(programme, served):
    modell = write_also(NEU)
    next(reembed(missing(modell), modell, processes=1))
    assert f"Einem Programm fehlen noch Vektoren von {NEU}" in refusal("--switch")
    assert reading_model().name == LOCAL_MODEL


def test_the_model_that_is_read_is_not_dropped(programme, served):
    assert "wird gelesen" in refusal("--model", LOCAL_MODEL, "--drop")
    assert count(LOCAL_MODEL) > 0


def test_a_third_model_waits(programme, served, settings):
    run()
    settings.EMBEDDING_MODEL = "drittes-modell"
    message = refusal()
    assert f"Geschrieben wird schon {NEU}" in message


def test_a_model_that_its_provider_no_longer_serves_is_not_read(programme, served, settings):
    run()
    settings.EMBEDDING_BACKEND = "use"
    assert "nicht eingerichtet" in refusal("--model", NEU, "--switch")


def test_a_model_of_a_provider_that_is_gone_can_be_dropped(programme, served, settings):
    run()
    settings.EMBEDDING_BACKEND = "use"
    run("--model", NEU, "--drop")
    assert roles() == {LOCAL_MODEL: "lesen"}


def test_first_model_without_any_programme():
    run()
    assert roles() == {LOCAL_MODEL: "lesen"}
