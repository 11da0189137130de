"""Rules of execute and traffic: arguments in lent storage, in strange clothes, or hostile."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws
from tests.reference import matrices, plain
from tests.reference.memory import Memory as ReferenceMemory
from warpsim.memory.memory import SHARED_WINDOW

from .hostile import VIEW_KINDS, VIEWS
from .samples import FAST, OPS, OPS_OF, TARGETS
from .session import Broken, Nothing, Session

CALLS = 8  # of one case
SHAPES: tuple[tuple[int, ...], ...] = ((), (), (), (1,), (2,), (3,), (2, 2), (0,), (1, 0))
MOST = 4  # warps of a slot
GLOBAL_BASE = 0x7F00_0000_0000


WMMA = tuple(op for op in OPS if op.is_wmma)
OTHERS = tuple(op for op in OPS if not op.is_wmma)


def _any_op(random: Random) -> ws.Instruction:
    """Any form; of wmma fewer, since what is undefined about one takes milliseconds to tell."""
    return random.choice(WMMA if random.random() < 0.06 else OTHERS)


class Case:
    """One call of execute: good arguments, all in the arena."""

    def __init__(self, session: Session, op: ws.Instruction) -> None:
        random = session.random
        self.session, self.op = session, op
        self.batch = random.choice(SHAPES)
        self.shared_base = random.choice((0, 0, 0, 1024))
        self.memory_slot = "memory"
        self.memory = self._memory()
        self.address = self._addresses("address", *self._place())
        self.options: dict[str, Any] = {}
        if op.kind == "cp.async":
            self.options["source"] = self._addresses("source", np.uint64, GLOBAL_BASE, 1024)
        if op.is_wmma:
            self._wmma()
        bits, registers = op.register_bits, None
        self.register_shape = (*self.batch, 32, op.num_registers)
        self.register_type = np.uint64 if bits == 64 else np.uint32
        if op.kind in ("stmatrix", "st", "movmatrix", "wmma.store"):
            registers = session.arena.array("registers", self.register_type, self._fit())
            registers.reshape(-1).view(np.uint8)[:] = random.getrandbits(8)
        self.registers = registers
        self._masks()

    def change(self) -> None:
        """Other options, and another address in one lane: what is cheap to make."""
        self.options = {n: v for n, v in self.options.items() if n in ("source", "stride")}
        random, address = self.session.random, self.address
        if address is not None and address.size:
            flat = address.reshape(-1)
            lane = random.randrange(flat.size)
            flat[lane] = int(flat[random.randrange(flat.size)]) ^ random.choice(
                (0, 0, 0, 16, 64, 1, 1 << 20)
            )
        self._masks()

    def _fit(self) -> tuple[int, ...]:
        return self.register_shape

    def _memory(self) -> Any:
        arena, op = self.session.arena, self.op
        if op.kind == "movmatrix":
            return None
        shared = ws.SharedMemory(arena.slot("memory"), base=self.shared_base)
        if op.space == "global" and op.kind != "cp.async" and self.session.random.random() < 0.7:
            return ws.GlobalMemory(arena.slot("global"), base=GLOBAL_BASE)
        if (
            op.kind == "cp.async"
            or op.space in ("", "global")
            or self.session.random.random() < 0.1
        ):
            return ws.AddressSpace(shared, ws.GlobalMemory(arena.slot("global"), base=GLOBAL_BASE))
        return shared

    def _place(self) -> tuple[Any, int, int]:
        """Width, first address and size of where the addresses go."""
        op = self.op
        if op.kind == "cp.async" or op.space.startswith("shared"):
            return np.uint32, self.shared_base, 2048
        if op.space == "global" or self.session.random.random() < 0.3:
            return np.uint64, GLOBAL_BASE, 1024
        return np.uint64, SHARED_WINDOW + self.shared_base, 2048

    def _addresses(self, slot: str, dtype: Any, base: int, size: int) -> Any:
        if self.op.kind == "movmatrix":
            return None
        random, unit = self.session.random, max(1, self.op.access_bytes)
        lanes = 1 if self.op.is_wmma else 32
        found = self.session.arena.array(slot, dtype, (*self.batch, lanes))
        units = size // unit
        mode = random.randrange(10)
        if mode < 3:
            values = np.arange(lanes) % units
        elif mode < 6:
            values = np.array([random.randrange(units) for _ in range(lanes)])
        elif mode == 6:
            values = np.full(lanes, random.randrange(units))
        else:
            values = np.arange(lanes)[::-1] % units
        values = values.astype(np.int64) * unit + base
        if mode == 9:  # a fault somewhere
            bad = (1, size, size - 1, 2**31, 2**32 - unit)
            values[random.randrange(lanes)] += random.choice(bad)
        with np.errstate(over="ignore"):
            found[...] = values.astype(np.uint64).astype(dtype)
        return found

    def _wmma(self) -> None:
        stride = self.op.default_stride or 16
        random = self.session.random
        if random.random() < 0.5:
            stride = random.choice(
                (stride, stride + 8, stride + 1, 0, -stride, 2**31, 2**32 - 1, 16)
            )
            self.options["stride"] = stride
            if random.random() < 0.3:
                self.options["stride"] = np.full(
                    (*self.batch, 32), min(stride, 2**31 - 1), np.int64
                )

    def _masks(self) -> None:
        random = self.session.random
        if random.random() < 0.2:
            self.options["active"] = random.choice((0, 1, 0xFFFF, 0xFFFF_FFFE, 0xFFFF_FFFF))
            if random.random() < 0.5:
                self.options["active"] = np.full(self.batch, self.options["active"], np.uint32)
        if random.random() < 0.1:
            self.options["exited"] = random.choice((0, 1, 0x8000_0000))
        if random.random() < 0.5:
            self.options["on_ub"] = random.choice(("record", "record", "raise", "hardware"))
        if random.random() < 0.2:
            self.options["target"] = random.choice(("sm_90", "sm_90", *TARGETS))
        if random.random() < 0.3:
            self.options["traffic"] = random.random() < 0.5
        if random.random() < 0.1:
            self.options["threads"] = random.randint(1, 3)
        if not self.op.writes_memory and random.random() < 0.4:
            self.options["out"] = self._out()

    def _out(self) -> NDArray[Any]:
        """A right one, or one that lies over the memory or the addresses."""
        session = self.session
        slot = "out"
        if (
            session.random.random() < 0.2
            and self.op.num_registers
            and self._register_bytes() <= 1024
        ):
            slot = session.random.choice(("memory", "address", "registers"))
        out = session.arena.array(slot, self.register_type, self.register_shape)
        self.out_slot = slot
        return out

    def _register_bytes(self) -> int:
        return int(np.prod(self.register_shape)) * np.dtype(self.register_type).itemsize

    def given(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments, as most callers write them."""
        options = dict(self.options)
        if self.registers is not None:
            options["registers"] = self.registers
        return (self.memory, self.address), options

    def writes(self) -> list[tuple[int, int]]:
        """The parts of the arena that the call may write."""
        place = self.session.arena.place
        if self.op.writes_memory:
            slots = {"memory"} if self.op.kind == "cp.async" else {"memory", "global"}
            return [place[name] for name in slots]
        out = self.options.get("out")
        if isinstance(out, np.ndarray) and out.size:
            begin = out.ctypes.data - self.session.arena.block.ctypes.data
            return [(begin, begin + out.nbytes)]
        return []


def same_result(a: Any, b: Any) -> bool:
    """Two results of one call: equal in everything."""
    if isinstance(a, Nothing) or isinstance(b, Nothing):
        return isinstance(a, Nothing) and isinstance(b, Nothing) and a.kind == b.kind
    registers = (a.registers is None) == (b.registers is None) and (
        a.registers is None or np.array_equal(a.registers, b.registers)
    )
    traffic = (a.traffic is None) == (b.traffic is None) and (
        a.traffic is None or a.traffic == b.traffic
    )
    return bool(registers and traffic and np.array_equal(a.ok, b.ok) and a.findings == b.findings)


def _call(session: Session, case: Case, args: Any, options: Any, **more: Any) -> Any:
    names = ("memory", "address")
    return session.call("Instruction.execute", case.op.execute, args, options, words=names, **more)


def execute(session: Session) -> None:
    """Good arguments, lent; now and then with a check of the answer."""
    random = session.random
    case = Case(session, random.choice(FAST) if random.random() < 0.4 else _any_op(random))
    for _ in range(CALLS):
        _execute_once(session, case)
        case.change()


def _execute_once(session: Session, case: Case) -> None:
    random = session.random
    args, options = case.given()
    turn = random.randrange(40)
    counts = _references(args, options) if turn < 8 else None
    result = _call(session, case, args, options, writes=case.writes())
    if turn == 8 and not isinstance(result, Nothing):
        _check_against_oracle(session, case, result)
    elif turn == 9:
        _check_warp_by_warp(session, case, result)
    if not isinstance(result, Nothing) and turn < 20:
        _check_shapes(session, case, result)
    if counts is not None:
        del result
        _compare_references(session, counts, args, options)


def _references(args: Any, options: Any) -> list[int]:
    return [sys.getrefcount(v) for v in (*args, *options.values()) if _counted(v)]


def _counted(value: Any) -> bool:
    return isinstance(value, np.ndarray | ws.SharedMemory | ws.GlobalMemory)


def _compare_references(session: Session, before: list[int], args: Any, options: Any) -> None:
    after = [sys.getrefcount(v) for v in (*args, *options.values()) if _counted(v)]
    session.check("reference counts", after == before, lambda: f"{before} before, {after} after")


def _check_shapes(session: Session, case: Case, result: Any) -> None:
    op = case.op
    if op.writes_memory:
        session.check("registers of stores", result.registers is None, lambda: f"{op}: {result}")
    else:
        registers = result.registers
        good = registers.shape == case.register_shape and registers.dtype == case.register_type
        session.check("shape of registers", good, lambda: f"{op}: {registers.shape}")
        if "out" in case.options:
            session.check("registers are out", registers is case.options["out"], lambda: f"{op}")
    session.check("shape of ok", np.shape(result.ok) == case.batch, lambda: f"{op}: {result.ok!r}")
    if result.traffic is not None:
        waves = result.traffic.wavefronts
        session.check("shape of traffic", waves.shape == case.batch, lambda: f"{op}: {waves.shape}")


def _check_against_oracle(session: Session, case: Case, result: Any) -> None:
    """Loads from shared memory against the slow reference."""
    op = case.op
    if (
        op.kind not in ("ldmatrix", "ld")
        or not op.space.startswith("shared")
        or "out" in case.options
    ):
        return
    if case.options.get("on_ub") == "hardware":  # its answers are the silicon's
        return
    memory = ReferenceMemory(bytearray(session.arena.slot("memory").tobytes()), case.shared_base)
    active = np.broadcast_to(case.options.get("active", 0xFFFF_FFFF), case.batch)
    exited = case.options.get("exited", 0)
    for where in np.ndindex(case.batch):
        running = int(active[where]) & ~exited & 0xFFFF_FFFF
        if not result.ok[where] or (op.kind == "ldmatrix" and running != 0xFFFF_FFFF):
            continue
        address = case.address[where].tolist()
        if op.kind == "ldmatrix":
            expected = matrices.ldmatrix(
                memory, address, shape=op.shape, num=op.num, trans=op.trans, type=op.type
            )
        else:
            expected = plain.ld(
                memory, address, vec=op.vec, type=op.type, active=int(active[where]), exited=exited
            )
        good = result.registers[where].tolist() == expected
        session.check("warps against the oracle", good, lambda: f"{op} at {address}")


def _check_warp_by_warp(session: Session, case: Case, result: Any) -> None:
    """A batch of loads gives what its warps give alone."""
    if case.op.writes_memory or case.address is None or "out" in case.options:
        return
    if isinstance(result, Nothing) or case.options.get("on_ub") == "hardware":
        return
    for where in np.ndindex(case.batch):
        options = {
            name: value[where] if isinstance(value, np.ndarray) else value
            for name, value in case.options.items()
        }
        alone = case.op.execute(case.memory, case.address[where], **options)
        good = (
            np.array_equal(alone.registers, result.registers[where])
            and alone.ok == result.ok[where]
        )
        if alone.traffic is not None:
            good = good and alone.traffic.wavefronts == result.traffic.wavefronts[where]
        session.check("warps alone against the batch", bool(good), lambda: f"{case.op} {where}")


def dressed(session: Session) -> None:
    """The same values in strange clothes give the same answer as plain arrays."""
    random = session.random
    case = Case(session, _any_op(random))
    case.options.pop("out", None)
    args, options = case.given()
    places = [name for name in ("address", "source", "registers") if options.get(name) is not None]
    if case.address is not None:
        places.append("address")
    if not places:
        return
    name = random.choice(places)
    kind = random.choice(VIEW_KINDS)
    held = session.arena.bytes()
    expected = _call(session, case, args, options, writes=case.writes())
    after = session.arena.bytes()
    session.arena.block[:] = np.frombuffer(held, np.uint8)
    value = case.address if name == "address" else options[name]
    if not value.size and kind in ("list", "tuple"):  # their shapes are lost
        kind = "copy"
    strange = VIEWS[kind](value, random)
    session.tally.kinds[name].add(kind)
    if name == "address":
        args = (args[0], strange)
    else:
        options = {**options, name: strange}
    found = _call(session, case, args, options, writes=case.writes())
    if kind == "int64" and isinstance(expected, Nothing) != isinstance(found, Nothing):
        return  # registers and addresses beyond 63 bits have no int64
    session.check(
        "strange views", same_result(expected, found) and session.arena.bytes() == after,
        lambda: f"{case.op} {name} as {kind}: {expected!r:.300} {found!r:.300}",
    )  # fmt: skip


def overlapping(session: Session) -> None:
    """Registers and addresses that lie in the memory: as if they had been copied first."""
    random = session.random
    case = Case(session, _any_op(random))
    if case.memory is None or case.address is None or not case.address.size:
        return
    case.options.pop("out", None)
    moved = _into_memory(session, case, random)
    held = session.arena.bytes()
    args, options = case.given()
    copies = {
        name: value.copy() if isinstance(value, np.ndarray) and name != "out" else value
        for name, value in options.items()
    }
    place = session.arena.place["memory"]
    if "out" in copies:
        copies["out"] = np.zeros(case.register_shape, case.register_type)
        copies["out"][...] = options["out"]
    expected = _call(session, case, (args[0], args[1].copy()), copies, writes=case.writes())
    after = session.arena.slot("memory").copy()
    session.arena.block[:] = np.frombuffer(held, np.uint8)
    found = _call(session, case, args, options, writes=[*case.writes(), place])
    memory_is_right = bool("out" in options or np.array_equal(after, session.arena.slot("memory")))
    session.check(
        "overlapping storage", same_result(expected, found) and memory_is_right,
        lambda: f"{case.op}: {moved} in the memory: {expected!r:.300} {found!r:.300}",
    )  # fmt: skip


def _into_memory(session: Session, case: Case, random: Random) -> str:
    """Moves one argument into the slot of the memory."""
    size = case._register_bytes()
    if not case.op.writes_memory and 0 < size <= 2048 and random.random() < 0.6:
        case.options["out"] = session.arena.array("memory", case.register_type, case.register_shape)
        return "out"
    if case.registers is not None and 0 < size <= 2048 and random.random() < 0.5:
        inside = session.arena.array("memory", case.register_type, case.register_shape)
        case.registers = inside
        return "registers"
    inside = session.arena.array("memory", case.address.dtype, case.address.shape)
    inside[...] = case.address
    case.address = inside
    return "address"


def hostile_execute(session: Session) -> None:
    """One or two arguments of a good call are anything at all."""
    random = session.random
    case = Case(session, _any_op(random))
    for _ in range(CALLS):
        _hostile_once(session, case)
        case.change()


def _hostile_once(session: Session, case: Case) -> None:
    random = session.random
    args, options = case.given()
    everything = {"memory": args[0], "address": args[1], **options}
    for name in ("registers", "source", "stride", "out", "threads", "target", "on_ub", "active"):
        if random.random() < 0.15:
            everything.setdefault(name, None if name != "on_ub" else "raise")
    if not isinstance(everything.get("threads", 1), int):
        del everything["threads"]
    session.spoil(everything)
    if random.random() < 0.02:
        everything["nonsense"] = 1
    writes = case.writes()
    if random.random() < 0.5:
        args = (everything.pop("memory"), everything.pop("address"))
    else:
        args = ()
    out = everything.get("out")
    if isinstance(out, np.ndarray) and out is not case.options.get("out"):
        writes = []
    _call(session, case, args, everything, writes=writes)


def hostile_out(session: Session) -> None:
    """Registers to be filled that are not what they should be."""
    random = session.random
    case = Case(session, random.choice(FAST))
    kind = random.choice(tuple(OUTS))
    right = session.arena.array("out", case.register_type, case.register_shape)
    case.options["out"] = right
    out = OUTS[kind](right)
    case.options["out"] = out
    session.tally.kinds["out"].add(kind)
    args, options = case.given()
    result = _call(session, case, args, options, writes=case.writes())
    if not isinstance(result, Nothing) and isinstance(result.registers, np.ndarray):
        options = {name: value for name, value in options.items() if name != "out"}
        expected = _call(session, case, args, options)
        good = (
            isinstance(expected, Nothing)
            or case.options.get("active") is not None
            or (np.array_equal(np.asarray(result.registers), expected.registers))
        )
        on_hardware = case.options.get("on_ub") == "hardware" or case.options.get("exited")
        session.check("strange out", bool(good or on_hardware), lambda: f"{case.op} {kind}")


def _lying(out: NDArray[Any]) -> Any:
    """A subclass that claims the right shape for a quarter of the bytes."""
    shape, dtype = out.shape, out.dtype

    class Claims(np.ndarray):
        @property
        def shape(self) -> Any:
            return shape

        @property
        def dtype(self) -> Any:
            return dtype

        @property
        def size(self) -> Any:
            return int(np.prod(shape))

    return np.zeros(2, out.dtype).view(Claims)


def _read_only(out: NDArray[Any]) -> Any:
    view = out[...]
    view.flags.writeable = False
    return view


OUTS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "right": lambda out: out,
    "big-endian": lambda out: out.view(out.dtype.newbyteorder(">")),
    "signed": lambda out: out.view(np.dtype(f"i{out.itemsize}")),
    "float": lambda out: out.view(np.dtype(f"f{out.itemsize}")),
    "strided": lambda out: np.zeros((*out.shape, 2), out.dtype)[..., 0],
    "negative stride": lambda out: out[..., ::-1, :],
    "Fortran order": lambda out: np.asfortranarray(out),
    "broadcast": lambda out: np.lib.stride_tricks.as_strided(out, out.shape, (0,) * out.ndim),
    "read-only": _read_only,
    "too small": lambda out: out[..., :1, :],
    "too many axes": lambda out: out[..., None],
    "flat": lambda out: out.reshape(-1),
    "subclass": lambda out: out.view(type("Plain", (np.ndarray,), {})),
    "misaligned": lambda out: (
        np.zeros(out.nbytes + 1, np.uint8)[1:].view(out.dtype).reshape(out.shape)
    ),
    "lying subclass": _lying,
    "memoryview": lambda out: memoryview(out) if out.size else out,
    "list": lambda out: out.tolist(),
    "matrix": lambda out: np.zeros((32, out.shape[-1]), out.dtype).view(np.matrix),
}


def traffic(session: Session) -> None:
    """Counting: plain, in strange clothes, hostile."""
    random = session.random
    case = Case(session, random.choice(FAST) if random.random() < 0.3 else _any_op(random))
    for _ in range(CALLS):
        _traffic_once(session, case)
        case.change()


def _traffic_once(session: Session, case: Case) -> None:
    random = session.random
    options = {
        n: v
        for n, v in case.options.items()
        if n in ("source", "stride", "active", "target", "threads")
    }
    address = case.address
    name, call = "Instruction.traffic", case.op.traffic
    expected = session.call(name, call, (address,), options, words=("address",))
    if address is None or isinstance(expected, Nothing):
        return
    if random.random() < 0.4:
        kind = random.choice(VIEW_KINDS)
        if not address.size and kind in ("list", "tuple"):
            kind = "copy"
        strange = VIEWS[kind](address, random)
        session.tally.kinds["address"].add(kind)
        found = session.call(name, call, (strange,), options, words=("address",))
        good = isinstance(found, Nothing) == isinstance(expected, Nothing) and found == expected
        fine = good or (kind == "int64" and isinstance(found, Nothing))
        session.check("traffic of strange views", fine, lambda: f"{case.op} {kind} {found!r:.200}")
    else:
        everything = {"address": address, **options}
        session.spoil(everything)
        session.call(name, call, (), everything)


def mnemonics(session: Session) -> None:
    """The functions named by mnemonic do what the methods do."""
    random = session.random
    kind = random.choice(tuple(MNEMONICS))
    op, function = random.choice(OPS_OF[kind]), MNEMONICS[kind]
    fields = {name: getattr(op, name) for name in type(op)._fields}
    case = Case(session, op)
    args, options = case.given()
    if op.kind == "movmatrix":
        args = (options.pop("registers"),)
    elif op.writes_memory:
        args = (*args, options.pop("registers"))
    everything = {**fields, **options}
    is_good = random.random() < 0.3
    if not is_good:
        session.spoil(everything)
    words = ("memory", "address", "registers", *everything)
    writes = case.writes() if everything.get("out") is case.options.get("out") else []
    if op.writes_memory:
        writes = case.writes()
    session.call(function.__name__, function, args, everything, words=words, writes=writes)


MNEMONICS: dict[str, Callable[..., Any]] = {
    "ldmatrix": ws.ldmatrix,
    "stmatrix": ws.stmatrix,
    "movmatrix": ws.movmatrix,
    "wmma.load": ws.wmma_load,
    "wmma.store": ws.wmma_store,
}


def quick(session: Session) -> None:
    """Calls of the short way, one after another; those of ld.b32 against NumPy's own indexing."""
    random = session.random
    op = random.choice(QUICK)
    memory = ws.SharedMemory(session.arena.slot("memory"))
    words = session.arena.slot("memory").view(np.uint32)
    address = session.arena.array("address", np.uint32, (32,))
    address[:] = np.arange(32) * op.access_bytes
    options: dict[str, Any] = random.choice(
        ({}, {"traffic": False}, {"threads": 2}, {"on_ub": "record"})
    )
    given, names = (memory, address), ("memory", "address")
    for _ in range(QUICK_CALLS):
        place = random.randrange(2048 // op.access_bytes) * op.access_bytes
        address[random.randrange(32)] = place if random.random() < 0.9 else random.getrandbits(32)
        result = session.call("Instruction.execute", op.execute, given, options, words=names)
        if isinstance(result, Nothing) or not result.ok:
            address[:] = np.arange(32) * op.access_bytes
        elif op is WORDS and not np.array_equal(result.registers[:, 0], words[address >> 2]):
            raise Broken(f"{op} at {address.tolist()}")
        session.call("Instruction.traffic", op.traffic, (address,), words=names)


QUICK_CALLS = 128
WORDS = ws.Ld()
QUICK = (*FAST, *(WORDS,) * 40)


def many_warps(session: Session) -> None:
    """Batches beyond what one thread takes at once, and what lies around their arrays."""
    random = session.random
    op = random.choice(FAST)
    warps = random.choice((64, 65, 130))
    address = np.array([random.randrange(128) * 16 for _ in range(32)], np.uint32)
    address = np.ascontiguousarray(np.broadcast_to(address, (warps, 32)))
    memory = ws.SharedMemory(session.arena.slot("memory"))
    words = warps * 32 * op.num_registers
    wide = np.full(words + 32, CANARY, np.uint64 if op.register_bits == 64 else np.uint32)
    out = wide[16:-16].reshape(warps, 32, op.num_registers)
    threads = random.choice((1, 2, 5, 64))
    args, options = (memory, address), {"out": out, "threads": threads}
    result = session.call(
        "Instruction.execute", op.execute, args, options, words=("memory", "address")
    )
    if isinstance(result, Nothing):
        return
    untouched = bool((wide[:16] == CANARY).all() and (wide[-16:] == CANARY).all())
    session.check("bytes around out", untouched, lambda: f"{op} x{warps}, {threads} threads")
    alone = op.execute(memory, address[0])
    good = bool((out == alone.registers).all())
    session.check("threads against one warp", good, lambda: f"{op} x{warps}, {threads} threads")


CANARY = 0xC0FFEE
assert Broken
