"""What can be asked of an instruction that moves data: its fragment, what it does, what it costs the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import ArrayLike, NDArray

from .. import _core, arguments, errors, targets
from .._core import Result, Traffic
from ..errors import bad_type
from ..memory.memory import Memory, extent_for
from ..targets import USUAL_TARGET
from ..time.architecture import Arch, resolve
from ..time.cost import Cost, InTime, of_instruction, register_counting
from ..words import suggesting
from .banks import BankReport, bank_report
from .call import COUNTERS, Call, Given, one_warp, policy_index
from .explanation import Explanation, explain
from .fragment_map import FragmentMap
from .instruction import Instruction
from .legality import Legality, verdict

#: what some instructions have and others do not
QUALIFIERS = frozenset(
    ("shape", "num", "trans", "space", "type", "vec", "size", "cache", "operand", "layout", "default_stride")
)


class DataMovement(_core.Op, Instruction):
    """What instructions share that move data between memory and registers, or between those of lanes.

    `num_registers`: of a lane, each of `register_bits` (32, or 64 for f64 and b64). `row_lanes`: how
    many lanes supply an address, from lane 0 on: 8, 16 or 32 for ldmatrix and stmatrix, 32 for plain accesses, 1 for
    wmma (all lanes pass the same), 0 for movmatrix. `access_bytes`: of memory at one address,
    and its alignment. The fields of each class are attributes, too.

    >>> import warpsim as ws
    >>> op = ws.Ldmatrix(num=2)
    >>> op.num, op.num_registers, op.register_bits, op.row_lanes, op.access_bytes
    (2, 2, 32, 16, 16)
    """

    __slots__ = ()
    _fixed: ClassVar[tuple[str, ...]] = ()  # of QUALIFIERS: those that it has without being asked

    def __init_subclass__(cls) -> None:
        if "__new__" in vars(cls):
            type.__setattr__(cls, "__new__", staticmethod(suggesting(cls.__new__)))

    def _hidden(self) -> frozenset[str]:
        return QUALIFIERS.difference(self._fields, self._fixed)

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
        is_known, is_sm_75 = _core.wmma_map(row)
        if not is_known:
            raise errors.UnknownHardwareBehaviorError(
                f"{self.ptx}: which lane holds which element on {target} is not known"
            )
        return FragmentMap(self, sm_75=is_sm_75)

    def legality(self, target: str, ptx_version: str | None = None) -> Legality:
        row, number = targets.named_row(target), targets.ptx_number_or_newest(ptx_version)
        return verdict(*_core.legality(self, row, number))

    @suggesting
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
        """The long way of execute: any memory, any array, any policy."""
        extent_for(memory, self.space, self.kind)  # complains about the memory first
        policy, traffic = policy_index(on_ub, target), arguments.flag("traffic", traffic)
        if self.kind == "cp.async" and source is None:
            raise bad_type("source", "cp.async needs its global addresses, shape (..., 32)")
        batch: tuple[int, ...] = ()
        if self.kind == "movmatrix" and registers is not None:
            registers = arguments.integers("registers", registers)
            batch = registers.shape[:-2]
        given = Given(address, source, stride, active, exited, target)
        call = Call(self, given, batch, self._result_bytes(out is None, traffic))
        return call.execute(
            lambda: extent_for(memory, self.space, self.kind), registers, policy=policy,
            traffic=traffic, threads=threads, out=out,
        )  # fmt: skip

    def _result_bytes(self, registers: bool, traffic: bool) -> int:
        """What a call makes of one warp: new registers, counters of 8 bytes, a flag."""
        taken = arguments.LANES * self.num_registers * self.register_bits // 8
        makes = registers and (self.is_load or self.kind == "movmatrix")
        return makes * taken + traffic * 8 * COUNTERS + 1

    @suggesting
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
        """The long way of traffic: any array, masks, strides, targets."""
        batch: tuple[int, ...] = ()
        if self.kind == "movmatrix":
            active = arguments.integers("active", active)
            batch = active.shape
        call = Call(self, Given(address, source, stride, active, 0, target), batch, self._result_bytes(False, True))
        return call.count(arguments.positive_int("threads", threads))

    _execute, _traffic = execute, traffic
    if not TYPE_CHECKING:  # the short way of most calls, which hands the others on
        execute, traffic = _core.EXECUTE, _core.TRAFFIC

    @suggesting
    def cost(
        self,
        address: ArrayLike | None,
        *,
        source: ArrayLike | None = None,
        stride: ArrayLike | None = None,
        active: ArrayLike = arguments.FULL_MASK,
        target: str | Arch = USUAL_TARGET,
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
        call = one_warp(self, Given(address, source, stride, active, target=architecture.target))
        return of_instruction(self, call.in_time(), architecture, warps, call.access())

    @suggesting
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
        return bank_report(self, Given(address, source, stride, active, target=target))

    def explain_at(
        self,
        address: ArrayLike | None = None,
        *,
        stride: int | None = None,
        target: str | None = None,
        ptx_version: str | None = None,
    ) -> Explanation:
        """What `warpsim explain` prints: legality, findings, registers and banks at addresses.

        Addresses are checked against the shared memory that a block of the target can have (without
        a target: 227 KiB). `target` alone is judged at the newest PTX version. `ws.explain` takes
        PTX text and a place in a tile, too.

        >>> import warpsim as ws
        >>> found = ws.Ldmatrix(num=4).explain_at(range(8, 520, 16))
        >>> found.ok
        False
        """
        return explain(self, address, stride=stride, target=target, ptx_version=ptx_version)


def _in_time(op: _core.Op, address: Any, stride: Any, target: str) -> InTime:
    """Counters and passes (n, 6) of the warps of `address`."""
    return Call(op, Given(address, stride=stride, target=target)).in_time()


_core.register_class("instruction", DataMovement)
register_counting(_in_time)
