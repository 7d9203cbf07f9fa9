from django.contrib import admin
from django.urls import include, path, re_path

from .api import api, unknown_address
from .api.hilfe import api_hilfe

urlpatterns = [
    path("redaktion/", admin.site.urls),
    path("api/v1/", api_hilfe),
    path("api/v1/docs", api_hilfe, name="api-hilfe"),
    path("api/v1/", api.urls),
    re_path(r"^api/(?!v1$)", unknown_address),  # /api/v1 is redirected to /api/v1/
    path("", include("meldungen.urls")),
    path("", include("assessments.urls")),
]
