"""What kernels print: the records of vprintf as text.

The core takes a value for each letter that may end a conversion, known or not. What C's printf does not
know is printed as it stands, and its values are passed over: those of the next conversions are their own.
"""

from __future__ import annotations

import math
import re
import struct
from typing import NamedTuple

#: as the core reads a format: each * takes a value, and so does what stands at the end, after lengths
UNIT = re.compile(rb"%(?:%|(?:[^A-Za-z*]*+[hlLjzt]*+\*)*+[^A-Za-z*]*+[hlLjzt]*+.?)", re.DOTALL)
CONVERSION = re.compile(rb"%([-+ #0]*+)(\*|\d*+)(\.\*|\.\d*+)?(hh?|ll?|[zjtL])?([diouxXcspfFeEgGaA])")

#: characters that are kept of what one launch prints: a width makes many of a few bytes
TEXT_MOST = 1 << 24

BITS = {b"hh": 8, b"h": 16, b"l": 64, b"ll": 64, b"z": 64, b"j": 64, b"t": 64, b"L": 64}
MANTISSA = 13  # hexadecimal digits of a double after the point


class _FullError(Exception):
    """A call prints more than there is room for."""


class _Form(NamedTuple):
    """How a conversion writes its value."""

    flags: bytes
    width: int
    precision: int | None
    kind: str

    def padded(self, head: str, body: str | bytes, zeros: bool = False) -> bytes:
        """At its width; zeros follow the head: a sign, or 0x."""
        start, rest = head.encode(), body if isinstance(body, bytes) else body.encode()
        if b"-" in self.flags:
            return (start + rest).ljust(self.width)
        if zeros and b"0" in self.flags:
            return start + rest.rjust(self.width - len(start), b"0")
        return (start + rest).rjust(self.width)

    def sign(self, is_negative: bool) -> str:
        return "-" if is_negative else "+" if b"+" in self.flags else " " if b" " in self.flags else ""

    def integer(self, raw: int, bits: int) -> bytes:
        """By d, i, u, o, x or X."""
        value, is_signed = raw & ((1 << bits) - 1), self.kind in "di"
        is_negative = is_signed and value >> (bits - 1) == 1
        digits = format((1 << bits) - value if is_negative else value, self.kind if self.kind in "oxX" else "d")
        if self.precision is not None:
            digits = "" if value == self.precision == 0 else digits.rjust(self.precision, "0")
        head = self.sign(is_negative) if is_signed else ""
        if b"#" in self.flags and self.kind == "o" and digits[:1] != "0":
            digits = f"0{digits}"
        elif b"#" in self.flags and self.kind in "xX" and value:
            head = f"0{self.kind}"
        return self.padded(head, digits, self.precision is None)

    def real(self, value: float) -> bytes:
        """By f, F, e, E, g, G, a or A."""
        head, size = self.sign(math.copysign(1, value) < 0 and not math.isnan(value)), abs(value)
        if not math.isfinite(value):
            return self.padded(head, format(size, "F" if self.kind.isupper() else "f"))
        if self.kind in "aA":
            digits = f"0x{self.hexadecimal(size)}"
            digits = digits.upper() if self.kind == "A" else digits
            return self.padded(head + digits[:2], digits[2:], True)
        point = "#" if b"#" in self.flags else ""
        precision = 6 if self.precision is None else self.precision
        return self.padded(head, f"%{point}.{precision}{self.kind}" % size, True)

    def hexadecimal(self, value: float) -> str:
        """All digits after the 0x, or as many as the precision says, the last one rounded to even."""
        lead, digits, power = re.split("[.p]", value.hex()[2:])
        digits = digits.rstrip("0")
        if self.precision is not None:
            kept = min(self.precision, MANTISSA)
            unit = 1 << 4 * (MANTISSA - kept)
            number, rest = divmod(int(lead + digits.ljust(MANTISSA, "0"), 16), unit)
            number += 2 * rest + (number & 1) > unit
            digits = format(number, f"0{kept + 1}x")
            lead, digits = digits[:1], digits[1:].ljust(self.precision, "0")
        return f"{lead}{'.' if digits or b'#' in self.flags else ''}{digits}p{power}"


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

    def given(self, digits: bytes, room: int) -> int:
        """A width or a precision, whose * is a value."""
        if digits == b"*":
            low = self.number() & 0xFFFFFFFF
            return low - (low >> 31 << 32)
        if len(digits.lstrip(b"0")) > len(str(room)):
            raise _FullError
        return int(digits or b"0")

    def formed(self, unit: bytes, room: int) -> bytes:
        """What a part of a format prints: it may be a conversion, end with one, or take values that nothing prints."""
        at = unit.rfind(b"%")
        known = CONVERSION.fullmatch(unit, at)
        for _ in range(unit.count(b"*", 0, len(unit) if known is None else at)):
            self.number()
        if known is not None:
            return unit[:at] + self.converted(known, room)
        if unit == b"%%":
            return b"%"
        if unit[-1:] == b"s":
            self.text()
        else:
            self.number()
        return unit

    def converted(self, known: re.Match[bytes], room: int) -> bytes:
        flags, width, point, length, kind = (part or b"" for part in known.groups())
        columns = self.given(width, room)
        precision = self.given(point[1:], room) if point else -1
        if max(abs(columns), precision) > room:
            raise _FullError
        flags += b"-" if columns < 0 else b""
        form = _Form(flags, abs(columns), precision if precision >= 0 else None, kind.decode())
        if kind == b"s":
            return form.padded("", self.text()[: form.precision])
        raw = self.number()
        if kind == b"c":
            return form.padded("", bytes([raw & 255]))
        if kind == b"p":
            return form.padded("", f"0x{raw:x}")
        if kind in b"diouxX":
            return form.integer(raw, BITS.get(length, 32))
        value: float = struct.unpack("<d", raw.to_bytes(8, "little"))[0]
        return form.real(value)


def _format(record: bytes, room: int) -> str:
    """What one call prints; _FullError if that is more than so many bytes."""
    text, _, values = record.partition(b"\0")
    left, taken = _Record(values), len(text)

    def fill(match: re.Match[bytes]) -> bytes:
        nonlocal taken
        found = left.formed(match[0], room)
        taken += len(found) - len(match[0])
        if taken > room:
            raise _FullError
        return found

    return UNIT.sub(fill, text).decode("utf-8", "replace")


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
