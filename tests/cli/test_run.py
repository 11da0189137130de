"""`warpsim run` of the kernels in examples/kernels: what they compute, and how it ends."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.evidence import compared
from tests.support.paths import EXAMPLES
from warpsim import cli
from warpsim.kernel.specs import value_of

FOLDER = EXAMPLES / "kernels"


def arguments(folder: Path, arrays: dict[int, Any]) -> list[str]:
    """--arg for each: arrays by files in the folder, numbers and texts as they are."""
    words: list[str] = []
    for number, value in arrays.items():
        text = value
        if isinstance(value, np.ndarray):
            np.save(folder / f"{number}.npy", value)
            text = f"{value.dtype.kind}{8 * value.itemsize}{list(value.shape)}:{folder}/{number}.npy"
        words += ["--arg", f"{number}={text}"]
    return words


def saved(
    folder: Path, file: str, kernel: str, shape: tuple[str, str], given: dict[int, Any], out: int
) -> tuple[int, np.ndarray]:
    """The exit status, and what the kernel wrote into one of its arrays."""
    place = folder / "saved.npy"
    words = ["run", str(FOLDER / file), "--kernel", kernel, "--grid", shape[0], "--block", shape[1]]
    status = cli.main([*words, *arguments(folder, given), "--save", f"{out}={place}", "--target", "sm_90a"])
    return status, np.load(place)


@pytest.mark.parametrize("kernel", ["transpose_square_f32", "transpose_padded_f32"])
def test_transpose_equals_numpy(kernel: str, tmp_path: Path) -> None:
    x = np.random.default_rng(1).standard_normal((50, 70), np.float32)
    given = {0: x, 1: "f32[70,50]", 2: 50, 3: 70}
    status, found = saved(tmp_path, "transpose.ptx", kernel, ("3,2", "32,8"), given, 1)
    assert status == 0 and np.array_equal(found, x.T)
    compared("elements that warpsim run transposed", found.size, at_least=3_500)


def test_reduction_equals_numpy(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    a, x = (random.integers(-8, 9, shape).astype(np.float32) for shape in ((20, 256), (256,)))  # exact sums
    given = {0: a, 1: x, 2: "f32[20]", 3: 20, 4: 256}
    status, found = saved(tmp_path, "gemv.ptx", "gemv_warp_per_row", ("5", "128"), given, 2)
    assert status == 0 and np.array_equal(found, a @ x)


def test_tensor_core_gemm_equals_numpy(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    a, b = (random.integers(-8, 9, (64 * n, 64)).astype(np.float16) for n in (2, 1))  # B column by column
    given = {0: a, 1: b, 2: "f32[128,64]", 3: 64, 4: a[0].nbytes}
    status, found = saved(tmp_path, "gemm.ptx", "mma_f16_plain", ("1,2", "128"), given, 2)
    assert status == 0 and np.array_equal(found, a.astype(np.float32) @ b.T.astype(np.float32))


def test_finding_is_told_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = {0: "f32[20,256]:random(7)", 1: "f32[128]:arange", 2: "f32[20]", 3: 20, 4: 256}
    assert saved(tmp_path, "gemv.ptx", "gemv_warp_per_row", ("5", "128"), given, 2)[0] == 1
    assert "after the end of gemv_warp_per_row_param_1 (512 bytes)" in " ".join(capsys.readouterr().out.split())


def test_json_has_the_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = arguments(tmp_path, {0: "f32[20,256]", 1: "f32[128]", 2: "f32[20]", 3: 20, 4: 256})
    assert cli.main(["run", str(FOLDER / "gemv.ptx"), "--grid", "5", "--block", "128", *words, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == "warpsim.kernel/1" and report["findings"][0]["rule"] == "WS-RUN-001"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".version 8.0\n.target sm_90a\n.entry k() { tcgen05.fence::before_thread_sync; }", "line 3: tcgen05.fence"),
        (".version 8.0\n.target sm_80\n.entry k() { frobnicate; }", "line 3, column 14: unknown instruction"),
        (".version 8.0\n.target sm_80\n.entry k() { ret }", "line 3"),
        (
            ".version 8.0\n.target sm_80\n.entry k() { /* h\u00e9llo \u20ac */ foo; }",
            "line 3, column 28: unknown instruction 'foo'\n    .entry k() { /* h\u00e9llo \u20ac */ foo; }\n"
            + " " * 31
            + "^^^\n",
        ),
        (".version 8.0\n.target sm_80\n", "--kernel: the file has no kernel: launching needs an .entry"),
    ],
)
def test_ptx_that_cannot_be_run_exits_2(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "k.ptx"
    place.write_text(text, "utf-8")
    assert cli.main(["run", str(place), "--grid", "1", "--block", "32"]) == 2
    assert said in capsys.readouterr().err


DEADLOCK = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k() {
    .reg .pred %p<2>; .reg .b32 %r<6>;
    .shared .align 4 .b8 s[256]; .shared .align 4 .b8 flag[4];
    mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, s; add.u32 %r3, %r2, %r1;
    st.shared.u32 [%r3], %r0;
    xor.b32 %r3, %r3, 128; ld.shared.u32 %r4, [%r3]; setp.eq.u32 %p0, %r4, 1; @%p0 st.shared.u32 [flag], 0;
    st.shared.u32 [flag], 0;
W:  ld.volatile.shared.u32 %r5, [flag]; setp.eq.u32 %p1, %r5, 0; @%p1 bra W;
    ret;
}"""


def test_what_was_found_before_a_deadlock_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.ptx").write_text(DEADLOCK)
    words = ["run", str(tmp_path / "k.ptx"), "--grid", "1", "--block", "64", "--json"]
    assert cli.main(words) == 1
    found = {one["rule"] for one in json.loads(capsys.readouterr().out)["findings"]}
    assert {"WS-RUN-006", "WS-RUN-017"} <= found


def test_a_launch_that_takes_too_long_is_told_which_limit_to_raise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.ptx").write_text(".version 8.0\n.target sm_80\n.visible .entry k() { L: bra L; }")
    words = ["run", str(tmp_path / "k.ptx"), "--grid", "1", "--block", "32"]
    for limit, other in (("timeout", "max_steps"), ("max_steps", "timeout")):
        assert cli.main([*words, f"--{limit.replace('_', '-')}", "1"]) == 1
        told = "".join(capsys.readouterr())
        assert limit in told and other not in told and "block (0, 0, 0)" in " ".join(told.split())
        assert told.splitlines()[1].startswith("an error ended the launch of 1 thread block after ")


def test_a_file_that_python_cannot_read_is_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.py").write_text("def f(:\n")
    assert cli.main(["run", str(tmp_path / "k.py"), "--grid", "1"]) == 2
    assert "line 1" in capsys.readouterr().err


CALL = ["--kernel", "copy", "--grid", "1", "--block", "1", "--arg", "0=u32[4]", "--arg", "1=u32[4]:arange"]
COPY = """.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 x, .param .u64 y) { .reg .b64 %d<2>; .reg .b32 %r;
ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; ld.global.u32 %r, [%d1+4]; st.global.u32 [%d0], %r; ret; }
"""
#: words -> what is refused before anything is launched or written
LOST = {
    "-o a.json --save-budget a.json": "--output: 'a.json' is written by --save-budget, too; name another file",
    "-o a.json --save-budget ./b/../a.json": "--output: 'a.json' is written by --save-budget, too; name another file",
    "--save 0=a.bin --save 1=a.bin": "--save 1=a.bin: 'a.bin' is written by --save 0=a.bin, too; name another file",
    "--save 0=a.bin --save 1=link.bin": "--save 1=link.bin: 'link.bin' is written by --save 0=a.bin, too",
    "-o in.json": "--output: 'in.json' is read by FILE, too; name another file",
    "--save-budget in.json": "--save-budget: 'in.json' is read by FILE, too; name another file",
    "-o old.json --budget old.json": "--output: 'old.json' is read by --budget, too; name another file",
    "--save 0=a.txt": "--save: 0=a.txt: expected a file that ends in .npy or .bin",
    "--save 7=a.npy": "--save: 7=a.npy: the kernel has no parameter '7'",
}
KEPT = (
    "--budget old.json --save-budget old.json",
    "--save 0=a.bin --save 1=b.npy -o c.json",
    "-o /dev/null --save-budget /dev/null",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel in a file whose name might be a report's, a budget of it, and a link to a file that is to be written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "in.json").write_text(COPY)
    (tmp_path / "link.bin").symlink_to("a.bin")
    assert cli.main(["run", "in.json", *CALL, "--save-budget", "old.json"]) == 0
    return tmp_path


@pytest.mark.parametrize("words", LOST)
def test_no_file_is_written_twice_or_over_what_is_read(
    words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    capsys.readouterr()
    assert cli.main(["run", "in.json", *CALL, *words.split()]) == 2
    out, err = capsys.readouterr()
    assert not out and err.startswith(f"warpsim: {LOST[words]}")
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("words", KEPT)
def test_files_of_their_own_are_written(words: str, folder: Path) -> None:
    assert cli.main(["run", "in.json", *CALL, *words.split()]) == 0
    if "--save 0" in words:
        assert np.fromfile("a.bin", np.uint32).tolist() == [1, 0, 0, 0] and np.load("b.npy").tolist() == [0, 1, 2, 3]
        assert json.loads((folder / "c.json").read_text())["kernel"] == "copy"


@pytest.mark.parametrize(("name", "status"), [("b", 0), ("nowhere", 2), ("in.json", 2)])
def test_a_folder_of_sources_is_there(name: str, status: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.json").rename("k.ptx").with_name("in.json").write_text("")
    assert cli.main(["run", "k.ptx", *CALL, "--sources", name]) == status
    said = f"warpsim: --sources: expected a folder, got '{name}'\n"
    assert capsys.readouterr().err == (said if status else "")


@pytest.mark.parametrize("option", ["--save 0=none/a.npy", "--save-budget none/a.toml", "-o none/a.json", "-o b"])
def test_a_place_that_cannot_be_written_is_refused_before_the_launch(
    option: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    capsys.readouterr()
    monkeypatch.setattr("warpsim.cli.run._launched", None)  # not reached
    assert cli.main(["run", "in.json", *CALL, *option.split()]) == 2
    out, err = capsys.readouterr()
    named = option.split(maxsplit=1)[0].replace("-o", "--output")
    assert not out and err.startswith(f"warpsim: {named}") and "cannot write" in err


def test_a_report_is_not_lost_where_an_array_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("warpsim.cli.run.put", full)
    capsys.readouterr()
    assert cli.main(["run", "in.json", *CALL, "--save", "0=a.npy", "--save", "1=b.npy"]) == 2
    out, err = capsys.readouterr()
    assert "copy" in out and err.count("--save: cannot write") == 2 and "No space left" in err


@pytest.mark.parametrize(
    ("array", "type_", "said"),
    [
        (np.arange(4, dtype=">u4"), "u32", None),
        (np.arange(4, dtype=">i4"), "u32", None),
        (np.arange(4, dtype="<f4"), "b32", None),
        (np.arange(4, dtype="<f4"), "u32", "numbers of float32, expected uint32 for u32"),
        (np.arange(2, dtype="<f8"), "u32", "numbers of float64, expected uint32 for u32"),
        (np.arange(2, dtype="<u8"), "u32", "numbers of uint64, expected uint32 for u32"),
        (np.arange(4, dtype="<u4"), "f32", "numbers of uint32, expected float32 for f32"),
        (np.arange(8, dtype="<f2"), "bf16", None),
    ],
)
def test_numbers_of_a_file_are_those_of_the_type(array: np.ndarray, type_: str, said: str | None, folder: Path) -> None:
    np.save("x.npy", array)
    shape = 128 // int(type_.lstrip("bfu"))
    with pytest.raises(ValueError, match=said) if said else nullcontext():
        found = value_of(f"{type_}[{shape}]:x.npy", "x")
        assert found.tobytes() == array.astype(array.dtype.newbyteorder("=")).tobytes()
