"""What ws.compile takes from the source and from an nvcc command line: names, templates, options."""

import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from warpsim import cli
from warpsim.compile import toolkit
from warpsim.compile.options import harmless, of_nvrtc
from warpsim.compile.source import parameters, templates
from warpsim.testing.files import read

needs_nvrtc = pytest.mark.skipif(
    toolkit.nvrtc() is None and "CI" not in os.environ, reason="NVRTC is not installed: pip install 'warpsim[cuda]'"
)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("__global__ void k(int*, int); __global__ void k(int *a, int b) {} __global__ void k(int*, int);", ["a b"]),
        ("template <class T> __global__ void k(T *q) {} template __global__ void k<float>(float *);", ["q"]),
        ("__global__ void k(int *x); __global__ void k(int *a, int b) {}", ["x", "a b"]),
        ("__global__ void k(int *x, int y); __global__ void k(int *, int);", ["", "x y"]),
        ("__global__ void k(int *x) noexcept { } __global__ void k(int *z);", ["x"]),
    ],
)
def test_the_names_are_those_of_the_body(text: str, known: Sequence[str]) -> None:
    found = {" ".join(names).strip() for names in parameters(text)["k"]}
    assert found == set(known)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("template <int N> __global__ void k(int *x) {}", {"k": "k<32>"}),
        ("#include <a>\ntemplate<typename T,bool B,int n=4>\n__global__ void k();", {"k": "k<float, true, 32>"}),
        ("template <class... T> __launch_bounds__(32) __global__ void k(T... x) {}", {"k": "k<float>"}),
        ("template <template <class> class C> __global__ void k() {}", {"k": "k<...>"}),
        ("template <> __global__ void k<3>(int *x) {} template __global__ void k<4>(int *);", {}),
        ("template <int N> __device__ int f() { return N; } __global__ void k() {}", {}),
        ("template <int N> __global__ void __launch_bounds__(N) k(int *x) {} __global__ void j() {}", {"k": "k<32>"}),
    ],
)
def test_templates_of_a_text(text: str, known: dict[str, str]) -> None:
    assert templates(text) == known


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["a", "__global__ ", "__global__ f(", "a<", "a<b>", "template <"])
def test_names_of_a_long_text_are_found_soon(piece: str) -> None:
    began = time.process_time()
    templates("__global__ " + piece * (200_000 // len(piece)) + " k(int *p) {}")
    assert time.process_time() - began < 3


BINS = """template <int BINS> __global__ void hist(const signed char *data, unsigned *out) { out[data[0] % BINS] = 1; }
template <typename T, int N> __global__ void other(T *x) { *x = N; }
"""


@needs_nvrtc
@pytest.mark.parametrize("name", [None, "hist<64>"])
def test_an_explicit_instance_has_the_names_of_its_template(name: str | None) -> None:
    module = ws.compile(BINS + "template __global__ void hist<64>(const signed char *, unsigned *);", name=name)
    kernel = module["hist"]
    assert [param.source_name for param in kernel.params] == ["data", "out"]
    assert [param.element for param in kernel.params] == ["", "u32"]
    with pytest.raises(KeyError, match=r"no kernel 'other'; other is a template: .* such as 'other<float, 32>'"):
        module["other"]


@needs_nvrtc
def test_a_file_of_templates_says_how_one_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bins.cu").write_text(BINS)
    file, how = tmp_path / "l.warpsim.toml", "hist is a template: name an instance of it, such as 'hist<32>'"
    launch = ["run", str(tmp_path / "bins.cu"), "--grid", "1", "--block", "1", "--arg", "data=u8[1]"]
    launch += ["--arg", "out=u32[64]"]
    for more, said in (([], f"the file has no kernel; {how}"), (["--kernel", "hist"], f"no kernel 'hist'; {how}")):
        assert cli.main([*launch, *more]) == 2
        assert said in capsys.readouterr().err
    assert cli.main([*launch, "--kernel", "hist<32>"]) == 0
    for more, said in (("", f"bins.cu has no kernel; {how}"), ('kernel = "hist"', f"none is 'hist'; {how}")):
        file.write_text(f'[[launch]]\ncuda = "bins.cu"\ngrid = 1\nblock = 1\nargs = []\n{more}')
        with pytest.raises(ValueError, match=re.escape(said)):
            read(file)[0].failures()


#: what a file may give, in every spelling of nvcc's
OF_NVCC = """-DX -DX=1 --define-macro=X -define-macro=X=(1) -UX --undefine-macro=X -undefine-macro=X -std=c++17
--std=c++17 -O -O0 -O1 -O2 -O3 --optimize=3 -optimize=3 -maxrregcount=32 --maxrregcount=32 --use_fast_math
-use_fast_math -lineinfo --lineinfo --generate-line-info -generate-line-info --device-debug -device-debug
--restrict -restrict --disable-warnings -disable-warnings --device-int128 -device-int128
--expt-relaxed-constexpr -expt-relaxed-constexpr --extended-lambda -extended-lambda --expt-extended-lambda
-expt-extended-lambda -w -G --fmad=false -fmad=true --ftz=true -prec-div=true -prec-sqrt=false
--extra-device-vectorization=true -extra-device-vectorization=false -I. --include-path=. -include-path=."""
IN_PAIRS = (
    "-D X",
    "--define-macro X=1",
    "-U X",
    "-I .",
    "--optimize 3",
    "-optimize 0",
    "-std c++17",
    "--maxrregcount 32",
)


@needs_nvrtc
@pytest.mark.parametrize("option", [*OF_NVCC.split(), *IN_PAIRS])
def test_what_a_file_may_give_compiles(option: str) -> None:
    """NVRTC has no -O3, which is about host code, and writes some others in one way alone."""
    given = option.split()
    harmless(given, Path())
    assert "k" in ws.compile("__global__ void k() {}", options=given)


def test_what_nvrtc_has_stays_as_it_is() -> None:
    own = ["-Xptxas", "-O3", "-DA=-O3", "-I-O3", "--Ofast-compile=max", "-O4", "--dopt=on"]
    assert of_nvrtc(["-I", "-O3", *own, "-O3"]) == ["-I-O3", *own]


STEERS = '__global__ void k() {}\n#%s "a\x1b[31mred\u202eb"\n'


@needs_nvrtc
def test_what_a_compiler_quotes_steers_no_terminal() -> None:
    with pytest.raises(ws.CompileError) as caught:
        ws.compile(STEERS % "error")
    warned = ws.compile(STEERS % "warning").log
    for text in (str(caught.value), caught.value.log, caught.value.errors[0][2], warned):
        assert 'a\ufffd[31mred\ufffdb"' in text and not set("\x1b\u202e") & set(text)
    assert str(ws.CompileError("a\tb\r\nc", "d\x07")) == "d\ufffd\na\tb\nc"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"source": "__global__ void k() {}\n\0lost"}, "source: expected text, got a zero byte in line 2: remove it"),
        ({"source": b"\0"}, "source: expected text, got a zero byte in line 1"),
        ({"options": ["-DX=1\0"]}, "options: expected text, got a zero byte"),
        ({"name": "k<\0>"}, "name: expected text, got a zero byte"),
        ({"headers": {"a.h": "\n\n\0"}}, "headers: expected text, got a zero byte in line 3"),
        ({"headers": {1: "x"}}, "headers: expected a mapping from names to texts, got a name that is an int"),
        ({"headers": {"a.h": b"x"}}, "headers: expected a mapping from names to texts, got a text that is a bytes"),
        ({"headers": ["a.h"]}, "headers: expected a mapping from names to texts, got list"),
    ],
)
def test_what_no_compiler_would_read_is_refused(given: dict[str, Any], said: str) -> None:
    """C ends a text at a zero byte: what came after it was lost without a word."""
    with pytest.raises((TypeError, ValueError), match=re.escape(said)):
        ws.compile(**{"source": "__global__ void k() {}", **given})


@needs_nvrtc
def test_hidden_lines_say_what_shows_them(tmp_path: Path) -> None:
    """A launch file shows none of a folder that it names itself; a caller's own -I does."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.h").write_text("int secret is wrong;\n")
    own = tmp_path / "own"
    own.mkdir()
    (own / "k.cu").write_text('#include "a.h"\n__global__ void k() {}\n')
    launch = own / "l.warpsim.toml"
    launch.write_text('[[launch]]\ncuda = "k.cu"\ngrid = 1\nblock = 1\nargs = []\noptions = ["-I../other"]\n')
    with pytest.raises(ValueError, match=r"outside of the folders of the source; call ws\.compile to see more"):
        read(launch)[0].failures()
    with pytest.raises(ws.CompileError, match="secret is wrong"):
        ws.compile(own / "k.cu", options=[f"-I{tmp_path / 'other'}"])
    (own / "k.cu").write_text(f'#include "{tmp_path / "other" / "a.h"}"\n__global__ void k() {{}}\n')
    with pytest.raises(ws.CompileError, match="outside of the folders of the source; name its folder with -I to see"):
        ws.compile(own / "k.cu")
