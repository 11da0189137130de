"""What of each statement must remain in the machine code, whatever the assembler makes of the text.

The assembler drops results that nobody reads, computes a value once that the text computes twice, joins loads and
stores into wider ones of up to 16 bytes a thread, fuses a product with a sum, folds constants, moves integers to the
uniform datapath, and lets lanes meet that the text has apart. So of a statement counts at least

    fma                       one; add, sub, mul without rounding half a one (an fma makes two of them)
    sin, ex2, rcp, ...        one
    mma, ldmatrix, shfl, ...  one
    ld, st                    its bytes of a thread out of 16; volatile ones, and those counted as assembled, one
    integers, moves, jumps    none

each for 32 threads that executed it, and as often as values.py says that it must be there.
"""

from __future__ import annotations

from dataclasses import dataclass

from .._engine.statement import Row

WIDEST = 16  # bytes of a thread that the assembler joins
FLOATS = {
    "f32": "FMA", "f32x2": "FMA", "f64": "FP64", "f16": "FMA f16", "bf16": "FMA f16", "f16x2": "FMA f16",
    "bf16x2": "FMA f16",
}  # fmt: skip
FUSED, SUMS = ("fma", "mad"), ("add", "sub", "mul")
SPECIAL = ("sin", "cos", "ex2", "lg2", "rcp", "rsqrt", "sqrt", "tanh")
#: beside those of memory, and of products; each a machine instruction of its own
KEPT = ("shfl", "redux", "match", "movmatrix")
KEPT_EVENTS = ("matrix", "copy", "atomic", "exchange", "swap", "async_reduce")
BARRIERS = ("barrier", "barrier_arrive", "cluster_arrive", "cluster_wait", "warp_barrier")


@dataclass(frozen=True, slots=True)
class Use:
    """What a statement uses: `pipe` beside issue, empty for none; `least` machine instructions, `written` in the text.

    `share`: of what its access to memory was counted, how much must remain.
    """

    pipe: str
    least: float
    written: float
    share: float = 0.0


def _of_float(row: Row) -> Use | None:
    pipe = FLOATS.get(row.type)
    if row.name in SPECIAL and pipe is not None:
        return Use("XU", 1, 1)
    if pipe is None or row.name not in (*FUSED, *SUMS):
        return None
    whole = 1.0 if row.name in FUSED or row.rounds else 0.5
    return Use(pipe, whole * (0.5 if row.type in ("f16", "bf16") else 1), 1)


def _is_free(row: Row) -> bool:
    """No machine instruction: constant banks and other names of an address."""
    is_passed = row.event in ("load", "store") and row.space == "param"
    return is_passed or row.event in ("return", "call") or row.name == "cvta"


def use_of(row: Row, *, is_assembled: bool = False, is_alone: bool = False) -> Use:
    """Of one statement. `is_assembled`: counters are those of the machine code; `is_alone`: a block is one warp."""
    if _is_free(row):
        return Use("", 0, 0)
    if row.product is not None:
        return Use("tensor", 1, 1, 1)
    if row.name == "wgmma":
        return Use("", 1, 1, 1)
    if row.event in ("load", "store", "async_store"):
        share = 1.0 if is_assembled or row.is_strong else min(1.0, row.nbytes / WIDEST)
        return Use("", share, 1, share)
    if row.name in KEPT or row.event in KEPT_EVENTS:
        return Use("", 1, 1, 1)
    if row.event in BARRIERS:
        return Use("", 0 if is_alone else 1, 1)
    return _of_float(row) or Use("ALU", 0, 1)
