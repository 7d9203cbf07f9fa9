"""An invented Land by default: Musterland, with parties that do not exist."""

from datetime import date

import factory

from parlamente.models import (
    Antrag,
    Fassung,
    Parlament,
    Partei,
    Regierung,
    Sicherheit,
    Urheber,
    Wahlperiode,
)
from parlamente.urheber import UrheberArt


class ParteiFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Partei
        django_get_or_create = ["kuerzel"]

    kuerzel = factory.Sequence(lambda n: f"LISTE{n}")
    name = factory.LazyAttribute(lambda partei: f"Partei {partei.kuerzel}")
    muster = False


class ParlamentFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Parlament
        django_get_or_create = ["code"]

    code = factory.Sequence(lambda n: f"ML{n}")
    name = factory.LazyAttribute(lambda parlament: f"Landtag {parlament.land}")
    land = factory.LazyAttribute(lambda parlament: f"Musterland {parlament.code}")
    muster = False

    class Params:
        baden_wuerttemberg = factory.Trait(
            code="BW", name="Landtag von Baden-Württemberg", land="Baden-Württemberg"
        )
        bundestag = factory.Trait(
            code="BUND",
            name="Deutscher Bundestag",
            land="Bund",
            schreibweisen={"CDU/CSU": ["CDU", "CSU"]},
        )
        brandenburg = factory.Trait(
            code="BB",
            name="Landtag Brandenburg",
            land="Brandenburg",
            schreibweisen={"FREIE WÄHLER": ["BVB-FW"]},
        )


class WahlperiodeFactory(factory.django.DjangoModelFactory):
    """Runs by default, and began long before every motion of the tests."""

    class Meta:
        model = Wahlperiode
        django_get_or_create = ["parlament", "nummer"]

    parlament = factory.SubFactory(ParlamentFactory)
    nummer = 16
    wahltag = date(2016, 3, 13)
    beginn = date(2016, 5, 11)
    sicherheit = Sicherheit.BELEGT
    quelle = "https://example.org/wahl"

    class Params:
        abgelaufen = factory.Trait(ende=date(2021, 5, 10))


class RegierungFactory(factory.django.DjangoModelFactory):
    """Governs since before every motion of the tests; `parteien` are given, none are invented."""

    class Meta:
        model = Regierung
        skip_postgeneration_save = True

    parlament = factory.SubFactory(ParlamentFactory)
    von = date(2016, 5, 12)
    kopf = "Beispiel"
    sicherheit = Sicherheit.BELEGT
    quelle = "https://example.org/regierung"

    class Params:
        unsicher = factory.Trait(sicherheit=Sicherheit.UNSICHER)
        unbekannt = factory.Trait(sicherheit=Sicherheit.UNBEKANNT, kopf="", quelle="")
        von_der_redaktion = factory.Trait(von_redaktion=True)

    @factory.post_generation
    def parteien(self, create, extracted, **kwargs):
        self.parteien.set(extracted or [])


class AntragFactory(factory.django.DjangoModelFactory):
    """A motion; `einbringende=[partei, …]` gives it submitting groups."""

    class Meta:
        model = Antrag
        skip_postgeneration_save = True

    parlament = factory.SubFactory(ParlamentFactory)
    wahlperiode = factory.SubFactory(
        WahlperiodeFactory, parlament=factory.SelfAttribute("..parlament")
    )
    nummer = factory.Sequence(lambda n: str(100 + n))
    titel = factory.LazyAttribute(lambda antrag: f"Antrag Nummer {antrag.nummer}")
    datum = date(2016, 10, 12)

    @factory.post_generation
    def einbringende(self, create, extracted, **kwargs):
        for partei in extracted or []:
            UrheberFactory(antrag=self, parteien=[partei])

    @factory.post_generation
    def mit_text(self, create, extracted, **kwargs):
        """`mit_text=True` or a text: the motion has a first version with a file."""
        if extracted:
            pages = [extracted] if isinstance(extracted, str) else []
            FassungFactory(antrag=self, seiten=pages)


class UrheberFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Urheber
        skip_postgeneration_save = True

    antrag = factory.SubFactory(AntragFactory)
    roh = "Fraktion"
    art = UrheberArt.FRAKTION

    class Params:
        person = factory.Trait(roh="Alex Beispiel", art=UrheberArt.PERSON)
        landesregierung = factory.Trait(roh="Landesregierung", art=UrheberArt.REGIERUNG)

    @factory.post_generation
    def parteien(self, create, extracted, **kwargs):
        if extracted:
            self.parteien.set(extracted)
            self.roh = f"Fraktion {', '.join(partei.kuerzel for partei in extracted)}"
            self.save(update_fields=["roh"])


class FassungFactory(factory.django.DjangoModelFactory):
    """A version with a real PDF; `seiten=["text", …]` are its pages."""

    class Meta:
        model = Fassung
        exclude = ["seiten"]

    seiten: list[str] = []
    antrag = factory.SubFactory(AntragFactory)
    nr = factory.LazyAttribute(lambda fassung: fassung.antrag.fassungen.count() + 1)

    @factory.lazy_attribute
    def dokument(self):
        from tests.citations.factories import DokumentFactory

        return DokumentFactory(*self.seiten)

    class Params:
        neu = factory.Trait(bezeichnung="neu")
