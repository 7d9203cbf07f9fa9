"""What pages of the apps below show of reports, without knowing them."""

from typing import Any

from django import template

from assessments.models import Assessment
from citations.models import Zitat
from meldungen.oeffentlich import hinweise_zu
from meldungen.schlange import OffeneMeldungen, may_look
from meldungen.ziel import melden_address

register = template.Library()


@register.simple_tag
def melden_adresse(assessment: Assessment, zitat: Zitat | None = None) -> str:
    return melden_address(assessment, zitat)


@register.inclusion_tag("meldungen/_hinweise.html")
def hinweise(assessment: Assessment) -> dict[str, Any]:
    return {"a": assessment, "hinweise": hinweise_zu(assessment.antrag)}


@register.inclusion_tag("meldungen/_offene.html", takes_context=True)
def offene_hinweise(context: dict[str, Any]) -> dict[str, Any]:
    """The open reports above the editors' queue, for those who may see them."""
    visible = may_look(context["request"].user)
    return {"offene": OffeneMeldungen.load() if visible else None}


@register.inclusion_tag("meldungen/_zahl.html", takes_context=True)
def zahl_der_hinweise(context: dict[str, Any]) -> dict[str, Any]:
    """The line in the side bar of the desk."""
    visible = may_look(context["request"].user)
    return {"anzahl": OffeneMeldungen.count() if visible else 0}
