"""Whether a form is legal at a target and PTX version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import _core, targets
from ..pickling import Kept


@dataclass(frozen=True, slots=True)
class Legality(Kept):
    """Whether a form is legal at a target and PTX version, and the reasons where it is not.

    `min_ptx_version`: the lowest at which it is legal at this target, None if never. `targets`:
    all that ever take it, ascending.
    """

    ok: bool
    reasons: tuple[str, ...]
    min_ptx_version: str | None
    targets: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "ok": self.ok,
            "reasons": list(self.reasons),
            "min_ptx_version": self.min_ptx_version,
            "targets": list(self.targets),
        }


def legality_of(op: _core.Op, target: str, ptx_version: str | None) -> Legality:
    """The Legality of a form; unknown names are ValueError."""
    row, number = targets.named_row(target), targets.ptx_number_or_newest(ptx_version)
    ok, reasons, minimum, taking = _core.legality(op, row, number)
    lowest = f"{minimum // 10}.{minimum % 10}" if minimum else None
    return Legality(ok, reasons, lowest, taking)
