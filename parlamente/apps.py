from django.apps import AppConfig


class ParlamenteConfig(AppConfig):
    name = "parlamente"
    verbose_name = "Parlamente"
