"""Makes every entry point run out of memory, at its first allocation, its second, and so on.

Run in a process of its own, with failing_malloc.c in LD_PRELOAD; prints JSON, what each call
came to.
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from warpsim import _core

#: so many calls in a row in which nothing failed end the attempts
CALM = 3
MOST = 3000
LANE = np.arange(32)
X4, X1 = ws.Ldmatrix(num=4), ws.Ldmatrix()
#: NumPy's arrays; its own buffers are smaller, and not all of its code outlives their failure
ARRAY_BYTES = 2**18
PTX = ".version 8.0\n.target sm_80\n" + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%a}, [p];\n" * 9

#: calls whose Python objects are made by the extension; inside NumPy's arithmetic, and where the
#: interpreter handles an exception, a failing allocation can end in SystemError, or in a crash
OURS = (
    "parse", "execute one", "execute batch", "execute threads", "execute out", "execute ld",
    "traffic", "tile_steps", "lint", "legality",
)  # fmt: skip

Call = Callable[[], object]


def plain(op: ws.Instruction, n: int, **options: Any) -> Call:
    """execute of n warps, addresses uint32 as C takes them; n = 0: one warp without a batch."""
    memory = ws.SharedMemory(np.arange(2048, dtype=np.uint16))
    address = np.ascontiguousarray(np.broadcast_to(LANE * 16, (n, 32) if n else (32,)), np.uint32)
    if op.is_load:
        return lambda: op.execute(memory, address, **options)
    registers = np.zeros((*address.shape, op.num_registers), np.uint32)
    return lambda: op.execute(memory, address, registers, **options)


def wmma(op: ws.Instruction, n: int) -> Call:
    memory = ws.SharedMemory(np.arange(2048, dtype=np.uint16))
    address = np.zeros((n, 1), np.int64)
    if op.is_load:
        return lambda: op.execute(memory, address, threads=2)
    registers = np.zeros((n, 32, op.num_registers), np.uint32)
    return lambda: op.execute(memory, address, registers)


def copy(n: int) -> Call:
    space = ws.AddressSpace(ws.SharedMemory(4096), ws.GlobalMemory(4096, base=2**20))
    to, source = np.broadcast_to(LANE * 16, (n, 32)), np.broadcast_to(LANE * 16 + 2**20, (n, 32))
    return lambda: ws.CpAsync().execute(space, to, source=source)


def undefined(on_ub: str) -> Call:
    memory, address = ws.SharedMemory(4096), np.broadcast_to(LANE * 16 + 1, (70, 32))

    def call() -> object:
        try:
            return list(X4.execute(memory, address, on_ub=on_ub).findings)
        except ws.MisalignedAddressError as error:
            return str(error)

    return call


def profile() -> Call:
    path = Path(tempfile.mkdtemp()) / "sm.toml"
    ws.arch("sm_90").to_file(path)
    return lambda: ws.Arch.from_file(path).to_dict()


def calls() -> dict[str, Call]:
    tile, batch = ws.Layout(64, 64, "f16", pad=8), np.broadcast_to(LANE * 16, (8192, 32))
    narrow = np.ascontiguousarray(batch, np.uint32)
    sides: dict[str, Any] = {"store": ws.CpAsync(), "load": X4}
    ops = [X4] * 16 + [X1] * 16
    return {
        "parse": lambda: ws.parse(
            "ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%r1, %r2}, [%rd1+16];"
        ),
        "parse, refused": lambda: refused("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b8"),
        "execute one": plain(X4, 0),
        "execute batch": plain(X4, 8192),
        "execute threads": plain(X4, 8192, threads=8),
        "execute out": plain(X4, 100, out=np.zeros((100, 32, 4), np.uint32)),
        "execute record": plain(X4, 100, on_ub="record"),
        "execute ld": plain(ws.Ld(vec=4), 100),
        "execute st": plain(ws.St(vec=4), 100),
        "execute stmatrix": plain(ws.Stmatrix(num=4), 100),
        "execute cp.async": copy(100),
        "execute wmma.load": wmma(ws.WmmaLoad(), 100),
        "execute wmma.store": wmma(ws.WmmaStore(), 4),
        "execute movmatrix": lambda: ws.movmatrix(np.zeros((100, 32, 1), np.uint32)),
        "execute undefined": undefined("raise"),
        "findings": undefined("record"),
        "issue": lambda: ws.issue(ops, ws.SharedMemory(4096), batch, on_ub="record", active=0xFF),
        "traffic": lambda: X4.traffic(narrow),
        "traffic long": lambda: X4.traffic(batch, active=0xFFFF, threads=8).sum(),
        "explain": lambda: X4.explain(LANE * 16).to_dict(),
        "cost": lambda: X4.cost(LANE * 16),
        "program cost": lambda: ws.cost([(X4, LANE * 16)] * 3, warps=4),
        "mainloop": lambda: ws.mainloop((64, 64, 32), (2, 2)),
        "addresses": lambda: tile.addresses(X4, np.arange(0, 48), 0),
        "layout": lambda: tile(np.arange(64), np.arange(64)),
        "tile": lambda: ws.tile(tile, **sides).to_dict(),
        "tile_steps": lambda: ws.tile_steps(X4, tile),
        "search": lambda: ws.search(64, 64, "f16", pads=[0, 8], **sides),
        "lint": lambda: ws.lint(PTX),
        "fragment": lambda: X4.fragment,
        "profile": profile(),
        "sweep": lambda: ws.sweep(lambda pad: pad * 2, {"pad": [1, 2]}, progress=False),
        "legality": lambda: X4.legality("sm_75", "6.5"),
    }


def refused(text: str) -> str:
    try:
        return repr(ws.parse(text))
    except ws.UnsupportedError as error:
        return str(error)


def span(name: str) -> tuple[int, int]:
    """Where the code of a library lies in this process."""
    lines = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    found = [line[0].split("-") for line in lines if len(line) > 5 and name in line[5]]
    places = [int(word, 16) for words in found for word in words]
    return min(places), max(places)


def shown(value: object) -> str:
    return repr(value.to_dict()) if hasattr(value, "to_dict") else repr(value)


def attempts(call: Call, arm: Callable[[int], None], disarm: Callable[[], int]) -> dict[str, int]:
    """The call with its k-th allocation failing, k = 0, 1, ..., until none is left to fail."""
    expected = shown(call())
    tried = refusals = calm = 0
    while calm < CALM and tried < MOST:
        result: object = None
        error: BaseException | None = None
        arm(tried)
        try:
            result = call()
        except BaseException as caught:
            error = caught
        failures = disarm()
        tried += 1
        calm = 0 if failures else calm + 1
        refusals += error is not None
        assert error is None or isinstance(error, MemoryError), repr(error)
        assert error is not None or shown(result) == expected
        error = result = None
    assert tried < MOST
    assert shown(call()) == expected
    return {"points": tried - CALM, "refused": refusals}


def by_allocator(library: Any) -> dict[str, Any]:
    """The allocations of the extension, and those of NumPy's arrays."""
    for name, least in ((_core.core.__file__, 1), ("_multiarray_umath", ARRAY_BYTES)):
        library.faults_watch(*(ctypes.c_size_t(at) for at in span(name)), ctypes.c_size_t(least))

    def disarm() -> int:
        count = int(library.faults_failed())
        library.faults_fail_at(ctypes.c_long(-1))
        return count

    found = {"pool": without_threads(library, disarm)}
    for name, call in calls().items():
        call()
        gc.collect()
        live = library.faults_live()
        counted = attempts(call, lambda k: library.faults_fail_at(ctypes.c_long(k)), disarm)
        gc.collect()
        found[name] = {**counted, "leaked": max(0, library.faults_live() - live)}
    return found


def without_threads(library: Any, disarm: Callable[[], int]) -> dict[str, int]:
    """The first call with threads, while the pool cannot grow: fewer threads, the same answer."""
    expected = plain(X4, 8192)()
    call = plain(X4, 8192, threads=8)
    points, failures = 0, 1
    while failures:
        library.faults_fail_at(ctypes.c_long(points + 1))  # behind the registers
        result = call()
        failures = disarm()
        assert shown(result) == shown(expected)
        points += failures
    return {"points": points, "refused": 0, "leaked": 0}


def by_interpreter() -> dict[str, Any]:
    """The allocations of Python objects, where the interpreter can be made to fail at them."""
    try:
        import _testcapi
    except ImportError:
        return {}

    found = {}
    for name, call in calls().items():
        if name not in OURS:
            continue

        def arm(k: int) -> None:
            _testcapi.set_nomemory(k, k + 1)

        def disarm() -> int:
            _testcapi.remove_mem_hooks()
            return 0

        python_points(call, arm, disarm)  # what is made once, is made now
        before = references()
        found[name] = python_points(call, arm, disarm)
        found[name]["leaked"] = max(0, references() - before - 10)
    return found


def python_points(call: Call, arm: Any, disarm: Any) -> dict[str, int]:
    """The same, until one call after the other is right."""
    expected = shown(call())
    tried = refusals = right = 0
    while right < 40 and tried < MOST:
        result: object = None
        error: BaseException | None = None
        arm(tried)
        try:
            result = call()
        except BaseException as caught:
            error = caught
        disarm()
        tried += 1
        right = 0 if error is not None else right + 1
        refusals += error is not None
        assert error is None or isinstance(error, MemoryError), repr(error)
        assert error is not None or shown(result) == expected
        error = result = None
    assert shown(call()) == expected
    return {"points": tried - right, "refused": refusals}


def references() -> int:
    gc.collect()
    return len(gc.get_objects())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(by_allocator(ctypes.CDLL(sys.argv[1]))))
    else:
        print(json.dumps(by_interpreter()))
