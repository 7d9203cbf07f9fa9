"""After a hostile file every way in goes on with the next good one; nothing is half stored."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from citations.ablehnung import Ablehnung
from citations.models import Dokument, Extraktion
from parlamente.models import Antrag, Partei
from programme.models import Chunk, Programm
from tests.citations import hostile
from tests.citations.factories import locked_pdf, make_pdf
from tests.parlamente.factories import ParlamentFactory, ParteiFactory, WahlperiodeFactory

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db

HOSTILE = {
    "locked": (locked_pdf, Ablehnung.PASSWORT),
    "bomb": (lambda: hostile.page_pdf(hostile.bomb()), Ablehnung.ZU_GROSS),
    "tree": (hostile.tree_in_circles, Ablehnung.BESCHAEDIGT),
    "two formats": (lambda: hostile.archive() + hostile.page_pdf(), Ablehnung.POLYGLOTT),
    "slow": (lambda: hostile.forms_in_forms(depth=12, each=10), Ablehnung.ZU_AUFWENDIG),
}
GOOD = "Der Landtag wolle beschließen: Es wird ein Beispiel für alle gegeben."


@pytest.fixture(autouse=True)
def bw(settings):
    settings.PDF_MAX_SECONDS = 2
    for kuerzel in ("SPD", "CDU"):
        ParteiFactory(kuerzel=kuerzel)
    parlament = ParlamentFactory(baden_wuerttemberg=True)
    WahlperiodeFactory(parlament=parlament, nummer=16, wahltag=date(2016, 3, 13))
    return parlament


def nothing_is_stored(settings):
    files = [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]
    rows = [model.objects.count() for model in (Dokument, Extraktion, Antrag, Programm, Chunk)]
    return not files and not any(rows)


def import_file(path):
    arguments = ["--parlament", "BW", "--drucksache", "16/123", "--titel", "Ein Beispiel"]
    arguments += ["--datum", "2016-10-12", "--partei", "SPD"]
    call_command("import_antrag", str(path), *arguments)


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_import_goes_on_after(kind, settings, tmp_path):
    build, art = HOSTILE[kind]
    bad, good = tmp_path / "bad.pdf", tmp_path / "good.pdf"
    bad.write_bytes(build())
    good.write_bytes(make_pdf(GOOD))
    with pytest.raises(CommandError, match=art.satz):
        import_file(bad)
    assert nothing_is_stored(settings)
    import_file(good)
    assert GOOD in Antrag.objects.get().fassung.dokument.lesung.seiten.get().text.replace("\n", "")


@pytest.mark.parametrize("kind", ["bomb", "two formats"])
def test_the_upload_goes_on_after(kind, settings, admin_client, bw):
    build, art = HOSTILE[kind]
    data = {"parlament": bw.pk, "drucksache": "16/123", "titel": "Ein Beispiel", "typ": "antrag"}
    data |= {"datum": "2016-10-12", "parteien": [Partei.objects.get(kuerzel="SPD").pk]}
    address = reverse("admin:parlamente_antrag_add")
    bad = admin_client.post(address, data | {"datei": SimpleUploadedFile("a.pdf", build())})
    assert bad.context["form"].errors["datei"] == [art.satz]
    assert art.satz in bad.content.decode()
    assert nothing_is_stored(settings)
    good = SimpleUploadedFile("a.pdf", make_pdf(GOOD))
    assert admin_client.post(address, data | {"datei": good}).status_code == 302
    assert Antrag.objects.get().fassung.dokument.lesung.status == "zitierfaehig"


def test_a_folder_goes_on_after_each(tmp_path, capsys):
    for number, (build, _) in enumerate(HOSTILE.values()):
        (tmp_path / f"cdu-bw-2016-teil{number}.pdf").write_bytes(build())
    (tmp_path / "spd-bw-2016.pdf").write_bytes(make_pdf(GOOD))
    with pytest.raises(CommandError) as failed:
        call_command("ingest_programme", str(tmp_path), verbosity=0, processes=1)
    assert all(art.satz in str(failed.value) for _, art in HOSTILE.values())
    assert "Programme: 1 neu, 0 erneuert, 0 unverändert, 5 gescheitert" in capsys.readouterr().out
    assert Programm.objects.get().parteien.get().kuerzel == "SPD"
    assert Dokument.objects.count() == 1


IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
NOT_THE_SERVER = (
    "citations.pdf", "gwoe.settings.", "gwoe.bench", "gwoe.management.commands.bench_citations"
)
import django
django.setup()
for app in ("gwoe", "assessments", "programme", "parlamente", "citations"):
    for module in pkgutil.walk_packages(importlib.import_module(app).__path__, f"{app}."):
        if not module.name.startswith(NOT_THE_SERVER):
            importlib.import_module(module.name)
print(sorted({"pymupdf", "fitz", "pypdfium2"} & sys.modules.keys()))
"""


def test_no_engine_is_loaded_where_the_server_runs():
    """Only the modules of the child processes import one, and nothing imports those."""
    command = [sys.executable, "-c", IMPORT_EVERYTHING]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
