"""The embedded server: started by several at once, killed, out of reach, stopped."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from gwoe.postgres.server import EmbeddedServer, ServerError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder():
    """A folder that every user may enter; pytest's own is closed to the server's user."""
    path = Path(tempfile.mkdtemp(prefix="gwoe-pg-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def server(folder):
    server = EmbeddedServer(folder / "postgres")
    yield server
    server.stop()


def query(server, statement):
    with psycopg.connect(host=str(server.socket_dir), user="gwoe", dbname="gwoe") as connection:
        return connection.execute(statement).fetchone()


def postmaster(server):
    return int((server.data_dir / "postmaster.pid").read_text().split("\n", 1)[0])


def test_four_processes_starting_at_once_share_one_server(server):
    code = (
        "import sys; from pathlib import Path; from gwoe.postgres.server import EmbeddedServer; "
        "EmbeddedServer(Path(sys.argv[1])).ensure_running()"
    )

    def start(_):
        arguments = [sys.executable, "-c", code, str(server.home)]
        return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(start, range(4)))
    assert [result.returncode for result in results] == [0] * 4, results
    assert query(server, "SELECT 1") == (1,)


def test_a_killed_server_comes_back_with_its_rows(server):
    server.ensure_running()
    with psycopg.connect(host=str(server.socket_dir), user="gwoe", dbname="gwoe") as connection:
        connection.execute("CREATE TABLE zeilen AS SELECT generate_series(1, 1000) AS n")
    os.kill(postmaster(server), signal.SIGKILL)
    deadline = time.monotonic() + 10
    while server.is_running() and time.monotonic() < deadline:
        time.sleep(0.05)
    server.ensure_running()
    assert query(server, "SELECT count(*) FROM zeilen") == (1000,)


def test_german_and_pgvector_are_there(server):
    server.ensure_running()
    assert query(server, "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'") == (1,)
    assert query(server, "SELECT lower('ÄÖÜ')") == ("äöü",)


def test_nobody_else_can_reach_the_socket_or_the_network(server):
    server.ensure_running()
    assert stat.S_IMODE(server.socket_dir.stat().st_mode) == 0o700
    assert query(server, "SHOW listen_addresses") == ("",)


def test_a_server_in_use_is_not_stopped(server):
    server.ensure_running()
    with psycopg.connect(host=str(server.socket_dir), user="gwoe", dbname="gwoe"):
        assert not server.stop_if_unused()
    assert server.stop_if_unused()
    assert not server.is_running()


def test_no_parent_folder_is_opened_for_the_server(folder):
    closed = folder / "zu"
    closed.mkdir(mode=0o700)
    server = EmbeddedServer(closed / "var" / "postgres")
    try:
        server.ensure_running()
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700
        if os.geteuid() == 0:  # as root the data goes where the server's user can go
            assert server.home.parent == Path("/var/lib/gwoe-antragspruefer")
    finally:
        server.stop()
        shutil.rmtree(server.home)


def test_a_socket_folder_that_is_a_link_is_not_used(folder):
    server = EmbeddedServer(folder / "postgres")
    server.home.mkdir(mode=0o700)
    server.socket_dir.symlink_to(folder)
    with pytest.raises(ServerError, match="jemand anderem"):
        server._make_private_dir(server.socket_dir)


def test_a_server_without_pgvector_is_one_clear_message(tmp_path):
    """The message of the first migration, where the extension cannot be had."""
    from importlib import import_module

    from django.core.exceptions import ImproperlyConfigured

    migration = import_module("programme.migrations.0001_initial")

    class Cursor:
        def __enter__(self):
            return self

        def __exit__(self, *exc):
            return False

        def execute(self, statement):
            self.statement = statement

        def fetchone(self):
            return None

    class Editor:
        class connection:
            cursor = Cursor

    with pytest.raises(ImproperlyConfigured, match="pgvector"):
        migration.require_pgvector(None, Editor)
