"""The public pages. Fixed words come first: a parliament's code matches almost anything."""

from django.urls import path, re_path

from .addresses import CODE, NUMMER
from .views import bewertung, liste, texte, zitat

ANTRAG = rf"^(?P<code>{CODE})/(?P<wahlperiode>[0-9]{{1,3}})/(?P<nummer>{NUMMER})/"

urlpatterns = [
    path("", liste.liste, name="liste"),
    path("methodik/", texte.methodik, name="methodik"),
    path("korrekturen/", texte.korrekturen_liste, name="korrekturen"),
    path("daten/", texte.daten, name="daten"),
    path("impressum/", texte.impressum, name="impressum"),
    path("datenschutz/", texte.datenschutz, name="datenschutz"),
    path("barrierefreiheit/", texte.barrierefreiheit, name="barrierefreiheit"),
    path("robots.txt", texte.robots, name="robots"),
    path("sitemap.xml", texte.sitemap, name="sitemap"),
    path("zitat/<int:pk>/", zitat.zitat, name="zitat"),
    path("zitat/<int:pk>/seite.pdf", zitat.seiten_pdf, name="zitat-pdf"),
    path(
        "zitat/<int:pk>/seite-<int:index>-<int:breite>.webp", zitat.seitenbild, name="zitat-seite"
    ),
    path("zitat/<int:pk>/ausschnitt-<int:index>.webp", zitat.ausschnitt, name="zitat-ausschnitt"),
    re_path(r"^dokument/(?P<sha256>[0-9a-f]{64})\.pdf$", zitat.dokument, name="dokument"),
    re_path(rf"^(?P<code>{CODE})/$", liste.parlament, name="parlament"),
    re_path(ANTRAG + "$", bewertung.bewertung, name="bewertung"),
    re_path(
        ANTRAG + r"v(?P<version>[0-9]{1,4})/$",
        bewertung.bewertung_fassung,
        name="bewertung-fassung",
    ),
]
