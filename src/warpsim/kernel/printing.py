"""What kernels print: the records of vprintf as text."""

from __future__ import annotations

import re
import struct
from typing import Any

CONVERSION = re.compile(rb"%(?:%|([-+ #0]*)(\*|\d*)(\.\*|\.\d*)?(hh|h|ll|l|z|j|t|L)?([a-zA-Z]))")


def _value(letter: str, length: bytes, raw: int) -> Any:
    if letter in "di":
        bits = 64 if length in (b"l", b"ll", b"z", b"j", b"t") else 32
        raw &= (1 << bits) - 1
        return raw - (1 << bits) if raw >> (bits - 1) else raw
    if letter in "eEfFgGaA":
        return struct.unpack("<d", raw.to_bytes(8, "little"))[0]
    return raw


def _format(record: bytes) -> str:
    end = record.index(b"\0")
    text, at = record[:end], end + 1

    def fill(match: re.Match[bytes]) -> bytes:
        nonlocal at
        flags, width, precision, length, kind = (part or b"" for part in match.groups())
        if kind == b"":
            return b"%"
        if kind == b"s":
            stop = record.index(b"\0", at)
            value, at = record[at:stop], stop + 1
            return (b"%" + flags + width + precision + b"s") % value
        raw = int.from_bytes(record[at : at + 8], "little")
        at += 8
        if kind == b"p":
            return b"0x%x" % raw
        if kind == b"c":
            return bytes([raw & 255])
        value = _value(kind.decode(), length, raw)
        if kind in b"aA":
            return float.hex(value).encode()
        letter = b"d" if kind in b"iu" else kind
        formed: bytes = (b"%" + flags + width + precision + letter) % value
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
