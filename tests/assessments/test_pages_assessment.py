"""The page of an assessment, as readers see it."""

import re
from datetime import date
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from assessments.addresses import antrag_address, version_address
from assessments.models import Feldbewertung, Vergleich
from meldungen.ziel import melden_address
from programme.models import Programm
from tests.citations.factories import PruefungFactory
from tests.parlamente.factories import (
    AntragFactory,
    ParlamentFactory,
    ParteiFactory,
    RegierungFactory,
    UrheberFactory,
    WahlperiodeFactory,
)

from .factories import (
    ANTRAGSTEXT,
    FELDER,
    FORDERUNG,
    RATED,
    AssessmentFactory,
    BelegFactory,
    LaufFactory,
    advance,
    place_zitat,
    prove,
)
from .seiten import (
    antrag_with,
    correction_of,
    published,
    read,
    read_assessment,
    words,
)

pytestmark = pytest.mark.django_db
MAX_BYTES = 100_000


def review_by(assessment, **changes):
    """An unpublished assessment that the editors changed, then published."""
    for feld, wert in changes.items():
        Feldbewertung.objects.filter(assessment=assessment, feld=feld).update(wert_redaktion=wert)
    advance(assessment, "published")
    return prove(assessment)


def test_every_field_of_the_matrix_has_a_sign_and_a_word(client):
    html = read_assessment(client, published())
    assert html.count('<td role="cell">') == 25
    text = words(html)
    assert "Lieferkette : stark hemmend" in text
    assert html.count("nicht betroffen</span></span></div>") == 25 - len(RATED)


def test_without_effect_is_not_the_same_as_not_affected(client):
    html = read_assessment(client, published())
    assert re.search(r'<a class="o" href="#D5">.*?: ohne Wirkung', html)
    assert '<article class="feld" id="D5">' in html


def test_the_value_stands_with_its_number_of_fields_and_its_spread(client):
    text = words(read_assessment(client, published()))
    assert "Gesamtwert 5,6 von 10, aus 4 von 25 Feldern, −− bis ++" in text


def test_two_fields_pull_the_value_to_the_middle_and_the_page_says_so(client):
    assessment = AssessmentFactory()
    text = words(read_assessment(client, review_by(assessment, A4="n", D5="n")))
    assert "Nur zwei Felder sind betroffen. Der Wert ist deshalb zur Mitte hin gerechnet." in text


def test_no_affected_field_means_no_value(client):
    assessment = AssessmentFactory()
    html = read_assessment(client, review_by(assessment, **dict.fromkeys(FELDER, "n")))
    assert "Kein Feld betroffen, daher kein Wert" in html
    assert 'class="waage"' not in html


def test_what_the_editors_changed_is_said_at_the_field(client):
    text = words(read_assessment(client, review_by(AssessmentFactory(), D1="p")))
    assert "Das Modell hatte ++ vorgeschlagen. Die Redaktion hat auf + geändert." in text
    assert "geändert: D1" in text


def test_the_programme_that_counted_is_named_with_its_validity(client):
    assessment = published()
    programm = assessment.vergleiche.get(programmtyp="wahlprogramm").programm
    text = words(read_assessment(client, assessment))
    assert f"Wahlprogramm {programm.jahr} Gültig {programm.geltung}" in text


def test_each_quote_leads_to_its_place_with_page_and_grade(client):
    assessment = published()
    html = read_assessment(client, assessment)
    zitat = assessment.belege.filter(feldbewertung__feld="B5").get().zitat
    assert (
        f'<a href="/zitat/{zitat.pk}/#stelle" tabindex="-1"><mark>{zitat.text}</mark></a>' in html
    )
    assert "Antrag, S.\xa01" in html
    assert "</svg>wörtlich</span>" in html


def test_both_sides_of_a_comparison_stand_beside_each_other(client):
    text = words(read_assessment(client, published()))
    assert re.search(
        r"Der Antrag will „ Die Landesregierung .* Das Programm sagt „ Wir legen", text
    )
    assert "UFER, Wahlprogramm 2016, S. 1" in text


@pytest.mark.parametrize(
    ("ergebnis", "icon", "satz"),
    [
        ("kein_programm", "kein", "Das Programm liegt uns nicht vor."),
        ("nichts_gefunden", "lupe", "Gesucht, nichts Einschlägiges gefunden."),
        ("ohne_beleg", "teil", "Einschlägig, aber ohne wörtlichen Beleg."),
    ],
)
def test_each_absence_has_a_sentence_and_a_look_of_its_own(client, ergebnis, icon, satz):
    assessment = AssessmentFactory()
    assessment.vergleiche.filter(programmtyp="grundsatzprogramm").update(ergebnis_modell=ergebnis)
    advance(assessment, "published")
    html = read_assessment(client, assessment)
    assert html.count(satz) == 2  # in the table and at the party
    assert html.count(f'<use href="#i-{icon}"/></svg><span') == 2


def test_a_quote_in_review_is_not_marked_and_says_since_when(client):
    assessment = published()
    zitat = assessment.belege.filter(feldbewertung__feld="A4").get().zitat
    PruefungFactory(zitat=zitat, widerlegt=True)
    html = read_assessment(client, assessment)
    assert 'class="beleg offen"' in html
    assert re.search(r"in Prüfung seit \d+\. \w+ \d{4}", html)
    assert "2 in Prüfung" in words(html)  # the field's evidence and the improvement's


def test_an_improvement_shows_what_goes_and_what_comes(client):
    html = read_assessment(client, published())
    assert "<del>entfallen die Nachweise</del><ins>genügt eine Erklärung</ins>" in html
    # The full stop behind the quoted words belongs to both wordings.
    assert "Lieferkette.“</p>" in html


def test_the_label_says_that_a_model_drafted_and_how_many_people_looked(client):
    text = words(read_assessment(client, published()))
    assert "KI-gestützt erstellt, von zwei Personen der Redaktion geprüft, Fassung 1 vom" in text
    assert "muster-1, Anweisungen Fassung 1" in text


def test_without_a_model_the_label_says_so(client):
    antrag = AntragFactory(mit_text=ANTRAGSTEXT)
    lauf = LaufFactory(fassung=antrag.fassung, modell="", prompt_version="")
    text = words(read_assessment(client, published(antrag=antrag, lauf=lauf)))
    assert "Ohne Sprachmodell erstellt, Bewertung durch die Redaktion" in text
    assert "KI-gestützt" not in text


def test_a_corrected_version_names_the_model_of_the_draft(client):
    corrected = correction_of(published(), lauf=None)
    assert "muster-1" in read_assessment(client, corrected)


def test_submitters_and_government_are_named(client):
    werkbank = ParteiFactory(kuerzel="WERKBANK")
    antrag = AntragFactory(mit_text=ANTRAGSTEXT, einbringende=[werkbank])
    RegierungFactory(parlament=antrag.parlament, parteien=[ParteiFactory(kuerzel="UFER")])
    text = words(read_assessment(client, published(antrag=antrag)))
    assert "Eingebracht von WERKBANK. Am 12. Oktober 2016 regierte UFER." in text


def test_an_unknown_government_is_said_and_not_guessed(client):
    antrag = AntragFactory(mit_text=ANTRAGSTEXT)
    RegierungFactory(parlament=antrag.parlament, unbekannt=True)
    assert "Regierung unbekannt" in read_assessment(client, published(antrag=antrag))


def test_members_of_parliament_are_not_named(client):
    antrag = AntragFactory(mit_text=ANTRAGSTEXT)
    UrheberFactory(antrag=antrag, person=True, parteien=[ParteiFactory(kuerzel="UFER")])
    html = read_assessment(client, published(antrag=antrag))
    assert "Abgeordneten von UFER" in html
    assert "Alex Beispiel" not in html


def test_invented_parliaments_are_labelled(client):
    antrag = AntragFactory(mit_text=ANTRAGSTEXT, parlament=ParlamentFactory(muster=True))
    assert "Musterdaten: Das Land" in read_assessment(client, published(antrag=antrag))
    assert "Musterdaten" not in read_assessment(client, published())


def test_the_page_says_what_it_is_not_and_under_which_licence(client):
    text = words(read_assessment(client, published()))
    assert "keine Messung, und keine Empfehlung für eine Abstimmung oder Wahl" in text
    assert "CC BY 4.0" in text


def test_the_file_is_named_by_checksum_and_date(client):
    assessment = published()
    html = read_assessment(client, assessment)
    assert assessment.fassung.dokument.sha256 in html
    assert "Abgerufen am" in html


# --- Addresses and versions ----------------------------------------------------------------------


def test_an_address_has_parliament_term_and_number():
    assessment = published(
        antrag=AntragFactory(
            mit_text=ANTRAGSTEXT, parlament=ParlamentFactory(code="ML"), nummer="2318"
        )
    )
    assert antrag_address(assessment.antrag) == "/ml/16/2318/"
    assert version_address(assessment) == "/ml/16/2318/v1/"


def test_a_series_is_part_of_the_address(client):
    parlament = ParlamentFactory(code="HB")
    fields = {"parlament": parlament, "nummer": "905", "mit_text": ANTRAGSTEXT}
    wahlperiode = WahlperiodeFactory(parlament=parlament, nummer=21)
    city = published(
        antrag=AntragFactory(zusatz="S", titel="Stadt", wahlperiode=wahlperiode, **fields)
    )
    land = published(antrag=AntragFactory(titel="Land", wahlperiode=wahlperiode, **fields))
    assert antrag_address(city.antrag) == "/hb/21/905-s/"
    assert "<h1>Stadt</h1>" in read(client, "/hb/21/905-s/")
    assert "<h1>Land</h1>" in read_assessment(client, land)


def test_other_spellings_of_an_address_lead_to_the_one(client):
    address = antrag_address(published().antrag)
    assert client.get(address.upper()).headers["Location"] == address


def test_a_superseded_version_stays_readable_and_leads_to_the_newest(client):
    first = published()
    corrected = correction_of(first)
    html = read(client, version_address(first))
    assert "Dies ist eine frühere Fassung." in html
    assert f'href="{version_address(corrected)}"' in html
    assert '<meta name="robots" content="noindex">' in html
    assert antrag_address(first.antrag) in re.search(r'rel="canonical" href="(.*?)"', html)[1]


def test_the_newest_version_stands_at_the_motions_own_address(client):
    corrected = correction_of(published())
    html = read_assessment(client, corrected)
    assert "richtig ist jedes Jahr" in html
    assert "noindex" not in html


def test_a_withdrawn_version_answers_gone_with_its_reason(client):
    assessment = AssessmentFactory(withdrawn=True)
    for address in (antrag_address(assessment.antrag), version_address(assessment)):
        html = read(client, address, status=410)
        assert "Überholte Fassung." in html
        assert FORDERUNG not in html


def test_a_superseded_version_says_that_the_newest_was_withdrawn(client):
    first = published()
    corrected = correction_of(first)
    corrected.withdraw(by=corrected.published_by, note="Falsche Datei.")
    assert "zurückgezogen" in read(client, version_address(first))
    read(client, antrag_address(first.antrag), status=410)


@pytest.mark.parametrize("address", ["/ml/7/1/", "/ml/7/1/v1/", "/xx/", "/ml/999/1/", "/ml/7/x/"])
def test_an_unknown_address_is_not_found_in_german(client, address):
    assert "Diese Seite gibt es nicht" in read(client, address, status=404)


def test_a_draft_and_nothing_at_all_answer_alike(client):
    draft = AssessmentFactory(in_review=True).antrag
    unassessed = AntragFactory(parlament=draft.parlament)
    assert read(client, antrag_address(draft), 404) == read(client, antrag_address(unassessed), 404)


# --- Bounds --------------------------------------------------------------------------------------


def with_parties(count: int):
    """A published assessment that compares with `count` parties, each with two quotes."""
    assessment = AssessmentFactory()
    source = assessment.vergleiche.get(programmtyp="wahlprogramm")
    words_of = {beleg.seite: beleg.zitat for beleg in source.belege.all()}
    for number in range(count - 1):
        partei = ParteiFactory(kuerzel=f"PARTEI {number}")
        for typ in Programm.Typ:
            vergleich = Vergleich.objects.create(
                assessment=assessment,
                partei=partei,
                rolle=Vergleich.Rolle.REGIEREND,
                programmtyp=typ,
                programm=source.programm,
                ergebnis_modell=Vergleich.Ergebnis.BEWERTET,
                score_modell=5,
                begruendung_modell="Der Antrag setzt ein Versprechen um. " * 8,
            )
            for seite, zitat in words_of.items():
                for _ in range(2):
                    BelegFactory(owner_row=vergleich, seite=seite, zitat=zitat)
    advance(assessment, "published")
    return prove(assessment)


def test_a_page_with_eight_parties_is_light(client):
    html = read_assessment(client, with_parties(8))
    sheets = re.findall(r'href="/static/(.*?\.css)"', html)
    styles = sum(len(Path(finders.find(sheet)).read_bytes()) for sheet in sheets)
    assert len(sheets) == 4
    assert len(html.encode()) + styles < MAX_BYTES


@pytest.mark.parametrize(("parties", "is_open"), [(4, True), (5, False)])
def test_all_parties_are_open_or_all_are_folded(client, parties, is_open):
    html = read_assessment(client, with_parties(parties))
    assert html.count('<details class="partei" open>') == (parties if is_open else 0)
    assert html.count('<details class="partei">') == (0 if is_open else parties)


def test_without_an_address_nobody_is_sent_to_one(client, settings):
    assessment = published()
    assert "Programm nachreichen" in read_assessment(client, assessment)
    settings.IMPRESSUM_EMAIL = ""
    html = read_assessment(client, assessment)
    assert "Programm nachreichen" not in html
    assert "mailto:" not in html
    assert f'href="{melden_address(assessment)}"' in html


def test_queries_do_not_grow_with_the_assessment(client, django_assert_num_queries):
    small, large = with_parties(2), with_parties(6)
    read_assessment(client, small)  # fills the cache of readings
    read_assessment(client, large)
    with django_assert_num_queries(QUERIES):
        read_assessment(client, small)
    with django_assert_num_queries(QUERIES):
        read_assessment(client, large)


# Found by counting; a change here should have a reason.
QUERIES = 24


def test_no_quote_grows_the_page_by_another_icon(client):
    assert read_assessment(client, published()).count("<symbol id=") == 12


def test_place_and_date_do_not_depend_on_the_language_of_the_browser(client):
    assessment = published(antrag=antrag_with("Satz.", datum=date(2016, 3, 14)))
    response = client.get(antrag_address(assessment.antrag), headers={"accept-language": "en"})
    assert "14. März 2016" in response.content.decode()


def test_evidence_that_does_not_exist_is_said(client):
    assessment = AssessmentFactory()
    bewertung = assessment.feldbewertungen.get(feld="D5")
    for beleg in bewertung.belege.all():
        beleg.reopen(by=None)
        beleg.drop(by=None)
    advance(assessment, "published")
    assert "keinen wörtlichen Beleg aus dem Antrag" in read_assessment(client, assessment)


def test_dropped_evidence_is_counted_but_not_shown(client):
    assessment = AssessmentFactory()
    bewertung = assessment.feldbewertungen.get(feld="D1")
    other = BelegFactory(owner_row=bewertung, offen=True, wortlaut_modell="Erfundene Worte.")
    other.drop(by=None, note="Steht nirgends.")
    advance(assessment, "published")
    html = read_assessment(client, assessment)
    assert "1 Zitat</dd>" in html
    assert "Erfundene Worte" not in html
    assert "Steht nirgends" not in html


def test_a_place_is_stored_once_for_all_who_cite_it():
    assessment = published()
    assert place_zitat(FORDERUNG, assessment.fassung.dokument).pruefungen.count() == 1
