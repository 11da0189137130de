"""Tiles of shared memory and the layouts that suit them, as a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..pickling import Kept
from ..render import html
from ..render.launch import tiles
from ..report import Report
from ..tile.layout import Layout
from ..tile.remedy import notations


@dataclass(frozen=True)
class Use(Kept):
    """A statement that touches a tile: `kind` "store" or "load"; `wavefronts` now, the fewest, and `then`."""

    kind: str
    line: int
    column: int
    opcode: str
    source: str | None
    source_line: int
    executed: int
    wavefronts: int
    ideal_wavefronts: int
    then: int


@dataclass(frozen=True)
class SharedTile(Kept):
    """Bytes of shared memory that some statements fill and read, and how they should lie.

    `array`: the variable that they are in, "" if none is known; `begin`: the first byte. `pitch`: bytes of a row, 0 if
    lanes tell none; `element`: bytes. `layout` is the best one at the recorded addresses, None if nothing saves
    wavefronts, and `words` says it for the source. `searched` is what ws.search chooses for a tile of this size and
    these instructions in its own order, which takes `searched_wavefronts` at the recorded addresses; None with `why`.
    """

    array: str
    begin: int
    nbytes: int
    pitch: int
    element: int
    uses: tuple[Use, ...]
    layout: Layout | None
    words: str
    searched: Layout | None
    searched_wavefronts: int | None
    why: str

    @property
    def stores(self) -> tuple[Use, ...]:
        """Statements that fill it."""
        return tuple(use for use in self.uses if use.kind == "store")

    @property
    def loads(self) -> tuple[Use, ...]:
        """Statements that read it."""
        return tuple(use for use in self.uses if use.kind == "load")

    @property
    def wavefronts(self) -> int:
        """Of all uses, as the launch counted them."""
        return sum(use.wavefronts for use in self.uses)

    @property
    def ideal_wavefronts(self) -> int:
        """The fewest that these accesses could take."""
        return sum(use.ideal_wavefronts for use in self.uses)

    @property
    def then(self) -> int:
        """Of all uses with the layout: from the recorded executions, by how often each statement ran."""
        return sum(use.then for use in self.uses)

    @property
    def saved(self) -> int:
        """Wavefronts of the launch that the layout saves."""
        return self.wavefronts - self.then

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        found = {
            name: getattr(self, name)
            for name in ("array", "begin", "nbytes", "pitch", "element", "words", "searched_wavefronts", "why")
        }
        counted = {name: getattr(self, name) for name in ("wavefronts", "ideal_wavefronts", "then", "saved")}
        return found | counted | {
            "layout": None if self.layout is None else repr(self.layout),
            "notations": {} if self.layout is None else notations(self.layout),
            "searched": None if self.searched is None else repr(self.searched),
            "uses": [asdict(use) for use in self.uses],
        }  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class TileSearch(Report):
    """The tiles of one launch, the one that can save most first; iterates over them."""

    kernel: str
    tiles: tuple[SharedTile, ...]
    wavefronts: int  # of all accesses to shared memory of the launch
    notes: tuple[str, ...] = ()

    @property
    def saved(self) -> int:
        """Wavefronts that the layouts of all tiles save."""
        return sum(tile.saved for tile in self.tiles)

    def __iter__(self) -> Iterator[SharedTile]:
        return iter(self.tiles)

    def __len__(self) -> int:
        return len(self.tiles)

    def __getitem__(self, number: int) -> SharedTile:
        return self.tiles[number]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "schema": "warpsim.tiles/1",
            "kernel": self.kernel,
            "wavefronts": self.wavefronts,
            "saved": self.saved,
            "tiles": [tile.to_dict() for tile in self],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return tiles.text(self.to_dict())

    def __repr__(self) -> str:
        return f"<TileSearch of {self.kernel}: {len(self)} tiles, {self.saved:,} wavefronts saved>"

    def _title(self) -> str:
        return f"Tiles of {self.kernel}"

    def _parts(self) -> Sequence[str]:
        return [html.paragraph(tiles.headline(self.to_dict())), *tiles.tables(self.to_dict())]
