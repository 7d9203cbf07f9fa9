from django.apps import AppConfig


class ProgrammeConfig(AppConfig):
    name = "programme"
    verbose_name = "Programme"
