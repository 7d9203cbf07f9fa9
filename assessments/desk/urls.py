"""The addresses of the desk, below those of the queue in the admin."""

from django.contrib import admin
from django.urls import URLPattern, path

from .belege import entscheiden, pruefen, seitenbild
from .eigenurteil import eigenurteil
from .hilfe import hilfe
from .mein_name import mein_name
from .rahmen import View
from .redigieren import aendern, felder, texte, vergleiche, verlauf
from .reservieren import reservieren, uebernehmen
from .schritte import berichtigen, neu_bewerten, schritt
from .stelle import neu, stelle
from .unterschiede import am_tisch, unterschiede


def urls() -> list[URLPattern]:
    return [
        _route("<int:pk>/pruefen/", pruefen, "pruefen"),
        _route("<int:pk>/beleg/<int:beleg>/stelle/", stelle, "stelle"),
        _route("<int:pk>/beleg/<int:beleg>/<str:verb>/", entscheiden, "entscheiden"),
        _route("<int:pk>/neu/<str:teil>/<int:teil_pk>/<str:seite>/", neu, "neu"),
        _route("<int:pk>/aendern/<str:teil>/<int:teil_pk>/", aendern, "aendern"),
        _route("<int:pk>/felder/", felder, "felder"),
        _route("<int:pk>/modell-und-redaktion/", am_tisch, "unterschiede"),
        _route("<int:pk>/unterschiede/", unterschiede, "alle_unterschiede"),
        _route("<int:pk>/berichtigen/", berichtigen, "berichtigen"),
        _route("<int:pk>/neu-bewerten/", neu_bewerten, "neu_bewerten"),
        _route("mein-name/", mein_name, "mein_name"),
        _route("<int:pk>/vergleiche/", vergleiche, "vergleiche"),
        _route("<int:pk>/texte/", texte, "texte"),
        _route("<int:pk>/verlauf/", verlauf, "verlauf"),
        _route("<int:pk>/eigenurteil/", eigenurteil, "eigenurteil"),
        _route("<int:pk>/reservieren/", reservieren, "reservieren"),
        _route("<int:pk>/uebernehmen/", uebernehmen, "uebernehmen"),
        _route("<int:pk>/schritt/<str:verb>/", schritt, "schritt"),
        _route("hilfe/", hilfe, "hilfe"),
        path(
            "seite/<int:dokument>/<int:index>/",
            admin.site.admin_view(seitenbild, cacheable=True),
            name="assessments_pruefauftrag_seite",
        ),
    ]


def _route(pattern: str, view: View, name: str) -> URLPattern:
    return path(pattern, admin.site.admin_view(view), name=f"assessments_pruefauftrag_{name}")
