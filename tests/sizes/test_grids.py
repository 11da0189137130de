"""Grids of up to 2^63 blocks: each block has its own index, findings name it, and nothing is kept for each block."""

from __future__ import annotations

import json
import pickle
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.picked import MOST_SPREAD, PART, Blocks, chosen, listed, row, spread

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n.extern .func (.param .b64 at) malloc (.param .b64 n);\n"
BODY = """
.visible .entry k(.param .u64 o) DIRECTIVES {
    .reg .b64 %d<9>; .reg .b32 %r<16>; .reg .pred %p<4>; .shared .b8 s[256];
    ld.param.u64 %d0, [o];
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %ctaid.z; mov.u32 %r3, %tid.x;
    BODY
    ret;
}
"""
INDEX = "st.global.u32 [%d0], %r0; st.global.u32 [%d0+4], %r1; st.global.u32 [%d0+8], %r2;"
MOST = (2**31 - 1, 65535, 65535)
TRAP = "trap;"


def kernel(body: str, directives: str = "") -> ws.Kernel:
    return ws.Module(HEAD + BODY.replace("DIRECTIVES", directives).replace("BODY", body))["k"]


def place(number: int, grid: Sequence[int]) -> list[int]:
    return [number % grid[0], number // grid[0] % grid[1], number // (grid[0] * grid[1])]


def test_a_block_beyond_2_to_the_32_has_its_own_index() -> None:
    stores, count = kernel(INDEX), 0
    for grid in ((2**20, 2**14, 1), MOST, (2**31 - 1, 3, 65535), (5, 65535, 65535)):
        total = grid[0] * grid[1] * grid[2]
        for number in (0, 2**32 - 1, 2**32, 2**32 + 5, 2**33 + 1, total - 1):
            if number >= total:
                continue
            out = np.zeros(3, np.uint32)
            report = stores(grid, 1, [out], blocks=[number])
            assert out.tolist() == place(number, grid) and report.blocks == (number,), (grid, number)
            count += 1
    compared("indices of blocks of large grids", count, at_least=20)


def test_clusters_beyond_2_to_the_32_have_their_own_index() -> None:
    body = (
        "mov.u32 %r4, %cluster_ctarank; mad.wide.u32 %d0, %r4, 32, %d0;"
        + INDEX
        + "".join(
            f"mov.u32 %r5, %clusterid.{axis}; st.global.u32 [%d0+{12 + 4 * i}], %r5;" for i, axis in enumerate("xyz")
        )
    )
    stores, grid, each = kernel(body), (2**20, 2**14, 4), (2, 2, 2)
    wide = grid[0] // 2, grid[1] // 2
    for block in (2**32 + 5, 2**35 + 2**32 + 7, 2**36 - 1):
        out = np.zeros((8, 8), np.uint32)
        report = stores(grid, 1, [out], blocks=[block], cluster=each)
        at = [n // 2 for n in place(block, grid)]
        assert (out[:, 3:6] == at).all() and len(report.blocks) == 8 and block in report.blocks
        assert out[:, :3].tolist() == [place(number, grid) for number in report.blocks]
        assert all(number // (wide[0] * 2) // (wide[1] * 2) // 2 == at[2] for number in report.blocks)


BOTH = [5, 2**32 + 5]
GRID = (2**20, 2**14, 1)


def test_findings_name_the_block_that_ran() -> None:
    race = kernel(INDEX)(GRID, 1, [np.zeros(3, np.uint32)], blocks=BOTH)
    (found,) = [one for one in race.findings if one.rule == "WS-RUN-019"]
    assert found.other is not None and {found.block, found.other.block} == {(5, 0, 0), (5, 4096, 0)}
    outside = kernel("st.global.u32 [%d0+12], %r0;")(GRID, 1, [np.zeros(3, np.uint32)], blocks=BOTH[1:])
    assert [(one.rule, one.block) for one in outside.findings] == [("WS-RUN-001", (5, 4096, 0))]
    assert "block (5, 4096, 0), warp 0, lane 0" in outside.findings[0].message
    reads = kernel("ld.shared.u32 %r4, [s]; st.global.u32 [%d0], %r4;")
    unwritten = reads(GRID, 1, [np.zeros(3, np.uint32)], blocks=BOTH[1:])
    assert {one.block for one in unwritten.findings} == {(5, 4096, 0)}
    leak = "{ .param .b64 a; .param .b64 b; st.param.b64 [a], 16; call (b), malloc, (a); }"
    leaks = kernel(leak)(GRID, 1, [np.zeros(3, np.uint32)], blocks=BOTH[1:])
    assert [(one.rule, one.block) for one in leaks.findings] == [("WS-RUN-029", (5, 4096, 0))]
    conflicts = kernel("shl.b32 %r4, %r3, 3; mov.u32 %r5, s; add.u32 %r4, %r4, %r5; st.shared.u32 [%r4], %r3;")
    report = conflicts(GRID, 32, [None], blocks=BOTH[1:])
    assert {one.block for one in report.findings} == {(5, 4096, 0)} and report.findings[0].rule == "WS-RUN-028"


def test_blocks_that_are_equal_in_32_bits_are_two() -> None:
    """What one of them writes and the other reads is a race; what each writes and reads is none."""
    reads = "ld.global.u32 %r4, [%d0]; add.u32 %r4, %r4, 1; st.global.u32 [%d0], %r4;"
    for blocks, rules in ((BOTH, {"WS-RUN-019"}), (BOTH[:1], set()), (BOTH[1:], set())):
        for options in ({}, {"threads": 2}):
            report = kernel(reads)(GRID, 1, [np.zeros(3, np.uint32)], blocks=blocks, **options)
            assert {one.rule for one in report.findings if one.severity == "error"} == rules
    waits = kernel("membar.gl; atom.global.add.u32 %r4, [%d0], 1;")
    assert waits(GRID, 1, [np.zeros(3, np.uint32)], blocks=BOTH).ok


def test_blocks_of_large_grids_through_an_executor() -> None:
    body = "shl.b32 %r4, %r1, 2; cvt.u64.u32 %d1, %r4; add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r0;"
    blocks = [2**20 * y + 7 + y for y in range(0, 4096, 5)]
    expected = np.zeros(4096, np.uint32)
    expected[::5] = 7 + np.arange(0, 4096, 5)
    with ThreadPoolExecutor(2) as pool:
        for options in ({}, {"executor": pool}, {"threads": 3}):
            out = np.zeros(4096, np.uint32)
            report = kernel(body)(GRID, 1, [out], blocks=blocks, **options)
            assert (out == expected).all() and report.blocks == tuple(blocks) and report.ok
    compared("blocks in pieces", 3 * len(blocks), at_least=2400)


#: blocks= and what runs, of a grid of 10
CHOICES: list[tuple[Any, tuple[int, ...]]] = [
    (None, tuple(range(10))), (4, (0, 2, 5, 7)), (1, (0,)), (10, tuple(range(10))), (11, tuple(range(10))),
    (2**63, tuple(range(10))), (np.int64(3), (0, 3, 6)), (slice(None), tuple(range(10))),
    (slice(1, None, 3), (1, 4, 7)),
    (slice(None, None, -4), (1, 5, 9)), (slice(20, 30), ()), (range(3, 6), (3, 4, 5)), (range(9, -1, -3), (0, 3, 6, 9)),
    (range(0), ()), ([7, 0, 7, 2], (0, 2, 7)), ((9,), (9,)), ([], ()), (np.array([4, 3, 4]), (3, 4)),
    (np.array([1, 2], np.uint8), (1, 2)), (np.zeros(0, np.int64), ()), ([np.int32(5)], (5,)),
]  # fmt: skip


def test_each_way_to_choose_blocks() -> None:
    count = kernel("mad.wide.u32 %d0, %r0, 4, %d0; atom.global.add.u32 %r4, [%d0], 1;")
    for blocks, expected in CHOICES:
        out = np.zeros(10, np.uint32)
        report = count(10, 1, [out], blocks=blocks)
        assert report.blocks == expected and tuple(report.blocks) == expected, blocks
        assert np.flatnonzero(out).tolist() == list(expected) and out.max(initial=0) <= 1
        assert report.to_dict()["blocks"] == list(expected)
    compared("ways to choose blocks", len(CHOICES), at_least=20)


def test_long_lists_are_sorted_once_each_unless_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    for size in (PART - 1, PART, PART + 1, 3 * PART):
        some = [7 * number % size for number in range(size)]
        for asked in ([*range(size)], some, tuple(some), [*some, *some], np.array(some), [*some[:-1], np.int32(3)]):
            assert np.array_equal(chosen(asked, MOST[0]).door[3], sorted(set(map(int, asked))))
            count += 1
    compared("long lists of blocks", count, at_least=24)
    for wrong, message in ((True, "an int, got bool"), (-1, "got -1"), (2**70, "got 1180591620717411303424")):
        with pytest.raises((ValueError, TypeError), match=message):
            chosen([*range(PART), 5, wrong, 2.5, -7], MOST[0])
    mine = np.arange(5, dtype=np.uint64)
    found = chosen(mine, 10)
    mine[:] = 9
    assert found == (0, 1, 2, 3, 4)
    calls: list[str] = []
    sort = np.sort
    monkeypatch.setattr(np, "sort", lambda numbers: calls.append("sort") or sort(numbers))
    monkeypatch.setattr(np, "unique", lambda *_: pytest.fail("it hashes, and Ctrl-C waits for it"))
    ascending = [*range(2 * PART)]
    assert len(chosen(ascending, MOST[0])) == len(ascending) and calls == []
    assert len(chosen(ascending[::-1], MOST[0])) == len(ascending) and calls == ["sort"]


class Endless(Sequence[int]):
    def __len__(self) -> int:
        return 10**12

    def __getitem__(self, index: Any) -> Any:
        return 0


WRONG: list[tuple[Any, str]] = [
    (range(10**12), "blocks: expected 0 to 2,147,483,646, got 999999999999"),
    (range(10**30), "blocks: expected 0 to 2,147,483,646, got"),
    (range(-1, 5), "blocks: expected 0 to 2,147,483,646, got -1"), (range(5, -2, -1), "blocks: expected 0 to"),
    (0, "blocks: expected 1 to"), (-3, "blocks: expected 1 to"), (True, "blocks: expected None, an int"),
    (2.0, "blocks: expected None, an int"), (b"12", "blocks: expected None, an int"),
    ([1.5], "blocks: expected an int, got float"),
    ([True], "blocks: expected an int, got bool"), ([2**31 - 1], "blocks: expected 0 to 2,147,483,646"),
    (np.array([0, 2**31 - 1]), "blocks: expected 0 to"), (np.array([-1, 5]), "blocks: expected 0 to"),
    (np.array([0.0, 1.0]), "blocks: expected an int, got float64"),
    (np.array([True]), "blocks: expected an int, got bool"),
    (slice(0, 5, 0), "blocks: expected a slice of ints"), (slice(0.5, 5), "blocks: expected a slice of ints"),
    (Endless(), "blocks: expected at most 67,108,864 indices, or a slice or a range, got 1,000,000,000,000"),
]  # fmt: skip


def test_blocks_that_are_wrong_are_refused_before_anything_is_made_of_them() -> None:
    empty, begin = kernel(""), time.perf_counter()
    for blocks, message in WRONG:
        with pytest.raises((ValueError, TypeError)) as caught:
            empty(2**31 - 1, 1, [None], blocks=blocks)
        assert str(caught.value).startswith(message), blocks
    with pytest.raises(ValueError, match=r"at most 4,294,967,296 thread blocks that are checked, got 4,294,967,297"):
        empty(MOST, 1, [None], blocks=range(7, 2**32 + 8))
    with pytest.raises(ValueError, match=r"at most 4,294,967,296 of [\d,]+, or all, got 4,294,967,297"):
        empty(MOST, 1, [None], blocks=2**32 + 1)
    assert time.perf_counter() - begin < 2.0
    compared("refused blocks", len(WRONG) + 2, at_least=20)


def most_memory() -> int:
    """Bytes that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.skipif(sys.platform == "win32", reason="needs getrusage")
def test_a_launch_keeps_nothing_for_each_of_its_blocks() -> None:
    ends = kernel(TRAP)
    ends(1, 1, [None])
    with ThreadPoolExecutor(1) as pool:
        for blocks in (None, 10**9, range(0, 2**31 - 1, 2), slice(None, None, -1)):
            for options in ({}, {"threads": 2}, {"executor": pool}):
                before, begin = most_memory(), time.perf_counter()
                report = ends(2**31 - 1, 1, [None], blocks=blocks, **options)
                text, kept = json.dumps(report.to_dict()), pickle.dumps(report)
                assert report.findings[0].rule == "WS-RUN-009" and len(text) < 20_000 and len(kept) < 20_000
                assert pickle.loads(kept).blocks == report.blocks and len(str(report)) < 5_000
                assert most_memory() - before < 50e6 and time.perf_counter() - begin < 1.0
    assert report.to_dict()["blocks"] == {"first": 0, "last": 2**31 - 2, "count": 2**31 - 1}


@pytest.mark.skipif(sys.platform == "win32", reason="needs getrusage")
def test_many_empty_blocks_leave_no_memory_behind() -> None:
    empty = kernel("")
    empty(1, 1, [None])
    before = most_memory()
    report = empty(2**17, 1, [None], check=False, count=False)
    assert report.ok and report.scale == 1 and most_memory() - before < 10e6


def test_numbers_are_a_sequence_like_a_tuple() -> None:
    spread_7 = spread(7, 2**40)
    cases: list[tuple[Any, tuple[int, ...]]] = [
        (row(range(3, 9)), tuple(range(3, 9))), (row(range(9, 3, -2)), (5, 7, 9)), (row(range(0)), ()),
        (spread_7, tuple(i * 2**40 // 7 for i in range(7))), (listed([1, 5, 2**63]), (1, 5, 2**63)),
        (Blocks(row(range(2)), (2, 1, 1), (8, 2, 1)), (0, 1, 2, 3)),
        (Blocks(row(range(1, 3)), (1, 2, 1), (2, 4, 1)), (1, 3, 4, 6)),
    ]  # fmt: skip
    for numbers, expected in cases:
        assert numbers == expected and expected == numbers and len(numbers) == len(expected)
        assert list(numbers) == list(expected) and list(reversed(numbers)) == list(reversed(expected))
        assert numbers != (*expected, 2**50) and numbers != list(expected)
        assert pickle.loads(pickle.dumps(numbers)) == numbers and repr(numbers) == repr(expected)
        assert all(number in numbers for number in expected)
        assert (2 in numbers) == (2 in expected) and 2**41 not in numbers
        for part in (
            slice(1, None),
            slice(0, 2),
            slice(None, None, 2),
            slice(None, None, -1),
            slice(3, 1),
            slice(-1, 9),
        ):
            assert numbers[part] == expected[part], (numbers, part)
        for index in range(-len(expected), len(expected)):
            assert numbers[index] == expected[index]
        with pytest.raises(IndexError):
            numbers[len(expected)]
    assert repr(row(range(10**9))) == "(0, 1, 2, ..., 999999999; 1,000,000,000 numbers)"
    assert spread(MOST_SPREAD, 2**62)[-1] == (2**32 - 1) * 2**62 // 2**32
    assert spread(2**32, MOST[0] * MOST[1] ** 2)[2**32 - 1] == (2**32 - 1) * (MOST[0] * MOST[1] ** 2) // 2**32
    assert len(row(range(4097)).to_dict()) == 3 and row(range(4096)).to_dict() == list(range(4096))
    compared("sequences of numbers", len(cases), at_least=7)
