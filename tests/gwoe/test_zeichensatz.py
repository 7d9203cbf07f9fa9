import pytest

from tests.assessments.seiten import published

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/", "/api/v1/assessments"])
@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "latin-1", "gibtesnicht"])
def test_a_question_is_utf_8_whatever_its_content_type_says(client, address, charset):
    published()
    headers = {"content-type": f"x/y; charset={charset}"}
    for q in ("+2AA- \\ud800", "ü"):
        response = client.get(address, {"q": q}, headers=headers)
        assert response.status_code == 200
        assert response.content == client.get(address, {"q": q}).content
