"""Who hears of a launch while it runs: a function, a line on the terminal; what kernels print, as text."""

from __future__ import annotations

import re
import struct
import sys
import time
from collections.abc import Callable
from typing import Any, Literal

from ..arguments import shown
from ..characters import printable
from ..errors import bad_type

#: called as progress(blocks done, blocks); None: a line on a terminal for runs over two seconds; False: nothing
Progress = Callable[[int, int], object] | Literal[False] | None

PATIENCE, REFRESH = 2.0, 0.2  # seconds
KEPT = "\n\t"  # of what a kernel prints, besides what can be seen

CONVERSION = re.compile(rb"%(?:%|([-+ #0]*)(\*|\d*)(\.\*|\.\d*)?(hh|h|ll|l|z|j|t|L)?([a-zA-Z]))")
BITS = {b"hh": 8, b"h": 16, b"l": 64, b"ll": 64, b"z": 64, b"j": 64, b"t": 64}


def _value(letter: str, length: bytes, raw: int) -> Any:
    if letter in "eEfFgGaA":
        return struct.unpack("<d", raw.to_bytes(8, "little"))[0]
    bits = 64 if letter == "p" else BITS.get(length, 32)
    raw &= (1 << bits) - 1
    return raw - (1 << bits) if letter in "di" and raw >> (bits - 1) else raw


class _Record:
    """The values of one call of printf, one after the other."""

    def __init__(self, values: bytes) -> None:
        self._values = values

    def text(self) -> bytes:
        found, _, self._values = self._values.partition(b"\0")
        return found

    def number(self) -> int:
        found, self._values = self._values[:8], self._values[8:]
        return int.from_bytes(found, "little")

    def given(self, part: bytes) -> bytes:
        """A width or a precision, whose * is a value."""
        return part.replace(b"*", b"%d" % _value("d", b"", self.number())) if b"*" in part else part


def _format(record: bytes) -> str:
    text, _, values = record.partition(b"\0")
    left = _Record(values)

    def fill(match: re.Match[bytes]) -> bytes:
        flags, width, precision, length, kind = (part or b"" for part in match.groups())
        if kind == b"":
            return b"%"
        head = b"%" + flags + left.given(width) + left.given(precision)
        if kind == b"s":
            return (head + b"s") % left.text()
        value = _value(kind.decode(), length, left.number())
        if kind == b"p":
            return (head + b"s") % (b"0x%x" % value)
        if kind in b"aA":
            return float.hex(value).encode()
        letter = b"d" if kind in b"iu" else kind
        formed: bytes = (head + letter) % (value & 255 if kind == b"c" else value)
        return formed

    return CONVERSION.sub(fill, text).decode("utf-8", "replace")


def formatted(records: bytes) -> str:
    """All records, in the order in which they were printed."""
    parts, at = [], 0
    while at < len(records):
        size = int.from_bytes(records[at : at + 4], "little")
        parts.append(_format(records[at + 20 : at + size]))
        at += size
    return "".join(parts)


class Watch:
    """What to tell, and how much was told."""

    def __init__(self, progress: Progress, prints: bool, total: int) -> None:
        if progress is not None and progress is not False and not callable(progress):
            raise bad_type(
                "progress", f"expected None, False or a function of (blocks done, blocks); got {shown(progress)}"
            )
        self._call = progress if callable(progress) else None
        self._line = progress is None and sys.stderr is not None and sys.stderr.isatty()
        self._prints = prints
        self._total = total
        self._begin = time.monotonic()
        self._next = self._begin + PATIENCE
        self._told = -1
        self._is_shown = False

    @property
    def is_needed(self) -> bool:
        """Somebody wants to hear something."""
        return self._call is not None or self._line or self._prints

    def done(self, blocks: int, steps: int) -> None:
        """So many blocks are done, after so many warp instructions."""
        if self._call is not None and blocks != self._told:
            self._told = blocks
            self._call(blocks, self._total)
        now = time.monotonic()
        if self._line and now >= self._next:
            self._next = now + REFRESH
            self._is_shown = True
            rate = steps / (now - self._begin) / 1e6
            sys.stderr.write(f"\r{blocks:,} of {self._total:,} blocks, {rate:,.1f} million warp instructions/s\x1b[K")
            sys.stderr.flush()

    def printed(self, records: bytes) -> None:
        """The kernel has printed more."""
        if self._prints and records:
            self.clear()
            said, encoding = printable(formatted(records), KEPT), getattr(sys.stdout, "encoding", None) or "utf-8"
            print(said.encode(encoding, "backslashreplace").decode(encoding), end="", flush=True)

    def clear(self) -> None:
        """Nothing is left of the line."""
        if self._is_shown:
            self._is_shown = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Follower:
    """What a launch calls several times a second: tells a watch what is new."""

    def __init__(self, core: Any, watch: Watch) -> None:
        self._core, self._watch, self._begin = core, watch, 0

    def __call__(self) -> None:
        self._watch.done(self._core.done, self._core.steps)
        records, _ = self._core.printed_records(self._begin)
        self._begin += len(records)
        self._watch.printed(records)
