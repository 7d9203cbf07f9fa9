"""A whole installation of its own: database, web server and queue, started and ended here."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryDirectory
from typing import cast

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test.utils import override_settings

from citations import lesetext
from gwoe.demo.processes import running
from gwoe.postgres.base import DatabaseWrapper
from gwoe.postgres.server import EmbeddedServer

WORKERS = 3
START_SECONDS = 60


@dataclass
class Betrieb:
    base: str
    server: EmbeddedServer
    web: "Popen[bytes]"
    queue: "Popen[bytes]"

    def kill_web_worker(self) -> None:
        _kill_child(self.web.pid)

    def kill_queue_worker(self) -> None:
        _kill_child(self.queue.pid)

    def restart_database(self) -> None:
        """As after a loss of power: nothing is written down before it ends."""
        self.server.stop(mode="immediate")
        self.server.ensure_running()


@contextmanager
def betrieb() -> Iterator[Betrieb]:
    """Everything inside sees its empty, migrated database; files lie in a folder that goes."""
    before = connection.settings_dict["EMBEDDED_DIR"], connection.settings_dict["NAME"]
    with (
        TemporaryDirectory(dir=settings.VAR_DIR, prefix="bench-editors-") as folder,
        ExitStack() as on,
    ):
        var = Path(folder)
        var.chmod(0o755)  # the database's own user goes through it
        _use(str(var / "postgres"), "gwoe")
        on.callback(_use, *before)
        server = cast(DatabaseWrapper, connection).server
        on.callback(server.stop)
        on.callback(connection.close)
        on.enter_context(override_settings(MEDIA_ROOT=var / "media", DEBUG=False))
        call_command("migrate", verbosity=0)
        yield on.enter_context(_started(var, server))


def _use(directory: str, name: str) -> None:
    connection.close()
    connection.settings_dict["EMBEDDED_DIR"] = directory
    connection.settings_dict["NAME"] = name
    lesetext.forget()


@contextmanager
def _started(var: Path, server: EmbeddedServer) -> Iterator[Betrieb]:
    port = _free_port()
    base = f"http://127.0.0.1:{port}"
    env = {
        "DJANGO_SETTINGS_MODULE": "gwoe.settings.dev",
        "GWOE_VAR_DIR": str(var),
        "DEBUG": "False",
        "SITE_URL": base,
        "ALLOWED_HOSTS": "127.0.0.1",
    }
    gunicorn = ("-m", "gunicorn", "gwoe.wsgi", "--workers", str(WORKERS), "--threads", "4")
    with (
        running(*gunicorn, "--bind", f"127.0.0.1:{port}", env=env, log=var / "web.log") as web,
        running("manage.py", "qcluster", env=env, log=var / "queue.log") as queue,
    ):
        _wait_for(port)
        yield Betrieb(base, server, web, queue)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("The web server does not answer.")


def _kill_child(parent: int) -> None:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)
