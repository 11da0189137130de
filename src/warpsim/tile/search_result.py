"""What a search of layouts gives: a table, best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import arguments
from ..instruction.base import DataMovement
from ..render import plot, search_scatter, tables
from ..report import Explorable
from .layout import Layout, Swizzle
from .remedy import notations
from .report import TileReport
from .users import only


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult(Explorable):
    """All candidates that were counted, best first, and why the others were rejected.

    `cycles` are the sum over `stores` and `loads`, each times its weight; wavefronts are those of
    all stores and of all loads. Better is: fewer cycles, then fewer bytes, then the simpler layout
    (no swizzle, less padding, row-major, smaller B, then M, then `|S|`, S above 0). `pareto`: the
    rows that no other beats in cycles or bytes without losing in the other, equals included.
    `rejected`: reason -> count. `given`: the layouts that the caller has, each as `tile` reports it.
    """

    rows: int
    cols: int
    type: str
    stores: tuple[DataMovement, ...]
    loads: tuple[DataMovement, ...]
    warps: int
    target: str
    unit: str
    pareto: NDArray[np.int64]
    rejected: dict[str, int]
    _columns: dict[str, NDArray[Any]] = field(repr=False)
    weights: tuple[float, ...] = (1.0, 1.0)
    given: tuple[TileReport, ...] = ()

    @classmethod
    def _of_older(cls, held: dict[str, Any]) -> dict[str, Any]:
        """The fields of a search that was pickled when it had one store and one load."""
        if "store" not in held:
            return held
        sides = {f"{name}s": (held[name],) for name in ("store", "load")}
        return {name: value for name, value in held.items() if name not in ("store", "load")} | sides

    @property
    def store(self) -> DataMovement:
        """The only store; a ValueError unless there is exactly one."""
        op: DataMovement = only("store", self.stores)
        return op

    @property
    def load(self) -> DataMovement:
        """The only load; a ValueError unless there is exactly one."""
        op: DataMovement = only("load", self.loads)
        return op

    def __len__(self) -> int:
        return len(self._columns["cycles"])

    def __getitem__(self, row: int) -> dict[str, Any]:
        """The layout of a row and its columns."""
        layout = self.layout(row)
        return {"layout": layout} | {name: values[row].item() for name, values in self._columns.items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, best first, as pandas.DataFrame(found) takes them."""
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        best = repr(self.best) if len(self) else None
        return f"<SearchResult of {self.rows}x{self.cols} {self.type}: {len(self)} layouts, best {best}>"

    def columns(self) -> dict[str, NDArray[Any]]:
        """1-D arrays, best first; no swizzle is B = M = S = 0."""
        return dict(self._columns)

    def layout(self, row: int) -> Layout:
        """The layout of a row."""
        place = arguments.whole("row", row)
        if not -len(self) <= place < len(self):
            raise IndexError(f"row: expected one of {len(self)} rows, got {arguments.shown(row)}")
        order, pad, b, m, s = (self._columns[name][place].item() for name in ("order", "pad", "B", "M", "S"))
        swizzle = Swizzle(b, m, s, self.unit) if b else None
        return Layout(self.rows, self.cols, self.type, order, pad, swizzle)

    @property
    def best(self) -> Layout:
        """The first; a ValueError with the reasons if nothing is left."""
        if not len(self):
            why = "; ".join(f"{count}: {reason}" for reason, count in self.rejected.items())
            raise ValueError(f"no candidate is legal ({why})")
        return self.layout(0)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "schema": "warpsim.search/1",
            "rows": self.rows,
            "cols": self.cols,
            "type": self.type,
            **self._sides(),
            "warps": self.warps,
            "target": self.target,
            "swizzle_unit": self.unit,
            "counted": len(self),
            "best": repr(self.best) if len(self) else None,
            "pareto": self.pareto.tolist(),
            "rejected": dict(self.rejected),
            "columns": {name: values.tolist() for name, values in self._columns.items()},
            "given": [self._row_of(report) for report in self.given],
        }

    def _row_of(self, report: TileReport) -> dict[str, Any]:
        """What a given layout costs, as the columns have it."""
        waves = {
            f"{kind}_wavefronts": sum(int(side.traffic.wavefronts.sum()) for side in sides)
            for kind, sides in (("store", report.stores), ("load", report.loads))
        }
        cycles = sum(side.cycles * weight for side, weight in zip(report.sides, self.weights, strict=True))
        return {"layout": str(report.layout), **waves, "cycles": float(cycles), "bytes": report.bytes, "ok": report.ok}

    def _sides(self) -> dict[str, Any]:
        ops: dict[str, str] = {}
        for kind, found in (("store", self.stores), ("load", self.loads)):
            ops |= {kind if len(found) == 1 else f"{kind} {i}": op.ptx for i, op in enumerate(found, 1)}
        return {"sides": list(ops), "weights": list(self.weights), **ops}

    def text(self, top: int = tables.SHOWN) -> str:
        """The best `top` as text."""
        return tables.search(self._with_paste(), min(max(arguments.whole("top", top), 0), len(self)))

    def _with_paste(self) -> dict[str, Any]:
        return {**self.to_dict(), "notations": notations(self.best) if len(self) else {}}

    def __str__(self) -> str:
        return self.text()

    def svg(self) -> str:
        """Every counted layout by its bytes and cycles, with those that no other beats."""
        return search_scatter.search_scatter(self.to_dict())

    def plot(self, ax: Any = None) -> Any:
        """The same scatter on matplotlib's Axes `ax` (None: a new figure's); returns the Axes.

        An ImportError without matplotlib, the extra [plot].
        """
        return plot.search(self.to_dict(), ax)

    def _title(self) -> str:
        return f"Layouts of {self.rows}x{self.cols} {self.type}"

    def _parts(self) -> Sequence[str]:
        return tables.search_html(self.to_dict(), self.svg())
