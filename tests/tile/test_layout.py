"""Layouts against the oracle: places, swizzles, bytes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import layouts as oracle
from tests.support.evidence import compared
from tests.support.tile_cases import Case, layouts, swizzles


@given(layouts())
@settings(deadline=None, max_examples=150)
def test_layout_every_element_lies_where_the_oracle_has_it(case: Case) -> None:
    spec, made = case.spec, case.made
    rows, cols = np.arange(spec.rows)[:, None], np.arange(spec.cols)
    found = made(rows, cols)
    expected = [[oracle.element_byte(spec, row, col) for col in range(spec.cols)] for row in range(spec.rows)]
    assert np.array_equal(found, expected), case
    compared("places of elements", found.size, at_least=1)


@given(layouts())
@settings(deadline=None, max_examples=150)
def test_layout_nbytes_is_where_the_moved_image_ends(case: Case) -> None:
    assert case.made.nbytes == oracle.end_byte(case.spec)
    assert case.made.pitch * 8 == case.spec.pitch_bits
    compared("ends of layouts", 1, at_least=1)


@given(swizzles(), st.integers(1, 5000))
@settings(deadline=None, max_examples=400)
def test_swizzle_moves_the_first_bytes_as_far_as_the_oracle(swizzle: tuple[int, int, int], count: int) -> None:
    """A row of bytes: any number of them."""
    spec = oracle.Layout(1, count, 8, swizzle=swizzle, in_bytes=True)
    b, m, s = swizzle
    made = ws.Layout(1, count, "b8", swizzle=ws.Swizzle(b, m, s, "byte") if b else None)
    assert made.nbytes == oracle.end_byte(spec)
    assert np.array_equal(made(0, np.arange(count)), [oracle.swizzled(i, swizzle) for i in range(count)])
    compared("bytes under a swizzle", count, at_least=1)


@pytest.mark.parametrize(
    ("swizzle", "places"),
    [
        # CuTe's Swizzle<3,4,3>: the row of 16-byte pieces number r begins with piece r
        ((3, 4, 3), {0x000: 0x000, 0x080: 0x090, 0x100: 0x120, 0x3F0: 0x380, 0x400: 0x400}),
        ((2, 4, 3), {0x080: 0x090, 0x180: 0x1B0, 0x200: 0x200}),
        ((1, 4, 3), {0x080: 0x090, 0x100: 0x100}),
        ((2, 3, -2), {0x018: 0x078, 0x008: 0x028, 0x060: 0x060}),
        ((3, 3, 3), {0x040: 0x048, 0x1C0: 0x1F8}),
    ],
)
def test_swizzle_known_places(swizzle: tuple[int, int, int], places: dict[int, int]) -> None:
    layout = ws.Layout(1, 2048, "b8", swizzle=ws.Swizzle(*swizzle))
    for before, after in places.items():
        assert layout(0, before) == after
        assert layout(0, after) == before
        assert oracle.swizzled(before, swizzle) == after


def test_addresses_of_parts_of_packed_pieces_are_bytes() -> None:
    """16 six-bit elements are 16 bytes: four words, the last of them padding."""
    tile = ws.Layout(32, 32, "b6x16_p32")
    assert tile.addresses(ws.Ld()).tolist() == [4 * lane for lane in range(32)]
    assert tile.addresses(ws.Ld(vec=4), row=3)[:3].tolist() == [96, 112, 128]


@pytest.mark.parametrize("layout", [ws.Layout(16, 8, "f16"), ws.Layout(16, 8, "f16", "col")])
def test_places_at_the_edge_are_inside_and_the_next_are_not(layout: ws.Layout) -> None:
    assert layout(15, 7) == layout.nbytes - 2
    for row, col, words in ((16, 0, "row: expected 0 to 15"), (0, 8, "col: expected 0 to 7")):
        with pytest.raises(ValueError, match=words):
            layout(row, col)
    with pytest.raises(ValueError, match="row: expected 0 to 15"):
        layout(-1, 0)


def test_swizzle_of_32_bits_is_the_widest() -> None:
    assert ws.Swizzle(3, 3, 26).S == 26
    assert ws.Swizzle(3, 3, -26).S == -26
    for shift in (27, -27):
        with pytest.raises(ValueError, match=r"M \+ B \+ \|S\| <= 32"):
            ws.Swizzle(3, 3, shift)
    with pytest.raises(ValueError, match=r"\|S\| >= B"):
        ws.Swizzle(3, 3, -2)
