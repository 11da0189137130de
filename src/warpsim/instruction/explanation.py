"""Everything about one instruction at one place, as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, explorer, targets
from ..arguments import LANES
from ..render import fragment_map, pages, punch_card, text
from ..tile.layout import Layout
from .base import Instruction
from .findings import RULES, Finding
from .results import BankReport


class Explanation(explorer.Explorable):
    """Legality, addresses, undefined behaviour, registers and banks of one instruction.

    str() is a text for an 80-column terminal, .svg() the banks, or the fragment map where no
    addresses were given, .to_dict() everything as plain values.
    """

    _explored: Mapping[str, str] | None = None  # pickles of form 1 have none

    def __init__(self, contents: dict[str, Any], explored: Mapping[str, str] | None = None) -> None:
        self._contents = contents
        self._explored = explored

    @property
    def ok(self) -> bool:
        """Neither illegal at the target asked for nor undefined."""
        errors = (finding["severity"] == "error" for finding in self._contents["findings"])
        return self._contents["legality"]["ok"] is not False and not any(errors)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return self._contents

    def _state(self) -> Mapping[str, str]:
        return explorer.known(self._explored)

    def svg(self) -> str:
        """The punch card of the banks, or else the fragment map; ValueError without either."""
        contents = self._contents
        if contents["banks"] is not None:
            return punch_card.bank_report(contents["banks"])
        if contents["fragment"] is not None:
            return fragment_map.fragment(contents["fragment"])
        raise ValueError(f"{contents['ptx']} without addresses has no picture: give addresses")

    def _title(self) -> str:
        return str(self._contents["ptx"])

    def _parts(self) -> Sequence[str]:
        return pages.explanation(self._contents)

    def __str__(self) -> str:
        return text.explain(self._contents)

    def __repr__(self) -> str:
        return f"<Explanation of {self._contents['ptx']}>"


def _findings(
    op: Instruction,
    address: NDArray[np.int64],
    stride: int | None,
    row: int,
    layout: Layout | None,
) -> list[dict[str, Any]]:
    """What is undefined in a block that has all of the target's shared memory, with its fix."""
    lanes = np.ascontiguousarray(np.broadcast_to(address, (LANES,)), np.uint64)
    tile = None if layout is None else layout._core
    found = []
    for rule, lane, at, message, fix in _core.report_findings(op, lanes, stride, row, tile):
        finding = Finding(rule, RULES[rule].severity, 0, lane, at, message)
        found.append({**finding.to_dict(), "fix": fix})
    return found


def _rows(op: Instruction, address: NDArray[np.int64]) -> list[dict[str, Any]]:
    """One row per address, with the matrix row that it stands for; wmma: p."""
    if op.is_wmma and len(address) == 1:
        return [{"lane": None, "matrix": None, "row": None, "address": int(address[0])}]
    per_matrix = op.row_lanes // op.num if op.is_collective and not op.is_wmma else 0
    rows = []
    for lane in range(LANES if op.is_wmma else op.row_lanes):
        matrix, row = divmod(lane, per_matrix) if per_matrix else (None, None)
        rows.append({"lane": lane, "matrix": matrix, "row": row, "address": int(address[lane])})
    return rows


def _explored(
    op: Instruction, banks: BankReport | None, layout: Layout | None, at: tuple[int, int] | None
) -> dict[str, str]:
    """The explorer's words of the instruction and its place: that of the tile, or its addresses."""
    words = {"op": op.ptx}
    if layout is not None:
        words |= explorer.of_layout(layout)
    # the explorer has a tile for generic addresses at the beginning of the window
    generic = op.space == "" and op.kind != "cp.async"
    if layout is not None and at is not None and not generic:
        words |= {"row": str(at[0]), "col": str(at[1])}
    elif banks is not None:
        words |= banks._state()
    return words


def _judged(target: str | None, version: str) -> dict[str, str]:
    """The explorer's words of target and PTX version; the target's newest is left open."""
    if target is None:
        return {}
    newest = _core.newest_ptx(targets.named_row(target))
    return {"target": target, "version": "" if targets.ptx_number(version) == newest else version}


def explain(
    op: Instruction,
    address: NDArray[np.int64] | None = None,
    *,
    stride: int | None = None,
    where: str = "",
    layout: Layout | None = None,
    at: tuple[int, int] | None = None,
    target: str | None = None,
    ptx_version: str | None = None,
) -> Explanation:
    """What `warpsim explain` prints; `where` says in words how the addresses came about.

    `layout`: the tile that they come from, if any; `at`: its place that they are the addresses of,
    and for wmma its pitch the stride. Addresses are checked against the shared memory
    that a block of the target can have (without a target: 227 KiB), and by its rules where it has
    the instruction. `target` alone is judged at the newest PTX version.
    """
    version = ptx_version or f"{_core.NEWEST_PTX // 10}.{_core.NEWEST_PTX % 10}"
    legality = op.legality(target, version) if target is not None else None
    has_it = legality is not None and legality.min_ptx_version is not None
    row = targets.named_row(target) if target is not None and has_it else _core.NO_TARGET
    banks = None if address is None else op.explain(address, stride=stride)
    fragment = op.fragment
    summary, lowest, taking, notes = _core.report_form(op)
    contents = {
        "schema": "warpsim.explain/1",
        "ptx": op.ptx,
        "summary": summary,
        "access_bytes": op.access_bytes,
        "legality": {
            "min_ptx_version": f"{lowest // 10}.{lowest % 10}",
            "targets": taking,
            "target": target,
            "ptx_version": version if target is not None else None,
            "ok": None if legality is None else legality.ok,
            "reasons": [] if legality is None else list(legality.reasons),
        },
        "notes": [f"note: {note}" for note in notes],
        "where": where,
        "addresses": [] if address is None else _rows(op, address),
        "findings": [] if address is None else _findings(op, address, stride, row, layout),
        "fragment": None if fragment is None else fragment.to_dict(),
        "banks": None if banks is None else banks.to_dict(),
    }
    return Explanation(contents, _explored(op, banks, layout, at) | _judged(target, version))
