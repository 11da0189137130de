"""Small texts that took minutes or gigabytes: what reading them takes grows with their length."""

import resource
import time

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

SOON_SECONDS = 10.0
MOST_KIB = 1 << 20  # more than before
HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
ENTRY = ".visible .entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %d; ld.param.u64 %d, [p];"


def guesses(loads: int, chain: int) -> str:
    """A compare-and-swap, loads of its place, and copies of copies against the order of the statements."""
    copies = "".join(f"mov.b32 %q{n + 1}, %q{n};" for n in reversed(range(chain)))
    loaded = "ld.global.u32 %q0, [%d];" * loads
    return f"{HEAD}{ENTRY} .reg .b32 %q<{chain + 1}>; atom.global.cas.b32 %r0, [%d], 1, 2; {copies}{loaded} ret; }}"


def long_path(letters: int, findings: int) -> str:
    """Findings in a chain of calls out of a file of a library, whose name is long."""
    chain = "".join(
        f".loc 1 {n + 1} 0, function_name $L{n}, inlined_at 1 {n} 0\n" if n else ".loc 1 1 0\n" for n in range(31)
    )
    stores = "".join(f"{chain}st.global.u32 [%d+{4096 + 4 * n}], 1;\n" for n in range(findings))
    name = "/x" * (letters // 2) + "/numba_cuda/x.cu"
    names = "".join(f"$L{n}: .b8 102, 0\n" for n in range(1, 31))
    section = f".section .debug_str {{\n{names}}}\n"
    return f'{HEAD}.file 1 "{name}"\n{ENTRY}\n{stores}ret; }}\n{section}'


def results(values: int, returns: int) -> str:
    """A function that returns so many registers at so many places."""
    held = ", ".join(f".reg .b32 a{n}" for n in range(values))
    taken = ", ".join(f"%a{n}" for n in range(values))
    call = f".reg .b32 %a<{values}>; call ({taken}), f; ret; }}"
    return f"{HEAD}.func ({held}) f() {{ {'ret;' * returns} }}\n{ENTRY} {call}"


@pytest.mark.parametrize("text", [guesses(400, 4000), long_path(600_000, 100)], ids=("guesses", "path"))
def test_a_small_text_is_read_soon(text: str) -> None:
    begin = time.monotonic()
    ws.Module(text)["k"](1, 1, [np.zeros(16, np.uint32)])
    assert time.monotonic() - begin < SOON_SECONDS
    compared("small texts that took long", 1, at_least=1)


@pytest.mark.parametrize(("values", "returns", "fits"), [(100, 100, True), (2000, 8000, False)])
def test_results_in_registers_take_little_memory(values: int, returns: int, fits: bool) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kernel = ws.Module(results(values, returns))["k"]
    if fits:
        assert kernel(1, 1, [np.zeros(1, np.uint32)]).ok
    else:
        with pytest.raises(ws.PtxSyntaxError, match=r"this kernel has too many (steps|operands)"):
            kernel(1, 1, [np.zeros(1, np.uint32)])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_KIB


def test_a_guess_of_a_real_loop_is_one() -> None:
    """The bound is far from what kernels have: atomicAdd of doubles, by compare-and-swap, is no race."""
    loop = (
        "ld.global.b64 %e0, [%d];\nL: mov.b64 %f0, %e0; add.f64 %f1, %f0, 0d3ff0000000000000; mov.b64 %e1, %f1;"
        "atom.global.cas.b64 %e2, [%d], %e0, %e1; setp.ne.b64 %p, %e2, %e0; mov.b64 %e0, %e2; @%p bra L;\n"
    )
    text = f"{HEAD}{ENTRY} .reg .b64 %e<3>; .reg .f64 %f<2>; .reg .pred %p; {loop}ret; }}"
    out = np.zeros(1, np.float64)
    report = ws.Module(text)["k"](4, 64, [out])
    assert not [f for f in report.findings if f.severity == "error"] and out[0] == 256
