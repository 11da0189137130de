"""Instructions as values, and what can be asked of them.

An instruction is immutable, hashable, comparable and picklable. What it does (execute), whether it
is legal (legality), and what it costs the memory (traffic, explain) are separate questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, arguments, errors
from .memory import EMPTY, SHARED_WINDOW, Extent, Memory, extent_for
from .results import (
    BankReport,
    Findings,
    FragmentMap,
    Legality,
    Result,
    Traffic,
    raise_for,
)

Self = TypeVar("Self", bound="Instruction")
GENERIC_EXTENT: Extent = EMPTY
MIN_WARPS_PER_THREAD = 64


def _target(target: str | None) -> int:
    if target is None:
        return -1
    if not isinstance(target, str):
        raise TypeError(f"target: expected a str such as 'sm_90', got {type(target).__name__}")
    index = _core.target_index(target)
    if index < 0:
        raise ValueError(f"target: expected one of {', '.join(_core.TARGETS)}; got {target!r}")
    return index


def _version(ptx_version: str) -> int:
    if not isinstance(ptx_version, str):
        raise TypeError(
            f"ptx_version: expected a str such as '8.6', got {type(ptx_version).__name__}"
        )
    version = _core.ptx_index(ptx_version)
    if version == 0:
        raise ValueError(
            "ptx_version: expected 6.0 to 6.5, 7.0 to 7.8, 8.0 to 8.8 or 9.0 to 9.5;"
            f" got {ptx_version!r}"
        )
    return version


def _in_chunks(run: Callable[[int, int], None], n: int, threads: int) -> None:
    """run(first, last) over all warps, in up to `threads` threads."""
    workers = min(threads, max(1, n // MIN_WARPS_PER_THREAD))
    if workers == 1:
        run(0, n)
        return
    edges = [n * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(run, edges[:-1], edges[1:]):
            pass


class Instruction(_core.Op):
    """What all instructions share. Built as one of the subclasses, or by `parse`."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"

    def __str__(self) -> str:
        return self.ptx

    @property
    def fragment(self) -> FragmentMap | None:
        """Which matrix element each register field holds; None for plain accesses."""
        return FragmentMap(self) if self.is_collective else None

    def fragment_for(self, target: str) -> FragmentMap | None:
        """The same on a given target (these instructions have one map on all)."""
        _target(target)
        return self.fragment

    def legality(self, target: str, ptx_version: str) -> Legality:
        """Is this form legal at `target` ("sm_90a") and `ptx_version` ("8.6")?

        Unknown names are ValueError. Source: "PTX ISA Notes" and "Target ISA Notes" of the PTX ISA
        as NVIDIA's assembler applies them.

        >>> import warpsim as ws
        >>> ws.Stmatrix(num=4).legality("sm_80", "8.0").reasons
        ('stmatrix needs sm_90 or higher; sm_80 has no stmatrix',)
        """
        ok, reasons, minimum, targets = _core.legality(self, _target(target), _version(ptx_version))
        lowest = f"{minimum // 10}.{minimum % 10}" if minimum else None
        return Legality(ok, reasons, lowest, targets)

    def check(self, target: str, ptx_version: str) -> None:
        """Raises UnsupportedError with the reason if the form is not legal there."""
        found = self.legality(target, ptx_version)
        if not found.ok:
            raise errors.UnsupportedError(f"{self.ptx}: {'; '.join(found.reasons)}")

    def _require_target(self, target: str | None) -> int:
        index = _target(target)
        if index >= 0 and _core.min_ptx_at(self, index) == 0:
            newest = _core.legality(self, index, 95)[1]
            raise errors.UnsupportedError(f"{self.ptx}: {'; '.join(newest)}")
        return index

    def _address_bits(self) -> int:
        return 64 if self.space in ("", "global") and self.kind != "cp.async" else 32

    def _used_lanes(
        self, active: NDArray[np.uint32] | None, exited: NDArray[np.uint32] | None
    ) -> NDArray[np.bool_] | None:
        rows = np.arange(arguments.LANES) < self.row_lanes
        running = arguments.lanes_of(active)
        gone = arguments.lanes_of(exited)
        used = rows if running is None else rows & running
        return used if gone is None else used & ~gone

    def _masks(
        self, batch: tuple[int, ...], active: ArrayLike, exited: ArrayLike
    ) -> tuple[NDArray[np.uint32] | None, NDArray[np.uint32] | None]:
        return (
            arguments.masks("active", active, batch, arguments.FULL_MASK),
            arguments.masks("exited", exited, batch, 0),
        )

    def _addresses(
        self, name: str, value: Any, bits: int, active: ArrayLike, exited: ArrayLike
    ) -> tuple[NDArray[Any], tuple[int, ...]]:
        if value is None:
            raise TypeError(f"{name}: {self.kind} needs one address per lane, shape (..., 32)")
        batch = np.shape(value)[:-1]
        masks = self._masks(batch, active, exited)
        used = self._used_lanes(*masks)
        if used is not None and used.ndim == 2:
            used = used.reshape(*batch, arguments.LANES)
        return arguments.addresses(name, value, bits, used)

    def _sources(
        self, source: Any, batch: tuple[int, ...], active: ArrayLike, exited: ArrayLike
    ) -> NDArray[Any] | None:
        if self.kind != "cp.async":
            if source is not None:
                raise ValueError(f"source: only cp.async has one, not {self.kind}")
            return None
        if source is None:
            return None
        found, source_batch = self._addresses("source", source, 64, active, exited)
        if source_batch != batch:
            raise ValueError(
                f"source: expected the shape of address, {(*batch, 32)}, got {(*source_batch, 32)}"
            )
        return found

    def execute(
        self,
        memory: Memory | None,
        address: ArrayLike | None,
        registers: ArrayLike | None = None,
        *,
        source: ArrayLike | None = None,
        stride: ArrayLike | None = None,
        active: ArrayLike = arguments.FULL_MASK,
        exited: ArrayLike = 0,
        target: str | None = None,
        on_ub: str = "raise",
        traffic: bool = True,
        threads: int = 1,
        out: NDArray[Any] | None = None,
    ) -> Result:
        """Executes the instruction for every warp of `address`; gives registers, traffic, findings.

        `address`: integers (..., 32), byte addresses; the last axis is the lanes, any number of
        warps in front. Lanes that the instruction does not ask may hold anything. uint32 (shared)
        and uint64 (global, generic) arrays are used without a copy. `registers`: what stores and
        movmatrix read, (..., 32, num_registers). `source`: cp.async's global addresses.
        `active`, `exited`: lane masks, an int or an array of shape (...).

        `target`: the instruction must be legal there, and that target's rules hold; None: the
        rules of sm_80 and later. `on_ub`: "raise" stops before anything is changed, "record" gives
        warps with an error ok=False and zero registers and lets them store nothing, "hardware" does
        what the silicon of `target` was measured to do. `threads` splits loads over warps.
        `out`: a uint32 (or uint64) array that takes a load's registers.

        Errors: UndefinedBehaviorError and its subclasses, UnsupportedError, HardwareTrap,
        UnknownHardwareBehaviorError; TypeError and ValueError name the argument.
        """
        extent = extent_for(memory, self.space, self.kind)
        if stride is not None:
            raise ValueError(f"stride: only wmma has one, not {self.kind}")
        if on_ub not in arguments.POLICIES:
            raise ValueError(f"on_ub: expected 'raise', 'record' or 'hardware', got {on_ub!r}")
        if on_ub == "hardware" and target is None:
            raise ValueError("on_ub: 'hardware' needs a target, such as target='sm_90'")
        threads = arguments.positive_int("threads", threads)
        target_row = self._require_target(target)
        if self.kind == "cp.async" and source is None:
            raise TypeError("source: cp.async needs its global addresses, shape (..., 32)")

        where: NDArray[Any] | None = None
        reads_registers = self.writes_memory and self.kind != "cp.async"
        shape = (arguments.LANES, self.num_registers)
        if self.kind == "movmatrix":
            if address is not None:
                raise TypeError("address: movmatrix has no address, pass None")
            batch = np.shape(registers)[:-2]
        else:
            where, batch = self._addresses(
                "address", address, self._address_bits(), active, exited
            )
        given: NDArray[Any] | None = None
        if reads_registers or self.kind == "movmatrix":
            given = arguments.registers("registers", registers, (*batch, *shape), self.register_bits)
        elif registers is not None:
            raise ValueError(f"registers: {self.kind} reads none")
        if self.writes_memory and out is not None:
            raise ValueError(f"out: {self.kind} gives no registers")
        sources = self._sources(source, batch, active, exited)
        masks = self._masks(batch, active, exited)

        images = (extent[0], extent[2])
        taken: NDArray[Any] | None = None
        if not self.writes_memory:
            taken = arguments.output(out, (*batch, *shape), self.register_bits)
            inputs = (*images, where, given, *masks)
            taken = arguments.apart(taken, *inputs)
        else:
            where, given, sources = (arguments.apart(a, *images) for a in (where, given, sources))

        n = arguments.count_of(batch)
        policy = arguments.POLICIES.index(on_ub)
        ok = np.ones(n, np.uint8)
        if n == 0:
            counts = np.zeros((*batch, len(_core.COUNTERS)), np.int64)
            return Result(taken, Traffic(counts) if traffic else None, Findings(), ok.reshape(batch) > 0)

        issue = _core.Issue(self, extent, _flat(where), _flat(sources), *masks, n, target_row, policy)
        core_findings, must_raise = issue.check(ok)
        findings = Findings(core_findings)
        if must_raise:
            raise_for(findings)
        stores = given if reads_registers else taken
        moves = given if self.kind == "movmatrix" else None
        _in_chunks(
            lambda first, last: issue.run(first, last, moves, stores),
            n,
            1 if self.writes_memory else threads,
        )
        if out is not None and taken is not None and taken is not out:
            out[...] = taken
            taken = out
        defined = ok.reshape(batch) > 0
        counted = self._count(issue, n, batch, threads, defined) if traffic else None
        return Result(taken, counted, findings, defined)

    def _count(
        self,
        issue: _core.Issue,
        n: int,
        batch: tuple[int, ...],
        threads: int,
        defined: NDArray[np.bool_] | None,
    ) -> Traffic:
        counts = np.empty((n, len(_core.COUNTERS)), np.int64)
        _in_chunks(lambda first, last: issue.count(first, last, counts), n, threads)
        shaped = counts.reshape(*batch, len(_core.COUNTERS))
        if defined is not None and not defined.all():
            shaped[~defined] = 0
        return Traffic(shaped, issue.inexact())

    def _counting(
        self,
        address: ArrayLike | None,
        source: ArrayLike | None,
        stride: ArrayLike | None,
        active: ArrayLike,
        target: str | None,
    ) -> tuple[_core.Issue | None, int, tuple[int, ...]]:
        if stride is not None:
            raise ValueError(f"stride: only wmma has one, not {self.kind}")
        target_row = self._require_target(target)
        if self.kind == "movmatrix":
            if address is not None:
                raise TypeError("address: movmatrix has no address, pass None")
            where, batch = None, np.shape(active)
        else:
            where, batch = self._addresses("address", address, self._address_bits(), active, 0)
        sources = self._sources(source, batch, active, 0)
        masks = self._masks(batch, active, 0)
        n = arguments.count_of(batch)
        if n == 0:
            return None, 0, batch
        extent: Extent = (None, 0, None, 0, SHARED_WINDOW)
        issue = _core.Issue(self, extent, _flat(where), _flat(sources), *masks, n, target_row, 0)
        return issue, n, batch

    def traffic(
        self,
        address: ArrayLike | None,
        *,
        source: ArrayLike | None = None,
        stride: ArrayLike | None = None,
        active: ArrayLike = arguments.FULL_MASK,
        target: str | None = None,
        threads: int = 1,
    ) -> Traffic:
        """What the accesses cost the memory, in Nsight Compute's counters; needs no memory.

        `address`: (..., 32). Never raises for undefined behaviour: rows are rounded down to their
        alignment, a partial mask of an .aligned instruction counts as full. cp.async without
        `source`: the lanes copy consecutive bytes from a 128-byte boundary on.

        >>> import numpy as np, warpsim as ws
        >>> lane = np.arange(32)
        >>> ws.Ldmatrix(num=4).traffic(lane % 8 * 256 + lane // 8 * 16).sum().bank_conflicts.item()
        28
        """
        threads = arguments.positive_int("threads", threads)
        issue, n, batch = self._counting(address, source, stride, active, target)
        if issue is None:
            return Traffic(np.zeros((*batch, len(_core.COUNTERS)), np.int64))
        return self._count(issue, n, batch, threads, None)

    def explain(
        self,
        address: ArrayLike | None,
        *,
        source: ArrayLike | None = None,
        stride: ArrayLike | None = None,
        active: ArrayLike = arguments.FULL_MASK,
        target: str | None = None,
    ) -> BankReport:
        """Which lanes meet in which bank in which pass, for one warp's addresses (32,)."""
        if address is not None:
            arguments.one_warp("address", address)
        issue, _, _ = self._counting(address, source, stride, active, target)
        assert issue is not None  # one warp
        wavefronts, cells = issue.bank_cells()
        groups: list[dict[str, Any]] = [
            {"name": "", "wavefronts": count, "lanes": [], "cells": []} for count in wavefronts
        ]
        for group, lane, bank, pass_, word in cells:
            groups[group]["cells"].append(
                {"lane": lane, "bank": bank, "pass": pass_, "word": word}
            )
            if lane not in groups[group]["lanes"]:
                groups[group]["lanes"].append(lane)
        for index, group in enumerate(groups):
            group["name"] = self._group_name(index, group["lanes"])
        return BankReport(
            {
                "schema": "warpsim.bank_report/1",
                "ptx": self.ptx,
                "access_bytes": self.access_bytes,
                "traffic": self._count(issue, 1, (), 1, None).to_dict(),
                "groups": groups,
            }
        )

    def _group_name(self, index: int, lanes: Sequence[int]) -> str:
        if self.is_collective and self.group_lanes == 8 and self.row_lanes == 8 * self.num:
            return f"matrix {index}"
        if self.kind == "cp.async" and self.cache == "cg":
            return f"class {index}"
        return f"lanes {min(lanes)}-{max(lanes)}"


def _flat(array: NDArray[Any] | None) -> NDArray[Any] | None:
    return None if array is None else array.reshape(-1)


class Ldmatrix(Instruction):
    """ldmatrix: collectively loads matrices from shared memory.

    `shape` "m8n8" (type "b16"), "m16n16" ("b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"; `trans`
    mandatory) or "m8n16" (the packed formats, and "s8.s4"); `num` 1, 2 or 4 (m16n16: 1, 2);
    `space` "shared", "shared::cta" or "" for generic addresses. Combinations that do not exist
    are UnsupportedError. Source: "Warp-level matrix load instruction: ldmatrix" of the PTX ISA.
    A 4-bit code comes out in the low bits of its byte: see `warpsim.fp4_to_mma`.

    >>> import warpsim as ws
    >>> ws.Ldmatrix(num=4, trans=True).ptx
    'ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16'
    """

    __slots__ = ()
    _fields = ("shape", "num", "trans", "space", "type")

    def __new__(
        cls,
        shape: str = "m8n8",
        num: int = 1,
        trans: bool = False,
        space: str = "shared",
        type: str = "b16",  # noqa: A002 - PTX's word
    ) -> Ldmatrix:
        fields = dict(
            kind="ldmatrix", shape=shape, num=num, trans=trans, space=space, type=type
        )
        return _core.Op.__new__(cls, fields)


class Stmatrix(Instruction):
    """stmatrix: collectively stores matrices to shared memory.

    `shape` "m8n8" (type "b16", `trans` optional) or "m16n8" (type "b8", `trans` mandatory). Where
    rows overlap, a later matrix wins over an earlier one and inside a matrix the lowest row wins
    (measured on an H200; PTX leaves it open). Source: "Warp-level matrix store instruction:
    stmatrix" of the PTX ISA.
    """

    __slots__ = ()
    _fields = ("shape", "num", "trans", "space", "type")

    def __new__(
        cls,
        shape: str = "m8n8",
        num: int = 1,
        trans: bool = False,
        space: str = "shared",
        type: str = "b16",  # noqa: A002 - PTX's word
    ) -> Stmatrix:
        fields = dict(
            kind="stmatrix", shape=shape, num=num, trans=trans, space=space, type=type
        )
        return _core.Op.__new__(cls, fields)


class Movmatrix(Instruction):
    """movmatrix.m8n8.trans.b16: transposes an 8x8 matrix across the registers of a warp.

    Source: "Warp-level matrix transpose instruction: movmatrix" of the PTX ISA.
    """

    __slots__ = ()

    def __new__(cls) -> Movmatrix:
        fields = dict(kind="movmatrix", shape="m8n8", num=1, trans=True, type="b16")
        return _core.Op.__new__(cls, fields)


class Ld(Instruction):
    """ld: every lane loads `vec` values of `type`, at most 16 bytes.

    `type` b8 to b64, u8 to u64, s8 to s64, f32, f64; a narrow value is zero- or sign-extended to
    32 bits. `space` "shared", "shared::cta", "global" or "" for generic. Source: "Data Movement
    and Conversion Instructions: ld" of the PTX ISA.
    """

    __slots__ = ()
    _fields = ("space", "vec", "type")

    def __new__(
        cls,
        space: str = "shared",
        vec: int = 1,
        type: str = "b32",  # noqa: A002 - PTX's word
    ) -> Ld:
        return _core.Op.__new__(cls, dict(kind="ld", space=space, vec=vec, type=type))


class St(Instruction):
    """st: every lane stores `vec` values of `type`, at most 16 bytes; the mirror of Ld."""

    __slots__ = ()
    _fields = ("space", "vec", "type")

    def __new__(
        cls,
        space: str = "shared",
        vec: int = 1,
        type: str = "b32",  # noqa: A002 - PTX's word
    ) -> St:
        return _core.Op.__new__(cls, dict(kind="st", space=space, vec=vec, type=type))


class CpAsync(Instruction):
    """cp.async.{ca,cg}.shared.global: every lane copies `size` bytes from global to shared memory.

    `size` 4, 8 or 16; "cg" copies 16 bytes only. Its write side has rules of its own: rows padded by
    16 bytes cost .cg 2.6 to 6 times the wavefronts that the bank rule promises (measured on an
    H200). Source: "Data Movement and Conversion Instructions: cp.async" of the PTX ISA.
    """

    __slots__ = ()
    _fields = ("size", "cache")

    def __new__(cls, size: int = 16, cache: str = "cg") -> CpAsync:
        return _core.Op.__new__(cls, dict(kind="cp.async", size=size, cache=cache))


for _kind, _class in {
    "ldmatrix": Ldmatrix,
    "stmatrix": Stmatrix,
    "movmatrix": Movmatrix,
    "ld": Ld,
    "st": St,
    "cp.async": CpAsync,
}.items():
    _core.register_class(_kind, _class)


def parse(text: str) -> Instruction:
    """The instruction that a PTX text is: an opcode with its qualifiers, or a whole statement.

    Qualifiers may stand in any order that NVIDIA's assembler takes; with operands, their number and
    form are checked. PtxSyntaxError for malformed text and unknown words, UnsupportedError for
    combinations that are legal nowhere and for legal forms that are not modelled.

    >>> import warpsim as ws
    >>> ws.parse("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%r1, %r2}, [%rd1+16];")
    Ldmatrix(shape='m8n8', num=2, trans=False, space='shared', type='b16')
    """
    if not isinstance(text, str):
        raise TypeError(f"text: expected a str, got {type(text).__name__}")
    found: Instruction = _core.parse(text)
    return found


def issue(
    ops: Sequence[Instruction],
    memory: Memory | None,
    address: ArrayLike | None,
    registers: ArrayLike | None = None,
    **options: Any,
) -> Result:
    """Executes one instruction per lane (32 of them), the same for all warps of `address`.

    Where the running lanes of a warp differ, the behaviour of an .aligned instruction is undefined
    (DivergentQualifiersError); `options` are those of `Instruction.execute`.
    """
    ops = list(ops)
    if len(ops) != arguments.LANES or not all(isinstance(op, Instruction) for op in ops):
        raise ValueError(f"ops: expected 32 instructions, one per lane; got {len(ops)} values")
    first = ops[0]
    if all(op == first for op in ops):
        return first.execute(memory, address, registers, **options)
    if not all(op.is_collective for op in ops):
        raise ValueError(
            "ops: lanes may differ only among ldmatrix, stmatrix and movmatrix; plain accesses are"
            " lane by lane anyway: call execute once per instruction with active masks"
        )
    return _issue_divergent(ops, memory, address, registers, **options)


def _issue_divergent(
    ops: list[Instruction],
    memory: Memory | None,
    address: ArrayLike | None,
    registers: ArrayLike | None,
    *,
    active: ArrayLike = arguments.FULL_MASK,
    exited: ArrayLike = 0,
    target: str | None = None,
    on_ub: str = "raise",
    **options: Any,
) -> Result:
    """Warps whose running lanes agree run; the others are findings."""
    batch = np.shape(registers)[:-2] if address is None else np.shape(address)[:-1]
    masks = ops[0]._masks(batch, active, exited)
    n = arguments.count_of(batch)
    full = np.full(n, arguments.FULL_MASK, np.uint32)
    running = (full if masks[0] is None else masks[0]) & ~(0 * full if masks[1] is None else masks[1])
    target_row = max(op._require_target(target) for op in ops)
    if on_ub not in arguments.POLICIES:
        raise ValueError(f"on_ub: expected 'raise', 'record' or 'hardware', got {on_ub!r}")
    if on_ub == "hardware" and target is None:
        raise ValueError("on_ub: 'hardware' needs a target, such as target='sm_90'")
    ok = np.ones(n, np.uint8)
    check = _core.Issue(
        ops[0], EMPTY, None, None, *masks, n, target_row, arguments.POLICIES.index(on_ub)
    )
    findings = Findings(check.check_qualifiers(ops, ok))
    lowest = {int(np.log2(m & -m)) for m in running.astype(np.int64)[ok > 0] if m}
    chosen = {ops[lane] for lane in lowest} or {ops[0]}
    if len(findings) == 0 and len(chosen) == 1:
        return chosen.pop().execute(
            memory, address, registers, active=active, exited=exited, target=target, on_ub=on_ub,
            **options,
        )
    if len(chosen) > 1:
        raise ValueError("ops: the warps of one call run different instructions; call once for each")
    if on_ub == "raise":
        raise_for(findings)
    agreed = np.where(ok > 0, full if masks[0] is None else masks[0], 0).reshape(batch)
    result = chosen.pop().execute(
        memory, address, registers, active=agreed, exited=exited, target=target, on_ub=on_ub, **options
    )
    defined = result.ok & (ok.reshape(batch) > 0)
    if result.traffic is not None:
        result.traffic._counts[~defined] = 0
    return Result(result.registers, result.traffic, findings, defined)


def ldmatrix(
    memory: Memory,
    address: ArrayLike,
    *,
    shape: str = "m8n8",
    num: int = 1,
    trans: bool = False,
    space: str = "shared",
    type: str = "b16",  # noqa: A002 - PTX's word
    **options: Any,
) -> Result:
    """Ldmatrix(shape, num, trans, space, type).execute(memory, address, **options)."""
    return Ldmatrix(shape, num, trans, space, type).execute(memory, address, **options)


def stmatrix(
    memory: Memory,
    address: ArrayLike,
    registers: ArrayLike,
    *,
    shape: str = "m8n8",
    num: int = 1,
    trans: bool = False,
    space: str = "shared",
    type: str = "b16",  # noqa: A002 - PTX's word
    **options: Any,
) -> Result:
    """Stmatrix(shape, num, trans, space, type).execute(memory, address, registers, **options)."""
    return Stmatrix(shape, num, trans, space, type).execute(memory, address, registers, **options)


def movmatrix(registers: ArrayLike, **options: Any) -> Result:
    """Movmatrix().execute(None, None, registers, **options)."""
    return Movmatrix().execute(None, None, registers, **options)
