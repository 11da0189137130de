"""docs/reference/rules.md, from the tables of rules."""

from __future__ import annotations

from collections.abc import Iterator

import warpsim as ws
from warpsim.lint_report import LINT_RULES
from warpsim.tile_report import TILE_RULES

#: the middle of an identifier -> the instruction
INSTRUCTIONS = {
    "LDM": "ldmatrix",
    "STM": "stmatrix",
    "MOV": "movmatrix",
    "LD": "ld",
    "ST": "st",
    "CPA": "cp.async",
    "WML": "wmma.load",
    "WMS": "wmma.store",
}

HEAD = """# Rules

Every finding names a rule. Its identifier stays what it is and is never used for anything else; each one is an anchor of this page.

- [Undefined behaviour](#undefined-behaviour): what `op.execute`, `ws.issue` and `warpsim explain` find. `ws.RULES` has the same in Python.
- [Tiles](#tiles): what `ws.tile` and `warpsim tile` find.
- [Lint](#lint): what `ws.lint` and `warpsim lint` find.

An *error* is undefined by PTX, or illegal; it makes `.ok` False. A *warning* is reported and nothing else: `.ok` stays True. A *note* says what was not judged.

## Undefined behaviour

"PTX" is what the specification says, in our words; "hardware" what an H200 (sm_90) was measured to do then, which other GPUs need not do.
"""


def anchor(id: str, level: int = 3) -> str:
    """A heading whose lower-case slug is an anchor, and one that is the identifier itself."""
    return f'<a id="{id}"></a>\n\n{"#" * level} {id}\n'


def lines() -> Iterator[str]:
    yield HEAD
    seen = ""
    for rule in ws.RULES.values():
        instruction = INSTRUCTIONS[rule.id.split("-")[1]]
        if instruction != seen:
            yield f"### {instruction}\n"
            seen = instruction
        yield anchor(rule.id, 4)
        yield f"**{rule.severity}: {rule.title}**\n"
        yield f"- PTX: {rule.ptx}"
        yield f"- Hardware: {sentence(rule.hardware)}"
        yield f"- Fix: {rule.fix}"
        raised = (
            f"[`{rule.error.__name__}`](api/errors.md)" if rule.severity == "error" else "nothing"
        )
        yield f"- Raises: {raised}\n"
    yield "## Tiles\n"
    yield "All are errors; the finding's message names the nearest thing that would do.\n"
    for tile_rule in TILE_RULES.values():
        yield anchor(tile_rule.id)
        yield f"**error: {tile_rule.title}**\n"
        yield f"- Fix: {tile_rule.fix}\n"
    yield "## Lint\n"
    for lint_rule in LINT_RULES.values():
        yield anchor(lint_rule.id)
        yield f"**{lint_rule.severity}: {lint_rule.title}**\n"
        yield f"- Fix: {lint_rule.fix}\n"


def sentence(words: str) -> str:
    return f"{words}." if not words.endswith(".") else words


def page() -> str:
    return "\n".join(lines()).rstrip() + "\n"
