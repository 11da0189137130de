"""Cython projects outside the tree cimport from the installed warpsim, with both backends."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tools import consumers
from tools.consumers import ROOT

pytestmark = pytest.mark.slow

PTX = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
#: folder of examples/ -> the options of its backend that make the build a quick one
EXAMPLES = {"cython_consumer": (), "scikit_build_consumer": ("--config-settings=cmake.build-type=Debug",)}
RUN = """
import json, sys
import numpy as np
{import_line}
print(json.dumps({expression}))
assert not any(name.split(".")[0] == "warpsim" for name in sys.modules)
try:
    {wrong}
except ValueError as error:
    print(error)
"""


def built(name: str, folder: Path) -> Path:
    """Where the example is installed, from a copy outside of the tree."""
    copy = shutil.copytree(ROOT / "examples" / name, folder / name)
    target = folder / "installed"
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps")
    more = ("--no-index", "--disable-pip-version-check", "--root-user-action=ignore")
    tools = str(Path(sys.executable).parent)
    consumers.run(
        *pip, *more, *EXAMPLES[name], "--target", target, copy, cwd=folder,
        CFLAGS="-O0", PATH=f"{tools}:{consumers.PATH}",
    )  # fmt: skip
    return target


def said(target: Path, import_line: str, expression: str, wrong: str) -> tuple[object, str]:
    """The value of an expression in a new process, and the message of a wrong call."""
    code = RUN.format(import_line=import_line, expression=expression, wrong=wrong)
    value, message = consumers.run(sys.executable, "-c", code, cwd=target).splitlines()
    return json.loads(value), message


def test_setuptools_module_counts_as_python_does(tmp_path: Path) -> None:
    target = built("cython_consumer", tmp_path)
    addresses = np.arange(32) * np.array([16, 128, 144])[:, None]
    expression = (
        f"[bank_conflicts('{PTX}', (np.arange(32) * np.array([16, 128, 144])[:, None])"
        ".astype(np.uint32), out := np.zeros(3, np.uint64)), *out.tolist()]"
    )
    wrong = "bank_conflicts('nonsense', np.zeros((1, 32), np.uint32), np.zeros(1, np.uint64))"
    value, message = said(target, "from bank_conflicts import bank_conflicts", expression, wrong)
    counted = ws.parse(PTX).traffic(addresses).bank_conflicts
    assert value == [int(counted.sum()), *counted.tolist()]
    assert "unknown instruction 'nonsense'" in message
    compared("warps counted by a Cython consumer", len(counted), at_least=3)


def test_scikit_build_module_counts_as_python_does(tmp_path: Path) -> None:
    target = built("scikit_build_consumer", tmp_path)
    pads = range(0, 33, 8)
    expression = f"pad_costs('{PTX}', 128, 64, 16, range(0, 33, 8))"
    wrong = f"pad_costs('{PTX}', 128, 60, 16, [0])"
    value, message = said(target, "from pad_costs import pad_costs", expression, wrong)
    op = ws.parse(PTX)
    tiles = {pad: ws.Layout(128, 64, "f16", pad=pad) for pad in pads}
    counted = {pad: op.traffic(ws.tile_steps(op, tile)).sum() for pad, tile in tiles.items()}
    assert value == {str(pad): int(total.wavefronts) for pad, total in counted.items()}
    assert "cols: ldmatrix takes whole blocks of matrices; expected a multiple of 16" in message
    compared("tiles counted by a Cython consumer", len(counted), at_least=5)


def test_declarations_name_no_class() -> None:
    """A class of Cython there would be imported by every module that cimports from it."""
    package = Path(str(ws.__file__)).parent
    text = (package / "__init__.pxd").read_text() + (package / "_core" / "core.pxd").read_text()
    assert "cdef class" not in text


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_says_that_it_needs_warpsim(name: str) -> None:
    assert '"warpsim>=' in (ROOT / "examples" / name / "pyproject.toml").read_text()
