from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from parlamente.facts import DATEI, Fakten, read_fakten
from parlamente.loading import FremdeZeile, load_fakten
from parlamente.models import Parlament, Partei, Regierung, Regierungsstand, Wahlperiode

from .factories import AntragFactory, ParteiFactory, RegierungFactory

pytestmark = pytest.mark.django_db


def fakten(*, muster=True, regierungen=None, **parlament):
    return Fakten.model_validate(
        {
            "stand": "2026-11-30",
            "muster": muster,
            "parteien": [
                {"kuerzel": "UFER", "name": "Liste Ufer"},
                {"kuerzel": "TÄLER", "name": "Bund der Täler"},
            ],
            "parlamente": [
                {
                    "code": "ML",
                    "name": "Landtag Musterland",
                    "land": "Musterland",
                    "wahlperioden": [wahlperiode()],
                    "regierungen": regierungen or [regierung()],
                    **parlament,
                }
            ],
        }
    )


def wahlperiode(**values):
    return {
        "nummer": 7,
        "wahltag": "2024-06-09",
        "fraktionen": {"UFER": 30, "TÄLER": None},
        "sicherheit": "wissen",
        **values,
    }


def regierung(von="2024-07-01", **values):
    return {"von": von, "parteien": ["UFER"], "sicherheit": "wissen", **values}


def everything():
    return [
        list(model.objects.order_by("pk").values())
        for model in (Parlament, Partei, Wahlperiode, Regierung, Regierung.parteien.through)
    ]


def test_the_seventeen_parliaments_are_loaded_once():
    bericht = load_fakten(read_fakten(DATEI))
    assert (Parlament.objects.count(), Wahlperiode.objects.count()) == (17, 68)
    assert Regierung.objects.count() == 98
    assert len(bericht.neu) == 17 + 68 + 98 + Partei.objects.count()
    before = everything()
    assert not load_fakten(read_fakten(DATEI)).has_changes
    assert everything() == before


def test_the_loaded_facts_answer_who_governs():
    load_fakten(read_fakten(DATEI))
    bw = Parlament.objects.get(code="BW")
    governing = bw.regierung_am(date(2016, 10, 12)).bekannte_parteien()
    assert [partei.kuerzel for partei in governing] == ["CDU", "GRÜNE"]
    assert bw.wahlperiode_am(date(2016, 10, 12)).nummer == 16
    berlin = Parlament.objects.get(code="BE")
    assert berlin.regierungsstand_am(date(2026, 11, 1)) == Regierungsstand.UNSICHER
    assert berlin.regierungsstand_am(date(1999, 1, 1)) == Regierungsstand.KEIN_EINTRAG


def test_seats_and_unknown_seats_are_kept():
    load_fakten(fakten())
    assert Wahlperiode.objects.get().fraktionen == [
        {"partei": "UFER", "sitze": 30},
        {"partei": "TÄLER", "sitze": None},
    ]


def test_a_changed_fact_changes_its_row():
    load_fakten(fakten())
    bericht = load_fakten(fakten(regierungen=[regierung(kopf="Muster", parteien=["TÄLER"])]))
    row = Regierung.objects.get()
    assert (row.kopf, [p.kuerzel for p in row.parteien.all()]) == ("Muster", ["TÄLER"])
    assert bericht.geaendert == [str(row)]


def test_a_corrected_first_day_does_not_leave_the_old_government():
    load_fakten(fakten())
    bericht = load_fakten(fakten(regierungen=[regierung("2024-07-02")]))
    assert [row.von for row in Regierung.objects.all()] == [date(2024, 7, 2)]
    assert len(bericht.entfernt) == 1


def test_what_an_editor_changed_is_kept_and_told():
    load_fakten(fakten())
    Regierung.objects.update(sicherheit="unbekannt", von_redaktion=True)
    Wahlperiode.objects.update(ende=date(2029, 1, 1), von_redaktion=True)
    Partei.objects.filter(kuerzel="UFER").update(aliase=["Ufer"], von_redaktion=True)
    before = everything()
    bericht = load_fakten(fakten())
    assert everything() == before
    assert len(bericht.behalten) == 3
    assert not bericht.has_changes


def test_parties_an_editor_gave_a_government_are_kept():
    load_fakten(fakten())
    row = Regierung.objects.get()
    row.parteien.add(Partei.objects.get(kuerzel="TÄLER"))
    Regierung.objects.update(von_redaktion=True)
    assert load_fakten(fakten()).behalten == [str(row)]
    assert row.parteien.count() == 2


def test_an_unchanged_row_of_the_editors_is_not_reported():
    load_fakten(fakten())
    Regierung.objects.update(von_redaktion=True)
    assert load_fakten(fakten()).behalten == []


def test_a_row_given_back_follows_the_file_again():
    load_fakten(fakten())
    Regierung.objects.update(kopf="Irrtum", von_redaktion=False)
    load_fakten(fakten())
    assert Regierung.objects.get().kopf == ""


def test_a_government_of_the_file_does_not_overlap_one_of_the_editors():
    load_fakten(fakten())
    Regierung.objects.update(bis=date(2025, 1, 31), von_redaktion=True)
    editors = RegierungFactory(
        parlament=Parlament.objects.get(), von=date(2025, 2, 1), von_der_redaktion=True
    )
    newer = [regierung(bis="2025-02-09"), regierung("2025-02-10")]
    bericht = load_fakten(fakten(regierungen=newer))
    assert [row.von for row in Regierung.objects.order_by("von")] == [
        date(2024, 7, 1),
        editors.von,
    ]
    assert any("ab 10.02.2025" in row for row in bericht.behalten)


def test_invented_parties_cannot_replace_real_ones():
    ParteiFactory(kuerzel="UFER", muster=False)
    with pytest.raises(FremdeZeile, match="UFER steht schon in der Datenbank"):
        load_fakten(fakten(muster=True))
    assert not Parlament.objects.exists()


def test_a_failed_load_leaves_nothing_half_done():
    load_fakten(fakten())
    antrag = AntragFactory(parlament=Parlament.objects.get(), wahlperiode=Wahlperiode.objects.get())
    ParteiFactory(kuerzel="WALD", muster=False)
    changed = fakten(name="Anderer Name")
    wald = changed.parteien[0].model_copy(update={"kuerzel": "WALD"})
    with pytest.raises(FremdeZeile):
        load_fakten(changed.model_copy(update={"parteien": [*changed.parteien, wald]}))
    antrag.parlament.refresh_from_db()
    assert antrag.parlament.name == "Landtag Musterland"


def test_the_database_refuses_a_wahlperiode_that_ends_before_it_starts():
    load_fakten(fakten())
    with pytest.raises(IntegrityError):
        Wahlperiode.objects.update(beginn=date(2024, 7, 1), ende=date(2024, 6, 30))


def test_the_command_says_what_it_did_and_the_second_time_that_there_is_nothing_to_do():
    def run():
        out = StringIO()
        call_command("load_parlamente", stdout=out)
        return out.getvalue()

    assert "17 Parlamente.\n197 neu, 0 geändert" in run()
    assert run().endswith("Nichts zu ändern.\n")
    Regierung.objects.filter(parlament__code="BE", bis=None).update(
        kopf="Beispiel", von_redaktion=True
    )
    assert (
        "Behalten, wie die Redaktion es geändert hat: Abgeordnetenhaus von Berlin, ab 27.04.2023"
        in run()
    )


def test_the_command_refuses_a_broken_file_in_german(tmp_path):
    path = tmp_path / "kaputt.json"
    path.write_text("[]")
    with pytest.raises(CommandError, match=r"kaputt\.json ist fehlerhaft"):
        call_command("load_parlamente", str(path))
