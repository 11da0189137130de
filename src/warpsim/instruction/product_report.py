"""Everything about one product, as a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _core
from ..arguments import flag
from ..render import explanation, fragment_map, pages
from ..report import Report
from .legality import Legality


class ProductReport(Report):
    """Legality, registers and fragments of one product; .svg() shows where D is."""

    def __init__(self, contents: dict[str, Any]) -> None:
        self._contents = contents

    @property
    def ok(self) -> bool:
        """Not illegal at the target asked for."""
        return self._contents["legality"]["ok"] is not False

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return self._contents

    def text(self, all: bool = False) -> str:
        """Legality, registers and the first lanes of each operand; `all`: every lane."""
        return explanation.product(self._contents, flag("all", all))

    def svg(self) -> str:
        """The fragment map of D."""
        return fragment_map.fragment(self._contents["fragments"]["d"])

    def _title(self) -> str:
        return str(self._contents["ptx"])

    def _parts(self) -> Sequence[str]:
        return pages.product(self._contents)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<ProductReport of {self._contents['ptx']}>"


def report(op: Any, found: Legality | None, target: str | None, version: str) -> ProductReport:
    """The report of a Product; `found`: its legality at the target that was asked for."""
    rows = range(len(_core.TARGETS))
    lowest = min(least for row in rows if (least := _core.product_min_ptx_at(op, row)))
    taking = _core.product_legality(op, 0, _core.NEWEST_PTX)[3]
    is_open = set(taking) == set(_core.TARGETS[_core.TARGETS.index(taking[0]) :])
    registers = op.num_registers
    held = ", ".join(f"{name.upper()} {registers[name]}" for name in ("d", "a", "b", "c"))
    notes = [f"32-bit registers of a lane: {held}"]
    if op.scale_vec:
        chunks = f"{op.scale_vec} of each row of A and column of B"
        notes.append(f"factors ({op.scale_type}): one register of each lane for A and for B, {chunks}")
    if op.narrow:
        notes.append("the bits of the results follow a published model, not a measurement")
    if op.is_sparse:
        notes.append(f"metadata: one register of each lane; selectors: {op.selectors}")
    return ProductReport(
        {
            "schema": "warpsim.product/1",
            "ptx": op.ptx,
            "summary": "D = A x B + C by the 32 lanes of a warp together"
            + ("; of every four elements of a row of A two are stored" if op.is_sparse else ""),
            "legality": {
                "min_ptx_version": f"{lowest // 10}.{lowest % 10}",
                "targets": f"{taking[0]} and later" if is_open else ", ".join(taking),
                "target": target,
                "ptx_version": version if target is not None else None,
                "ok": None if found is None else found.ok,
                "reasons": [] if found is None else list(found.reasons),
            },
            "registers": registers,
            "notes": notes,
            "fragments": {name: one.to_dict() for name, one in op.fragments.items()},
        }
    )
