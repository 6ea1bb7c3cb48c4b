"""TensorBoard's event files: `tensorboard --logdir RUN`.

A file is a row of records: length, its checksum, an Event message, its checksum (CRC-32C, rotated). The few fields that
a curve needs are written here byte by byte: TensorBoard's own writer is a large package to install and starts a thread,
which the processes that are forked for matches would not bear.

metrics.jsonl and ratings.jsonl are what is true. Every session writes one new file with all of their lines, which takes
the place of the older ones, so that whatever was interrupted appears once.
"""

import math
import struct
import time
from functools import cache
from typing import Any

from sevenfold.train.run import Run

GROUPS = {
    "loss": ("loss", "value_loss", "policy_loss", "l2_loss", "auxiliary_loss"),
    "policy": ("policy_entropy", "policy_correct"),
    "games": ("plies", "first_wins", "draws", "exact", "surprise"),
    "run": ("games", "positions", "steps", "window", "replay_bytes", "rate", "seconds"),
}
"""The metrics that have curves, by TensorBoard's sections."""


class Events:
    """The event file of one session."""

    def __init__(self, run: Run) -> None:
        folder = run.folder / "tensorboard"
        folder.mkdir(exist_ok=True)
        old = sorted(folder.glob("events.out.tfevents.*"))
        now = int(time.time())
        if old and (last := old[-1].name.split(".")[3]).isdigit():
            now = max(now, int(last) + 1)  # TensorBoard reads files in the order of their names
        self._path = folder / f"events.out.tfevents.{now:010d}.sevenfold"
        metrics, ratings = run.lines("metrics"), run.lines("ratings")
        self._begin = time.time() - max((float(line.get("seconds", 0)) for line in metrics), default=0.0)
        self._append(_double(1, self._begin) + _text(3, "brain.Event:2"))
        # The start of a session at step 0 tells a TensorBoard that is running to forget what it knows.
        self._append(_double(1, self._begin) + _text(7, _whole(1, 1)))
        for line in metrics:
            self.metrics(line)
        for line in ratings:
            self.rating(line, next((one for one in metrics if one.get("iteration") == line.get("iteration")), {}))
        for path in old:
            path.unlink(missing_ok=True)

    def metrics(self, line: dict[str, Any]) -> None:
        """A line of metrics.jsonl."""
        values = {f"{group}/{name}": line.get(name) for group, names in GROUPS.items() for name in names}
        if played := line.get("selfplay_seconds"):
            for name in ("evaluations", "simulations", "positions"):
                values[f"speed/{name} per actor and second"] = line.get(f"selfplay_{name}", 0) / played
        self._scalars(values, line)

    def rating(self, line: dict[str, Any], metrics: dict[str, Any]) -> None:
        """A line of ratings.jsonl, and the metrics of its iteration."""
        self._scalars({f"score/{line.get('opponent')}": line.get("score")}, metrics | line)

    def _scalars(self, values: dict[str, Any], line: dict[str, Any]) -> None:
        known = {
            name: value for name, value in values.items() if isinstance(value, int | float) and math.isfinite(value)
        }
        summary = b"".join(_text(1, _text(1, name) + _float(2, value)) for name, value in known.items())
        when = self._begin + float(line.get("seconds", 0))
        self._append(_double(1, when) + _whole(2, int(line["iteration"])) + _text(5, summary))

    def _append(self, event: bytes) -> None:
        length = struct.pack("<Q", len(event))
        with open(self._path, "ab") as file:
            file.write(length + _checksum(length) + event + _checksum(event))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _whole(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _double(number: int, value: float) -> bytes:
    return _varint(number << 3 | 1) + struct.pack("<d", value)


def _float(number: int, value: float) -> bytes:
    return _varint(number << 3 | 5) + struct.pack("<f", value)


def _text(number: int, value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


@cache
def _table() -> list[int]:
    """CRC-32C, the reflected polynomial 0x82F63B78, byte by byte."""
    out = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        out.append(byte)
    return out


def _checksum(data: bytes) -> bytes:
    table, crc = _table(), 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
