"""What is said where a door is taken that does not fit: host code, arrays of other numbers, names of files as texts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import cli
from warpsim.compile import toolkit
from warpsim.compile.source import element_of
from warpsim.files import path_shown

HOSTED = (
    "#include <vector>\ntemplate <int N> __global__ void k(float *x) { *x = N; }\nint main() { k<3><<<1, 1>>>(0); }"
)


def test_what_nvrtc_said_of_host_code_is_told_where_nvcc_takes_no_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolkit, "nvcc", lambda: "/no/such/nvcc")
    with pytest.raises(ws.CompileError) as caught:
        ws.compile(HOSTED, name="k<3>")
    said = str(caught.value)
    assert "#ifndef __CUDACC_RTC__" in said and 'cannot open source file "vector"' in said
    assert "need NVRTC" not in said and said.count("catastrophic error:") == 1
    assert caught.value.errors[0][:2] == ("source.cu", 1)


def test_what_nvrtc_said_of_host_code_is_told_where_nvcc_fails_without_a_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "nvcc"
    fake.write_text("#!/bin/sh\necho 'nvcc fatal : no host compiler' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(toolkit, "nvcc", lambda: str(fake))
    with pytest.raises(ws.CompileError) as caught:
        ws.compile(HOSTED)
    said = str(caught.value)
    assert "no host compiler" in said and 'cannot open source file "vector"' in said and "__CUDACC_RTC__" in said


@pytest.mark.parametrize(
    ("declared", "element"),
    [
        ("float *x", "f32"), ("const float *__restrict__ x", "f32"), ("double const* const x", "f64"),
        ("int x[4]", "s32"),
        ("unsigned long long *x", "u64"), ("std::uint16_t *x", "u16"), ("const __half *x", "f16"), ("float x", ""),
        ("float **x", ""), ("float4 *x", ""), ("T *x", ""), ("const float (*x)[32]", ""), ("float &x", ""),
        ("char *x", ""),
    ],
)  # fmt: skip
def test_what_a_parameter_points_to(declared: str, element: str) -> None:
    assert element_of(declared) == element


def launch(declared: str, array: Any) -> None:
    ws.compile(f"__global__ void k({declared}) {{}}")["k"](1, 1, [array])


def test_an_array_of_other_numbers_than_the_source_points_to_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"x: expected an array of float32 for a pointer to f32, got float64; pass \.astype"
    ):
        launch("const float *x", np.zeros(4))
    with pytest.raises(TypeError, match=r"x: .*\.astype\(numpy\.int32\) for its values, or \.view\(numpy\.int32\)"):
        launch("int *x", np.arange(4))
    fine = [("float *x", np.float32), ("float *x", np.uint8), ("float *x", np.int32), ("float *x", np.complex64),
            ("T *x", np.float64), ("char *x", np.float64), ("unsigned char *x", np.float32)]  # fmt: skip
    for declared, dtype in fine:
        launch(declared.replace("T", "long2"), np.zeros(4, dtype))
    compared("arrays that fit or may", len(fine), at_least=7)


def test_kernels_of_a_ptx_text_take_arrays_of_any_numbers() -> None:
    text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) { ret; }"
    ws.Module(text)["k"](1, 1, [np.zeros(4)])


def test_the_command_names_the_parameter_of_other_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(float *x) {}")
    assert cli.main(["run", str(file), "--arg", "x=f64[4]", "--grid", "1", "--block", "1"]) == 2
    assert "x: expected an array of float32 for a pointer to f32, got float64" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["/x.ptx", "folder/kernel.CU", "tile.cuh"])
def test_the_name_of_a_file_as_a_text_is_told(name: str) -> None:
    for call in (ws.Module, ws.compile):
        with pytest.raises(ValueError, match=rf"got the name of a file; pass pathlib\.Path\('{name}'\)"):
            call(name)
    with pytest.raises(TypeError, match="pass its text"):
        ws.lint(Path(name))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a/b.cu", "'a/b.cu'"), (r"C:\a\b.cu", r"'C:\a\b.cu'"), ("it's.cu", '"it\'s.cu"'), ("a\nb", r"'a\nb'"),
        ("\"'", "'\"\\''"), ("ü.cu", "'ü.cu'"),
    ],
)  # fmt: skip
def test_a_path_is_shown_as_it_is(path: str, shown: str) -> None:
    assert path_shown(path) == shown


def test_a_file_is_called_as_it_is_however_the_ptx_writes_it(tmp_path: Path) -> None:
    folder = tmp_path / "it's \\ ü"
    folder.mkdir()
    file = folder / 'a\\b "é".cu'
    file.write_text(
        "__global__ void k(int *y) {\n__shared__ int s[64];\ns[threadIdx.x] = 1;\n*y = s[63 - threadIdx.x];\n}"
    )
    report = ws.compile(file)["k"](1, 64, [np.zeros(1, np.int32)])
    one = next(one for one in report.findings if one.rule == "WS-RUN-017")
    assert one.source == str(file) and f"({file.name}:3)" in one.message and f"({file.name}:4)" in one.fix
    assert "s[threadIdx.x] = 1;" in str(report)


def test_a_type_of_another_language_is_told_by_its_name_in_ptx(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(int *x) {}")
    assert cli.main(["run", str(file), "--arg", "x=i32[4]", "--grid", "1", "--block", "1"]) == 2
    assert "got 'i32'; did you mean s32?" in capsys.readouterr().err
    with pytest.raises(TypeError, match="did you mean s16"):
        ws.uninitialized(4, "i16")
