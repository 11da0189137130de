"""What calls give back: plain values, with their texts made on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Result, Traffic
from .findings import Findings
from .render import html, punch_card, text
from .report import Report

__all__ = ["BankReport", "FragmentMap", "Legality", "Result", "Traffic"]

_core.register_class("findings", Findings)


@dataclass(frozen=True, slots=True)
class Legality:
    """Is the form legal at a target and PTX version?

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


class FragmentMap:
    """Which matrix element each field of each register holds.

    `.elements`: int32 array (32, num_registers, fields, 3), read-only: matrix, row and column of
    the element in field f (low bits first) of register r of a lane. For ldmatrix and stmatrix row
    is which row address and column the place in that row, with .trans or without; for movmatrix
    they are those of the source matrix, as held by the destination; for wmma they are PTX's i and
    j, as observed on sm_80 and later (PTX leaves them open). Source: the fragment figures
    of the PTX ISA, which CuTe's copy traits confirm.

    >>> import warpsim as ws
    >>> ws.Ldmatrix(num=4).fragment.holders(matrix=2, row=3, col=5)
    [(14, 2, 1)]
    """

    def __init__(self, op: _core.Op, sm_75: bool = False) -> None:
        elements = np.empty((32, op.num_registers, op.fields, 3), np.intc)
        _core.fragment(op, elements, sm_75)
        elements.flags.writeable = False
        self.ptx = op.ptx
        self.elements: NDArray[np.int32] = elements

    def holders(self, matrix: int, row: int, col: int) -> list[tuple[int, int, int]]:
        """All (lane, register, field) that hold an element; empty if there is no such element."""
        found = np.argwhere((self.elements == (matrix, row, col)).all(axis=-1))
        return [(int(lane), int(register), int(field)) for lane, register, field in found]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        lanes, registers, fields, _ = self.elements.shape
        return {
            "schema": "warpsim.fragment/1",
            "ptx": self.ptx,
            "lanes": lanes,
            "registers": registers,
            "fields": fields,
            "elements": self.elements.tolist(),
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FragmentMap) and np.array_equal(self.elements, other.elements)

    def __hash__(self) -> int:
        return hash(self.elements.tobytes())

    def __str__(self) -> str:
        return text.fragment(self.to_dict())

    def __repr__(self) -> str:
        return f"<FragmentMap of {self.ptx}>"


class BankReport(Report):
    """Which lanes meet in which bank in which pass, for one warp's issue of an instruction.

    str() is a text for an 80-column terminal, .svg() a picture, .to_dict() everything as plain
    values: groups of lanes in the order in which the hardware takes them, each with its wavefronts
    and its cells (lane, bank, pass, word = shared address / 4).
    """

    def __init__(self, contents: dict[str, Any]) -> None:
        self._contents = contents

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

    def svg(self) -> str:
        """A punch card of lanes and banks, one row of cells per pass."""
        return punch_card.bank_report(self._contents)

    def _title(self) -> str:
        return f"Banks of {self._contents['ptx']}"

    def _parts(self) -> Sequence[str]:
        return [html.figure(self.svg()), html.preformatted(str(self))]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.groups)

    def __str__(self) -> str:
        return text.bank_report(self._contents)

    def __repr__(self) -> str:
        return f"<BankReport of {self._contents['ptx']}: {self.wavefronts} wavefronts>"
