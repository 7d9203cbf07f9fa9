"""From untrusted drafts to motions: idempotent by parliament, Wahlperiode, number and series."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from typing import cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Field

from citations.models import Dokument
from citations.reading import GeleseneDatei, UnbrauchbaresDokument, read_file, store

from .adapters.entwurf import AntragEntwurf, Unlesbar, normalise_titel
from .drucksache import Drucksache, KeineDrucksache, parse_drucksache
from .models import Antrag, Fassung, Parlament, Partei, Urheber, Wahlperiode
from .typen import Dokumenttyp
from .urheber import Tafel, UrheberArt, UrheberEntwurf, resolve_urheber

logger = logging.getLogger(__name__)

# For about three months after a change papers of both Wahlperioden appear.
NACHLAUF = timedelta(days=90)


class UnbrauchbarerAntrag(Exception):
    """The motion is refused and nothing was written; the message says why, in German."""


class KeinAntrag(Exception):
    """The document is not a motion from the floor; the message says what it is, in German."""


@dataclass
class Bericht:
    """What an import did; one line of German text per record where there is something to say."""

    neu: int = 0
    neue_fassungen: int = 0
    unveraendert: int = 0
    uebersprungen: list[str] = field(default_factory=list)
    fehler: list[str] = field(default_factory=list)
    abweichungen: list[str] = field(default_factory=list)
    unbekannte_urheber: set[str] = field(default_factory=set)


def import_antraege(parlament: Parlament, entwuerfe: Iterable[AntragEntwurf | Unlesbar]) -> Bericht:
    """Each record in a transaction of its own: a bad one is reported and stops nothing."""
    bericht = Bericht()
    tafel = parlament.tafel()
    for entwurf in entwuerfe:
        if isinstance(entwurf, Unlesbar):
            bericht.fehler.append(f"{entwurf.kennung}: {entwurf.grund}")
            continue
        label = f"{entwurf.parlament} {entwurf.drucksache_roh}"
        try:
            _import_one(parlament, entwurf, tafel, bericht)
        except KeinAntrag as error:
            bericht.uebersprungen.append(f"{label}: {error}")
        except (UnbrauchbarerAntrag, UnbrauchbaresDokument) as error:
            bericht.fehler.append(f"{label}: {error}")
    for name in sorted(bericht.unbekannte_urheber):
        logger.warning("%s: originator unknown, kept as written: %s", parlament.code, name)
    return bericht


@dataclass(frozen=True, kw_only=True)
class Antragsangaben:
    """What somebody says about one motion; nothing of it is resolved yet.

    `urheber` is what the paper says; `parteien` are spellings of parties and are added where
    `urheber` does not name them.
    """

    parlament: Parlament
    drucksache: str
    titel: str
    datum: date
    urheber: str | Sequence[str] = ""
    parteien: Sequence[str] = ()
    typ: str = Antrag.Typ.ANTRAG
    quelle_url: str = ""

    def entwurf(self) -> AntragEntwurf:
        """Raises UnbrauchbarerAntrag."""
        return AntragEntwurf(
            parlament=self.parlament.code,
            drucksache=_parsed(self.drucksache),
            drucksache_roh=self.drucksache,
            typ=Dokumenttyp(self.typ),
            typ_roh=self.typ,
            titel=normalise_titel(self.titel),
            datum=self.datum,
            urheber_roh=(self.urheber,) if isinstance(self.urheber, str) else tuple(self.urheber),
            quelle_url=self.quelle_url,
        )


def import_antrag(pdf: bytes, angaben: Antragsangaben) -> tuple[Antrag, Fassung]:
    """One motion with its file, read first and then stored in one short transaction.

    The same again gives the same rows. Raises UnbrauchbarerAntrag and UnbrauchbaresDokument; also
    when the number is taken by a motion with other particulars, which a mistyped number looks like.
    """
    parlament, entwurf = angaben.parlament, angaben.entwurf()
    originators = _originators_of_person(entwurf, angaben.parteien, parlament.tafel())
    datei = read_file(pdf)
    with transaction.atomic():
        antrag, created = _ensure_antrag(parlament, entwurf, originators)
        if not created:
            _require_agreement(antrag, entwurf, originators)
        fassung, _ = _ensure_fassung(antrag, entwurf.drucksache, datei)
    return antrag, fassung


def find_fassung(parlament: Parlament, drucksache: str, pdf: bytes) -> Fassung | None:
    """The stored version with exactly this file. Raises UnbrauchbarerAntrag."""
    number = _parsed(drucksache)
    return Fassung.objects.filter(
        antrag__parlament=parlament,
        antrag__wahlperiode__nummer=number.wahlperiode,
        antrag__nummer=number.nummer,
        antrag__zusatz=number.zusatz,
        dokument__sha256=sha256(pdf).hexdigest(),
    ).first()


def _import_one(
    parlament: Parlament, entwurf: AntragEntwurf, tafel: Tafel, bericht: Bericht
) -> None:
    originators = _originators_of_record(entwurf, tafel, bericht)
    datei = None if entwurf.pdf is None else read_file(entwurf.pdf)
    with transaction.atomic():
        _store_one(parlament, entwurf, originators, datei, bericht)


def _store_one(
    parlament: Parlament,
    entwurf: AntragEntwurf,
    originators: Sequence[UrheberEntwurf],
    datei: GeleseneDatei | None,
    bericht: Bericht,
) -> None:
    antrag, created = _ensure_antrag(parlament, entwurf, originators)
    differences = [] if created else _differences(antrag, entwurf, originators)
    added = False
    if datei is not None:
        _, added = _ensure_fassung(antrag, entwurf.drucksache, datei)
    bericht.abweichungen += [f"{antrag}: {difference}" for difference in differences]
    bericht.neu += created
    bericht.neue_fassungen += added
    bericht.unveraendert += not (created or added)


# --- Who submitted it --------------------------------------------------------------------------


def _originators_of_record(
    entwurf: AntragEntwurf, tafel: Tafel, bericht: Bericht
) -> list[UrheberEntwurf]:
    """Members are taken only where no group stands for them: no more names than needed."""
    if entwurf.typ.value not in Antrag.Typ.values:
        raise KeinAntrag(f"Art „{entwurf.typ_roh}“")
    groups = _resolve(entwurf.urheber_roh, tafel)
    named = any(group.art == UrheberArt.FRAKTION for group in groups)
    originators = groups if named else groups + _resolve(entwurf.personen, tafel)
    if not originators:
        raise UnbrauchbarerAntrag("Die Quelle nennt keinen Urheber.")
    if not any(_is_from_the_floor(urheber) for urheber in originators):
        raise KeinAntrag(f"eingebracht von {', '.join(urheber.roh for urheber in originators)}")
    bericht.unbekannte_urheber |= {urheber.roh for urheber in originators if not urheber.bekannt}
    return originators


def _originators_of_person(
    entwurf: AntragEntwurf, parteien: Sequence[str], tafel: Tafel
) -> list[UrheberEntwurf]:
    originators = _resolve(entwurf.urheber_roh, tafel)
    named = {kuerzel for urheber in originators for kuerzel in urheber.kuerzel}
    for name in parteien:
        found = resolve_urheber(name, tafel)
        if not found or any(urheber.art != UrheberArt.FRAKTION for urheber in found):
            known = ", ".join(sorted({k for parties in tafel.kuerzel.values() for k in parties}))
            raise UnbrauchbarerAntrag(f"Die Partei „{name}“ ist nicht bekannt. Bekannt: {known}.")
        originators += [urheber for urheber in found if not named.issuperset(urheber.kuerzel)]
    if not any(urheber.art in _FLOOR for urheber in originators):
        raise UnbrauchbarerAntrag(
            "Es fehlt, wer den Antrag eingebracht hat: mindestens eine Partei oder Person."
        )
    return originators


_FLOOR = (UrheberArt.FRAKTION, UrheberArt.PERSON)


def _is_from_the_floor(urheber: UrheberEntwurf) -> bool:
    """An unknown wording is given the benefit of the doubt: an editor sees and corrects it."""
    return urheber.art in _FLOOR or not urheber.bekannt


def _resolve(texts: Iterable[str], tafel: Tafel) -> list[UrheberEntwurf]:
    return list(dict.fromkeys(u for text in texts for u in resolve_urheber(text, tafel)))


# --- The motion --------------------------------------------------------------------------------


def _parsed(drucksache: str) -> Drucksache:
    try:
        return parse_drucksache(drucksache)
    except KeineDrucksache as error:
        raise UnbrauchbarerAntrag(str(error)) from error


def _ensure_antrag(
    parlament: Parlament, entwurf: AntragEntwurf, originators: Sequence[UrheberEntwurf]
) -> tuple[Antrag, bool]:
    """The motion of that identity and whether it is new; an old one is not changed."""
    if entwurf.parlament != parlament.code:
        raise UnbrauchbarerAntrag(f"Der Satz gehört zu {entwurf.parlament}, nicht hierher.")
    number = entwurf.drucksache
    identity = {
        "parlament": parlament,
        "wahlperiode": _wahlperiode(parlament, number, entwurf.datum),
        "nummer": number.nummer,
        "zusatz": number.zusatz,
    }
    rest = {
        "typ": entwurf.typ.value,
        "titel": entwurf.titel,
        "datum": entwurf.datum,
        "quelle_url": entwurf.pdf_url or entwurf.quelle_url,
        "fremd_id": entwurf.fremd_id,
    }
    _require_valid(Antrag(**identity, **rest))
    antrag, created = Antrag.objects.get_or_create(**identity, defaults=rest)
    if created:
        _add_urheber(antrag, originators)
    return antrag, created


def _wahlperiode(parlament: Parlament, number: Drucksache, datum: date) -> Wahlperiode:
    """The number says which one; the date must be possible in it."""
    wahlperiode = parlament.wahlperioden.filter(nummer=number.wahlperiode).first()
    if wahlperiode is None:
        raise UnbrauchbarerAntrag(
            f"Die {number.wahlperiode}. Wahlperiode ist für {parlament} nicht eingetragen."
            " Sie lässt sich in der Redaktion beim Parlament ergänzen."
        )
    too_early = datum < wahlperiode.wahltag
    too_late = wahlperiode.ende is not None and datum - wahlperiode.ende > NACHLAUF
    if too_early or too_late:
        raise UnbrauchbarerAntrag(
            f"Der {datum:%d.%m.%Y} liegt nicht in der {wahlperiode.nummer}. Wahlperiode"
            f" ({parlament}). Nummer und Datum passen nicht zusammen."
        )
    return wahlperiode


def _require_valid(row: Antrag | Urheber) -> None:
    try:
        row.clean_fields(exclude=["antrag"])
    except ValidationError as error:
        reasons = [
            f"{cast(Field, row._meta.get_field(name)).verbose_name}: {' '.join(messages)}"
            for name, messages in error.message_dict.items()
        ]
        raise UnbrauchbarerAntrag(" ".join(reasons)) from error


def _add_urheber(antrag: Antrag, originators: Sequence[UrheberEntwurf]) -> None:
    parteien = Partei.objects.in_bulk(field_name="kuerzel")
    for originator in originators:
        urheber = Urheber(antrag=antrag, roh=originator.roh, art=originator.art)
        _require_valid(urheber)
        urheber.save()
        urheber.parteien.set([parteien[kuerzel] for kuerzel in originator.kuerzel])


def _differences(
    antrag: Antrag, entwurf: AntragEntwurf, originators: Sequence[UrheberEntwurf]
) -> list[str]:
    """What is stored otherwise; editors may have corrected it, so nothing is overwritten."""
    stored = {partei.kuerzel for partei in antrag.einbringende()}
    sent = {kuerzel for urheber in originators for kuerzel in urheber.kuerzel}
    pairs = [
        ("Titel", antrag.titel, entwurf.titel),
        ("Datum", f"{antrag.datum:%d.%m.%Y}", f"{entwurf.datum:%d.%m.%Y}"),
        ("Art", antrag.typ, entwurf.typ.value),
        ("Parteien", ", ".join(sorted(stored)), ", ".join(sorted(sent))),
    ]
    return [f"{name} „{new}“ statt „{old}“" for name, old, new in pairs if old != new]


def _require_agreement(
    antrag: Antrag, entwurf: AntragEntwurf, originators: Sequence[UrheberEntwurf]
) -> None:
    differences = _differences(antrag, entwurf, originators)
    if differences and not entwurf.drucksache.bezeichnung:
        raise UnbrauchbarerAntrag(
            f"{antrag} gibt es schon mit anderen Angaben: {'; '.join(differences)}."
            " Ist die Nummer richtig? Angaben lassen sich in der Redaktion ändern."
        )


# --- Its text ----------------------------------------------------------------------------------


def _ensure_fassung(
    antrag: Antrag, number: Drucksache, datei: GeleseneDatei
) -> tuple[Fassung, bool]:
    """The version with this file and whether it is new."""
    anzeige = Dokument.Anzeige(settings.ANZEIGE_ANTRAG)
    dokument = store(datei, name=_file_name(antrag), quelle_url=antrag.quelle_url, anzeige=anzeige)
    Antrag.objects.select_for_update().get(pk=antrag.pk)  # two imports must not count the same nr
    known = antrag.fassungen.filter(dokument=dokument).first()
    return (known, False) if known else (_add_fassung(antrag, number, dokument), True)


def _add_fassung(antrag: Antrag, number: Drucksache, dokument: Dokument) -> Fassung:
    newest = antrag.fassungen.order_by("-nr").first()
    if newest and newest.bezeichnung == "neu" and not number.bezeichnung:
        raise UnbrauchbarerAntrag(
            f"Von {antrag} liegt schon die Fassung „neu“ vor. Diese Datei ist die ältere, oder ihr"
            " fehlt der Zusatz -neu in der Nummer."
        )
    changed = "geänderte Datei" if newest else ""
    return antrag.fassungen.create(
        nr=newest.nr + 1 if newest else 1,
        dokument=dokument,
        bezeichnung=number.bezeichnung or changed,
    )


def _file_name(antrag: Antrag) -> str:
    return f"{antrag.parlament.code}-{antrag.drucksache}.pdf".replace("/", "-").replace(" ", "")
