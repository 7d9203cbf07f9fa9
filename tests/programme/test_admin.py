from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from programme.models import Chunk, Einbettung, EinbettungsModell, Programm
from tests.assessments.factories import AssessmentFactory, UserFactory, approve
from tests.assessments.factories import ProgrammFactory as QuotedFactory
from tests.citations.factories import make_pdf
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

from .factories import ChunkFactory, ModellAufrufFactory, ProgrammFactory

pytestmark = pytest.mark.django_db

LISTE = reverse("admin:programme_programm_changelist")
HOCHLADEN = reverse("admin:programme_programm_add")
AUFRUFE = reverse("admin:programme_modellaufruf_changelist")
TEXT = "SPD Baden-Württemberg 2016. Wir wollen bezahlbare Wohnungen bauen. Das Land zahlt mit."


@pytest.fixture
def bw():
    ParteiFactory(kuerzel="SPD")
    return WahlperiodeFactory(parlament=ParlamentFactory(baden_wuerttemberg=True)).parlament


def upload(client, data, name="spd-bw-2016.pdf", **values):
    datei = SimpleUploadedFile(name, data, content_type="application/pdf")
    return client.post(HOCHLADEN, {"datei": datei, **values})


# --- The list -----------------------------------------------------------------------------------


def test_list_shows_what_a_programme_is_and_how_long_it_counts(admin_client):
    programm = ProgrammFactory(parteien=[ParteiFactory(kuerzel="SPD")])
    ChunkFactory.create_batch(3, programm=programm)
    page = admin_client.get(LISTE).content.decode()
    assert programm.label in page
    assert "13.03.2016 bis 13.03.2021" in page
    assert '<td class="field-passagen">3</td>' in page


def test_list_needs_the_same_queries_for_any_number_of_programmes(
    admin_client, django_assert_max_num_queries
):
    ProgrammFactory.create_batch(8)
    with django_assert_max_num_queries(10):
        admin_client.get(LISTE)


def test_programme_page_opens(admin_client):
    programm = ProgrammFactory(grundsatz=True)
    url = reverse("admin:programme_programm_change", args=[programm.pk])
    assert admin_client.get(url).status_code == 200


# --- What a published page shows ----------------------------------------------------------------

FROZEN = {"parteien", "parlament", "typ", "jahr", "gueltig"}


def changeable(client, programm):
    page = client.get(reverse("admin:programme_programm_change", args=[programm.pk]))
    return set(page.context["adminform"].form.fields), page.content.decode()


def test_a_programme_that_only_a_draft_compares_can_be_corrected(admin_client):
    programm = AssessmentFactory(in_review=True).vergleiche.exclude(programm=None).get().programm
    fields, _ = changeable(admin_client, programm)
    assert fields >= FROZEN


def test_what_a_published_page_says_of_a_programme_does_not_change(admin_client):
    programm = AssessmentFactory(published=True).vergleiche.exclude(programm=None).get().programm
    fields, page = changeable(admin_client, programm)
    assert not fields & FROZEN
    assert "titel" in fields
    assert "Parteien, Parlament, Art, Jahr und Geltung lassen sich deshalb nur noch" in page
    delete = reverse("admin:programme_programm_delete", args=[programm.pk])
    assert admin_client.post(delete, {"post": "yes"}).status_code == 403


def test_a_programme_that_is_quoted_beside_the_compared_one_does_not_change(admin_client):
    assessment = AssessmentFactory(in_review=True)
    beleg = assessment.belege.get(seite="programm")
    programm = beleg.vergleich.programm
    beleg.vergleich.programm = QuotedFactory(
        parteien=list(programm.parteien.all()), parlament=programm.parlament, seiten=[TEXT]
    )
    beleg.vergleich.save()
    approve(assessment)
    assessment.publish(by=UserFactory(publisher=True))
    assert not programm.vergleiche.exists()
    assert not changeable(admin_client, programm)[0] & FROZEN


# --- The upload ---------------------------------------------------------------------------------


def test_upload_reads_from_the_name_what_the_form_leaves_empty(admin_client, bw):
    response = upload(admin_client, make_pdf(TEXT))
    programm = Programm.objects.get()
    assert response.url == reverse("admin:programme_programm_change", args=[programm.pk])
    assert (programm.label, programm.chunks.count()) == ("SPD BW Wahlprogramm 2016", 1)


def test_upload_takes_what_the_form_says(admin_client, bw):
    gruene = ParteiFactory(kuerzel="GRÜNE")
    values = {"parteien": [gruene.pk], "parlament": bw.pk, "jahr": "2016", "titel": "Bewahren"}
    upload(admin_client, make_pdf(TEXT), name="scan.pdf", **values)
    programm = Programm.objects.get()
    assert (programm.label, programm.titel) == ("GRÜNE BW Wahlprogramm 2016", "Bewahren")


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("spd-bw-2016.pdf", b"<html>", "PDF"),
        ("scan.pdf", None, "Jahr"),
        ("spd-bw-2014.pdf", None, "gueltig-ab"),
    ],
)
def test_unusable_upload_says_why_and_stores_nothing(admin_client, bw, name, data, problem):
    page = upload(admin_client, data or make_pdf(TEXT), name=name).content.decode()
    assert "Programm nicht übernommen" in page
    assert problem in page
    assert not Programm.objects.exists()


def test_upload_with_an_end_that_means_none_says_so(admin_client, bw):
    page = upload(admin_client, make_pdf(TEXT), gueltig_bis="9999-12-31").content.decode()
    assert "Ein offenes Ende bleibt leer" in page
    assert not Programm.objects.exists()


def test_a_programme_of_no_possible_year_is_refused(admin_client):
    programm = ProgrammFactory(grundsatz=True)
    address = reverse("admin:programme_programm_change", args=[programm.pk])
    form = admin_client.get(address).context["adminform"].form
    values = {"parteien": [partei.pk for partei in programm.parteien.all()], "typ": programm.typ}
    values |= {"gueltig_0": "2007-01-01", "anzeige": form["anzeige"].initial, "jahr": "0"}
    assert "Das Jahr liegt zwischen" in admin_client.post(address, values).content.decode()


def test_upload_needs_the_permission(client, django_user_model, bw):
    client.force_login(django_user_model.objects.create_user("redaktion", is_staff=True))
    assert upload(client, make_pdf(TEXT)).status_code == 403
    assert client.get(HOCHLADEN).status_code == 403


def test_upload_form_runs_no_inline_script(admin_client):
    page = admin_client.get(HOCHLADEN).content.decode()
    assert "onclick" not in page
    assert "<script>" not in page
    assert " style=" not in page


# --- Embedding models ---------------------------------------------------------------------------


def test_models_show_their_role_and_for_how_many_programmes_they_are_complete(admin_client):
    ChunkFactory.create_batch(3)
    ProgrammFactory()  # without passages nothing is missing
    other = EinbettungsModell.objects.create(name="anderes", dims=2, rolle="schreiben")
    Einbettung.objects.create(chunk=Chunk.objects.first(), modell=other, satz=0, vektor=[1, 0])
    page = admin_client.get(reverse("admin:programme_einbettungsmodell_changelist"))
    html = page.content.decode()
    for words in ("wird gelesen", "100 % (3 von 3 Programmen)", "33 % (1 von 3 Programmen)"):
        assert words in html
    assert '<td class="field-vektoren">1</td>' in html
    assert '<td class="field-dims">2</td>' in html


def test_a_model_is_not_changed_by_a_form(admin_client):
    modell = EinbettungsModell.objects.create(name="anderes", dims=2, rolle="schreiben")
    address = reverse("admin:programme_einbettungsmodell_change", args=[modell.pk])
    assert admin_client.post(address, {"rolle": "lesen"}).status_code == 403


# --- Model calls --------------------------------------------------------------------------------


def test_calls_are_summed_as_filtered_and_cannot_be_edited(admin_client):
    ModellAufrufFactory(kosten=Decimal("1.25"))
    ModellAufrufFactory(kosten=Decimal("0.5"))
    ModellAufrufFactory(zweck="vergleich", kosten=Decimal(7))
    page = admin_client.get(AUFRUFE, {"zweck": "matrix"}).content.decode()
    assert "Zusammen: 2 Aufrufe, 2000 Tokens hinein, 400 Tokens heraus, 1,75 Euro." in page
    assert admin_client.get(reverse("admin:programme_modellaufruf_add")).status_code == 403


def test_list_without_calls_and_with_a_wrong_filter_opens(admin_client):
    assert admin_client.get(AUFRUFE).status_code == 200
    assert admin_client.get(AUFRUFE, {"nonsense": "1"}).status_code == 302
