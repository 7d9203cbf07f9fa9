"""The real manifestos: ingested with one command, and found again."""

import pytest
from django.core.management import call_command

from programme.evaluation import measure, read_golden
from programme.models import Programm

pytestmark = [pytest.mark.django_db, pytest.mark.shared]


# Each motion asks five parties' programmes; a few of them tell whether retrieval works at all.
MOTIONS = 4


@pytest.fixture
def bw_2016(shared):
    call_command("load_parlamente", verbosity=0)
    files = sorted((shared / "data" / "programme").glob("*-bw-2016.pdf"))
    call_command("ingest_programme", *map(str, files), verbosity=0, processes=1)


@pytest.fixture
def golden(shared, tmp_path):
    lines = (shared / "data" / "eval" / "golden_antraege.jsonl").read_text(encoding="utf-8")
    path = tmp_path / "golden.jsonl"
    path.write_text("\n".join(lines.splitlines()[:MOTIONS]), encoding="utf-8")
    return path


def test_five_manifestos_are_ingested_and_answer_the_golden_motions(bw_2016, golden):
    assert Programm.objects.count() == 5
    assert {p.geltung for p in Programm.objects.all()} == {"13.03.2016 bis 13.03.2021"}
    measured = measure(read_golden(golden))["all"]
    # The whole set measures 0.85 in Baden-Württemberg; well below it something is broken.
    assert measured.at_5 / measured.stellen > 0.7
