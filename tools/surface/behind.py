"""Rules that change, shrink or free storage while the package has it."""

from __future__ import annotations

import array
import gc
import mmap
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import warpsim as ws

from . import hostile
from .hostile import Evil
from .session import Nothing, Session

LANE = np.arange(32)
OPS = (ws.Ldmatrix(num=4), ws.Ld(vec=4), ws.Ld(), ws.St(), ws.Stmatrix(num=2), ws.WmmaLoad())


def _run(session: Session, op: ws.Instruction, memory: Any, **options: Any) -> Any:
    address: Any = LANE * np.int64(16) if not op.is_wmma else 0
    if op.writes_memory:
        options["registers"] = np.full((32, op.num_registers), 7, np.uint32)
    return session.call(
        "Instruction.execute", op.execute, (memory, address), options, words=("memory", "address")
    )


def resized(session: Session) -> None:
    """An array that shrinks or grows after a memory was made of it."""
    random = session.random
    storage = np.arange(4096, dtype=np.uint8) if random.random() < 0.5 else np.zeros(4096, np.uint8)
    memory = ws.SharedMemory(storage)
    op = random.choice(OPS)
    _run(session, op, memory)
    size = random.choice((0, 16, 100, 4095, 8192, 1 << 20))
    storage.resize(size, refcheck=False)
    session.tally.kinds["memory"].add("resized behind our back")
    result = _run(session, op, memory)
    if size < 4096:
        session.check(
            "memory that is gone",
            isinstance(result, Nothing),
            lambda: f"{op}: executed on {size} bytes",
        )
    for name in ("bytes", "nbytes", "__repr__"):
        session.call(
            f"SharedMemory.{name}", lambda: len(repr(getattr(memory, name))), words=("memory",)
        )
    session.call("SharedMemory.view", memory.view, ("u1", 16), words=("memory", "view"))


def released(session: Session) -> None:
    """Storage that others own: they cannot take it back while a memory holds it."""
    random = session.random
    kind = random.choice(("bytearray", "mmap", "array", "memoryview"))
    owner: Any = {
        "bytearray": lambda: bytearray(4096),
        "mmap": lambda: mmap.mmap(-1, 4096),
        "array": lambda: array.array("B", bytes(4096)),
        "memoryview": lambda: memoryview(bytearray(4096)),
    }[kind]()
    memory = ws.SharedMemory(np.frombuffer(owner, np.uint8))
    session.tally.kinds["memory"].add(f"{kind} taken back")
    take: Callable[[], Any] = {
        "bytearray": lambda: owner.clear(),
        "mmap": lambda: owner.close(),
        "array": lambda: owner.extend(b"1" * 9999),
        "memoryview": lambda: owner.release(),
    }[kind]
    try:
        take()
    except (BufferError, ValueError):
        session.tally.checks["storage that stays"] += 1
    _run(session, random.choice(OPS), memory)
    del memory
    result = ws.Ldmatrix().execute(
        ws.SharedMemory(np.frombuffer(bytearray(512), np.uint8)), LANE * 16
    )
    assert result.registers is not None


def orphaned(session: Session) -> None:
    """The last reference to everything goes; what was given back still stands."""
    random = session.random
    op = random.choice(OPS[:3])
    memory = ws.SharedMemory(np.full(4096, 5, np.uint8))
    address = np.stack([LANE.astype(np.uint32) * 16] * random.choice((1, 3)))
    name = "Instruction.execute"
    result = session.call(name, op.execute, (memory, address), words=("memory", "address"))
    bad = session.call(name, op.execute, (memory, address + 5000), {"on_ub": "record"})
    view = memory.view("u1", 64)
    del memory, address
    if random.random() < 0.02:
        gc.collect()
    session.check(
        "results outlive their arguments",
        bool((result.registers & 255 == 5).all()),
        lambda: f"{op}",
    )
    session.check(
        "findings outlive the memory", len([str(f) for f in bad.findings]) > 0, lambda: f"{op}"
    )
    session.check("views outlive the memory", bool((view == 5).all()), lambda: f"{op}")


def reshaped(session: Session) -> None:
    """Arrays that a caller got from us and bends in place."""
    random = session.random
    memory = ws.SharedMemory(4096)
    view = memory.bytes
    try:
        if random.random() < 0.5:
            view.shape = (2, 2048)
        else:
            view.dtype = np.uint64
    except (ValueError, TypeError, AttributeError):
        pass
    op = random.choice(OPS)
    session.tally.kinds["memory"].add("bytes bent in place")
    nbytes = session.call("SharedMemory.nbytes", lambda: memory.nbytes)
    session.check("size of a memory", nbytes == 4096, lambda: f"{nbytes}")
    session.check(
        "access to all of it", not isinstance(_run(session, op, memory), Nothing), lambda: f"{op}"
    )


def read_only(session: Session) -> None:
    """Storage that may not be written, from the start or from later on."""
    random = session.random
    later = random.random() < 0.5
    storage = np.zeros(4096, np.uint8) if later else np.frombuffer(bytes(4096), np.uint8)
    memory = ws.SharedMemory(storage)
    if later:
        storage.flags.writeable = False
        memory.bytes.flags.writeable = False
    session.tally.kinds["memory"].add("read-only")
    op = random.choice(OPS)
    result = _run(session, op, memory)
    if op.writes_memory and not later:
        session.check("stores to read-only memory", isinstance(result, Nothing), lambda: f"{op}")
    good = not storage.any()
    session.check("read-only memory", good or (later and op.writes_memory), lambda: f"{op}")


class Saboteur:
    """An int that does something when it is asked for its value."""

    def __init__(self, value: int, act: Callable[[], object]) -> None:
        self.value, self.act = value, act

    def __index__(self) -> int:
        self.act()
        return self.value


def sabotaged(session: Session) -> None:
    """An argument that, when it is looked at, changes another one."""
    random = session.random
    op = random.choice(OPS)
    storage = np.zeros(4096, np.uint8)
    memory = ws.SharedMemory(storage)
    lanes = 1 if op.is_wmma else 32
    address = np.zeros(lanes, np.uint32)
    address[:] = LANE[:lanes] * 16
    registers = np.zeros((32, op.num_registers), np.uint32)
    acts: dict[str, Callable[[], object]] = {
        "memory shrinks": lambda: storage.resize(16, refcheck=False),
        "memory grows": lambda: storage.resize(1 << 22, refcheck=False),
        "addresses shrink": lambda: address.resize(1, refcheck=False),
        "addresses are emptied": lambda: address.resize(0, refcheck=False),
        "addresses change": lambda: address.fill(0xFFFF_FFF0),
        "registers shrink": lambda: registers.resize(0, refcheck=False),
        "memory is made again": lambda: memory.__init__(8),
    }
    what = random.choice(tuple(acts))
    name = random.choice(("active", "exited", "threads", "stride", "traffic", "target"))
    session.tally.kinds[name].add(f"evil: {what}")
    honest = {
        "active": 0xFFFF_FFFF,
        "exited": 0,
        "threads": 1,
        "stride": 16,
        "traffic": 1,
        "target": 0,
    }
    options: dict[str, Any] = {name: Saboteur(honest[name], acts[what])}
    if name == "traffic":
        options["traffic"] = Evil(random, "mischief")
        hostile.MISCHIEF[0] = acts[what]
    if name == "stride" and not op.is_wmma:
        del options["stride"]
        options["active"] = np.array([Saboteur(0xFFFF_FFFF, acts[what])], object)[0]
    if op.writes_memory:
        options["registers"] = registers
    elif random.random() < 0.5:
        options["out"] = registers
    try:
        session.call(
            "Instruction.execute",
            op.execute,
            (memory, address),
            options,
            words=("memory", "address"),
        )
    finally:
        hostile.MISCHIEF[0] = session._mischief


RULES = (resized, released, orphaned, reshaped, read_only, sabotaged)


def behind(session: Session) -> None:
    """One of these."""
    random: Random = session.random
    random.choice(RULES)(session)
