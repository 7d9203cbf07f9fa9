from django.apps import AppConfig


class MeldungenConfig(AppConfig):
    name = "meldungen"
    verbose_name = "Hinweise"
