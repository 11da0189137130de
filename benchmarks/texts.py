"""Texts a second: parse and lint; lines a second of lint."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import warpsim as ws

from . import levels
from .peers import same
from .rows import LINE_NS, NO_LEVEL, TEXT_NS, Line
from .timing import Effort, looped, medians

TEXTS = 500
LINT_INSTRUCTIONS = 2000
LINES = 50_000
CORPUS = Path(__file__).parents[1] / "tests" / "truth" / "corpus" / "files.tar.xz"

LEGAL = (
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {{%r{a}, %r{b}, %r{c}, %r{d}}}, [%s{a}+{at}];",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%s{a}+{at}], {{%r{a}, %r{b}}};",
    "ld.shared.v4.b32 {{%r{a}, %r{b}, %r{c}, %r{d}}}, [%s{a}+{at}];",
    "cp.async.cg.shared.global [%s{a}+{at}], [%l{a}], 16;",
)
ILLEGAL = (
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r{a}, %r{b}}}, [%s{a}+{at}];",
    "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {{%r{a}}}, [%s{a}+{at}];",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%s{a}+{at}, {{%r{a}, %r{b}}};",
    "ld.shared.v4.b64 {{%l{a}, %l{b}, %l{c}, %l{d}}}, [%s{a}+{at}];",
)
HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel()
{{
.reg .b32 %r<{n}>;
.reg .b32 %s<{n}>;
.reg .b64 %l<{n}>;
"""


def _texts(templates: tuple[str, ...], count: int) -> list[str]:
    """No two alike, so that nothing remembered can answer."""
    return [templates[i % len(templates)].format(a=i, b=i + 1, c=i + 2, d=i + 3, at=16 * i) for i in range(count)]


def _refused(text: str) -> bool:
    try:
        ws.parse(text)
    except ws.WarpsimError:
        return True
    return False


def texts(effort: Effort) -> Iterator[Line]:
    """ns a text of parse, and ns an instruction of lint."""
    legal, illegal = _texts(LEGAL, TEXTS), _texts(ILLEGAL, TEXTS)
    instructions = effort.size(LINT_INSTRUCTIONS, 100)
    body = "\n".join(_texts(LEGAL, instructions))
    file = f"{HEAD.format(n=instructions + len(LEGAL))}{body}\nret;\n}}\n"
    report = ws.lint(file)
    parsed = [ws.parse(text) for text in _texts(LEGAL, instructions)]
    same("lint", [op for _, op in report.instructions], parsed)
    same("lint", report.ok, True)
    same("parse", [_refused(text) for text in legal + illegal], [False] * TEXTS + [True] * TEXTS)
    cases = {
        "parse_legal": looped(lambda: [ws.parse(text) for text in legal]),
        "parse_illegal": looped(lambda: [_refused(text) for text in illegal]),
        "lint": looped(lambda: ws.lint(file)),
    }
    ns = medians(cases, effort)
    for key, found in ns.items():
        count, unit = (instructions, "instructions") if key == "lint" else (TEXTS, "texts")
        yield levels.line(key, f"{count:,} {unit}", NO_LEVEL, found / count, TEXT_NS)
    yield from _lines(effort)


def _corpus(effort: Effort) -> tuple[str, str]:
    """What nvcc wrote, one file after the other, and what Triton did."""
    with tarfile.open(CORPUS) as archive:
        found = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        files = {name: file.read().decode() for name, file in found.items() if file is not None}
    by_triton = [name for name in files if name.startswith("triton")]
    rest = [name for name in files if name not in by_triton and "debug" not in name]
    few = effort.size(len(files), 3)
    return "".join(files[name] for name in rest[:few]), "".join(files[name] for name in by_triton[:few])


def _lines(effort: Effort) -> Iterator[Line]:
    """ns a line of lint, of files that are MB long."""
    lines = effort.size(LINES, 100)
    head = HEAD.format(n=lines + len(LEGAL))
    by_nvcc, by_triton = _corpus(effort)
    files = {
        "nvcc": by_nvcc,
        "Triton": by_triton,
        "every line an ldmatrix": head + "\n".join(_texts(LEGAL[:1], lines)) + "\n}\n",
        "every line a finding": head + "\n".join(_texts(ILLEGAL[:1], lines)) + "\n}\n",
    }
    same("lint", len(ws.lint(files["every line a finding"]).findings), lines)
    same("lint", [bool(ws.lint(files[name]).findings) for name in list(files)[1:3]], [False] * 2)
    cases = {name: looped(lambda text=text: ws.lint(text)) for name, text in files.items()}
    for name, found in medians(cases, effort).items():
        count = files[name].count("\n")
        yield levels.line("lint_lines", f"{name}, {count:,} lines", NO_LEVEL, found / count, LINE_NS)
