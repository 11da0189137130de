"""One call: its arguments checked once, then executed, counted or explained by the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, arguments, targets
from .._core import Result, Traffic
from ..arrays import Index, apart, put
from ..errors import bad_value
from ..memory import memory_limit
from ..memory.access import Access
from ..memory.memory import EMPTY, Extent
from .findings import Findings, raise_for

COUNTERS = len(_core.COUNTERS)
PASSES = 6  # numbers of a row of Issue.passes
MOST_AXES = 62  # NumPy has 64, registers two more than warps


def policy_index(on_ub: str, target: str | None) -> int:
    """The core's number of a policy."""
    policy = arguments.word("on_ub", on_ub, arguments.POLICIES)
    if policy == "hardware" and target is None:
        raise bad_value("on_ub", "'hardware' needs a target, such as target='sm_90'")
    return arguments.POLICIES.index(policy)


def _flat(array: NDArray[Any] | None) -> NDArray[Any] | None:
    return None if array is None else array.reshape(-1)


class Given(NamedTuple):
    """What a caller passes of a call, as it comes."""

    address: ArrayLike | None
    source: ArrayLike | None = None
    stride: ArrayLike | None = None
    active: ArrayLike = arguments.FULL_MASK
    exited: ArrayLike = 0
    target: str | None = None


class Call:
    """The addresses, masks and target of n issues of one instruction."""

    def __init__(self, op: _core.Op, given: Given, batch: tuple[int, ...] = (), result_bytes: int = 0) -> None:
        """`batch`: the shape of the warps, if no address tells it.

        `result_bytes`: what the call will make of each warp.
        """
        address, source, stride, active, exited, target = given
        if stride is not None and not op.is_wmma:
            raise bad_value("stride", f"only wmma takes a stride, not {op.kind}")
        if (address is None) != (op.kind == "movmatrix"):
            raise TypeError(
                f"address: {op.kind} has no address, pass None"
                if address is not None
                else f"address: {op.kind} needs one address per lane, shape (..., 32)"
            )
        if source is not None and op.kind != "cp.async":
            raise bad_value("source", f"only cp.async takes a source, not {op.kind}")
        self.op = op
        self.target_row = targets.row_that_takes(op, target)
        where = None if address is None else arguments.integers("address", address)
        if where is not None and op.is_wmma and where.ndim == 0:
            where = where.reshape(1)  # one p for all lanes
        self.batch = batch if where is None else where.shape[:-1]
        if len(self.batch) > MOST_AXES:
            raise bad_value("address", f"expected at most {MOST_AXES} axes of warps, got {len(self.batch)}")
        self.n = arguments.count_of(self.batch)
        bits = 64 if op.space in ("", "global") and op.kind != "cp.async" else 32
        self.need = self.n * result_bytes + memory_limit.copy_bytes(where, bits)
        self.need += memory_limit.copy_bytes(source, 64)
        with memory_limit.making_sure(self.n, self.need):
            self._take(where, source, stride, active, exited, bits)

    def _take(
        self,
        where: NDArray[Any] | None,
        source: ArrayLike | None,
        stride: ArrayLike | None,
        active: ArrayLike,
        exited: ArrayLike,
        bits: int,
    ) -> None:
        """The arrays, as the core takes them."""
        self.active = arguments.masks("active", active, self.batch, arguments.FULL_MASK)
        self.exited = arguments.masks("exited", exited, self.batch, 0)
        self.stride = arguments.strides(stride, self.batch)
        self.where = None if where is None else self._addresses("address", where, bits)
        self.source = None if source is None else self._addresses("source", source, 64)

    def running(self, piece: Index = ()) -> NDArray[np.uint32]:
        """Lane masks of a piece of the warps: active and not exited."""
        full = np.broadcast_to(np.uint32(arguments.FULL_MASK), self.batch)[piece]
        active = full if self.active is None else self.active.reshape(self.batch)[piece]
        return active if self.exited is None else active & ~self.exited.reshape(self.batch)[piece]

    def _used_lanes(self, piece: Index) -> NDArray[np.bool_]:
        if self.op.is_wmma:
            return np.ones(1, bool)  # every lane passes p
        rows = np.arange(arguments.LANES) < self.op.row_lanes
        return rows & arguments.lanes_of(self.running(piece))

    def _addresses(self, name: str, value: Any, bits: int) -> NDArray[Any]:
        one = self.op.is_wmma
        found = arguments.addresses(name, value, bits, self._used_lanes, one=one)
        if found.shape[:-1] != self.batch:
            raise bad_value(name, f"expected the shape of address, {(*self.batch, 32)}, got {found.shape}")
        return found

    def _issue(self, extent: Extent, policy: int) -> _core.Issue:
        return _core.Issue(
            self.op, extent, _flat(self.where), _flat(self.source), self.stride, self.active,
            self.exited, self.n, self.target_row, policy,
        )  # fmt: skip

    def execute(
        self,
        images: Callable[[], Extent],
        registers: ArrayLike | None,
        *,
        policy: int,
        traffic: bool,
        threads: int,
        out: NDArray[Any] | None,
    ) -> Result:
        """Checks every warp, then moves the data; `images()` is the memory.

        It is asked for after all arguments have been checked, since an object's own methods may
        do anything, and after it no code of a caller's runs until the data have moved.
        """
        threads = arguments.positive_int("threads", threads)
        with memory_limit.making_sure(self.n, self.need):
            given, place = self._registers(registers, out)
            extent = images()
            given, taken = self._apart(given, place, extent)
            ok = np.ones(self.n, np.uint8)
        findings = Findings()
        counts: Traffic | None = None
        if self.n:
            issue = self._issue(extent, policy)
            core_findings, must_raise = issue.check(ok)
            findings = Findings(core_findings or ())
            if must_raise:
                raise_for(findings)
            moves = given if self.op.kind == "movmatrix" else None
            together = 1 if self.op.writes_memory else threads
            issue.run(moves, given if taken is None else taken, together)
        defined = ok.reshape(self.batch) > 0
        if traffic:
            counts = self.count(threads, defined, extent)
        if place is not None and taken is not None and taken is not place:
            taken = put(place, taken)  # last, since it may hold the addresses
        return Result(taken if out is None else out, counts, findings, defined)

    def _registers(
        self, registers: ArrayLike | None, out: NDArray[Any] | None
    ) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
        """What the instruction reads, and where what it loads goes."""
        op, bits = self.op, self.op.register_bits
        shape = (*self.batch, arguments.LANES, op.num_registers)
        given: NDArray[Any] | None = None
        if op.kind in _core.REGISTER_READERS:
            given = arguments.registers("registers", registers, shape, bits)
        elif registers is not None:
            raise bad_value("registers", f"{op.kind} does not read registers")
        if not op.writes_memory:
            whole = self.active is None and self.exited is None  # else some registers stay as they were
            return given, arguments.output(out, shape, bits, np.empty if whole else np.zeros)
        if out is not None:
            raise bad_value("out", f"{op.kind} does not return registers")
        return given, None

    def _apart(
        self, given: NDArray[Any] | None, place: NDArray[Any] | None, extent: Extent
    ) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
        """Registers read and registers written: copies where they share storage with others."""
        images = (extent[0], extent[2])
        if place is not None:
            others = (*images, given, self.where, self.stride, self.active, self.exited)
            return given, apart(place, *others)
        written = images[:1] if self.op.kind == "cp.async" else images
        if any(image is not None and not image.flags.writeable for image in written):
            raise bad_value("memory", f"{self.op.kind} writes, and its array is read-only")
        given, self.where, self.source = (apart(array, *images) for array in (given, self.where, self.source))
        return given, None

    def count(self, threads: int = 1, defined: NDArray[np.bool_] | None = None, extent: Extent = EMPTY) -> Traffic:
        """Counters of every warp; 0 where `defined` is False."""
        with memory_limit.making_sure(self.n, self.need):
            counts = _core.new_array(np.zeros, (self.n, COUNTERS), np.int64)
        shaped = counts.reshape(*self.batch, COUNTERS)
        if self.n == 0:
            return Traffic(shaped)
        issue = self._issue((None, 0, None, 0, extent[4]), 0)
        issue.count(counts, threads)
        if defined is not None and not defined.all():
            shaped[~defined] = 0
        return Traffic(shaped, issue.inexact())

    def in_time(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Counters and passes (n, 6) of every warp, which the cost model asks for."""
        counters, passes = np.zeros((self.n, COUNTERS), np.int64), np.zeros((self.n, PASSES))
        if self.n:
            issue = self._issue(EMPTY, 0)
            issue.count(counters, 1)
            issue.passes(passes)
        return counters, passes

    def access(self) -> Access:
        """What one warp was asked to access."""
        stride = self.stride
        is_full = bool((self.running() == arguments.FULL_MASK).all())
        one_stride = stride is None or len(stride) == 1
        return Access(
            self.op.ptx,
            () if self.where is None else tuple(self.where.reshape(-1).tolist()),
            stride.astype(np.int32).item() if stride is not None and one_stride else None,
            None if self.target_row == targets.NO_TARGET else _core.TARGETS[self.target_row],
            is_full and one_stride and self.source is None,
        )

    def bank_cells(self) -> tuple[list[int], list[tuple[int, int, int, int, int]]]:
        """Wavefronts of each group of lanes of the first warp, and its cells."""
        return self._issue(EMPTY, 0).bank_cells()

    def check_qualifiers(self, ops: list[_core.Op], policy: int, ok: NDArray[np.uint8]) -> Findings:
        """The divergent-qualifiers condition for one instruction per lane; fills `ok` per warp."""
        return Findings(self._issue(EMPTY, policy).check_qualifiers(ops, ok) or ())


def one_warp(op: _core.Op, given: Given) -> Call:
    """The call of a single warp; ValueError where there are more."""
    if given.address is not None:
        address = arguments.integers("address", given.address)
        if not (op.is_wmma and address.ndim == 0):
            arguments.one_warp("address", address)
        given = given._replace(address=address)
    return Call(op, given)
