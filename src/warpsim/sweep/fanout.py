"""A function mapped over items through an executor, in chunks, with the answers in order.

Any executor of concurrent.futures will do: it needs submit() and gives futures. The number of
chunks in flight is bounded, chunks grow until one takes about CHUNK_SECONDS, and a chunk that takes
much longer comes back half done. So a run holds little, can be stopped at any time, and what is
finished is known soon after. Of what the items mean, nothing is known here.
"""

from __future__ import annotations

import pickle
import time
import traceback
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, InvalidStateError
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from .. import arguments
from ..errors import bad_type
from .progress import Progress, reporting

Item = TypeVar("Item")
Value = TypeVar("Value")
#: called with the number of the first item and the answers from there on, in the calling thread
Keep = Callable[[int, list[Value]], object]

CHUNK_SECONDS = 0.1
MOST_CHUNK_SECONDS = 0.5
MOST_CHUNK_ITEMS = 1024
FIRST_IN_FLIGHT = 8
MOST_IN_FLIGHT = 512
#: errors of an executor that are forgiven in one call: its chunk is sent again. A cluster that has
#: just lost a worker may answer a chunk with an error of its own.
MOST_FORGIVEN = 3


class Failure:
    """An exception on its way back from a worker, with its notes and its traceback as text."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        notes = list(getattr(self.error, "__notes__", ()))
        text = "".join(traceback.format_exception(self.error))
        try:
            pickle.loads(pickle.dumps(self.error))
            error = self.error
        except Exception:  # one that does not come back whole would break the executor
            error = RuntimeError(f"{type(self.error).__qualname__}: {self.error}")
        return _failure_again, (error, [*notes, f"in the worker:\n{text}"])


def _failure_again(error: Exception, notes: list[str]) -> Failure:
    error.__notes__ = notes
    return Failure(error)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Value]):
    """What a chunk came to: answers to its first items, and what stopped it, if anything did."""

    values: list[Value]
    failure: Failure | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Chunk(Generic[Item, Value]):
    """Some items and what to do with them: called in a worker, gives an Outcome.

    `call` tells the chunks of one call from those of another; there are executors that answer an
    equal task from memory.
    """

    function: Callable[[Item], Value]
    items: Sequence[Item]
    call: str

    def __call__(self) -> Outcome[Value]:
        begin = time.perf_counter()
        values: list[Value] = []
        failure = None
        seconds = 0.0
        for item in self.items:
            try:
                values.append(self.function(item))
            except Exception as error:
                failure = Failure(error)
            seconds = time.perf_counter() - begin
            if failure or seconds > MOST_CHUNK_SECONDS:
                break
        return Outcome(values, failure, seconds)


class _Answers(Generic[Value]):
    """The answers that have come in, and who keeps them."""

    def __init__(self, count: int, keep: Keep[Value] | None) -> None:
        self.values: list[Value | None] = [None] * count
        self._keep = keep

    def store(self, begin: int, new: list[Value]) -> None:
        self.values[begin : begin + len(new)] = new
        if self._keep is not None and new:
            try:
                self._keep(begin, new)
            except KeyboardInterrupt:
                self._keep(begin, new)
                raise


def ordered_map(
    function: Callable[[Item], Value],
    items: Sequence[Item],
    *,
    executor: Executor | None = None,
    progress: Progress = None,
    chunk: int | None = None,
    already: int = 0,
    keep: Keep[Value] | None = None,
) -> list[Value]:
    """[function(item) for item in items], through `executor` (None: here, one by one).

    `chunk`: items a task, at most; None: what takes about CHUNK_SECONDS. `keep(begin, values)` is
    called with each run of answers as it comes in, before progress hears of it; it may be called
    twice with the same ones. `already`: items done before, for progress. The first exception of
    `function` is raised, once every answer that has come in is kept and what waits is cancelled;
    KeyboardInterrupt does the same. The executor is left running.

    >>> ordered_map(abs, [-2, 1, -3])
    [2, 1, 3]
    """
    _check(executor, progress)
    chunk = None if chunk is None else arguments.positive_int("chunk", chunk)
    done, total = already, already + len(items)
    answers = _Answers(len(items), keep)
    outcomes = _outcomes(function, items, executor, chunk, answers.store)
    with reporting(progress) as report, closing(outcomes):
        report(done, total)
        for begin, outcome in outcomes:
            answers.store(begin, outcome.values)
            done += len(outcome.values)
            if outcome.values:
                report(done, total)
            if outcome.failure:
                raise outcome.failure.error
    return answers.values  # type: ignore[return-value]


def _check(executor: Any, progress: Any) -> None:
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "submit", None))):
        expected = "expected None or an executor with submit(), as those of concurrent.futures"
        raise bad_type("executor", f"{expected}; got {arguments.shown(executor)}")
    if progress is not None and progress is not False and not callable(progress):
        expected = "expected None, False or a function of (done, total)"
        raise bad_type("progress", f"{expected}; got {arguments.shown(progress)}")


def _outcomes(
    function: Callable[[Item], Value], items: Sequence[Item], executor: Executor | None, chunk: int | None,
    store: Keep[Value],
) -> Generator[tuple[int, Outcome[Value]], None, None]:  # fmt: skip
    if executor is not None:
        yield from _fanned_out(function, items, executor, chunk, store)
        return
    for begin, item in enumerate(items):
        yield begin, Outcome([function(item)], None, 0.0)


def _fanned_out(
    function: Callable[[Item], Value], items: Sequence[Item], executor: Executor, chunk: int | None, store: Keep[Value]
) -> Iterator[tuple[int, Outcome[Value]]]:
    """Outcomes as they come in, each with the number of its first item."""
    call = uuid.uuid4().hex
    todo = [range(len(items))] if items else []  # the last one is next
    flying: dict[Future[Outcome[Value]], range] = {}
    # futures.wait() never hears of those that the shutdown of a pool cancels
    ended: SimpleQueue[Future[Outcome[Value]]] = SimpleQueue()
    size, room, forgiven = chunk or 1, FIRST_IN_FLIGHT, 0
    try:
        while todo or flying:
            while todo and len(flying) < room:
                span = todo.pop()
                if len(span) > size:
                    todo.append(span[size:])
                    span = span[:size]
                with _executor_named(items, span):
                    future = _submitted(executor, Chunk(function, items[span.start : span.stop], call))
                flying[future] = span
                future.add_done_callback(ended.put)
            future = ended.get()
            span = flying[future]
            if forgiven < MOST_FORGIVEN and _is_forgiven(future):
                forgiven += 1
                del flying[future]
                todo.append(span)
                continue
            with _executor_named(items, span):
                outcome = _outcome(future)
            yield span.start, outcome
            del flying[future]
            if rest := span[len(outcome.values) :]:
                todo.append(rest)
            room = min(room + 1, MOST_IN_FLIGHT)
            size = chunk or _next_size(size, outcome)
    finally:
        _land(flying, store)


def _is_forgiven(future: Future[Any]) -> bool:
    """Did the executor itself fail, and live on? What the function raises is in the Outcome."""
    if future.cancelled():
        return False
    error = future.exception()
    return isinstance(error, Exception) and not isinstance(error, BrokenExecutor)


def _submitted(executor: Executor, task: Callable[[], Outcome[Value]]) -> Future[Outcome[Value]]:
    future = executor.submit(task)
    if not isinstance(future, Future):
        raise bad_type(
            "executor",
            "expected one that gives futures of concurrent.futures, such as a client's"
            f" get_executor(); got {type(executor).__name__}, which gives {type(future).__name__}",
        )
    return future


def _outcome(future: Future[Outcome[Value]]) -> Outcome[Value]:
    found = future.result()
    if not isinstance(found, Outcome):
        raise bad_type(
            "executor", f"expected one whose futures give what the task returns; got {arguments.describe(found)}"
        )
    return found


def _next_size(size: int, outcome: Outcome[Any]) -> int:
    done = len(outcome.values)
    fitting = CHUNK_SECONDS * done / max(outcome.seconds, 1e-9)
    return max(1, min(max(size, 4 * done), int(fitting), MOST_CHUNK_ITEMS))


@contextmanager
def _executor_named(items: Sequence[Any], span: range) -> Iterator[None]:
    """Errors of the executor itself, not of the function, say so."""
    where = f"items {span.start} to {span.stop - 1} of {len(items)}"
    try:
        yield
    except BrokenExecutor as error:
        raise type(error)(
            "executor: a worker died (killed, out of memory or crashed) while it worked on"
            f" {where}. Finished results are kept; make a new executor to continue"
        ) from error
    except Exception as error:
        if isinstance(error, CancelledError) or (isinstance(error, RuntimeError) and "shutdown" in str(error)):
            raise RuntimeError(
                f"executor: it was shut down, or its work was cancelled, before {where} were finished."
                " What is finished is in the checkpoint, if there is one; pass a live executor to continue"
            ) from error
        if getattr(error, "argument", None) == "executor":
            raise
        error.add_note(
            f"executor: {type(error).__name__} of the executor itself, at {where}; what is sent to"
            " other processes must be picklable"
        )
        raise


def _land(flying: dict[Future[Outcome[Value]], range], store: Keep[Value]) -> None:
    """Cancels what has not begun and keeps what is finished."""
    for future in flying:
        _cancel(future)
    for future, span in flying.items():
        if future.done() and not future.cancelled() and future.exception() is None:
            with suppress(Exception):  # another one is on its way up
                store(span.start, future.result().values)


def _cancel(future: Future[Any]) -> None:
    """Cancels what has not begun, so that it may be told of a worker that dies after that.

    Ctrl-C goes to the workers, too. The pool of Python 3.11 raises where a cancelled future takes no
    exception: it never ends the other workers, and the program waits for them when it exits.
    """
    told = future.set_exception

    def set_exception(exception: BaseException | None) -> None:
        with suppress(InvalidStateError):
            told(exception)

    future.set_exception = set_exception  # type: ignore[method-assign]
    future.cancel()
