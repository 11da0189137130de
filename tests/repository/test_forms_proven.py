"""Every row of the tables of statements is compared with something: measured, interpreted, or named with its reason."""

import json
import lzma
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.interpreter.forms import measured, whole
from tests.support.measured_kernels import measured as kernels
from tests.support.paths import HEADERS, TESTS, TRUTH
from tests.support.random_kernels.programs import generate

SEEDS = range(64)  # those of kernels/test_random_kernels.py
#: the beginning of rows, and where they are compared, or why they cannot be
ELSEWHERE = TESTS / "repository" / "form_rows.txt"


def words(value: Any) -> Iterator[str]:
    """Whatever may be an opcode in a text or in data."""
    if isinstance(value, str):
        yield from re.findall(r"[a-z][a-z0-9_]*(?:\.[\w:]+)*", value)
    elif isinstance(value, dict | list):
        for one in value.items() if isinstance(value, dict) else value:
            yield from words(list(one) if isinstance(one, tuple) else one)


def compared_opcodes() -> set[str]:
    """Those that a GPU or the slow interpreter answered, too."""
    found = {form.name for form in (*measured(), *whole())}
    texts = [*kernels()["ptx"].values(), *(generate(seed).ptx for seed in SEEDS)]
    for text in texts:
        core = ws.Module(text)._source.core
        found |= {core.place(number)[2] for number in range(core.statement_count)}
    for name in ("video.json.xz", "statements.json.xz"):
        found |= set(words(json.loads(lzma.decompress((TRUTH / "run" / name).read_bytes()))))
    return found | set(words(json.loads((TRUTH / "run" / "clusters.json").read_text())))


def program(folder: Path, include: Path) -> Path:
    """The program that knows the rows, of these headers."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None, "a C compiler is needed"
    built = folder / "form_rows"
    source = TESTS / "repository" / "form_rows.c"
    subprocess.run([compiler, "-O0", "-w", f"-I{include}", str(source), "-o", str(built), "-lm"], check=True)
    return built


def asked(built: Path, *arguments: str, opcodes: str = "") -> list[str]:
    done = subprocess.run([built, *arguments], input=opcodes, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def unproven(built: Path, opcodes: set[str]) -> list[str]:
    """The rows that none of these matches, and that the list does not name."""
    hit = set(asked(built, opcodes="".join(f"{one}\n" for one in sorted(opcodes) if len(one) < 200)))
    reasons = [line.split("\t") for line in ELSEWHERE.read_text().splitlines() if not line.startswith("#")]
    assert all(len(row) == 2 and row[1].strip() for row in reasons)
    left = [row for row in asked(built, "all") if row not in hit]
    idle = [begin for begin, _ in reasons if not any(row.startswith(begin) for row in left)]
    assert not idle, f"named without need: {idle}"
    return [row for row in left if not any(row.startswith(begin) for begin, _ in reasons)]


def test_every_row_of_statements_is_compared_with_something(tmp_path: Path) -> None:
    built = program(tmp_path, HEADERS.parent)
    left = unproven(built, compared_opcodes())
    assert left == [], f"random_kernels must draw them, or {ELSEWHERE.name} say why not"
    compared("rows of statements that are compared with something", len(asked(built, "all")), at_least=480)


@pytest.mark.slow
def test_a_statement_that_nothing_compares_is_seen(tmp_path: Path) -> None:
    """mid.u32: a row, a meaning, a function, and no oracle."""
    core = tmp_path / "include" / "warpsim"
    shutil.copytree(HEADERS, core)
    for name, after, line in (
        (
            "lanes/forms_integer.h",
            "static const ws_statement_form rows[] = {",
            '{"mid.u32", "d0 s0 s1", WS_DO_MID_U32},',
        ),
        ("lanes/meanings.h", "#define WS_MEANINGS_INTEGER(X) ", "X(MID_U32, mid_u32, VECTOR) \\"),
    ):
        path = core / name
        lines = path.read_text().split("\n")
        (at,) = [i for i, text in enumerate(lines) if after.strip() in text][:1]
        path.write_text("\n".join([*lines[: at + 1], line, *lines[at + 1 :]]))
    block = core / "lanes" / "integer_block.h"
    text = block.read_text()
    first = text.index("WS_DO2(")
    block.write_text(text[:first] + "WS_DO2(mid_u32, a / 2 + b / 2 + (a & b & 1))\n" + text[first:])
    assert unproven(program(tmp_path, core.parent), compared_opcodes()) == ["mid.u32"]


def unchecked(core: Path) -> list[str]:
    """Events of statements that the check has no case for."""
    events = re.findall(r"X\((\w+), \"\w+\"\)", (core / "step" / "meant.h").read_text().partition("clang-format on")[0])
    kinds = (core / "shadow" / "kinds.h").read_text()
    assert len(events) >= 40
    return [one for one in events if f"case WS_EVENT_{one}:" not in kinds and one not in ("NONE", "BRANCH")]


def test_the_check_knows_every_event(tmp_path: Path) -> None:
    """Another event is another row of shadow/kinds.h, of watch/kinds.h if it is an access, and of Python's tables."""
    assert unchecked(HEADERS) == []
    for folder in ("step", "shadow"):
        shutil.copytree(HEADERS / folder, tmp_path / folder)
    path = tmp_path / "step" / "meant.h"
    path.write_text(path.read_text().replace('X(LOAD, "load")', 'X(LOAD, "load") X(CLEAR, "clear")'))
    assert unchecked(tmp_path) == ["CLEAR"]
