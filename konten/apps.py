from django.apps import AppConfig


class KontenConfig(AppConfig):
    name = "konten"
    verbose_name = "Konten"
