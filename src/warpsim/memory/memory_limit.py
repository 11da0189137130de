"""How much memory there can be, and an error in words where a call needs more.

A call is refused before it begins only where the machine could never give what its result takes:
more than all RAM and swap, or than a limit that is set. Anything less is the allocator's to refuse.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core, errors

#: below this many bytes nothing is looked up: less may lie in memory that the process has already
LARGE = 2**26
CGROUPS = Path("/sys/fs/cgroup")
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


def _of_machine() -> int | None:
    """RAM and swap."""
    known = _meminfo()
    if "MemTotal" in known:
        return known["MemTotal"] + known.get("SwapTotal", 0)
    return None  # swap files grow elsewhere: no bound is known


def _of_groups() -> int | None:
    """The least limit of the control groups of this process, RAM and swap together."""
    found: list[int] = []
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, kind, name = line.split(":", 2)
            if kind == "":
                group = CGROUPS / name.lstrip("/")
                for folder in (group, *group.parents):
                    if folder.is_relative_to(CGROUPS):
                        found += _of_group(folder)
    swap = _meminfo().get("SwapTotal", 0)
    for name, more in (("limit_in_bytes", swap), ("memsw.limit_in_bytes", 0)):  # version 1
        with suppress(OSError, ValueError):  # a container sees its own group as the root
            words = (CGROUPS / f"memory/memory.{name}").read_text(encoding="ascii")
            found.append(int(words) + more)
    return min(found, default=None)


def _of_group(folder: Path) -> list[int]:
    """What memory.max and the swap beside it come to; nothing where there is no limit."""
    swap = _meminfo().get("SwapTotal", 0)
    with suppress(OSError, ValueError):  # "max"
        swap = min(swap, int((folder / "memory.swap.max").read_text(encoding="ascii")))
    with suppress(OSError, ValueError):
        return [int((folder / "memory.max").read_text(encoding="ascii")) + swap]
    return []


def _of_process() -> int | None:
    """What the limit of this process' address space leaves."""
    try:
        import resource  # noqa: PLC0415 - not on Windows

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most == resource.RLIM_INFINITY:
            return None
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return max(0, most - pages * os.sysconf("SC_PAGE_SIZE"))
    except (ImportError, OSError, ValueError, AttributeError):
        return None


def most() -> tuple[int, str] | None:
    """The bytes that one call can get at the very most, and what sets that limit; None: unknown."""
    limits = {
        "RAM and swap of this machine": _of_machine(),
        "the limit of the control group": _of_groups(),
        "what the limit of the address space (RLIMIT_AS) leaves": _of_process(),
    }
    known = [(count, words) for words, count in limits.items() if count is not None]
    return min(known, default=None)


def refusal(name: str, warps: int, need: int) -> errors.OutOfMemoryError:
    """The error: what is needed, what there is, what to do instead."""
    limit = most()
    there = f"; {written(limit[0])} is {limit[1]}" if limit is not None else ""
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
    if limit is not None and need > limit[0]:
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
