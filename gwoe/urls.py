from django.contrib import admin
from django.urls import include, path

from .api import api
from .api.hilfe import api_hilfe

urlpatterns = [
    path("redaktion/", admin.site.urls),
    path("api/v1/", api_hilfe),
    path("api/v1/docs", api_hilfe, name="api-hilfe"),
    path("api/v1/", api.urls),
    path("", include("assessments.urls")),
]
