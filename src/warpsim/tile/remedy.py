"""What to use instead of a layout with conflicts, and how to write it in C++, CuTe, Triton and Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

from .._core import Traffic
from ..instruction.base import Instruction
from ..render.advice import sentence
from .layout import PACKED, TYPE_BITS, Layout, Swizzle
from .place import place_in

ADDRESSED = 8  # bits: C++ has no arrays of smaller elements


def _bits(layout: Layout) -> int:
    return 8 if layout.type in PACKED else TYPE_BITS[layout.type]


def near(layout: Layout) -> Iterator[Layout]:
    """Layouts of the same matrix: swizzles of 16-byte pieces, then paddings by such pieces."""
    rows, cols, type_, order = layout.rows, layout.cols, layout.type, layout.order
    piece, unit = max(1, 128 // _bits(layout)), "byte" if type_ in PACKED else "element"
    for s, b in product((3, 2, 4, 1, 5), (3, 2, 1)):
        with suppress(ValueError):  # of a matrix that cannot be swizzled so
            yield Layout(rows, cols, type_, order, 0, Swizzle(b, piece.bit_length() - 1, s, unit))
    for pad in range(piece, 9 * piece, piece):
        with suppress(ValueError):
            yield Layout(rows, cols, type_, order, pad)


def spoken(layout: Layout) -> str:
    """What is special about a layout, as people say it."""
    parts = [f"padding {layout.pad}"] * (layout.pad > 0)
    parts += [str(layout.swizzle)] * (layout.swizzle is not None)
    return ", ".join(parts) or "no padding"


def _as_tile(layout: Layout) -> str:
    """The layout as the commands take it."""
    parts = [f"{layout.rows}x{layout.cols}", layout.type, *["col"] * (layout.order == "col")]
    parts += [f"pad={layout.pad}"] * (layout.pad > 0)
    if layout.swizzle is not None:
        swizzle = layout.swizzle
        parts.append(f"swizzle={swizzle.B},{swizzle.M},{swizzle.S}" + ",byte" * (swizzle.unit == "byte"))
    return ":".join(parts)


def _as_python(layout: Layout) -> str:
    parts = [f'{layout.rows}, {layout.cols}, "{layout.type}"', *['order="col"'] * (layout.order == "col")]
    parts += [f"pad={layout.pad}"] * (layout.pad > 0)
    if layout.swizzle is not None:
        swizzle = layout.swizzle
        unit = ', "byte"' if swizzle.unit == "byte" else ""
        parts.append(f"swizzle=ws.Swizzle({swizzle.B}, {swizzle.M}, {swizzle.S}{unit})")
    return f"ws.Layout({', '.join(parts)})"


def swizzled(swizzle: Swizzle, index: str, array: str = "tile") -> str:
    """The element of an array in C++ whose index is swizzled."""
    mask = (1 << swizzle.B) - 1 << swizzle.M
    moved = f"i >> {swizzle.S} & {mask:#x}" if swizzle.S >= 0 else f"i << {-swizzle.S} & {mask << -swizzle.S:#x}"
    return f"{array}[i ^ ({moved})], i = {index}"


def _as_cpp(layout: Layout) -> str:
    """An index of an array of elements; a swizzle of bytes in an array of bytes. Empty for parts of bytes."""
    bits, swizzle = _bits(layout), layout.swizzle
    if bits < ADDRESSED or layout.type in PACKED:
        return ""
    line, along = ("row", "col") if layout.order == "row" else ("col", "row")
    run = layout.pitch * 8 // bits
    if swizzle is None or not swizzle.B:
        return f"tile[{line} * {run} + {along}]"
    wide = bits // 8 if swizzle.unit == "byte" else 1
    index = f"{line} * {run} + {along}" if wide == 1 else f"({line} * {run} + {along}) * {wide}"
    return swizzled(swizzle, index, "bytes" if wide > 1 else "tile")


def notations(layout: Layout) -> dict[str, str]:
    """The layout as text to paste: name of the notation -> text; without those that lack such a layout."""
    found = {"--tile": _as_tile(layout), "Python": _as_python(layout), "C++": _as_cpp(layout)}
    for name, write in (("CuTe", layout.to_cute), ("Triton", layout.to_triton)):
        with suppress(ValueError):
            found[name] = write().replace(" = ", "=")
    return {name: text for name, text in found.items() if text}


def advised(layout: Layout, wavefronts: int, ideal: int, instead_of: Layout, now: int) -> dict[str, Any]:
    """A remedy as plain values: `layout` takes `wavefronts`, `instead_of` took `now`."""
    found = {
        "name": spoken(layout),
        "layout": repr(layout),
        "wavefronts": wavefronts,
        "ideal_wavefronts": ideal,
        "instead_of": now,
        "bytes": layout.nbytes,
        "more_bytes": layout.nbytes - instead_of.nbytes,
        "notations": notations(layout),
    }
    return found | {"words": sentence(found)}


def nearest(op: Instruction, layout: Layout, at: tuple[int, int], target: str | None = None) -> Layout | None:
    """The first layout near this one with the fewest wavefronts for one access; None if this one has."""

    def counted(of: Layout) -> Traffic:
        address, stride = place_in(op, of, *at)
        return op.traffic(address, stride=stride, target=target)

    now, best = counted(layout), None
    least, ideal = int(now.wavefronts), int(now.ideal_wavefronts)
    for other in near(layout) if least > ideal else ():
        with suppress(ValueError):  # wmma takes no swizzle
            wavefronts = int(counted(other).wavefronts)
            if wavefronts < least:
                least, best = wavefronts, other
        if least <= ideal:
            break
    return best


def remedy(op: Instruction, layout: Layout, at: tuple[int, int], target: str | None = None) -> dict[str, Any] | None:
    """The layout to use for one access instead of this one, as plain values; None if this one is as good."""
    best = nearest(op, layout, at, target)
    if best is None:
        return None
    places = [place_in(op, of, *at) for of in (best, layout)]
    after, now = (op.traffic(address, stride=stride, target=target) for address, stride in places)
    return advised(best, int(after.wavefronts), int(now.ideal_wavefronts), layout, int(now.wavefronts))
