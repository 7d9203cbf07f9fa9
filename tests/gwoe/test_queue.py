"""The queue's guard: whose death ends the queue, and whose does not."""

import signal
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django_q import cluster

from gwoe.management.commands import qcluster
from gwoe.sentinel import Sentinel

IDLE, BUSY, RECYCLED = -1, 900, -2
KILLED = -signal.SIGKILL


@pytest.fixture
def replaced(monkeypatch):
    """The processes that django-q2's own guard would replace."""
    replaced = []
    monkeypatch.setattr(
        cluster.Sentinel, "reincarnate", lambda self, process: replaced.append(process)
    )
    return replaced


def process(*, exitcode, timer=IDLE):
    return SimpleNamespace(name="P", exitcode=exitcode, timer=SimpleNamespace(value=timer))


def guard(*, pool=(), monitor=None):
    sentinel = object.__new__(Sentinel)  # its constructor starts processes
    sentinel.pool, sentinel.monitor = list(pool), monitor
    return sentinel


def test_an_idle_worker_s_violent_death_ends_the_queue(replaced):
    worker = process(exitcode=KILLED)
    with pytest.raises(SystemExit) as end:
        guard(pool=[worker]).reincarnate(worker)
    assert (end.value.code, replaced) == (1, [])


def test_the_monitor_s_violent_death_ends_the_queue(replaced):
    monitor = process(exitcode=KILLED)
    with pytest.raises(SystemExit):
        guard(monitor=monitor).reincarnate(monitor)


@pytest.mark.parametrize(
    "worker",
    [
        process(exitcode=KILLED, timer=BUSY),
        process(exitcode=0, timer=RECYCLED),
        process(exitcode=None, timer=0),  # out of time, still alive
        process(exitcode=1),
    ],
)
def test_any_other_worker_is_replaced(replaced, worker):
    guard(pool=[worker]).reincarnate(worker)
    assert replaced == [worker]


def test_the_pusher_is_replaced(replaced):
    pusher = process(exitcode=KILLED)
    guard().reincarnate(pusher)
    assert replaced == [pusher]


@pytest.fixture
def started(monkeypatch):
    """What the command starts instead of a cluster: the arguments of the guard's process."""
    started = []

    def start(*, target, args, **options):
        started.append(target)
        return SimpleNamespace(start=args[1].set, is_alive=lambda: True)

    context = SimpleNamespace(Process=start)
    monkeypatch.setattr(cluster, "get_mp_context", lambda: context)
    monkeypatch.setattr(cluster, "Sentinel", cluster.Sentinel)  # put back afterwards
    monkeypatch.setattr(signal, "signal", lambda *args: None)
    return started


def children(monkeypatch, *exitcodes):
    rows = [SimpleNamespace(join=lambda: None, exitcode=exitcode) for exitcode in exitcodes]
    monkeypatch.setattr(qcluster, "active_children", lambda: rows)


def test_the_command_starts_our_guard(monkeypatch, started):
    children(monkeypatch, 0)
    call_command("qcluster")
    assert started == [Sentinel]


def test_the_command_fails_when_the_queue_broke_off(monkeypatch, started):
    children(monkeypatch, 1)
    with pytest.raises(CommandError, match="abgebrochen"):
        call_command("qcluster")
