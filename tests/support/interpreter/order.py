"""Which accesses of a launch nothing orders, by the definition: a vector clock for each thread, every pair of accesses.

Program order; bar and barrier from arrivals to those that wait; bar.warp among its lanes; mbarrier from arrivals to
waits of the phase; fences and atomics as PTX pairs them (scopes are not told apart). A cp.async is an agent of its own,
with a count of its own in every clock: from its statement to the wait of its thread that covers it, or to the phase of
an mbarrier that it was made to arrive at.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter.launch import run
from tests.support.interpreter.memory import ProgramError
from tests.support.interpreter.numbers.operations import Array, I

if TYPE_CHECKING:
    from tests.support.interpreter.machine import Machine
    from tests.support.interpreter.text import Statement

READ, WRITE, ATOMIC = range(3)
NEVER = 1 << 40
AT_ONCE = 1 << 16  # pairs that are judged together
WHERE = ("shared", "warp", "flight", "global")
STRONG = ("relaxed", "acquire", "release", "acq_rel", "mmio")


@dataclass
class Verdict:
    """`races` counts pairs of threads: (where, line, line); where is "shared", "warp", "flight" or "global"."""

    races: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    unwritten: set[int] = field(default_factory=set)
    outside: set[int] = field(default_factory=set)
    failed: str = ""
    ordered: int = 0  # accesses of two threads to the same bytes, one a write, between two barriers of the block

    @property
    def pairs(self) -> set[tuple[int, int]]:
        return {(a, b) for _, a, b in self.races}

    @property
    def harmless(self) -> bool:
        return not (self.races or self.unwritten or self.outside or self.failed)


class Order:
    """Sees a launch as it runs.

    A thread's clock is a row of `rows`, which threads share, and its own count. A row's first half is what it knows of
    each thread, its second half of the copies of each thread that have arrived.
    """

    def __init__(self, m: "Machine") -> None:
        self.m, self.size = m, m.size
        self.rows: list[Array] = [np.zeros(2 * m.size, I)]
        self.landed = np.zeros(m.size, I)
        self.row, self.own = np.zeros(m.size, I), np.ones(m.size, I)
        self.now: Statement | None = None
        self.quiet, self.serial = False, 0
        self.segment = np.zeros(int(m.block_of.max()) + 1, I)
        self.log: list[list[Any]] = []
        self.arrived: dict[tuple[int, int], Array] = {}
        self.phases: dict[tuple[int, int], Array] = {}
        self.ended: dict[tuple[int, int], Array] = {}
        self.copies: list[list[list[Any]]] = [[[]] for _ in range(m.size)]
        self.fenced: dict[int, Array] = {}
        self.seen: dict[int, Array] = {}
        self.places: dict[tuple[str, int, int], Array] = {}
        self.written = {"shared": np.zeros_like(m.memory.spaces["shared"].data, bool)}
        self.verdict = Verdict()

    # ---------------------------------------------------------------- clocks
    def clock(self, lane: int) -> Array:
        made = self.rows[self.row[lane]].copy()
        made[lane] = self.own[lane]
        return made

    def joined(self, lanes: Array) -> Array:
        """What any of these threads knows; what they do from now on is not part of it."""
        made = np.max([self.rows[k] for k in np.unique(self.row[lanes])], axis=0)
        made[lanes] = np.maximum(made[lanes], self.own[lanes])
        self.own[lanes] += 1
        return made

    def learn(self, lanes: Array, more: Array) -> None:
        for k in np.unique(self.row[lanes]):
            made = np.maximum(self.rows[k], more)
            if (made != self.rows[k]).any():
                self.rows.append(made)
                self.row[lanes[self.row[lanes] == k]] = len(self.rows) - 1

    # ---------------------------------------------------------------- what the machine tells
    def statement(self, s: "Statement", lanes: Array) -> None:
        self.now = s
        self.serial += 1
        parts = s.parts
        if parts[0] in ("fence", "membar"):
            for lane in lanes.tolist():
                if lane in self.seen:
                    self.learn(np.array([lane]), self.seen.pop(lane))
                self.fenced[lane] = self.clock(lane)
            self.own[lanes] += 1
        elif s.opcode.startswith("cp.async.commit_group"):
            for lane in lanes.tolist():
                self.copies[lane].append([])
        elif s.opcode.startswith(("cp.async.wait_group", "cp.async.wait_all")):
            self.wait(lanes, s.operands[0][1] if s.operands else -1)

    def wait(self, lanes: Array, pending: int) -> None:
        """All groups but the youngest; with -1 those that are not committed too."""
        self.own[lanes] += 1
        for lane in lanes.tolist():
            groups = self.copies[lane]
            done = groups[: len(groups) - 1 - pending] if pending >= 0 else groups
            for entry, k in self.land(lane, done):
                entry[8][k] = self.segment[self.m.block_of[lane]]
            self.learn(np.array([lane]), self.arrivals(lane))
            self.copies[lane] = groups[len(done) :] or [[]]

    def land(self, lane: int, groups: list[list[Any]]) -> list[Any]:
        """The copies of these groups are no longer under way for whoever knows of `landed`."""
        self.landed[lane] += 1
        under_way = [(entry, k) for group in groups for entry, k in group if entry[7][k] == NEVER]
        for entry, k in under_way:
            entry[7][k] = self.landed[lane]
        return under_way

    def arrivals(self, lane: int) -> Array:
        made = np.zeros_like(self.rows[0])
        made[self.size + lane] = self.landed[lane]
        return made

    def barrier_arrival(self, lanes: Array, numbers: Array) -> None:
        for block, number in {*zip(self.m.block_of[lanes].tolist(), numbers.tolist(), strict=True)}:
            some = lanes[(self.m.block_of[lanes] == block) & (numbers == number)]
            made = self.joined(some)
            before = self.arrived.get((block, number))
            self.arrived[block, number] = made if before is None else np.maximum(before, made)

    def barrier_release(self, lanes: Array, number: int) -> None:
        for block in np.unique(self.m.block_of[lanes]).tolist():
            some = lanes[self.m.block_of[lanes] == block]
            self.learn(some, self.arrived.pop((block, number)))
            if some.size == int(np.prod(self.m.block)):
                self.segment[block] += 1

    def meeting(self, s: "Statement", lanes: Array, mask: Array, values: list[Array]) -> None:
        """Of the instructions at which lanes meet only bar.warp orders memory."""
        self.now = s
        self.serial += 1
        self.quiet = s.parts[0] in ("ldmatrix", "stmatrix")
        if "warp" in s.parts:
            for warp, word in {*zip(self.m.warp_base[lanes].tolist(), mask.tolist(), strict=True)}:
                some = lanes[(self.m.warp_base[lanes] == warp) & (mask == word)]
                self.learn(some, self.joined(some))
        elif self.quiet:
            count = next(int(p[1:]) for p in s.parts if p in ("x1", "x2", "x4"))
            names = self.m.lane[lanes] < 8 * count
            kind = READ if s.parts[0] == "ldmatrix" else WRITE
            at = values[0][names].astype(I) & (1 << 56) - 1
            self.access("shared", self.m.block_of[lanes[names]], lanes[names], at, 16, kind)

    def memory(self, space: str, rows: Array, lanes: Array, at: Array, nbytes: int, write: bool) -> None:
        if self.now is None or self.quiet or space == "local":
            return
        parts = self.now.parts
        kind = WRITE if write else READ
        if parts[0] in ("atom", "red"):
            if not write:
                self.atomic(space, rows, lanes, at.astype(I), parts)
            kind = ATOMIC
        elif any(p in STRONG for p in parts):
            self.atomic(space, rows, lanes, at.astype(I), parts, write)
            kind = ATOMIC
        self.access(space, rows, lanes, at.astype(I), nbytes, kind)

    def atomic(self, space: str, rows: Array, lanes: Array, at: Array, parts: list[str], write: bool = True) -> None:
        gives, takes = {"release", "acq_rel"} & {*parts}, {"acquire", "acq_rel"} & {*parts}
        for lane, row, address in zip(lanes.tolist(), rows.tolist(), at.tolist(), strict=True):
            place = self.places.setdefault((space, row, address), np.zeros_like(self.rows[0]))
            if takes:
                self.learn(np.array([lane]), place)
            else:
                self.seen[lane] = np.maximum(self.seen.get(lane, place), place)
            if write and (gives or lane in self.fenced):
                self.places[space, row, address] = np.maximum(place, self.clock(lane) if gives else self.fenced[lane])
                self.own[lane] += 1

    def mbarrier(self, op: str, lane: int, key: tuple[int, int], done: bool, over: bool) -> None:
        """done: a wait whose phase is over; over: an arrival that ended the phase; "copies": the thread's arrive."""
        lanes = np.array([lane])
        if op in ("arrive", "copies"):
            if op == "copies":
                self.land(lane, self.copies[lane])
            came = self.joined(lanes) if op == "arrive" else self.arrivals(lane)
            self.phases[key] = np.maximum(self.phases.get(key, 0), came)
            if over:
                self.ended[key] = self.phases[key]
        elif done:
            self.learn(lanes, self.ended.get(key, self.rows[0]))
        elif "wait" in op:
            return
        # inval: libcu++ has one thread of a warp do it after a match.sync, which by the letter orders nothing
        kind = WRITE if op == "init" else ATOMIC
        self.access("shared", np.array([key[0]]), lanes, np.array([key[1]]), 8, kind)

    # ---------------------------------------------------------------- accesses
    def access(self, space: str, rows: Array, lanes: Array, at: Array, nbytes: int, kind: int) -> None:
        s = self.now
        assert s is not None
        copy = s.opcode.startswith("cp.async.c")
        segment = self.segment[self.m.block_of[lanes]]
        until = np.full(lanes.size, NEVER) if copy else self.own[lanes]
        made, start = (kind, s.line, self.serial, copy), (self.row[lanes], self.own[lanes].copy(), segment)
        last = np.full(lanes.size, NEVER) if copy else segment
        entry = [space, rows, lanes, at, nbytes, made, start, until, last]
        self.log.append(entry)
        if copy:
            for k, lane in enumerate(lanes.tolist()):
                self.copies[lane][-1].append((entry, k))
            if kind == WRITE:
                self.own[lanes] += 1
        if space == "shared":
            if (at + nbytes > self.m.shared_end).any():
                self.verdict.outside.add(s.line)
            cells = (rows[:, None], at[:, None] + np.arange(nbytes))
            if kind == READ and not self.written[space][cells].all():
                self.verdict.unwritten.add(s.line)
            elif kind != READ:
                self.written[space][cells] = True
        else:
            first, past = np.array(self.m.memory.allocated, I).T
            if not ((first <= at[:, None]) & (at[:, None] + nbytes <= past)).any(1).all():
                self.verdict.outside.add(s.line)

    def judge(self) -> Verdict:
        rows = np.stack(self.rows)
        for space in ("shared", "global"):
            entries = [e for e in self.log if e[0] == space]
            if not entries:
                continue
            unit = int(np.gcd.reduce([np.gcd.reduce(np.append(e[3], e[4])) for e in entries]))
            table = self.cells(entries, unit, space)
            columns = np.ascontiguousarray(table[:, 2:].T)
            for i, j in met(table):
                self.pairs(columns, i, j, rows, space)
        return self.verdict

    def cells(self, entries: list[list[Any]], unit: int, space: str) -> Array:
        """Accesses by cell and segment: thread, own, row, who ends them and when, kind, line, serial."""
        found = []
        for _, block, lanes, at, nbytes, (kind, line, serial, copy), (row, own, segment), until, last in entries:
            for k in range(nbytes // unit):
                one = np.empty((lanes.size, 11), I)
                cell = (block << 40) + at // unit + k
                columns = (
                    cell,
                    segment,
                    lanes,
                    own,
                    row,
                    lanes + self.size * copy,
                    until,
                    kind,
                    line,
                    serial,
                    np.minimum(last, self.segment.max()),
                )
                for c, column in enumerate(columns):
                    one[:, c] = column
                found.append(one)
        table = np.concatenate(found)
        if space == "global":
            table[:, [1, 10]] = 0
        longer = table[table[:, 10] > table[:, 1]]
        more = [table]
        while longer.size:
            longer[:, 1] += 1
            more.append(longer.copy())
            longer = longer[longer[:, 10] > longer[:, 1]]
        return np.unique(np.concatenate(more)[:, :10], axis=0)

    def pairs(self, columns: Array, i: Array, j: Array, rows: Array, space: str) -> None:
        """Judges accesses i, none of which reads, with those at j."""
        thread, own, row, agent, until, kind, line, serial = columns
        flies = agent != thread
        mine, in_warp = thread[i] == thread[j], thread[i] // 32 == thread[j] // 32
        after = np.where(mine & ~flies[i], own[j], rows[row[j], agent[i]]) >= until[i]
        before = np.where(mine & ~flies[j], own[i], rows[row[i], agent[j]]) >= until[j]
        together = in_warp & (serial[i] == serial[j]) & (~flies[i] | ~flies[j] | mine)
        apart = ~together & ~((kind[i] == ATOMIC) & (kind[j] == ATOMIC))
        free = apart & ~after & ~before
        self.verdict.ordered += int((apart & ~free & ~mine).sum())
        i, j, mine, in_warp = i[free], j[free], mine[free], in_warp[free]
        # the statements are ordered, and only the copy's end is not
        started = mine | (rows[row[j], thread[i]] >= own[i]) | (rows[row[i], thread[j]] >= own[j])
        where = np.full(i.size, WHERE.index("global")) if space == "global" else np.where(in_warp, 1, 0)
        where[(flies[i] | flies[j]) & started] = WHERE.index("flight")
        most = int(line.max()) + 1
        key = (where * most + np.minimum(line[i], line[j])) * most + np.maximum(line[i], line[j])
        for one, count in zip(*map(np.ndarray.tolist, np.unique(key, return_counts=True)), strict=True):
            self.verdict.races[WHERE[one // most**2], one // most % most, one % most] += count


def met(table: Array) -> Iterator[tuple[Array, Array]]:
    """Of cells that may have races: each access that does not read with each of its cell, some at a time."""
    starts = np.flatnonzero(np.append(True, (table[1:, :2] != table[:-1, :2]).any(1)))
    sizes = np.diff(starts, append=len(table))
    thread, agent, kind = table[:, 2], table[:, 5], table[:, 7]
    several = (thread != np.repeat(thread[starts], sizes)) | (agent != thread)
    plain, changing = kind != ATOMIC, kind != READ
    some = [np.logical_or.reduceat(one, starts) for one in (several, plain, changing)]
    cell = np.repeat(np.arange(starts.size), sizes)
    changing &= np.logical_and.reduce(some)[cell]
    each = np.flatnonzero(changing)
    size = sizes[cell[each]]
    for part in np.split(np.arange(each.size), np.flatnonzero(np.diff(size.cumsum() // AT_ONCE)) + 1):
        count = size[part]
        first = starts[cell[each[part]]] - count.cumsum() + count
        yield np.repeat(each[part], count), np.repeat(first, count) + np.arange(count.sum())


def judged(
    ptx: str, kernel: str, grid: Any, block: Any, arguments: list[Any], shared_bytes: int = 0, most_turns: int = 10**6
) -> Verdict:
    """The verdict on a launch; `failed` says what stopped it."""
    seen: list[Order] = []

    def watch(m: "Machine") -> Order:
        return seen.append(Order(m)) or seen[0]

    try:
        run(ptx, kernel, grid, block, arguments, shared_bytes, watch=watch, most_turns=most_turns)
    except (ProgramError, KeyError) as error:
        if not seen:
            raise
        seen[0].verdict.failed = str(error)
    return seen[0].judge()
