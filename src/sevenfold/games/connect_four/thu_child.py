"""Loads a getPoint library and asks it for moves: run as a program by thu.py, with nothing but the standard library.

In: one line of numbers per decision (rows, columns, tops, board, last point, blocked point). Out: `row column`.
"""

import contextlib
import ctypes
import os
import sys


class Point(ctypes.Structure):
    """What getPoint points to."""

    _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))


def main(path: str) -> None:
    """Answers until the input ends."""
    source = os.fdopen(os.dup(0), "r")
    out = os.dup(1)
    os.dup2(2, 1)  # what the library prints must not look like an answer
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def say(text: str) -> None:
        os.write(out, " ".join(text.split()).encode(errors="replace") + b"\n")

    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        return say(str(error).removeprefix(f"{path}: "))
    for name in ("getPoint", "clearPoint"):
        if not hasattr(library, name):
            return say(f"it has no function {name}")
    get, clear = library.getPoint, library.clearPoint
    get.restype = ctypes.POINTER(Point)
    clear.restype, clear.argtypes = None, [ctypes.POINTER(Point)]
    say("ready")
    for line in source:
        rows, cols, *rest = map(int, line.split())
        top = (ctypes.c_int * cols)(*rest[:cols])
        board = (ctypes.c_int * (rows * cols))(*rest[cols : cols + rows * cols])
        point = get(rows, cols, top, board, *rest[cols + rows * cols :])
        if not point:
            return say("a null pointer")
        answer = f"{point.contents.x} {point.contents.y}"
        clear(point)
        say(answer)
    return None


if __name__ == "__main__":
    main(sys.argv[1])
