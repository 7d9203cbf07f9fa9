import re
from datetime import date

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from parlamente.models import Antrag, Parlament, Partei, Regierung
from tests.assessments.factories import AssessmentFactory, UserFactory, approve
from tests.citations.factories import make_pdf

from .factories import (
    AntragFactory,
    ParlamentFactory,
    ParteiFactory,
    RegierungFactory,
    WahlperiodeFactory,
)

pytestmark = pytest.mark.django_db

LISTE = reverse("admin:parlamente_antrag_changelist")
HOCHLADEN = reverse("admin:parlamente_antrag_add")


@pytest.fixture
def bw():
    ParteiFactory(kuerzel="SPD")
    return WahlperiodeFactory(parlament=ParlamentFactory(baden_wuerttemberg=True)).parlament


def editor_with(*codenames):
    user = User.objects.create_user("redaktion", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


# --- The list ----------------------------------------------------------------------------------


def test_the_list_shows_who_submitted_what_where(admin_client):
    parlament = ParlamentFactory(baden_wuerttemberg=True)
    AntragFactory(parlament=parlament, nummer="123", einbringende=[ParteiFactory(kuerzel="SPD")])
    page = admin_client.get(LISTE).content.decode()
    for text in ("16/123", "Landtag von Baden-Württemberg", "12. Oktober 2016", "SPD"):
        assert text in page


def test_the_list_needs_the_same_queries_for_any_number_of_motions(
    admin_client, django_assert_num_queries
):
    spd = ParteiFactory(kuerzel="SPD")
    AntragFactory.create_batch(2, einbringende=[spd])
    with django_assert_num_queries(9):
        admin_client.get(LISTE)
    AntragFactory.create_batch(8, einbringende=[spd])
    with django_assert_num_queries(9):
        admin_client.get(LISTE)


def test_a_drucksache_is_found_by_its_number(admin_client):
    AntragFactory(nummer="123", titel="Der gesuchte Antrag")
    AntragFactory(nummer="12", titel="Ein anderer Antrag")
    for term in ("16/123", "gesuchte"):
        page = admin_client.get(LISTE, {"q": term}).content.decode()
        assert "Der gesuchte Antrag" in page
        assert "Ein anderer Antrag" not in page


def test_the_list_is_filtered_by_parliament_and_party(admin_client):
    spd = ParteiFactory(kuerzel="SPD")
    antrag = AntragFactory(titel="Der gesuchte Antrag", einbringende=[spd])
    AntragFactory(titel="Ein anderer Antrag")
    for query in (
        {"parlament__id__exact": antrag.parlament.pk},
        {"urheber__parteien__id__exact": spd.pk},
    ):
        page = admin_client.get(LISTE, query).content.decode()
        assert "Der gesuchte Antrag" in page
        assert "Ein anderer Antrag" not in page


def test_a_motion_shows_its_texts_and_takes_corrections(admin_client):
    antrag = AntragFactory(mit_text=True, einbringende=[ParteiFactory(kuerzel="SPD")])
    url = reverse("admin:parlamente_antrag_change", args=[antrag.pk])
    page = admin_client.get(url)
    assert "beispiel.pdf" in page.content.decode()
    form = page.context["adminform"].form
    data = {**form.initial, "titel": "Berichtigter Titel", "quelle_url": ""}
    data |= management(page) | {
        "urheber-0-id": antrag.urheber.get().pk,
        "urheber-0-antrag": antrag.pk,
        "urheber-0-roh": "Fraktion SPD",
        "urheber-0-art": "fraktion",
        "urheber-0-parteien": [partei.pk for partei in antrag.einbringende()],
    }
    assert admin_client.post(url, data).status_code == 302
    antrag.refresh_from_db()
    assert antrag.titel == "Berichtigter Titel"


def management(page):
    return {
        field.html_name: field.value()
        for inline in page.context["inline_admin_formsets"]
        for field in inline.formset.management_form
    }


# --- What a published page shows ---------------------------------------------------------------

FROZEN = {"datum", "titel", "typ"}


def form_of(client, row):
    """The page of a row and the names of the fields that it lets an editor change."""
    opts = row._meta
    page = client.get(reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[row.pk]))
    return page, set(page.context["adminform"].form.fields)


def urheber_formset(page):
    return page.context["inline_admin_formsets"][0]


@pytest.mark.parametrize("stand", ["in_review", "approved"])
def test_before_publication_a_motion_can_be_corrected(admin_client, stand):
    page, fields = form_of(admin_client, AssessmentFactory(stand=stand).antrag)
    assert fields >= FROZEN
    assert urheber_formset(page).has_change_permission
    assert "Was veröffentlicht ist" not in page.content.decode()


@pytest.mark.parametrize("stand", ["published", "withdrawn"])
def test_of_a_published_motion_only_the_link_can_be_changed(admin_client, stand):
    page, fields = form_of(admin_client, AssessmentFactory(stand=stand).antrag)
    assert fields == {"quelle_url"}
    formset = urheber_formset(page)
    assert not formset.has_add_permission
    assert not formset.has_change_permission
    assert not formset.has_delete_permission
    assert "Datum, Titel, Art und Urheber lassen sich deshalb nur noch" in page.content.decode()


def test_a_page_opened_before_the_publication_changes_nothing_behind_it(admin_client):
    assessment = AssessmentFactory(in_review=True)
    antrag = assessment.antrag
    page, _ = form_of(admin_client, antrag)
    form = page.context["adminform"].form
    data = {**form.initial, "titel": "Ein anderer Titel", "quelle_url": ""} | management(page)
    approve(assessment)
    assessment.publish(by=UserFactory(publisher=True))
    response = admin_client.post(page.request["PATH_INFO"], data, follow=True)
    antrag.refresh_from_db()
    assert antrag.titel == "Jährlich über die Wirkung berichten"
    assert "Nicht geändert: Datum, Titel, Art und Urheber." in response.content.decode()


# --- Upload ------------------------------------------------------------------------------------


def upload(client, parlament, *, pdf=None, **changes):
    data = {
        "parlament": parlament.pk,
        "drucksache": "16/123",
        "titel": "Ein Beispiel geben",
        "datum": "2016-10-12",
        "typ": "antrag",
        "parteien": [Partei.objects.get(kuerzel="SPD").pk],
        "datei": SimpleUploadedFile("antrag.pdf", pdf or make_pdf("Ein Beispiel für alle geben.")),
    }
    return client.post(HOCHLADEN, data | changes)


def test_the_uploaded_motion_is_there_with_its_text(admin_client, bw):
    response = upload(admin_client, bw)
    antrag = Antrag.objects.get()
    assert response.url == reverse("admin:parlamente_antrag_change", args=[antrag.pk])
    assert [partei.kuerzel for partei in antrag.einbringende()] == ["SPD"]
    assert antrag.fassung.nr == 1
    page = admin_client.get(response.url).content.decode()
    assert "BW 16/123 liegt vor, Fassung 1." in page


def test_a_file_without_text_is_announced_as_not_citable(admin_client, bw):
    response = upload(admin_client, bw, pdf=make_pdf(""))
    page = admin_client.get(response.url).content.decode()
    assert "Aus der Datei lässt sich nicht zitieren." in page


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"drucksache": "sechzehn"}, None, "keine Drucksachennummer"),
        ({"parteien": []}, None, "wer den Antrag eingebracht hat"),
        ({"datum": "32.1.2016"}, "datum", "Bitte ein gültiges Datum eingeben."),
        ({"pdf": b"Kein PDF"}, "datei", "PDF"),
    ],
)
def test_a_bad_upload_is_refused_beside_its_field(admin_client, bw, changes, field, message):
    response = upload(admin_client, bw, **changes)
    assert response.status_code == 200
    assert message in " ".join(response.context["form"].errors[field or "__all__"])
    assert not Antrag.objects.exists()


def test_a_file_over_the_limit_is_refused_before_it_is_read(admin_client, bw, settings):
    settings.PDF_MAX_BYTES = 1024 * 1024
    response = upload(admin_client, bw, pdf=b"%PDF-" + b"x" * 1024 * 1024)
    assert response.context["form"].errors["datei"] == ["Die Datei ist größer als 1 MB."]


def test_who_may_not_add_motions_may_not_upload(client, bw):
    client.force_login(editor_with("view_antrag", "change_antrag"))
    assert client.get(HOCHLADEN).status_code == 403
    assert upload(client, bw).status_code == 403
    assert not Antrag.objects.exists()


def test_who_may_add_motions_may_upload(client, bw):
    client.force_login(editor_with("view_antrag", "add_antrag", "change_antrag"))
    assert upload(client, bw).status_code == 302


def test_a_stranger_is_sent_to_the_log_in(client, bw):
    assert upload(client, bw).url.startswith(reverse("admin:login"))


def test_the_page_works_under_the_strict_policy(admin_client, bw):
    response = admin_client.get(HOCHLADEN)
    assert "'unsafe-inline'" not in response.headers["Content-Security-Policy"]
    page = response.content.decode()
    assert not re.search(r"<script>|<script [^>]*(?<!src)>[^<]|\sstyle=|\son\w+=", page)


# --- Parliaments and parties -------------------------------------------------------------------


def parlament_data(client, parlament, **changes):
    """What a browser sends when the page is saved as it is, with some changes."""
    page = client.get(reverse("admin:parlamente_parlament_change", args=[parlament.pk]))
    forms = [page.context["adminform"].form]
    forms += [f for inline in page.context["inline_admin_formsets"] for f in inline.formset.forms]
    data = management(page)
    for field in (field for form in forms for field in form):
        value = field.value()
        if isinstance(value, list):
            value = [getattr(item, "pk", item) for item in value]
        if value not in (None, False):
            data[field.html_name] = value
        if field.field.show_hidden_initial:
            data[field.html_initial_name] = value
    return data | changes


def save(client, parlament, **changes):
    url = reverse("admin:parlamente_parlament_change", args=[parlament.pk])
    return client.post(url, parlament_data(client, parlament, **changes))


def test_a_government_an_editor_changed_belongs_to_the_editors(admin_client, bw):
    first = RegierungFactory(parlament=bw, bis=date(2021, 5, 11))
    second = RegierungFactory(parlament=bw, von=date(2021, 5, 12))
    response = save(admin_client, bw, **{"regierungen-0-sicherheit": "unbekannt"})
    assert response.status_code == 302
    assert dict(Regierung.objects.values_list("pk", "von_redaktion")) == {
        second.pk: True,
        first.pk: False,
    }
    assert not Parlament.objects.get(pk=bw.pk).von_redaktion


def test_unticking_gives_a_row_back_to_the_file(admin_client, bw):
    row = RegierungFactory(parlament=bw, von_der_redaktion=True)
    data = parlament_data(admin_client, bw)
    del data["regierungen-0-von_redaktion"]
    admin_client.post(reverse("admin:parlamente_parlament_change", args=[bw.pk]), data)
    row.refresh_from_db()
    assert not row.von_redaktion


def test_governments_that_overlap_are_refused(admin_client, bw):
    RegierungFactory(parlament=bw, bis=date(2021, 5, 11))
    RegierungFactory(parlament=bw, von=date(2021, 5, 12))
    response = save(admin_client, bw, **{"regierungen-1-bis": "12.05.2021"})
    assert "12.05.2016 überschneidet 12.05.2021" in response.content.decode()


def test_a_row_of_the_file_is_changed_not_deleted(admin_client, bw):
    RegierungFactory(parlament=bw)
    response = save(admin_client, bw, **{"regierungen-0-DELETE": "on"})
    assert "stammt aus der Datendatei" in response.content.decode()
    assert Regierung.objects.exists()


def test_a_row_of_the_editors_can_be_deleted(admin_client, bw):
    RegierungFactory(parlament=bw, von_der_redaktion=True)
    save(admin_client, bw, **{"regierungen-0-DELETE": "on"})
    assert not Regierung.objects.exists()


def test_a_parliament_needs_the_same_queries_for_any_number_of_governments(
    admin_client, bw, django_assert_num_queries
):
    url = reverse("admin:parlamente_parlament_change", args=[bw.pk])
    parteien = ParteiFactory.create_batch(3)
    RegierungFactory(parlament=bw, bis=date(2021, 5, 11), parteien=parteien)
    with django_assert_num_queries(8):
        admin_client.get(url)
    for year in range(2022, 2027):
        RegierungFactory(
            parlament=bw, von=date(year, 1, 1), bis=date(year, 12, 31), parteien=parteien
        )
    with django_assert_num_queries(8):
        admin_client.get(url)


def test_a_party_an_editor_changed_belongs_to_the_editors(admin_client):
    partei = ParteiFactory(kuerzel="SPD", name="Sozialdemokraten")
    url = reverse("admin:parlamente_partei_change", args=[partei.pk])
    admin_client.post(url, {"kuerzel": "SPD", "name": "Andere Schreibweise", "aliase": "Sozen"})
    partei.refresh_from_db()
    assert (partei.aliase, partei.von_redaktion) == (["Sozen"], True)


def test_parties_and_parliaments_cannot_be_deleted(admin_client, bw):
    url = reverse("admin:parlamente_parlament_delete", args=[bw.pk])
    assert admin_client.post(url, {"post": "yes"}).status_code == 403
