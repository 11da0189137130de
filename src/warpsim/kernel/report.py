"""What a launch reports."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from .. import _core
from .._core import Traffic
from ..arguments import describe, shown
from ..bounds.report import Bounds, Launched, bounds_of
from ..bounds.work import Counted
from ..characters import printable
from ..errors import bad_type, bad_value
from ..machine.merged import Merged
from ..picked import Numbers, of_older
from ..render import html
from ..render.launch import heat, page, source, table, text, texts
from ..render.text import ranges, wrapped
from ..report import Report
from ..shared.report import TileSearch
from ..shared.tiles import MOST_USES, Recorded, tiles_of
from ..time.architecture import Arch
from . import counters
from .difference import KernelDiff
from .stops import KernelFinding, Sought


@dataclass(frozen=True, eq=False, repr=False)
class KernelReport(Sought, Report):
    """One launch: what ran, what it printed, what is wrong.

    `blocks` are the linear indices of the thread blocks that ran (a sequence; in to_dict() the first, the last and the
    count where they are more than 4,096), `scale` how many the grid has for each of them;
    `steps` counts warp instructions (with count=False those of the engine, a few more). `lines` has a row for each
    statement that ran (structured: line, column, source, source_line, opcode and counters of Nsight Compute's source
    page), `sources` the names that its `source` counts. `ptx` is the text of the module, `source_texts` those of the
    sources (None for a file that cannot be read, or of which no line ran). `inexact` names the instructions that ran
    without an exact rule: results may differ from the GPU's within the bounds that the documentation states. `notes`
    says what else to know; `merged` (with as_assembled) which lines went into which. `is_checked` is False after a
    launch with check=False, `is_assembled` True after one with as_assembled, `ended` True where an error ended it:
    values and counters are those up to there. `recorded` is what tile_search() goes by. `shared_bytes`: of a block,
    static and dynamic. `read_bytes`, `written_bytes`: distinct sectors of global memory, 32 bytes each, that the blocks
    read before they wrote them, and wrote; without those of wmma, bulk and tensor copies.
    """

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    target: str
    blocks: Numbers
    scale: float
    steps: int
    output: str
    findings: tuple[KernelFinding, ...]
    lines: np.ndarray
    sources: tuple[str, ...]
    inexact: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    merged: tuple[Merged, ...] = ()
    ptx: str = ""
    source_texts: tuple[str | None, ...] = ()
    is_checked: bool = True
    recorded: tuple[Recorded, ...] = field(default_factory=tuple)  # no value of the class: it is sought when it is read
    shared_bytes: int = 0
    read_bytes: int = 0
    written_bytes: int = 0
    is_assembled: bool = False
    ended: bool = False

    @staticmethod
    def _of_older(held: dict[str, Any]) -> dict[str, Any]:
        return of_older(held)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KernelReport):
            return NotImplemented
        same = self.to_dict() == other.to_dict() and (self.sources, self.blocks) == (other.sources, other.blocks)
        return same and self.lines.dtype == other.lines.dtype and bool(np.array_equal(self.lines, other.lines))

    __hash__ = None  # type: ignore[assignment]

    @property
    def traffic(self) -> Traffic:
        """The sum over all lines."""
        return counters.traffic_of(self.lines)

    @property
    def shared(self) -> dict[str, dict[str, int]]:
        """Nsight Compute's table of shared memory: a row for each kind of access that ran."""
        return counters.shared_of(self.lines)

    @property
    def instructions(self) -> dict[str, int]:
        """How often each opcode was executed by a warp, the most frequent first."""
        opcodes, of_line = np.unique(self.lines["opcode"], return_inverse=True)
        counts = np.zeros(len(opcodes), np.int64)
        np.add.at(counts, of_line, self.lines["executed"])
        order = np.argsort(-counts, kind="stable")
        return {opcodes[i].decode(): int(counts[i]) for i in order}

    def by_source(self) -> np.ndarray:
        """Counters by source file and line, where the PTX says it (.loc): structured, like `lines`."""
        return counters.by_source(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "schema": "warpsim.kernel/1",
            "kernel": self.kernel,
            "grid": list(self.grid),
            "block": list(self.block),
            "target": self.target,
            "blocks": self.blocks.to_dict(),
            "scale": self.scale,
            "steps": self.steps,
            "output": self.output,
            "findings": [finding.to_dict() for finding in self.findings],
            "inexact": list(self.inexact),
            "instructions": dict(self.instructions),
            "notes": list(self.notes),
            "merged": [dataclasses.asdict(one) for one in self.merged],
            "totals": {name: int(self.lines[name].sum()) for name in counters.COUNTERS},
            "shared": self.shared,
            "bounds": self._least(),
            "sources": list(self.sources),
            "lines": self._columns(),
        }

    def _least(self) -> dict[str, Any] | None:
        """The bounds on the target of the launch; None where nothing was counted, or not to the end."""
        if self.ended or not self.blocks or not self.lines["executed"].any():
            return None
        found = self.bounds().to_dict()
        return {name: value for name, value in found.items() if name not in ("schema", "kernel")}

    def _columns(self) -> dict[str, list[Any]]:
        """The lines, column by column, with the text of each."""
        ptx = texts.split(self.ptx)
        found: dict[str, list[Any]] = {name: self.lines[name].tolist() for name in self.lines.dtype.names or ()}
        found["opcode"] = [opcode.decode() for opcode in found["opcode"]]
        found["text"] = texts.lines_of(ptx, found["line"])
        return found

    def _source_lines(self) -> list[str]:
        """The text of the source line of each row of `lines`; empty where it is not known."""
        places = zip(self.lines["source"].tolist(), self.lines["source_line"].tolist(), strict=True)
        return texts.source_lines_of(self.source_texts, list(places))

    def bounds(self, target: str | Arch | None = None, *, registers: int | None = None) -> Bounds:
        """The cycles that the launch takes at least: of each pipe, for a warp, a block and the grid, and what binds.

        `target`: a target, a GPU ("h200": its SMs, clock, L2 and DRAM) or an Arch; None: that of the launch.
        `registers`: of a thread, for how many blocks an SM holds. A ValueError where nothing was counted. Never above
        what an H200 measured of 251 launches (docs/explain/bounds.md).
        """
        threads = self.block[0] * self.block[1] * self.block[2]
        counted = Counted(
            self.lines,
            self.ptx,
            -(-threads // 32),
            self.read_bytes,
            self.written_bytes,
            self.is_assembled,
            len(self.blocks),
        )
        launched = Launched(
            self.kernel, self.target, self.grid, self.block, len(self.blocks), self.shared_bytes, counted
        )
        return bounds_of(launched, target, registers)

    def csv(self, view: str = "ptx") -> str:
        """The counters as CSV, under the names that Nsight Compute's source page has for them.

        A row for each line that ran: of the PTX, or with view="source" of the source files that .loc names, whose
        column "File" says which. `#` is the number of the line, `Source` its text. Scripts that read the CSV of
        `ncu --page source` find the columns by their names. `inst_executed` counts warps, `thread_inst_executed_true`
        the threads whose predicate is true, and `derived__memory_l1_conflicts_shared_nway` is the wavefronts of an
        access to shared memory.
        """
        if view not in ("ptx", "source"):
            raise bad_value("view", f"expected 'ptx' or 'source', got {shown(view)}")
        if view == "ptx":
            numbers = self.lines["line"].tolist()
            shown_lines = texts.lines_of(texts.split(self.ptx), numbers)
            places = [(number, line, "") for number, line in zip(numbers, shown_lines, strict=True)]
            return table.written(self.lines, places)
        lines = self.lines[self.lines["source"] >= 0]
        lines = lines[np.lexsort((lines["source_line"], lines["source"]))]
        pairs = list(zip(lines["source"].tolist(), lines["source_line"].tolist(), strict=True))
        shown_lines = texts.source_lines_of(self.source_texts, pairs)
        places = [(line, said, self.sources[file]) for (file, line), said in zip(pairs, shown_lines, strict=True)]
        return table.written(lines, places)

    def dataframe(self) -> Any:
        """The lines as pandas.DataFrame: the columns of `lines` as plain values, the text of each, its source file.

        An ImportError where pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError("needs pandas: pip install pandas") from error
        columns = self._columns()
        columns["source"] = [self.sources[file] if file >= 0 else None for file in columns["source"]]
        return pandas.DataFrame(columns)

    def tile_search(self) -> TileSearch:
        """For each tile of shared memory that the accesses reveal: the layout that suits all who fill and read it.

        Statements share a tile where their recorded bytes overlap. The result iterates over the tiles, the one that
        can save most wavefronts first. A ValueError after a launch with check=False or count=False, or one that ended
        early: nothing was recorded then.
        """
        total = int(self.lines["wavefronts"].sum())
        if not self.recorded and total:
            raise bad_value("report", "no access was recorded: launch with check=True and count=True, without errors")
        warps = -(-self.block[0] * self.block[1] * self.block[2] // 32)
        notes = [] if len(self.recorded) <= MOST_USES else [f"only the {MOST_USES} statements that cost most are shown"]
        left = total - sum(one.counted[1] for one in self.recorded)
        if left:
            notes.append(f"wavefronts of atomics and others whose addresses are not recorded: {left:,}")
        return TileSearch(self.kernel, tiles_of(self.recorded, warps), total, tuple(notes))

    def svg(self) -> str:
        """The lines that cost most as bars, in the order of the file: what the best pattern takes, and the excess."""
        return heat.picture(self.to_dict())

    def diff(self, other: KernelReport) -> KernelDiff:
        """What changed from this launch to the other: totals, lines and findings, before and after.

        Lines are matched by their source line (or its text, where the file was edited), else by the text of the PTX.
        """
        if not isinstance(other, KernelReport):
            raise bad_type("other", f"expected a KernelReport, got {describe(other)}")
        return KernelDiff(self._side(), other._side())

    def _side(self) -> dict[str, Any]:
        """What a comparison needs of a launch."""
        return {**self.to_dict(), "source_text": self._source_lines()}

    def _launch(self) -> str:
        grid, block = ("x".join(map(str, extent)) for extent in (self.grid, self.block))
        return f"{self.kernel}: grid {grid}, block {block}, {self.target}"

    def _ran(self) -> str:
        total = self.grid[0] * self.grid[1] * self.grid[2]
        ran = f"all {total:,}" if len(self.blocks) == total else f"{len(self.blocks):,} of {total:,}"
        blocks = "1 thread block" if total == 1 else f"{ran} thread blocks"
        if self.ended:
            return f"an error ended the launch of {blocks} after {self.steps:,} warp instructions"
        return f"{blocks} ran, {self.steps:,} warp instructions"

    def _remarks(self) -> list[str]:
        found = ["not exact: " + ", ".join(self.inexact)] if self.inexact else []
        rough = self.lines[self.lines["inexact"] != 0]
        if len(rough):
            names = [name for bit, name in enumerate(counters.COUNTERS) if (rough["inexact"] >> bit & 1).any()]
            lines = ranges(sorted(set(rough["line"].tolist())))
            found.append(f"approximate: {', '.join(names).replace('_', ' ')} of line{'s'[: len(rough) > 1]} {lines}")
        return [*found, *self.notes]

    def __str__(self) -> str:
        contents = self.to_dict()
        costs = text.costs(contents, self._source_lines())
        found = list(text.findings(contents["findings"])) or ["no findings"]
        told = (_wrapped(line) for one in found for line in one.split("\n"))
        return printable("\n".join([*map(_wrapped, [self._launch(), self._ran(), *self._remarks()]), *costs, *told]))

    def __repr__(self) -> str:
        found = f"{len(self.findings)} finding{'s'[: len(self.findings) != 1]}"
        return (
            f"<KernelReport of {self.kernel}: {len(self.blocks):,} blocks, {self.steps:,} warp instructions, {found}>"
        )

    def _title(self) -> str:
        return self._launch()

    def _parts(self) -> Sequence[str]:
        return page.parts(self.to_dict(), f"{self._ran()}.", self._remarks(), self._source_lines())

    def html(self) -> str:
        """A self-contained HTML page: the report, then the source page, source files beside PTX.

        Each line has its counters, a bar of how much it costs, and its findings; its number leads to its counterpart.
        No script, no request to anywhere, light and dark.
        """
        sources = texts.split_all(self.source_texts)
        lines = source.source(self.to_dict(), texts.split(self.ptx), sources)
        return html.page(self._title(), [*self._parts(), lines], _core.VERSION, source.STYLE)


def _wrapped(line: str) -> str:
    words = line.lstrip()
    return wrapped(words, line[: len(line) - len(words)])
