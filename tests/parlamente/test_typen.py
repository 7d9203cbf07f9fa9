import pytest

from parlamente.models import Antrag
from parlamente.typen import Dokumenttyp, normalise_typ


@pytest.mark.parametrize(
    ("roh", "expected"),
    [
        ("Antrag", "antrag"),
        ("ANTRAG  der Fraktion der SPD", "antrag"),
        ("Antr.", "antrag"),
        ("Dringlicher Berichtsantrag", "antrag"),
        ("Antrag (Gesetzentwurf)", "gesetzentwurf"),
        ("Gesetzentwurf Landesregierung", "gesetzentwurf"),
        ("GE", "gesetzentwurf"),
        ("Entschließungsantrag", "entschliessungsantrag"),
        ("ENTSCHLIESSUNGSANTRAG", "entschliessungsantrag"),
        ("Änderungsantrag", "aenderungsantrag"),
        ("Ab", "aenderungsantrag"),
        ("Zusatzantrag", "alternativantrag"),
        ("Große Anfrage und Antwort", "grosse_anfrage"),
        ("Kleine Anfrage zur schriftlichen Beantwortung", "kleine_anfrage"),
        ("Antwort auf Kleine Anfrage", "antwort"),
        ("Mitteilung des Senats (Antwort auf Große Anfrage)", "antwort"),
        ("Mitteilung des Senats", "sonstiges"),
        ("Antragsteller", "sonstiges"),
        ("Beschlussempfehlung und Bericht", "sonstiges"),
        ("Ab 2020 gültige Satzung", "sonstiges"),
        ("", "sonstiges"),
    ],
)
def test_a_label_becomes_its_type(roh, expected):
    assert normalise_typ(roh) == expected


def test_every_type_of_motion_is_a_document_type():
    assert set(Antrag.Typ.values) < set(Dokumenttyp.values)
