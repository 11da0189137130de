"""One block of every kernel of the corpus: how long it takes, and what counting and checking add."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

from tests.support.measured_kernels import GROUPS, arguments, launches, module

from .. import levels
from ..rows import SECOND_NS, Line
from ..timing import Effort, looped, medians


def _kernels(effort: Effort) -> Iterator[tuple[str, Any]]:
    """The first launch of each kernel, and its name; it takes count= and check=."""
    seen = set()
    for group in GROUPS[:1] if effort.short else GROUPS:
        for launch in launches(group):
            name = (launch["ptx"], launch["kernel"])
            if name in seen:
                continue
            seen.add(name)
            yield launch["id"], partial(
                module(launch["ptx"])[launch["kernel"]], tuple(launch["grid"]), tuple(launch["block"]),
                arguments(launch)[0], shared_bytes=launch["shared"], target="sm_90a",
                stack_bytes=launch.get("stack", 1024), blocks=[0],
            )  # fmt: skip


def corpus(effort: Effort) -> Iterator[Line]:
    """The time is that of a launch, arguments converted."""
    few = Effort(min(effort.repeats, 5), effort.least_ns)
    ratios: dict[bool, list[float]] = {True: [], False: []}
    for name, launch in _kernels(effort):
        bare, watched = (partial(launch, count=way, check=way) for way in (False, True))
        ns = medians({"bare": looped(bare), "watched": looped(watched)}, few)
        yield levels.line("corpus", name, levels.best(), ns["bare"], SECOND_NS, f"{bare().steps:,} steps")
        counted = watched().traffic
        has_conflicts = counted.wavefronts > counted.ideal_wavefronts
        ratios[has_conflicts].append(ns["watched"] / ns["bare"])
    yield from _watched(*(statistics.median(ratios[way]) for way in (True, False)))


def _watched(with_conflicts: float, without: float) -> Iterator[Line]:
    """Conflicts cost a check nothing: remedies are sought when somebody reads them."""
    for case, ratio in (("with bank conflicts", with_conflicts), ("without", without)):
        yield levels.line("watched_corpus", case, levels.best(), ratio, 1.0)
    yield levels.line("watched_conflicts", "median kernels", levels.best(), with_conflicts, without)
