"""One packed row: its bits in memory, and the bytes that they become in registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .svg import BLACK, FAINT, FRAME, GUIDE, KINDS, MARGIN, MONO, SLOT, WIDTH, text
from .text import unpacked

ROW = 768  # pixels of a row in memory, and of its bytes in registers
LEFT = (WIDTH - ROW) // 2
STRIP = 26
FALL = 40  # from memory to registers
BYTE_BITS = 8

Sources = dict[tuple[int, int], int]  # (element, bit of its byte) -> bit of the row


def packed_row(
    row: Mapping[str, Any], holders: Mapping[tuple[int, int, int], Sequence[tuple[int, int, int]]], y: int
) -> tuple[list[str], int]:
    """The pieces of the picture at y, and the y below them.

    `row` is the "row" of `FragmentMap.to_dict()`; `holders` say where its elements go.
    """
    bits = len(row["bits"])
    source: Sources = {(element, bit): n for n, places in enumerate(row["bits"]) for element, bit in places}
    padding = next((n for n in range(bits) if not any(row["bits"][n:])), bits)
    memory, registers = y + 34, y + 34 + STRIP + FALL
    pieces = [
        _heading(y, "row 0 in memory", f"{row['bytes']} bytes, bit 0 on the left"),
        _ruler(row["bytes"], memory - 6),
        *(_element(row, source, element, memory, registers) for element in range(row["elements"])),
        *_padding(bits, padding, memory),
        _holders_of(row["elements"], holders, registers + STRIP),
    ]
    y = registers + STRIP + 52
    pieces.append(_heading(y, "in registers", unpacked(row)))
    return pieces, y + 14


def _heading(y: int, name: str, words: str) -> str:
    return (
        f'<text x="{MARGIN}" y="{y}" font-size="13"><tspan font-weight="600">{name}</tspan>'
        f'<tspan dx="8" fill="{FAINT}">{words}</tspan></text>'
    )


def _ruler(nbytes: int, y: int) -> str:
    """The byte numbers over the row in memory."""
    pitch = ROW / nbytes
    numbers = "".join(f'<text x="{LEFT + (byte + 0.5) * pitch:g}" y="{y}">{byte}</text>' for byte in range(nbytes))
    edges = "".join(f"M{LEFT + byte * pitch:g} {y - 8}v13" for byte in range(nbytes + 1))
    return (
        f'<g font-size="11" fill="{FAINT}" text-anchor="middle">{numbers}'
        f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">byte</text>'
        f'<path d="{edges}" stroke="{GUIDE}"/></g>'
    )


def _element(row: Mapping[str, Any], source: Sources, element: int, memory: int, registers: int) -> str:
    """One element: its bits in memory, its byte in the register, and the way between."""
    bit, fill = ROW / len(row["bits"]), KINDS[element % len(KINDS)]
    own = {b: source[element, b] for b in range(BYTE_BITS) if (element, b) in source}
    first, last = min(own.values()), max(own.values())
    width = last - first + 1
    x, pitch = LEFT + first * bit, ROW / row["elements"]
    to = LEFT + element * pitch
    low = to + width * pitch / BYTE_BITS
    bottom = memory + STRIP
    above = "sign" if len(own) > width else "0" * (BYTE_BITS - width)
    tooltip = f"element {element}: bits {first}-{last} of the row, bits 0-{width - 1} of its byte"
    return (
        f'<path d="M{x:g} {bottom}H{x + width * bit:g}L{low:g} {registers}H{to:g}Z" fill="{fill}"'
        ' fill-opacity="0.35"/>'
        f'<g fill="{fill}"><rect x="{x + 0.5:g}" y="{memory}" width="{width * bit - 1:g}"'
        f' height="{STRIP}"><title>{tooltip}</title></rect>'
        f'<rect x="{to + 0.5:g}" y="{registers}" width="{low - to - 0.5:g}" height="{STRIP}">'
        f"<title>{tooltip}</title></rect></g>"
        f'<rect x="{low:g}" y="{registers}" width="{to + pitch - low - 0.5:g}" height="{STRIP}"'
        f' fill="{SLOT}"/>'
        f'<g text-anchor="middle" font-size="11" fill="{BLACK}" pointer-events="none">'
        f'<text x="{x + width * bit / 2:g}" y="{memory + 17}">{element}</text>'
        f'<text x="{(to + low) / 2:g}" y="{registers + 17}">{element}</text></g>'
        f'<text x="{(low + to + pitch) / 2:g}" y="{registers + 17}" font-size="9" fill="{FAINT}"'
        f' text-anchor="middle" font-family="{MONO}">{above}</text>'
        + _ticks(range(first + 1, last + 1), LEFT, bit, memory)
        + _ticks(range(1, width), to, pitch / BYTE_BITS, registers)
    )


def _ticks(places: range, x: float, pitch: float, y: int) -> str:
    """Short marks between bits."""
    marks = "".join(f"M{x + place * pitch:g} {y + STRIP}v-4" for place in places)
    return f'<path d="{marks}" stroke="{BLACK}" stroke-opacity="0.45"/>'


def _padding(bits: int, first: int, memory: int) -> list[str]:
    """The end of the row that nothing reads."""
    if first == bits:
        return []
    x, width = LEFT + first * ROW / bits, (bits - first) * ROW / bits
    return [
        f'<rect x="{x + 0.5:g}" y="{memory + 0.5}" width="{width - 1:g}" height="{STRIP - 1}"'
        f' fill="{SLOT}" stroke="{GUIDE}" stroke-dasharray="4 3"/>',
        text(
            x + width / 2,
            memory + 17,
            f"padding, {bits - first} bits",
            f'font-size="11" fill="{FAINT}" text-anchor="middle"',
        ),
    ]


def _holders_of(elements: int, holders: Mapping[tuple[int, int, int], Sequence[tuple[int, int, int]]], y: int) -> str:
    """Under the bytes: who holds those of row 0 of matrix 0."""
    pitch = ROW / elements
    words = []
    for element in range(elements):
        lane, register, field = holders[0, 0, element][0]
        x = LEFT + (element + 0.5) * pitch
        words.append(f'<text x="{x:g}" y="{y + 15}">lane {lane}</text>')
        words.append(f'<text x="{x:g}" y="{y + 28}">r{register}.{field}</text>')
    return (
        f'<g font-size="10" fill="{FAINT}" text-anchor="middle">{"".join(words)}'
        f'<path d="M{LEFT} {y + 0.5}h{ROW}" stroke="{FRAME}"/></g>'
    )
