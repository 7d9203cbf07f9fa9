"""The child process that touches PDFs: `python -m citations.pdf.child` with limits set first.

Protocol: one JSON line on standard input (`{"task": …, "memory_mb": …, "seconds": …, …}`), then
the file's bytes until the end. Answer on standard output: `ok`, a line feed and the result; or
`refused` and, on lines of their own, the code (citations/ablehnung.py) and the German sentence. A
hostile file can crash or exhaust this process; the caller (citations/children.py) says which and
goes on.
"""

import json
import sys
from typing import Any

from citations.limits import answer_channel, limit_this_process


def main() -> None:
    request = json.loads(sys.stdin.buffer.readline())
    limit_this_process(memory_mb=request["memory_mb"], seconds=request["seconds"])
    channel = answer_channel()
    # After the limits, so that the engine starts inside them.
    from .opening import Refused, engine_errors_refused

    data = sys.stdin.buffer.read()
    try:
        with engine_errors_refused():
            answer = b"ok\n" + _perform(request, data)
    except Refused as refusal:
        answer = refusal.answer
    with channel:
        channel.write(answer)


def _perform(request: dict[str, Any], data: bytes) -> bytes:
    from .reader import read

    match request["task"]:
        case "read":
            return json.dumps(read(data, max_pages=request["max_pages"])).encode()
        case task:
            raise ValueError(f"unknown task {task}")


if __name__ == "__main__":
    main()
