"""Which products of warpgroups there are: what the assembler takes runs, and nothing else."""

import gzip
import json
import re

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import TRUTH


def text(opcode: str, operands: str) -> str:
    """A kernel of one product; `operands`: from A on."""
    n, d = re.search(r"n(\d+)k", opcode), re.search(r"k\d+(?:\.satfinite)?\.(\w+)\.", opcode)
    assert n and d
    registers = min(max(1, int(n[1]) // (4 if d[1] == "f16" else 2)), 128)
    names = ", ".join(f"%d{i}" for i in range(registers))
    return f""".version 8.6
.target sm_90a
.address_size 64
.visible .entry k()
{{
.reg .b32 %d<140>; .reg .b64 %rd<4>; .reg .pred %p<2>;
{opcode} {{{names}}}, {operands};
}}
"""


def is_taken(opcode: str, operands: str, target: str = "sm_90a") -> bool:
    try:
        kernel = ws.Module(text(opcode, operands).replace("sm_90a", target))["k"]
        return not kernel.unsupported
    except ws.PtxSyntaxError:
        return False


def test_what_the_assembler_takes_is_taken() -> None:
    verdicts = json.loads(gzip.decompress((TRUTH / "wgmma" / "form_verdicts.json.gz").read_bytes()))
    count = {True: 0, False: 0}
    for opcode, shares_a, rest, taken in verdicts["rows"]:
        a = "%rd1" if shares_a else "{%d0,%d1,%d2,%d3}"
        assert is_taken(opcode, f"{a}, %rd2{rest}") == taken, opcode
        count[taken] += 1
    compared("products of warpgroups that the assembler takes", count[True], at_least=140)
    compared("products of warpgroups that it does not take", count[False], at_least=900)


HALF = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
SPARSE = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"


@pytest.mark.parametrize(
    ("opcode", "operands", "words"),
    [
        (HALF, "%rd1, %rd2, 1, 2, 1, 0, 0", "expected 1 or -1"),
        (HALF, "%rd1, %rd2, 1, 1, 0, 0, 0", "expected 1 or -1"),
        (HALF, "%rd1, %rd2, 1, 1, 1, 2, 0", "expected 0 or 1"),
        (HALF, "%rd1, %rd2, 1, 1, 1, 0, -1", "expected 0 or 1"),
        (HALF, "%rd1, %rd2, 1, 1, 1, 0", "as many operands"),
        (HALF, "{%d0,%d1,%d2,%d3}, %rd2, 1, 1, 1, 0, 0", "as many operands"),
        (HALF, "{%d0,%d1,%d2}, %rd2, 1, 1, 1, 0", "as many registers"),
        (HALF, "%rd1, %rd2, %d1, 1, 1, 0, 0", "predicate"),
        (HALF, "%d1, %rd2, 1, 1, 1, 0, 0", "too narrow"),
        (SPARSE, "%rd1, %rd2, %d1, 1, 1, 1, 0, 0", "as many operands"),
    ],
)
def test_wrong_operand_is_an_error(opcode: str, operands: str, words: str) -> None:
    with pytest.raises(ws.PtxSyntaxError, match=words):
        ws.Module(text(opcode, operands))["k"].unsupported  # noqa: B018


def test_selector_and_target_that_do_not_exist_are_refused() -> None:
    for selector in range(4):
        assert is_taken(SPARSE, f"%rd1, %rd2, %d1, {selector}, 1, 1, 1, 0, 0") == (selector < 2)
        bytes_ = "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8"
        assert is_taken(bytes_, f"%rd1, %rd2, %d1, {selector}, 1") == (selector == 0)
    for target, taken in (("sm_90a", True), ("sm_80", False), ("sm_100a", False)):
        assert is_taken(HALF, "%rd1, %rd2, 1, 1, 1, 0, 0", target) == taken
