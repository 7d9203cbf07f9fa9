"""The real manifestos: ingested with one command. How well they are searched is measured in
tests/gwoe/test_grundwerte.py."""

import pytest
from django.core.management import call_command

from programme.models import Programm

pytestmark = [pytest.mark.django_db, pytest.mark.shared]


@pytest.mark.ausdauer
def test_manifestos_are_ingested_by_their_names(shared):
    call_command("load_parlamente", verbosity=0)
    files = sorted((shared / "data" / "programme").glob("*-bw-2016.pdf"))
    assert len(files) == 5
    files = sorted(files, key=lambda path: path.stat().st_size)[:2]  # those take minutes
    call_command("ingest_programme", *map(str, files), verbosity=0, processes=1)
    assert Programm.objects.count() == len(files) == 2
    assert {p.geltung for p in Programm.objects.all()} == {"13.03.2016 bis 13.03.2021"}
