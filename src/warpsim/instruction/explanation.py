"""Everything about one instruction at one place, as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, targets
from ..arguments import LANES, flag
from ..memory.access import Access
from ..render import explanation as about
from ..render import fragment_map, pages, punch_card
from ..report import Explorable
from .banks import BankReport, access_of, bank_report
from .call import Given
from .fragment_map import FragmentMap
from .legality import Legality, verdict


class Explanation(Explorable):
    """Legality, addresses, undefined behaviour, registers and banks of one instruction.

    str() is a text for one screen of 80 columns, .text(all=True) has all of it, .svg() is the banks, or the
    fragment map where no addresses were given, .to_dict() everything as plain values.
    """

    # what was asked, besides the instruction and its target; pickles of form 1 have none of it
    _access: Access | None = None
    _layout: Any = None
    _at: tuple[int, int] | None = None
    _remedy: Any = None

    def __init__(
        self,
        contents: dict[str, Any],
        access: Access | None = None,
        layout: Any = None,
        at: tuple[int, int] | None = None,
        remedy: Any = None,
    ) -> None:
        self._contents = contents
        self._access = access
        self._layout = layout
        self._at = at
        self._remedy = remedy

    @property
    def remedy(self) -> Any:
        """The ws.Remedy of an access to a layout that has more wavefronts than it needs; else None."""
        return self._remedy

    @property
    def ok(self) -> bool:
        """Neither illegal at the target asked for nor undefined."""
        errors = (finding["severity"] == "error" for finding in self._contents["findings"])
        return self._contents["legality"]["ok"] is not False and not any(errors)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return self._contents

    def text(self, all: bool = False) -> str:
        """The verdict, what to do and a short map; `all`: every address, register and bank."""
        return about.explain(self._contents, all=flag("all", all))

    def svg(self) -> str:
        """The punch card of the banks, or else the fragment map; ValueError without either."""
        contents = self._contents
        if contents["banks"] is not None:
            return punch_card.bank_report({**contents["banks"], "findings": contents["findings"]})
        if contents["fragment"] is not None:
            return fragment_map.fragment(contents["fragment"])
        raise ValueError(f"{contents['ptx']} without addresses has no picture: give addresses")

    def _title(self) -> str:
        return str(self._contents["ptx"])

    def _parts(self) -> Sequence[str]:
        return pages.explanation(self._contents)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Explanation of {self._contents['ptx']}>"


@dataclass(frozen=True)
class Asked:
    """What an explanation was asked besides the instruction: addresses, or the place in a layout that they are of."""

    access: Access | None
    layout: Any
    at: tuple[int, int] | None


def asked_of(report: Explanation) -> Asked:
    """What the report was asked; nothing for what version 0.1.0 pickled."""
    return Asked(report._access, report._layout, report._at)


@dataclass(frozen=True)
class Spot:
    """Where addresses come from, in words; for a place in a tile, also its layout, tile and row and column (`at`).

    `remedy`: what has fewer conflicts, as plain values; `advice`: the same as a ws.Remedy.
    """

    words: str
    layout: Any = None
    tile: _core.LayoutCore | None = None
    at: tuple[int, int] | None = None
    remedy: Mapping[str, Any] | None = None
    advice: Any = None


def _rows(op: _core.Op, address: NDArray[np.uint64]) -> list[dict[str, Any]]:
    """One row per address, with the matrix row that it points to; wmma: p."""
    if op.is_wmma and len(address) == 1:
        return [{"lane": None, "matrix": None, "row": None, "address": int(address[0])}]
    per_matrix = op.row_lanes // op.num if op.is_collective and not op.is_wmma else 0
    rows = []
    for lane in range(LANES if op.is_wmma else op.row_lanes):
        matrix, row = divmod(lane, per_matrix) if per_matrix else (None, None)
        rows.append({"lane": lane, "matrix": matrix, "row": row, "address": int(address[lane])})
    return rows


def _banks(op: _core.Op, given: Given, row: int, spot: Spot | None) -> BankReport:
    if spot is None:
        return bank_report(op, given, row=row)
    return bank_report(op, given, tile=spot.tile, row=row, remedy=spot.remedy)


def _verdict(
    lowest: int, taking: Sequence[str], target: str | None, version: str | None, found: Legality | None
) -> dict[str, Any]:
    """Whether the target has the instruction, and who has it."""
    return {
        "min_ptx_version": f"{lowest // 10}.{lowest % 10}",
        "targets": taking,
        "target": target,
        "ptx_version": version,
        "ok": None if found is None else found.ok,
        "reasons": [] if found is None else list(found.reasons),
    }


def explain(
    op: _core.Op,
    address: ArrayLike | None = None,
    *,
    stride: int | None = None,
    target: str | None = None,
    ptx_version: str | None = None,
    spot: Spot | None = None,
) -> Explanation:
    """What `warpsim explain` prints; `spot`: the place in a tile that the addresses are of, if any.

    Addresses are checked against the shared memory that a block of the target can have (without a
    target: 227 KiB), and by its rules where it has the instruction. `target` alone is judged at the
    newest PTX version.
    """
    target = None if target is None else targets.known_target(target)
    number = targets.ptx_number_or_newest(ptx_version)
    version = f"{number // 10}.{number % 10}"
    found = None if target is None else verdict(*_core.legality(op, targets.named_row(target), number))
    row = targets.named_row(target) if target and found and found.min_ptx_version else _core.NO_TARGET
    banks = None if address is None else _banks(op, Given(address, stride=stride), row, spot)
    asked = None if banks is None else access_of(banks)
    shown = {} if banks is None else banks.to_dict()
    findings, remedy = shown.pop("findings", []), shown.pop("remedy", None)
    summary, lowest, taking, notes = _core.report_form(op)
    contents = {
        "schema": "warpsim.explain/1",
        "ptx": op.ptx,
        "summary": summary,
        "access_bytes": op.access_bytes,
        "legality": _verdict(lowest, taking, target, None if target is None else version, found),
        "notes": [f"note: {note}" for note in notes],
        "where": "" if spot is None else spot.words,
        "addresses": [] if asked is None else _rows(op, np.array(asked.addresses, np.uint64)),
        "findings": findings,
        "fragment": FragmentMap(op).to_dict() if op.is_collective else None,
        "banks": shown or None,
        "remedy": remedy,
    }
    return Explanation(contents, asked, *(() if spot is None else (spot.layout, spot.at, spot.advice)))
