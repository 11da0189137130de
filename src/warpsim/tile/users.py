"""The instructions that work on a tile: those that fill it and those that read it, any number of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, arguments
from ..errors import bad_type, bad_value
from ..instruction.base import DataMovement
from ..instruction.instruction import Instruction
from ..instruction.kinds import parse

#: what fills a tile, and what reads it
KINDS = {"store": _core.TILE_STORES, "load": _core.TILE_LOADS}
MOST = _core.SEARCH_MOST_OPS

#: addresses of one step: (lanes 0 to 31, the step's number) -> bytes from the tile's first
Addresses = Callable[[NDArray[np.int64], int], Any]


def instruction(name: str, op: DataMovement | str, kinds: tuple[str, ...]) -> DataMovement:
    """An instruction of one of these kinds, given as such or as PTX text."""
    found: Any = parse(op) if isinstance(op, str) else op
    if not isinstance(found, Instruction):
        raise bad_type(name, f"expected an Instruction or PTX text, got {type(op).__name__}")
    if not isinstance(found, DataMovement) or found.kind not in kinds:
        wrong = bad_value if isinstance(op, str) else bad_type
        raise wrong(name, f"expected {', '.join(kinds[:-1])} or {kinds[-1]}; got {found.ptx}")
    if found.space == "global":
        raise bad_value(name, f"expected an instruction on shared memory, got {found.ptx}")
    return found


@dataclass(frozen=True)
class User:
    """One instruction on a tile: `name` is "store", or "store 2" of several; `addresses` instead of the layout's."""

    kind: str
    name: str
    op: DataMovement
    addresses: Addresses | None = None


def _one(kind: str, argument: str, given: Any) -> tuple[DataMovement, Addresses | None]:
    if isinstance(given, tuple):
        if len(given) != 2 or not callable(given[1]):
            raise bad_type(argument, "expected an instruction or (instruction, function of lane and step)")
        return instruction(argument, given[0], KINDS[kind]), given[1]
    return instruction(argument, given, KINDS[kind]), None


def _of_kind(kind: str, one: Any, several: Iterable[Any]) -> list[User]:
    argument = f"{kind}s"
    if isinstance(several, str | Instruction) or not isinstance(several, Iterable):
        raise bad_type(argument, f"expected a list of instructions, got {arguments.describe(several)}")
    given = [] if one is None else [(kind, one)]
    given += [(argument, item) for item in arguments.several(argument, several, MOST)]
    found = [_one(kind, *item) for item in given]
    return [User(kind, kind if len(found) == 1 else f"{kind} {i}", *pair) for i, pair in enumerate(found, 1)]


def users(store: Any, load: Any, stores: Iterable[Any], loads: Iterable[Any]) -> list[User]:
    """All that work on a tile, those that fill it first."""
    found = [*_of_kind("store", store, stores), *_of_kind("load", load, loads)]
    if not found:
        raise TypeError("store, load: expected at least one instruction that fills or reads the tile")
    if len(found) > MOST:
        raise bad_value("stores, loads", f"expected at most {MOST} instructions, got {len(found)}")
    return found


def ops_of(kind: str, used: Sequence[User]) -> tuple[DataMovement, ...]:
    """The instructions of a kind."""
    return tuple(user.op for user in used if user.kind == kind)


def only(kind: str, found: Sequence[Any]) -> Any:
    """The one side of a kind; a ValueError unless there is exactly one."""
    if len(found) != 1:
        raise ValueError(f"{kind}: this tile has {len(found)} {kind}s; see .{kind}s")
    return found[0]
