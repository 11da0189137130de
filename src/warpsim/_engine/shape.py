"""What engine.Launch takes besides a program, its memory and the blocks that run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: (name, address, bytes) of arrays of global memory, of variables of shared memory, each by address; the module's
#: variables in words
Names = tuple[Sequence[tuple[str, int, int]], Sequence[tuple[str, int, int]], Sequence[str]]


@dataclass(frozen=True)
class Shape:
    """What all blocks of a launch have in common."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]  # threads
    cluster: tuple[int, int, int] | None  # blocks; None where neither launch nor kernel speak of any
    parameters: bytes
    variables: tuple[int, ...]  # their addresses, by number
    shared_bytes: int  # of a block, static and dynamic
    stack_bytes: int  # of a thread, for calls that recurse
    order: int  # the seed of the order in which warps take turns
    simd: int  # level of vector instructions
    heap: tuple[int, int]  # address, bytes
    workspace: int  # address of the zeros where the blocks of a grid meet; 0: there are none
    printed_bytes: int  # room for what the kernel prints
    counts: bool
    checks: bool
    strict: bool  # and judges what PTX asks for and libraries do without
    stops_at: int  # rules whose findings end the launch: bit n for WS-RUN-n
    names: Names  # those that messages have
    made: bytes | None  # of each step, what the machine code makes of it; None: the text counts
