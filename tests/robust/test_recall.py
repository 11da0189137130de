"""Work that is recalled from other processes: a file tells them, and does not stay."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.support.evidence import compared
from tests.support.paths import ROOT
from tests.support.process import forked, run
from warpsim.threads import recall

ME = os.getpid()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_work_is_recalled_by_a_file_that_only_its_owner_may_read(folder: Path) -> None:
    mine, other = recall.place(), recall.place()
    first, second = recall.Recalled(mine, ME), recall.Recalled(other, ME)
    assert not first() and not second() and not list(folder.iterdir())
    recall.recall(mine)
    assert [str(path) for path in folder.iterdir()] == [mine]
    if os.name == "posix":
        assert Path(mine).stat().st_mode & 0o777 == 0o600
    time.sleep(recall.LOOKS_SECONDS)
    assert first() and not second()
    Path(mine).unlink()
    assert first()


def test_what_is_there_already_is_left_alone(folder: Path) -> None:
    place = recall.place()
    Path(place).write_text("of somebody else")
    recall.recall(place)
    assert Path(place).read_text() == "of somebody else" and len(list(folder.iterdir())) == 1


def test_without_a_folder_nothing_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    monkeypatch.chdir(tmp_path)
    place = recall.place()
    recall.recall(place)
    Path(place).touch()
    assert place != recall.place() and not recall.Recalled(place, ME)()
    assert [path.name for path in tmp_path.iterdir()] == [place]


def test_at_most_so_many_files_stay_and_none_after_the_process(tmp_path: Path) -> None:
    count = recall.MOST_FILES + 3
    code = (
        "import os, tempfile\nfrom warpsim.threads import recall\n"
        f"places = [recall.place() for _ in range({count})]\n"
        "for place in places:\n    recall.recall(place)\n"
        "print(*(os.path.exists(place) for place in places))"
    )
    there = run(sys.executable, "-c", code, TMPDIR=str(tmp_path), TEMP=str(tmp_path), TMP=str(tmp_path)).split()
    assert there == ["False"] * 3 + ["True"] * recall.MOST_FILES
    assert not list(tmp_path.iterdir())
    compared("files that recalled work", count, at_least=67)


ORPHAN = """
import multiprocessing, os, sys, time
from warpsim.threads import recall

def work(sender):
    is_recalled = recall.Recalled(recall.place(), sender)
    print("begun", flush=True)
    end = time.monotonic() + (600 if sender == os.getppid() else 1)
    while not is_recalled() and time.monotonic() < end:
        time.sleep(0.01)
    print("recalled" if is_recalled() else "worked to its end", flush=True)

if __name__ == "__main__":
    method, is_sender = sys.argv[1:]
    sender = os.getpid() if is_sender == "sender" else -1
    multiprocessing.get_context(method).Process(target=work, args=(sender,)).start()
    time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by a signal")
@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("whose", "how"), [("sender", "recalled"), ("other", "worked to its end")])
def test_work_ends_with_its_sender_and_with_no_other_parent(tmp_path: Path, method: str, whose: str, how: str) -> None:
    program = tmp_path / "orphan.py"
    program.write_text(ORPHAN)
    command = (sys.executable, "-W", "ignore", program, method, whose)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        process.kill()
        assert process.stdout.read() == f"{how}\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_removes_no_file_of_its_parent(folder: Path) -> None:
    place = recall.place()
    recall.recall(place)
    assert forked(lambda: recall._made.remove(list(recall._made.paths)) is None)
    assert Path(place).exists() and place in recall._made.paths
