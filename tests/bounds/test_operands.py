"""Each operand of each form of real kernels in turn replaced by what does not belong there: refused, or harmless.

A number as destination once wrote the row of the constant that all statements read, or the predicate that guards them.
"""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared, rows
from tests.support.statements import kernel, statement

HOSTILE = (
    "7", "0", "-1", "0f3F800000", "1.5", "WARP_SZ", "p1", "!p2", "-p1", "r1", "-r2", "r1+4", "r1.b0", "h1", "d1", "q1",
    "f1", "%tid.x", "-%ntid.x", "%is_explicit_cluster", "_", "{r1, r2}", "{7}", "{_, _}", "[sm]", "[d0+8]", "[7]",
    "[r1.b0]", "sm", "sm+4", "cm", "pl", "fn", "fn2", "done", "r1|p1", "_|p1", "(r1)",
)  # fmt: skip
#: what the numbers of all statements and the predicate that guards them are then
SENTINEL = """
ld.param.u64 d96, [po]; mov.u32 r98, 7; add.u32 r98, r98, 0; mov.b32 r97, 0; setp.eq.u32 p7, r98, 7;
@p7 st.global.v2.u32 [d96+4088], {r98, r97};"""
HELD = np.array([7, 0], np.uint32)


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where each operand of a statement stands, and each element of those in braces."""
    begin, depth = text.find(" ") + 1, 0
    if begin == 0:
        return
    for at in range(begin, len(text)):
        if text[at] in ",;" and depth == 0:
            yield begin, at
            begin = at + 2
        depth += (text[at] in "{[(") - (text[at] in "}])")
    for found in re.finditer(r"(?<=[{ ])\w+(?=[,}])", text):
        yield found.span()


def tried(opcode: str, target: str, seen: Counter[str]) -> None:
    text = statement(opcode)
    for begin, end in pieces(text):
        for hostile in HOSTILE:
            changed = f"{text[:begin]}{hostile}{text[end:]}"
            memory = np.zeros(4096, np.uint8)
            try:
                report = ws.Module(kernel(changed + SENTINEL, target))["k"](
                    1, 32, [memory], max_steps=200, progress=False, check=len(seen) % 2 == 0
                )
            except (ws.WarpsimError, ValueError) as error:
                seen[type(error).__name__] += 1
                continue
            seen["ran"] += 1
            if not report.ended and report.steps < 200 and "bra" not in opcode:
                assert np.array_equal(memory[4088:].view(np.uint32), HELD), changed


def of(target: str) -> list[str]:
    column = f"kernels_{target.rstrip('a')}"
    return [row["form"] for row in rows("forms") if int(row[column]) and not row["form"].startswith("tcgen05")]


@pytest.mark.parametrize(
    ("target", "step"),
    [
        ("sm_80", 16),
        pytest.param("sm_80", 1, marks=pytest.mark.slow),
        pytest.param("sm_90a", 1, marks=pytest.mark.slow),
    ],
)
def test_an_operand_that_does_not_belong_there_is_refused_or_harmless(target: str, step: int) -> None:
    seen: Counter[str] = Counter()
    for opcode in of(target)[::step]:
        tried(opcode, target, seen)
    print(seen)
    assert seen["ran"] and seen["PtxSyntaxError"] > 4 * len(of(target)[::step])
    compared("operands that do not belong there", sum(seen.values()), at_least=1500 * (1 if step > 1 else 10))
