from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class GwoeConfig(AppConfig):
    name = "gwoe"
    verbose_name = "GWÖ-Antragsprüfer"


class GwoeAdminConfig(AdminConfig):
    default_site = "gwoe.admin.RedaktionSite"
