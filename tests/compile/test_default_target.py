"""What compiles for a GPU compiles for one and the same, where nobody names another."""

import inspect
import os

import pytest

import warpsim as ws
from warpsim.compile import toolkit
from warpsim.targets import USUAL_TARGET

COMPILERS = {
    "compile": ws.compile, "RawKernel": ws.RawKernel, "triton": ws.triton, "triton.tune": ws.triton.tune,
    "triton.patch": ws.triton.patch, "numba": ws.numba,
}  # fmt: skip


@pytest.mark.parametrize("name", COMPILERS)
def test_default_target_is_sm_90(name: str) -> None:
    assert inspect.signature(COMPILERS[name]).parameters["target"].default == USUAL_TARGET == "sm_90"


@pytest.mark.skipif(toolkit.nvrtc() is None and "CI" not in os.environ, reason="NVRTC is not installed")
def test_ptx_of_a_text_without_a_target_is_that_of_sm_90() -> None:
    assert ws.compile("__global__ void k() {}").targets == ("sm_90",)
