"""Each end of a child process has its own message, and its own errors are not hidden."""

import logging
from pathlib import Path

import pytest

from citations import children
from citations.ablehnung import Ablehnung
from citations.children import ChildFailed, ChildRefused, run_child

CHILD = "tests.citations.stubborn_child"


def run(task, **request):
    return run_child(CHILD, {"task": task, **request}, b"")


@pytest.mark.parametrize(
    ("task", "art", "message"),
    [
        ("loop", Ablehnung.ZU_AUFWENDIG, "dauert zu lange"),
        ("allocate", Ablehnung.SPEICHER, "zu viel Speicher"),
        ("be killed", Ablehnung.SPEICHER, "zu viel Speicher"),
        ("crash", Ablehnung.ABSTURZ, r"abgestürzt \(Signal 6\)"),
        ("fail", Ablehnung.ABSTURZ, r"nicht verarbeitet \(Fehler 1\)"),
    ],
)
def test_the_reason_of_a_failure_is_told(settings, task, art, message):
    settings.PDF_MAX_SECONDS = 1
    with pytest.raises(ChildFailed, match=message) as failed:
        run(task)
    assert failed.value.art == art


@pytest.mark.parametrize("task", ["loop", "wait in silence", "leave a child behind"])
def test_a_child_that_does_not_end_is_ended(settings, task):
    settings.PDF_MAX_SECONDS = -4  # the caller allows five seconds more than the child
    with pytest.raises(ChildFailed, match="dauert zu lange"):
        run(task)


def test_of_an_endless_answer_only_so_much_is_read(monkeypatch):
    monkeypatch.setattr(children, "MAX_ANSWER", 1 << 20)
    with pytest.raises(ChildFailed) as failed:
        run("flood")
    assert failed.value.art == Ablehnung.ZU_GROSS


def test_complaints_without_end_do_not_hold_up_the_answer():
    assert run("complain") == b"done"


def test_a_refusal_has_its_kind_and_its_sentence():
    with pytest.raises(ChildRefused, match="Zu viele") as refused:
        run("say", answer="refused\nzu_viele_seiten\nZu viele!")
    assert refused.value.art == Ablehnung.ZU_VIELE_SEITEN


@pytest.mark.parametrize("answer", ["", "refused\nunsinn\nSo nicht.", "maybe\nleer\n"])
def test_an_answer_of_another_form_is_no_answer(answer):
    with pytest.raises(ChildFailed, match="vereinbarten Form") as failed:
        run("say", answer=answer)
    assert failed.value.art == Ablehnung.ABSTURZ


@pytest.mark.parametrize("task", ["crash", "loop", "flood", "leave a child behind"])
def test_nothing_of_a_child_is_left(settings, monkeypatch, task):
    settings.PDF_MAX_SECONDS = -4
    monkeypatch.setattr(children, "MAX_ANSWER", 1 << 20)
    started, start = [], children._start
    monkeypatch.setattr(
        children, "_start", lambda module: started.append(start(module)) or started[-1]
    )
    with pytest.raises(ChildFailed):
        run(task)
    (child,) = started
    assert child.returncode is not None
    assert all(end.closed for end in (child.stdin, child.stdout, child.stderr))
    assert not Path(f"/proc/{child.pid}").exists()


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
