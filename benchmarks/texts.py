"""Texts a second: parse and lint."""

from __future__ import annotations

from collections.abc import Iterator

import warpsim as ws

from . import levels
from .peers import same
from .rows import NO_LEVEL, TEXT_NS, Line
from .timing import Effort, looped, medians

TEXTS = 500
LINT_INSTRUCTIONS = 2000

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
    return [
        templates[i % len(templates)].format(a=i, b=i + 1, c=i + 2, d=i + 3, at=16 * i)
        for i in range(count)
    ]


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
