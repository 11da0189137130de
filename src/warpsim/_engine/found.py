"""What a launch has found, by name: what a check saw, and what ended it."""

from __future__ import annotations

from typing import NamedTuple

#: the nearest array or object, where in it the address is, and its bytes; None where nothing is known
Near = tuple[str | None, int | None, int | None]


class Stop(NamedTuple):
    """Why a block stopped, as the core has it. `own`: the rule of a matrix instruction, or -1."""

    rule: int
    own: int
    statement: int
    warp: int
    lanes: int
    block: tuple[int, int, int]
    address: int | None
    near: Near
    what: str
    where: str  # the warps stand that wait, and what they poll
    fix: str
    other: int  # the statement that it contradicts, or -1
    other_warp: int


class Found(NamedTuple):
    """What a check has found, as the core has it: two parties, or `other` is -1.

    Of an access outside of an object: its number among the variables (-1 without one), where in it, and its bytes.
    """

    rule: int
    times: int
    statement: int
    other: int
    block: int
    other_block: int
    thread: int
    other_thread: int
    lanes: int
    address: int
    nbytes: int
    space: int
    is_write: bool
    other_is_write: bool
    is_copy: bool
    other_is_copy: bool
    via: int  # the statement that read a flag, a lock or a counter without a fence; -1: none, or not known
    variable: int
    inside: int
    object_bytes: int
    is_ended: bool


class Told(NamedTuple):
    """A finding as the core tells it."""

    found: Found
    message: str
    fix: str
    near: Near
    also: list[int]  # other lines of the PTX that it is about
