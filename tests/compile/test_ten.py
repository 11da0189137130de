"""Ten usual Triton functions: what runs here equals what Triton's interpreter computes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("triton")
pytest.importorskip("torch")

import warpsim as ws
from tests.compile import triton_ten
from tests.support.evidence import compared
from tests.support.paths import ROOT

pytestmark = pytest.mark.filterwarnings("ignore")
PATIENCE_SECONDS = 200


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """What the interpreter computes, in a process of its own: the choice is made when Triton is imported."""
    file = tmp_path_factory.mktemp("interpreted") / "results.npz"
    command = [sys.executable, "-m", triton_ten.__name__, str(file)]
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=PATIENCE_SECONDS, capture_output=True)
    assert Path(file).stat().st_size > 0
    return dict(np.load(file))


@pytest.mark.parametrize("name", list(triton_ten.cases()))
def test_triton_function_equals_the_interpreter(name: str, interpreted: dict[str, np.ndarray]) -> None:
    case = triton_ten.cases()[name]()
    report = ws.triton(case.function, *case.arguments, target=case.target, **case.options)
    assert not [one for one in report.findings if one.severity != "note"], report
    for number, found in enumerate(triton_ten.results(case)):
        expected = interpreted[f"{name}|{number}"]
        assert np.abs(expected).max() > 0
        if case.bound:
            np.testing.assert_allclose(found, expected, rtol=case.bound, atol=case.bound)
        else:
            assert np.array_equal(found, expected)
            compared("elements equal to those of Triton's interpreter", found.size, at_least=7_000)


def test_there_are_ten() -> None:
    assert len(triton_ten.cases()) == 10
