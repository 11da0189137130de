"""What to do about the conflicts of an access, its addresses given or those of a tile."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..instruction.base import DataMovement
from ..kernel.remedy import Access, Remedy, advice_without_rows, best
from ..tile import remedy as of_tile
from ..tile.place import place_in
from ..time.architecture import Arch
from ..time.cost import Cost
from ..words import plural
from .options import Place

COUNTED = ("ldmatrix", "stmatrix", "ld", "st", "cp.async")


def _of_rows(found: Remedy) -> tuple[str, str]:
    """Rows that lie otherwise, as people say it and as C++ indexes them."""
    columns = found.pitch // found.element
    if found.swizzle is None:
        by = f"by {found.pad} bytes"
        return f"padding each row of {found.pitch} bytes {by}", f"tile[rows][{columns} + {found.pad // found.element}]"
    words = f"{found.swizzle} of the elements of {found.element} bytes in rows of {columns}"
    return words, of_tile.swizzled(found.swizzle, f"row * {columns} + col")


def remedy(op: DataMovement, place: Place, target: str | None = None) -> dict[str, Any] | None:
    """As plain values: the layout that has fewer conflicts, or how the rows of the addresses should lie."""
    if place.layout is not None and place.at is not None:
        better = of_tile.remedy(op, place.layout, place.at, target)
        return None if better is None else better.to_dict()
    if place.address is None or op.kind not in COUNTED or op.space == "global":
        return None
    now = op.traffic(place.address, target=target)
    before, ideal = int(now.wavefronts), int(now.ideal_wavefronts)
    if before <= ideal:
        return None
    mask = np.array([(1 << (op.row_lanes or 32)) - 1], np.uint32)
    access = Access(op, op.access_bytes, place.address[None], mask, 0)
    found = best(access, [], access.span[0])
    contents = {"name": "", "wavefronts": before, "ideal_wavefronts": ideal, "instead_of": before, "notations": {}}
    if found is None:
        return {**contents, "words": advice_without_rows(access)}
    name, index = _of_rows(found)
    after = found.wavefronts([access])
    words = f"{name[0].upper()}{name[1:]}: {plural(after, 'wavefront')} instead of {before:,}"
    return {**contents, "name": name, "wavefronts": after, "notations": {"C++": index}, "words": words}


def cheaper(op: DataMovement, place: Place, now: Cost, target: str | Arch) -> dict[str, Any] | None:
    """The remedy, with the cycles that it takes on the target where they are known."""
    found = remedy(op, place, now.target)
    layout = None if place.layout is None else of_tile.nearest(op, place.layout, place.at or (0, 0), now.target)
    if found is None or layout is None or place.at is None:
        return found
    address, stride = place_in(op, layout, *place.at)
    after = op.cost(address, stride=stride, target=target, warps=now.warps)
    cycles = (
        f"{after.latency:g} cycles instead of {now.latency:g}, in a stream one every {after.interval:g}"
        f" instead of {now.interval:g}"
    )
    return {**found, "cycles": after.latency, "interval": after.interval, "words": f"{found['words']}; {cycles}"}
