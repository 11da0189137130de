"""Reports as text for an 80-column terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._core import BANKS
from ..words import plural

LANE_CODES = "0123456789abcdefghijklmnopqrstuv"
WIDTH = 80
MOST_ABOUT = 90  # characters of what a report is of
#: terminal colours of the passes: the first one plain, later ones ever warmer
RED, BOLD, RESET = "\x1b[31m", "\x1b[1m", "\x1b[0m"
PASS_COLOURS = ("", "\x1b[33m", RED)


def tinted(words: str, style: str) -> str:
    """The lines in a terminal's style, each of them; unchanged without one."""
    return "\n".join(f"{style}{line}{RESET}" for line in words.split("\n")) if style else words


def columns(rows: Sequence[Sequence[str]], indent: str = "  ") -> str:
    """Rows of words as aligned columns."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(max(rows, key=len)))]
    lines = ("  ".join(word.ljust(widths[i]) for i, word in enumerate(row)) for row in rows)
    return "\n".join((indent + line).rstrip() for line in lines)


def wrapped(line: str, indent: str = "") -> str:
    """A sentence in lines of at most 80 characters."""
    return textwrap.fill(
        line,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def ranges(numbers: Iterable[int]) -> str:
    """0-3, 8, 10-11 for sorted numbers."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def counters(traffic: Mapping[str, Any]) -> str:
    """One line: wavefronts, ideal, conflicts, sectors, requests."""
    parts = [
        f"{plural(traffic['wavefronts'], 'wavefront')} ({traffic['ideal_wavefronts']} ideal)",
        plural(traffic["bank_conflicts"], "bank conflict"),
    ]
    if traffic["sectors"]:
        parts.append(plural(traffic["sectors"], "sector"))
    parts.append(plural(traffic["requests"], "request"))
    line = ", ".join(parts)
    for word, note in (("inexact", "approximate"), ("unknown", "no rule for")):
        if traffic[word]:
            line += f"\n  {note}: {', '.join(traffic[word])}"
    return line


def _place(elements: Sequence[Sequence[int]]) -> str:
    rows, cols = [e[1] for e in elements], [e[2] for e in elements]
    count = len(elements)
    if count == 1:
        return f"{rows[0]},{cols[0]}"
    if len(set(rows)) == 1 and cols == list(range(cols[0], cols[0] + count)):
        return f"{rows[0]},{cols[0]}-{cols[-1]}"
    if len(set(cols)) == 1 and rows == list(range(rows[0], rows[0] + count)):
        return f"{rows[0]}-{rows[-1]},{cols[0]}"
    return " ".join(f"{r},{c}" for r, c in zip(rows, cols, strict=True))


def fragment(contents: Mapping[str, Any]) -> str:
    """The lanes that give addresses, and one line per lane: what its registers hold."""
    lines = [named(contents)]
    if contents["row_lanes"]:
        lines.append(f"row addresses: lanes 0-{contents['row_lanes'] - 1}, matrix after matrix")
    return "\n".join([*lines, lane_map(contents)])


def named(contents: Mapping[str, Any]) -> str:
    """The instruction of a fragment map, and which of its operands the map is about."""
    if contents.get("operand") == "metadata":
        return f"metadata of {contents['ptx']}: rows of A, 2-bit indices of each row"
    if contents.get("operand", "").startswith("scale"):
        line = "a row of A" if contents["operand"] == "scale_a" else "a column of B"
        return f"{contents['operand']} of {contents['ptx']}: what each byte is the factor of, {line} and its chunk"
    return f"{contents['operand'].upper()} of {contents['ptx']}" if "operand" in contents else str(contents["ptx"])


def lane_map(contents: Mapping[str, Any]) -> str:
    """One line per lane: the elements (row,column) that its registers hold, low bits first."""
    elements = contents["elements"]
    wmma = contents["ptx"].startswith("wmma") or "operand" in contents
    many = contents.get("operand", "scale")[:5] != "scale" and contents["matrices"]["count"] > 1
    head = ["lane"]
    if many:
        head.append("selector" if contents["operand"] == "metadata" else "product")
    for register in range(contents["registers"]):
        matrix = elements[0][register][0][0]
        head.append(f"r{register}" if wmma else f"r{register} (matrix {matrix})")
    rows = [head]
    for lane, registers in enumerate(elements):
        which = [str(registers[0][0][0])] * many
        rows.append([str(lane), *which, *(_place(register) for register in registers)])
    row = contents["row"]
    packed = wrapped(f"a row is {row['bytes']} bytes; in registers {unpacked(row)}") if row else ""
    return (
        (packed and f"{packed}\n")
        + "elements as row,column, low bits first: 0,2-3 is row 0, columns 2 and 3\n"
        + columns(rows)
        + (_by_element(elements) if wmma and not many else "")
    )


def unpacked(row: Mapping[str, Any]) -> str:
    """What becomes of a packed row ("row" of a fragment map), in words."""
    own = {bit: n for n, places in enumerate(row["bits"]) for e, bit in places if e == 0}
    above = "its sign" if max(own) == 7 else "zeros"
    padding = sum(not places for places in row["bits"])
    words = f"a byte for each element: the {len(set(own.values()))} bits of its code, {above} above"
    return words + (f"; {padding} bits of padding, never read" if padding else "")


def _by_element(elements: Sequence[Sequence[Sequence[Sequence[int]]]]) -> str:
    """The reverse: for each row, which lane holds its columns."""
    lane_of: dict[int, dict[int, int]] = {}
    for lane, registers in enumerate(elements):
        for register in registers:
            for _, row, col in register:
                lane_of.setdefault(row, {}).setdefault(col, lane)
    lines = ["", "columns of each row, and the lane that holds them: 2-3:1 is lane 1"]
    for row, lanes in sorted(lane_of.items()):
        runs: list[list[int]] = []
        for col, lane in sorted(lanes.items()):
            if runs and runs[-1][2] == lane and runs[-1][1] == col - 1:
                runs[-1][1] = col
            else:
                runs.append([col, col, lane])
        words = " ".join(f"{a if a == b else f'{a}-{b}'}:{lane}" for a, b, lane in runs)
        lines.append(wrapped(f"row {row}: {words}", "  "))
    return "\n".join(lines)


def _pass_row(cells: Sequence[Mapping[str, int]], colour: str) -> str:
    marks = ["."] * BANKS
    for cell in cells:
        bank = cell["bank"]
        marks[bank] = LANE_CODES[cell["lane"]] if marks[bank] == "." else "+"
    row = " ".join(marks)
    return f"{colour}{row}{RESET}" if colour else row


def _crowded(cells: Sequence[Mapping[str, int]]) -> list[str]:
    """Which lanes meet in the fullest banks."""
    words: dict[int, dict[int, list[int]]] = {}
    for cell in cells:
        words.setdefault(cell["bank"], {}).setdefault(cell["word"], []).append(cell["lane"])
    most = max(len(by_word) for by_word in words.values())
    if most < 2:
        return []
    meetings: dict[str, list[int]] = {}
    for bank, by_word in sorted(words.items()):
        if len(by_word) == most:
            lanes = ", ".join("=".join(map(str, lanes)) for lanes in by_word.values())
            meetings.setdefault(lanes, []).append(bank)
    return [
        wrapped(f"bank{'s' if len(banks) > 1 else ''} {ranges(banks)}: {most} words, for lanes {lanes}", "  ")
        for lanes, banks in meetings.items()
    ]


def _heading(group: Mapping[str, Any]) -> str:
    named = group["name"].startswith("lanes")
    word = "lane" if len(group["lanes"]) == 1 else "lanes"
    lanes = "" if named else f" ({word} {ranges(group['lanes'])})"
    return f"{group['name']}{lanes}: {plural(group['wavefronts'], 'wavefront')}"


def meetings(contents: Mapping[str, Any]) -> list[str]:
    """Each group of lanes, and which of them meet in a bank: a bank report without its picture."""
    groups = contents["groups"]
    return [line for group in groups for line in (_heading(group), *_crowded(group["cells"]))]


def _group(group: Mapping[str, Any], colour: bool) -> list[str]:
    lines = [_heading(group)]
    passes = sorted({cell["pass"] for cell in group["cells"]})
    for index in passes:
        shade = PASS_COLOURS[min(index, len(PASS_COLOURS) - 1)] if colour else ""
        cells = [cell for cell in group["cells"] if cell["pass"] == index]
        lines.append(f"  pass {index:<2} {_pass_row(cells, shade)}")
    return lines + _crowded(group["cells"])


def subject(contents: Mapping[str, Any]) -> str:
    """What a report is of, and for which target; empty in reports of older versions."""
    where = contents.get("where", "")
    shown = where if len(where) <= MOST_ABOUT else f"{where[:MOST_ABOUT]} ..."
    return ", ".join(part for part in (shown, contents.get("target")) if part)


def punch_card(contents: Mapping[str, Any], colour: bool = False) -> str:
    """Per group of lanes and pass, which lane gets which bank."""
    lines = [counters(contents["traffic"])]
    if not contents["groups"]:
        return "\n".join([*lines, "no shared-memory access"])
    scale = "".join(f"{bank:<8}" for bank in range(0, BANKS, 4)).rstrip()
    lines += ["", "lane that gets each bank: 0-9, a = 10 ... v = 31; + several lanes, one word", f"  bank    {scale}"]
    for group in contents["groups"]:
        lines += _group(group, colour)
    return "\n".join(lines)
