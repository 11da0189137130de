"""What a launch asks of the assembler: whose counters they are."""

from __future__ import annotations

from typing import Any

from ..arguments import describe, shown
from ..errors import bad_type, bad_value
from ..machine.assembled import Machine, by_assembler, by_rule
from ..machine.merged import Merged
from .entry import Entry

WIDTHS = (2, 4, 8, 16, 32)


def machine_of(
    kernel: Entry, program: Any, asked: Any, counts: bool, target: str | None, contract: bool
) -> Machine | None:
    """What the machine code does otherwise than the text; None if the text counts."""
    if asked is False:
        return None
    if not counts:
        raise bad_value("as_assembled", "it says what is counted, but count is False")
    text = kernel._module._texts
    if asked is True:
        if target is None and not kernel._module.targets:
            raise bad_value("as_assembled", "the module names no target; give one: target='sm_90a'")
        return by_assembler(text, kernel.name, program.statements(), target or kernel._module.targets[0], contract)
    if not isinstance(asked, tuple | list) or not all(isinstance(one, Merged) for one in asked):
        raise bad_type("as_assembled", f"expected a bool or what kernel.merged gives, got {describe(asked)}")
    known = {access.line for access in text.accesses}
    for one in asked:
        if one.nbytes not in WIDTHS or not all(line in known for line in (one.line, *one.lines)):
            raise bad_value("as_assembled", f"not accesses of the module: {shown(one)}")
    return by_rule(asked, text.accesses)
