"""A child process that does what hostile files make of the real ones, under the same limits."""

import json
import os
import sys

from citations.limits import limit_this_process


def main():
    request = json.loads(sys.stdin.buffer.readline())
    limit_this_process(memory_mb=request["memory_mb"], seconds=request["seconds"])
    match request["task"]:
        case "loop":
            while True:
                pass
        case "allocate":
            bytearray(1 << 40)
        case "crash":
            os.abort()
        case "be killed":
            os.kill(os.getpid(), 9)
        case "fail":
            raise ValueError("the words of the document")
        case "write":
            with open(request["path"], "w") as file:
                file.write("x")


if __name__ == "__main__":
    main()
