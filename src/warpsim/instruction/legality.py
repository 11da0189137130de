"""Whether a form is legal at a target and PTX version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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


def verdict(ok: bool, reasons: tuple[str, ...], minimum: int, taking: tuple[str, ...]) -> Legality:
    """What the core says, with the PTX version as a text."""
    return Legality(ok, reasons, f"{minimum // 10}.{minimum % 10}" if minimum else None, taking)
