"""Grids that are expressions of a kernel's arguments, and what surrounds autotuning without Triton."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpsim as ws
from warpsim.compile.grid import grid_of
from warpsim.compile.tuning import Tuned, Tuning
from warpsim.machine import cubin

COPY = """.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 x)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [x];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    st.global.u32 [%rd3+128], %r2;
    ret;
}
"""


@given(st.integers(0, 10**6), st.integers(1, 1000), st.integers(1, 9))
def test_grid_is_what_python_computes(n: int, width: int, other: int) -> None:
    values = {"n": n, "width": np.int32(width), "m": other}
    assert grid_of("cdiv(n, width), m")(values) == (-(-n // width), other)
    assert grid_of("(n + width - 1) // width * m % 7, max(m, 2), min(n, 3)")(values) == (
        (n + width - 1) // width * other % 7, max(other, 2), min(n, 3),
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "cdiv(n", "n.real", "__import__('os')", "2 ** 9", "[n]", "cdiv(n, b=2)", "'a'", "n / 2", "1.5", "True"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        grid_of(text)({"n": 4})


def test_grid_names_what_is_missing() -> None:
    with pytest.raises(ValueError, match=r"'lost' is not a whole number among the arguments; these are: n"):
        grid_of("cdiv(lost, 2)")({"n": 4, "x": np.zeros(3)})
    with pytest.raises(ValueError, match="division"):
        grid_of("cdiv(n, 0)")({"n": 4})


def launched(blocks: int | None = None) -> ws.KernelReport:
    return ws.Module(COPY)["copy"](300, 32, (np.zeros(64, np.int32),), blocks=blocks, check=False)


def test_bound_is_of_the_whole_grid_though_a_part_ran() -> None:
    whole, part = (launched(blocks).bounds("sm_80") for blocks in (None, 3))
    assert {pipe.name: pipe.written for pipe in whole if pipe.name != "DRAM"} == {
        "issue": 5, "ALU": 3 * 2, "LSU data": 3 * 8 / 4, "L1 sectors": 3 * 8 / 16, "L2": 3 * 8 / 2,
    }  # fmt: skip
    assert [pipe.written for pipe in part] == [pipe.written for pipe in whole]
    assert (whole.gpu, whole.sms, whole.blocks, whole.ran, part.ran, whole.warps) == ("A100", 108, 300, 300, 3, 1)
    assert "3 of 300 blocks ran" in part.notes[0] and part["issue"] == whole["issue"]


def test_configurations_without_a_launch_have_a_reason() -> None:
    report = launched()
    first = Tuned("a=1", {"a": 1}, report=report, grid=report.grid, cycles=12.0, bound_by="global memory")
    second = Tuned("a=2", {"a": 2}, "it is too large")
    tuning = Tuning("copy", "sm_80", "A100", 108, (first, second))
    assert tuning.best is first and tuning.failed == (second,) and list(tuning) == [first, second]
    assert second.counters == {} and not second.ok and second.excess == 0
    assert "did not run:\n  a=2: it is too large" in str(tuning)
    assert tuning.to_dict()["configurations"][1]["reason"] == "it is too large"


def elf(kernel: str, registers: int) -> bytes:
    """A file of the assembler with what matters: sections of names, symbols and attributes."""
    names = b"\0.nv.info\0.symtab\0.strtab\0.shstrtab\0"
    strings = b"\0" + kernel.encode() + b"\0"
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0, 0, 0, 0, 0)
    info = struct.pack("<BBHIIBBHII", 4, 0x11, 8, 1, 0, 4, 0x2F, 8, 1, registers)
    parts = [(b"", 0, 0), (info, names.index(b".nv.info"), 1), (symbols, names.index(b".symtab"), 2),
             (strings, names.index(b".strtab"), 3), (names, names.index(b".shstrtab"), 3)]  # fmt: skip
    body, headers = b"", []
    for data, name, kind in parts:
        headers.append(struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, 64 + len(body), len(data), 3, 0, 0, 24))
        body += data
    head = b"\x7fELF".ljust(40, b"\0") + struct.pack("<Q", 64 + len(body)) + bytes(10)
    return head + struct.pack("<HHH", 64, len(headers), 4) + body + b"".join(headers)


@given(st.integers(0, 255), st.integers(0, 400))
def test_registers_are_those_of_the_kernel(registers: int, cut: int) -> None:
    file = elf("gemm", registers)
    assert cubin.registers(file, "gemm") == registers
    assert cubin.registers(file, "gem") is None
    assert cubin.registers(file[:cut], "gemm") in (None, registers)
