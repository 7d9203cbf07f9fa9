"""`verify_citations` proves what is true and refutes each kind of tampering."""

import json
from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.db.backends.postgresql.psycopg_any import DateRange

from assessments.models import Beleg
from assessments.pruefgang import verify
from citations.binding import keep, make_zitat
from citations.comparison import Grad
from citations.models import Pruefung, Zitat
from programme.models import Programm
from tests.citations.factories import DokumentFactory, make_pdf
from tests.parlamente.factories import ParlamentFactory, ParteiFactory

from .factories import ZUSAGE, AssessmentFactory, place_zitat, tamper

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    return AssessmentFactory(published=True)


@pytest.fixture
def programme_quote(assessment) -> Beleg:
    return assessment.belege.get(seite=Beleg.Seite.PROGRAMM)


def refutations(**options) -> list[str]:
    bilanz = verify(**options)
    assert bilanz.is_alarming
    return [f["grund"] for f in bilanz.failures if f["ergebnis"] == Pruefung.Ergebnis.WIDERLEGT]


def test_every_stored_quote_is_proved(assessment):
    bilanz = verify()
    assert bilanz.total.checked == assessment.belege.count() == bilanz.total.proved
    assert not bilanz.is_alarming
    stored = set(Pruefung.objects.values_list("ergebnis", flat=True))
    assert stored == {Pruefung.Ergebnis.BEWIESEN}


def test_a_span_moved_by_one_word_is_refuted(programme_quote):
    (start, ende), *_ = programme_quote.zitat.spans
    word = programme_quote.zitat.text.split()[0]
    moved = json.dumps([[start + len(word) + 1, ende]])
    tamper("UPDATE citations_zitat SET spans = %s WHERE id = %s", moved, programme_quote.zitat_id)
    assert "Wortlaut" in refutations()[0]


def test_changed_text_is_refuted(programme_quote):
    tamper(
        "UPDATE citations_zitat SET text = replace(text, 'jedes Jahr', 'nie') WHERE id = %s",
        programme_quote.zitat_id,
    )
    assert "Wortlaut" in refutations()[0]


def test_moved_boxes_are_refuted(programme_quote):
    rects = [{**r, "y0": r["y0"] + 0.1, "y1": r["y1"] + 0.1} for r in programme_quote.zitat.rects]
    tamper(
        "UPDATE citations_zitat SET rects = %s WHERE id = %s",
        *(json.dumps(rects), programme_quote.zitat_id),
    )
    assert "Markierung" in refutations()[0]


def test_boxes_moved_together_with_the_reading_are_refuted_by_the_second_engine(programme_quote):
    """Whoever changes the stored glyph boxes too is found out by the file itself."""
    zitat = programme_quote.zitat
    seite = zitat.extraktion.seiten.get(index=zitat.seite)
    shifted = bytearray(seite.boxes)
    for offset in range(0, len(shifted), 8):
        for edge in (2, 6):
            value = int.from_bytes(shifted[offset + edge : offset + edge + 2], "little")
            if value:
                moved = (value + 6000).to_bytes(2, "little")
                shifted[offset + edge : offset + edge + 2] = moved
    tamper("UPDATE citations_seite SET boxes = %s WHERE id = %s", bytes(shifted), seite.pk)
    rects = [
        {**r, "y0": round(r["y0"] + 6000 / 65535, 5), "y1": round(r["y1"] + 6000 / 65535, 5)}
        for r in zitat.rects
    ]
    tamper("UPDATE citations_zitat SET rects = %s WHERE id = %s", json.dumps(rects), zitat.pk)
    bilanz = verify()
    (failure,) = bilanz.failures
    assert failure["ergebnis"] != Pruefung.Ergebnis.BEWIESEN


def test_another_page_is_refuted(programme_quote):
    tamper("UPDATE citations_zitat SET seite = 2 WHERE id = %s", programme_quote.zitat_id)
    assert "Seite" in refutations()[0]


def test_another_partys_programme_is_refuted(programme_quote):
    programm = programme_quote.vergleich.programm
    programm.parteien.set([ParteiFactory(kuerzel="WERKBANK")])
    assert "nicht bei UFER" in refutations()[0]


def test_words_of_another_document_are_refuted(programme_quote):
    """The same words in a file that is no programme of that party."""
    other = DokumentFactory(f"Ein Flugblatt.\n\n{ZUSAGE}")
    zitat = place_zitat(ZUSAGE, other)
    tamper(
        "UPDATE assessments_beleg SET zitat_id = %s WHERE id = %s",
        *(zitat.pk, programme_quote.pk),
    )
    assert "in keinem Programm" in refutations()[0]


def test_a_programme_of_another_land_is_refuted(programme_quote):
    elsewhere = ParlamentFactory(code="SE", land="Seenland")
    Programm.objects.update(parlament=elsewhere)
    assert "anderen Landes" in refutations()[0]


def test_a_programme_that_did_not_count_on_the_date_is_refuted(programme_quote):
    Programm.objects.update(gueltig=DateRange(date(2021, 3, 14), None))
    assert "galt am" in refutations()[0]


def test_a_swapped_file_is_refuted(programme_quote):
    file = programme_quote.zitat.extraktion.dokument.file
    with open(file.path, "wb") as stored:
        stored.write(make_pdf(f"Ein anderes Programm aus einem anderen Jahr.\n\n{ZUSAGE}"))
    assert "nicht mehr die" in refutations()[0]


def test_a_lost_file_is_refuted(programme_quote):
    file = programme_quote.zitat.extraktion.dokument.file
    file.storage.delete(file.name)
    assert "fehlt" in refutations()[0]


def test_the_command_counts_and_fails_on_a_refutation(assessment, programme_quote, capsys):
    call_command("verify_citations", "--json", "--published")
    first = json.loads(capsys.readouterr().out)
    assert first["checked"] == first["proved"] == assessment.belege.count()
    assert first["failures"] == []
    tamper("UPDATE citations_zitat SET seite = 2 WHERE id = %s", programme_quote.zitat_id)
    with pytest.raises(CommandError):
        call_command("verify_citations", "--json")
    second = json.loads(capsys.readouterr().out)
    assert (second["refuted"], second["failures"][0]["zitat"]) == (1, programme_quote.zitat_id)


def test_only_the_newest_assessments_of_a_parliament_are_checked(assessment):
    newer = AssessmentFactory(antrag=assessment.antrag, in_review=True)
    bilanz = verify(limit=1)
    assert bilanz.total.checked == newer.belege.count()


def test_drafts_are_left_out_where_only_the_public_is_asked_for():
    AssessmentFactory()
    assert verify(published=True).total.checked == 0


def test_two_statements_may_share_a_place(assessment):
    shared = Zitat.objects.filter(belege__assessment=assessment).distinct().count()
    assert shared < assessment.belege.count()
    verify()
    assert Pruefung.objects.count() == shared


def test_a_changed_grade_is_refuted(programme_quote):
    tamper(
        "UPDATE citations_zitat SET grade = 'angeglichen' WHERE id = %s",
        programme_quote.zitat_id,
    )
    assert "Grad" in refutations()[0]


def test_another_printed_number_is_refuted(programme_quote):
    tamper(
        "UPDATE citations_seite SET gedruckt = '{99}' WHERE extraktion_id = %s",
        programme_quote.zitat.extraktion_id,
    )
    assert "gedruckt" in refutations()[0]


def test_spans_that_leave_out_a_negation_are_refuted():
    text = "Wir wollen die Straßen im ganzen Land nicht verkaufen oder verpachten."
    dokument = DokumentFactory(text)
    assessment = AssessmentFactory()
    beleg = assessment.belege.get(seite=Beleg.Seite.PROGRAMM)
    beleg.vergleich.programm.dokument = dokument
    beleg.vergleich.programm.save()
    spans = ((0, text.index(" nicht")), (text.index("verkaufen"), len(text)))
    zitat = keep(make_zitat(dokument.lesung, spans, Grad.AUSLASSUNG))
    tamper("UPDATE assessments_beleg SET zitat_id = %s WHERE id = %s", zitat.pk, beleg.pk)
    assert any("Verneinung" in grund for grund in refutations())


@pytest.mark.parametrize("spans", ["[[1, 2, 3]]", "[]", '"x"', "[[5, 1]]", "[[0, 999999]]", "{}"])
def test_malformed_spans_are_refuted_not_a_traceback(programme_quote, spans):
    tamper("UPDATE citations_zitat SET spans = %s WHERE id = %s", spans, programme_quote.zitat_id)
    assert "Stelle" in refutations()[0]


def test_a_row_without_a_file_is_refuted_not_a_traceback(programme_quote):
    tamper(
        "UPDATE citations_dokument SET file = '' WHERE id = %s",
        programme_quote.zitat.extraktion.dokument_id,
    )
    assert "fehlt" in refutations()[0]


def test_superseded_versions_are_checked_as_long_as_they_can_be_read():
    first = AssessmentFactory(published=True)
    AssessmentFactory(antrag=first.antrag, published=True)
    assert verify(published=True).total.checked == 2 * first.belege.count()


def test_the_fault_of_a_draft_does_not_show_on_a_published_quote(assessment, programme_quote):
    """A draft that claims the same words for another party is wrong; the published one is not."""
    draft = AssessmentFactory(antrag=assessment.antrag)
    other = draft.belege.get(seite=Beleg.Seite.PROGRAMM)
    other.vergleich.partei = ParteiFactory(kuerzel="WERKBANK")
    other.vergleich.save()
    (failure,) = verify().failures
    assert failure["beleg"] == other.pk
    assert programme_quote.zitat.letzte_pruefung().ergebnis == Pruefung.Ergebnis.BEWIESEN


def test_boxes_that_do_not_fit_the_text_are_refuted_not_a_traceback(programme_quote):
    tamper(
        "UPDATE citations_seite SET boxes = %s WHERE extraktion_id = %s",
        *(b"\x00" * 8, programme_quote.zitat.extraktion_id),
    )
    assert "Markierung" in refutations()[0]


def test_a_path_outside_the_storage_is_refuted_not_a_traceback(programme_quote):
    tamper(
        "UPDATE citations_dokument SET file = '../../../etc/passwd' WHERE id = %s",
        programme_quote.zitat.extraktion.dokument_id,
    )
    assert "fehlt" in refutations()[0]
