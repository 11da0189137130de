"""docs/reference/rules.md, from the tables of rules."""

import re
from collections.abc import Iterator
from typing import Any

import warpsim as ws
from warpsim.cli.rules import rules

#: the middle of an identifier -> the instruction
INSTRUCTIONS = {
    "LDM": "ldmatrix", "STM": "stmatrix", "MOV": "movmatrix", "LD": "ld", "ST": "st", "CPA": "cp.async",
    "WML": "wmma.load", "WMS": "wmma.store",
}  # fmt: skip

WORDS = {"ptx": "PTX", "hardware": "Hardware", "fix": "Fix"}

#: what a rule is about -> how its part of the page begins
SECTIONS = {
    "undefined behaviour": "",
    "tiles": "## Tiles\n\nEach finding names the nearest alternative that works.\n",
    "lint": "## Lint\n",
    "kernels": '## Kernels\n\nWhat a launch finds. With `on_finding="raise"` it ends at the first error.\n',
}

HEAD = """# Rules

Every finding names a rule. Identifiers never change and are never reused; each one is an anchor on this page. `ws.RULES` holds the rules in Python, and `warpsim rules` prints them.

- [Undefined behaviour](#undefined-behaviour): what `op.execute`, `ws.issue` and `warpsim explain` find.
- [Tiles](#tiles): what `ws.tile` and `warpsim tile` find.
- [Lint](#lint): what `ws.lint` and `warpsim lint` find.
- [Kernels](#kernels): what a launch and `warpsim run` find.

An *error* is undefined by PTX, or illegal; it makes `.ok` False. A *warning* is only reported: `.ok` stays True. A *note* is neither: something that could not be judged, or that may be intended.

## Undefined behaviour

"PTX" is what the specification says, in our words. "Hardware" is what an H200 (sm_90) was measured to do in that case; other GPUs may differ.
"""


def lines() -> Iterator[str]:
    yield HEAD
    seen = ""
    for rule in rules().rules:
        section, level = SECTIONS[rule["about"]], 3
        if rule["about"] == "undefined behaviour":
            section, level = f"### {INSTRUCTIONS[rule['id'].split('-')[1]]}\n", 4
        if section != seen:
            yield section
            seen = section
        yield f'<a id="{rule["id"]}"></a>\n\n{"#" * level} {rule["id"]}\n'
        yield f"**{rule['severity']}: {rule['title']}**\n"
        for name in ("ptx", "hardware", "fix"):
            if rule[name]:
                yield f"- {WORDS[name]}: {sentence(rule[name])}"
        if rule["about"] in ("undefined behaviour", "kernels"):
            yield f"- Raises: {raised(rule)}"
        yield ""


def raised(rule: dict[str, Any]) -> str:
    error = ws.RULES[rule["id"]].error
    return f"[`{error.__name__}`](api/errors.md)" if rule["severity"] == "error" else "nothing"


def sentence(words: str) -> str:
    return f"{words}." if not words.endswith(".") else words


def page() -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines())).rstrip() + "\n"
