"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path

_CPU = Path("/proc/cpuinfo")
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1024, "M": 1024 * 1024}


def cpu_name() -> str:
    """As the CPU calls itself, with the numbers that tell apart what share a name."""
    if not _CPU.exists():
        return platform.processor() or platform.machine()
    pairs = (line.partition(":") for line in _CPU.read_text().split("\n\n")[0].splitlines())
    fields = {name.strip(): value.strip() for name, _, value in pairs}
    name = fields.get("model name") or platform.machine()
    if "cpu family" not in fields:
        return name
    return f"{name} (family {fields['cpu family']}, model {fields.get('model', '?')})"


def cpus() -> int:
    """CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def caches() -> dict[str, int]:
    """Bytes of "L2" and of "L3", where the system tells."""
    found = {}
    for index in sorted(_CACHES.glob("index*")):
        level = (index / "level").read_text().strip()
        size = (index / "size").read_text().strip()
        if level in ("2", "3") and size[-1:] in _UNITS:
            found[f"L{level}"] = int(size[:-1]) * _UNITS[size[-1]]
    return found


def beyond(nbytes: int) -> str:
    """The largest cache that this many bytes do not fit into; empty if they fit into all."""
    over = [name for name, size in sorted(caches().items()) if nbytes > size]
    return f"beyond {over[-1]}" if over else ""
