from django.contrib import admin
from django.urls import path

urlpatterns = [
    path("redaktion/", admin.site.urls),
]
