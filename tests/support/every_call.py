"""Every form and entry point, as questions with plain answers: for threads and for valgrind."""

import pickle
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.oracle import INSTRUCTIONS
from warpsim.instruction.explanation import explain
from warpsim.instruction.fragment_holders import holders
from warpsim.memory.memory import SHARED_WINDOW

Question = Callable[[], Any]

BYTES = 32 * 1024
GLOBAL_BASE = 0x7000_0000
X4 = ws.Ldmatrix(num=4)
TILE = ws.Layout(128, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
FILE = """.version 8.0
.target sm_80
.visible .entry kernel() {
    .reg .b32 %r<4>;
    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3]; // é
    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];
    stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3};
    wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r2], 8;
}
"""
ILLEGAL = (
    "ldmatrix.sync.aligned.m8n8.x3.shared.b16",
    "ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "ld.shared.v4.b64",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared",
    "é" * 40,
    "",
)


@cache
def instructions() -> tuple[ws.DataMovement, ...]:
    """One of every form, in the state spaces in turn."""
    places = [(one, one.spaces, i) for i, one in enumerate(INSTRUCTIONS)]
    in_turn = [one.op(spaces[i % len(spaces)]) for one, spaces, i in places]
    return tuple(dict.fromkeys([*(one.op(spaces[0]) for one, spaces, _ in places), *in_turn]))


def memory_of(op: ws.DataMovement, seed: int = 1) -> Any:
    """A memory for the instruction, filled by a seed; None for movmatrix."""
    if op.kind == "movmatrix":
        return None
    data = np.random.default_rng(seed).integers(0, 256, (2, BYTES), np.uint8)
    shared, global_ = (ws.SharedMemory(data[0].copy()), ws.GlobalMemory(data[1].copy(), base=GLOBAL_BASE))
    if op.kind == "cp.async" or op.space == "":
        return ws.AddressSpace(shared, global_)
    return global_ if op.space == "global" else shared


def call_of(op: ws.DataMovement, warps: int, seed: int = 2) -> dict[str, Any]:
    """Legal arguments of execute, except the memory; one warp has no batch axis."""
    rng = np.random.default_rng(seed)
    shape = (warps, 32) if warps > 1 else (32,)
    if op.kind == "movmatrix":
        return {"address": None, "registers": rng.integers(0, 2**32, (*shape, 1), np.uint32)}
    room = BYTES // 4 if op.is_wmma else BYTES - 256  # a wmma tile reaches far beyond p
    address = rng.integers(0, room // 32, shape, np.uint64) * 32
    if op.is_wmma:
        address = address[..., :1]
    call: dict[str, Any] = {}
    if op.kind == "cp.async":
        call["source"] = GLOBAL_BASE + rng.permutation(address.reshape(-1)).reshape(shape)
    elif op.space == "global":
        address = address + GLOBAL_BASE
    elif op.space == "":
        only_shared = op.is_collective and not op.is_wmma
        address = address + (SHARED_WINDOW if seed % 2 or only_shared else GLOBAL_BASE)
    narrow = op.kind == "cp.async" or op.space.startswith("shared")
    call["address"] = address.astype(np.uint32 if narrow else np.uint64)
    if op.writes_memory and op.kind != "cp.async":
        width = np.uint64 if op.register_bits == 64 else np.uint32
        call["registers"] = rng.integers(0, 2**32, (*shape, op.num_registers), width)
    return call


def plain(result: ws.Result) -> tuple[Any, ...]:
    """All that a result says."""
    registers = None if result.registers is None else result.registers.tobytes()
    return (registers, repr(result.traffic), [str(f) for f in result.findings], np.asarray(result.ok).tolist())


def said(question: Question) -> Any:
    """The answer in plain values, or what the error says."""
    try:
        answer = question()
        if isinstance(answer, ws.Result):
            return plain(answer)
        return answer.to_dict() if hasattr(answer, "to_dict") else answer
    except (ws.WarpsimError, ValueError, TypeError) as error:
        return type(error).__name__, str(error)


def executed(op: ws.DataMovement, warps: int, *, seed: int = 2, threads: int = 1, **more: Any) -> Any:
    memory, call = memory_of(op), call_of(op, warps, seed)
    found = plain(op.execute(memory, **call, threads=threads, **more))
    return found, b"".join(image.bytes.tobytes() for image in images(memory))


def images(memory: Any) -> list[Any]:
    if isinstance(memory, ws.AddressSpace):
        return [memory.shared, memory.global_]
    return [] if memory is None else [memory]


def broken(op: ws.DataMovement, **more: Any) -> Any:
    """Warps with a misaligned, an outside, and a partly exited one; what is found in each."""
    call = call_of(op, 5)
    if call["address"] is not None:
        call["address"][1, 0] += 1
        call["address"][2, 0] += 2**31
    memory, exited = memory_of(op), np.array([0, 0, 0, 1 << 7, 0], np.uint32)
    return said(lambda: plain(op.execute(memory, **call, exited=exited, **more)))


def described(op: ws.DataMovement) -> Any:
    call = call_of(op, 1)
    address, source = call["address"], call.get("source")
    fragment = op.fragment
    banks = said(lambda: op.explain(address, source=source).to_dict())
    cost = said(lambda: op.cost(address, source=source).to_dict())
    names = op.ptx, repr(op), hash(op), op.legality("sm_90a", "8.6").to_dict()
    same = pickle.loads(pickle.dumps(op)) == op, ws.parse(op.ptx) == op
    return names, same, None if fragment is None else fragment.elements.tobytes(), banks, cost


def of_instruction(op: ws.DataMovement) -> Iterator[tuple[str, Question]]:
    yield "described", partial(described, op)
    yield "one warp", partial(executed, op, 1)
    yield "one warp elsewhere", partial(executed, op, 1, seed=3)
    yield "a batch", partial(executed, op, 70, threads=2)
    yield "a batch, recorded", partial(executed, op, 9, on_ub="record", traffic=False)
    yield "raised", partial(broken, op)
    yield "recorded", partial(broken, op, on_ub="record")
    yield "as sm_90 does", partial(broken, op, on_ub="hardware", target="sm_90")


def overlapping() -> Any:
    """Registers that lie in the memory that is read."""
    shared = memory_of(X4)
    address = np.tile(TILE.addresses(X4).astype(np.uint32), (60, 1)) % 4096
    out = shared.view("uint32", (60, 32, 4), offset=512)
    return X4.execute(shared, address, out=out)


FILL, MIXED = ws.St(vec=4), [X4] * 31 + [ws.Ldmatrix(num=2)]
SIDES: dict[str, Any] = {"store": FILL, "load": X4}
LOOP: dict[str, Any] = {"a": TILE, "b": TILE, "warps": (4, 2)}
WHERE = TILE.addresses(X4)
#: entry points that are not about one instruction
REST: dict[str, Question] = {
    "lint": lambda: ws.lint(FILE),
    "lint sm_90": lambda: ws.lint(FILE, target="sm_90", ptx_version="8.6"),
    "lint empty": lambda: ws.lint(""),
    "arch": lambda: ws.arch("sm_90"),
    "steps": lambda: ws.tile_steps(X4, TILE, warps=4).tobytes(),
    "steps of no tile": lambda: ws.tile_steps(X4, ws.Layout(3, 5, "f16"), warps=4),
    "tile": lambda: ws.tile(TILE, **SIDES, warps=4),
    "tile, padded": lambda: ws.tile(ws.Layout(64, 64, "f16", pad=4), **SIDES),
    "search": lambda: ws.search(32, 64, "f16", **SIDES, warps=1, pads=range(0, 17, 8)),
    "mainloop": lambda: ws.mainloop(**LOOP, tile=(128, 128, 64), stages=3),
    "mainloop too large": lambda: ws.mainloop(**LOOP, tile=(128, 64, 64), stages=99),
    "program": lambda: ws.cost([(X4, WHERE), (FILL, TILE.addresses(FILL))]),
    "issue": lambda: ws.issue([X4] * 32, memory_of(X4), WHERE),
    "issue, divergent": lambda: ws.issue(MIXED, memory_of(X4), WHERE),
    "issue, recorded": lambda: ws.issue(MIXED, memory_of(X4), WHERE, on_ub="record"),
    "explanation": lambda: explain(X4, WHERE),
    "holders": lambda: holders(X4.fragment, lane=5),
    "page": lambda: ws.tile(TILE, **SIDES, warps=4).html(),
    "no memory": lambda: X4.execute(None, WHERE),
    "no lanes": lambda: X4.traffic(np.zeros((3, 31), np.uint32)),
    "no warps": lambda: X4.execute(memory_of(X4), np.zeros((0, 32), np.uint32)),
    "overlapping out": overlapping,
    **{f"parse {text!r}": partial(ws.parse, text) for text in ILLEGAL},
}


@cache
def questions() -> dict[str, Question]:
    """Name -> a question; every one has the same answer each time."""
    found = {f"{op!r}: {name}": ask for op in instructions() for name, ask in of_instruction(op)}
    return found | {name: partial(said, ask) for name, ask in REST.items()}
