"""How soon a long call ends when Ctrl-C is pressed: `python3 -m tools.interrupts`.

Each call runs in a process of its own, on end, and gets SIGINT at a moment that chance picks; what
is measured is the time from the signal to KeyboardInterrupt.
"""

import argparse
import json
import os
import random
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.launches import lasting
from tests.support.process import run
from tools import records
from warpsim.compile import toolkit

X4 = ws.Ldmatrix(num=4)
LANE = np.arange(32, dtype=np.uint32)
HEAD = ".version 8.0\n.target sm_80\n"
GOOD = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];\nadd.u32 %r1, %r2, %r3;\n"
BAD = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r3];\n"

Call = Callable[[], object]


def batch(n: int, dtype: Any = np.uint32) -> Any:
    return np.ascontiguousarray(np.broadcast_to(LANE * 16, (n, 32)), dtype)


def execute(threads: int) -> Call:
    memory, address = ws.SharedMemory(4096), batch(2**20)
    out = np.empty((2**20, 32, 4), np.uint32)
    return lambda: X4.execute(memory, address, threads=threads, out=out)


def recorded() -> Call:
    memory, address = ws.SharedMemory(4096), batch(2**19) + np.uint32(1)
    return lambda: X4.execute(memory, address, on_ub="record")


def stored() -> Call:
    memory, address = ws.SharedMemory(4096), batch(2**19)
    registers = np.zeros((2**19, 32, 4), np.uint32)
    return lambda: ws.St(vec=4).execute(memory, address, registers)


def converted() -> Call:
    address = batch(2**21, np.int64)
    return lambda: X4.traffic(address)


def traffic(threads: int) -> Call:
    address = batch(2**21)
    return lambda: X4.traffic(address, threads=threads)


def searched() -> Call:
    return lambda: ws.search(128, 64, "f16", store=ws.CpAsync(), load=X4, pads=range(4000))


def searched_bytes() -> Call:
    store, load = ws.CpAsync(size=4, cache="ca"), ws.Ld(type="b8")
    return lambda: ws.search(1024, 224, "b8", store=store, load=load, warps=1)


def linted(statement: str) -> Call:
    text = HEAD + statement * (40_000_000 // len(statement))
    return lambda: ws.lint(text)


def swept() -> Call:
    def cycles(pad: int, turn: int) -> float:
        return ws.mainloop((256, 128, 64), (4, 2), a=ws.Layout(256, 64, "f16", pad=pad)).cycles

    return lambda: ws.sweep(cycles, {"pad": range(0, 48, 8), "turn": range(1000)}, progress=False)


CALLS: dict[str, Callable[[], Call]] = {
    **{f"execute, threads={n}": (lambda n=n: execute(n)) for n in (1, 2, 8)},
    **{f"traffic, threads={n}": (lambda n=n: traffic(n)) for n in (1, 2, 8)},
    "execute, all undefined": recorded,
    "execute, stores": stored,
    "traffic of int64 addresses": converted,
    "search": searched,
    "search by bytes": searched_bytes,
    "lint": lambda: linted(GOOD),
    "lint, all wrong": lambda: linted(BAD),
    "sweep of main loops": swept,
}
LAUNCHES = lasting.CALLS | (lasting.COMPILED if toolkit.nvrtc() is not None else {})
ALL = CALLS | LAUNCHES


def child(name: str, count: int) -> None:
    """Prints the seconds from each signal to KeyboardInterrupt, and whether all is well then."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    call = ALL[name]()
    delays = []
    for _ in range(count):
        sent: list[float] = []

        def send(sent: list[float] = sent) -> None:
            time.sleep(random.uniform(0.2, 0.6))
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=send)
        try:
            thread.start()
            while True:
                call()
        except KeyboardInterrupt:
            delays.append(time.monotonic() - sent[0])
        thread.join()
    memory = ws.SharedMemory(np.arange(2048, dtype=np.uint16))
    one, many = (X4.execute(memory, batch(5000), threads=n).registers for n in (1, 8))
    assert one is not None and many is not None
    print(json.dumps({"delays": delays, "right": bool((one == many).all() and one[0, 0, 0] == 65536)}))


def delays(name: str, count: int) -> list[float]:
    """The delays of `count` interruptions of a call, in a process of its own."""
    words = ("-m", "tools.interrupts", "--child", name, "--count", str(count))
    found = json.loads(run(sys.executable, *words))
    assert found["right"], f"{name}: a wrong answer after Ctrl-C"
    return [float(seconds) for seconds in found["delays"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="interruptions of each call")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.child:
        child(words.child, words.count)
        return
    found = {name: delays(name, words.count) for name in ALL}
    for name, seconds in found.items():
        middle, most = statistics.median(seconds), max(seconds)
        print(f"{name:46} median {middle * 1000:6.1f} ms, longest {most * 1000:6.1f} ms")
    every = [seconds for some in found.values() for seconds in some]
    records.tell({
        "calls": len(found), "kinds_of_launches": len(LAUNCHES), "interruptions": len(every),
        "median_milliseconds": round(statistics.median(every) * 1000, 1),
        "longest_milliseconds": round(max(every) * 1000, 1),
    })  # fmt: skip


if __name__ == "__main__":
    main()
