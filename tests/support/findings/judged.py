"""What a launch of a program with a planted bug finds, and whether that is what must be found."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.findings.planted import MOST_STEPS, Ended, rules
from tests.support.findings.programs import Bug, Program, chosen, packed, python_module, values
from warpsim.compile.compiled import CompiledModule


@cache
def _module(program: Program, bug: int) -> Any:
    if program.door == "ptx":
        return ws.Module(chosen(program.path.read_text(), bug))
    ptx = packed()[program.path.stem]["ptx"][str(bug)]
    return CompiledModule(ptx.encode(), program.path.read_text(), program.path.name)


def launched(program: Program, bug: int, given: dict[str, Any], module: Any = None, **options: Any) -> Any:
    """The report of a launch, of another module where one is given; `given` has its arrays afterwards."""
    launch, name, options = program.given, program.given["kernel"], {"max_steps": MOST_STEPS, **options}
    if program.door in ("triton", "gluon"):
        arguments = [value if isinstance(value, np.ndarray) else value.item() for value in given.values()]
        ways = {"grid": tuple(launch["grid"]), "num_warps": launch.get("num_warps", 4), "launch": options}
        constants = {"BUG": bug, **launch.get("constants", {})}
        return ws.triton(getattr(python_module(program.path), name), *arguments, **ways, **constants)
    shape = {"grid": tuple(launch["grid"]), "block": tuple(launch["block"])}
    if program.door == "numba":
        return ws.numba(python_module(program.path).make(bug), *given.values(), **shape, **options)
    if "shared" in launch:
        options["shared_bytes"] = launch["shared"]
    if "cluster" in launch:
        options["cluster"] = tuple(launch["cluster"])
    return (module or _module(program, bug))[name](**shape, args=list(given.values()), **options)


def found_in(program: Program, bug: int, **options: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """All that a launch breaks, and what its arrays hold afterwards; what ends it as an error is the last."""
    given = values(program)
    try:
        return launched(program, bug, given, **options).findings, given
    except ws.DeadlockError as error:
        return (*_before(error, "WS-RUN-006"), Ended("WS-RUN-006", "error", str(error))), given
    except ws.StepLimitError as error:
        return (*_before(error, "WS-RUN-007"), Ended("WS-RUN-007", "error", str(error))), given


def _before(error: ws.WarpsimError, rule: str) -> tuple[Any, ...]:
    """What had been found when an error ended the launch."""
    return tuple(one for one in error.report.findings if one.rule != rule)


def places(program: Program, finding: Any) -> list[int]:
    """The lines of the program's source that a finding names; of one that has none, what its message names."""
    if isinstance(finding, Ended):
        named = r"\bline {}\b" if program.door == "ptx" else rf"{re.escape(program.path.name)}:{{}}\b"
        return [line for line in program.marks.values() if re.search(named.format(line), finding.message)]
    parties = [finding, *([finding.other] if finding.other else [])]
    if program.door == "ptx":
        return [one.line for one in parties]
    return [one.source_line if Path(one.source or "").name in ("", program.path.name) else 0 for one in parties]


def meets(program: Program, finding: Any, must: dict[str, Any]) -> bool:
    """Whether a finding is the one that must be found: its rule, and a line of each list, in either order."""
    if finding.rule not in rules(must["rules"]):
        return False
    here, wants = places(program, finding), [[program.marks[name] for name in names] for names in must.get("at", [])]
    if isinstance(finding, Ended) or len(wants) < 2:
        return all(any(line in want for line in here) for want in wants)
    ways = [here, here[::-1]] if len(here) == 2 else [here * 2]
    return any(all(line in some for line, some in zip(way, wants, strict=True)) for way in ways)


def wrong(program: Program, bug: Bug, found: tuple[Any, ...]) -> list[str]:
    """What must be found and is not, what is found and must not be, and remedies that are not the right ones."""
    met = [[one for one in found if meets(program, one, must)] for must in bug.must]
    told = [f"missed: {must}" for must, ones in zip(bug.must, met, strict=True) if not ones]
    right = {id(one) for ones in met for one in ones}
    told += [
        f"unexpected: {one}" for one in found
        if one.severity != "note" and one.rule not in rules(bug.may) and id(one) not in right
    ]  # fmt: skip
    fixes = [getattr(one, "fix", str(one)) for ones in met for one in ones]
    if bug.fix and fixes and not any(bug.fix in fix for fix in fixes):
        told.append(f"no fix says {bug.fix!r}: {fixes}")
    if bug.never and any(bug.never in fix for fix in fixes):
        told.append(f"a fix says {bug.never!r}: {fixes}")
    return told


def alarms(found: tuple[Any, ...]) -> list[str]:
    """Errors and warnings."""
    return [str(one) for one in found if one.severity != "note"]
