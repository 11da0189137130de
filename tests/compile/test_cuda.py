"""ws.compile: what NVRTC makes of CUDA C++ runs, and the source's names are known."""

import os
import pickle
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import EXAMPLES
from warpsim import cli
from warpsim.compile import toolkit
from warpsim.compile.source import parameters
from warpsim.testing.files import read

KERNELS = Path(__file__).with_name("kernels.cu")
EXPRESSION = "sums<int, 128>"
GEMM = EXAMPLES / "kernels" / "gemm.cu"

needs_nvrtc = pytest.mark.skipif(
    toolkit.nvrtc() is None and "CI" not in os.environ, reason="NVRTC is not installed: pip install 'warpsim[cuda]'"
)
Case = tuple[int, list[Any], Callable[[list[Any]], list[tuple[Any, Any]]]]


@cache
def module() -> ws.Module:
    return ws.compile(KERNELS, name=EXPRESSION, target="sm_80")


def cases() -> dict[str, Case]:
    """Kernel -> threads, arguments, and pairs of what it computed and what NumPy says."""
    random = np.random.default_rng(22)
    half = random.standard_normal(64).astype(np.float16)
    real = random.standard_normal(64, np.float32)
    small = random.integers(-4, 5, (2, 16, 16)).astype(np.float16)
    number = random.integers(-99, 99, 256).astype(np.int32)
    line = np.array([(1.5, 2.25)], np.dtype([("slope", "f4"), ("offset", "f8")], align=True))[0]

    def new(like: np.ndarray, dtype: Any = None) -> np.ndarray:
        return ws.uninitialized(like.shape, dtype or like.dtype)

    wide = np.float64(half) * 2 + np.float64(half)
    return {
        "halves": (32, [half, new(half), np.float16(2)], lambda a: [(a[1], wide.astype(np.float16))]),
        "rounded": (64, [real, new(real, np.uint16), new(real, np.uint8)], lambda a: [
            (a[1].view(ml_dtypes.bfloat16), real.astype(ml_dtypes.bfloat16)),
            (a[2].view(ml_dtypes.float8_e4m3fn), real.astype(ml_dtypes.float8_e4m3fn)),
        ]),
        "product": (32, [*small.copy(), new(small[0], np.float32)], lambda a: [(a[2], small[0] @ small[1])]),
        "turned": (64, [number, new(number)], lambda a: [(a[1], number.reshape(64, 4)[::-1].reshape(-1))]),
        "tiles": (256, [number, new(number)], lambda a: [(a[1], number.reshape(-1, 8).sum(1).repeat(8))]),
        "arrived": (96, [number, new(number)], lambda a: [(a[1][:96], np.roll(number[:96], -40))]),
        EXPRESSION: (128, [number, new(number[:1]), new(number)], lambda a: [
            (a[1], [number[:128].sum()]), (a[2][:128], number[:128].cumsum()),
        ]),
        "sorting::sorted": (64, [number.view(np.uint32), new(number)], lambda a: [
            (a[1].view(np.uint32), np.sort(number.view(np.uint32))),
        ]),
        "lines": (64, [line, new(real, np.float64)], lambda a: [(a[1], 1.5 * np.arange(64) + 2.25)]),
        "told": (1, [30, new(number[:1])], lambda a: [(a[1], [5])]),
    }  # fmt: skip


@pytest.mark.slow
@needs_nvrtc
def test_kernels_with_every_header_equal_numpy() -> None:
    assert set(module().kernels) == set(cases())
    count = 0
    for name, (threads, arguments, expected) in cases().items():
        report = module()[name](1, threads, arguments)
        assert report.ok and report.kernel == name, f"{name}: {report}"
        for got, wanted in expected(arguments):
            np.testing.assert_array_equal(got, wanted, err_msg=name)
            count += np.size(wanted)
    compared("elements that kernels with CUDA's headers computed", count, at_least=1500)


@needs_nvrtc
def test_names_of_the_source_are_known_to_lookups_messages_and_reports() -> None:
    told = module()["told"]
    assert [param.label for param in told.params] == ["n", "out"]
    assert module()["sums< int,128 >"] is module()[EXPRESSION] and module()["sorted"] is module()["sorting::sorted"]
    with pytest.raises(TypeError, match=r"^by: expected"):
        module()["halves"](1, 32, [None, None, "one"])
    report = told(1, 1, [-1, np.zeros(1, np.int32)])
    lines = KERNELS.read_text().splitlines()
    assert lines[report.findings[0].source_line - 1].strip() == "assert(n > 0);"
    assert "kernels.cu" in str(report) and told(1, 1, [20, np.zeros(1, np.int32)]).output == "10 of ten\n"
    again = pickle.loads(pickle.dumps(told))
    assert again.label == "told" and [param.label for param in again.params] == ["n", "out"]


TEXT = "#include <twice.h>\n__global__ void k(int *x) {\n    *x = twice(N) + lost;\n}\n"


@needs_nvrtc
def test_a_text_with_headers_and_options_compiles_and_its_lines_are_shown() -> None:
    options = {"headers": {"twice.h": "__device__ int twice(int n) { return 2 * n; }"}, "options": ["-DN=21"]}
    out = np.zeros(1, np.int32)
    report = ws.compile(TEXT.replace("+ lost", ""), **options)["k"](1, 1, [out])
    assert out[0] == 42 and "*x = twice(N) ;" in str(report)
    with pytest.raises(ws.CompileError) as caught:
        ws.compile(TEXT, **options)
    assert caught.value.errors == (("source.cu", 3, 'identifier "lost" is undefined'),)
    assert "    *x = twice(N) + lost;\n" in str(caught.value) and f"\n{' ' * 22}^" in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_messages_of_the_compiler_are_cut_and_the_log_is_whole() -> None:
    log = "\n".join(["x" * 5000] * 300)
    error = ws.CompileError(log, "nvcc failed")
    lines = str(error).split("\n")
    assert error.log == log and lines[0] == "nvcc failed" and len(lines[1]) == 1004
    assert len(lines) == 101 and lines[-1] == "and 201 more lines, which .log has"


@needs_nvrtc
def test_host_code_without_nvcc_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolkit, "nvcc", lambda: None)
    with pytest.raises(ws.CompileError, match="__CUDACC_RTC__"):
        ws.compile("#include <vector>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }")


def test_without_a_compiler_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolkit, "nvrtc", lambda: None)
    monkeypatch.setattr(toolkit, "nvcc", lambda: None)
    with pytest.raises(ImportError, match=r"pip install 'warpsim\[cuda\]'"):
        ws.compile("__global__ void k() {}")


def test_nvcc_takes_the_place_of_nvrtc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An nvcc that says what it was called with: the real one needs a C++ compiler."""
    ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z1kPi(.param .u64 p) { ret; }"
    fake = tmp_path / "nvcc"
    fake.write_text(
        "#!/bin/sh\ncase \"$*\" in *-DBAD*) echo 'source.cu(1): error: no'; exit 1;; esac\n"
        f"while [ $# -gt 1 ]; do shift; done\nprintf '{ptx}' >\"$1\"\n".replace("\n.", "\\n.")
    )
    fake.chmod(0o755)
    monkeypatch.setattr(toolkit, "nvrtc", lambda: None)
    monkeypatch.setattr(toolkit, "nvcc", lambda: str(fake))
    made = ws.compile("__global__ void k(int *out) {}")
    assert [param.label for param in made["k"].params] == ["out"]
    with pytest.raises(ws.CompileError, match="error: no") as caught:
        ws.compile("__global__ void k() {}", options="-DBAD")
    assert caught.value.errors == (("source.cu", 1, "no"),)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__global__ void k() {}", ()),
        ("__global__ void k(void);", ()),
        ("__global__ void __launch_bounds__(32 * (1 + 1)) k(float const *__restrict__ a, int b[4]) {}", ("a", "b")),
        ('extern "C" __global__ __cluster_dims__(1) void k(A<int, 2> a, int (*f)(int, int), T b = T(1, 2)) {}', "afb"),
        ("template <class T, int N = 2> static __global__ void k(T /* the, first */ a, unsigned) {}", ("a", "")),
        ("// __global__ void k(int no);\n__global__ void k(int yes);", ("yes",)),
    ],
)  # fmt: skip
def test_parameters_of_a_text(text: str, names: Sequence[str]) -> None:
    assert parameters(text) == {"k": {tuple(names)}}


def run(*words: str) -> int:
    shape = ["--grid", "2,2", "--block", "32,32", "--arg", "a=f32[64,64]:random(1)", "--arg", "b=f32[64,64]:random(2)"]
    return cli.main(["run", str(GEMM), *shape, "--arg", "c=f32[64,64]", "--arg", "n=64", *words])


@needs_nvrtc
def test_gemm_has_the_race_and_the_conflicts_at_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 1
    text = capsys.readouterr().out
    lines = GEMM.read_text().splitlines()
    conflict, fill, use = (1 + next(i for i, line in enumerate(lines) if word in line)
                           for word in ("a_tile[x][y] =", "b_tile[y][x] =", "sum +="))  # fmt: skip
    assert f"gemm.cu:{conflict}  a_tile[x][y] = a[row * n + k + x];" in text and "8,192    256" in text
    assert "error WS-RUN-017: race in shared memory: shared address 0x1000, 0 bytes into\n  b_tile" in text
    assert f"(gemm.cu:{fill})" in text and f"(gemm.cu:{use})" in text
    assert "after line 193 (gemm.cu:26), before the\n    next round of the loop" in text


@needs_nvrtc
def test_fixed_gemm_equals_numpy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shape = ["--grid", "2,2", "--block", "32,32", "--target", "sm_80", "-I", str(tmp_path)]
    random = np.random.default_rng(3)
    words = []
    a, b = random.integers(-8, 9, (2, 64, 64)).astype(np.float32)
    for name, value in (("a", a), ("b", b)):
        np.save(tmp_path / f"{name}.npy", value)
        words += ["--arg", f"{name}=f32[64,64]:{tmp_path / name}.npy"]
    words += ["--arg", "c=f32[64,64]", "--arg", "n=64", "--save", f"c={tmp_path}/c.npy"]
    assert cli.main(["run", str(GEMM), *shape, *words, "-D", "FIXED", "-DTILE=32"]) == 0
    assert "no findings" in capsys.readouterr().out
    assert np.array_equal(np.load(tmp_path / "c.npy"), a @ b)


@needs_nvrtc
def test_what_does_not_compile_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-D", "TILE=zz") == 2
    said = capsys.readouterr().err
    assert 'error: identifier "zz" is undefined' in said and "^" in said


@needs_nvrtc
def test_raw_kernel_is_called_as_cupys() -> None:
    code = """extern "C" __global__ void add(const float *x, float *y, int n) {
        extern __shared__ float s[];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        s[threadIdx.x] = x[i];
        if (i < n) y[i] += BY * s[threadIdx.x];
    }"""
    kernel = ws.RawKernel(code, "add", ("-DBY=3",), target="sm_80")
    x, y = np.arange(64, dtype=np.float32), np.ones(64, np.float32)
    report = kernel((2,), (32,), (x, y, np.int32(60)), shared_mem=128)
    assert report.ok and report.target == "sm_80"
    assert np.array_equal(y, np.where(np.arange(64) < 60, 1 + 3 * x, 1))


@needs_nvrtc
def test_launch_of_a_toml_file_compiles_cuda(tmp_path: Path) -> None:
    file = tmp_path / "gemm.warpsim.toml"
    launch = '[[launch]]\ncuda = "gemm.cu"\ngrid = 1\nblock = [32, 32]\nfail_on = ["conflicts"]\n'
    launch += 'args = { a = "f32[32,32]", b = "f32[32,32]", c = "f32[32,32]", n = 32 }\n'
    (tmp_path / "gemm.cu").write_bytes(GEMM.read_bytes())
    file.write_text(launch + launch.replace("n = 32 }", 'n = 32 }\noptions = ["-DFIXED"]'))
    wrong, fixed = read(file)
    assert any("gemm.cu:22" in one for one in wrong.failures()) and fixed.failures() == []
    file.write_text(launch.replace("n = 32 }", 'n = 32 }\noptions = ["-DTILE=zz"]'))
    with pytest.raises(ValueError, match=r"cuda: cannot compile 'gemm.cu': .*identifier \"zz\" is undefined"):
        read(file)[0].failures()
    file.write_text(launch.replace("grid", 'ptx = "x.ptx"\ngrid'))
    with pytest.raises(ValueError, match="expected ptx or cuda, not both"):
        read(file)
