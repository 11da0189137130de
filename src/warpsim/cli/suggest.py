"""What was meant by a word that does not exist."""

from __future__ import annotations

import re

from .. import _core
from ..errors import PtxSyntaxError
from ..words import meant

#: qualifiers of no kind of their own, and the numbers that some have
PLAIN = ("sync", "aligned", "trans", "weak", "x1", "x2", "x4", "v2", "v4")


def _qualifiers() -> set[str]:
    tables = (_core.SHAPES, _core.TYPES, _core.SPACES, _core.CACHES, _core.LAYOUTS, PLAIN)
    return {part for table in tables for word in table for part in word.split(".") if part}


def ptx(error: PtxSyntaxError, text: str) -> str:
    """The message of the error, followed by the PTX word that was probably meant."""
    found = re.match(r"[\w:]+", text[error.column :]) if error.column >= 0 else None
    if found is None:
        return str(error)
    if text[: error.column].endswith("."):
        hint = meant(found[0], _qualifiers(), ".")
    else:
        opcodes = {kind.partition(".")[0] for kind in _core.KINDS}
        hint = meant(found[0], opcodes) if found[0] not in opcodes else ""
    return error.with_hint(hint)
