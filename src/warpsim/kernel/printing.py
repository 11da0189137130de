"""What kernels print: the records of vprintf as text."""

from __future__ import annotations

import re
import struct
from typing import Any

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
