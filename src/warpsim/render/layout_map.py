"""The picture of a layout alone: its first rows, 16 bytes a box, coloured and labelled by banks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .svg import BLACK, FAINT, MARGIN, document, text, title
from .tile_map import BANK_FILL, BANKS_A_COLOUR

LEFT, TOP, ROW, MOST_WIDE = 60, 84, 20, 96


def layout_map(contents: Mapping[str, Any]) -> str:
    """`contents`: name, axis, lines and pieces as Layout's own picture has them, how many of how many lines."""
    lines = contents["lines"]
    wide = min(MOST_WIDE, (900 - LEFT - MARGIN) // max(1, len(lines[0])))
    words = f"{contents['axis']}s of 16-byte boxes with their banks; the first {len(lines)} of {contents['of_lines']}"
    body = [
        title(contents["name"], 30),
        text(MARGIN, 52, words, f'font-size="12" fill="{FAINT}"'),
        text(MARGIN, 70, f"{contents['bytes']:,} bytes, pitch {contents['pitch']:,}", f'font-size="12" fill="{FAINT}"'),
    ]
    for number, banks in enumerate(lines):
        y = TOP + number * ROW
        body.append(text(MARGIN, y + 14, str(number), f'font-size="11" fill="{FAINT}"'))
        for place, bank in enumerate(banks):
            x, fill = LEFT + place * wide, BANK_FILL[bank // BANKS_A_COLOUR]
            body.append(f'<rect x="{x}" y="{y}" width="{wide - 1}" height="{ROW - 1}" fill="{fill}"/>')
            body.append(text(x + wide / 2, y + 14, str(bank), f'font-size="11" text-anchor="middle" fill="{BLACK}"'))
    return document(f"{contents['name']}: banks of its pieces", TOP + len(lines) * ROW + 12, body)
