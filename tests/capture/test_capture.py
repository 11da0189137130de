"""`warpsim capture` before a driver of the tests, and what it wrote run again; what is refused."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.process import BIN, ended

HERE = Path(__file__).parent
PTX = HERE / "add.ptx"
COMPILER = shutil.which("cc")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None, reason="programs are captured on Linux, with a C compiler"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A driver and a program that finds it."""
    made = tmp_path_factory.mktemp("capture")
    assert COMPILER is not None
    for command in (
        (COMPILER, "-shared", "-fPIC", "-o", "libcuda.so.1", str(HERE / "driver.c")),
        (COMPILER, "-w", "-o", "program", str(HERE / "program.c"), "-ldl"),
    ):
        subprocess.run(command, cwd=made, check=True)
    return made


def captured(folder: Path, name: str, *options: str, how: str = "kernel", launches: int = 3) -> Any:
    program = ("./program", str(PTX), how, str(launches))
    return ended(BIN / "warpsim", "capture", *options, name, *program, cwd=folder, LD_LIBRARY_PATH=str(folder))


@pytest.mark.parametrize("how", ["kernel", "attributes"])
def test_a_launch_is_captured_and_its_memory_is_equal_here(folder: Path, how: str) -> None:
    done = captured(folder, f"{how}.capture", how=how)
    assert (done.returncode, done.stdout) == (0, "3 launches\n"), done.stderr
    capture = ws.Capture(folder / f"{how}.capture")
    assert (capture.device, capture.target, len(capture)) == ("a GPU of the tests", "sm_90", 1)
    launch = capture.launches[0]
    assert (launch.name, launch.grid, launch.block, launch.cluster) == ("add", (8, 1, 1), (128, 1, 1), (1, 1, 1))
    report = launch.run()
    assert report.ok and launch.differences == () and len(launch.buffers) == 2
    assert any("memory is equal to that of a GPU of the tests: 2 buffers, 8,000 bytes" in note for note in report.notes)
    found = launch.buffers[0].after
    assert found is not None and found.view(np.uint32)[:3].tolist() == [0, 4, 8]


def test_launches_are_skipped_and_counted(folder: Path) -> None:
    done = captured(folder, "two.capture", "--skip", "1", "--count", "2", "--kernel", "^ad+$")
    assert "two.capture: 2 launches" in done.stderr, done.stderr
    assert [len(one.buffers) for one in ws.Capture(folder / "two.capture")] == [3, 2]


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (("--kernel", "gemm"), 1, "the program ran no kernel whose name has --kernel 'gemm' on a GPU"),
        (("--skip", "99"), 1, "no launch was written: the program ran no kernel on a GPU after --skip 99"),
        (("--kernel", "("), 2, "is not a regular expression"),
        (("--max-bytes", "4000"), 0, "1 buffer, 4,000 bytes"),
    ],
)
def test_what_a_capture_says(folder: Path, options: tuple[str, ...], status: int, words: str) -> None:
    done = captured(folder, "said.capture", *options)
    assert done.returncode == status and words in done.stderr, done.stderr


def test_an_allocation_that_is_left_out_is_told(folder: Path) -> None:
    captured(folder, "cut.capture", "--max-bytes", "4000")
    launch = ws.Capture(folder / "cut.capture").launches[0]
    report = launch.run(on_finding="record")
    assert launch.is_cut and any("capture it with a larger --max-bytes" in note for note in report.notes)
    assert not report.ok  # the launch reaches what is not there


def altered(path: Path, to: Path, change: Any) -> Path:
    """A capture with other contents."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            content = change(name, old.read(name))
            if content is not None:
                new.writestr(name, content)
    return to


@pytest.mark.slow
def test_bytes_that_differ_are_counted_and_fail_the_command(folder: Path) -> None:
    captured(folder, "good.capture")
    with zipfile.ZipFile(folder / "good.capture") as file:
        after = json.loads(file.read("capture.json"))["launches"][0]["buffers"][0]["after"]

    def change(name: str, content: bytes) -> bytes:
        return content[:40] + bytes([content[40] ^ 1, content[41] ^ 1]) + content[42:] if name == after else content

    path = altered(folder / "good.capture", folder / "bad.capture", change)
    done = ended(BIN / "warpsim", "run", str(path))
    assert done.returncode == 1 and "2 bytes of the buffer at 0x" in done.stdout, done.stdout
    assert "the first at offset 40" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [("--launch", "1"), ("--kernel", "gemm"), ("--grid", "4"), ("--arg", "x=1"), ("--shared", "5"), ("--cluster", "1")],
)
def test_what_a_capture_lacks_is_refused(folder: Path, options: tuple[str, ...]) -> None:
    captured(folder, "one.capture")
    done = ended(BIN / "warpsim", "run", str(folder / "one.capture"), *options)
    assert done.returncode == 2 and options[0] in done.stderr, done.stderr


def test_files_that_are_not_captures_are_refused(folder: Path) -> None:
    captured(folder, "whole.capture")
    cases = {
        "text": b"no archive",
        "empty": altered(folder / "whole.capture", folder / "e.capture", lambda name, content: None).read_bytes(),
        "other": altered(
            folder / "whole.capture", folder / "o.capture", lambda n, c: b"{}" if n == "capture.json" else c
        ).read_bytes(),
        "newer": altered(
            folder / "whole.capture",
            folder / "n.capture",
            lambda n, c: c.replace(b'"warpsim_capture": 1', b'"warpsim_capture": 9'),
        ).read_bytes(),
    }
    for name, content in cases.items():
        path = folder / f"{name}.capture"
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"is not a capture|has version 9"):
            ws.Capture(path)
    with pytest.raises(TypeError, match="path: expected a str or Path, got int"):
        ws.Capture(7)  # type: ignore[arg-type]


def test_ptx_of_the_caller_is_taken_where_the_program_had_none(folder: Path) -> None:
    captured(folder, "ptx.capture")

    def change(name: str, content: bytes) -> bytes:
        if name != "capture.json":
            return content
        said = json.loads(content)
        said["launches"][0] |= {"ptx": None, "note": "add has machine code but no PTX"}
        return json.dumps(said).encode()

    path = altered(folder / "ptx.capture", folder / "none.capture", change)
    with pytest.raises(ws.UnsupportedError, match="machine code but no PTX"):
        ws.Capture(path).launches[0].run()
    launch = ws.Capture(path, ptx=PTX.read_text()).launches[0]
    assert launch.run().ok and launch.differences == ()


def test_a_place_that_cannot_be_written_is_refused_before_the_program_runs(folder: Path) -> None:
    done = captured(folder, "none/x.capture")
    assert (done.returncode, done.stdout) == (2, "")
    assert "FILE: cannot write 'none/x.capture': No such file or directory" in done.stderr
