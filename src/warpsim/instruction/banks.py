"""Which lanes meet in which bank in which pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, arguments
from ..arguments import LANES
from ..memory.access import Access
from ..render import explanation, pages, punch_card
from ..report import Explorable
from .call import Call, Given, one_warp
from .findings import RULES, InstructionFinding


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
        return explanation.bank_report(self._contents)

    def __repr__(self) -> str:
        return f"<BankReport of {self._contents['ptx']}: {self.wavefronts} wavefronts>"


def access_of(report: BankReport) -> Access | None:
    """What the report was asked; None for what version 0.1.0 pickled."""
    return report._access


def _findings(
    op: _core.Op, address: NDArray[np.uint64], stride: int | None, row: int, tile: _core.LayoutCore | None
) -> list[dict[str, Any]]:
    """What is undefined in a block that has all of the target's shared memory, with its fix."""
    lanes = np.ascontiguousarray(np.broadcast_to(address, (LANES,)), np.uint64)
    found = []
    for rule, lane, at, message, fix in _core.report_findings(op, lanes, stride, row, tile):
        finding = InstructionFinding(rule, RULES[rule].severity, 0, lane, at, message)
        found.append({**finding.to_dict(), "fix": fix})
    return found


def bank_report(
    op: _core.Op,
    given: Given,
    *,
    where: str = "",
    tile: _core.LayoutCore | None = None,
    row: int | None = None,
    remedy: Mapping[str, Any] | None = None,
) -> BankReport:
    """The BankReport of one warp's addresses (32,); wmma: p.

    `where`: how they came about, in words. `tile`: the layout that they come from, if any, `remedy`: one
    without its conflicts. `row`: the target by whose rules they are checked, None: that of the call.
    """
    call = one_warp(op, given)
    asked = call.access()
    is_whole = bool((call.running() == arguments.FULL_MASK).all()) and len(asked.addresses) > 0
    own_row = call.target_row if row is None else row
    used = np.array(asked.addresses, np.uint64)
    found = _findings(op, used, asked.stride, own_row, tile) if is_whole else []
    wrong = [finding["fix"] for finding in found if finding["severity"] == "error"]
    remedy = None if wrong or remedy is None else dict(remedy)
    return BankReport(
        {
            "schema": "warpsim.bank_report/1",
            "ptx": op.ptx,
            "where": where or asked.words(),
            "target": asked.target,
            "access_bytes": op.access_bytes,
            "traffic": call.count().to_dict(),
            "groups": _groups(op, call),
            "findings": found,
            "fix": wrong[0] if wrong else remedy and remedy["words"],
            "remedy": remedy,
        },
        asked,
    )


def _groups(op: _core.Op, call: Call) -> list[dict[str, Any]]:
    """The groups of lanes with their cells."""
    wavefronts, cells = call.bank_cells()
    groups: list[dict[str, Any]] = [{"name": "", "wavefronts": count, "lanes": [], "cells": []} for count in wavefronts]
    for index, lane, bank, pass_, word in cells:
        groups[index]["cells"].append({"lane": lane, "bank": bank, "pass": pass_, "word": word})
        if lane not in groups[index]["lanes"]:
            groups[index]["lanes"].append(lane)
    for index, group in enumerate(groups):
        group["name"] = _group_name(op, index, group["lanes"])
    return groups


def _group_name(op: _core.Op, index: int, lanes: Sequence[int]) -> str:
    if op.is_collective and op.group_lanes == 8 and op.row_lanes == 8 * op.num:
        return f"matrix {index}"
    if op.kind == "cp.async" and op.cache == "cg":
        return f"class {index}"
    if op.is_wmma:
        return f"group {index}"
    return f"lanes {min(lanes)}-{max(lanes)}"
