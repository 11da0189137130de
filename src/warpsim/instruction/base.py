"""What every instruction can be asked: identity, legality, fragment, execution, traffic.

An instruction is immutable, hashable, comparable and picklable. What it does (execute), whether it
is legal (legality), and what it costs the memory (traffic, explain) are separate questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import ArrayLike, NDArray

from .. import _core, arguments, errors, targets
from ..memory.memory import Memory, extent_for
from ..time.architecture import Arch, resolve
from ..time.cost import Cost, of_instruction
from .call import COUNTERS, Call, policy_index
from .fragment_map import FragmentMap
from .results import BankReport, Legality, Result, Traffic

FIRST_KNOWN_WMMA = 75


class Instruction(_core.Op):
    """What all instructions share. Built as one of the subclasses, or by `parse`.

    `ptx`: canonical text, of which parse makes an equal instruction. `num_registers`: of a lane,
    each of `register_bits` (32, or 64 for f64 and b64). `row_lanes`: how many lanes supply an
    address, from lane 0 on: 8, 16 or 32 for ldmatrix and stmatrix, 32 for plain accesses, 1 for
    wmma (all lanes pass the same), 0 for movmatrix. `access_bytes`: of memory behind one address,
    and its alignment. The fields of each class are attributes, too.

    >>> import warpsim as ws
    >>> op = ws.Ldmatrix(num=2)
    >>> op.num, op.num_registers, op.register_bits, op.row_lanes, op.access_bytes
    (2, 2, 32, 16, 16)
    """

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
        """The fragment map on a given target; None for plain accesses.

        Only wmma depends on it: sm_75 differs in the s32 accumulator of m8n32k16, and on sm_70 and
        sm_72 the map is not known (UnknownHardwareBehaviorError).
        """
        targets.named_row(target)
        row = targets.row_that_takes(self, target)
        if not self.is_wmma:
            return self.fragment
        if targets.number(row) < FIRST_KNOWN_WMMA:
            raise errors.UnknownHardwareBehaviorError(
                f"{self.ptx}: which lane holds which element on {target} is not known"
            )
        return FragmentMap(self, sm_75=targets.number(row) == FIRST_KNOWN_WMMA)

    def legality(self, target: str, ptx_version: str) -> Legality:
        """The Legality of this form at `target` ("sm_90a") and `ptx_version` ("8.6").

        Unknown names are ValueError. Source: "PTX ISA Notes" and "Target ISA Notes" of the PTX ISA
        as NVIDIA's assembler applies them.

        >>> import warpsim as ws
        >>> ws.Stmatrix(num=4).legality("sm_80", "8.0").reasons
        ('stmatrix needs sm_90 or higher; sm_80 has no stmatrix',)
        """
        ok, reasons, minimum, taking = _core.legality(
            self, targets.named_row(target), targets.ptx_number(ptx_version)
        )
        lowest = f"{minimum // 10}.{minimum % 10}" if minimum else None
        return Legality(ok, reasons, lowest, taking)

    def check(self, target: str, ptx_version: str) -> None:
        """Raises UnsupportedError with the reason if the form is not legal there."""
        found = self.legality(target, ptx_version)
        if not found.ok:
            raise errors.UnsupportedError(f"{self.ptx}: {'; '.join(found.reasons)}")

    if TYPE_CHECKING:

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
        ) -> Result: ...

        def traffic(
            self,
            address: ArrayLike | None,
            *,
            source: ArrayLike | None = None,
            stride: ArrayLike | None = None,
            active: ArrayLike = arguments.FULL_MASK,
            target: str | None = None,
            threads: int = 1,
        ) -> Traffic: ...
    else:  # made in C: a short way for most calls, and else the long ways below
        execute = _core.EXECUTE
        traffic = _core.TRAFFIC

    def _execute(
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
        """The long way of execute: any memory, any array, any policy."""
        extent_for(memory, self.space, self.kind)  # complains about the memory first
        policy, traffic = policy_index(on_ub, target), arguments.flag("traffic", traffic)
        if self.kind == "cp.async" and source is None:
            raise TypeError("source: cp.async needs its global addresses, shape (..., 32)")
        batch: tuple[int, ...] = ()
        if self.kind == "movmatrix" and registers is not None:
            registers = arguments.integers("registers", registers)
            batch = registers.shape[:-2]
        call = Call(
            self, address, source=source, stride=stride, active=active, exited=exited,
            target=target, batch=batch,
            result_bytes=self._result_bytes(out is None, traffic),
        )  # fmt: skip
        return call.execute(
            lambda: extent_for(memory, self.space, self.kind), registers, policy=policy,
            traffic=traffic, threads=threads, out=out,
        )  # fmt: skip

    def _result_bytes(self, registers: bool, traffic: bool) -> int:
        """What a call makes of one warp: new registers, counters of 8 bytes, a flag."""
        taken = arguments.LANES * self.num_registers * self.register_bits // 8
        makes = registers and (self.is_load or self.kind == "movmatrix")
        return makes * taken + traffic * 8 * COUNTERS + 1

    def _traffic(
        self,
        address: ArrayLike | None,
        *,
        source: ArrayLike | None = None,
        stride: ArrayLike | None = None,
        active: ArrayLike = arguments.FULL_MASK,
        target: str | None = None,
        threads: int = 1,
    ) -> Traffic:
        """The long way of traffic: any array, masks, strides, targets."""
        batch: tuple[int, ...] = ()
        if self.kind == "movmatrix":
            active = arguments.integers("active", active)
            batch = active.shape
        call = Call(
            self, address, source=source, stride=stride, active=active, exited=0,
            target=target, batch=batch,
            result_bytes=self._result_bytes(False, True),
        )  # fmt: skip
        return call.count(arguments.positive_int("threads", threads))

    def cost(
        self,
        address: ArrayLike | None,
        *,
        source: ArrayLike | None = None,
        stride: ArrayLike | None = None,
        active: ArrayLike = arguments.FULL_MASK,
        target: str | Arch = "sm_90",
        warps: int = 1,
    ) -> Cost:
        """Cycles of one warp's pattern (32,), wmma: p: latency, and interval of an endless stream.

        `target` a name or an Arch; the instruction must be legal there.

        >>> import warpsim as ws
        >>> x4 = ws.Ldmatrix(num=4)
        >>> found = x4.cost(ws.Layout(16, 16, "f16", pad=8).addresses(x4), warps=8)
        >>> found.latency, found.interval, found.bound
        (29.0, 4.0, 'data pipe')
        """
        architecture = resolve(target)
        call = self._one_warp(address, source, stride, active, architecture.target)
        lines = 0
        if call.source is not None:
            lines = _core.copy_lines(call.source.reshape(-1), call.running().item())
        return of_instruction(self, call.count(), architecture, warps, lines, call.explored())

    def explain(
        self,
        address: ArrayLike | None,
        *,
        source: ArrayLike | None = None,
        stride: ArrayLike | None = None,
        active: ArrayLike = arguments.FULL_MASK,
        target: str | None = None,
    ) -> BankReport:
        """Which lanes meet in which bank in which pass, for one warp's addresses (32,); wmma: p."""
        call = self._one_warp(address, source, stride, active, target)
        wavefronts, cells = call.bank_cells()
        groups: list[dict[str, Any]] = [
            {"name": "", "wavefronts": count, "lanes": [], "cells": []} for count in wavefronts
        ]
        for index, lane, bank, pass_, word in cells:
            groups[index]["cells"].append({"lane": lane, "bank": bank, "pass": pass_, "word": word})
            if lane not in groups[index]["lanes"]:
                groups[index]["lanes"].append(lane)
        for index, group in enumerate(groups):
            group["name"] = self._group_name(index, group["lanes"])
        return BankReport(
            {
                "schema": "warpsim.bank_report/1",
                "ptx": self.ptx,
                "access_bytes": self.access_bytes,
                "traffic": call.count().to_dict(),
                "groups": groups,
            },
            call.explored(),
        )

    def _one_warp(
        self,
        address: ArrayLike | None,
        source: ArrayLike | None,
        stride: ArrayLike | None,
        active: ArrayLike,
        target: str | None,
    ) -> Call:
        """The call of a single warp; ValueError where there are more."""
        if address is not None:
            where = arguments.integers("address", address)
            if not (self.is_wmma and where.ndim == 0):
                arguments.one_warp("address", where)
            address = where
        return Call(
            self, address, source=source, stride=stride, active=active, exited=0, target=target
        )

    def _group_name(self, index: int, lanes: Sequence[int]) -> str:
        if self.is_collective and self.group_lanes == 8 and self.row_lanes == 8 * self.num:
            return f"matrix {index}"
        if self.kind == "cp.async" and self.cache == "cg":
            return f"class {index}"
        if self.is_wmma:
            return f"group {index}"
        return f"lanes {min(lanes)}-{max(lanes)}"


_core.register_class("instruction", Instruction)
for _way in (Instruction._execute, Instruction._traffic):  # errors name what was called
    _way.__qualname__ = _way.__qualname__.replace("._", ".")
