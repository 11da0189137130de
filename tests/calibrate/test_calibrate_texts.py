"""The PTX of warpsim calibrate: assembled for every target, run on the package's own engine, and what it must hold."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.calibrate import compare, texts
from warpsim.calibrate.held_out import Loop, Tile
from warpsim.calibrate.probes import BUFFER_BYTES, Launch, Probe, every

TARGETS = (75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121)
SHARED = {75: 65536, 80: 166912, 86: 101376, 87: 166912, 89: 101376, 120: 101376, 121: 101376}
#: what is meant: copies that write a buffer again and again, stores of warps to one place, and conflicts
MEANT = {"WS-RUN-018", "WS-RUN-020", "WS-RUN-022", "WS-RUN-023", "WS-RUN-028", "WS-RUN-030"}


def probes(sm: int) -> list[Probe]:
    held = [case.probe for case in compare.cases(sm, SHARED.get(sm, 232448))]
    return [probe for probe in (*every(), *held) if sm >= probe.least and (not probe.only or sm in probe.only)]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ptxas") is None, reason="needs ptxas")
@pytest.mark.parametrize("sm", TARGETS)
def test_every_text_is_assembled_for_its_target(sm: int, tmp_path: Path) -> None:
    def assembled(item: tuple[int, str]) -> str:
        path = tmp_path / f"{item[0]}.ptx"
        path.write_text(item[1])
        command = ["ptxas", f"-arch=sm_{sm}", str(path), "-o", str(path.with_suffix(".cubin"))]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    found = [*(probe.text(sm) for probe in probes(sm)), texts.spin(sm)]
    with ThreadPoolExecutor(2) as pool:
        for text, said in zip(found, pool.map(assembled, enumerate(found)), strict=True):
            assert not said, f"{said}\n{text}"
    compared(f"programs of warpsim calibrate assembled for sm_{sm}", len(found), at_least=50)


def counted(report: Any, text: str, word: str) -> Iterator[tuple[int, int]]:
    """How often each line with a word was executed, and its wavefronts."""
    lines = text.splitlines()
    for row in report.lines:
        if re.search(word, lines[row["line"] - 1]) and row["requests" if "ld" in word else "executed"]:
            yield int(row["executed"]), int(row["wavefronts"])


def run(probe: Probe, launch: Launch, sm: int) -> Any:
    """The report of a launch on the engine, of at most three passes."""
    table, clocks = np.zeros(1 << 15, np.uint32), np.zeros(1 << 13, np.uint8)
    words = np.array([value for row in launch.rows for value in row], np.uint32)
    table[: words.size] = words
    arguments = (table, np.zeros(BUFFER_BYTES, np.uint8), clocks, min(launch.passes, 3), 0, launch.running, 0)
    kernel = ws.Module(probe.text(sm))[texts.ENTRY]
    report = kernel(1, 32 * launch.warps, arguments, shared_bytes=probe.shared, target=f"sm_{sm}")
    assert clocks[: 16 * launch.warps].any(), "no clock was written"
    return report


@pytest.mark.slow
@pytest.mark.parametrize("sm", (75, 90))
def test_no_program_leaves_its_memory_or_races(sm: int) -> None:
    seen = 0
    for probe in probes(sm):
        for launch in probe.launches:
            report = run(probe, launch, sm)
            found = {finding.rule for finding in report.findings}
            assert found <= MEANT, f"{probe.name}, {launch.label}: {report}"
            assert found <= {"WS-RUN-028"} or not probe.name.startswith("loop"), f"{probe.name}: {found}"
            seen += 1
    compared(f"launches of warpsim calibrate on the engine, sm_{sm}", seen, at_least=90)


@pytest.mark.slow
def test_wavefronts_are_those_that_the_labels_say() -> None:
    """Each load of a probe takes as many wavefronts as its label says."""
    seen = 0
    for probe in probes(90):
        for launch in probe.launches:
            said = re.match(r"(\d+) wavefront", launch.label)
            if said is None or not probe.name.startswith("ld"):
                continue
            report = run(probe, launch, 90)
            loads = list(counted(report, probe.text(90), r"\bld(matrix|\.volatile)"))
            assert loads
            for executed, wavefronts in loads:
                assert wavefronts == executed * int(said[1]), f"{probe.name}, {launch.label}"
                seen += 1
    compared("loads of warpsim calibrate counted", seen, at_least=500)


def test_cases_are_30_of_each_kind_and_none_twice() -> None:
    for sm, tiles, loops in ((75, 15, 0), (80, 15, 15), (90, 15, 15), (120, 15, 15)):
        found = [held.case for held in compare.cases(sm, SHARED.get(sm, 232448))]
        assert [sum(isinstance(case, kind) for case in found) for kind in (Tile, Loop)] == [tiles, loops]
        assert len(set(found)) == len(found) and len({compare.label(case) for case in found}) == len(found)


def test_main_loops_of_the_texts_are_those_of_the_model() -> None:
    """mma.sync and wavefronts of an iteration, on the engine, are those that ws.mainloop counts."""
    seen = 0
    for held in compare.cases(90, 232448):
        case = held.case
        if not isinstance(case, Loop):
            continue
        a, b = (compare._layout(*size, case.pad, swizzle) for size, swizzle in (
            ((case.tile[0], case.tile[2]), case.swizzle_a), (case.b_size, case.swizzle_b)
        ))  # fmt: skip
        model = ws.mainloop(case.tile, case.warps, a=a, b=b, trans_b=case.trans_b, stages=case.stages)
        report = run(held.probe, held.probe.launches[0], 90)
        text = held.probe.text(90)
        assert sum(executed for executed, _ in counted(report, text, r"\bmma\.sync")) == 3 * model.mma
        loads = sum(wavefronts for _, wavefronts in counted(report, text, r"\bldmatrix\."))
        assert loads == 3 * model.wavefronts["load"], held.probe.name
        fills = sum(executed for executed, _ in counted(report, text, r"\bcp\.async\.cg"))
        assert fills * 512 == (3 + case.stages) * model.global_bytes, held.probe.name
        seen += 1
    compared("main loops of warpsim calibrate against the model's counts", seen, at_least=15)
