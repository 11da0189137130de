"""Every example runs, and prints what it should."""

import json
import sys
from pathlib import Path

import pytest

from tests.support import process
from tests.support.evidence import TRUTH, compared
from tests.support.paths import EXAMPLES


def run(name: str) -> str:
    return process.run(sys.executable, EXAMPLES / name)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_example_runs(path: Path) -> None:
    assert len(run(path.name)) > 100


def sections(output: str) -> dict[str, tuple[list[list[int]], list[list[int]]]]:
    """Title -> (numbers of each thread, rows of the copy)."""
    found: dict[str, tuple[list[list[int]], list[list[int]]]] = {}
    for line in output.splitlines():
        if line.startswith(("ldmatrix", "stmatrix")):
            threads, rows = found[line.removeprefix("ldmatrix ")] = ([], [])
        elif line.startswith("thread="):
            threads.append([int(v) for v in line.split("val=")[1].split()])
        elif line != "copy:":
            rows.append([int(v) for v in line.split()])
    return found


def test_tutorial_prints_the_published_values() -> None:
    truth = json.loads((TRUTH / "tutorial.json").read_text())
    found = sections(run("tutorial_ldmatrix.py"))
    count = 0
    for title, threads in truth["threads"].items():
        assert found[title][0] == threads, title
        count += sum(map(len, threads))
    for title, rows in truth["copies"].items():
        assert found[title][1] == rows, title
        count += sum(map(len, rows))
    compared("values that the tutorial prints", count, at_least=1280)


def test_fp4_example_prints_the_known_values() -> None:
    output = run("fp4_to_mma.py")
    assert "row 0, columns 0-3: [0.  0.5 1.  1.5]" in output
    assert "row 1, columns 4-7: [2. 3. 4. 6.]" in output
    assert "0x07060504, for the mma: 0x1c181410" in output


def test_padding_example_shows_the_price_of_padding() -> None:
    rows = [line.split() for line in run("padding_cp_async.py").splitlines()[1:]]
    assert [row[-2:] for row in rows] == [["4.0", "32.0"], ["10.5", "4.0"], ["4.0", "4.0"]]


def test_gemm_example_equals_numpy_and_prints_its_traffic() -> None:
    lines = run("wmma_gemm.py").splitlines()
    assert lines[0] == "64x64x64 halves: equal to NumPy's product"
    assert lines[1].endswith("16 instructions, 16 requests, 64 wavefronts, 0 bank conflicts")
    assert lines[3].endswith("16 instructions, 64 requests, 512 wavefronts, 384 bank conflicts")
    assert lines[4].startswith("findings: 16 warnings")


def test_search_example_prints_the_known_answers() -> None:
    output = run("layout_search.py")
    lines = output.splitlines()
    assert lines[1].split()[1:5] == ["fill", "128", "read", "1024"]
    assert lines[3].endswith("Layout(128, 64, 'f16', swizzle=Swizzle(B=3, M=3, S=3, unit='element'))")
    assert lines[5].split()[2:6] == ["fill", "336", "read", "128"]  # 2.6 times the plain fill
    assert "best of 17,095" in lines[6]
    assert "Swizzle(B=3, M=3, S=3" in lines[6]
    assert "2 words, for lanes" in output
    assert "unit='byte'" in lines[-1]
