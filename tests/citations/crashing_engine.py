"""A second engine that crashes on every file."""

import os
import sys

if __name__ == "__main__":
    sys.stdin.buffer.read()
    os.abort()
