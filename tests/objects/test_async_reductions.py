"""red.async: what each operation leaves in the shared memory of another block, and when it is there."""

from collections.abc import Callable

import numpy as np
import pytest

import warpsim as ws
from tests.support.clusters.ptx import SYNC, kernel
from tests.support.evidence import compared

SIGNED = 2**31
#: the operation on what is in memory and the operand, as numbers without a sign
REDUCTIONS: dict[str, Callable[[int, int], int]] = {
    "add.u32": lambda x, y: (x + y) % 2**32,
    "add.s32": lambda x, y: (x + y) % 2**32,
    "min.u32": min,
    "min.s32": lambda x, y: min(x, y, key=lambda z: z ^ SIGNED),
    "max.u32": max,
    "max.s32": lambda x, y: max(x, y, key=lambda z: z ^ SIGNED),
    "inc.u32": lambda x, y: 0 if x >= y else x + 1,
    "dec.u32": lambda x, y: y if x == 0 or x > y else x - 1,
    "and.b32": lambda x, y: x & y,
    "or.b32": lambda x, y: x | y,
    "xor.b32": lambda x, y: x ^ y,
}
MEMORY = [0, 1, 5, 6, 7, 2**31 - 1, 2**31, 2**32 - 1]
OPERANDS = [0, 6, 2**31, 2**32 - 1]
#: thread i has word i of `old` in its place, and the block of the other rank reduces it by word i of `by`
BODY = f"""
    .reg .b64 %d<9>;
    mad.wide.u32 %d0, %r1, 4, %rd1; ld.global.u32 %r20, [%d0]; ld.global.u32 %r21, [%d0+128];
    st.shared.u32 [%r8], %r20;
    setp.eq.u32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r7], 1;
    @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], 128;
    {SYNC}
    xor.b32 %r9, %r2, 1; mapa.shared::cluster.u32 %r11, %r8, %r9; mapa.shared::cluster.u32 %r12, %r7, %r9;
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.OP [%r11], %r21, [%r12];
    W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [%r7], 0; @!%p3 bra W;
    ld.shared.u32 %r14, [%r8]; add.u64 %d1, %rd2, 256; st.global.u32 [%d1], %r14;
    {SYNC}
"""


@pytest.mark.parametrize("op", REDUCTIONS)
def test_asynchronous_reductions_leave_what_their_operation_says(op: str) -> None:
    pairs = [(x, y) for x in MEMORY for y in OPERANDS]
    data = np.array([*(x for x, _ in pairs), *(y for _, y in pairs), *[0] * 64], np.uint32)
    report = ws.Module(kernel(BODY.replace("OP", op)))["kernel"](2, 32, [data], cluster=2)
    assert not [one for one in report.findings if one.severity != "note"]
    assert data[64:].tolist() == 2 * [REDUCTIONS[op](x, y) for x, y in pairs]
    compared("words reduced in another block", 64, at_least=64)
