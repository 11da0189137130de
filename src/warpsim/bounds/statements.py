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

import re
from collections.abc import Sequence
from dataclasses import dataclass

WIDEST = 16  # bytes of a thread that the assembler joins
FLOATS = {
    "f32": "FMA", "f32x2": "FMA", "f64": "FP64", "f16": "FMA f16", "bf16": "FMA f16", "f16x2": "FMA f16",
    "bf16x2": "FMA f16",
}  # fmt: skip
SUMS = ("add", "sub", "mul")
ROUNDINGS = {"rn", "rz", "rm", "rp"}
SPECIAL = ("sin", "cos", "ex2", "lg2", "rcp", "rsqrt", "sqrt", "tanh")
#: beside those of memory, and of products; each a machine instruction of its own
KEPT = ("shfl", "redux", "match", "movmatrix", "ldmatrix", "stmatrix", "cp.async.ca", "cp.async.cg", "atom", "red")
#: no machine instruction: constant banks and other names of an address
FREE = ("ld.param", "st.param", "cvta", "ret", "call")
WAITING = ("bar.", "barrier.")
VOLATILE = (".volatile", ".relaxed", ".acquire", ".release", ".mmio", ".weak.cv")
VECTOR = re.compile(r"\.v(\d)\b")
TYPE = re.compile(r"(?:[busf]|bf)(\d+)(x2)?$")


@dataclass(frozen=True, slots=True)
class Use:
    """What a statement uses: `pipe` beside issue, empty for none; `least` machine instructions, `written` in the text.

    `share`: of what its access to memory was counted, how much must remain.
    """

    pipe: str
    least: float
    written: float
    share: float = 0.0


def _bytes(opcode: str) -> int:
    """Bytes that a thread loads or stores."""
    element = TYPE.match(opcode.rpartition(".")[2])
    vector = VECTOR.search(opcode)
    if element is None:
        return 0
    return int(element[1]) // 8 * (2 if element[2] else 1) * (int(vector[1]) if vector else 1)


def _of_float(words: Sequence[str]) -> Use | None:
    name, kind = words[0], words[-1]
    pipe = FLOATS.get(kind)
    if name in SPECIAL and pipe is not None:
        return Use("XU", 1, 1)
    if pipe is None or name not in ("fma", "mad", *SUMS):
        return None
    whole = 1.0 if name in ("fma", "mad") or ROUNDINGS & set(words) else 0.5
    return Use(pipe, whole * (0.5 if kind in ("f16", "bf16") else 1), 1)


def use_of(opcode: str, *, is_assembled: bool = False, is_alone: bool = False) -> Use:
    """Of one statement. `is_assembled`: counters are those of the machine code; `is_alone`: a block is one warp."""
    words = opcode.split(".")
    if opcode.startswith(FREE):
        return Use("", 0, 0)
    if words[0] in ("mma", "wgmma") or opcode.startswith("wmma.mma"):
        is_product = words[0] != "wgmma" or words[1] == "mma_async"
        return Use("tensor" if is_product else "", 1, 1, 1)
    if words[0] in ("ld", "ldu", "st"):
        is_fixed = is_assembled or any(word in opcode for word in VOLATILE)
        share = 1.0 if is_fixed else min(1.0, _bytes(opcode) / WIDEST)
        return Use("", share, 1, share)
    if words[0] == "wmma" or opcode.startswith(KEPT):
        return Use("", 1, 1, 1)
    if opcode.startswith(WAITING):
        return Use("", 0 if is_alone else 1, 1)
    return _of_float(words) or Use("ALU", 0, 1)
