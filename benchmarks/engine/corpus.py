"""One block of every kernel of the corpus: how long it takes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.support.measured_kernels import GROUPS, arguments, launches, module

from .. import levels
from ..rows import SECOND_NS, Line
from ..timing import Effort, looped, medians


def corpus(effort: Effort) -> Iterator[Line]:
    """The first launch of each kernel; the time is that of a launch, arguments converted."""
    seen = set()
    for group in GROUPS[:1] if effort.short else GROUPS:
        for launch in launches(group):
            name = (launch["ptx"], launch["kernel"])
            if name in seen:
                continue
            seen.add(name)
            run = partial(
                module(launch["ptx"])[launch["kernel"]], tuple(launch["grid"]), tuple(launch["block"]),
                arguments(launch)[0], shared_bytes=launch["shared"], target="sm_90a",
                stack_bytes=launch.get("stack", 1024), blocks=[0], check=False, count=False,
            )  # fmt: skip
            steps = run().steps
            ns = medians({launch["id"]: looped(run)}, Effort(min(effort.repeats, 5), effort.least_ns))[launch["id"]]
            yield levels.line("corpus", launch["id"], levels.best(), ns, SECOND_NS, f"{steps:,} steps")
