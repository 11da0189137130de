"""ws.mainloop(as_assembled=True): the machine code of the loop is read back and run."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from docs.make import cost_evidence, loop_evidence
from tests.support.evidence import compared
from warpsim import _core, cli
from warpsim.compile import toolkit
from warpsim.loop import assembled
from warpsim.loop.mainloop import loop_of, reported
from warpsim.machine import sass


def _missing() -> bool:
    try:
        sass.tool("nvdisasm")
    except ImportError:
        return True
    return toolkit.nvrtc() is None


def needs_tools(test: Any) -> Any:
    """Slow: the first tests of .ci/run have no nvdisasm."""
    reason = "a tool is not installed: pip install 'warpsim[cuda,sass]'"
    return pytest.mark.slow(pytest.mark.skipif(_missing() and "CI" not in os.environ, reason=reason)(test))


SWIZZLED = ws.Layout(128, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
NUMBER = _core.SCHEDULE_KINDS
WORK = [NUMBER[name] for name in ("load", "mma", "copy", "wait", "barrier", "branch")]

#: what NVIDIA's tools are asked for: every type, one to five stages and none, padded, swizzled, transposed, uneven
LOOPS: dict[str, dict[str, Any]] = {
    "f16, swizzled": {"tile": (128, 128, 64), "warps": (2, 2), "a": SWIZZLED, "b": SWIZZLED},
    "bytes": {"tile": (64, 64, 64), "warps": (2, 2),
              "a": ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 4, 3, "byte")), "b": ws.Layout(64, 64, "f16", pad=8)},
    "to f16": {"tile": (64, 128, 32), "warps": (2, 1), "accumulate": "f16", "stages": 1},
    "bf16, transposed": {"tile": (64, 96, 32), "warps": (1, 2), "type": "bf16", "trans_b": True, "stages": 4},
    "tf32": {"tile": (64, 64, 16), "warps": (4, 2), "type": "tf32", "stages": 5},
    "u8": {"tile": (48, 64, 64), "warps": (1, 4), "type": "u8", "stages": 2},
    "e5m2": {"tile": (64, 64, 64), "warps": (2, 2), "type": "e5m2", "stages": 2},
    "no fill": {"tile": (32, 32, 32), "warps": (1, 1), "stages": 0},
    "e4m3 of a B200": {"tile": (64, 64, 64), "warps": (2, 2), "type": "e4m3", "target": "b200"},
    "another GPU": {"tile": (64, 64, 32), "warps": (2, 2), "target": "rtx4090"},
}  # fmt: skip


@needs_tools
@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_compiled_and_their_work_is_what_the_estimate_says(name: str) -> None:
    loop = LOOPS[name]
    estimated, found = ws.mainloop(**loop), ws.mainloop(**loop, as_assembled=True)
    same = ("wavefronts", "mma", "global_bytes", "shared_bytes", "tile", "a", "b", "type", "target")
    assert all(getattr(found, one) == getattr(estimated, one) for one in same)
    assert found.assembled.startswith("NVRTC 1") and not estimated.assembled
    assert found.cycles == pytest.approx(estimated.cycles, rel=0.4)
    seen = [(one.cycles, one.registers, one.breakdown["issue"]) for one in (estimated, found)]
    assert sum(guess != fact for guess, fact in zip(*seen, strict=True)) >= 2, seen  # one can agree by chance
    assert 24 <= found.registers <= 255
    assert f"{found.registers} registers a thread, by NVRTC" in " ".join(str(found).split())
    assert "as NVRTC" in found.html() and found.to_dict()["assembled"] == found.assembled


@needs_tools
def test_machine_code_of_a_loop_is_read_whole() -> None:
    """Loads, products, copies and barriers of an iteration, as many as the shape asks for."""
    loop = loop_of(ws.mainloop((128, 128, 64), (2, 2), a=SWIZZLED, b=SWIZZLED))
    rows = assembled.assembled(loop).rows
    count = {name: int((rows[:, 0] == number).sum()) for name, number in NUMBER.items()}
    asked = {"load": 4 * 8, "mma": 4 * 4 * 8, "copy": 16, "wait": 1, "barrier": 1, "branch": 1}
    assert {name: count[name] for name in asked} == asked
    assert count["convert"] + count["other"] > 40
    assert (rows[:, 1] >= 1).all() and (rows[:, 2] < 64).all() and set(rows[:, 3]) <= {*range(6), 255}
    loads = rows[rows[:, 0] == NUMBER["load"]]
    assert (loads[:, 3] != 255).sum() >= 4 * 4, "loads release scoreboards"
    waits = np.bitwise_or.reduce(rows[rows[:, 0] == NUMBER["mma"], 2])
    assert waits, "products wait for them"


@needs_tools
def test_command_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["mainloop", "64x64x32", "--warps", "2x2", "--as-assembled"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "registers a thread, by NVRTC" in said and "held-out main loops as assembled" in said


@needs_tools
def test_remedies_are_compared_as_estimated() -> None:
    plain = ws.mainloop((64, 64, 64), (2, 2), as_assembled=True).remedy
    assert plain == ws.mainloop((64, 64, 64), (2, 2)).remedy and plain is not None


@needs_tools
def test_nvcc_and_ptxas_make_the_same_where_there_is_no_nvrtc(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = loop_of(ws.mainloop((64, 64, 32), (2, 2)))
    by_nvrtc = assembled.assembled(loop)
    monkeypatch.setattr(assembled, "BUILT", {})
    monkeypatch.setattr(toolkit, "nvrtc", lambda: None)
    if toolkit.nvcc() is None:
        pytest.skip("nvcc is not installed")
    other = assembled.assembled(loop)
    assert other.by == f"ptxas {sass.version()}" and other.rows.shape[1] == 5
    kinds = [sorted(code.rows[np.isin(code.rows[:, 0], WORK), 0]) for code in (by_nvrtc, other)]
    assert kinds[0] == kinds[1]


def test_tool_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(assembled, "BUILT", {})
    monkeypatch.setattr(sass, "tool", lambda name: name)
    monkeypatch.setattr(toolkit, "nvrtc", lambda: None)
    monkeypatch.setattr(toolkit, "nvcc", lambda: None)
    with pytest.raises(ImportError, match=r"pip install 'warpsim\[cuda\]'"):
        ws.mainloop((64, 64, 32), (2, 2), as_assembled=True)
    monkeypatch.undo()
    monkeypatch.setattr(assembled, "BUILT", {})
    monkeypatch.setattr(sass.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ImportError, match=r"needs NVIDIA's nvdisasm: pip install 'warpsim\[sass\]'"):
        ws.mainloop((64, 64, 32), (2, 2), as_assembled=True)
    assert cli.main(["mainloop", "64x64x32", "--warps", "2x2", "--as-assembled"]) == 2
    assert capsys.readouterr().err.startswith("warpsim: --as-assembled: as_assembled needs NVIDIA's nvdisasm")
    with pytest.raises(TypeError, match="as_assembled"):
        ws.mainloop((64, 64, 32), (2, 2), as_assembled="yes")  # type: ignore[arg-type]


LISTING = """
        /*0000*/                   LDC R1, c[0x0][0x28] ;                       /* 0x00000a00ff017b82 */
                                                                                /* 0x000fe20000000800 */
.L_x_0:
        /*0010*/              @!P1 LDSM.16.M88.4 R24, [R26] ;                   /* 0x000000001a18783b */
                                                                                /* {load} */
        /*0020*/                   HMMA.16816.F32 R12, R24.reuse, R28, R12 ;    /* 0x0000001c180c723c */
                                                                                /* {mma} */
        /*0030*/                   LDGSTS.E.BYPASS.128 [R61], desc[UR8][R26.64] ; /* 0x000000001a3d7fae */
                                                                                /* {copy} */
        /*0040*/                   DEPBAR.LE SB0, 0x3 ;                         /* 0x000080c00000791a */
                                                                                /* 0x000fc80000000000 */
        /*0050*/                   IMAD.SHL.U32 R16, R8, 0x4000, RZ ;           /* 0x0000400008107824 */
                                                                                /* 0x000fe200078e00ff */
        /*0060*/                   LOP3.LUT R17, R16, 0x1c000, RZ, 0xc0, !PT ;  /* 0x0001c00010117812 */
                                                                                /* 0x000fe200078ec0ff */
        /*0070*/               @P0 BRA `(.L_x_0) ;                              /* 0xfffffffc00000947 */
                                                                                /* 0x000fea000383ffff */
        /*0080*/               @P0 BRA `(.L_x_1) ;                              /* 0xfffffffc00000947 */
                                                                                /* 0x000fea000383ffff */
"""


def _control(stall: int, sets: int = 7, frees: int = 7, waits: int = 0) -> str:
    return f"0x{(stall | sets << 5 | frees << 8 | waits << 11) << 41 | 0x1E2_0000_0000:016x}"


def test_listing_gives_kinds_stalls_and_scoreboards() -> None:
    text = LISTING.format(load=_control(4, sets=2), mma=_control(6, waits=0b101), copy=_control(0, frees=1))
    expected = [
        [NUMBER["load"], 4, 0, 2, 255],
        [NUMBER["mma"], 6, 0b101, 255, 255],
        [NUMBER["copy"], 1, 0, 255, 1],
        [NUMBER["wait"], 4, 0, 255, 255],
        [NUMBER["other"], 1, 0, 255, 255],
        [NUMBER["convert"], 1, 0, 255, 255],
        [NUMBER["branch"], 5, 0, 255, 255],
    ]
    assert assembled.read(text).tolist() == expected
    with pytest.raises(ws.UnsupportedError, match="no loop with a product"):
        assembled.read(text.replace("HMMA", "FADD"))


def test_machine_code_of_another_loop_is_refused() -> None:
    timed = cost_evidence.device("held_code")["cases"][0]
    rows = np.frombuffer(bytes.fromhex(timed["rows"]), np.uint8).reshape(-1, 5)
    code = assembled.Assembled(rows, timed["registers"], "ptxas")
    loop = loop_of(ws.mainloop((16, 16, 16), (1, 1)))
    with pytest.raises(ValueError, match="the machine code is of another loop"):
        reported(loop, code)
    with pytest.raises(ValueError, match="an instruction of no known kind"):
        reported(loop, replace(code, rows=np.full((3, 5), 99, np.uint8)))
    with pytest.raises(ValueError, match="expected at least one of 5"):
        reported(loop, replace(code, rows=np.empty((0, 5), np.uint8)))


@needs_tools
def test_machine_code_made_here_is_near_that_which_was_timed(tmp_path: Path) -> None:
    """Another version of the tools: the same work, and as many cycles in most loops."""
    pairs = list(zip(loop_evidence._own_mainloops("held_loops"), cost_evidence.assembled_mainloops(), strict=True))
    pairs = [pair for pair in pairs if pair[0][1].registers < 160][:12]
    near = [
        abs(reported(loop_of(report), assembled.assembled(loop_of(report))).cycles / timed.model - 1) < 0.05
        for (_, report), timed in pairs
    ]
    compared("main loops compiled again", len(near), at_least=12)
    assert sum(near) >= 9, near


@needs_tools
@pytest.mark.parametrize("type_", ["f16", "bf16"])
@pytest.mark.parametrize("trans_b", [False, True])
def test_wmma_loops_are_of_the_same_instructions(type_: str, trans_b: bool) -> None:
    """wmma.load is assembled to an ldmatrix.x4 of 16 rows, wmma.mma to two mma.sync."""
    fragment = ws.WmmaLoad(operand="a", type=type_).num_registers
    padded = ws.Layout(64, 64, type_, pad=8)
    loop = loop_of(ws.mainloop((64, 64, 64), (2, 2), type=type_, a=padded, b=padded, trans_b=trans_b))
    named = assembled.macros(loop)
    plain, wmma = (
        assembled._built(named | more, "sm_90").rows[:, 0].tolist()
        for more in ({}, {"WMMA": fragment, "WMMA_TYPE": f'"{type_}"'})
    )
    for name in ("load", "mma", "copy", "barrier"):
        assert wmma.count(NUMBER[name]) == plain.count(NUMBER[name]) > 0, name
