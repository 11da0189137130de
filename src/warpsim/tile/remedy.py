"""What to use instead of a layout with conflicts, and how to write it in C++, CuTe, Triton and Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from .. import arguments
from .._core import Traffic
from ..errors import bad_value
from ..instruction.base import DataMovement
from ..pickling import Kept
from ..render.advice import remedy as remedy_text
from ..render.advice import sentence
from .layout import PACKED, TYPE_BITS, Layout, Swizzle
from .place import place_in

#: what .text() takes -> the name of the notation in contents
NOTATIONS = {"c++": "C++", "cute": "CuTe", "triton": "Triton", "python": "Python", "--tile": "--tile"}
ADDRESSED = 8  # bits: C++ has no arrays of smaller elements


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Remedy(Kept):
    """What to use instead of a layout with conflicts.

    `layout`: the Layout to use, of a main loop those of "a", "b" or both by name. `saves`: what the
    use of it takes less of: "wavefronts", "bytes" (below 0: it takes more) and, where known, "cycles".
    """

    layout: Layout | dict[str, Layout]
    saves: dict[str, float]
    _contents: dict[str, Any]

    def text(self, notation: str = "python") -> str:
        """The layout to paste: "c++", "cute", "triton", "python" or "--tile"; ValueError where it has none.

        >>> import warpsim as ws
        >>> report = ws.tile(ws.Layout(64, 64, "f16"), store=ws.St(vec=4), load=ws.Ldmatrix(num=4))
        >>> report.remedy.saves["wavefronts"], report.remedy.text("cute")
        (448, 'Sw<3,3,3> o 0 o (64,64):(64,1)')
        """
        known = {name.lower(): name for name in NOTATIONS}
        name = NOTATIONS[arguments.word("notation", notation.lower() if isinstance(notation, str) else notation, known)]
        sides = self._contents.get("sides", {"": self._contents})
        if not all(name in one["notations"] for one in sides.values()):
            raise bad_value("notation", f"{name} cannot say this layout; expected {self._spoken_by(sides)}")
        return "\n".join(f"{side}{': ' * bool(side)}{one['notations'][name]}" for side, one in sides.items())

    @staticmethod
    def _spoken_by(sides: Mapping[str, Any]) -> str:
        """The notations that all sides have."""
        names = [key for key, name in NOTATIONS.items() if all(name in one["notations"] for one in sides.values())]
        return " or ".join(names)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return self._contents

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remedy) and self._contents == other._contents

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        saved = ", ".join(f"{number:g} {name}" for name, number in self.saves.items())
        return f"<Remedy: {self.layout}; saves {saved}>"

    def __str__(self) -> str:
        sides = self._contents.get("sides", {"": self._contents})
        return "\n".join(line for one in sides.values() for line in remedy_text(one))


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
    if not layout.is_one_block:
        return f"{layout.type}:{layout.to_cute()}"
    parts = [f"{layout.rows}x{layout.cols}", layout.type, *["col"] * (layout.order == "col")]
    parts += [f"pad={layout.pad}"] * (layout.pad > 0)
    if layout.swizzle is not None:
        swizzle = layout.swizzle
        parts.append(f"swizzle={swizzle.B},{swizzle.M},{swizzle.S}" + ",byte" * (swizzle.unit == "byte"))
    return ":".join(parts)


def _as_python(layout: Layout) -> str:
    if not layout.is_one_block:
        return f'ws.Layout.from_cute("{layout.to_cute()}", "{layout.type}")'
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
    if bits < ADDRESSED or layout.type in PACKED or not layout.is_one_block:
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


def advised(layout: Layout, wavefronts: int, ideal: int, instead_of: Layout, now: int, **more: Any) -> Remedy:
    """That `layout` takes `wavefronts` where `instead_of` took `now`; `more` plain values to tell, with its words."""
    found: dict[str, Any] = {
        "name": spoken(layout),
        "layout": repr(layout),
        "wavefronts": wavefronts,
        "ideal_wavefronts": ideal,
        "instead_of": now,
        "bytes": layout.nbytes,
        "more_bytes": layout.nbytes - instead_of.nbytes,
        "notations": notations(layout),
    }
    found |= {"words": sentence(found)} | more
    saves = {"wavefronts": now - wavefronts, "bytes": -found["more_bytes"]}
    if "cycles" in found:
        saves["cycles"] = found.pop("cycles_now") - found["cycles"]
    return Remedy(layout, saves, found)


def nearest(op: DataMovement, layout: Layout, at: tuple[int, int], target: str | None = None) -> Layout | None:
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


def remedy(op: DataMovement, layout: Layout, at: tuple[int, int], target: str | None = None) -> Remedy | None:
    """The layout to use for one access instead of this one; None if this one is as good."""
    best = nearest(op, layout, at, target)
    if best is None:
        return None
    places = [place_in(op, of, *at) for of in (best, layout)]
    after, now = (op.traffic(address, stride=stride, target=target) for address, stride in places)
    return advised(best, int(after.wavefronts), int(now.ideal_wavefronts), layout, int(now.wavefronts))
