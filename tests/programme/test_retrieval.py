from dataclasses import replace
from datetime import date

import pytest

from citations.lesetext import lesetext
from programme import retrieval, wortverwandte
from programme.models import Programm
from programme.queries import Frage
from programme.retrieval import GEWICHTE, find_passages, named, question, satz_span, searched
from tests.parlamente.factories import ParlamentFactory, ParteiFactory

from . import factories
from .factories import ChunkFactory, ProgrammFactory, newer_reading

pytestmark = pytest.mark.django_db

TAG = date(2018, 5, 16)
WOHNEN = "Wir bauen mehr bezahlbare Wohnungen und begrenzen den Anstieg der Mieten."
BAHN = "Die Bahnstrecken im Land werden elektrifiziert und ausgebaut."
SCHULE = "Jede Schule bekommt mehr Lehrkräfte und eine gute Ausstattung."
FRAGE = "Mietpreisbremse und sozialer Wohnungsbau"


@pytest.fixture
def bw():
    return ParlamentFactory(baden_wuerttemberg=True)


def programm_of(partei, *texte, **kwargs):
    programm = ProgrammFactory(parteien=[partei], **kwargs)
    for text in texte:
        ChunkFactory(programm=programm, text=text)
    return programm


def find(parteien, parlament, *queries, datum=TAG, **kwargs):
    fragen = [Frage(query) if isinstance(query, str) else query for query in queries or [FRAGE]]
    return find_passages(parteien, parlament=parlament, datum=datum, queries=fragen, **kwargs)


# --- What is found ------------------------------------------------------------------------------


def test_nearest_passage_comes_first_with_its_place_and_reasons(bw):
    partei = ParteiFactory()
    programm = programm_of(partei, BAHN, WOHNEN, SCHULE, parlament=bw)
    first, *others = find([partei], bw)[partei.pk]
    assert first.text == WOHNEN
    assert (first.programm, first.seite) == (programm, 1)
    assert (first.start, first.ende) == (2000, 2000 + len(WOHNEN))
    assert (first.rang_vektor, first.rang_text) == (1, 1)
    assert first.cosinus > max(other.cosinus for other in others)
    assert first.score > 0


def test_one_shared_word_is_enough_for_the_text_leg(bw):
    """The words of a question are OR-ed: a passage need not have them all."""
    partei = ParteiFactory()
    programm_of(partei, BAHN, SCHULE, "Ein Pumpspeicherwerk.", parlament=bw)
    question = "Wie steht es um ein Pumpspeicherwerk am Oberrhein bei Breisach?"
    assert find([partei], bw, question)[partei.pk][0].rang_text == 1
    assert find([partei], bw, question)[partei.pk][0].text == "Ein Pumpspeicherwerk."


def test_compound_is_found_by_its_first_part(bw):
    partei = ParteiFactory()
    programm_of(partei, BAHN, SCHULE, "Windkraftanlagen genehmigen.", parlament=bw)
    first, *others = find([partei], bw, "Windkraft")[partei.pk]
    assert first.text == "Windkraftanlagen genehmigen."
    assert first.textwert > max(other.textwert for other in others)


def test_a_rare_word_counts_more_where_it_is_said_as_it_is(bw, monkeypatch):
    """A name is no kind of its neighbours in spelling: Neckar is not Neckarsulm."""
    monkeypatch.setattr(wortverwandte, "RARE", 0.1)
    partei = ParteiFactory()
    programm_of(partei, BAHN, SCHULE, "Am Neckar.", "In Neckarsulm.", parlament=bw)
    with_it = scores_of(find([partei], bw, "Neckarsulm")[partei.pk])
    without = replace(GEWICHTE, genau=0)
    before = scores_of(find([partei], bw, "Neckarsulm", gewichte=without)[partei.pk])
    gains = {text: with_it[text] - before[text] for text in before}
    assert gains.pop("In Neckarsulm.") > 0
    assert list(gains.values()) == [0, 0, 0]


def test_a_rare_word_counts_for_one_whoever_else_is_asked(bw, monkeypatch):
    monkeypatch.setattr(wortverwandte, "RARE", 0.1)
    partei, andere, dritte = ParteiFactory(), ParteiFactory(), ParteiFactory()
    programm_of(partei, BAHN, SCHULE, "In Neckarsulm.", parlament=bw)
    joint = ProgrammFactory(parteien=[andere, dritte], parlament=bw)
    for text in (WOHNEN, "Der Bodensee."):
        ChunkFactory(programm=joint, text=text)
    question = "Neckarsulm oder Bodensee"
    alone = find([partei], bw, question)[partei.pk]
    found = find([andere, partei, dritte], bw, question)
    assert scores_of(found[partei.pk]) == pytest.approx(scores_of(alone))
    assert scores_of(found[andere.pk]) == scores_of(found[dritte.pk])
    assert found[andere.pk][0].text == "Der Bodensee."


def scores_of(stellen):
    return {stelle.text: stelle.score for stelle in stellen}


def test_sentence_nearest_to_the_question_is_named(bw):
    partei = ParteiFactory()
    programm_of(partei, f"{BAHN} {SCHULE} {WOHNEN}", parlament=bw)
    assert find([partei], bw)[partei.pk][0].satz == 2


def test_place_of_the_nearest_sentence_can_be_quoted(bw):
    partei = ParteiFactory()
    programm = ProgrammFactory(
        seiten=[f"{SCHULE} {WOHNEN} {BAHN}"], parteien=[partei], parlament=bw
    )
    (stelle,) = find([partei], bw)[partei.pk]
    text = lesetext(programm.dokument.lesung).text
    assert text[slice(*satz_span(stelle))].split() == WOHNEN.split()


def test_where_sentences_are_cut_otherwise_by_now_the_whole_passage_is_the_place(bw):
    partei = ParteiFactory()
    ProgrammFactory(seiten=[f"{SCHULE} {WOHNEN} {BAHN}"], parteien=[partei], parlament=bw)
    (stelle,) = find([partei], bw)[partei.pk]
    assert satz_span(replace(stelle, satz=3)) == (stelle.start, stelle.ende)


def test_place_is_in_the_reading_that_the_passage_comes_from(bw):
    """Between a newer reading and the next index_programme both are there."""
    partei = ParteiFactory()
    programm = ProgrammFactory(
        seiten=[f"{SCHULE} {WOHNEN} {BAHN}"], parteien=[partei], parlament=bw
    )
    indexed = programm.dokument.lesung
    newer_reading(programm.dokument, "Ein anderer Text.")
    (stelle,) = find([partei], bw)[partei.pk]
    assert stelle.extraktion_id == indexed.pk
    assert lesetext(indexed).text[slice(*satz_span(stelle))].split() == WOHNEN.split()


def test_questions_are_views_of_one_subject_and_repetition_weighs(bw):
    partei = ParteiFactory()
    programm_of(partei, WOHNEN, BAHN, parlament=bw)
    rail, rent = "Ausbau der Bahnstrecken", "Anstieg der Mieten begrenzen"
    assert find([partei], bw, rail, rail, rent)[partei.pk][0].text == BAHN
    assert find([partei], bw, rail, rent, rent)[partei.pk][0].text == WOHNEN


@pytest.mark.parametrize("query", ["'; DROP TABLE x; --", "a & b | !c:*", "\\", "''", "<->", "%s"])
def test_hostile_words_are_only_words(bw, query):
    partei = ParteiFactory()
    programm_of(partei, WOHNEN, parlament=bw)
    find([partei], bw, f"{query} Wohnungen", query)


# --- Where is searched --------------------------------------------------------------------------


def test_another_land_is_never_searched(bw):
    partei = ParteiFactory()
    programm_of(partei, WOHNEN, parlament=ParlamentFactory(code="NW"))
    assert find([partei], bw) == {partei.pk: []}


def test_another_party_is_never_searched(bw):
    partei, andere = ParteiFactory(), ParteiFactory()
    programm_of(andere, WOHNEN, parlament=bw)
    assert find([partei], bw) == {partei.pk: []}


@pytest.mark.parametrize(
    ("datum", "found"),
    [
        (date(2016, 3, 12), False),
        (date(2016, 3, 13), True),
        (date(2021, 3, 13), True),
        (date(2021, 3, 14), False),
    ],
)
def test_only_programmes_valid_on_the_date_are_searched(bw, datum, found):
    partei = ParteiFactory()
    programm_of(partei, WOHNEN, parlament=bw)
    assert bool(find([partei], bw, datum=datum)[partei.pk]) is found


def test_basic_programme_is_searched_in_every_land(bw):
    partei = ParteiFactory()
    programm_of(partei, WOHNEN, grundsatz=True)
    assert find([partei], bw)[partei.pk][0].programm.typ == Programm.Typ.GRUNDSATZPROGRAMM


def test_joint_programme_speaks_for_both_parties(bw):
    cdu, csu = ParteiFactory(kuerzel="CDU"), ParteiFactory(kuerzel="CSU")
    ChunkFactory(programm=ProgrammFactory(parteien=[cdu, csu], parlament=bw), text=WOHNEN)
    found = find([cdu, csu], bw)
    assert found[cdu.pk] == found[csu.pk] != []


# --- How many -----------------------------------------------------------------------------------


def test_each_party_has_its_own_places(bw):
    loud, quiet = ParteiFactory(), ParteiFactory()
    programm_of(loud, *[f"{WOHNEN} Punkt {n}." for n in range(5)], parlament=bw)
    programm_of(quiet, WOHNEN, BAHN, parlament=bw)
    found = find([loud, quiet], bw, top_k=2)
    assert [len(found[partei.pk]) for partei in (loud, quiet)] == [2, 2]


def test_other_parties_do_not_change_what_is_found_for_one(bw):
    partei, andere = ParteiFactory(), ParteiFactory()
    programm_of(partei, WOHNEN, BAHN, SCHULE, parlament=bw)
    alone = find([partei], bw)[partei.pk]
    programm_of(andere, WOHNEN, WOHNEN, parlament=bw)
    beside = find([andere, partei], bw)[partei.pk]
    assert [stelle.chunk_id for stelle in beside] == [stelle.chunk_id for stelle in alone]


def test_default_number_is_the_setting(bw, settings):
    settings.RETRIEVAL_TOP_K = 3
    partei = ParteiFactory()
    programm_of(partei, *[f"{WOHNEN} Punkt {n}." for n in range(5)], parlament=bw)
    assert len(find([partei], bw)[partei.pk]) == 3


def test_each_kind_of_programme_has_a_place_where_it_says_something(bw):
    partei = ParteiFactory()
    programm_of(partei, *[f"{WOHNEN} Punkt {n}." for n in range(5)], parlament=bw)
    programm_of(
        partei, "Bezahlbare Wohnungen für alle, gegen steigende Mieten.", BAHN, grundsatz=True
    )
    kinds = [stelle.programm.typ for stelle in find([partei], bw, top_k=2)[partei.pk]]
    assert sorted(kinds) == ["grundsatzprogramm", "wahlprogramm"]


def test_kind_of_programme_that_says_nothing_relevant_has_none(bw):
    partei = ParteiFactory()
    programm_of(partei, WOHNEN, parlament=bw)
    programm_of(partei, "Xylophone klingen hell.", grundsatz=True)
    kinds = {stelle.programm.typ for stelle in find([partei], bw)[partei.pk]}
    assert kinds == {"wahlprogramm"}


def test_words_that_no_searched_programme_says_change_nothing(bw, monkeypatch):
    partei, other = ParteiFactory(), ParteiFactory()
    programm_of(partei, BAHN, WOHNEN, SCHULE, parlament=bw)
    programm_of(other, "Die Mietpreisbremsen der Wohnungsbaugesellschaften.", parlament=bw)
    found = find([partei], bw)
    like = retrieval.wortschatz().like
    monkeypatch.setattr(type(retrieval.wortschatz()), "like", lambda _self, stems, _in: like(stems))
    assert find([partei], bw) == found


def test_a_programme_that_was_indexed_anew_is_searched_with_its_new_words(bw, monkeypatch):
    """Before anybody counts them: another process may be reading many programmes."""
    partei = ParteiFactory()
    programm = programm_of(partei, SCHULE, WOHNEN, parlament=bw)
    programm_of(ParteiFactory(), BAHN, parlament=bw)
    find([partei], bw, "Bahnstrecken", refuse=False)
    programm.chunks.all().delete()
    monkeypatch.setattr(factories, "count_words", lambda: None)
    ChunkFactory(programm=programm, text=BAHN)
    (again,) = find([partei], bw, "Bahnstrecken", refuse=False)[partei.pk]
    assert again.textwert > 0


def test_as_many_passages_are_found_as_are_asked_for(bw, monkeypatch):
    monkeypatch.setattr(retrieval, "CANDIDATES", 2)
    partei = ParteiFactory()
    programm_of(partei, *[f"Wir bauen Wohnungen in Stadt {n}." for n in range(5)], parlament=bw)
    assert len(find([partei], bw, top_k=4)[partei.pk]) == 4


def test_constant_number_of_statements(bw, django_assert_num_queries):
    parteien = ParteiFactory.create_batch(4)
    for partei in parteien:
        programm_of(partei, WOHNEN, BAHN, parlament=bw)
    # The programmes, their parties, the model, the questions' stems, the vocabulary's state, the
    # search; and behind each count the vocabulary and the words of the programmes in scope.
    find(parteien, bw)
    with django_assert_num_queries(6):
        find(parteien, bw)


def test_no_question_finds_nothing(bw):
    partei = ParteiFactory()
    assert find([partei], bw, " ") == {partei.pk: []}


# --- The three absences -------------------------------------------------------------------------


def test_absent_programme_differs_from_one_that_says_nothing(bw):
    present, absent = ParteiFactory(), ParteiFactory()
    programm = programm_of(present, "Xylophone klingen hell.", "Flöten auch.", parlament=bw)
    programm_of(absent, WOHNEN, abgelaufen=True, parlament=bw)
    bestand = searched([present, absent], parlament=bw, datum=TAG)
    wahl, grundsatz = Programm.Typ.WAHLPROGRAMM, Programm.Typ.GRUNDSATZPROGRAMM
    assert bestand[present.pk, wahl].programme == (programm,)
    assert bestand[present.pk, wahl].passagen == 2
    assert not bestand[present.pk, grundsatz].in_index
    assert not bestand[absent.pk, wahl].in_index
    assert find([present, absent], bw) == {present.pk: [], absent.pk: []}


# --- Which demand, whose programme, and when nothing ----------------------------------------------


def test_a_passage_says_which_demand_it_answers(bw):
    partei = ParteiFactory()
    programm_of(partei, BAHN, WOHNEN, SCHULE, parlament=bw)
    fragen = [
        Frage("Ein besseres Land"),
        Frage("die Bahnstrecken zu elektrifizieren", forderung=1),
        Frage("mehr Lehrkräfte an die Schulen zu bringen", forderung=2),
    ]
    found = {stelle.text: stelle.forderung for stelle in find([partei], bw, *fragen)[partei.pk]}
    assert (found[BAHN], found[SCHULE]) == (1, 2)


def test_all_parties_passages_are_ranked_together_on_demand(bw):
    one, other = ParteiFactory(), ParteiFactory()
    programm_of(one, BAHN, SCHULE, parlament=bw)
    programm_of(other, WOHNEN, SCHULE, parlament=bw)
    found = find([one, other], bw, gemeinsam=True)
    assert list(found) == [0]
    assert found[0][0].text == WOHNEN


def test_a_joint_programme_is_ranked_once_among_all(bw):
    one, other = ParteiFactory(), ParteiFactory()
    programm = programm_of(one, WOHNEN, BAHN, parlament=bw)
    programm.parteien.add(other)
    assert [s.text for s in find([one, other], bw, gemeinsam=True)[0]] == [WOHNEN, BAHN]


def test_who_never_says_what_the_subject_is_called_says_nothing_of_it(bw, monkeypatch):
    """Others speak of the Tempolimit, so the word is known; this party has other things to say."""
    silent, speaking = ParteiFactory(), ParteiFactory()
    autobahn = "Wir sanieren die Autobahnen im Land und bauen sie aus."
    programm_of(silent, autobahn, BAHN, SCHULE, parlament=bw)
    tempolimit = "Wir fordern ein Tempolimit auf allen Autobahnen."
    programm_of(speaking, tempolimit, "Das Tempolimit hilft dem Klima.", BAHN, parlament=bw)
    frage = Frage("ein Tempolimit auf Autobahnen?", nennt_thema=True)
    assert find([silent], bw, frage)[silent.pk], "a leaflet cannot name every subject"
    monkeypatch.setattr(retrieval, "ENOUGH", 3)
    found = find([silent, speaking], bw, frage)
    assert found[silent.pk] == []
    assert found[speaking.pk][0].text == tempolimit
    assert find([silent], bw, frage, refuse=False)[silent.pk][0].text == autobahn


def test_a_word_that_nobody_says_is_no_reason_to_refuse(bw):
    partei = ParteiFactory()
    programm_of(partei, WOHNEN, BAHN, SCHULE, parlament=bw)
    frage = Frage("die Deckelung des Mietzinses bei Behausungen", nennt_thema=True)
    assert find([partei], bw, frage)[partei.pk]


def test_a_question_is_asked_without_names():
    ParlamentFactory(baden_wuerttemberg=True)
    ParteiFactory(kuerzel="SPD")
    (frage,) = question("Was will die SPD in Baden-Württemberg gegen Wohnungsnot tun?")
    assert frage.text == "gegen Wohnungsnot tun?"
    assert frage.nomen == ["Wohnungsnot"]


def test_the_parties_that_a_question_names_are_meant():
    spd, cdu = ParteiFactory(kuerzel="SPD"), ParteiFactory(kuerzel="CDU")
    assert named([spd, cdu], "Was will die SPD?") == [spd]
    assert named([spd, cdu], "Was ist geplant?") == [spd, cdu]
