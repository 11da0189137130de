"""What files may do: which of them are read, which run a program, what is shown of them, and how they are written."""

import io
import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.process import BIN, ended
from warpsim import files
from warpsim.compile import nvcc, toolkit
from warpsim.compile.log import HIDDEN
from warpsim.compile.options import harmless
from warpsim.sources import Sources
from warpsim.testing.files import read

SECRET = "hunter2"
PTX = """.version 8.6
.target sm_90a
.address_size 64
.file 1 "{file}"
.visible .entry k(.param .u64 o) {{
.reg .b64 %d;
ld.param.u64 %d, [o];
.loc 1 1 0
st.global.u32 [%d], 7;
ret; }}
"""
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="links, limits and /dev of Linux")
NVRTC = pytest.mark.skipif(toolkit.nvrtc() is None, reason="NVRTC is not installed")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a PTX file's sources, beside files that are none of its business."""
    (tmp_path / "secret.py").write_text(f'KEY = "{SECRET}"\n')
    inside = tmp_path / "project"
    (inside / "src").mkdir(parents=True)
    (inside / "src" / "k.cu").write_text("x[0] = 7; // shown\n")
    (inside / "link.py").symlink_to(tmp_path / "secret.py")
    (inside / "up").symlink_to(tmp_path)
    return inside


def page(module: ws.Module) -> str:
    report = module["k"](1, 32, [np.zeros(1, np.uint32)])
    texts = "".join(filter(None, report.source_texts))
    return texts + report.html() + str(report) + json.dumps(report.to_dict()) + report.csv(view="source")


def test_a_source_file_of_many_names_is_read_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["src/k.cu", "./src/k.cu", "src/../src/k.cu", "src/./k.cu"]
    sources = Sources([project])
    found = [sources.text(name) for name in names]
    assert found[0] is not None and all(text is found[0] for text in found)
    (project / "src" / "h.cu").write_text("x" * 10)
    for most, is_read in ((len(found[0]) + 9, False), (len(found[0]) + 10, True)):
        monkeypatch.setattr("warpsim.sources.MOST_OF_ALL", most)
        sources = Sources([project])
        assert sources.text("src/k.cu") == found[0] and (sources.text("src/h.cu") is not None) == is_read


@ON_LINUX
def test_source_files_outside_of_the_folders_are_not_read(project: Path) -> None:
    names = ("../secret.py", str(project.parent / "secret.py"), "link.py", "up/secret.py", "src/../../secret.py",
             "./up/../up/secret.py", str(project / "link.py"), "/proc/self/environ.py", "/dev/zero.c")  # fmt: skip
    for name in names:
        (project / "k.ptx").write_text(PTX.format(file=name))
        for module in (ws.Module(project / "k.ptx"), ws.Module(PTX.format(file=name)),
                       ws.Module(PTX.format(file=name), sources=project)):  # fmt: skip
            assert SECRET not in page(module), name
    compared("names of source files outside", 3 * len(names), at_least=27)


def test_files_of_the_folder_that_are_no_source_code_are_not_read(project: Path) -> None:
    names = ("key.pem", ".env", "secret", "secret.txt", "secret.cu.txt", "secret.json")
    for name in names:
        (project / name).write_text(SECRET)
        (project / "k.ptx").write_text(PTX.format(file=name))
        assert SECRET not in page(ws.Module(project / "k.ptx")), name
    compared("names of files that are no source code", len(names), at_least=6)


@ON_LINUX
def test_source_files_below_the_folders_are_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(file: object, module_of: Any) -> bool:
        (project / "k.ptx").write_text(PTX.format(file=file))
        return "shown" in page(module_of(PTX.format(file=file)))

    there = str(project / "src" / "k.cu")
    for name in ("src/k.cu", there, "./src/../src/k.cu"):
        assert shown(name, lambda _: ws.Module(project / "k.ptx")), name
        assert shown(name, lambda text: ws.Module(text, sources=project)), name
        assert shown(name, lambda text: ws.Module(text, sources=["/nowhere", str(project)])), name
    assert not shown("src/k.cu", ws.Module) and not shown(there, ws.Module)
    assert not shown(there, lambda text: ws.Module(text, sources=project / "nowhere"))
    monkeypatch.chdir(project / "src")
    assert not shown("k.cu", ws.Module), "the working directory is no folder that the caller names"
    assert shown("/build/agent/k.cu", lambda text: ws.Module(text, sources=project / "src")), "by its last name"
    for wrong in (5, [5], None, {"a": 1}):
        with pytest.raises(TypeError, match="sources"):
            ws.Module(PTX.format(file="a.cu"), sources=wrong)  # type: ignore[arg-type]


def test_a_file_is_read_to_the_limit_and_one_byte_beyond_it(tmp_path: Path) -> None:
    asked: list[int] = []

    class Endless(io.BytesIO):
        def read(self, count: int | None = -1, /) -> bytes:
            assert count is not None
            asked.append(count)
            return bytes(max(count, 0))

    path = tmp_path / "endless"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.open", lambda *_: Endless())
        with pytest.raises(ValueError, match="at most 1 MiB"):
            files.contents(path, files.MIB)
    assert asked == [files.MIB + 1]
    for more in (0, 1):
        path.write_bytes(bytes(files.MIB + more))
        with pytest.raises(ValueError, match="at most 1 MiB") if more else nullcontext():
            assert len(files.contents(path, files.MIB)) == files.MIB


@pytest.mark.slow
@ON_LINUX
def test_the_command_shows_files_below_the_ptx_file_and_named_folders(project: Path) -> None:
    (project / "build").mkdir()
    (project / "build" / "k.ptx").write_text(PTX.format(file="../src/k.cu"))
    asked = ("run", "build/k.ptx", "--grid", "1", "--block", "1", "--arg", "0=u32[1]", "-o", "page.html")
    for more, is_shown in (((), False), (("--sources", "src"), True), (("--sources", "."), True)):
        assert ended(BIN / "warpsim", *asked, *more, cwd=project).returncode == 0
        assert ("shown" in (project / "page.html").read_text()) is is_shown, more


@NVRTC
@ON_LINUX
def test_a_cuda_file_shows_what_it_includes_and_no_other_file(project: Path) -> None:
    (project / "helper.cuh").write_text("__device__ inline int helper(int x) { return x + 7; } // shown\n")
    (project / "k.cu").write_text(
        '#include "helper.cuh"\nextern "C" __global__ void k(int *o) { o[0] = helper(o[0]); }\n'
    )
    assert "shown" in page(ws.compile(project / "k.cu"))
    path = project.parent / "secret.py"
    (project / "k.cu").write_text(f'#include "{path}"\nextern "C" __global__ void k(int *o) {{ o[0] = 1; }}\n')
    with pytest.raises(ws.CompileError) as caught:
        ws.compile(project / "k.cu")
    assert f"{path}(1): error in a file outside" in str(caught.value) and SECRET not in str(caught.value)
    with pytest.raises(ws.CompileError, match=SECRET):
        ws.compile(project / "k.cu", options=["-I", str(project.parent)])
    line = f'#line 1 "{path}"\nextern "C" __global__ void k(int *o) {{ o[0] = 1; }}\n'
    assert SECRET not in page(ws.compile(line))


@NVRTC
@ON_LINUX
def test_errors_in_texts_of_the_caller_are_shown(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In `headers=`, and in the names of instances; a file that is called like these is a file like any other."""
    text = '#include "a.h"\ntemplate <typename T> __global__ void k(T *o) { o[0] = f(); }\n'
    wrong, right = "inline __device__ int f() { return missing; }", "inline __device__ int f() { return 1; }"
    with pytest.raises(ws.CompileError, match='"missing" is undefined'):
        ws.compile(text, headers={"a.h": wrong})
    for name in ("nope<int>", "k<nope>"):
        with pytest.raises(ws.CompileError, match='"nope" is undefined'):
            ws.compile(text, name=name, headers={"a.h": right})
    monkeypatch.chdir(project)
    for file, instance in (("a.h", None), ("__nv_name_map", "nope<int>")):
        (project / file).symlink_to(project.parent / "secret.py")
        with pytest.raises(ws.CompileError) as caught:
            ws.compile(f'#include "{file}"\n', name=instance, options=["-I."])
        assert SECRET not in str(caught.value) and HIDDEN in str(caught.value), file


HARMLESS = (
    ["-DTILE=32"], ["-D", "TILE=32"], ["--define-macro=X=1"], ["-DT=float"], ["-DF=cuda::std::plus"], ["-UX"],
    ["-std=c++17"], ["--std=c++20"], ["--std", "c++17"], ["-O3"], ["-G"], ["-w"], ["-lineinfo"], ["--use_fast_math"],
    ["-use_fast_math"], ["-maxrregcount=64"], ["-maxrregcount", "64"], ["-fmad=false"], ["--ftz=true"], ["-I."],
    ["-I", "include"], ["--include-path=a"], ["--prec-div=false"], ["-DX"], ["-DX="], ["-DX=-1"], ["-DX=(3)"],
)  # fmt: skip
HARMFUL = (
    ["-ccbin", "./evil.sh"], ["-ccbin=./evil.sh"], ["--compiler-bindir", "x"], ["-Xcompiler", "-fplugin=x.so"],
    ["-Xcompiler=-fplugin=x.so"], ["--run"], ["-run"], ["-o", "x"], ["--output-file=x"], ["--options-file", "x"],
    ["-optf", "x"], ["@x"], ["-DX=$(touch x)"], ["-DX=`touch x`"], ["-D", "$(touch x)"], ["-DX=1;touch x"], ["-DX=a b"],
    ["-D", "-ccbin"], ["-std", "-ccbin"], ["-std=c++17 -ccbin x"], ["-maxrregcount", "-run"], ["-O3 -run"], [""],
    ["x.cu"], ["-DX\n=1"], ["-dlto"], ["--pre-include=x"], ["-include", "x"], ["-isystem", "x"], ["-L."], ["-lx"],
    ["-keep"], ["-keep-dir", "x"], ["-dryrun"], ["--time", "x"], ["-MD"], ["-MF", "x"], ["-ldir", "x"], ["-v"],
    ["-D"], ["-arch=sm_90"], ["--gpu-architecture=sm_90"], ["-odir", "x"], ["-x", "c++"], ["-Xlinker", "x"],
)  # fmt: skip


def test_options_of_files_are_those_that_run_nothing(tmp_path: Path) -> None:
    for options in HARMLESS:
        assert harmless(options, tmp_path), options
    for options in HARMFUL:
        with pytest.raises(ValueError, match="options: a file may give -D"):
            harmless(options, tmp_path)
    assert harmless(["-I", "a"], tmp_path) == [f"-I{(tmp_path / 'a').resolve()}"]
    compared("options that a file gives", len(HARMLESS) + len(HARMFUL), at_least=60)


@ON_LINUX
@pytest.mark.slow  # commands
def test_a_launch_file_runs_no_program(project: Path) -> None:
    evil = project / "evil.sh"
    evil.write_text("#!/bin/sh\ntouch PWNED\nexit 1\n")
    evil.chmod(0o755)
    (project / "x.cu").write_text(
        '#include <vector>\nextern "C" __global__ void k(int *o) { o[0] = 1; }\nint main() {}\n'
    )
    for options in (["-ccbin", "./evil.sh"], ["-Xcompiler", "-fplugin=./evil.sh"], ["-DX=$(touch PWNED)"]):
        (project / "a.warpsim.toml").write_text(
            '[[launch]]\nname = "x"\ncuda = "x.cu"\nkernel = "k"\ngrid = [1]\nblock = [1]\nargs = ["s32[1]"]\n'
            f"options = {json.dumps(options)}\n"
        )
        command = (sys.executable, "-m", "pytest", "-q", "-p", "warpsim.pytest_plugin", "a.warpsim.toml")
        done = ended(*command, "-p", "no:cacheprovider", cwd=project)
        assert done.returncode == 1 and "a.warpsim.toml: x: options: a file may give -D" in done.stdout, done.stdout
        assert not (project / "PWNED").exists()


@pytest.mark.slow
@ON_LINUX
@pytest.mark.skipif(toolkit.nvcc() is None, reason="nvcc is not installed")
def test_names_and_options_run_nothing_in_the_shell_of_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    compiler = toolkit.nvcc()
    assert compiler is not None
    text = b'extern "C" __global__ void k(int *o) { o[0] = 1; }\n'
    made = nvcc.build(compiler, text, str(tmp_path / "$(touch PWNED).cu"), {}, ["-arch=compute_90"], [])
    assert b".entry k" in made.ptx
    hidden = ["-Ia\\", "-I;touch PWNED;#"]  # a backslash ends the first word's quotes where the second's begin
    wrong = [[f"-I{tmp_path}/$(touch PWNED)"], hidden, ['-I";touch PWNED;"']]
    for options in wrong:
        with pytest.raises(ValueError, match=r"nvcc runs a shell: expected no word with "):
            nvcc.build(compiler, text, "a.cu", {}, options, [])
    for option in ("-I;touch PWNED;", "-I'|touch PWNED", "-I&touch PWNED&", "-I\ntouch PWNED\n", "-DX=(1", "-I>PWNED"):
        assert b".entry k" in nvcc.build(compiler, text, "a.cu", {}, ["-arch=compute_90", option], []).ptx, option
    for value, expected in (('"a$(touch PWNED)b"', 16), ('"`touch PWNED`"', 13), (r'"\n\""', 2)):
        defined = ["-arch=compute_90", "-D", f"TEXT={value}", f"-DF(x)=(x + sizeof {value} - 1)"]
        wants = b'static_assert(sizeof TEXT - 1 == F(0) && F(0) == %d, "");\n' % expected
        assert b".entry k" in nvcc.build(compiler, wants + text, "a.cu", {}, defined, []).ptx, value
    for value in ("$(touch PWNED)\\", "`touch PWNED`\n"):
        with pytest.raises(ValueError, match=r"nvcc runs a shell: expected no word with "):
            nvcc.build(compiler, text, "a.cu", {}, [f"-DX={value}"], [])
    assert not (tmp_path / "PWNED").exists()


def test_launch_files_quote_nothing_outside_of_the_test_run(project: Path) -> None:
    for key in ("ptx", "cuda"):
        path = project / "a.warpsim.toml"
        path.write_text(f'[[launch]]\n{key} = "../secret.py"\nkernel = "k"\ngrid = 1\nblock = 1\n')
        for top, is_quoted in ((None, False), (project, False), (project.parent, True)):
            with pytest.raises((ValueError, ImportError)) as caught:
                read(path, top)[0].failures()
            assert "secret.py" in str(caught.value) and (SECRET in str(caught.value)) <= is_quoted, (key, top)


@pytest.mark.parametrize("text", [f"{SECRET} = 1", f'[lines]\na = {{wavefronts = "{SECRET}"}}', f"[{SECRET}]\n" * 2])
def test_launch_files_quote_no_budget_outside_of_the_test_run(project: Path, text: str) -> None:
    (project / "k.ptx").write_text(PTX.format(file="k.cu"))
    (project.parent / "b.toml").write_text(text)
    path = project / "a.warpsim.toml"
    path.write_text('[[launch]]\nptx = "k.ptx"\ngrid = 1\nblock = 1\nargs = ["u32[1]"]\nbudget = "../b.toml"\n')
    for top, is_quoted in ((project, False), (project.parent, True)):
        with pytest.raises(ValueError, match=r"budget: .*b\.toml") as caught:
            read(path, top)[0].failures()
        assert (SECRET in str(caught.value)) is is_quoted, str(caught.value)


@ON_LINUX
def test_what_a_launch_file_names_is_a_file(project: Path) -> None:
    """A pipe would wait for ever, and a device has no end."""
    (project / "k.ptx").write_text(PTX.format(file="k.cu"))
    count = 0
    for ending in (".ptx", ".cu", ".npy", ".bin", ".toml"):
        os.mkfifo(project / f"pipe{ending}")
        (project / f"zero{ending}").symlink_to("/dev/zero")
        for name in ("pipe", "zero"):
            keys = {
                ".ptx": f'ptx = "{name}.ptx"',
                ".cu": f'cuda = "{name}.cu"',
                ".toml": f'ptx = "k.ptx"\nbudget = "{name}.toml"',
            }.get(ending, f'ptx = "k.ptx"\nargs = ["u32[1]:{name}{ending}"]')
            path = project / "a.warpsim.toml"
            path.write_text(f"[[launch]]\n{keys}\ngrid = 1\nblock = 1\n")
            with pytest.raises(ValueError, match=f"cannot read .*{name}{ending}.*: expected a regular file"):
                read(path)[0].failures()
            count += 1
    (project / "pipe.warpsim.toml").symlink_to(project / "pipe.toml")
    with pytest.raises(ValueError, match=r"pipe\.warpsim\.toml: not TOML: expected a regular file"):
        read(project / "pipe.warpsim.toml")
    compared("pipes and devices that launch files name", count, at_least=10)


DIGITS = "1" * 5000


@pytest.mark.parametrize("toml", ["a = " + "[" * 100_000, f"a = {DIGITS}", "a = 2020-99-99", 'a = "\\ud800"', "\x00"])
def test_a_damaged_budget_or_launch_file_is_refused_by_its_name(project: Path, toml: str) -> None:
    path = project / "a.warpsim.toml"
    (project / "k.ptx").write_text(PTX.format(file="k.cu"))
    (project / "b.toml").write_text(toml)
    path.write_text('[[launch]]\nptx = "k.ptx"\ngrid = 1\nblock = 1\nargs = ["u32[1]"]\nbudget = "b.toml"\n')
    with pytest.raises(ValueError, match=r"budget: .*b\.toml: not TOML: "):
        read(path)[0].failures()
    path.write_text(toml)
    with pytest.raises(ValueError, match=r"a\.warpsim\.toml: not TOML: "):
        read(path)


@pytest.mark.parametrize(
    "arg", ["u32[99999999999999999999]", f"u32[{DIGITS}]", "u32[,]", f"u32[{'1,' * 70}1]", f"u32[1]:random({DIGITS})"]
)
def test_an_array_that_no_memory_holds_is_refused_by_its_parameter(project: Path, arg: str) -> None:
    path = project / "a.warpsim.toml"
    (project / "k.ptx").write_text(PTX.format(file="k.cu"))
    path.write_text(f'[[launch]]\nptx = "k.ptx"\ngrid = 1\nblock = 1\nargs = ["{arg}"]\n')
    with pytest.raises(ValueError, match=r"args: '?0=u32") as caught:
        read(path)[0].failures()
    assert len(str(caught.value)) < 600


@pytest.mark.slow
@ON_LINUX
def test_what_a_kernel_prints_or_asserts_steers_no_terminal(tmp_path: Path) -> None:
    marks = "\x1b]0;x\x07\u202e\u2066\x9b31m"
    letters = ", ".join(str(byte) for byte in f"a{marks}\tb\n".encode())
    said = f".global .align 1 .b8 said[] = {{{letters}, 0}};\n"
    head = f".version 8.0\n.target sm_80\n.address_size 64\n{said}"
    head += ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
    head += ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n"
    printing = """{ .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], %d; st.param.b64 [v], 0;
call.uni (r), vprintf, (f, v); }"""
    failing = """{ .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 c; st.param.b64 [m], %d;
st.param.b64 [f], %d; st.param.b32 [l], 1; st.param.b64 [n], %d; st.param.b64 [c], 1;
call.uni __assertfail, (m, f, l, n, c); }"""
    count = 0
    for name, body in (("print", printing), ("assert", failing)):
        path = tmp_path / f"{name}.ptx"
        path.write_text(
            f"{head}.visible .entry k() {{ .reg .b64 %d; mov.u64 %d, said; cvta.global.u64 %d, %d;\n{body} ret; }}"
        )
        report = ws.Module(path)["k"](1, 1, [])
        assert (marks in report.output) is (name == "print")
        done = ended(BIN / "warpsim", "run", str(path), "--grid", "1", "--block", "1")
        log = ended(BIN / "warpsim", "run", str(path), "--grid", "1", "--block", "1", "-o", str(tmp_path / "x.txt"))
        with pytest.raises(ws.WarpsimError) if name == "assert" else pytest.MonkeyPatch.context() as caught:
            ws.Module(path)["k"](1, 1, [], on_finding="raise")
        raised = str(caught.value) if name == "assert" else ""  # type: ignore[union-attr]
        texts = (str(report), done.stdout, done.stderr, log.stderr, (tmp_path / "x.txt").read_text(), raised,
                 "".join(map(str, report.findings)), report.html())  # fmt: skip
        for text in texts:
            assert not set(text) & set("\x1b\x07\u202e\u2066\x9b"), (name, text)
            count += 1
        assert "a\ufffd]0;x" in done.stdout and (name == "assert" or "\tb\n" in done.stdout)
        plain = ended(BIN / "warpsim", "run", str(path), "--grid", "1", "--block", "1", PYTHONIOENCODING="ascii")
        assert plain.returncode == done.returncode and "a\\ufffd]0;x" in plain.stdout, plain.stderr
    compared("texts of kernels on their way to a terminal", count, at_least=16)


# files that are written


@ON_LINUX
@pytest.mark.slow  # commands
def test_a_file_that_cannot_be_written_whole_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text(PTX.format(file="a.cu"))
    for name, option in (
        ("x.html", "-o"),
        ("x.json", "-o"),
        ("x.npy", "--save"),
        ("x.bin", "--save"),
        ("x.toml", "budget"),
    ):
        old = tmp_path / name
        old.write_text("old")
        words = {"-o": ("-o", name), "--save": ("--save", f"0={name}"), "budget": ("--save-budget", name)}[option]
        asked = (BIN / "warpsim", "run", "k.ptx", "--grid", "1", "--block", "1", "--arg", "0=u32[4096]", *words)
        limited = ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *map(str, asked))
        done = ended(*limited, cwd=tmp_path)
        assert done.returncode != 0 and old.read_text() == "old", (name, done)
        assert {one.name for one in tmp_path.glob("x.*")} == {name}, "nothing is left beside"
        assert ended(*asked, cwd=tmp_path).returncode == 0 and old.stat().st_size > 3, name
        old.unlink()


@ON_LINUX
def test_files_are_replaced_with_their_permissions_and_through_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.txt", tmp_path / "a.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    files.put_text(link, "new")
    assert link.is_symlink() and target.read_text() == "new" and target.stat().st_mode & 0o777 == 0o640

    def fails(file: Any) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        files.put(link, fails)
    assert target.read_text() == "new" and len(list((tmp_path / "real").iterdir())) == 1
    with pytest.raises(OSError, match="No space left"):
        files.put_text("/dev/full", "x")
    for name, expected in (("", FileNotFoundError), (f"{tmp_path}/new/", IsADirectoryError)):
        with pytest.raises(expected):
            files.put_text(name, "x")
    assert not (tmp_path / "new").exists()
    read_end, write_end = os.pipe()
    files.put_text(f"/dev/fd/{write_end}", "through a pipe")
    assert os.read(read_end, 100) == b"through a pipe"
    os.close(read_end)
    os.close(write_end)
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "made")
    files.put_bytes(dangling, b"x")
    assert (tmp_path / "made").read_bytes() == b"x"


@ON_LINUX
@pytest.mark.parametrize("name", ["itself", "a", "inside/x", "a/x"])
def test_a_loop_of_links_is_an_error_and_stays(name: str, tmp_path: Path) -> None:
    for link, target in (("itself", "itself"), ("a", "b"), ("b", "a"), ("inside", "inside")):
        (tmp_path / link).symlink_to(target)
    with pytest.raises(OSError, match="Too many levels of symbolic links") as caught:
        files.put_text(tmp_path / name, "x")
    assert caught.value.filename == f"{tmp_path}/{name}"
    done = ended(BIN / "warpsim", "rules", "-o", str(tmp_path / name))
    assert done.returncode == 2 and f"--output: cannot write '{tmp_path}/{name}': Too many levels" in done.stderr
    assert len(list(tmp_path.iterdir())) == 4 and all(link.is_symlink() for link in tmp_path.iterdir())


@pytest.mark.parametrize("read", [ws.Capture, ws.arch])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_of_a_million_characters_is_shown_in_part(read: Any, kind: Any) -> None:
    with pytest.raises(ValueError, match="cannot read ") as caught:
        read(kind(f"begin{'x' * 10**6}/end.toml"))
    text = str(caught.value)
    assert len(text) < 1000 and "'begin" in text and "end.toml'" in text, text[:2000]
