"""Which lanes meet in which bank in which pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from numpy.typing import ArrayLike

from .. import _core, arguments
from ..memory.access import Access
from ..render import pages, punch_card, text
from ..report import Explorable
from .call import one_warp


class BankReport(Explorable):
    """Which lanes meet in which bank in which pass, for one warp's issue of an instruction.

    str() is a text for an 80-column terminal, .svg() a picture, .to_dict() everything as plain
    values: groups of lanes in the order in which the hardware takes them, each with its wavefronts
    and its cells (lane, bank, pass, word = shared address / 4).
    """

    _access: Access | None = None  # pickles of form 1 have none

    def __init__(self, contents: dict[str, Any], access: Access | None = None) -> None:
        self._contents = contents
        self._access = access

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
        return pages.bank_report(self._contents)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.groups)

    def __str__(self) -> str:
        return text.bank_report(self._contents)

    def __repr__(self) -> str:
        return f"<BankReport of {self._contents['ptx']}: {self.wavefronts} wavefronts>"


def bank_report(
    op: _core.Op,
    address: ArrayLike | None,
    *,
    source: ArrayLike | None = None,
    stride: ArrayLike | None = None,
    active: ArrayLike = arguments.FULL_MASK,
    target: str | None = None,
    where: str = "",
) -> BankReport:
    """The BankReport of one warp's addresses (32,); wmma: p. `where`: how they came about, in words."""
    call = one_warp(op, address, source, stride, active, target)
    wavefronts, cells = call.bank_cells()
    groups: list[dict[str, Any]] = [{"name": "", "wavefronts": count, "lanes": [], "cells": []} for count in wavefronts]
    for index, lane, bank, pass_, word in cells:
        groups[index]["cells"].append({"lane": lane, "bank": bank, "pass": pass_, "word": word})
        if lane not in groups[index]["lanes"]:
            groups[index]["lanes"].append(lane)
    for index, group in enumerate(groups):
        group["name"] = _group_name(op, index, group["lanes"])
    return BankReport(
        {
            "schema": "warpsim.bank_report/1",
            "ptx": op.ptx,
            "where": where or call.access().words(),
            "target": call.access().target,
            "access_bytes": op.access_bytes,
            "traffic": call.count().to_dict(),
            "groups": groups,
        },
        call.access(),
    )


def _group_name(op: _core.Op, index: int, lanes: Sequence[int]) -> str:
    if op.is_collective and op.group_lanes == 8 and op.row_lanes == 8 * op.num:
        return f"matrix {index}"
    if op.kind == "cp.async" and op.cache == "cg":
        return f"class {index}"
    if op.is_wmma:
        return f"group {index}"
    return f"lanes {min(lanes)}-{max(lanes)}"
