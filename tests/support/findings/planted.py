"""Planted bugs and their repaired twins: those of run/kernels.json.xz, measured, and those of run/bugs."""

import json
import lzma
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import warpsim as ws
from tests.support.measured_kernels import arguments, measured
from tests.support.paths import TRUTH

BUGS = TRUTH / "run" / "bugs"
MOST_STEPS = 10**7


@dataclass(frozen=True)
class Planted:
    """A launch with a bug, and what must and may be found in it."""

    id: str
    bug: tuple[str, dict[str, Any]]
    twin: tuple[str, dict[str, Any]]
    must: list[dict[str, Any]]
    may: frozenset[str]
    not_run: str
    tools: str


def rules(numbers: Iterable[int]) -> frozenset[str]:
    return frozenset(f"WS-RUN-{number:03}" for number in numbers)


@cache
def planted() -> list[Planted]:
    launches = {one["id"]: one for one in measured()["launches"]}
    texts, found = measured()["ptx"], []
    for name, given in json.loads((BUGS / "measured.json").read_text())["bugs"].items():
        pair = [(texts[one["ptx"]], one) for one in (launches[name], launches[name.replace("_bug", "_ok")])]
        may, why = rules(given.get("may", [])), given.get("not_run", "")
        short_name = name.removesuffix("_bug/x")
        found.append(Planted(short_name, *pair, given.get("must", []), may, why, given["compute_sanitizer"]))
    own = json.loads(lzma.decompress((BUGS / "bugs.json.xz").read_bytes()))
    for one in own["launches"]:
        pair = [(own["ptx"][one[which]], one) for which in ("ptx", "twin")]
        found.append(Planted(one["id"], *pair, one["must"], rules(one["may"]), "", one["compute_sanitizer"]))
    return found


def findings(text: str, launch: dict[str, Any], **options: Any) -> tuple[Any, ...]:
    """All that the launch breaks; what ends it as an error is the last."""
    return reported(text, launch, lambda report: report.findings, **options)


def judged(text: str, launch: dict[str, Any], **options: Any) -> tuple[Any, ...]:
    """The same without notes on bank conflicts, which take longer to seek than the launch takes."""
    return reported(text, launch, lambda report: report.judged, as_assembled="text", **options)


def reported(text: str, launch: dict[str, Any], asked: Callable[[Any], tuple[Any, ...]], **options: Any) -> Any:
    values, _, _ = arguments(launch)
    kernel = ws.Module(text)[launch["kernel"]]
    try:
        return asked(kernel(
            tuple(launch["grid"]), tuple(launch["block"]), values, shared_bytes=launch["shared"], target="sm_90a",
            stack_bytes=launch.get("stack", 1024), **{"max_steps": MOST_STEPS, **options},
        ))  # fmt: skip
    except ws.DeadlockError as error:
        return (Ended("WS-RUN-006", "error", str(error)),)
    except ws.StepLimitError as error:
        return (Ended("WS-RUN-007", "error", str(error)),)


@dataclass(frozen=True)
class Ended:
    """A launch that does not end, as if it were a finding."""

    rule: str
    severity: str
    message: str
    line: int = 0
    other: None = None

    def __str__(self) -> str:
        return f"{self.severity} {self.rule}: {self.message}"


def lines(finding: Any) -> list[int]:
    """The lines that a finding names: its own and the other party's."""
    return [finding.line] + ([finding.other.line] if finding.other else [])


def meets(finding: Any, must: dict[str, Any]) -> bool:
    """Whether a finding is the one that must be found: its rule, and a line of each list, in either order."""
    if finding.rule not in rules(must["rules"]):
        return False
    here, wanted = lines(finding), must["lines"]
    if len(wanted) == 1:
        return any(line in wanted[0] for line in here)
    if set(finding.also) & {line for some in wanted for line in some}:  # of lines that are one with its own
        return True
    ways = [here, here[::-1]] if len(here) == 2 else [here * 2]
    return any(all(line in some for line, some in zip(way, wanted, strict=True)) for way in ways)


def short(finding: Any) -> str:
    return f"{finding.severity} {finding.rule} {'-'.join(map(str, lines(finding)))}"


def missed(bug: Planted, found: tuple[Any, ...]) -> list[str]:
    """What must be found and is not."""
    return [f"{must['rules']} at {must['lines']}" for must in bug.must if not any(meets(one, must) for one in found)]


def unexpected(bug: Planted, found: tuple[Any, ...]) -> list[str]:
    """Errors and warnings that are none of the bug's."""
    return [
        short(one)
        for one in found
        if one.severity != "note" and one.rule not in bug.may and not any(meets(one, must) for must in bug.must)
    ]
