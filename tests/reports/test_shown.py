"""How objects show themselves where nobody asks for a report: in a debugger, in a notebook, as members of a set."""

import re

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.render.launch.source import short

X4 = ws.Ldmatrix(num=4)
TEXT = ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) { ret; }\n"


def launched() -> ws.KernelReport:
    return ws.Module(TEXT)["k"](1, 32, [np.zeros(4, np.uint32)])


def test_a_layout_draws_the_banks_of_its_first_lines() -> None:
    for order, axis in (("row", "row"), ("col", "column")):
        layout = ws.Layout(16, 64, "f16", order, pad=8)
        drawn = layout._repr_html_()
        assert drawn == layout.svg()
        assert f"{axis}s of 16-byte boxes" in drawn
        banks = [int(bank) for bank in re.findall(r'text-anchor="middle"[^>]*>(\d+)<', drawn)]
        across, pieces = (16, 8) if order == "row" else (64, 2)
        pitch = 2 * (8 * pieces + 8)
        at = [(pitch * line + 16 * piece) // 4 % 32 for line in range(across) for piece in range(pieces)]
        assert len(banks) >= 8 * pieces
        assert banks == at[: len(banks)]
        compared("banks of a layout that is drawn", len(banks), at_least=16)


def test_a_remedy_says_its_layout_and_what_it_saves() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16"), store=ws.St(vec=4), load=X4)
    remedy = report.remedy
    assert remedy is not None
    assert repr(remedy).startswith("<Remedy: ")
    assert "448 wavefronts" in repr(remedy)
    assert hash(remedy) == hash(ws.tile(ws.Layout(64, 64, "f16"), store=ws.St(vec=4), load=X4).remedy)
    assert remedy.text("cute") in str(remedy)


def test_a_fragment_map_is_a_member_of_a_set() -> None:
    assert X4.fragment is not None
    assert len({X4.fragment, ws.Ldmatrix(num=4).fragment}) == 1
    assert repr(X4.fragment).startswith("<FragmentMap of ")


def test_a_launch_says_what_it_came_to_in_a_line() -> None:
    report = launched()
    assert "\n" not in repr(report)
    assert report.kernel in repr(report)
    assert repr(ws.Module(TEXT)["k"]) == "Kernel(k(u64))"
    assert report != "a report"


def test_a_tensor_map_says_its_type_its_dimensions_and_its_box() -> None:
    tiled = ws.tensor_map(np.zeros((64, 32), np.float16), box=(16, 32))
    assert repr(tiled) == "TensorMap(f16, dims (32, 64), box (16, 32))"
    assert tiled.rank == 2
    assert tiled.nbytes == 128  # of the map itself


def test_a_tensor_map_of_im2col_says_its_pixels() -> None:
    corners = {"pixel_box_lower_corner": (0, 0), "pixel_box_upper_corner": (0, 0)}
    array = np.zeros((2, 8, 8, 32), np.float16)
    tiles = ws.tensor_map(array, **corners, channels_per_pixel=8, pixels_per_column=4)
    assert repr(tiles) == "TensorMap(f16, dims (32, 8, 8, 2), im2col of 4 pixels)"
    for name in ("channels_per_pixel", "pixels_per_column"):
        given = {"channels_per_pixel": 8, "pixels_per_column": 4, name: (8, 8)}
        with pytest.raises(TypeError, match=f"{name}: expected an int"):
            ws.tensor_map(array, **corners, **given)  # type: ignore[arg-type]


def test_banks_say_their_wavefronts() -> None:
    for stride, wavefronts, conflicts in ((4, 1, 0), (8, 2, 1), (128, 32, 31)):
        report = ws.parse("ld.shared.b32").explain(np.arange(32) * stride)
        assert (report.wavefronts, report.bank_conflicts) == (wavefronts, conflicts)
        assert repr(report) == f"<BankReport of ld.shared.b32: {wavefronts} wavefronts>"


def test_a_count_takes_at_most_six_characters() -> None:
    told = {0: "0", 99_999: "99,999", 100_000: "100k", 999_400: "999k", 999_500: "1M", 1_234_567: "1.23M", 10**15: "1P"}
    assert {count: short(count) for count in told} == told
    assert all(len(short(7 * 10**digits)) <= 6 for digits in range(18))
