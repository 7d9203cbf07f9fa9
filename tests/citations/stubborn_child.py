"""A child process that does what hostile files make of the real ones, under the same limits."""

import itertools
import json
import os
import sys
import time
from pathlib import Path

from citations.limits import limit_this_process


def loop(request):
    for _ in itertools.count():
        pass


def allocate(request):
    bytearray(1 << 40)


def crash(request):
    os.abort()


def be_killed(request):
    os.kill(os.getpid(), 9)


def fail(request):
    raise ValueError("the words of the document")


def write(request):
    Path(request["path"]).write_text("x")


def flood(request):
    for _ in itertools.count():
        os.write(1, b"x" * 65536)


def complain(request):
    for _ in range(500):
        os.write(2, b"x" * 65536)
    os.write(1, b"ok\ndone")


def wait_in_silence(request):
    os.close(1)
    os.close(2)
    time.sleep(60)


def leave_a_child_behind(request):
    if os.fork() == 0:
        time.sleep(60)


def say(request):
    os.write(1, request["answer"].encode())


if __name__ == "__main__":
    request = json.loads(sys.stdin.buffer.readline())
    limit_this_process(memory_mb=request["memory_mb"], seconds=request["seconds"])
    globals()[request["task"].replace(" ", "_")](request)
