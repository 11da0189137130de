"""How much memory there can be, and an error in words where a call needs more.

A call is refused before it begins only where the machine could never give what its result takes:
more than all RAM and swap. Anything less is the allocator's to refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core, errors

#: below this many bytes nothing is looked up: less may lie in memory that the process has already
LARGE = 2**26
UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def written(count: int) -> str:
    """Bytes as a reader wants them.

    >>> written(512 * 10**6), written(100)
    ('488.3 MiB', '100 bytes')
    """
    size, unit = float(count), 0
    while size >= 1024 and unit < len(UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.1f} {UNITS[unit]}" if unit else f"{count} bytes"


def _meminfo() -> dict[str, int]:
    """Bytes by name, as Linux tells them; nothing elsewhere."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
    except (OSError, ValueError, IndexError):
        return {}


def most() -> int | None:
    """RAM and swap of this machine; None where that is not known, or swap may grow."""
    known = _meminfo()
    return known["MemTotal"] + known.get("SwapTotal", 0) if "MemTotal" in known else None


def refusal(name: str, warps: int, need: int) -> errors.OutOfMemoryError:
    """The error: what is needed, what there is, what to do instead."""
    limit = most()
    there = f"; this machine has {written(limit)} of RAM and swap" if limit is not None else ""
    free = _meminfo().get("MemAvailable")
    there += f", {written(free)} of RAM are free" if free is not None else ""
    return errors.OutOfMemoryError(
        f"{name}: {warps:,} warps need {written(need)} ({need:,} bytes) for the results"
        f" of the call{there}. Pass fewer warps a call and reuse one out= array; leave out the"
        " counters (traffic=False), or ask for the counters alone (op.traffic)"
    )


def copy_bytes(value: Any, bits: int) -> int:
    """Bytes of the copy that `addresses` makes of an array; 0 where it makes none."""
    if not isinstance(value, np.ndarray):
        return 0
    dtype = np.dtype(np.uint32 if bits == 32 else np.uint64)
    is_plain = value.dtype == dtype and value.flags.c_contiguous and value.flags.aligned
    return 0 if is_plain else value.size * dtype.itemsize


def make_sure(warps: int, need: int, name: str = "address") -> None:
    """Refuses at once what no allocator of this machine can give."""
    if need < LARGE:
        return
    limit = most()
    if limit is not None and need > limit:
        raise refusal(name, warps, need)


@contextmanager
def making_sure(warps: int, need: int, name: str = "address") -> Iterator[None]:
    """The same, and an allocation that fails inside says as much."""
    make_sure(warps, need, name)
    try:
        yield
    except errors.OutOfMemoryError:
        raise
    except MemoryError as error:
        raise refusal(name, warps, need) from error


_core.register_room(make_sure, refusal)
