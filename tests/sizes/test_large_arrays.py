"""Arrays of more than 4 GiB: every element has its place, and the array its end."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import _engine as engine

NBYTES, LANES = 5 << 30, 32
TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 array, .param .u64 first, .param .u64 step)
{
.reg .b32 %r<3>; .reg .b64 %d<4>;
ld.param.u64 %d0, [array]; ld.param.u64 %d1, [first]; ld.param.u64 %d2, [step];
mov.u32 %r0, %tid.x; cvt.u64.u32 %d3, %r0; mad.lo.u64 %d3, %d3, %d2, %d1; add.u64 %d0, %d0, %d3;
ld.global.u32 %r1, [%d0]; mad.lo.u32 %r1, %r1, 100, %r0; st.global.u32 [%d0], %r1;
ret;
}
"""


@pytest.fixture(scope="module")
def array() -> np.ndarray:
    """Zeros that take no memory until they are touched."""
    try:
        return np.zeros(NBYTES // 4, np.uint32)
    except MemoryError:
        pytest.skip("the system promises no 5 GiB")


LAST = NBYTES - 4
STEP = LAST // 31 // 4 * 4


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("first", "step"),
    [(0, STEP), (LAST, -STEP), (2**32 - 64, 4), (LAST - 31 * 4, 4), (0, 2**27 + 4)],
    ids=["upwards", "downwards", "around 4 GiB", "to the end", "to far behind 2 GiB"],
)
def test_lanes_reach_all_of_a_large_array(array: np.ndarray, first: int, step: int, check: bool) -> None:
    places = (first + np.arange(LANES) * step) // 4
    array[places] = np.arange(1, LANES + 1)
    report = ws.Module(TEXT)["k"](1, LANES, [array, first, step % 2**64], check=check)
    assert report.findings == ()
    assert [note.partition(" leave")[0].partition(" is not")[0] for note in report.notes] == (
        ["array", "read_bytes and written_bytes"] if check else ["read_bytes and written_bytes"]
    )
    assert array[places].tolist() == [100 * (lane + 1) + lane for lane in range(LANES)]
    compared("lanes in an array of 5 GiB", LANES, at_least=LANES)


@pytest.mark.parametrize(("first", "step", "lane"), [(LAST, 4, 1), (NBYTES - 31 * STEP, STEP, 31), (0, -4, 1)])
def test_a_large_array_ends_where_it_ends(array: np.ndarray, first: int, step: int, lane: int) -> None:
    (found,) = ws.Module(TEXT)["k"](1, LANES, [array, first, step % 2**64]).findings
    assert (found.rule, found.lanes[0], found.array_bytes) == ("WS-RUN-001", (lane, 0, 0), NBYTES)
    assert found.offset == first + lane * step


def test_arrays_whose_sectors_are_not_counted_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    head = ".version 8.0\n.target sm_90\n.address_size 64\n"
    kernel = ws.Module(head + ".visible .entry k(.param .u64 a, .param .u64 b) { ret; }")["k"]
    given = np.zeros(32, np.uint32), np.zeros(64, np.uint32)
    monkeypatch.setattr(engine, "ALL_TOUCHED", 10_000)
    assert not kernel(1, 1, given).notes
    monkeypatch.setattr(engine, "ALL_TOUCHED", 255)
    notes = kernel(1, 1, given).notes
    assert any("leave out b: it has 256 bytes" in note and "255 bytes of all" in note for note in notes)
    assert not kernel(1, 1, given, count=False).notes
