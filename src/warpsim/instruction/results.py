"""What calls give back: plain values, with their texts made on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .. import _core
from .._core import Result, Traffic
from ..explorer import Explorable, known
from ..pickling import Kept
from ..render import pages, punch_card, text
from .findings import Findings

__all__ = ["BankReport", "Legality", "Result", "Traffic"]

_core.register_class("findings", Findings)


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


class BankReport(Explorable):
    """Which lanes meet in which bank in which pass, for one warp's issue of an instruction.

    str() is a text for an 80-column terminal, .svg() a picture, .to_dict() everything as plain
    values: groups of lanes in the order in which the hardware takes them, each with its wavefronts
    and its cells (lane, bank, pass, word = shared address / 4).
    """

    _explored: Mapping[str, str] | None = None  # pickles of form 1 have none

    def __init__(self, contents: dict[str, Any], explored: Mapping[str, str] | None = None) -> None:
        self._contents = contents
        self._explored = explored

    @property
    def wavefronts(self) -> int:
        """Passes of the data banks."""
        return int(self._contents["traffic"]["wavefronts"])

    @property
    def bank_conflicts(self) -> int:
        """Wavefronts beyond one per group."""
        return int(self._contents["traffic"]["bank_conflicts"])

    @property
    def groups(self) -> Sequence[Mapping[str, Any]]:
        """The groups of lanes, as in to_dict()."""
        groups: list[dict[str, Any]] = self._contents["groups"]
        return tuple(MappingProxyType(group) for group in groups)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        contents: dict[str, Any] = self._contents
        return contents

    def _state(self) -> Mapping[str, str]:
        return known(self._explored)

    def svg(self) -> str:
        """A punch card of lanes and banks, one row of cells per pass."""
        return punch_card.bank_report(self._contents)

    def _title(self) -> str:
        return f"Banks of {self._contents['ptx']}"

    def _parts(self) -> Sequence[str]:
        return pages.bank_report(self._contents)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.groups)

    def __str__(self) -> str:
        return text.bank_report(self._contents)

    def __repr__(self) -> str:
        return f"<BankReport of {self._contents['ptx']}: {self.wavefronts} wavefronts>"
