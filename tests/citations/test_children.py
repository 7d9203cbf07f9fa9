"""Each end of a child process has its own message, and its own errors are not hidden."""

import logging

import pytest

from citations.children import ChildFailed, run_child

CHILD = "tests.citations.stubborn_child"


def run(task, **request):
    return run_child(CHILD, {"task": task, **request}, b"")


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ("loop", "dauert zu lange"),
        ("allocate", "zu viel Speicher"),
        ("be killed", "zu viel Speicher"),
        ("crash", r"abgestürzt \(Signal 6\)"),
        ("fail", r"nicht verarbeitet \(Fehler 1\)"),
    ],
)
def test_the_reason_of_a_failure_is_told(settings, task, message):
    settings.PDF_MAX_SECONDS = 1
    with pytest.raises(ChildFailed, match=message):
        run(task)


def test_a_child_that_waits_without_working_is_ended(settings):
    settings.PDF_MAX_SECONDS = -5  # the caller allows five seconds more than the child
    with pytest.raises(ChildFailed, match="dauert zu lange"):
        run("loop")


def test_the_log_says_where_the_child_failed_and_nothing_of_the_document(caplog):
    with caplog.at_level(logging.WARNING), pytest.raises(ChildFailed):
        run("fail")
    assert "stubborn_child.py" in caplog.text
    assert "ValueError" in caplog.text
    assert "words of the document" not in caplog.text


def test_a_child_writes_no_files(tmp_path):
    path = tmp_path / "written"
    with pytest.raises(ChildFailed):
        run("write", path=str(path))
    assert path.read_text() == ""
