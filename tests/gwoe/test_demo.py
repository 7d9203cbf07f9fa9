"""`make demo` as a visitor runs it: everything is shown, and nothing is left running."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def var_dir():
    """A place of its own for database and files, open to the database's user."""
    path = Path(tempfile.mkdtemp(prefix="gwoe-demo-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(var_dir, *arguments):
    env = {
        k: v for k, v in os.environ.items() if k not in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL")
    }
    return subprocess.Popen(
        [sys.executable, "-u", "manage.py", "demo", *arguments],
        cwd=ROOT,
        env=env | {"GWOE_VAR_DIR": str(var_dir)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def read_until(process, words, seconds=240):
    lines = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        line = process.stdout.readline()
        lines.append(line)
        if words in line or not line:
            break
    return "".join(lines)


def processes_of(var_dir):
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"GWOE_VAR_DIR={var_dir}".encode() in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            continue  # it ended while we looked
    return found


@pytest.mark.ausdauer
@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc to look at processes")
def test_the_demo_shows_the_whole_line_and_stops_cleanly(var_dir):
    port = free_port()
    process = start(var_dir, "--port", str(port))
    shown = read_until(process, "Strg-C beendet")
    assert "ML 7/2291: veröffentlicht" in shown, shown
    assert "ML 7/2318: in Prüfung" in shown
    assert " 0 widerlegt" in shown
    assert len(re.findall(r"Passwort \S{12}", shown)) == 2
    page = urllib.request.urlopen(f"http://127.0.0.1:{port}/ml/7/2291/")
    assert "Bahnstrecke" in page.read().decode()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 0, rest
    assert processes_of(var_dir) == []
    assert not (var_dir / "postgres" / "data" / "postmaster.pid").exists()

    again = start(var_dir, "--no-serve")
    shown, _ = again.communicate(timeout=240)
    assert again.returncode == 0, shown
    assert "schon bewertet" in shown
    assert "ML 7/2291: veröffentlicht" in shown
