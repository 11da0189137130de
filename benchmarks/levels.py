"""The instruction sets that the core may use: which there are here, and how one is forced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from warpsim import _core

from .rows import LEVELS, NO_LEVEL, ROWS, Line
from .timing import Case


def available() -> tuple[str, ...]:
    """Levels of this CPU, the best one last."""
    return tuple(level for level in LEVELS if level in _core.simd_levels())


def best() -> str:
    return available()[-1]


def force(level: str) -> None:
    """From here on, on the Python side."""
    _core.set_simd(level)


def at(level: str, case: Case) -> Case:
    """`case` with that level forced on the Python side."""

    def run(loops: int) -> object:
        force(level)
        return case(loops)

    return run


@contextmanager
def at_best() -> Iterator[None]:
    """The best level, or what is forced inside; undone behind."""
    before = _core.get_simd()
    force(best())
    try:
        yield
    finally:
        _core.set_simd(before)


def gate(key: str, level: str) -> float | None:
    """The bound of a row's ratio at `level` on this CPU."""
    return ROWS[key].gate(level, best())


def line(key: str, case: str, level: str, value: float, over: float, note: str = "") -> Line:
    """A measured line with the gate that it has to meet on this CPU."""
    return Line(ROWS[key], case, level, value, over, gate(key, level), note=note)


def no_stricter(line: Line, bound: float | None, note: str) -> Line:
    """Where the gate asks for less than `bound`, which no sound program is below, that is the gate."""
    if line.gate is None or bound is None or bound <= line.gate:
        return line
    return replace(line, gate=bound, note=note)


def without_gate(line: Line) -> Line:
    """For cases that are shown beside those that have to meet the gate."""
    return replace(line, gate=None)


def not_run(key: str, why: str) -> Line:
    return Line(ROWS[key], "", NO_LEVEL, why_not=why)


def missing(lines: Iterable[Line]) -> Iterator[Line]:
    """The levels that this CPU has not, for each row that was measured."""
    for row in {line.row.key: line.row for line in lines if line.value is not None}.values():
        for level in row.levels:
            if level in LEVELS and level not in available():
                yield Line(row, "", level, why_not=f"this CPU has no {level}")
