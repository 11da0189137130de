"""The memory of one launch: where arrays, variables and parameters lie in the GPU's address space."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _engine as engine
from .._engine import Program
from .arguments import Pointer, convert
from .cluster import Clusters, Extent
from .entry import Entry, Source

GAP = 512  # bytes between two regions, and their alignment
WINDOW = 1 << 32  # no region of at most so many bytes crosses a multiple of it
HEAP_BYTES = 8 << 20
WORKSPACE_BYTES = 1024  # zeros where the blocks of a grid meet


@dataclass
class Region:
    """Bytes at an address: of an argument, a variable of the module, the parameters or the heap."""

    base: int
    array: Any
    kind: int
    name: str
    read_only: bool = False
    unwritten: bool = False  # nobody has written it before the launch

    @property
    def end(self) -> int:
        return self.base + len(self.array)


def _span(array: np.ndarray) -> tuple[int, int]:
    """Where an array is on this machine."""
    begin = array.ctypes.data
    return begin, begin + array.nbytes


@dataclass
class Space:
    """The regions of one launch, and the next free address."""

    regions: list[Region] = field(default_factory=list)
    empty: list[Region] = field(default_factory=list)  # without a byte: messages name them
    cursor: int = engine.FIRST_GLOBAL
    given: list[Region] = field(default_factory=list)  # those at or beyond the cursor, the lowest last

    def put(self, regions: Sequence[tuple[int, np.ndarray, str]]) -> None:
        """Regions at addresses that are given, which no other then takes."""
        self.given = [Region(base, array, engine.ARGUMENT, name) for base, array, name in regions]
        self.regions.extend(self.given)
        self.given.sort(key=lambda region: region.base, reverse=True)

    def _free(self, size: int) -> int:
        """The next address with so many free bytes."""
        while True:
            if size <= WINDOW and self.cursor // WINDOW != (self.cursor + size - 1) // WINDOW:
                self.cursor = (self.cursor // WINDOW + 1) * WINDOW
            if not self.given or self.cursor + size + GAP <= self.given[-1].base:
                return self.cursor
            self.cursor = max(self.cursor, (self.given.pop().end + 2 * GAP - 1) // GAP * GAP)

    def place(self, array: Any, kind: int, name: str, read_only: bool = False) -> Region:
        """A region of its own for a buffer of bytes."""
        size = max(len(array), 1)
        self.cursor = self._free(size)
        region = Region(self.cursor, array, kind, name, read_only)
        self.cursor = (self.cursor + size + 2 * GAP - 1) // GAP * GAP
        (self.regions if len(array) > 0 else self.empty).append(region)
        return region

    def place_arrays(self, pointers: Sequence[Pointer]) -> list[int]:
        """The address of each array; arrays that share bytes share a region, with variables of the module, too.

        Regions follow the order of the arguments, wherever the arrays are on this machine: runs are repeatable.
        """
        variables = [one for one in self.regions if one.kind == engine.VARIABLE] if pointers else []
        spans = [(*_span(one.array), number) for number, one in enumerate(pointers)]
        spans += [(*_span(one.array), -1 - number) for number, one in enumerate(variables)]
        spans.sort()
        groups: list[list[tuple[int, int, int]]] = []
        last = 0
        for span in spans:
            if not groups or span[0] >= last:
                groups.append([])
            groups[-1].append(span)
            last = max(last, span[1])
        addresses = [0] * len(pointers)
        for group in sorted(groups, key=lambda group: min(number for _, _, number in group)):
            first, least = group[0][0], min(number for _, _, number in group)
            region = variables[-1 - least] if least < 0 else self._place_group(group, pointers)
            for begin, _, number in group:
                if number >= 0:
                    addresses[number] = region.base + begin - first
        return addresses

    def _place_group(self, group: Sequence[tuple[int, int, int]], pointers: Sequence[Pointer]) -> Region:
        first, last = group[0][0], max(end for _, end, _ in group)
        buffer = (ctypes.c_uint8 * (last - first)).from_address(first) if last > first else b""
        region = self.place(memoryview(buffer).cast("B"), engine.ARGUMENT, pointers[group[0][2]].name)
        region.unwritten = all(pointers[number].unwritten for _, _, number in group)
        return region


def _offset(program: Program, parameter: int) -> int:
    found = program.offset(parameter)
    assert found is not None
    return found


class Placed(list[Any]):
    """Arguments of a launch that needs memory at addresses of its own, too: (address, bytes, name) each."""

    def __init__(self, args: Sequence[Any], regions: Sequence[tuple[int, np.ndarray, str]]) -> None:
        super().__init__(args)
        self.regions = regions


class Memory:
    """The regions, parameters and variable addresses of a launch, and what messages say of an address."""

    def __init__(self, kernel: Entry, program: Program, args: Sequence[Any], shared: int, meets: bool) -> None:
        values, self._pointers = convert(kernel.params, args)  # which keep the arrays alive
        self.space = Space()
        self.space.put(args.regions if isinstance(args, Placed) else ())
        self._shared: list[tuple[str, int, int]] = []
        self.variables = self._place_variables(kernel.source, program, shared)
        addresses = self.space.place_arrays(self._pointers)
        self.parameters = self._parameters(kernel, program, values, addresses)
        self._place_parameters(kernel, program)
        heap = np.zeros(HEAP_BYTES if program.needs_heap else 0, np.uint8)
        self.heap = self.space.place(heap, engine.HEAP, "the heap")
        workspace = np.zeros(WORKSPACE_BYTES if meets else 0, np.uint8)
        self.workspace = self.space.place(workspace, engine.VARIABLE, "the workspace of the grid")
        self.space.regions.sort(key=lambda region: region.base)
        own = (self.heap, self.workspace)
        named = [*self.space.regions, *(one for one in self.space.empty if one not in own)]
        arrays = sorted(((one.name, one.base, len(one.array)) for one in named), key=lambda named: named[1])
        self._shared.sort(key=lambda named: named[1])
        #: what messages name: arrays of global memory and variables of shared memory, by address; all variables
        self.names = (arrays, self._shared or [("shared memory", 0, shared)], kernel.source.names)

    def _parameters(self, kernel: Entry, program: Program, values: Sequence[bytes], addresses: Sequence[int]) -> bytes:
        """The bytes that the kernel reads, with the addresses of its arrays."""
        parameters = bytearray(max(program.parameter_bytes, 1))
        places = [_offset(program, kernel.first_parameter + number) for number in range(len(values))]
        for at, value in zip(places, values, strict=True):
            parameters[at : at + len(value)] = value
        for pointer, address in zip(self._pointers, addresses, strict=True):
            at = places[pointer.number] + pointer.offset
            if pointer.within is not None:
                pointer.within[pointer.offset : pointer.offset + 8] = np.frombuffer(np.uint64(address), np.uint8)
            else:
                parameters[at : at + 8] = address.to_bytes(8, "little")
        return bytes(parameters)

    def _place_parameters(self, kernel: Entry, program: Program) -> None:
        values = np.frombuffer(self.parameters, np.uint8)
        region = Region(engine.FIRST_PARAMETER, values, engine.PARAMETERS, "the parameters", read_only=True)
        self.space.regions.append(region)
        for number in range(kernel.first_parameter, kernel.first_parameter + len(kernel.params)):
            self.variables[number] = region.base + _offset(program, number)

    def _place_variables(self, source: Source, program: Program, shared: int) -> list[int]:
        addresses = []
        for number, (_, space, _, nbytes, _, _, _, external) in enumerate(source.variables):
            address, name = 0, source.names[number]
            if space == "shared":
                offset = program.shared_bytes if external else program.offset(number)
                address = offset or 0
                size = shared - program.shared_bytes if external else nbytes
                if offset is not None and size > 0:
                    self._shared.append((name, address, size))
            elif space in ("global", "const"):
                kind = engine.VARIABLE if space == "global" else engine.CONSTANT
                address = self.space.place(source.bytes_of(number), kind, name, space == "const").base
            addresses.append(address)
        source.relocate(addresses)
        return addresses

    @property
    def nbytes(self) -> int:
        """Of all arrays and variables."""
        return sum(len(region.array) for region in self.space.regions)

    def held(self) -> list[bytes]:
        """What a kernel may write, as it is now."""
        return [b"" if region.read_only else bytes(region.array) for region in self.space.regions]

    def restore(self, held: Sequence[bytes]) -> None:
        """Puts it back; what no kernel wrote is not touched."""
        for region, old in zip(self.space.regions, held, strict=True):
            if old and bytes(region.array) != old:
                memoryview(region.array)[:] = old

    def rows(self, marks: Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
        """The regions as the core takes them; `marks`: what it notes of the bytes of each."""
        noted = marks if marks is not None else [None] * len(self.space.regions)
        return [
            (r.base, r.array, number, r.kind, r.read_only, mark, r.unwritten)
            for number, (r, mark) in enumerate(zip(self.space.regions, noted, strict=True))
        ]


@dataclass(frozen=True)
class Setting:
    """A launch as findings speak of it, without its memory: who is where, and what lies where."""

    kernel: Entry
    program: Program
    names: engine.Names
    clusters: Clusters
    block: Extent  # threads

    @property
    def grid(self) -> Extent:
        """Thread blocks."""
        return self.clusters.grid
