"""`ws.Capture`: launches that were captured on a GPU, run here and compared byte by byte."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .. import _engine as engine
from ..arguments import describe
from ..errors import PtxSyntaxError, UnsupportedError, bad_type, bad_value
from ..files import path_shown
from ..kernel.memory import Placed
from ..kernel.module import Folders, Kernel, Module
from ..kernel.report import KernelReport
from ..sources import folders
from ..targets import target_row
from ..threads.once import cached_property
from .archive import Archive

MOST_ADDRESS = 1 << 63


@dataclass(frozen=True)
class CapturedBuffer:
    """An allocation that a launch reaches: its address on the GPU, and its bytes before and after the launch there."""

    base: int
    before: np.ndarray
    after: np.ndarray | None  # None if the launch failed


@dataclass(frozen=True)
class Difference:
    """Bytes of a buffer that are not what the GPU wrote: how many, and the offset of the first."""

    base: int
    count: int
    first: int

    def __str__(self) -> str:
        return f"{self.count:,} bytes of the buffer at {self.base:#x} differ, the first at offset {self.first:,}"


def _compared(buffers: Sequence[CapturedBuffer], held: Sequence[tuple[int, np.ndarray, str]]) -> tuple[Difference, ...]:
    found = []
    for buffer, (base, ours, _) in zip(buffers, held, strict=True):
        if buffer.after is not None and not np.array_equal(ours, buffer.after):
            wrong = np.flatnonzero(ours != buffer.after)
            found.append(Difference(base, len(wrong), int(wrong[0])))
    return tuple(found)


class CapturedLaunch:
    """One launch on a GPU."""

    def __init__(self, capture: Capture, said: dict[str, Any]) -> None:
        self._capture, self._said = capture, said
        self.differences: tuple[Difference, ...] = ()  # of the last run
        self.name: str = said["kernel"]
        self.grid, self.block, self.cluster = tuple(said["grid"]), tuple(said["block"]), tuple(said["cluster"])
        self.shared_bytes: int = said["shared_bytes"]  # dynamic
        self.parameters = bytes.fromhex(said["parameters"])
        self.is_cut: bool = said["is_cut"]  # an allocation that it reaches is not in the file

    def __repr__(self) -> str:
        return f"CapturedLaunch({self.name}, grid={self.grid}, block={self.block})"

    @property
    def buffers(self) -> tuple[CapturedBuffer, ...]:
        """The allocations that it reaches, each with its bytes before and after; read from the file each time."""
        said, archive = self._said["buffers"], self._capture._archive
        held = archive.read(one[when] for one in said for when in ("before", "after") if when in one)
        found = tuple(CapturedBuffer(one["base"], held[one["before"]], held.get(one.get("after", ""))) for one in said)
        archive.refuse_large(sum(len(one.before) for one in found))  # which may share a member; each is copied
        end = 0
        for one in sorted(found, key=lambda one: one.base):
            if one.base < end or one.base + len(one.before) > MOST_ADDRESS:
                raise archive.damaged(f"the buffer at {one.base:#x} overlaps another, or has no end")
            end = one.base + max(len(one.before), 1)
            if any(one.base < last and first < end for first, last in engine.WINDOWS):
                raise UnsupportedError(
                    f"the buffer at {one.base:#x} lies where warpsim has shared or local memory, or parameters;"
                    f" capture the program once more (in {path_shown(archive.path)})"
                )
            if one.after is not None and len(one.after) != len(one.before):
                raise archive.damaged(
                    f"the buffer at {one.base:#x} has {len(one.before):,} bytes, then {len(one.after):,}"
                )
        return found

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel, from the PTX in the file or from what Capture was given."""
        module = self._capture._module(self._said)
        try:
            kernel = module[self.name]
        except KeyError as error:
            raise self._capture._archive.damaged(error.args[0]) from None
        held, needed = [size for _, size in self._said["params"]], [param.nbytes for param in kernel.params]
        if held != needed:
            raise self._capture._archive.damaged(f"{self.name} has parameters of {needed} bytes, the file has {held}")
        return kernel

    @property
    def _target(self) -> str | None:
        """The GPU's target, with the features of its own where the PTX is for them."""
        own = f"{self._capture.target}a"
        return own if own in self._capture._module(self._said).targets else self._capture.target

    def run(self, **options: Any) -> KernelReport:
        """Runs it here; `options` are those of Kernel.__call__. `differences` then compares the memory."""
        buffers = self.buffers
        held = [(one.base, one.before.copy(), f"the buffer at {one.base:#x}") for one in buffers]
        given = [self.parameters[at : at + size] for at, size in self._said["params"]]
        options.setdefault("target", self._target)
        if options.get("cluster") is None and math.prod(self.cluster) > 1:
            options["cluster"] = self.cluster
        args = Placed(given, held)
        report = self.kernel(self.grid, self.block, args, shared_bytes=self.shared_bytes, **options)
        self.differences = _compared(buffers, held)
        return replace(report, notes=(*report.notes, *self._notes(buffers, report.ended)))

    def _notes(self, buffers: Sequence[CapturedBuffer], ended: bool) -> Iterator[str]:
        known = [one for one in buffers if one.after is not None]
        if known and not self.differences and not ended:
            held = sum(len(one.before) for one in known)
            yield f"memory is equal to that of {self._capture.device}: {len(known)} buffers, {held:,} bytes"
        if not known:
            yield "the launch failed on the GPU: there is nothing to compare with"
        if self.is_cut:
            yield "the file lacks an allocation that the launch reaches: capture it with a larger --max-bytes"
        yield from map(str, self.differences)


class Capture:
    """Launches that `warpsim capture` wrote on a machine with a GPU.

    `path`: the file. `ptx`: a PTX text to take instead of that of the file, needed where the
    program had machine code alone. `sources`: folders below which the source files of the kernels lie.

    Each launch runs here on the bytes and at the addresses it had there, so that pointers inside of
    structs, tensor maps and buffers mean the same. ValueError where the file is not a capture, or is damaged.
    `max_bytes`: what the memory of a launch may unpack to; None: 100 times the bytes of the file, or 64 MiB.
    """

    def __init__(
        self, path: str | Path, *, ptx: str | None = None, sources: Folders = (), max_bytes: int | None = None
    ) -> None:
        if not isinstance(path, str | Path):
            raise bad_type("path", f"expected a str or Path, got {describe(path)}")
        if "\0" in str(path):
            raise bad_value("path", f"expected the name of a file, got a zero byte in {path_shown(path)}")
        if ptx is not None and not isinstance(ptx, str):
            raise bad_type("ptx", f"expected None or a str, got {describe(ptx)}")
        self.path, self._ptx = Path(path), ptx
        self._modules: dict[str, Module] = {}
        self._sources = folders(sources)
        if max_bytes is not None and (isinstance(max_bytes, bool) or not isinstance(max_bytes, int)):
            raise bad_type("max_bytes", f"expected None or an int, got {describe(max_bytes)}")
        self._archive = Archive(self.path, max_bytes)
        said = self._archive.said
        self.device: str = said["device"].get("name", "")
        self.target: str | None = said["device"].get("target")
        try:
            target_row(self.target)
        except ValueError as error:
            raise self._archive.damaged(str(error)) from None
        self.launches = tuple(CapturedLaunch(self, one) for one in said["launches"])

    def __iter__(self) -> Iterator[CapturedLaunch]:
        return iter(self.launches)

    def __len__(self) -> int:
        return len(self.launches)

    def _module(self, said: dict[str, Any]) -> Module:
        name = said["ptx"]
        if self._ptx is None and name is None:
            note = said["note"] or f"{said['kernel']!r} has no PTX here: give it with ptx="
            raise UnsupportedError(f"{note} (in {path_shown(self.path)})")
        key = name if self._ptx is None else ""
        if key not in self._modules:
            text = self._ptx if self._ptx is not None else self._archive.read([name])[name].tobytes()
            try:
                self._modules[key] = Module(text, sources=self._sources)
            except PtxSyntaxError as error:
                raise PtxSyntaxError(f"{path_shown(self.path)}: the PTX of {said['kernel']!r}: {error}") from None
        return self._modules[key]
