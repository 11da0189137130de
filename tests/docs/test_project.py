"""examples/project: the steps of its workflow, run here in a copy of it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import EXAMPLES
from warpsim.compile import toolkit

PROJECT = EXAMPLES / "project"
WORKFLOW = PROJECT / ".github" / "workflows" / "kernels.yml"
PATIENCE_SECONDS = 200


def steps() -> list[str]:
    """The commands of the workflow; a folded one in one line."""
    found = re.findall(r"^ +run: (?:>-\n((?: {10}.*\n)+)|(.*)\n)", WORKFLOW.read_text(), re.MULTILINE)
    return [" ".join(folded.split()) if folded else line for folded, line in found]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    if toolkit.nvrtc() is None and toolkit.nvcc() is None:
        pytest.skip("no compiler of CUDA C++: pip install 'warpsim[cuda]'")
    return Path(shutil.copytree(PROJECT, tmp_path / "project", ignore=shutil.ignore_patterns("__pycache__", ".*cache")))


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTEST_ADDOPTS": ""}
    return subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
        check=False,
    )  # fmt: skip


def test_workflow_has_three_commands() -> None:
    assert [command.split()[0] for command in steps()] == ["pip", "pytest", "warpsim"]
    assert steps()[0] == "pip install 'warpsim[cuda,test]'"


@pytest.mark.slow
def test_steps_of_the_workflow_pass(project: Path) -> None:
    for command in steps()[1:]:
        done = run(command, project)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert "gemm" in (project / "gemm.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "instead", "said", "failed"),
    [
        ("        __syncthreads(); // before the next round stores\n", "", "race", 3),
        ("[TILE + 1]", "[TILE]", "conflict", 4),
    ],
)
def test_a_mistake_makes_the_workflow_fail(project: Path, line: str, instead: str, said: str, failed: int) -> None:
    source = project / "kernels" / "gemm.cu"
    text = source.read_text()
    assert text.count(line) == 1
    source.write_text(text.replace(line, instead))
    done = run(steps()[1], project)
    assert done.returncode == 1 and said in done.stdout and f"{failed} failed" in done.stdout  # n = 32 has one round
