"""One call at a time, held to what is promised of every call."""

from __future__ import annotations

import inspect
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import warpsim as ws

from . import hostile
from .arena import Arena

#: what a call may raise, whatever it was given
ALLOWED = (ws.WarpsimError, TypeError, ValueError, MemoryError, BufferError)
#: and what some may besides
ALSO: dict[str, tuple[type[BaseException], ...]] = {
    "Findings.__getitem__": (IndexError,),
    "RULES.__getitem__": (KeyError,),
    "SearchResult.layout": (IndexError,),
    "Arch.from_file": (OSError,),
    "Arch.to_file": (OSError,),
    "sweep": (OSError,),
    "SearchResult.plot": (ImportError,),
    "LoopReport.plot": (ImportError,),
    "testing.assert_conflict_free": (AssertionError,),
    "testing.assert_legal": (AssertionError,),
}
#: whose messages need not name an argument
UNNAMED = (ws.WarpsimError, AssertionError, MemoryError, OSError)
#: words of messages that stand for an argument
WORDS = {
    "Arch.from_file": ("target", "TOML", "constants", "banks", "load_latency"),
    "Findings.index": ("index", "instances"),
    "Findings.__getitem__": ("slice",),
    "Instruction": ("fields",),
    "SearchResult.explore": ("candidate",),
    "SearchResult.explore_url": ("candidate",),
    "tile_steps": ("rows", "cols"),
    "tile": ("rows", "cols"),
    "search": ("rows", "cols"),
    "testing.assert_conflict_free": ("rows", "cols"),
}
#: where Python's own mixin raises a bare ValueError
BARE = ("Findings.index", "Findings.count")
LONGEST_MESSAGE = 1200
LONGEST = {"testing.assert_conflict_free": 8000, "testing.assert_legal": 20_000}


class Broken(AssertionError):
    """A call that was not as promised."""


class Nothing:
    """In place of a result, where the call raised."""

    def __init__(self, error: BaseException) -> None:
        self.kind = type(error).__name__


@dataclass
class Tally:
    """What was called, over all sessions of a process."""

    calls: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    kinds: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    checks: Counter[str] = field(default_factory=Counter)

    def plain(self) -> dict[str, Any]:
        return {
            "calls": dict(self.calls),
            "errors": dict(self.errors),
            "kinds": {name: sorted(kinds) for name, kinds in self.kinds.items()},
            "checks": dict(self.checks),
        }

    def add(self, other: Mapping[str, Any]) -> None:
        self.calls.update(other["calls"])
        self.errors.update(other["errors"])
        self.checks.update(other["checks"])
        for name, kinds in other["kinds"].items():
            self.kinds[name].update(kinds)


_PARAMETERS: dict[str, tuple[str, ...]] = {}


def _parameters(name: str, function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters of a public name; found once, since that is slow."""
    if name not in _PARAMETERS:
        try:
            _PARAMETERS[name] = tuple(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            _PARAMETERS[name] = ()
    return _PARAMETERS[name]


@cache
def _word(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(r"\b(" + "|".join(map(re.escape, sorted(names))) + r")\b")


def names_one(message: str, names: Iterable[str]) -> bool:
    """Does a message name one of the arguments?"""
    return _word(frozenset(names)).search(message) is not None


class Session:
    """The storage, the random numbers and the counts that rules work with."""

    def __init__(self, random: Random, tally: Tally) -> None:
        self.random = random
        self.tally = tally
        self.arena = Arena(random)
        self.guard_mischief = True
        hostile.MISCHIEF[0] = self._mischief

    def _mischief(self) -> None:
        """What an evil object does in the middle of a call: it calls the package itself."""
        op = ws.Ldmatrix(num=2)
        memory = ws.SharedMemory(512)
        op.execute(memory, list(range(0, 512, 16)))
        with_error = op.execute(memory, [1] * 32, on_ub="record")
        assert not with_error.ok and len(with_error.findings)

    def call(
        self,
        name: str,
        function: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        words: Iterable[str] = (),
        writes: Sequence[tuple[int, int]] = (),
        also: tuple[type[BaseException], ...] = (),
        lent: bool = True,
    ) -> Any:
        """The result, or Nothing where it raised what it may raise; else Broken.

        `writes`: the parts of the arena that a call which returns may have written; `lent`: the
        call was given something of the arena, which is compared with what it was.
        """
        before = self.arena.bytes() if lent else b""
        self.tally.calls[name] += 1
        try:
            result = function(*args, **(kwargs or {}))
        except (hostile.Planted, hostile.PlantedExit) as error:
            result = Nothing(error)
            self.tally.errors[type(error).__name__] += 1
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self._check_error(name, error, {*words, *(kwargs or ())}, function, also)
            result = Nothing(error)
        after = self.arena.bytes() if lent else b""
        if after != before:
            allowed = [] if isinstance(result, Nothing) else writes
            where = self.arena.changed(before, after, allowed)
            if where is not None:
                raise Broken(f"{name}: bytes changed {where}, outcome {result!r:.80}")
        return result

    def _check_error(
        self,
        name: str,
        error: BaseException,
        words: set[str],
        function: Callable[..., Any],
        also: tuple[type[BaseException], ...],
    ) -> None:
        kind = type(error).__name__
        self.tally.errors[kind] += 1
        allowed = ALLOWED + ALSO.get(name, ()) + also
        if not isinstance(error, allowed):
            raise Broken(f"{name}: raised {kind}: {str(error)[:300]}") from error
        message = str(error)
        if not isinstance(error, OSError) and len(message) > LONGEST.get(name, LONGEST_MESSAGE):
            raise Broken(
                f"{name}: a {kind} of {len(message)} characters: {message[:200]}"
            ) from error
        if not message.strip() and name not in BARE:
            raise Broken(f"{name}: a {kind} without a message") from error
        if isinstance(error, UNNAMED) or also:
            return
        words = words | {"argument"} | {*_parameters(name, function), *WORDS.get(name, ())}
        if name in BARE:
            return
        if type(error) in (TypeError, ValueError, OverflowError) and not names_one(message, words):
            raise Broken(f"{name}: a {kind} that names no argument: {message[:300]}") from error

    def check(self, what: str, good: bool, detail: Callable[[], str]) -> None:
        """Counts a check of an answer; Broken where it fails."""
        self.tally.checks[what] += 1
        if not good:
            raise Broken(f"{what}: {detail()}")

    def spoil(
        self,
        kwargs: dict[str, Any],
        pools: Mapping[str, Sequence[str]] | None = None,
        most: int = 2,
    ) -> None:
        """Puts hostile values in place of one or two arguments."""
        names = list(kwargs)
        for _ in range(self.random.randint(1, most)):
            if not names:
                return
            name = self.random.choice(names)
            kind, value = hostile.anything(self.random)
            kwargs[name] = value
            self.tally.kinds[name].add(kind)
