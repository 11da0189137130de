"""What a made-up form of an instruction costs: a few edits of the core, none to be forgotten."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.paths import C_TESTS, HEADERS

MOST_FILES = 3


class Edit(NamedTuple):
    """A line that comes after the one line of a header that begins with `after`."""

    header: str
    after: str
    line: str


#: ldmatrix.m8n32.b4: rows of 32 elements of 4 bits, which stay packed in the registers
EDITS = {
    "the shape": Edit("isa/op.h", 'X(M16N8, "m16n8"', 'X(M8N32, "m8n32", 0, 0, 0) \\'),
    "the type": Edit("isa/types.h", 'X(B1, "b1"', 'X(B4, "b4", 4, false) \\'),
    "the row": Edit(
        "isa/isa.h",
        "WS_MATRIX(LDMATRIX, M8N8, B16,",
        "WS_MATRIX(LDMATRIX, M8N32, B4, NEVER, 124, SHARED, 1, 8, 16, 32, 4, 4, PLAIN, NO_TURN,"
        " 8, false, 86, AF100_UP),",
    ),
}
TESTS = ("isa/isa", "ptx/parse", "data/fragment", "data/rows", "data/memory")


def edited_core(where: Path, left_out: str | None) -> Path:
    """A copy of the core's headers with all edits, or all but one."""
    headers = where / "include" / "warpsim"
    shutil.copytree(HEADERS, headers)
    for name, edit in EDITS.items():
        if name == left_out:
            continue
        path = headers / edit.header
        lines = path.read_text().splitlines()
        at = [i for i, line in enumerate(lines) if " ".join(line.split()).startswith(edit.after)]
        assert len(at) == 1, f"{edit.after!r} stands {len(at)} times in {edit.header}"
        path.write_text("\n".join([*lines[: at[0] + 1], edit.line, *lines[at[0] + 1 :], ""]))
    return headers.parent


def is_green(include: Path, test: str) -> bool:
    """Whether a C test compiles and passes."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None, "a C compiler is needed"
    room, concept = test.split("/")
    source = C_TESTS / room / f"test_{concept}.c"
    program = include.parent / f"test_{concept}"
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{include}", "-o", str(program)]
    compiled = subprocess.run([compiler, *flags, str(source)], capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        return False
    return subprocess.run([str(program)], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_new_form_is_a_few_lines_of_the_core(tmp_path: Path) -> None:
    assert len({edit.header for edit in EDITS.values()}) <= MOST_FILES
    include = edited_core(tmp_path, None)
    assert [test for test in TESTS if not is_green(include, test)] == []


@pytest.mark.slow
@pytest.mark.parametrize("left_out", EDITS)
def test_new_form_edit_left_out_is_seen(tmp_path: Path, left_out: str) -> None:
    assert not is_green(edited_core(tmp_path, left_out), "isa/isa")
