"""The WSGI entry point; production by default, because only servers import it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gwoe.settings.production")

application = get_wsgi_application()
