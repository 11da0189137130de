"""Both sides of a tile as values: traffic, cycles, legality, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import Traffic
from ..instruction.base import DataMovement
from ..instruction.findings import RULES, OfRule
from ..instruction.legality import Legality
from ..pickling import Kept
from ..render import tables, tile_map
from ..report import Explorable
from . import picture
from .layout import Layout
from .remedy import Remedy
from .users import only


@dataclass(frozen=True, slots=True)
class TileFinding(OfRule):
    """One thing that is wrong with a tile: `side` is store, load or tile.

    `rule` is a key of ws.RULES, such as "WS-TILE-002".
    """

    rule: str
    side: str
    message: str

    @property
    def severity(self) -> str:
        """That of the rule."""
        return RULES[self.rule].severity

    @property
    def where(self) -> str:
        """The side."""
        return self.side

    def to_dict(self) -> dict[str, str]:
        """JSON-ready."""
        return {"rule": self.rule, "side": self.side, "message": self.message}

    def __str__(self) -> str:
        return f"{self.rule} ({self.side}): {self.message}"


@dataclass(frozen=True, slots=True)
class TileSide(Kept):
    """The stores that fill a tile, or the loads that read it.

    `traffic` has shape (warps, steps); of accesses that are not aligned it counts the pieces that
    they begin in. `legality` is that of the newest PTX version that has the target. `error`: of
    `cycles`, relative, 95 % of the measured cases are nearer; None: no such side was ever timed.
    `name`: "store", or "store 2" of several. `is_given`: the addresses are those of a function.
    """

    op: DataMovement
    traffic: Traffic
    cycles: float
    legality: Legality
    error: float | None = None
    name: str = ""
    is_given: bool = False

    @property
    def costliest(self) -> dict[str, int]:
        """The first step with the most wavefronts, and how many cost as much (`steps`)."""
        wavefronts = self.traffic.wavefronts
        step, warp = divmod(int(wavefronts.T.argmax()), len(wavefronts))
        return {
            "warp": warp,
            "step": step,
            "wavefronts": int(wavefronts[warp, step]),
            "ideal_wavefronts": int(self.traffic.ideal_wavefronts[warp, step]),
            "steps": int((wavefronts == wavefronts.max()).sum()),
        }

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the counters are totals, `wavefronts_per_step` is a list per warp."""
        total = self.traffic.sum().to_dict()
        del total["schema"]
        return {
            "ptx": self.op.ptx,
            **total,
            "cycles": self.cycles,
            "error": self.error,
            "is_given": self.is_given,
            "wavefronts_per_step": self.traffic.wavefronts.tolist(),
            "costliest": self.costliest,
            "legality": self.legality.to_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class TileReport(Explorable):
    """All that fills and reads a tile: traffic, cycles, legality, alignment, bytes.

    `store` and `load` are the only one of `stores` and of `loads`; a ValueError unless there is
    exactly one. `ok` is False where there is a finding. `bytes`: what the layout takes in shared memory;
    `wasted_bytes`: those of them that hold no element; `shared_bytes`: what a block of the target
    can have.
    """

    layout: Layout
    warps: int
    target: str
    stores: tuple[TileSide, ...]
    loads: tuple[TileSide, ...]
    findings: tuple[TileFinding, ...]
    bytes: int
    wasted_bytes: int
    shared_bytes: int
    _arch: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def _of_older(cls, held: dict[str, Any]) -> dict[str, Any]:
        """The fields of a report that was pickled when a tile had one store and one load."""
        if "store" not in held:
            return held
        sides = {f"{name}s": (replace(held[name], name=name),) for name in ("store", "load")}
        return {name: value for name, value in held.items() if name not in ("store", "load")} | sides

    @property
    def store(self) -> TileSide:
        """The only store."""
        side: TileSide = only("store", self.stores)
        return side

    @property
    def load(self) -> TileSide:
        """The only load."""
        side: TileSide = only("load", self.loads)
        return side

    @property
    def sides(self) -> tuple[TileSide, ...]:
        """The stores, then the loads."""
        return (*self.stores, *self.loads)

    @property
    def ok(self) -> bool:
        """No finding."""
        return not self.findings

    @property
    def cycles(self) -> float:
        """Of the stores and then of the loads."""
        return float(sum(side.cycles for side in self.sides))

    @property
    def wavefronts(self) -> int:
        """Of all sides."""
        return sum(int(side.traffic.wavefronts.sum()) for side in self.sides)

    def columns(self) -> dict[str, NDArray[Any]]:
        """A row for each store and load, as 1-D arrays."""
        totals = [side.to_dict() for side in self.sides]
        names = ("ptx", *_core.COUNTERS, "cycles")
        found: dict[str, NDArray[Any]] = {"side": np.array([side.name for side in self.sides])}
        return found | {name: np.array([total[name] for total in totals]) for name in names}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """A row for each store and load, as pandas.DataFrame(report) takes them."""
        columns = self.columns()
        return iter([{name: values[i].item() for name, values in columns.items()} for i in range(len(self.sides))])

    def __repr__(self) -> str:
        totals = ", ".join(f"{row['side']} {row['wavefronts']}" for row in self)
        return f"<TileReport of {self.layout} on {self.target}: wavefronts {totals}; {len(self.findings)} findings>"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the totals of both sides have keys of their own, for a sweep."""
        return {
            "schema": "warpsim.tile/1",
            "name": str(self.layout),
            "layout": repr(self.layout),
            "rows": self.layout.rows,
            "cols": self.layout.cols,
            "type": self.layout.type,
            "pitch": self.layout.pitch,
            "warps": self.warps,
            "target": self.target,
            "ok": self.ok,
            "sides": [side.name for side in self.sides],
            **{side.name: side.to_dict() for side in self.sides},
            "cycles": self.cycles,
            "bytes": self.bytes,
            "wasted_bytes": self.wasted_bytes,
            "shared_bytes": self.shared_bytes,
            **{
                f"{row['side'].replace(' ', '_')}_{name}": row[name]
                for row in self
                for name in (*_core.COUNTERS, "cycles")
            },
            "findings": [finding.to_dict() for finding in self.findings],
        }

    @property
    def remedy(self) -> Remedy | None:
        """The layout of a search that costs least, if that is fewer wavefronts than this one.

        >>> import warpsim as ws
        >>> report = ws.tile(ws.Layout(64, 64, "f16"), store=ws.St(vec=4), load=ws.Ldmatrix(num=4))
        >>> report.remedy
        <Remedy: 64x64 f16, Swizzle<3,3,3>; saves 448 wavefronts, 0 bytes, 504 cycles>
        """
        return _remedies[0](self)

    def picture(self) -> dict[str, Any]:
        """JSON-ready: what .svg() shows, the pieces around the costliest step of each side."""
        ops = {side.name: side.op for side in self.sides if not side.is_given}
        return picture.picture(self.to_dict(), self.layout, ops)

    def svg(self) -> str:
        """The tile, its banks as colours, with the lanes and passes of each side's worst step."""
        return tile_map.tile_map(self.picture())

    def _title(self) -> str:
        return f"Tile {self.layout}"

    def _parts(self) -> Sequence[str]:
        return tables.tile_html(with_remedy(self), self.svg())

    def __str__(self) -> str:
        return tables.tile(with_remedy(self))


def with_remedy(report: TileReport) -> dict[str, Any]:
    """The values of the report, and of its remedy."""
    found = report.remedy
    return {**report.to_dict(), "remedy": None if found is None else found.to_dict()}


def arch_of(report: TileReport) -> Any:
    """The architecture that was counted for, or the target's name in reports that older versions pickled."""
    return report._arch or report.target


_remedies: list[Callable[[TileReport], Remedy | None]] = []


def register_remedy(find: Callable[[TileReport], Remedy | None]) -> None:
    """A search says which layout is better; it makes reports of tiles itself."""
    _remedies[:] = [find]
