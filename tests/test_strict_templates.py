"""The tests' own guard against variables that do not exist."""

import pytest
from django.conf import settings
from django.template import Context, Engine, Origin, Template, VariableDoesNotExist


def render(source, folder):
    origin = Origin(str(folder / "page.html"))
    return Template(source, origin=origin, engine=Engine()).render(Context({"known": "x"}))


@pytest.mark.parametrize("source", ["{{ typo }}", "{{ known.typo }}", '{{ typo|default:"x" }}'])
def test_an_unknown_variable_fails_in_our_templates_only(source, tmp_path):
    with pytest.raises(VariableDoesNotExist):
        render(source, settings.BASE_DIR / "templates")
    assert render(source, tmp_path) in ("", "x")


def test_what_is_known_is_shown_with_its_filters():
    source = "{{ known|upper }}{% if typo %}never{% endif %}"
    assert render(source, settings.BASE_DIR / "templates") == "X"
