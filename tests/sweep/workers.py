"""Functions to sweep over that other processes can import, and a sweep as a process of its own."""

import importlib
import json
import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import warpsim as ws

OP = ws.Ldmatrix(num=4)


def note_call(log: str, what: object) -> None:
    """Adds the line "pid what" to a log that any number of processes write to."""
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{os.getpid()} {what}\n".encode())
    os.close(file)


def conflicts(pad: int, rows: int, cols: int) -> ws.Traffic:
    layout = ws.Layout(rows, cols, "f16", pad=pad)
    traffic = OP.traffic(layout.addresses(OP, 0, [0, 16]))
    return traffic.sum()


def of_layout(layout: ws.Layout, op: ws.DataMovement) -> dict[str, int]:
    traffic = op.traffic(layout.addresses(op))
    return {"nbytes": layout.nbytes, "wavefronts": traffic.wavefronts}  # type: ignore[dict-item]


def echo(**point: Any) -> dict[str, Any]:
    return {f"got {name}": value for name, value in point.items()}


def varies(bound: int) -> int:
    return time.perf_counter_ns() + bound


def logged(x: int, log: str, seconds: float = 0.0) -> int:
    note_call(log, x)
    time.sleep(seconds)
    return x * x


def held(x: int, log: str) -> int:
    """Once the log has the number of calls in "LOG most", it waits to be killed."""
    note_call(log, x)
    most = Path(f"{log} most")
    while most.exists() and len(Path(log).read_text().splitlines()) >= int(most.read_text()):
        time.sleep(0.01)
    return x * x


def fails_at(x: int, bad: int) -> int:
    if x == bad:
        raise ws.HardwareTrap("no such tile", "CUDA_ERROR_MISALIGNED_ADDRESS")
    return x


class UnpicklableError(Exception):
    def __init__(self, first: str, second: int) -> None:
        super().__init__(first)


def fails_oddly(x: int) -> int:
    raise UnpicklableError(f"odd {x}", x)


def dies_once(x: int, bad: int, log: str) -> int:
    """Kills its own process the first time that it comes to `bad`."""
    if x == bad and not Path(log).exists():
        note_call(log, x)
        os.kill(os.getpid(), signal.SIGKILL)
    return x


@contextmanager
def cluster() -> Iterator[Any]:
    """The client of a Dask cluster of two processes."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local) as client,
    ):  # fmt: skip
        yield client


def processes(workers: int = 2) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("forkserver"))


def executor_of(kind: str) -> AbstractContextManager[Executor | None]:
    if kind == "serial":
        return nullcontext()
    return processes() if kind == "processes" else ThreadPoolExecutor(2)


def main() -> int:
    """One sweep, as the JSON in the first argument has it; 130 after Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have switched it off
    job = json.loads(sys.argv[1])
    module, name = job["function"].split(":")
    function = partial(getattr(importlib.import_module(module), name), **job["bound"])
    try:
        with executor_of(job["executor"]) as executor:
            columns = ws.sweep(function, job["grid"], executor=executor, checkpoint=job["checkpoint"])
    except KeyboardInterrupt:
        return 130
    print(json.dumps({name: column.tolist() for name, column in columns.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
