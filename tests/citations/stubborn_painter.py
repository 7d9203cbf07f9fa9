"""A long-lived child that does what hostile files make of the real one, in its own loop."""

import os
import sys
import time

from citations.pdf import bilder


def loop():
    while True:
        pass


def babble():
    os.write(0, b"what?\n")  # both ends of the protocol are one socket
    sys.exit()


ANSWERS = {
    "echo": lambda file: ("ok", file.data),
    "pid": lambda file: ("ok", str(os.getpid()).encode()),
    "refuse": lambda file: ("refused", b"kein_pdf\nDas ist keine PDF-Datei."),
    "loop": lambda file: loop(),
    "sleep": lambda file: time.sleep(60),
    "crash": lambda file: os.abort(),
    "leave": lambda file: os._exit(0),
    "babble": lambda file: babble(),
    "allocate": lambda file: answer({"task": "allocate"}, NoDocument()),
    "fail": lambda file: answer({"task": "fail"}, NoDocument()),
}


def fail(request, document):
    if request["task"] == "allocate":
        bytearray(1 << 40)
    raise ValueError("the words of the document")


class NoDocument:
    document = None


answer = bilder._answer

if __name__ == "__main__":
    bilder._perform = fail
    bilder._answer = lambda request, file: ANSWERS[request["task"]](file)
    bilder.main()
