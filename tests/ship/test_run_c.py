"""examples/embed_c/run.c prints the findings and fixes of `warpsim run`, for every planted bug."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import Ended, Planted, findings, planted
from tests.support.measured_kernels import arguments
from tests.support.paths import INCLUDE, ROOT
from tests.support.process import ended
from tools.consumers import need
from warpsim.kernel.arguments import Uninitialized

KERNELS = ROOT / "examples" / "kernels"
#: a bank conflict is counted, not checked: run.c checks alone
COUNTED = ("WS-RUN-028",)
#: how often they race depends on when the lane that polls has its turns
POLLS = ("an mbarrier waited for by the wrong phase",)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("run") / "run"
    source = ROOT / "examples" / "embed_c" / "run.c"
    built = ended(need("gcc"), "-std=c11", "-O0", "-Wall", "-Werror", f"-I{INCLUDE}", source, "-o", program)
    assert built.returncode == 0, built.stderr
    return program


def words(value: Any, number: int, folder: Path) -> str:
    """An argument as run.c takes it."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    file = folder / f"{number}.bin"
    value.tofile(file)
    return f"{'?' if isinstance(value, Uninitialized) else ''}{file}"


def is_for_run_c(bug: Planted) -> bool:
    """Numbers and arrays, no cluster: what the example takes."""
    _, launch = bug.bug
    values, _, _ = arguments(launch)
    return not bug.not_run and "cluster" not in launch and all(isinstance(v, np.ndarray | int | float) for v in values)


def said(runner: Path, text: str, launch: dict[str, Any], folder: Path) -> str:
    values, _, _ = arguments(launch)
    (folder / "kernel.ptx").write_text(text)
    extents = (",".join(map(str, launch[what])) for what in ("grid", "block"))
    given = (words(value, number, folder) for number, value in enumerate(values))
    done = ended(runner, folder / "kernel.ptx", launch["kernel"], *extents, str(launch["shared"]), *given)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return done.stdout


def expected(text: str, launch: dict[str, Any]) -> str:
    """What Python says of a launch, as run.c prints it."""
    found = (one for one in findings(text, launch, count=False) if one.rule not in COUNTED)
    return "".join(f"{one.message if isinstance(one, Ended) else one}\n" for one in found)


@pytest.mark.slow
def test_planted_bugs_are_said_alike(runner: Path, tmp_path: Path) -> None:
    bugs = [bug for bug in planted() if is_for_run_c(bug)]
    different, told = [], 0
    for number, bug in enumerate(bugs):
        for one in (bug.bug, bug.twin):
            folder = tmp_path / f"{number}{'' if one is bug.bug else 'twin'}"
            folder.mkdir()
            wanted, got = expected(*one), said(runner, *one, folder)
            if bug.id in POLLS:
                wanted, got = (re.sub(r"[\d,]+ times", "", words) for words in (wanted, got))
            if got != wanted:
                different.append(f"{bug.id}: expected\n{wanted}got\n{got}")
            told += wanted.count("\n  fix: ")
    assert not different, "\n".join(different)
    compared("launches of which run.c says what warpsim run does", 2 * len(bugs), at_least=94)
    compared("findings that run.c says as warpsim run does", told, at_least=60)  # one for each bug, not for each pair
    assert len(planted()) - len(bugs) <= 12


def test_bad_words_are_refused(runner: Path) -> None:
    transpose = str(KERNELS / "transpose.ptx")
    for given, why in (
        ((), "expected FILE.ptx KERNEL"),
        (("nowhere.ptx", "k", "1", "1", "0"), "nowhere.ptx: cannot be read"),
        ((transpose, "k", "1", "1", "0"), "k: no such kernel"),
        ((transpose, "transpose_square_f32", "1", "1", "0"), "expected one argument for each parameter"),
        ((transpose, "transpose_square_f32", "x", "1", "0", "1", "1", "1", "1"), "x: expected a number"),
        ((transpose, "transpose_square_f32", "1", "1", "4294967295", "1", "1", "1", "1"), "so much shared memory"),
        ((transpose, "transpose_square_f32", "1", "1", "4294963200", "1", "1", "1", "1"), "so much shared memory"),
    ):
        done = ended(runner, *given)
        assert done.returncode == 2 and why in done.stderr, done.stderr


def test_example_finds_what_python_finds(runner: Path) -> None:
    x, y = np.zeros(1024, np.float32), ws.uninitialized(1024, np.float32)
    report = ws.Module(KERNELS / "transpose.ptx")["transpose_square_f32"](1, (32, 8), (x, y, 32, 32))
    done = ended(
        runner, KERNELS / "transpose.ptx", "transpose_square_f32", "1", "32,8", "0", "4096B", "?4096B", "32", "32"
    )
    assert report.ok and (done.returncode, done.stdout) == (0, "")
