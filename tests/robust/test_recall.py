"""Work that is recalled from other processes: a file tells them, and does not stay."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.support.evidence import compared
from tests.support.process import forked, run
from warpsim.threads import recall


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_work_is_recalled_by_a_file_that_only_its_owner_may_read(folder: Path) -> None:
    mine, other = recall.place(), recall.place()
    first, second = recall.Recalled(mine), recall.Recalled(other)
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
    assert place != recall.place() and not recall.Recalled(place)()
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
import os, time
from warpsim.threads import recall
if os.fork() == 0:
    is_recalled = recall.Recalled(recall.place())
    print("begun", flush=True)
    while not is_recalled():
        time.sleep(0.01)
    print("ended", flush=True)
    os._exit(0)
time.sleep(600)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_work_ends_with_the_process_that_wanted_it() -> None:
    command = (sys.executable, "-W", "ignore", "-c", ORPHAN)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        process.kill()
        assert process.stdout.read() == "ended\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_removes_no_file_of_its_parent(folder: Path) -> None:
    place = recall.place()
    recall.recall(place)
    assert forked(lambda: recall._made.remove(list(recall._made.paths)) is None)
    assert Path(place).exists() and place in recall._made.paths
