"""Bulk copies of many blocks and in great number: what they leave together, and in which order they arrive."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

BLOCKS, WORDS = 6, 64
#: each block fills a tile with its number + 1 and copies it to the same place as the others do
STORES = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 to)
{
    .shared .align 128 .b8 s[256];
    .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %p;
    ld.param.u64 %rd0, [to]; mov.u32 %r0, %tid.x; mov.u32 %r1, s; mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r3, %r0, 4, %r1; add.u32 %r4, %r2, 1; st.shared.u32 [%r3], VALUE;
    fence.proxy.async.shared::cta; bar.sync 0; setp.ne.u32 %p, %r0, 0; @%p bra END;
    COPY
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END: ret;
}
"""
PLAIN = "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 256;"
REDUCTION = "cp.reduce.async.bulk.global.shared::cta.bulk_group.{} [%rd0], [%r1], 256;"
#: the last four bytes of every sixteen in block 0, the others in the rest
MASKED = """setp.eq.u32 %p, %r2, 0; mov.b16 %h, 0x0fff; @%p mov.b16 %h, 0xf000;
    cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd0], [%r1], 256, %h;"""


def in_pieces(copy: str, before: int, value: str = "%r4") -> np.ndarray:
    text = STORES.replace("COPY", copy).replace("VALUE", value).replace(".reg .pred", ".reg .b16 %h; .reg .pred")
    target = np.full(WORDS, before, np.uint32)
    with ThreadPoolExecutor(2) as pool:
        ws.Module(text)["k"](BLOCKS, WORDS, [target], target="sm_90a", executor=pool, check=False)
    return target


@pytest.mark.parametrize(
    ("op", "before", "expected"),
    [
        ("add.u32", 100, 100 + sum(range(1, BLOCKS + 1))),
        ("min.u32", 4, 1),
        ("max.s32", 2, BLOCKS),
        ("or.b32", 8, 8 | 7),
        ("xor.b32", 0, 1 ^ 2 ^ 3 ^ 4 ^ 5 ^ 6),
    ],
)
def test_reductions_of_pieces_come_to_what_they_make_together(op: str, before: int, expected: int) -> None:
    assert in_pieces(REDUCTION.format(op), before).tolist() == [expected] * WORDS
    compared("words that copies of pieces reduced", WORDS, at_least=WORDS)


def test_plain_copies_of_pieces_may_agree_and_not_differ() -> None:
    assert in_pieces(PLAIN, 0, value="7").tolist() == [7] * WORDS
    with pytest.raises(ws.ConflictingWritesError, match="byte 0 of to"):
        in_pieces(PLAIN, 0)
    with pytest.raises(ws.ConflictingWritesError, match="byte 0 of to"):
        in_pieces(f"{REDUCTION.format('add.u32')} {PLAIN}", 0)


def test_bytes_that_a_mask_leaves_out_are_not_written_by_a_piece() -> None:
    """Block 0 writes words that no other block does: those do not contradict it, and neither do they each other."""
    found = in_pieces(MASKED, 9, value="5").reshape(-1, 4)
    assert (found == 5).all()
    differ = MASKED.replace("0x0fff", "0x0000")
    assert in_pieces(differ, 9).reshape(-1, 4).tolist() == [[9, 9, 9, 1]] * (WORDS // 4)


#: a thread starts so many copies of 16 bytes, and then writes back what is there
MANY = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to, .param .u32 count)
{
    .shared .align 128 .b8 s[8192];
    .shared .align 8 .b64 bar;
    .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .pred %p;
    ld.param.u64 %rd0, [from]; ld.param.u64 %rd1, [to]; ld.param.u32 %r0, [count];
    mov.u32 %r1, bar; mov.u32 %r2, s; shl.b32 %r3, %r0, 4; mov.u32 %r4, 0;
    mbarrier.init.shared::cta.b64 [%r1], 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], %r3;
COPY:
    cvt.u64.u32 %rd2, %r4; add.u64 %rd3, %rd0, %rd2; add.u32 %r5, %r2, %r4;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd3], 16, [%r1];
    add.u32 %r4, %r4, 16; setp.lt.u32 %p, %r4, %r3; @%p bra COPY;
    WAIT
    mov.u32 %r4, 0;
BACK:
    cvt.u64.u32 %rd2, %r4; add.u64 %rd3, %rd1, %rd2; add.u32 %r5, %r2, %r4; ld.shared.u32 %r6, [%r5];
    st.global.u32 [%rd3], %r6;
    add.u32 %r4, %r4, 4; setp.lt.u32 %p, %r4, %r3; @%p bra BACK;
    ret;
}
"""
WAIT = "W: mbarrier.try_wait.parity.shared::cta.b64 %p, [%r1], 0; @!%p bra W;"


@pytest.mark.parametrize("count", [255, 256, 257, 512])
def test_however_many_copies_are_under_way_all_arrive_and_are_counted(count: int) -> None:
    source, target = np.arange(4 * count, dtype=np.uint32) + 1, np.zeros(4 * count, np.uint32)
    report = ws.Module(MANY.replace("WAIT", WAIT))["k"](1, 1, (source, target, count), target="sm_90a")
    assert target.tolist() == source.tolist() and report.findings == ()


def test_a_copy_that_is_one_too_many_arrives_at_once() -> None:
    """Copies arrive as late as they may, and 256 of a block may be under way."""
    for count in (256, 257, 300):
        source, target = np.arange(4 * count, dtype=np.uint32) + 1, np.zeros(4 * count, np.uint32)
        ws.Module(MANY.replace("WAIT", ""))["k"](1, 1, (source, target, count), target="sm_90a", check=False)
        assert target.tolist() == [0] * 1024 + source[1024:].tolist()
