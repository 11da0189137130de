"""The machine code of a main loop: mainloop.cu as NVIDIA's compiler and assembler make it, read back.

In the upper half of an instruction's 128 bits the assembler writes the cycles that it stalls its warp, two scoreboards
and a mask of them, at the same place on every GPU since sm_70.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..compile import nvrtc, toolkit
from ..compile.cuda import FILE, translated
from ..errors import UnsupportedError
from ..machine import sass
from ..machine.cubin import registers
from ..tile.layout import Layout
from ..time.architecture import Arch
from ..time.tensor_rates import TYPES

KERNEL = "loop"
#: the instruction's name up to its first dot -> what the model does with it
KINDS = {
    "LDSM": "load", "HMMA": "mma", "IMMA": "mma", "QMMA": "mma", "LDGSTS": "copy", "DEPBAR": "wait", "BAR": "barrier",
    "LDL": "reload", "STL": "reload", "LDGDEPBAR": "other",
}  # fmt: skip
#: what takes an issue slot and no cycle of the ALU: uniform registers, products of integers, what does nothing
LIGHT = re.compile(r"U[A-Z]|IMAD|FFMA|NOP|CS2R|R2UR|LDS|BRA|WARPSYNC")
UPPER = re.compile(r"^\s+/\* 0x([0-9a-f]{16}) \*/")
LABEL = re.compile(r"^(\.L_[\w.]+):")
CONTROL = 41  # the first bit of the control word in the upper half
NOTHING = 7  # no scoreboard


@dataclass(frozen=True, slots=True)
class Loop:
    """A main loop whose arguments were checked; names as in ws.mainloop, `sums` the type of its accumulators."""

    tile: tuple[int, int, int]
    warps: tuple[int, int]
    type: str
    sums: str
    a: Layout
    b: Layout
    trans_b: bool
    stages: int
    architecture: Arch

    def with_layout(self, side: str, layout: Layout) -> Loop:
        """The same with another layout of "a" or "b"."""
        return replace(self, a=layout) if side == "a" else replace(self, b=layout)

    @property
    def mma(self) -> str:
        """The mma.sync of 32 bytes along K, without its first words."""
        return f"m16n8k{256 // TYPES[self.type].bits}.row.col.{self.sums}.{self.type}.{self.type}.{self.sums}"


@dataclass(frozen=True, slots=True)
class Assembled:
    """One iteration as machine code: `rows` as ws_assembled has them, `registers` of a thread, `by` which assembler."""

    rows: NDArray[np.uint8]
    registers: int
    by: str


def _swizzle(layout: Layout) -> tuple[int, int, int]:
    """B, M and S on elements; no swizzle is B = 0."""
    found = layout.swizzle
    if found is None:
        return 0, 0, 0
    in_bytes = found.unit == "byte"
    return found.B, found.M - (TYPES[layout.type].bits // 8).bit_length() + 1 if in_bytes else found.M, found.S


def macros(loop: Loop) -> dict[str, Any]:
    """What mainloop.cu has to know, by the names of its macros."""
    (m, n, k), (along_m, along_n) = loop.tile, loop.warps
    (bits_a, base_a, shift_a), (bits_b, base_b, shift_b) = _swizzle(loop.a), _swizzle(loop.b)
    return {
        "M": m, "N": n, "K": k, "WM": along_m, "WN": along_n, "STAGES": loop.stages, "TRANSB": int(loop.trans_b),
        "PAD": loop.a.pad, "PADB": loop.b.pad, "SBA": bits_a, "SMA": base_a, "SSA": shift_a, "SBB": bits_b,
        "SMB": base_b, "SSB": shift_b, "BITS": TYPES[loop.type].bits, "MMA_NAME": f'"{loop.mma}"',
        "SUMS16": int(loop.sums == "f16"), "SUMS32": int(loop.sums == "s32"),
    }  # fmt: skip


def _instructions(listing: str) -> Iterator[tuple[str, str, str, int]]:
    """Labels ("", label, "", 0) and instructions (guard, name, operands, control word) of `nvdisasm -hex -c`."""
    rows = iter(listing.splitlines())
    for row in rows:
        if (label := LABEL.match(row)) is not None:
            yield "", label[1], "", 0
        elif (one := sass.INSTRUCTION.search(row)) is not None:
            upper = UPPER.match(next(rows, ""))
            yield one[2] or "", one[3], one[4].strip(), int(upper[1], 16) >> CONTROL if upper else 0


def _row(name: str, operands: str, control: int) -> list[int]:
    stall, sets, frees, waits = control & 15, control >> 5 & 7, control >> 8 & 7, control >> 11 & 63
    short = name.split(".", maxsplit=1)[0]
    kind = KINDS.get(short)
    if kind == "wait" and not operands.startswith("SB0, "):
        kind = "other"
    if kind is None:
        kind = "constant" if sets != NOTHING else "other" if LIGHT.match(name) else "convert"
    none = _core.SCHEDULE_NOTHING
    return [
        _core.SCHEDULE_KINDS[kind], max(1, stall), waits, none if sets == NOTHING else sets,
        none if frees == NOTHING else frees,
    ]  # fmt: skip


def read(listing: str) -> NDArray[np.uint8]:
    """The iteration in what `nvdisasm -hex -c` printed: the widest loop with a product."""
    rows: list[list[int]] = []
    labels: dict[str, int] = {}
    widest: tuple[int, int] | None = None
    products = [0]
    for guard, name, operands, control in _instructions(listing):
        if name.startswith("."):
            labels[name] = len(rows)
            continue
        rows.append(_row(name, operands, control))
        products.append(products[-1] + (rows[-1][0] == _core.SCHEDULE_KINDS["mma"]))
        target = re.search(r"`\((\.L_[\w.]+)\)", operands) if name.startswith("BRA") and guard else None
        begin = labels.get(target[1], len(rows)) if target else len(rows)
        if products[begin if begin < len(rows) else -1] < products[-1] and (
            widest is None or len(rows) - begin > widest[1] - widest[0]
        ):
            widest = begin, len(rows)
    if widest is None:
        raise UnsupportedError("as_assembled: the machine code has no loop with a product")
    found = np.array(rows[slice(*widest)], np.uint8)
    found[-1, 0] = _core.SCHEDULE_KINDS["branch"]
    return found


def of_cubin(path: Path, kernel: str = KERNEL) -> tuple[NDArray[np.uint8], int]:
    """The iteration and its registers."""
    return read(sass.listing(path, "-hex")), registers(path.read_bytes(), kernel) or 0


def _built(named: dict[str, Any], target: str) -> Assembled:
    source = files("warpsim.loop").joinpath("mainloop.cu").read_bytes()
    options = [f"-D{name}={value}" for name, value in named.items()]
    sass.tool("nvdisasm")  # asked for first: it says what to install
    library = toolkit.nvrtc()
    with tempfile.TemporaryDirectory() as folder:
        if library is not None:
            path, by = Path(folder, "loop.cubin"), nvrtc.version(library)
            found = [f"-I{place}" for place in toolkit.includes()]
            path.write_bytes(nvrtc.assembled(library, source, FILE, target, [*options, *found]))
        else:
            built = translated(source, FILE, [], target, options, {})
            path, by = sass.assembled(built.ptx, target, Path(folder)), f"ptxas {sass.version()}"
        rows, taken = of_cubin(path)
    return Assembled(rows, taken, by)


#: what was built, so that a search asks the compiler once
BUILT: dict[tuple[Any, ...], Assembled] = {}


def assembled(loop: Loop) -> Assembled:
    """The machine code of a loop; ImportError says what to install."""
    named, target = macros(loop), loop.architecture.target
    key = (*named.values(), target)
    if key not in BUILT:
        BUILT[key] = _built(named, target)
    return BUILT[key]
