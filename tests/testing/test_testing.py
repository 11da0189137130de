"""warpsim.testing and warpsim.pytest_plugin, as the test suite of a kernel's author uses them."""

import doctest
import random
import re
import time

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import TRUTH, compared
from tests.support.paths import DOCS

pytest_plugins = ["pytester"]

X4 = ws.Ldmatrix(num=4)
FILE = """.version 8.0
.target sm_80
.visible .entry kernel() {
    .reg .b32 %r<4>;
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];
    stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3};
}
"""


def said(op: ws.DataMovement | str, layout: object, **options: object) -> str:
    with pytest.raises(AssertionError) as caught:
        ws.testing.assert_conflict_free(op, layout, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_page_shows_what_happens() -> None:
    page = DOCS / "howto" / "testing.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert found.failed == 0
    compared("examples of the page on testing", found.attempted, at_least=9)


def test_verdict_is_that_of_the_counters() -> None:
    seed = random.Random(3)
    ops = [ws.Ldmatrix(num=n) for n in (1, 2, 4)] + [ws.St(vec=4), ws.Ld(vec=2), ws.CpAsync()]
    ops += [ws.Stmatrix(num=4), ws.Ld(type="b64"), ws.CpAsync(size=4, cache="ca")]
    free = conflicting = 0
    for _ in range(300):
        swizzle = ws.Swizzle(seed.randrange(4), 3, 3)
        layout = ws.Layout(64, seed.choice([32, 64]), "f16", pad=8 * seed.randrange(4), swizzle=swizzle)
        op, warps = seed.choice(ops), seed.choice([1, 2, 4])
        traffic = op.traffic(ws.tile_steps(op, layout, warps=warps)).sum()
        if traffic.wavefronts == traffic.ideal_wavefronts:
            ws.testing.assert_conflict_free(op, layout, warps=warps)
            free += 1
        else:
            assert f"{traffic.wavefronts.item():,} wavefronts," in said(op, layout, warps=warps)
            conflicting += 1
    compared("assertions that layouts meet", free, at_least=50)
    compared("assertions that layouts fail", conflicting, at_least=50)


@pytest.mark.parametrize("op", [X4, ws.Stmatrix(num=4), ws.St(vec=4), ws.CpAsync()])
@pytest.mark.parametrize("pad", [0, 8, 24])
def test_layout_that_is_named_is_as_good_as_it_says(op: ws.DataMovement, pad: int) -> None:
    layout = ws.Layout(128, 64, "f16", pad=pad)
    try:
        ws.testing.assert_conflict_free(op, layout)
    except AssertionError as error:
        count, size = re.findall(r"fix: .*: ([\d,]+) wavefronts instead of .*, ([\d,]+) bytes", str(error))[0]
        better = eval(re.findall("Python (.*)", str(error))[0].strip(), {"ws": ws})
        traffic = op.traffic(ws.tile_steps(op, better)).sum()
        assert f"{traffic.wavefronts.item():,}" == count and f"{better.nbytes:,}" == size
        assert (better.rows, better.cols, better.type) == (128, 64, "f16")
        ws.testing.assert_conflict_free(op, better)


def test_one_place_is_checked_alone() -> None:
    layout = ws.Layout(64, 64, "f16")
    ws.testing.assert_conflict_free("st.shared.v4.b32", layout, row=8, col=0)
    message = said(X4, layout, row=16, col=8)
    assert "the worst has lane 0 at (16, 8):" in message
    assert "32 wavefronts, 4 are enough" in message
    assert "1 of 1 accesses conflict" in message and "Layout(64, 64, 'f16', " not in message
    assert said(X4, layout, row=16, col=8, arrange="row") != message


def test_addresses_are_checked_as_they_are() -> None:
    lane = np.arange(32)
    ws.testing.assert_conflict_free("ld.shared.b32", lane * 132)
    ws.testing.assert_conflict_free("ld.shared.b32", [[4 * i for i in range(32)]] * 3)
    message = said("ld.shared.b32 %r1, [%r2];", np.stack([lane * 4, lane * 128]))
    assert "lane 0 at address 0" in message and "bank 0: 32 words" in message
    assert "33 wavefronts, 2 are enough; 1 of 2 accesses conflict" in message


def test_misaligned_addresses_fail() -> None:
    message = said(X4, ws.Layout(64, 64, "f16", pad=4))
    assert "the address of lane 1, 136, is not a multiple of 16, which is undefined behaviour" in message
    ws.testing.assert_conflict_free(ws.Ldmatrix(), [16 * i if i < 8 else 3 for i in range(32)])


def test_conflict_without_a_better_layout_says_so() -> None:
    one_column = ws.Layout(32, 2, "f64", order="col")
    ws.testing.assert_conflict_free("ld.shared.b64", one_column)
    begin = time.process_time()
    message = said("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", ws.Layout(64, 128, "b8"))
    assert time.process_time() - begin < 1
    assert "swizzle=ws.Swizzle(3, 4, 3)" in message


def test_legality_is_that_of_the_instruction() -> None:
    compared_ = 0
    for op in (X4, ws.Stmatrix(), ws.Movmatrix(), ws.CpAsync(), ws.Ld(), ws.WmmaLoad()):
        for target in ("sm_60", "sm_75", "sm_90", "sm_100a"):
            for version in ("6.5", "7.8", "9.5"):
                legality = op.legality(target, version)
                try:
                    ws.testing.assert_legal(op.ptx, target, ptx_version=version)
                    assert legality.ok
                except AssertionError as error:
                    assert not legality.ok and all(why in str(error) for why in legality.reasons)
                compared_ += 1
    compared("assertions of legality", compared_, at_least=72)


def test_illegal_text_is_an_assertion() -> None:
    with pytest.raises(AssertionError, match=r"no qualifier '.x3'; in full: .*\n.*\n +\^\^"):
        ws.testing.assert_legal("ldmatrix.sync.aligned.m8n8.x3.shared.b16", "sm_90")
    with pytest.raises(AssertionError, match=r"6:5: error WS-LINT-003: stmatrix"):
        ws.testing.assert_legal(FILE)
    ws.testing.assert_legal(FILE, "sm_90")
    for path in (TRUTH / "real_ptx").glob("*.ptx"):
        ws.testing.assert_legal(path.read_text())


OPTIONS = ("-p", "warpsim.pytest_plugin")


def test_plugin_makes_a_test_of_a_file_that_is_named(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ptx", copy=FILE, fine=FILE.replace("sm_80", "sm_90"))
    pytester.runpytest(*OPTIONS).assert_outcomes()
    found = pytester.runpytest(*OPTIONS, "copy.ptx", "fine.ptx")
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["*copy.ptx:6:5: error WS-LINT-003: stmatrix needs*", "*stmatrix.sync*", "*^^^*"])
    found.stdout.no_fnmatch_line("*Traceback*")
    pytester.runpytest("copy.ptx").assert_outcomes()  # without the plugin


def test_plugin_does_not_pass_what_is_not_ptx(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ptx", copy="__global__ void copy() {}")
    found = pytester.runpytest(*OPTIONS, "copy.ptx")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*copy.ptx is not PTX*"])


def test_plugin_takes_globs_and_targets(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwarpsim_ptx = build/**/*.ptx\nwarpsim_targets = sm_80 sm_90 sm_100a\n")
    (pytester.path / "build" / "deep").mkdir(parents=True)
    (pytester.path / "build" / "deep" / "a.ptx").write_text(FILE.replace("8.0", "8.6"))
    (pytester.path / "other.ptx").write_text(FILE)
    # Other runs collect no folder whose name is "build".
    found = pytester.runpytest(*OPTIONS, "-v", "-o", "norecursedirs=")
    found.assert_outcomes(passed=2, failed=1)
    found.stdout.fnmatch_lines(["*a.ptx::sm_80 FAILED*", "*a.ptx::sm_90 PASSED*"])


def test_plugin_tells_of_a_target_that_does_not_exist(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwarpsim_targets = sm_9\n")
    pytester.makefile(".ptx", copy=FILE)
    found = pytester.runpytest(*OPTIONS, "copy.ptx")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*expected one of sm_60*"])
