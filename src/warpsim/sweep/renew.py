"""A pool of processes in place of one whose worker died: what has come in is kept, and the rest is done again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from typing import TypeVar

from .fanout import Keep, ordered_map

Item = TypeVar("Item")
Value = TypeVar("Value")

MOST_DEATHS = 3  # of one call: a worker that dies each time needs another remedy
#: of a pool: its argument, and where it keeps it
KEPT = {
    "max_workers": "_max_workers", "mp_context": "_mp_context", "initializer": "_initializer",
    "initargs": "_initargs", "max_tasks_per_child": "_max_tasks_per_child",
}  # fmt: skip


def like(executor: Executor) -> ProcessPoolExecutor | None:
    """A new pool like this one; None for what is not a ProcessPoolExecutor of the standard library."""
    if type(executor) is not ProcessPoolExecutor:
        return None
    found = {name: getattr(executor, field) for name, field in KEPT.items() if getattr(executor, field, None)}
    return ProcessPoolExecutor(**found)


def surviving_map(
    function: Callable[[Item], Value], items: Sequence[Item], executor: Executor, keep: Keep[Value]
) -> tuple[list[Value], int]:
    """The answers in order, and how many workers died: a pool that broke is replaced, and its items begun again.

    `keep(number, values)` is called with answers as they come in, maybe twice with the same ones. BrokenExecutor where
    the executor cannot be replaced, or after MOST_DEATHS.
    """
    found: dict[int, Value] = {}
    own: ProcessPoolExecutor | None = None
    deaths = 0
    try:
        while len(found) < len(items):
            todo = [number for number in range(len(items)) if number not in found]

            def store(begin: int, values: list[Value], todo: Sequence[int] = todo) -> None:
                for number, value in zip(todo[begin:], values, strict=False):
                    found[number] = value
                    keep(number, [value])

            try:
                ordered_map(
                    function, [items[number] for number in todo], executor=own or executor, progress=False, chunk=1,
                    keep=store,
                )  # fmt: skip
            except BrokenExecutor:
                new = like(executor)
                deaths += 1
                if new is None or deaths > MOST_DEATHS:
                    raise
                _end(own)
                own = new
    finally:
        _end(own)
    return [found[number] for number in range(len(items))], deaths


def _end(pool: ProcessPoolExecutor | None) -> None:
    if pool is not None:
        pool.shutdown(wait=False, cancel_futures=True)
