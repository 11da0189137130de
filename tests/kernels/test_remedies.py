"""Notes on bank conflicts: what they claim is counted again, and is what a repaired kernel takes."""

import pickle
import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpsim as ws
from tests.support.evidence import compared
from tests.support.measured_kernels import launches, run
from tests.support.paths import EXAMPLES
from warpsim import _engine as engine
from warpsim.kernel import remedy
from warpsim.kernel.demands import CONFLICTS
from warpsim.shared import declared
from warpsim.shared.access import Takers, candidates

TRANSPOSE = EXAMPLES / "kernels" / "transpose.ptx"


def transposed(kernel: str, **options: object) -> ws.KernelReport:
    x, y = np.ones((2, 64, 64), np.float32)
    return ws.Module(TRANSPOSE)[kernel]((2, 2), (32, 8), [x, y, 64, 64], **options)


def banks(access: remedy.Access, offsets: np.ndarray) -> int:
    """Wavefronts counted word by word: in each group of lanes, the most words of a bank."""
    lanes = 32 if access.nbytes <= 4 else 128 // access.nbytes
    total = 0
    for row, used in zip(offsets, access.used, strict=True):
        for first in range(0, 32, lanes):
            here = row[first : first + lanes][used[first : first + lanes]]
            words = {int(a) // 4 + k for a in here for k in range(max(access.nbytes // 4, 1))}
            total += max(Counter(word % 32 for word in words).values(), default=0)
    return total


def test_remedy_of_a_transpose_is_the_padding_of_its_repaired_twin() -> None:
    report = transposed("transpose_square_f32")
    notes = [one for one in report.findings if one.rule == CONFLICTS]
    assert report.ok and len(notes) == 1 and notes[0].severity == "note"
    assert len(notes[0].also) == 3 and notes[0].count == 4 * 32
    assert notes[0].fix.startswith("Pad each 128 bytes by 4 bytes: ")  # no source declares its rows
    assert "16 wavefronts instead of 512" in notes[0].fix and "32 instead of 528 in those of all" in notes[0].fix
    assert not transposed("transpose_padded_f32").findings
    assert not transposed("transpose_square_f32", check=False).findings
    assert not transposed("transpose_square_f32", count=False).findings
    assert transposed("transpose_square_f32", threads=4).findings == report.findings


@pytest.mark.parametrize("group", ["classic", pytest.param("tensor", marks=pytest.mark.slow)])
def test_each_remedy_saves_what_it_claims(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claimed: list[tuple[remedy.Access, list[remedy.Access], remedy.Remedy]] = []
    best = remedy.best

    def kept(access: remedy.Access, others: list[remedy.Access], begin: int) -> remedy.Remedy | None:
        found = best(access, others, begin)
        if found is not None:
            claimed.append((access, others, found))
        return found

    monkeypatch.setattr(remedy, "best", kept)
    for launch in launches(group)[:24]:
        report, _, _ = run(launch)
        assert "findings" in vars(report)["_sought"]  # it is sought when it is read
        assert report.findings is not None and "findings" not in vars(report)["_sought"]
    for access, others, found in claimed:
        plain = [one for one in (access, *others) if one.op.kind in ("ld", "st", "ldmatrix", "stmatrix")]
        moved = [found.moved(one.offsets) for one in (access, *others)]
        for one, offsets in zip((access, *others), moved, strict=True):
            places = one.offsets[one.used]
            assert len(np.unique(offsets[one.used])) == len(np.unique(places))
            assert not (offsets[one.used] % one.nbytes != places % one.nbytes).any()
        if access in plain and access.op.kind in ("ld", "st") and access.nbytes <= 4:
            assert banks(access, access.offsets) == access.now.sum()
            assert banks(access, moved[0]) == found.wavefronts([access]) < access.now.sum()
            compared("remedies counted word by word", 1, at_least=1)
        now = sum(int(one.now.sum()) for one in (access, *others))
        assert found.wavefronts([access, *others]) < now
    assert claimed
    compared(f"remedies of conflicts, {group}", len(claimed), at_least=10)


OVERRUN = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k() {
    .reg .b32 %r<9>;
    .shared .align 16 .b8 from[512], to[512];
    mov.u32 %r0, %tid.x;
    shl.b32 %r1, %r0, 5;
    mov.u32 %r2, from;
    add.u32 %r2, %r2, %r1;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];
    mov.u32 %r3, to;
    and.b32 %r1, %r1, 511;
    add.u32 %r3, %r3, %r1;
    stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r3], {%r4, %r5, %r6, %r7};
    ret; }
"""


def test_what_was_recorded_is_sought_once_when_it_is_read() -> None:
    report, _, _ = run(next(one for one in launches("classic") if "transpose_square" in one["id"]))
    assert set(vars(report)["_sought"]) == {"findings", "recorded"} and "recorded" not in vars(report)
    recorded = report.recorded
    assert recorded and report.recorded is recorded and set(vars(report)["_sought"]) == {"findings"}
    assert pickle.loads(pickle.dumps(report)) == report and not hasattr(report, "seek")


def test_an_access_that_begins_before_the_array_of_another_is_no_part_of_its_layout() -> None:
    """The load of 1,024 bytes runs from one array into the next, which the store is told to pad."""
    notes = [one for one in ws.Module(OVERRUN)["k"](1, 32, []).findings if one.rule == CONFLICTS]
    assert notes
    compared("notes on accesses of two arrays", len(notes), at_least=1)


FILL = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
TENSOR_FILL = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"
SEND = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
TENSOR_READ = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"
PREFETCH, PRODUCT = "cp.async.bulk.prefetch.L2.global", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"


@pytest.mark.parametrize(
    ("opcodes", "filled", "left"),
    [
        ([], "", ""),
        (["ld.shared.f32", "cp.async.cg.shared.global", PREFETCH], "", ""),
        ([FILL], "", "rows"),
        ([TENSOR_FILL], "", "swizzled"),
        ([TENSOR_FILL, FILL], "", "rows"),
        ([SEND], "rows", "rows"),
        ([TENSOR_READ], "swizzled", ""),
        ([PRODUCT], "swizzled", ""),
        ([PRODUCT, FILL], "swizzled", "rows"),
    ],
)
def test_who_takes_rows_as_they_lie(opcodes: list[str], filled: str, left: str) -> None:
    """Of an array that lanes fill, and of one that they leave to copies."""
    takers = Takers.of(map(engine.row, opcodes))
    none, mask = np.zeros((1, 32), np.int64), np.full(1, 0xFFFFFFFF, np.uint32)
    load, store = (remedy.Access(op, 4, none, mask, 0) for op in (ws.Ld(type="b32"), ws.St(type="b32")))
    assert (takers.take([load, store]), takers.take([load])) == (filled, left)


@given(element=st.sampled_from((1, 2, 4, 8, 16)), unit=st.sampled_from((4, 16)), rows=st.integers(0, 63))
def test_rows_that_are_taken_are_moved_by_no_more_than_a_tensor_map_can(element: int, unit: int, rows: int) -> None:
    """CuTe's Swizzle<B, 4, 3> of bytes for rows of 32, 64 and 128 bytes, and nothing for others."""
    for pitch in (16, 32, 48, 64, 128, 256):
        assert not candidates(0, pitch, element, unit, "rows")
        layouts = candidates(0, pitch, element, unit, "swizzled")
        assert len(layouts) == (pitch in (32, 64, 128))
        at = np.arange(pitch) + rows * pitch
        bits = pitch.bit_length() - 5
        for layout in layouts:
            assert (layout.moved(at) == (at ^ ((at >> 7 & ((1 << bits) - 1)) << 4))).all()


@given(begin=st.integers(0, 4096), pitch=st.sampled_from((32, 64, 128)), offset=st.integers(0, 8192))
def test_no_remedy_moves_what_lies_before_its_array(begin: int, pitch: int, offset: int) -> None:
    for layout in candidates(begin, pitch, 2, 16):
        moved = int(layout.moved(np.array(offset)))
        assert moved == offset if offset < begin else moved >= begin


@pytest.mark.parametrize(
    ("text", "padded"),
    [
        ("#define N 32\n__shared__ float tile[16][2 * N];", "tile[16][2 * N + 4]"),
        ("const int W = 8, N = 64;\n__shared__ float tile[2 * W][W * 8];", "tile[2 * W][W * 8 + 4]"),
        ("#define N 63\n__shared__ float tile[16][N];", None),
        ("// __shared__ tile[16]: a word of it\n__shared__ float tile[16][64];", "tile[16][64 + 4]"),
        ("extern __shared__ int a[]; __shared__ float b[2], tile[16][64];", "tile[16][64 + 4]"),
        ("int a; // __shared__\n;tile[16][64] = 3;", None),
        ("#define N \\\n 64\n__shared__ float tile[16][N];", None),
        ("#define N \\q\n__shared__ float tile[16][N];", None),
        ("#define N N\n__shared__ float tile[16][N];", None),
        ("".join(f"#define A{i} {'+'.join([f'A{i + 1}'] * 20)}\n" * 9 for i in range(40))
         + "__shared__ float tile[16][A0];", None),
    ],
)  # fmt: skip
def test_a_declaration_is_padded_as_it_is_written(text: str, padded: str | None) -> None:
    """Names that lead nowhere, or everywhere, end soon."""
    assert declared.padded(text, "tile", 16 * 64 * 4, 64 * 4, 16) == padded


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["__shared__ ", "__shared__ tile[", "__shared__ float tile[N][M];\n#define N M\n", "tile["]
)
def test_a_long_text_is_searched_soon(piece: str) -> None:
    began = time.process_time()
    assert declared.padded(piece * (1_000_000 // len(piece)), "tile", 4096, 128, 4) is None
    assert time.process_time() - began < 5
