"""Targets and PTX versions by name."""

from __future__ import annotations

from . import _core, arguments, errors
from .errors import bad_type, bad_value

NO_TARGET = -1

_ROWS = {name: row for row, name in enumerate(_core.TARGETS)}
#: "8.6" -> 86, ascending
VERSIONS = {
    f"{number // 10}.{number % 10}": number
    for number in range(_core.NEWEST_PTX + 1)
    if _core.ptx_index(f"{number // 10}.{number % 10}")
}


def target_row(target: str | None) -> int:
    """The core's row of a target such as "sm_90a"; NO_TARGET for None, ValueError if unknown."""
    if target is None:
        return NO_TARGET
    if not isinstance(target, str):
        raise bad_type("target", f"expected a str such as 'sm_90', got {type(target).__name__}")
    row = _ROWS.get(str.__str__(target))
    if row is None:
        listed = ", ".join(_core.TARGETS)
        raise bad_value("target", f"expected one of {listed}; got {arguments.shown(target)}")
    return row


def named_row(target: str) -> int:
    """The core's row of a target that must be given."""
    if target is None:
        raise bad_type("target", "expected a str such as 'sm_90', got NoneType")
    return target_row(target)


def ptx_number(ptx_version: str) -> int:
    """86 for "8.6". Versions that do not exist: ValueError."""
    if not isinstance(ptx_version, str):
        raise bad_type("ptx_version", f"expected a str such as '8.6', got {type(ptx_version).__name__}")
    number = VERSIONS.get(str.__str__(ptx_version))
    if number is None:
        raise bad_value(
            "ptx_version",
            f"expected 6.0 to 6.5, 7.0 to 7.8, 8.0 to 8.8 or 9.0 to 9.5; got {arguments.shown(ptx_version)}",
        )
    return number


def row_that_takes(op: _core.Op, target: str | None) -> int:
    """target_row, or an UnsupportedError with the reason where no PTX version has `op` there."""
    row = target_row(target)
    if row != NO_TARGET and _core.min_ptx_at(op, row) == 0:
        reasons = _core.legality(op, row, _core.NEWEST_PTX)[1]
        raise errors.UnsupportedError(f"{op.ptx}: {'; '.join(reasons)}")
    return row
