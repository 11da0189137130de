"""Programs with planted bugs, of every door: what truth/planted has of them, and what is found when they run.

A program is a source and a TOML file of the same name. Bug n of it is what the source does where BUG is n; BUG 0 is
the repaired twin of all, and BUG -n, where `near` says what it is, a correct program that looks like bug n.
`//@ name` (`#@ name` in Python) at the end of a source line marks it.
"""

import importlib.util
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.findings.planted import MOST_STEPS, Ended, rules
from tests.support.paths import TRUTH

PLANTED = TRUTH / "planted"
SUFFIXES = {"cuda": ".cu", "ptx": ".ptx", "triton": ".py", "gluon": ".py", "numba": ".py"}
DTYPES = {"f16": "e", "f32": "f", "f64": "d", "s8": "b", "u8": "B", "s16": "h", "u16": "H", "s32": "i", "u32": "I", "s64": "q", "u64": "Q"}  # fmt: skip


@dataclass(frozen=True)
class Bug:
    """What is wrong where BUG is `number`, and what must and may be found of it.

    `must`: findings that are required, one of `rules` with a marked line of each list in `at`. `may`: rules that
    other errors and warnings may be of. `fix`: what a remedy must name; `never`: what it must not.
    `near`: what the correct program -number is. `open`: why it is not found as it should be, while that is so.
    """

    number: int
    what: str
    must: tuple[dict[str, Any], ...]
    may: frozenset[str]
    fix: str
    never: str
    near: str
    open: str
    open_near: str


@dataclass(frozen=True, eq=False)
class Program:
    """A kernel: its source, how it is launched, what it computes where nothing is wrong."""

    door: str
    path: Path
    given: dict[str, Any]
    bugs: tuple[Bug, ...]

    @property
    def name(self) -> str:
        return f"{self.door}/{self.path.stem}"

    @property
    def marks(self) -> dict[str, int]:
        """Names of marks and their lines."""
        sign = "#@" if self.path.suffix == ".py" else "//@"
        lines = enumerate(self.path.read_text().splitlines(), 1)
        return {line.partition(sign)[2].strip(): number for number, line in lines if sign in line}


def _bug(given: dict[str, Any]) -> Bug:
    texts = {name: given.get(name, "") for name in ("fix", "never", "near", "open", "open_near")}
    return Bug(given["number"], given["what"], tuple(given["must"]), rules(given.get("may", [])), **texts)


@cache
def programs() -> tuple[Program, ...]:
    """All, by door and name."""
    found = []
    for door, suffix in SUFFIXES.items():
        for path in sorted((PLANTED / door).glob(f"*{suffix}")):
            given = tomllib.loads(path.with_suffix(".toml").read_text())
            found.append(Program(door, path, given, tuple(_bug(one) for one in given.pop("bug"))))
    return tuple(found)


def chosen(text: str, bug: int) -> str:
    """The text where BUG is this number: lines between `#if BUG == n` and `#else` or `#endif`; others are empty."""
    kept, stack = [], []
    for line in text.splitlines():
        if line.startswith("#if "):
            stack.append(eval(line.removeprefix("#if ").replace("||", " or ").replace("&&", " and "), {"BUG": bug}))
            kept.append("")
        elif line.startswith("#else"):
            stack.append(not stack.pop())
            kept.append("")
        elif line.startswith("#endif"):
            stack.pop()
            kept.append("")
        else:
            kept.append(line if all(stack) else "")
    return "\n".join(kept) + "\n"


def filled(given: dict[str, Any]) -> Any:
    """The array or the number that a program is given."""
    type_ = np.dtype(DTYPES[given["dtype"]])
    if "value" in given:
        return type_.type(given["value"])
    count, init = given["count"], given.get("init", "zeros")
    if init == "index":
        return np.arange(count).astype(type_)
    if init == "random":
        return np.random.default_rng(given.get("seed", 1)).integers(0, 100, count).astype(type_)
    if init == "uniform":
        return np.random.default_rng(given.get("seed", 1)).random(count).astype(type_)
    return np.full(count, {"zeros": 0, "ones": 1}[init], type_)


def values(program: Program) -> dict[str, Any]:
    """Its arguments by name, new ones each time."""
    return {one["name"]: filled(one) for one in program.given["args"]}


def wanted(program: Program) -> dict[str, Any]:
    """What arrays must hold after a correct program."""
    names = {**values(program), "np": np}
    return {name: eval(text, names) for name, text in program.given["want"].items()}


@cache
def _python(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"planted_{path.parent.name}_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _module(program: Program, bug: int) -> Any:
    if program.door == "ptx":
        return ws.Module(chosen(program.path.read_text(), bug))
    options = [f"-DBUG={bug}", *program.given.get("options", [])]
    return ws.compile(program.path, target=program.given.get("target", "sm_90"), options=options)


def launched(program: Program, bug: int, given: dict[str, Any], **options: Any) -> Any:
    """The report of a launch; `given` has its arrays afterwards."""
    launch, name, options = program.given, program.given["kernel"], {"max_steps": MOST_STEPS, **options}
    if program.door in ("triton", "gluon"):
        arguments = [value if isinstance(value, np.ndarray) else value.item() for value in given.values()]
        ways = {"grid": tuple(launch["grid"]), "num_warps": launch.get("num_warps", 4), "launch": options}
        return ws.triton(getattr(_python(program.path), name), *arguments, **ways, BUG=bug, **launch.get("constants", {}))
    shape = {"grid": tuple(launch["grid"]), "block": tuple(launch["block"])}
    if program.door == "numba":
        return ws.numba(_python(program.path).make(bug), *given.values(), **shape, **options)
    if "shared" in launch:
        options["shared_bytes"] = launch["shared"]
    if "cluster" in launch:
        options["cluster"] = tuple(launch["cluster"])
    return _module(program, bug)[name](**shape, args=list(given.values()), **options)


def found_in(program: Program, bug: int, **options: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """All that a launch breaks, and what its arrays hold afterwards; what ends it as an error is the last."""
    given = values(program)
    try:
        return launched(program, bug, given, **options).findings, given
    except ws.DeadlockError as error:
        return (*_before(error), Ended("WS-RUN-006", "error", str(error))), given
    except ws.StepLimitError as error:
        return (*_before(error), Ended("WS-RUN-007", "error", str(error))), given


def _before(error: Exception) -> tuple[Any, ...]:
    """What had been found when an error ended the launch."""
    report = getattr(error, "report", None)
    return report.findings if report else ()


def places(program: Program, finding: Any) -> list[int]:
    """The lines of the program's source that a finding names; of one that has none, what its message names."""
    if isinstance(finding, Ended):
        return [line for line in program.marks.values() if f"{program.path.name}:{line}" in finding.message]
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
        if one.severity != "note" and one.rule not in bug.may and id(one) not in right
    ]  # fmt: skip
    fixes = [getattr(one, "fix", str(one)) for ones in met for one in ones]
    if bug.fix and fixes and not any(bug.fix in fix for fix in fixes):
        told.append(f"no fix says {bug.fix!r}: {fixes}")
    if bug.never and any(bug.never in fix for fix in fixes):
        told.append(f"a fix says {bug.never!r}: {fixes}")
    return told


def false_alarms(found: tuple[Any, ...]) -> list[str]:
    """Errors and warnings."""
    return [str(one) for one in found if one.severity != "note"]
