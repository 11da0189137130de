"""Who hears of a launch while it runs: a function, a line on the terminal, what it prints."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any, Literal

from ..arguments import shown
from ..characters import is_terminal, printable
from ..errors import bad_type
from .printing import TEXT_MOST, formatted

#: called as progress(blocks done, blocks); None: a line on a terminal for runs over two seconds, elsewhere one a minute
#: on standard error; False: nothing
Progress = Callable[[int, int], object] | Literal[False] | None

PATIENCE, REFRESH = 2.0, 0.2  # seconds, on a terminal
RARE = 60.0  # elsewhere
KEPT = "\n\t"  # of what a kernel prints, besides what can be seen


def deadline(timeout: float | None) -> float:
    """When so many seconds will have passed, by time.monotonic()."""
    return math.inf if timeout is None else time.monotonic() + timeout


class Watch:
    """What to tell, and how much was told."""

    def __init__(self, progress: Progress, prints: bool, total: int) -> None:
        if progress is not None and progress is not False and not callable(progress):
            raise bad_type(
                "progress", f"expected None, False or a function of (blocks done, blocks); got {shown(progress)}"
            )
        self._call = progress if callable(progress) else None
        self._line = progress is None and sys.stderr is not None
        self._refreshes = self._line and is_terminal(sys.stderr)
        self._prints, self._room = prints, TEXT_MOST
        self._total = total
        self._begin = time.monotonic()
        self._next = self._begin + (PATIENCE if self._refreshes else RARE)
        self._told = -1
        self._is_shown = False

    @property
    def is_needed(self) -> bool:
        """Somebody wants to hear something."""
        return self._call is not None or self._line or self._prints

    def done(self, blocks: int, steps: int) -> None:
        """So many blocks are done, after so many warp instructions."""
        if self._call is not None and blocks > self._told:  # not once more where blocks run again
            self._told = blocks
            self._call(blocks, self._total)
        now = time.monotonic()
        if self._line and now >= self._next:
            rate = steps / (now - self._begin) / 1e6
            said = f"{blocks:,} of {self._total:,} blocks, {rate:,.1f} million warp instructions/s"
            self._next = now + (REFRESH if self._refreshes else RARE)
            self._is_shown = self._refreshes
            self._tell(f"\r{said}\x1b[K" if self._refreshes else f"warpsim: {said}, {now - self._begin:,.0f} s\n")

    def printed(self, records: bytes) -> None:
        """The kernel has printed more."""
        if self._prints and records:
            self.clear()
            said, lost = formatted(records, self._room)
            self._room = 0 if lost else self._room - len(said)
            said, encoding = printable(said, KEPT), getattr(sys.stdout, "encoding", None) or "utf-8"
            try:
                print(said.encode(encoding, "backslashreplace").decode(encoding), end="", flush=True)
            except (OSError, ValueError):  # full, or closed: the launch goes on, and its report has the text
                self._prints = False

    def _tell(self, words: str) -> None:
        try:
            sys.stderr.write(words)
            sys.stderr.flush()
        except (AttributeError, OSError, ValueError):
            self._line = False

    def clear(self) -> None:
        """Nothing is left of the line."""
        if self._is_shown:
            self._is_shown = False
            self._tell("\r\x1b[K")


class Follower:
    """What a launch calls several times a second: tells a watch what is new."""

    def __init__(self, core: Any, watch: Watch, deadline: float) -> None:
        self._core, self._watch, self._begin = core, watch, 0
        self._deadline = deadline

    def __call__(self) -> None:
        self._core.is_late = time.monotonic() > self._deadline
        self._watch.done(self._core.done, self._core.steps)
        records, _ = self._core.printed_records(self._begin)
        self._begin += len(records)
        self._watch.printed(records)
