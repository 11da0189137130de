"""Statements at which named lanes of a warp meet: shfl, vote, match, redux, elect, bar.warp, and matrices."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter import matrices
from tests.support.interpreter.memory import ProgramError
from tests.support.interpreter.numbers.operations import Array, I, U, signed
from tests.support.interpreter.text import Function, Statement

if TYPE_CHECKING:
    from tests.support.interpreter.flow import Flow
    from tests.support.interpreter.machine import Machine

ALL = 0xFFFFFFFF
VALUES = {"shfl": 3, "vote": 1, "match": 1, "redux": 1}


def meets(s: Statement) -> bool:
    op = s.parts[0]
    return (
        op in matrices.MEETING
        or (op in ("bar", "barrier") and "warp" in s.parts)
        or ("sync" in s.parts and op in (*VALUES, "elect"))
    )


@dataclass
class Meeting:
    """mask and read take lanes; compute takes all lanes of whole warps, with who is there."""

    opcode: str
    mask: Callable[[Array], Array]
    read: Callable[[Array], list[Array]]
    compute: Callable[["Machine", Array, Array, list[Array]], list[Array]]
    write: Callable[[Array, list[Array]], None]


def flat(x: Any) -> list[Any]:
    return x[1] if x[0] == "pair" else [x]


def warp_wide(lanes: Array, x: Array, size: int) -> Array:
    whole = np.zeros(size, x.dtype)
    whole[lanes] = x
    return whole


def shfl(parts: list[str]) -> Any:
    def compute(m: "Machine", lanes: Array, mask: Array, v: list[Array]) -> list[Array]:
        a, b, c = v
        lane, b, clamp, segment = (
            m.lane[lanes],
            (b & U(31)).astype(I),
            (c & U(31)).astype(I),
            (c >> U(8) & U(31)).astype(I),
        )
        last = (lane & segment) | (clamp & ~segment)
        j = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": (lane & segment) | (b & ~segment)}[parts[2]]
        ok = j >= last if parts[2] == "up" else j <= last
        j = np.where(ok, j, lane)
        there = np.zeros(m.size, bool)
        there[lanes] = True
        at = m.warp_base[lanes] + j
        named = (mask >> j.astype(U)) & U(1) != 0
        return [np.where(named & there[at], warp_wide(lanes, a, m.size)[at], U(0)), ok]

    return compute


def groups_of(m: "Machine", lanes: Array, mask: Array) -> tuple[Array, int]:
    """Lanes of one warp with one mask belong together: a number for each lane."""
    _, index = np.unique((m.warp_base[lanes].astype(U) << U(32)) | mask, return_inverse=True)
    return index, int(index.max()) + 1 if index.size else 0


def bit_sum(index: Array, bits: Array, n: int) -> Array:
    return np.bincount(index, bits.astype(np.float64), n).astype(U)


def vote(parts: list[str]) -> Any:
    def compute(m: "Machine", lanes: Array, mask: Array, v: list[Array]) -> list[Array]:
        index, n = groups_of(m, lanes, mask)
        bit = U(1) << m.lane[lanes].astype(U)
        yes, here = bit_sum(index, np.where(v[0], bit, U(0)), n), bit_sum(index, bit, n)
        found = {"ballot": yes, "all": yes == here, "any": yes != 0, "uni": (yes == here) | (yes == 0)}[parts[2]]
        return [found[index]]

    return compute


def match(parts: list[str]) -> Any:
    def compute(m: "Machine", lanes: Array, mask: Array, v: list[Array]) -> list[Array]:
        index, n = groups_of(m, lanes, mask)
        bit = U(1) << m.lane[lanes].astype(U)
        _, names = np.unique(np.stack([index.astype(U), v[0]]), axis=1, return_inverse=True)
        equal = bit_sum(names.ravel(), bit, names.size)[names.ravel()]
        if parts[1] == "any":
            return [equal]
        same = equal == bit_sum(index, bit, n)[index]
        return [np.where(same, equal, U(0)), same]

    return compute


def redux(parts: list[str]) -> Any:
    def compute(m: "Machine", lanes: Array, mask: Array, v: list[Array]) -> list[Array]:
        index, n = groups_of(m, lanes, mask)
        x = signed(v[0], 32) if parts[3] == "s32" else v[0].astype(I)
        f = {
            "add": np.add,
            "min": np.minimum,
            "max": np.maximum,
            "and": np.bitwise_and,
            "or": np.bitwise_or,
            "xor": np.bitwise_xor,
        }[parts[2]]
        found = np.array([f.reduce(x[index == k]) for k in range(n)], I)
        return [found.view(U)[index]]

    return compute


def elect(_parts: list[str]) -> Any:
    def compute(m: "Machine", lanes: Array, mask: Array, v: list[Array]) -> list[Array]:
        index, n = groups_of(m, lanes, mask)
        first = np.array([m.lane[lanes][index == k].min() for k in range(n)])[index]
        return [first.astype(U), first == m.lane[lanes]]

    return compute


def barrier(_parts: list[str]) -> Any:
    return lambda _m, _lanes, _mask, _v: []


RULES: dict[str, Any] = {
    "shfl": shfl,
    "vote": vote,
    "match": match,
    "redux": redux,
    "elect": elect,
    "bar": barrier,
    "barrier": barrier,
}


def build(m: "Machine", f: Function, s: Statement) -> Meeting:
    parts, op, kind = s.parts, s.parts[0], s.parts[-1]
    if op in matrices.MEETING:
        return matrices.build(m, f, s)
    into = flat(s.operands[0]) if op not in ("bar", "barrier") else []
    given = list(s.operands[1 if into else 0 :])
    mask = m.reader(f, given.pop() if given else ("int", ALL), "b32")
    source = "pred" if op == "vote" else kind
    kinds = [source, "u32", "u32"][: len(given)]
    readers = [m.reader(f, x, k) for x, k in zip(given, kinds, strict=True)]
    first = "pred" if op == "vote" and kind == "pred" else "b32"
    writers = [m.writer(f, x, k) for x, k in zip(into, [first, "pred"], strict=False)]

    def write(lanes: Array, out: list[Array]) -> None:
        for put, x in zip(writers, out, strict=False):
            put(lanes, x)

    return Meeting(s.opcode, mask, lambda lanes: [read(lanes) for read in readers], RULES[op](parts), write)


def ready(flow: "Flow", lanes: Array, mask: Array) -> Array:
    """Whose named living lanes are all here."""
    m = flow.m
    index, n = groups_of(m, lanes, mask)
    have = bit_sum(index, U(1) << m.lane[lanes].astype(U), n)[index]
    alive = flow.state != 3
    living = np.bincount(m.warp_base // 32, np.where(alive, 1 << m.lane, 0).astype(np.float64), m.size // 32).astype(U)
    return (mask & living[m.warp_base[lanes] // 32] & ~have) == 0


def waiting_for(flow: "Flow", opcode: str) -> dict[int, Meeting]:
    return flow.pools.setdefault(opcode, {})  # type: ignore[attr-defined]


def masks_at(flow: "Flow", pool: dict[int, Meeting], lanes: Array) -> Array:
    mask = np.zeros(lanes.size, U)
    for at, meeting in pool.items():
        here = flow.pc[lanes] == at
        if here.any():
            mask[here] = meeting.mask(lanes[here])
    return mask


def meeting(flow: "Flow", f: Function, s: Statement) -> Callable[[Array, Array], None]:
    here, m = len(flow.code), flow.m
    mine = build(m, f, s)
    pool = waiting_for(flow, s.opcode)
    pool[here] = mine

    def meet(lanes: Array, on: Array) -> None:
        flow.pc[lanes] += 1
        if not on.size:
            return
        flow.pc[on] = here
        if (mine.mask(on) >> m.lane[on].astype(U) & U(1) == 0).any():
            raise ProgramError(f"line {s.line}: a lane is not in its own mask")
        flow.state[on] = 2
        go(flow, pool)

    return meet


def go(flow: "Flow", pool: dict[int, Meeting]) -> None:
    """Whoever waits in the pool and has all others there goes on."""
    waiting = np.flatnonzero((flow.state == 2) & np.isin(flow.pc, list(pool)))
    if not waiting.size:
        return
    mask = masks_at(flow, pool, waiting)
    able = ready(flow, waiting, mask)
    lanes, mask = waiting[able], mask[able]
    if not lanes.size:
        return
    at = {pc: flow.pc[lanes] == pc for pc in pool}
    at = {pc: here for pc, here in at.items() if here.any()}
    values: list[Array] = []
    for pc, here in at.items():
        for k, x in enumerate(pool[pc].read(lanes[here])):
            if len(values) == k:
                values.append(np.zeros(lanes.size, x.dtype))
            values[k][here] = x
    if flow.watch:
        flow.watch.meeting(flow.code[flow.pc[lanes[0]]].statement, lanes, mask, values)
    out = next(iter(pool.values())).compute(flow.m, lanes, mask, values)
    if flow.watch:
        flow.watch.quiet = False
    for pc, here in at.items():
        pool[pc].write(lanes[here], [x[here] for x in out])
    flow.state[lanes] = 0
    flow.pc[lanes] += 1


def wake(flow: "Flow") -> None:
    for pool in flow.pools.values():  # type: ignore[attr-defined]
        go(flow, pool)


def activemask(m: "Machine", f: Function, s: Statement) -> Callable[[Array], None]:
    write = m.writer(f, s.operands[0], "b32")

    def run(lanes: Array) -> None:
        living = np.bincount(m.warp_base[lanes] // 32, (1 << m.lane[lanes]).astype(np.float64), m.size // 32).astype(U)
        write(lanes, living[m.warp_base[lanes] // 32])

    return run


HANDLERS = {"activemask": activemask}
