"""One call at a time, held to what is promised of every call: a clear error or an answer, and no byte
written that the call was not given."""

import inspect
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws

from . import hostile

#: what a call may raise, whatever it was given
ALLOWED = (ws.WarpsimError, TypeError, ValueError, MemoryError, BufferError)
#: and what some may besides
ALSO: dict[str, tuple[type[BaseException], ...]] = {
    "Findings.__getitem__": (IndexError,),
    "RULES.__getitem__": (KeyError,),
    "SearchResult.layout": (IndexError,),
    "Module": (OSError,),
    "Capture": (OSError,),
    "compile": (OSError, ImportError),
    **dict.fromkeys(
        ("RawKernel.compile", "RawKernel.__call__", "RawKernel.kernel"), (ImportError, KeyError, OverflowError)
    ),
    **dict.fromkeys(("numba", "triton"), (ImportError,)),
    "Module.__getitem__": (KeyError,),
    "Kernel.__call__": (OverflowError,),
    "Arch.from_file": (OSError,),
    "Arch.to_file": (OSError,),
    "sweep": (OSError,),
    "SearchResult.plot": (ImportError,),
    "LoopReport.plot": (ImportError,),
    "KernelReport.dataframe": (ImportError,),
    "testing.assert_conflict_free": (AssertionError,),
    "testing.assert_legal": (AssertionError,),
    "testing.assert_no_races": (AssertionError,),
    "testing.assert_initialized": (AssertionError,),
    "testing.assert_no_findings": (AssertionError,),
}
#: whose messages need not name an argument
UNNAMED = (ws.WarpsimError, AssertionError, MemoryError, OSError)
#: words in messages that refer to an argument
WORDS = {
    "Arch.from_file": ("target", "TOML", "constants", "banks", "load_latency"),
    "Arch.to_file": ("encode",),
    **dict.fromkeys(("Layout.to_cute", "Layout.to_triton", "Layout.to_tma", "Layout.boxes"), ("layout",)),
    "target_of": ("target",),
    "Findings.index": ("index", "instances"),
    "Findings.__getitem__": ("slice",),
    "Instruction": ("fields",),
    "DataMovement": ("fields",),
    "Kernel.__call__": ("x", "y"),
    "RawKernel.__call__": ("shared_bytes", "x"),
    "SearchResult.explore": ("candidate",),
    "SearchResult.explore_url": ("candidate",),
    "explain": ("rows", "cols", "elements", "tile"),
    "tile_steps": ("rows", "cols"),
    "tile": ("rows", "cols"),
    "search": ("rows", "cols"),
    "testing.assert_conflict_free": ("rows", "cols"),
}
#: where Python's own mixin raises a bare ValueError
BARE = ("Findings.index", "Findings.count")
LONGEST_MESSAGE = 1200
LONGEST = {"testing.assert_conflict_free": 8000, "testing.assert_legal": 20_000, "compile": 20_000}
#: name -> bytes of storage that is lent to calls
SLOTS = {"memory": 2048, "global": 1024, "address": 1024, "source": 1024, "registers": 4096, "out": 4096}
GAP, CANARY = 64, 0xA5


class Broken(AssertionError):
    """A call that was not as promised."""


class Nothing:
    """Instead of a result, if the call raised."""

    def __init__(self, error: BaseException) -> None:
        self.kind = type(error).__name__


@dataclass
class Tally:
    """What was called, over all sessions of a process."""

    calls: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)

    def add(self, other: Mapping[str, Mapping[str, int]]) -> None:
        for name, counts in other.items():
            getattr(self, name).update(counts)


class Arena:
    """One block of bytes with a slot for each kind of argument; what lies between them never changes."""

    def __init__(self, random: Random) -> None:
        self.place: dict[str, tuple[int, int]] = {}
        end = 0
        for name, size in SLOTS.items():
            self.place[name] = (end + GAP, end + GAP + size)
            end += GAP + size
        self.block = np.full(end + GAP, CANARY, np.uint8)
        for name in ("memory", "global"):
            self.slot(name)[:] = np.frombuffer(random.randbytes(SLOTS[name]), np.uint8)

    def slot(self, name: str) -> NDArray[np.uint8]:
        begin, end = self.place[name]
        return self.block[begin:end]

    def array(self, name: str, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        """An array at the begin of a slot."""
        count = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return self.slot(name)[:count].view(dtype).reshape(shape)

    def changed(self, before: bytes, allowed: Iterable[str]) -> str | None:
        """The first byte outside of the allowed slots that changed, in words."""
        different = np.frombuffer(before, np.uint8) != self.block
        for name in allowed:
            different[slice(*self.place[name])] = False
        found = np.flatnonzero(different)
        if not len(found):
            return None
        return f"at byte {found[0]} ({len(found)} in all) of {self.place}"


@cache
def _word(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(r"\b(" + "|".join(map(re.escape, sorted(names))) + r")\b")


_PARAMETERS: dict[str, tuple[str, ...]] = defaultdict(tuple)


def _parameters(name: str, function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters of a public name; found once, since that is slow."""
    if name not in _PARAMETERS:
        try:
            _PARAMETERS[name] = tuple(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            _PARAMETERS[name] = ()
    return _PARAMETERS[name]


class Session:
    """The storage, the random numbers and the counts that rules work with."""

    def __init__(self, random: Random, tally: Tally) -> None:
        self.random = random
        self.tally = tally
        self.arena = Arena(random)
        hostile.MISCHIEF[0] = self.mischief

    def mischief(self) -> None:
        """What an evil object does in the middle of a call: it calls the package itself."""
        memory = ws.SharedMemory(512)
        ws.Ldmatrix(num=2).execute(memory, list(range(0, 512, 16)))
        with_error = ws.Ldmatrix(num=2).execute(memory, [1] * 32, on_ub="record")
        assert not with_error.ok and len(with_error.findings)

    def call(
        self,
        name: str,
        function: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        words: Iterable[str] = (),
        writes: Sequence[str] = (),
        also: tuple[type[BaseException], ...] = (),
    ) -> Any:
        """The result, or Nothing where it raised what it may raise; else Broken.

        `writes`: the slots of the arena that a call which returns may have written.
        """
        before = self.arena.block.tobytes()
        self.tally.calls[name] += 1
        try:
            result = function(*args, **(kwargs or {}))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.tally.errors[type(error).__name__] += 1
            if not isinstance(error, hostile.Planted):
                words = {*words, *(kwargs or ()), *_parameters(name, function), *WORDS.get(name, ()), "argument"}
                self._check_error(name, error, words, also)
            result = Nothing(error)
        where = self.arena.changed(before, () if isinstance(result, Nothing) else writes)
        if where is not None:
            raise Broken(f"{name}: bytes changed {where}, outcome {result!r:.80}")
        return result

    def _check_error(
        self, name: str, error: BaseException, words: set[str], also: tuple[type[BaseException], ...]
    ) -> None:
        kind, message = type(error).__name__, str(error)
        wrong = ""
        if not isinstance(error, ALLOWED + ALSO.get(name, ()) + also):
            wrong = "not allowed"
        elif not isinstance(error, OSError) and len(message) > LONGEST.get(name, LONGEST_MESSAGE):
            wrong = f"{len(message)} characters"
        elif name in BARE or also:
            return
        elif not message.strip():
            wrong = "without a message"
        elif isinstance(error, TypeError | ValueError | OverflowError) and not isinstance(error, UNNAMED):
            wrong = "" if _word(frozenset(words)).search(message) else "names no argument"
        if wrong:
            raise Broken(f"{name}: a {kind}, {wrong}: {message[:300]}") from error

    def check(self, what: str, good: bool, detail: Callable[[], str]) -> None:
        """Counts a check of an answer; Broken where it fails."""
        self.tally.checks[what] += 1
        if not good:
            raise Broken(f"{what}: {detail()}")

    def spoil(self, kwargs: dict[str, Any], names: Sequence[str]) -> None:
        """Hostile values for one or two of these arguments."""
        for name in self.random.choices(names, k=self.random.randint(1, 2)) if names else ():
            kind = self.random.choice(hostile.KINDS)
            kwargs[name] = hostile.ANYTHING[kind](self.random)
            self.tally.kinds[kind] += 1
