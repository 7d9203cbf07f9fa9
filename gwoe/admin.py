from django.contrib import admin


class RedaktionSite(admin.AdminSite):
    """The editors' desk: Django's stock admin under our own name and style sheet."""

    site_header = "Redaktion GWÖ-Antragsprüfer"
    site_title = "Redaktion"
    index_title = "Übersicht"
    enable_nav_sidebar = True
