"""Who hears how far a run is: a function, or a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from ..characters import is_terminal

#: called as progress(done, total); None: a bar on a terminal; False: nothing
Progress = Callable[[int, int], object] | Literal[False] | None


@contextmanager
def reporting(progress: Progress) -> Iterator[Callable[[int, int], object]]:
    """What to call with (done, total)."""
    if callable(progress):
        yield progress
        return
    bar = _bar() if progress is None else None
    if bar is None:
        yield lambda done, total: None
        return
    with bar:
        task = bar.add_task("")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _bar() -> Any:
    """A progress bar, where there is a terminal and rich is installed."""
    if not is_terminal(sys.stderr):
        return None
    try:
        from rich import console, progress  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    columns = (*progress.Progress.get_default_columns(), progress.MofNCompleteColumn())
    return progress.Progress(*columns, console=console.Console(stderr=True))
