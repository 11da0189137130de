"""Rules of execute and traffic: arguments in lent storage, in strange clothes, hostile, or changed while they are used."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws
from warpsim.memory.memory import SHARED_WINDOW

from . import hostile
from .samples import FAST, OPS, OPS_OF, TARGETS
from .session import CANARY, Nothing, Session

CALLS = 8  # of one case
SHAPES: tuple[tuple[int, ...], ...] = ((), (), (), (1,), (2,), (3,), (2, 2), (0,), (1, 0))
GLOBAL_BASE = 0x7F00_0000_0000
LANE = np.arange(32)
WMMA = tuple(op for op in OPS if op.is_wmma)
OTHERS = tuple(op for op in OPS if not op.is_wmma)
BOTH = ("memory", "address")


def any_op(random: Random) -> ws.DataMovement:
    """Any form; of wmma fewer, since what is undefined about one takes milliseconds to tell."""
    return random.choice(WMMA if random.random() < 0.06 else random.choice((OTHERS, FAST)))


class Case:
    """Calls of execute: good arguments, all in the arena."""

    def __init__(self, session: Session, op: ws.DataMovement) -> None:
        random = session.random
        self.session, self.op, self.arena = session, op, session.arena
        self.batch = random.choice(SHAPES)
        self.base = random.choice((0, 0, 0, 1024))
        self.memory = self._memory()
        self.address = self._addresses("address", *self._place())
        self.options: dict[str, Any] = {}
        if op.kind == "cp.async":
            self.options["source"] = self._addresses("source", np.uint64, GLOBAL_BASE, 1024)
        if op.is_wmma and random.random() < 0.5:
            stride = op.default_stride or 16
            strides = (stride, stride + 8, stride + 1, 0, -stride, 2**31, 2**32 - 1, np.full((*self.batch, 32), stride))
            self.options["stride"] = random.choice(strides)
        self.shape = (*self.batch, 32, op.num_registers)
        self.type = np.uint64 if op.register_bits == 64 else np.uint32
        if op.kind in ("stmatrix", "st", "movmatrix", "wmma.store"):
            self.options["registers"] = self.arena.array("registers", self.type, self.shape)
        self.lasting = tuple(self.options)
        self.change()

    def change(self) -> None:
        """Other options, and another address in one lane: what is cheap to make."""
        random = self.session.random
        self.options = {name: value for name, value in self.options.items() if name in self.lasting}
        if self.address is not None and self.address.size:
            flat = self.address.reshape(-1)
            other = int(flat[random.randrange(flat.size)]) ^ random.choice((0, 0, 0, 16, 64, 1, 1 << 20))
            flat[random.randrange(flat.size)] = other
        active = random.choice((0, 1, 0xFFFF, 0xFFFF_FFFE, 0xFFFF_FFFF))
        some: dict[str, tuple[float, Any]] = {
            "active": (0.2, random.choice((active, np.full(self.batch, active, np.uint32)))),
            "exited": (0.1, random.choice((0, 1, 0x8000_0000))),
            "on_ub": (0.5, random.choice(("record", "record", "raise", "hardware"))),
            "target": (0.2, random.choice(("sm_90", "sm_90", *TARGETS))),
            "traffic": (0.3, random.random() < 0.5),
            "threads": (0.1, random.randint(1, 3)),
        }
        self.options |= {name: value for name, (share, value) in some.items() if random.random() < share}
        if not self.op.writes_memory and random.random() < 0.4:
            self.options["out"] = self.arena.array("out", self.type, self.shape)

    def _memory(self) -> Any:
        random, op = self.session.random, self.op
        if op.kind == "movmatrix":
            return None
        shared = ws.SharedMemory(self.arena.slot("memory"), base=self.base)
        global_ = ws.GlobalMemory(self.arena.slot("global"), base=GLOBAL_BASE)
        if op.space == "global" and op.kind != "cp.async" and random.random() < 0.7:
            return global_
        if op.kind == "cp.async" or op.space in ("", "global") or random.random() < 0.1:
            return ws.AddressSpace(shared, global_)
        return shared

    def _place(self) -> tuple[Any, int, int]:
        """Width, first address and size of where the addresses go."""
        op = self.op
        if op.kind == "cp.async" or op.space.startswith("shared"):
            return np.uint32, self.base, 2048
        if op.space == "global" or self.session.random.random() < 0.3:
            return np.uint64, GLOBAL_BASE, 1024
        return np.uint64, SHARED_WINDOW + self.base, 2048

    def _addresses(self, slot: str, dtype: Any, base: int, size: int) -> Any:
        if self.op.kind == "movmatrix":
            return None
        random, unit = self.session.random, max(1, self.op.access_bytes)
        lanes, units = 1 if self.op.is_wmma else 32, size // unit
        patterns = (np.arange(lanes), np.array([random.randrange(units) for _ in range(lanes)]), np.zeros(lanes))
        values = (random.choice(patterns).astype(np.int64) % units) * unit + base
        if random.random() < 0.1:  # a fault somewhere
            values[random.randrange(lanes)] += random.choice((1, size, size - 1, 2**31, 2**32 - unit))
        found = self.arena.array(slot, dtype, (*self.batch, lanes))
        with np.errstate(over="ignore"):
            found[...] = values.astype(np.uint64).astype(dtype)
        return found

    def writes(self) -> tuple[str, ...]:
        """The slots of the arena that the call may write."""
        if self.op.writes_memory:
            return ("memory",) if self.op.kind == "cp.async" else ("memory", "global")
        return ("out",) if "out" in self.options else ()

    def execute(self, **changed: Any) -> Any:
        """The call, with some arguments changed."""
        options = {**self.options, **changed}
        address = options.pop("address", self.address)
        name, call = "DataMovement.execute", self.op.execute
        return self.session.call(name, call, (self.memory, address), options, words=BOTH, writes=self.writes())

    def check(self, result: Any) -> None:
        """What was answered has the shapes that were asked for."""
        if isinstance(result, Nothing):
            return
        out, registers = self.options.get("out"), result.registers
        good = np.shape(result.ok) == self.batch and (registers is None) == self.op.writes_memory
        if registers is not None:
            good = good and registers.shape == self.shape and registers.dtype == self.type
        good = good and (out is None or registers is out)
        good = good and (result.traffic is None or result.traffic.wavefronts.shape == self.batch)
        self.session.check("shapes of a result", bool(good), lambda: f"{self.op} {self.batch}: {result!r:.300}")


def same(a: Any, b: Any) -> bool:
    """Two answers of one call are equal in everything."""
    if isinstance(a, Nothing) or isinstance(b, Nothing):
        return isinstance(a, Nothing) and isinstance(b, Nothing) and a.kind == b.kind
    if not isinstance(a, ws.Result):
        return bool(a == b)
    equal = a.findings == b.findings and a.traffic == b.traffic and np.array_equal(a.ok, b.ok)
    return bool(equal and (a.registers is b.registers or np.array_equal(a.registers, b.registers)))


def execute(session: Session) -> None:
    """Good arguments, lent."""
    case = Case(session, any_op(session.random))
    for _ in range(CALLS):
        case.check(case.execute())
        case.change()


def dressed(session: Session) -> None:
    """The same values in strange clothes, or lying in the memory, give the same answer as plain arrays."""
    random, case = session.random, Case(session, any_op(session.random))
    case.options.pop("out", None)
    given = {"address": case.address, **case.options}
    names = [name for name in ("address", "source", "registers") if given.get(name) is not None]
    if not names:
        return
    name, kind = random.choice(names), random.choice((*hostile.VIEW_KINDS, "in the memory"))
    value, before = given[name], session.arena.block.copy()
    if kind == "in the memory":
        if value.nbytes > 2048 or case.memory is None:
            return
        strange = session.arena.array("memory", value.dtype, value.shape)
        strange[...] = value
        value, before = value.copy(), session.arena.block.copy()
    else:
        strange = hostile.VIEWS[kind](value)
    expected = case.execute(**{name: value})
    after = session.arena.block.tobytes()
    session.arena.block[:] = before
    found = case.execute(**{name: strange})
    session.tally.kinds[kind] += 1
    if kind == "int64" and isinstance(found, Nothing):
        return  # registers and addresses beyond 63 bits have no int64
    good = same(expected, found) and session.arena.block.tobytes() == after
    session.check("strange views", good, lambda: f"{case.op} {name} as {kind}: {expected!r:.300} {found!r:.300}")
    if name == "address" and kind != "in the memory":
        options = {n: v for n, v in case.options.items() if n in ("source", "stride", "active")}
        counts = [
            session.call("DataMovement.traffic", case.op.traffic, (a,), options, words=BOTH) for a in (value, strange)
        ]
        fine = same(*counts) or kind == "int64"
        session.check("traffic of strange views", fine, lambda: f"{case.op} {kind} {counts}")


def hostile_execute(session: Session) -> None:
    """One or two arguments of a good call are anything at all; of traffic the same."""
    random, case = session.random, Case(session, any_op(session.random))
    for _ in range(CALLS):
        everything = {"memory": case.memory, "address": case.address, **case.options}
        honest_out = everything.get("out")
        for name in ("registers", "source", "stride", "out", "threads", "target", "on_ub", "active"):
            if random.random() < 0.15:
                everything.setdefault(name, {"on_ub": "raise", "threads": 1}.get(name))
        session.spoil(everything, list(everything))
        if random.random() < 0.02:
            everything["nonsense"] = 1
        writes = case.writes() if everything.get("out") is honest_out else ()
        if random.random() < 0.25:
            names = ("address", "source", "stride", "active", "target", "threads")
            session.call(
                "DataMovement.traffic", case.op.traffic, (), {n: v for n, v in everything.items() if n in names}
            )
        else:
            session.call("DataMovement.execute", case.op.execute, (), everything, writes=writes)
        case.change()


def mnemonics(session: Session) -> None:
    """The functions named by mnemonic, in most calls with something hostile."""
    kind = session.random.choice(tuple(MNEMONICS))
    op, function = session.random.choice(OPS_OF[kind]), MNEMONICS[kind]
    case = Case(session, op)
    everything = {name: getattr(op, name) for name in type(op)._fields} | case.options
    registers = [everything.pop("registers")] if "registers" in everything else []
    args = registers if op.kind == "movmatrix" else [case.memory, case.address, *registers]
    honest_out = everything.get("out")
    if session.random.random() < 0.7:
        session.spoil(everything, list(everything))
    writes = case.writes() if everything.get("out") is honest_out else ()
    session.call(function.__name__, function, args, everything, words=(*BOTH, "registers"), writes=writes)


MNEMONICS: dict[str, Callable[..., Any]] = {
    "ldmatrix": ws.ldmatrix,
    "stmatrix": ws.stmatrix,
    "movmatrix": ws.movmatrix,
    "wmma.load": ws.wmma_load,
    "wmma.store": ws.wmma_store,
}


def many_warps(session: Session) -> None:
    """Batches beyond what one thread takes at once, and what lies around their arrays."""
    random, op = session.random, session.random.choice(FAST)
    warps, threads = random.choice((64, 65, 130)), random.choice((1, 2, 5, 64))
    address = np.array([random.randrange(128) * 16 for _ in range(32)], np.uint32)
    memory = ws.SharedMemory(session.arena.slot("memory"))
    wide = np.full(warps * 32 * op.num_registers + 32, CANARY, np.uint64 if op.register_bits == 64 else np.uint32)
    out: NDArray[Any] = wide[16:-16].reshape(warps, 32, op.num_registers)
    call = (memory, np.ascontiguousarray(np.broadcast_to(address, (warps, 32))))
    result = session.call("DataMovement.execute", op.execute, call, {"out": out, "threads": threads}, words=BOTH)
    if isinstance(result, Nothing):
        return
    untouched = bool((wide[:16] == CANARY).all() and (wide[-16:] == CANARY).all())
    session.check("bytes around out", untouched, lambda: f"{op} x{warps}, {threads} threads")
    good = bool((out == op.execute(memory, address).registers).all())
    session.check("threads against one warp", good, lambda: f"{op} x{warps}, {threads} threads")


class Saboteur:
    """An int that does something when it is asked for its value."""

    def __init__(self, value: int, act: Callable[[], object]) -> None:
        self.value, self.act = value, act

    def __index__(self) -> int:
        self.act()
        return self.value


def sabotaged(session: Session) -> None:
    """An argument that changes another one when it is read."""
    random, op = session.random, session.random.choice(FEW)
    storage = np.zeros(4096, np.uint8)
    memory = ws.SharedMemory(storage)
    address = (LANE[: 1 if op.is_wmma else 32] * 16).astype(np.uint32)
    registers = np.zeros((32, op.num_registers), np.uint32)
    act = random.choice(
        (
            lambda: storage.resize(random.choice((0, 16, 4095, 1 << 22)), refcheck=False),
            lambda: address.resize(random.choice((0, 1)), refcheck=False),
            lambda: address.fill(0xFFFF_FFF0),
            lambda: registers.resize(0, refcheck=False),
            lambda: memory.__init__(8),
        )
    )
    honest: dict[str, int] = {"active": 0xFFFF_FFFF, "exited": 0, "threads": 1, "target": 0}
    if op.is_wmma:
        honest["stride"] = 16
    name = random.choice((*honest, "traffic", "before the call"))
    options: dict[str, Any] = {name: Saboteur(honest[name], act)} if name in honest else {}
    if name == "traffic":
        options["traffic"] = hostile.Evil(random, "mischief")
        hostile.MISCHIEF[0] = act
    if name == "before the call":
        storage.resize(random.choice((0, 100, 1 << 20)), refcheck=False)
    options["registers" if op.writes_memory else "out"] = registers
    try:
        session.call("DataMovement.execute", op.execute, (memory, address), options, words=BOTH)
    finally:
        hostile.MISCHIEF[0] = session.mischief


FEW = (ws.Ldmatrix(num=4), ws.Ld(vec=4), ws.Ld(), ws.St(), ws.Stmatrix(num=2), ws.WmmaLoad())


def orphaned(session: Session) -> None:
    """The last reference to everything goes; what was given back still stands."""
    op = session.random.choice(FEW[:3])
    memory = ws.SharedMemory(np.full(4096, 5, np.uint8))
    address = np.stack([LANE.astype(np.uint32) * 16] * session.random.choice((1, 3)))
    name = "DataMovement.execute"
    result = session.call(name, op.execute, (memory, address), words=BOTH)
    bad = session.call(name, op.execute, (memory, address + 5000), {"on_ub": "record"}, words=BOTH)
    view = memory.view("u1", 64)
    del memory, address
    good = (result.registers & 255 == 5).all() and len([str(f) for f in bad.findings]) > 0 and (view == 5).all()
    session.check("what outlives its arguments", bool(good), lambda: f"{op}")
