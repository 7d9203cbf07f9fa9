"""The page of a quote: words, place, proof, and what may be shown of the document."""

import hashlib
import io
import json
import re
from pathlib import Path

import pymupdf
import pytest
from django.core.files.base import ContentFile
from PIL import Image

from assessments.addresses import antrag_address, zitat_address
from assessments.models import Beleg
from assessments.pruefgang import verify
from citations import pictures
from citations.ablehnung import Ablehnung
from citations.children import ChildFailed
from citations.models import Dokument, Zitat
from tests.citations.factories import DokumentFactory, PruefungFactory
from tests.parlamente.factories import AntragFactory, FassungFactory, ParlamentFactory

from .factories import (
    AUFTRAG,
    FORDERUNG,
    ZUSAGE,
    AssessmentFactory,
    BelegFactory,
    UserFactory,
    advance,
    cannot_read,
    place_zitat,
    prove,
    tamper,
)
from .seiten import correction_of, published, read, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessment():
    return published()


@pytest.fixture
def zitat(assessment) -> Zitat:
    """A sentence of the motion."""
    return assessment.belege.filter(feldbewertung__feld="B5").get().zitat


@pytest.fixture
def zusage(assessment) -> Zitat:
    """A sentence of the programme."""
    return assessment.belege.get(seite=Beleg.Seite.PROGRAMM).zitat


def page(client, zitat, **query) -> str:
    return read(client, zitat_address(zitat), **query)


def show_only(zitat, anzeige):
    Dokument.objects.filter(pk=zitat.extraktion.dokument_id).update(anzeige=anzeige)


# --- Words and place -----------------------------------------------------------------------------


def test_the_quote_stands_in_its_context(client, zitat):
    text = words(page(client, zitat))
    assert "… Der Landtag wolle beschließen:" in text
    assert f"{AUFTRAG} …" in text.replace(" .", ".")


def test_only_the_quote_is_marked(client, zitat):
    html = page(client, zitat)
    assert re.findall(r"<mark>(.*?)</mark>", html) == [zitat.text, zitat.text]  # also in the text
    assert html.count('<rect class="mk"') == len(zitat.rects)


def test_marks_are_drawn_where_the_words_stand(client, zitat):
    html = page(client, zitat)
    x, y, width, height = map(
        float,
        re.search(r'class="mk" x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"', html).groups(),
    )
    with zitat.extraktion.dokument.file.open("rb") as file, pymupdf.open(stream=file.read()) as pdf:
        found = pdf[0].get_textbox(pymupdf.Rect(x, y, x + width, y + height))
    assert "".join(found.split())[:20] == "".join(FORDERUNG.split())[:20]


def test_source_page_and_use_are_named(client, assessment, zusage):
    text = words(page(client, zusage))
    assert "Zitat aus einem Programm UFER, Wahlprogramm 2016, S. 1" in text
    assert "Seite 1 von 1 in der Datei" in text
    assert f"Verwendet in: Drs. {assessment.antrag.drucksache}, Vergleich mit UFER" in text


def test_the_way_back_leads_to_the_place_in_the_assessment(client, assessment, zusage):
    html = page(client, zusage)
    assert f'href="{antrag_address(assessment.antrag)}#partei-ufer"' in html
    assert 'id="partei-ufer"' in read(client, antrag_address(assessment.antrag))


def test_what_was_checked_has_four_lines(client, zitat):
    text = words(page(client, zitat))
    assert "Wörtlich. Alle 13 Wörter stehen in dieser Reihenfolge auf dieser Seite." in text
    for line in ("Datei Unverändert seit", "Wortlaut Buchstaben", "Markierung Ein zweites"):
        assert line in text
    assert "Herkunft Drucksache" in text
    assert page(client, zitat).count('aria-label="bestanden"') == 4


def test_the_next_cited_place_of_the_document_is_linked(client, assessment, zitat):
    other = assessment.belege.filter(feldbewertung__feld="A4").get().zitat
    assert f'<a href="{zitat_address(other)}#stelle" rel="next">' in page(client, zitat)


def test_the_place_before_is_linked_too(client, assessment, zitat):
    other = assessment.belege.filter(feldbewertung__feld="A4").get().zitat
    html = page(client, zitat)
    assert f'<a href="{zitat_address(other)}#stelle" rel="prev">' in html
    assert "Vorige zitierte Stelle in diesem Dokument, 2 von 2" in words(html)


def test_a_link_from_the_assessment_leads_to_the_words(client, assessment, zitat):
    html = read(client, antrag_address(assessment.antrag))
    assert f'href="{zitat_address(zitat)}#stelle"' in html


LINES = "\n\n".join(f"Nummer {n} ist eine Zeile ohne Belang." for n in range(12))


@pytest.mark.parametrize(
    ("text", "jumps"), [(f"{FORDERUNG}\n\n{LINES}", False), (f"{LINES}\n\n{FORDERUNG}", True)]
)
def test_only_a_place_far_down_on_the_page_is_jumped_to(client, text, jumps):
    antrag = AntragFactory(mit_text=f"{text}\n\n{AUFTRAG}")
    zitat = published(antrag=antrag).belege.filter(feldbewertung__feld="B5").get().zitat
    html = page(client, zitat)
    assert html.count('id="stelle"') == 1
    assert ('class="sprungziel nah"' not in html) is jumps


# --- Outcomes ------------------------------------------------------------------------------------


def lose_file(zitat):
    dokument = zitat.extraktion.dokument
    dokument.file.storage.delete(dokument.file.name)


def swap_file(zitat):
    lose_file(zitat)
    file = zitat.extraktion.dokument.file
    file.storage.save(file.name, ContentFile(b"%PDF-1.7 something else"))


def change_words(zitat):
    tamper("UPDATE citations_zitat SET text = 'Das Gegenteil davon' WHERE id = %s", zitat.pk)


def change_grade(zitat):
    tamper("UPDATE citations_zitat SET grade = 'auslassung' WHERE id = %s", zitat.pk)


def move_marks(zitat):
    moved = [{**rect, "y0": rect["y0"] - 0.1, "y1": rect["y1"] - 0.1} for rect in zitat.rects]
    tamper("UPDATE citations_zitat SET rects = %s WHERE id = %s", json.dumps(moved), zitat.pk)


def claim_a_printed_number(zitat):
    pages = "UPDATE citations_seite SET gedruckt = '{417}' WHERE extraktion_id = %s"
    tamper(pages, zitat.extraktion_id)


@pytest.mark.parametrize(
    ("damage", "zeile"),
    [
        (lose_file, "Datei"),
        (swap_file, "Datei"),
        (change_words, "Wortlaut"),
        (change_grade, "Wortlaut"),
        (move_marks, "Markierung"),
        (claim_a_printed_number, "Markierung"),
    ],
)
def test_a_refuted_quote_says_at_which_line_and_nothing_is_yellow(client, zitat, damage, zeile):
    damage(zitat)
    verify()
    grund = zitat.letzte_pruefung().grund
    html = page(client, zitat)
    assert "Bis dahin gilt es nicht als belegt." in html
    assert f"<strong>{zeile}</strong><br>{grund}" in html
    assert html.count('aria-label="nicht bestanden"') == 1
    assert 'class="mk"' not in html
    assert 'class="wortlaut offen"' in html


def lose_page(zitat):
    tamper("UPDATE citations_zitat SET seite = 7, rects = '[]' WHERE id = %s", zitat.pk)


def test_of_a_place_that_is_gone_the_words_alone_are_shown(client, zitat):
    lose_page(zitat)
    verify()
    html = page(client, zitat)
    assert "Diese Stelle gibt es in der Datei nicht mehr." in html
    assert zitat.text in html
    assert "<img" not in html
    read(client, f"{zitat_address(zitat)}seite-7-1240.webp", status=404)


def test_where_words_and_marks_disagree_the_place_is_approximate(client, zitat):
    move_marks(zitat)
    verify()
    assert "Stelle ungefähr. Worte und Markierung stimmen nicht überein" in words(
        page(client, zitat)
    )


def test_of_a_changed_file_no_picture_is_shown(client, zitat):
    swap_file(zitat)
    verify()
    assert "Diese Stelle gibt es in der Datei nicht mehr." in page(client, zitat)
    read(client, f"{zitat_address(zitat)}seite-1-1240.webp", status=404)
    read(client, f"{zitat_address(zitat)}seite.pdf", status=404)


def test_what_cannot_be_proved_says_why(client, zitat):
    check = PruefungFactory(zitat=zitat, nicht_beweisbar=True)
    assert f"{check.grund} Die Redaktion vergleicht noch." in page(client, zitat)


def test_a_quote_that_an_editor_confirmed_is_marked_though_it_cannot_be_proved(client, monkeypatch):
    assessment = AssessmentFactory()
    bewertung = assessment.feldbewertungen.get(feld="E1")
    zitat = place_zitat(FORDERUNG[:60].rpartition(" ")[0], assessment.fassung.dokument)
    beleg = BelegFactory(owner_row=bewertung, offen=True, vorschlag=zitat)
    cannot_read(monkeypatch)
    beleg.accept(by=UserFactory(), note="Mit dem gedruckten Heft verglichen.")
    advance(assessment, "published")
    PruefungFactory(zitat=zitat, nicht_beweisbar=True)  # again at night
    html = page(client, zitat)
    assert "Die Redaktion hat verglichen am" in html
    assert 'class="mk"' in html


def test_a_quote_that_was_never_checked_is_in_review(client):
    assessment = AssessmentFactory(published=True)
    html = page(client, assessment.belege.first().zitat)
    assert "Noch nicht geprüft" in html
    assert 'class="mk"' not in html


# --- Pages ---------------------------------------------------------------------------------------


@pytest.fixture
def long_motion():
    """Three pages; FORDERUNG on the second one, and a sentence over the break to the third."""
    antrag = AntragFactory()
    pages = [
        "Der Landtag wolle beschließen, was auf den nächsten Seiten steht.",
        f"{FORDERUNG}\n\n{AUFTRAG}\n\nDieser lange Satz beginnt auf der zweiten Seite und",
        "endet erst auf der dritten Seite dieses Antrags.\n\nDas ist der Schluss.",
    ]
    FassungFactory(antrag=antrag, seiten=pages)
    return published(antrag=antrag)


def test_readers_turn_the_pages_and_marks_stay_where_they_belong(client, long_motion):
    zitat = long_motion.belege.filter(feldbewertung__feld="B5").get().zitat
    html = page(client, zitat)
    assert '<a href="?seite=1" rel="prev">' in html
    assert '<a href="?seite=3" rel="next">' in html
    assert "Seite 1 der Datei" in words(html)
    other = page(client, zitat, seite=3)
    assert "Auf dieser Seite steht das Zitat nicht." in other
    assert 'class="mk"' not in other
    assert "Das ist der Schluss." in other


def test_a_quote_over_a_page_break_is_marked_on_both_pages(client):
    antrag = AntragFactory()
    broken = "Dieser lange Satz beginnt auf der ersten Seite und endet erst auf der zweiten Seite."
    first, rest = broken.split(" endet ")
    pages = [f"{FORDERUNG}\n\n{AUFTRAG}\n\n{first}", f"endet {rest}\n\nDas ist der Schluss."]
    FassungFactory(antrag=antrag, seiten=pages)
    assessment = AssessmentFactory(antrag=antrag)
    zitat = place_zitat(broken, antrag.fassung.dokument)
    BelegFactory(owner_row=assessment.feldbewertungen.get(feld="E1"), zitat=zitat)
    advance(assessment, "published")
    prove(assessment)
    assert "auch auf Seite 2" in page(client, zitat)
    assert 'class="mk"' in page(client, zitat)
    assert 'class="mk"' in page(client, zitat, seite=2)


@pytest.mark.parametrize("seite", ["0", "-1", "2", "99999", "9" * 400, "x", "1.5", "²", ""])
def test_a_page_that_does_not_exist_is_not_found(client, zitat, seite):
    read(client, zitat_address(zitat), status=404, seite=seite)


def test_the_page_is_a_picture_and_a_pdf(client, zitat):
    picture = client.get(f"{zitat_address(zitat)}seite-1-1240.webp")
    assert picture.headers["Content-Type"] == "image/webp"
    assert Image.open(io.BytesIO(picture.content)).size[0] == 1240
    read(client, f"{zitat_address(zitat)}seite-1-1241.webp", status=404)
    sheet = client.get(f"{zitat_address(zitat)}seite.pdf")
    with pymupdf.open(stream=sheet.content) as pdf:
        assert len(pdf) == 1
        assert [annotation.type[1] for annotation in pdf[0].annots()].count("Highlight") >= 1


def test_files_are_cached_and_harmless(client, zitat):
    response = client.get(f"{zitat_address(zitat)}seite-1-1240.webp")
    assert "public" in response.headers["Cache-Control"]
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    again = client.get(
        f"{zitat_address(zitat)}seite-1-1240.webp",
        headers={"if-none-match": response.headers["ETag"]},
    )
    assert again.status_code == 304


def become_a_folder(zitat):
    lose_file(zitat)
    Path(zitat.extraktion.dokument.file.path).mkdir(parents=True)


@pytest.mark.parametrize("damage", [lose_file, swap_file, become_a_folder])
@pytest.mark.parametrize("name", ["seite-1-1240.webp", "seite.pdf"])
def test_a_broken_file_is_an_answer_and_not_an_error(client, zitat, damage, name):
    damage(zitat)
    assert "lässt sich gerade nicht öffnen" in read(client, zitat_address(zitat) + name, status=503)


# --- What may be shown ---------------------------------------------------------------------------


def test_where_only_a_cut_out_may_be_shown_the_page_never_leaves_the_server(client, long_motion):
    zitat = long_motion.belege.filter(feldbewertung__feld="B5").get().zitat
    show_only(zitat, Dokument.Anzeige.AUSSCHNITT)
    html = page(client, zitat)
    assert "zeigen wir nur diesen Ausschnitt" in html
    assert "Text der Seite" not in html
    assert "?seite=" not in html
    for name in ("seite-2-1240.webp", "seite-1-1240.webp", "seite.pdf"):
        read(client, zitat_address(zitat) + name, status=404)
    read(client, zitat_address(zitat), status=404, seite=1)
    picture = Image.open(io.BytesIO(client.get(f"{zitat_address(zitat)}ausschnitt-2.webp").content))
    assert picture.height < picture.width / 2


def test_where_only_a_reference_may_be_shown_there_is_no_picture(client, zitat):
    show_only(zitat, Dokument.Anzeige.VERWEIS)
    html = page(client, zitat)
    assert "<img" not in html
    assert 'class="umfeld"' not in html
    for name in ("seite-1-1240.webp", "ausschnitt-1.webp", "seite.pdf"):
        read(client, zitat_address(zitat) + name, status=404)


def test_the_motions_file_can_be_opened_at_the_page(client, assessment, zitat):
    address = f"/dokument/{assessment.fassung.dokument.sha256}.pdf"
    assert f'href="{address}#page=1"' in page(client, zitat)
    data = client.get(address).content
    assert hashlib.sha256(data).hexdigest() == assessment.fassung.dokument.sha256


def test_a_swapped_file_is_not_served_under_the_old_checksum(client, assessment):
    dokument = assessment.fassung.dokument
    swap_file(assessment.belege.filter(seite="antrag").first().zitat)
    read(client, f"/dokument/{dokument.sha256}.pdf", status=503)


def test_a_real_partys_programme_is_not_republished(client, zusage):
    assert "/dokument/" not in page(client, zusage)
    read(client, f"/dokument/{zusage.extraktion.dokument.sha256}.pdf", status=404)


def test_an_invented_partys_programme_can_be_opened(client, assessment, zusage):
    assessment.vergleiche.first().partei.programme.get().parteien.update(muster=True)
    read_status = client.get(f"/dokument/{zusage.extraktion.dokument.sha256}.pdf").status_code
    assert read_status == 200


def test_the_original_is_linked_at_its_page(client, zusage):
    address = "https://example.org/programm.pdf#x"
    Dokument.objects.filter(pk=zusage.extraktion.dokument_id).update(quelle_url=address)
    assert 'href="https://example.org/programm.pdf#page=1"' in page(client, zusage)


def test_a_file_that_nobody_assessed_is_not_served(client):
    dokument = DokumentFactory(ZUSAGE)
    read(client, f"/dokument/{dokument.sha256}.pdf", status=404)


@pytest.mark.parametrize("address", ["/dokument/../settings.pdf", "/dokument/%2e%2e.pdf"])
def test_a_path_is_never_taken_from_the_address(client, address):
    read(client, address, status=404)


# --- Versions ------------------------------------------------------------------------------------


def test_a_superseded_versions_quote_stays(client):
    first = published()
    correction_of(first)
    page(client, first.belege.filter(feldbewertung__feld="B5").get().zitat)


def test_a_withdrawn_assessments_quote_goes(client, assessment, zitat):
    page(client, zitat)
    assessment.withdraw(by=assessment.published_by, note="Überholt.")
    for name in ("", "seite-1-1240.webp", "ausschnitt-1.webp", "seite.pdf"):
        read(client, zitat_address(zitat) + name, status=404)


@pytest.mark.parametrize("number", ["0", "99999999", "9" * 30])
def test_a_quote_that_does_not_exist_is_not_found(client, number):
    read(client, f"/zitat/{number}/", status=404)


def test_queries_are_counted(client, zusage, django_assert_num_queries):
    show_only(zusage, Dokument.Anzeige.SEITE)
    with django_assert_num_queries(7):
        page(client, zusage)
    with django_assert_num_queries(3):
        client.head(f"{zitat_address(zusage)}seite-1-620.webp")


@pytest.mark.parametrize("anzeige", Dokument.Anzeige)
@pytest.mark.parametrize("muster", [True, False])
def test_the_page_offers_exactly_the_files_that_are_served(client, assessment, anzeige, muster):
    for beleg in assessment.belege.exclude(zitat=None):
        show_only(beleg.zitat, anzeige)
        dokument = beleg.zitat.extraktion.dokument
        if beleg.seite == Beleg.Seite.PROGRAMM:
            dokument.programm.parteien.update(muster=muster)
        address = f"/dokument/{dokument.sha256}.pdf"
        is_served = client.get(address).status_code == 200
        assert (f'href="{address}#page=' in page(client, beleg.zitat)) is is_served


@pytest.mark.parametrize("name", ["", "seite-1-620.webp"])
def test_head_has_the_etag_of_get(client, zitat, name):
    get, head = (ask(zitat_address(zitat) + name) for ask in (client.get, client.head))
    assert get.headers["ETag"] == head.headers["ETag"]
    again = client.head(
        zitat_address(zitat) + name, headers={"if-none-match": head.headers["ETag"]}
    )
    assert again.status_code == 304


def test_the_page_says_that_its_picture_could_not_be_drawn(client, zitat, monkeypatch):
    def too_slow(*args):
        raise ChildFailed(Ablehnung.ZU_AUFWENDIG)

    assert "Ohne Abbildung." not in page(client, zitat)
    monkeypatch.setattr(pictures, "draw", too_slow)
    assert client.get(f"{zitat_address(zitat)}seite-1-620.webp").status_code == 503
    assert "Ohne Abbildung." in page(client, zitat)


def test_musterland_is_labelled_here_too(client):
    antrag = AntragFactory(mit_text=f"{FORDERUNG}\n\n{AUFTRAG}")
    antrag.parlament.muster = True
    antrag.parlament.save()
    zitat = published(antrag=antrag).belege.first().zitat
    assert "Musterdaten: Das Land" in page(client, zitat)
    assert ParlamentFactory().muster is False
