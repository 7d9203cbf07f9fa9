"""Pictures on disk: whole or not there, and the least recently used go first.

Several processes may use it at once: files are put in place by renaming, and one that another
process has just removed is only one that has to be made again.
"""

import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings

logger = logging.getLogger(__name__)

DIGEST_BYTES = 16
# A file that is being written is younger; an older one was left behind by a killed process.
YOUNG_SECONDS = 60
# Room is made down to this share of the limit, so that not every new picture has to make some.
KEPT_SHARE = 0.9


def cached(name: str, make: Callable[[], bytes]) -> bytes:
    """The picture of that name; made, and kept, where it is not there or damaged."""
    path = _folder() / name[:2] / name
    image = _read(path)
    if image is None:
        image = make()
        try:
            _write(path, image)
            _make_room()
        except OSError as error:  # a full disk is no reason to show no picture
            logger.warning("a picture is not kept: %s", error.strerror)
    return image


def _folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "seiten"


def _read(path: Path) -> bytes | None:
    """None for what is missing or not what was written; a file that is read counts as used."""
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    image = data[DIGEST_BYTES:]
    if data[:DIGEST_BYTES] == _digest(image):
        return image
    path.unlink(missing_ok=True)
    return None


def _write(path: Path, image: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        file.write(_digest(image) + image)
    try:
        Path(file.name).replace(path)
    except OSError:
        Path(file.name).unlink(missing_ok=True)
        raise


def _make_room() -> None:
    limit = settings.PAGE_CACHE_MB * 1024 * 1024
    files = sorted(_files())
    total = sum(size for _, size, _ in files)
    if total <= limit:
        return
    for _, size, path in files:
        if total <= limit * KEPT_SHARE:
            break
        Path(path).unlink(missing_ok=True)
        total -= size


def _files() -> Iterator[tuple[float, int, str]]:
    """(last use, size, path) of everything; what a killed process left behind grows old too."""
    young = time.time() - YOUNG_SECONDS
    for folder in os.scandir(_folder()):
        for entry in os.scandir(folder) if folder.is_dir() else ():
            with suppress(FileNotFoundError):
                stat = entry.stat()
                is_being_written = entry.name.startswith(".") and stat.st_mtime > young
                if entry.is_file() and not is_being_written:
                    yield stat.st_mtime, stat.st_size, entry.path


def _digest(image: bytes) -> bytes:
    return hashlib.blake2b(image, digest_size=DIGEST_BYTES).digest()
