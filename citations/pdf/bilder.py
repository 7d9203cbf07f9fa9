"""The long-lived child process that draws pages: `python -m citations.pdf.bilder`.

Protocol on standard input and output: the first line holds the limits. Then for each request one
JSON line (`{"task": …, "sha256": …, "bytes": n, …}`) and n bytes of the file, none where it is one
of the files that are still open. Answer: `ok`, `refused` or `failed`, a blank, the length, a line
feed, the result. Behind `failed` the process ends: what is left of its memory cannot be trusted.
"""

import json
import sys
import traceback
from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from citations.limits import allow_processor_time, answer_channel, limit_this_process

if TYPE_CHECKING:
    import pymupdf

# The caller (citations/bildprozess.py) counts along and sends a file again when it was closed.
FILES_OPEN = 4


class File:
    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def document(self) -> "pymupdf.Document":
        from .opening import open_pdf  # after the limits, so that the engine starts inside them

        return open_pdf(self.data)


def main() -> None:
    requests = sys.stdin.buffer
    limits = json.loads(requests.readline())
    limit_this_process(memory_mb=limits["memory_mb"], seconds=limits["life_seconds"])
    files: OrderedDict[str, File] = OrderedDict()
    with answer_channel() as channel:
        while line := requests.readline():
            request = json.loads(line)
            allow_processor_time(limits["seconds"])
            _remember(files, request["sha256"], requests.read(request["bytes"]))
            status, body = _answer(request, files[request["sha256"]])
            channel.write(f"{status} {len(body)}\n".encode() + body)
            channel.flush()
            if status == "failed":
                break


def _remember(files: OrderedDict[str, File], sha256: str, data: bytes) -> None:
    if data:
        files[sha256] = File(data)
    files.move_to_end(sha256)
    if len(files) > FILES_OPEN:
        files.popitem(last=False)


def _answer(request: dict[str, Any], file: File) -> tuple[str, bytes]:
    from .opening import Refused, engine_errors_refused

    try:
        with engine_errors_refused():
            return "ok", _perform(request, file.document)
    except Refused as refusal:
        return "refused", refusal.answer.partition(b"\n")[2]
    except Exception:  # noqa: BLE001  told to the caller, who ends this process
        return "failed", traceback.format_exc().encode()


def _perform(request: dict[str, Any], document: "pymupdf.Document") -> bytes:
    from .render import marked_page, page_image

    match request["task"]:
        case "page_image":
            return page_image(document, index=request["index"], width=request["width"])
        case "marked_page":
            return marked_page(document, index=request["index"], rects=request["rects"])
        case task:
            raise ValueError(f"unknown task {task}")


if __name__ == "__main__":
    main()
