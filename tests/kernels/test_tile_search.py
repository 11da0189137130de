"""Layouts for whole tiles: what a search claims is counted again, and is what the rewritten kernel takes."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.support.evidence import compared
from tests.support.measured_kernels import launches, run
from tests.support.paths import EXAMPLES
from warpsim import cli
from warpsim.kernel.report import KernelReport
from warpsim.shared.access import Access, Remedy
from warpsim.shared.tiles import Recorded, grouped

TRANSPOSE = EXAMPLES / "kernels" / "transpose.ptx"

#: a tile of ROWS x COLS words: filled by rows, read by columns or by rows of a quarter; AT is where an element lies
SOURCE = """
extern "C" __global__ void moved(const unsigned *x, unsigned *y) {
    __shared__ unsigned tile[WORDS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int row = warp; row < ROWS; row += 4)
        for (int col = lane; col < COLS; col += 32) tile[AT(row, col)] = x[row * COLS + col];
    __syncthreads();
    for (int i = warp; i < ROWS * COLS / 32; i += 4) {
        int place = i * 32 + lane;
        int row = READS ? place % ROWS : place / 4 % ROWS;
        int col = READS ? place / ROWS : place / 4 / ROWS * 4 + place % 4;
        y[row * COLS + col] = tile[AT(row, col)];
    }
}
"""


def moved(rows: int, cols: int, reads: int, layout: ws.Layout | None) -> KernelReport:
    """The kernel with its tile in a layout; None: rows one after the other."""
    pitch, swizzle = cols + (layout.pad if layout else 0), layout.swizzle if layout else None
    index = f"((r) * {pitch} + (c))"
    if swizzle is not None:
        assert swizzle.S > 0
        index = f"({index} ^ ({index} >> {swizzle.S + swizzle.M} & {(1 << swizzle.B) - 1}) << {swizzle.M})"
    words = layout.nbytes // 4 if layout else rows * cols
    defined = {"ROWS": rows, "COLS": cols, "READS": reads, "WORDS": words, "AT(r, c)": index}
    kernel = ws.compile(SOURCE, options=[f"-D{name}={value}" for name, value in defined.items()])["moved"]
    x, y = np.arange(rows * cols, dtype=np.uint32), ws.uninitialized(rows * cols, np.uint32)
    report: KernelReport = kernel(1, 128, [x, y])
    assert report.ok and np.array_equal(y, x)
    return report


@pytest.mark.parametrize(("rows", "cols", "reads"), [(32, 32, 1), (64, 16, 1), (32, 64, 0), (64, 48, 1), (128, 8, 0)])
def test_rewritten_kernel_takes_what_was_promised(rows: int, cols: int, reads: int) -> None:
    before = moved(rows, cols, reads, None)
    (tile,) = before.tile_search()
    assert before.traffic.wavefronts == tile.wavefronts
    assert (tile.array, tile.begin, tile.pitch, tile.element) == ("tile", 0, cols * 4, 4)
    assert tile.saved > 0 and tile.layout is not None and len(tile.stores) >= 1 and len(tile.loads) >= 1
    after = moved(rows, cols, reads, tile.layout)
    assert abs(after.traffic.wavefronts - tile.then) <= tile.then * 0.1
    (again,) = after.tile_search() if after.traffic.bank_conflicts else [None]
    assert again is None or again.saved * 10 < tile.saved
    compared("kernels rewritten as a tile search says", 1, at_least=1)


def test_transposes_tile_is_swizzled() -> None:
    x, y = np.ones((2, 64, 64), np.float32)
    search = ws.Module(TRANSPOSE)["transpose_square_f32"]((2, 2), (32, 8), [x, y, 64, 64]).tile_search()
    (tile,) = search
    assert search.wavefronts == tile.wavefronts == 4 * (4 * 32 + 4 * 1024) // 4
    assert search.saved == tile.saved == 4224 - 256 and tile.then == tile.ideal_wavefronts == 256
    assert tile.layout == ws.Layout(32, 32, "f32", swizzle=ws.Swizzle(5, 0, 5))
    assert [use.kind for use in tile.uses] == ["store"] * 4 + ["load"] * 4
    assert all(use.then == use.ideal_wavefronts == 32 for use in tile.uses)
    assert tile.searched == ws.Layout(32, 32, "f32") and tile.searched_wavefronts == 4224  # it reads by rows
    padded = ws.Module(TRANSPOSE)["transpose_padded_f32"]((2, 2), (32, 8), [x, y, 64, 64])
    assert padded.traffic.wavefronts == 256 and padded.tile_search().saved == 0
    assert "no other layout saves wavefronts" in str(padded.tile_search())


@pytest.mark.slow
@pytest.mark.parametrize("group", ["classic", "tensor"])
def test_tiles_of_measured_kernels_are_counted_again(group: str) -> None:
    """Every tile: its layout permutes its bytes, and its uses take what the report counted."""
    tiles = saving = 0
    for launch in launches(group):
        report = run(launch)[0]
        search = report.tile_search()
        assert sum(tile.wavefronts for tile in search) <= search.wavefronts == report.traffic.wavefronts
        for tile in search:
            tiles += 1
            assert tile.then == sum(use.then for use in tile.uses) <= tile.wavefronts
            assert tile.ideal_wavefronts <= tile.wavefronts and tile.uses
            if tile.layout is None:
                assert tile.saved == 0
                continue
            saving += 1
            assert tile.saved > 0 and tile.layout.rows * tile.layout.cols * tile.element >= tile.nbytes
            rows, cols = np.indices((tile.layout.rows, tile.layout.cols))
            places = tile.layout(rows, cols)
            assert len(np.unique(places)) == places.size
            remedy = Remedy(0, tile.pitch, tile.element, tile.layout.pad * tile.element, tile.layout.swizzle)
            assert np.array_equal(remedy.moved(rows * tile.pitch + cols * tile.element), places)
    compared(f"tiles of measured kernels, {group}", tiles, at_least=10)
    compared(f"tiles with a better layout, {group}", saving, at_least=5)


@pytest.mark.slow
def test_matrix_tiles_are_swizzled_as_the_search_says() -> None:
    reports = [run(launch)[0] for launch in launches("tensor")]
    plain = {r.kernel: r.tile_search() for r in reports if r.kernel.endswith("_plain")}
    assert {"mma_f16_plain", "stmatrix_plain"} <= set(plain)
    for search in plain.values():
        for tile in search:
            if tile.saved:
                assert tile.layout == tile.searched and tile.then == tile.ideal_wavefronts
    compared("tiles of matrices", sum(len(search) for search in plain.values()), at_least=6)


def recorded(begin: int, end: int) -> Recorded:
    access = Access(ws.Ld(type="b32"), 4, np.linspace(begin, end - 4, 32).astype(np.int64)[None] // 4 * 4,
                    np.full(1, 0xFFFFFFFF, np.uint32), 0)  # fmt: skip
    return Recorded(access, 1, 1, "ld.shared.b32", None, -1, None, (1, 1, 1))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), min_size=1, max_size=12))
def test_accesses_share_a_tile_where_their_bytes_overlap(spans: list[tuple[int, int]]) -> None:
    """Compared with marking every word and flooding."""
    ones = [recorded(first * 4, (first + words) * 4) for first, words in spans]
    groups = grouped(ones)
    assert sorted(map(id, ones)) == sorted(id(one) for group in groups for one in group)
    words = set().union(*(range(first, first + count) for first, count in spans))
    joined = {w for first, count in spans for w in range(first, first + count - 1)}  # w and w + 1 in one access
    assert len(groups) == sum(word - 1 not in words or word - 1 not in joined for word in words)


def test_search_needs_what_was_recorded() -> None:
    x, y = np.ones((2, 64, 64), np.float32)
    kernel = ws.Module(TRANSPOSE)["transpose_square_f32"]
    with pytest.raises(ValueError, match="launch with check=True"):
        kernel((2, 2), (32, 8), [x, y, 64, 64], check=False).tile_search()
    report = kernel((2, 2), (32, 8), [x, y, 64, 64])
    assert str(pickle.loads(pickle.dumps(report)).tile_search()) == str(report.tile_search())


def test_command_line_prints_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(TRANSPOSE), "--kernel", "transpose_square_f32", "--grid", "2,2", "--block", "32,8",
             "--arg", "0=f32[64,64]:arange", "--arg", "1=f32[64,64]", "--arg", "2=64", "--arg", "3=64",
             "--tile-search"]  # fmt: skip
    assert cli.main(words) == 0
    text = capsys.readouterr().out
    assert "1 tile in shared memory: 3,968 of 4,224 wavefronts can be saved." in text
    assert "--tile  32x32:f32:swizzle=5,0,5" in text and max(map(len, text.splitlines())) <= 80
    assert cli.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["tile_search"]
    assert found["schema"] == "warpsim.tiles/1" and found["saved"] == 3968
    assert found["tiles"][0]["uses"][0]["kind"] == "store"


def test_page_has_the_tables() -> None:
    x, y = np.ones((2, 64, 64), np.float32)
    search = ws.Module(TRANSPOSE)["transpose_square_f32"]((2, 2), (32, 8), [x, y, 64, 64]).tile_search()
    page = search.html()
    assert "can be saved" in page and "Swizzle&lt;5,0,5&gt;" in page and "<script" not in page
    assert repr(search) == "<TileSearch of transpose_square_f32: 1 tiles, 3,968 wavefronts saved>"
