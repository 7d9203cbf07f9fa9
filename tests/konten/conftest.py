import pytest
from django.core.management import call_command

from .factories import account


@pytest.fixture(autouse=True)
def groups(db):
    call_command("setup_groups", verbosity=0)


@pytest.fixture
def leitung():
    return account("leitung", "Leitung")
