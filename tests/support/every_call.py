"""Every form and entry point, as questions with plain answers: for threads and for valgrind."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

import warpsim as ws
from tests.reference.forms import forms_of
from tests.reference.wmma.forms import wmma_forms
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
def instructions() -> tuple[ws.Instruction, ...]:
    """One of every form, and of every state space in turn."""
    shared = ("shared", "shared::cta", "")
    anywhere = (*shared, "global")
    found: list[ws.Instruction] = [
        ws.Movmatrix(),
        *(ws.CpAsync(**form) for form in forms_of("cp.async")),
    ]
    for kind, mnemonic, spaces in (
        (ws.Ldmatrix, "ldmatrix", shared), (ws.Stmatrix, "stmatrix", shared),
        (ws.Ld, "ld", anywhere), (ws.St, "st", anywhere),
    ):  # fmt: skip
        for form, space in zip(forms_of(mnemonic), itertools.cycle(spaces)):
            found += [kind(**form), kind(**form, space=space)]
    for form, space in zip(wmma_forms(), itertools.cycle(anywhere)):
        found += [ws.WmmaLoad(**form), ws.WmmaLoad(**form, space=space)]
        if form["operand"] == "c":
            found.append(
                ws.WmmaStore(**{k: v for k, v in form.items() if k != "operand"}, space=space)
            )
    return tuple(dict.fromkeys(found))


def memory_of(op: ws.Instruction, seed: int = 1) -> Any:
    """A memory for the instruction, filled by a seed; None for movmatrix."""
    if op.kind == "movmatrix":
        return None
    data = np.random.default_rng(seed).integers(0, 256, (2, BYTES), np.uint8)
    shared, global_ = (
        ws.SharedMemory(data[0].copy()),
        ws.GlobalMemory(data[1].copy(), base=GLOBAL_BASE),
    )
    if op.kind == "cp.async" or op.space == "":
        return ws.AddressSpace(shared, global_)
    return global_ if op.space == "global" else shared


def call_of(op: ws.Instruction, warps: int, seed: int = 2) -> dict[str, Any]:
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
    return (
        registers,
        repr(result.traffic),
        [str(f) for f in result.findings],
        np.asarray(result.ok).tolist(),
    )


def said(question: Question) -> Any:
    """The answer, or what the error says."""
    try:
        return question()
    except (ws.WarpsimError, ValueError, TypeError) as error:
        return type(error).__name__, str(error)


def executed(
    op: ws.Instruction, warps: int, *, seed: int = 2, threads: int = 1, **more: Any
) -> Any:
    memory, call = memory_of(op), call_of(op, warps, seed)
    found = plain(op.execute(memory, **call, threads=threads, **more))
    return found, b"".join(image.bytes.tobytes() for image in images(memory))


def images(memory: Any) -> list[Any]:
    if isinstance(memory, ws.AddressSpace):
        return [memory.shared, memory.global_]
    return [] if memory is None else [memory]


def broken(op: ws.Instruction, **more: Any) -> Any:
    """Warps with a misaligned, an outside, and a partly exited one; what is found in each."""
    call = call_of(op, 5)
    if call["address"] is not None:
        call["address"][1, 0] += 1
        call["address"][2, 0] += 2**31
    memory, exited = memory_of(op), np.array([0, 0, 0, 1 << 7, 0], np.uint32)
    return said(lambda: plain(op.execute(memory, **call, exited=exited, **more)))


def described(op: ws.Instruction) -> Any:
    call = call_of(op, 1)
    address, source = call["address"], call.get("source")
    fragment = op.fragment
    banks = said(lambda: op.explain(address, source=source).to_dict())
    cost = said(lambda: op.cost(address, source=source).to_dict())
    names = op.ptx, repr(op), hash(op), op.legality("sm_90a", "8.6").to_dict()
    same = pickle.loads(pickle.dumps(op)) == op, ws.parse(op.ptx) == op
    return names, same, None if fragment is None else fragment.elements.tobytes(), banks, cost


def of_instruction(op: ws.Instruction) -> Iterator[tuple[str, Question]]:
    yield "described", partial(described, op)
    yield "one warp", partial(executed, op, 1)
    yield "one warp elsewhere", partial(executed, op, 1, seed=3)
    yield "a batch", partial(executed, op, 70, threads=2)
    yield "a batch, recorded", partial(executed, op, 9, on_ub="record", traffic=False)
    yield "raised", partial(broken, op)
    yield "recorded", partial(broken, op, on_ub="record")
    yield "as sm_90 does", partial(broken, op, on_ub="hardware", target="sm_90")


def of_the_rest() -> Iterator[tuple[str, Question]]:
    """Entry points that stand for no single instruction."""
    fill = ws.St(vec=4)
    for text in ILLEGAL:
        yield f"parse {text!r}", partial(said, partial(ws.parse, text))
    yield "lint", lambda: ws.lint(FILE).to_dict()
    yield "lint sm_90", lambda: ws.lint(FILE, target="sm_90", ptx_version="8.6").to_dict()
    yield "lint empty", lambda: ws.lint("").to_dict()
    yield "arch", lambda: ws.arch("sm_90").to_dict()
    yield "steps", lambda: ws.tile_steps(X4, TILE, warps=4).tobytes()
    yield (
        "steps of no tile",
        partial(said, lambda: ws.tile_steps(X4, ws.Layout(3, 5, "f16"), warps=4)),
    )
    yield "tile", lambda: ws.tile(TILE, store=fill, load=X4, warps=4).to_dict()
    yield (
        "tile, padded",
        lambda: ws.tile(ws.Layout(64, 64, "f16", pad=4), store=fill, load=X4).to_dict(),
    )
    yield (
        "search",
        lambda: ws.search(
            32, 64, "f16", store=fill, load=X4, warps=1, pads=range(0, 17, 8)
        ).to_dict(),
    )
    yield (
        "mainloop",
        lambda: ws.mainloop(a=TILE, b=TILE, tile=(128, 128, 64), warps=(4, 2), stages=3).to_dict(),
    )
    yield (
        "mainloop too large",
        partial(
            said, lambda: ws.mainloop(a=TILE, b=TILE, tile=(128, 64, 64), warps=(4, 2), stages=99)
        ),
    )
    yield (
        "program",
        lambda: ws.cost([(X4, TILE.addresses(X4)), (fill, TILE.addresses(fill))]).to_dict(),
    )
    yield "issue", lambda: plain(ws.issue([X4] * 32, memory_of(X4), TILE.addresses(X4)))
    yield (
        "issue, divergent",
        partial(
            said,
            lambda: ws.issue([X4] * 31 + [ws.Ldmatrix(num=2)], memory_of(X4), TILE.addresses(X4)),
        ),
    )
    yield (
        "issue, recorded",
        lambda: plain(
            ws.issue(
                [X4] * 31 + [ws.Ldmatrix(num=2)], memory_of(X4), TILE.addresses(X4), on_ub="record"
            )
        ),
    )
    yield "explanation", lambda: explain(X4, TILE.addresses(X4)).to_dict()
    yield "holders", lambda: holders(X4.fragment, lane=5).to_dict()
    yield "page", lambda: ws.tile(TILE, store=fill, load=X4, warps=4).html()
    yield "no memory", partial(said, lambda: X4.execute(None, TILE.addresses(X4)))
    yield "no lanes", partial(said, lambda: X4.traffic(np.zeros((3, 31), np.uint32)))
    yield "no warps", lambda: plain(X4.execute(memory_of(X4), np.zeros((0, 32), np.uint32)))
    yield "overlapping out", overlapping


def overlapping() -> Any:
    """Registers that lie in the memory that is read."""
    shared = memory_of(X4)
    address = np.tile(TILE.addresses(X4).astype(np.uint32), (60, 1)) % 4096
    out = shared.view("uint32", (60, 32, 4), offset=512)
    return plain(X4.execute(shared, address, out=out))


@cache
def questions() -> dict[str, Question]:
    """Name -> a question; every one has the same answer each time."""
    found = {f"{op!r}: {name}": ask for op in instructions() for name, ask in of_instruction(op)}
    return {**found, **dict(of_the_rest())}
