"""What every connection is set to."""

import pytest
from django.db import connection


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "value"), [("work_mem", "16MB"), ("jit", "off")])
def test_a_search_has_room_in_memory_and_is_not_compiled(name, value):
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        assert cursor.fetchone() == (value,)
