"""Numbers in the Cython code that become narrower: gcc names those that nobody wrote, casts are in the list here."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.support.evidence import compared

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for kind in ("pyx", "pxi", "pxd") for path in (ROOT / "src/warpsim").rglob(f"*.{kind}"))
CAST = re.compile(r"<(?:u?int(?:8|16|32)_t|(?:unsigned |signed )?(?:char|short|int)|unsigned|float|bint)> *[\w(]")
#: casts that cannot lose anything: the file, the line, why
ALLOWED = {
    ("_core/cost.pxi", "asked.lines, asked.usual = <int> row[4], row[5] != 0"): "a double that was made of an int",
    ("_core/lint.pxi", "self.storage.code[at] = <char> <int> byte"): "a byte",
    ("_core/lint.pxi", "<uint8_t> code[length - 1] + <uint8_t> code[length // 2]"): "a char without its sign",
    ("_core/narrow.pxi", "return <int8_t> value"): "checked before",
    ("_core/narrow.pxi", "return <int> value"): "checked before",
    ("_core/narrow.pxi", "return <uint32_t> value"): "checked before",
    ("_core/tiles.pxi", "one_stride = <uint32_t> (int(stride) & 0xFFFFFFFF)"): "the registers of a warp have 32 bits",
    (
        "_engine/engine.pyx",
        "ws_function_address(<uint32_t> (ws_module_definition",
    ): "a row of a table that 32 bits count",
    ("_engine/engine.pyx", "return <int32_t> self.c.locations[at].file"): "likewise; -1 where there is none",
    ("_engine/observers.pxi", "ws_check_start(check, <uint32_t> ordinal)"): "_Picked sees to it",
}
COUNTER = re.compile(
    r"for i in range\((\w+, )?(WS_\w+|ws_simd_best\(\) \+ 1)\)"
)  # an int that counts the rows of a table


def spelled(path: Path) -> str:
    return path.relative_to(ROOT / "src/warpsim").as_posix()


def test_casts_to_narrower_numbers_are_checked_or_cannot_lose_anything() -> None:
    found, used = [], set()
    for path in SOURCES:
        for line in path.read_text(encoding="utf-8").splitlines():
            code = line.split("  # ")[0]
            if "<" not in code or not CAST.search(code):
                continue
            reasons = {key for key in ALLOWED if key[0] == spelled(path) and key[1] in code}
            used |= reasons
            if len(CAST.findall(code)) > sum(len(CAST.findall(key[1])) for key in reasons):
                found.append(f"{spelled(path)}: {line.strip()}")
    assert found == [], "use _int8, _int or _uint32 of narrow.pxi, which say what does not fit"
    assert used == set(ALLOWED)
    compared("casts to narrower numbers", len(used), at_least=10)


def warnings_of(part: str, folder: Path, source: Path | None = None) -> list[str]:
    """Conversions that gcc warns of, at lines of our own: FILE:LINE: what."""
    made, include = folder / f"{part}.c", sysconfig.get_paths()["include"]
    source = source or ROOT / f"src/warpsim/_{part}/{part}.pyx"
    subprocess.run(
        [sys.executable, "-m", "cython", "-3", "--line-directives", "--module-name", f"warpsim._{part}.{part}",
         "-I", ".", str(source), "-o", str(made)],
        cwd=ROOT / "src", check=True, capture_output=True,
    )  # fmt: skip
    folders = [np.get_include(), include, "csrc/include", f"src/warpsim/_{part}", "src/warpsim/_core/c"]
    told = subprocess.run(
        ["gcc", "-fsyntax-only", "-Wconversion", "-Wno-sign-conversion", "-DPy_LIMITED_API=0x030B0000",
         "-DCYTHON_LIMITED_API=1", *(f"-I{one}" for one in folders), str(made)],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stderr  # fmt: skip
    found = []
    warning = re.compile(r"^(\S+\.p(?:yx|xi|xd)):(\d+):\d+: warning: (conversion .*)", re.MULTILINE)
    for name, number, what in warning.findall(told):
        lines = next(
            (path for path in (ROOT / "src" / name, Path(name)) if path.exists()), source
        ).read_text(encoding="utf-8").splitlines()  # fmt: skip
        if int(number) <= len(lines) and not COUNTER.search(lines[int(number) - 1]):
            found.append(f"{name}:{number}: {what}: {lines[int(number) - 1].strip()}")
    return found


needs_tools = pytest.mark.skipif(
    not (find_spec("Cython") and shutil.which("gcc"))
    or not Path(sysconfig.get_paths()["include"], "Python.h").exists()
    or bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="needs cython, gcc and the headers of a Python with the limited API",
)


@pytest.mark.slow
@needs_tools
@pytest.mark.parametrize("part", ["core", "engine"])
def test_no_number_becomes_narrower_by_itself(part: str, tmp_path: Path) -> None:
    assert warnings_of(part, tmp_path) == []


@pytest.mark.slow
@needs_tools
def test_a_number_that_becomes_narrower_is_seen(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pyx"
    text = "from libc.stdint cimport uint32_t, uint64_t\ncdef uint32_t cut(uint64_t wide) noexcept:\n    return wide\n"
    wrong.write_text(text, encoding="utf-8")
    (found,) = warnings_of("core", tmp_path, wrong)
    assert "wrong.pyx:3: conversion from" in found and found.endswith(": return wide")
