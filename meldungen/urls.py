"""Below the address of a version: `/ml/7/2318/v2/melden/?zitat=12`."""

from django.urls import re_path

from assessments.urls import ANTRAG

from . import views

FASSUNG = ANTRAG + r"v(?P<version>[0-9]{1,4})/"

urlpatterns = [
    re_path(FASSUNG + "melden/$", views.melden, name="melden"),
    re_path(FASSUNG + "melden/danke/$", views.danke, name="melden-danke"),
]
