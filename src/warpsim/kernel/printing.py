"""What kernels print: the records of vprintf as text."""

from __future__ import annotations

import re
import struct
from typing import Any

CONVERSION = re.compile(rb"%(?:%|([-+ #0]*)(\*|\d*)(\.\*|\.\d*)?(hh|h|ll|l|z|j|t|L)?([a-zA-Z]))")


#: characters that are kept of what one launch prints: a width makes many of a few bytes
TEXT_MOST = 1 << 24

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


class _FullError(Exception):
    """A call prints more than there is room for."""


def _format(record: bytes, room: int) -> str:
    """What one call prints; _FullError if that is more than so many bytes."""
    text, _, values = record.partition(b"\0")
    left, taken = _Record(values), len(text)

    def bounded(part: bytes) -> bytes:
        given = left.given(part)
        digits = given.lstrip(b".-").lstrip(b"0")
        if len(digits) > len(str(room)) or int(digits or b"0") > room:
            raise _FullError
        return given

    def formed(match: re.Match[bytes]) -> bytes:
        flags, width, precision, length, kind = (part or b"" for part in match.groups())
        if kind == b"":
            return b"%"
        head = b"%" + flags + bounded(width) + bounded(precision)
        if kind == b"s":
            return (head + b"s") % left.text()
        value = _value(kind.decode(), length, left.number())
        if kind == b"p":
            return (head + b"s") % (b"0x%x" % value)
        if kind in b"aA":
            return float.hex(value).encode()
        letter = b"d" if kind in b"iu" else kind
        found: bytes = (head + letter) % (value & 255 if kind == b"c" else value)
        return found

    def fill(match: re.Match[bytes]) -> bytes:
        nonlocal taken
        found = formed(match)
        taken += len(found) - len(match[0])
        if taken > room:
            raise _FullError
        return found

    return CONVERSION.sub(fill, text).decode("utf-8", "replace")


def formatted(records: bytes, room: int | None = None) -> tuple[str, int]:
    """All records, in the order in which they were printed, until one has no room; and how many calls are left out."""
    parts: list[str] = []
    at, lost, room = 0, 0, TEXT_MOST if room is None else room
    while at < len(records):
        size = int.from_bytes(records[at : at + 4], "little")
        try:
            parts.append("" if lost else _format(records[at + 20 : at + size], room))
            room -= len(parts[-1])
        except _FullError:
            lost = 1
        else:
            lost += lost > 0
        at += size
    return "".join(parts), lost
