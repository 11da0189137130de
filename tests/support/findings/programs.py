"""Programs with planted bugs, of every door, as truth/planted has them; what is found in them is in judged.py.

A program is a source and a TOML file of the same name. Bug n of it is what the source does where BUG is n; BUG 0 is
the repaired twin of all, and BUG -n, where `near` says what it is, a correct program that looks like bug n.
`//@ name` (`# @ name` in Python) at the end of a source line marks it.
"""

import hashlib
import importlib.util
import json
import lzma
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.paths import TRUTH

PLANTED = TRUTH / "planted"
#: what NVRTC made of those in CUDA: compiling them takes minutes (make/pack_planted.py)
PACKED = PLANTED / "cuda.json.xz"
SUFFIXES = {"cuda": ".cu", "ptx": ".ptx", "triton": ".py", "gluon": ".py", "numba": ".py"}
DTYPES = {
    "f16": "e", "f32": "f", "f64": "d", "s8": "b", "u8": "B", "s16": "h", "u16": "H", "s32": "i", "u32": "I",
    "s64": "q", "u64": "Q",
}  # fmt: skip


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
    may: tuple[int, ...]
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
        sign = "# @" if self.path.suffix == ".py" else "//@"
        lines = enumerate(self.path.read_text().splitlines(), 1)
        return {line.partition(sign)[2].strip(): number for number, line in lines if sign in line}


def _bug(given: dict[str, Any]) -> Bug:
    texts = {name: given.get(name, "") for name in ("fix", "never", "near", "open", "open_near")}
    return Bug(given["number"], given["what"], tuple(given["must"]), tuple(given.get("may", [])), **texts)


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
    kept, stack, taken = [], [], []  # whether lines here are kept, and whether some of this `#if` were

    def holds(condition: str) -> bool:
        return bool(eval(condition.replace("||", " or ").replace("&&", " and "), {"BUG": bug}))

    for line in text.splitlines():
        if line.startswith("#if "):
            stack.append(holds(line.removeprefix("#if ")))
            taken.append(stack[-1])
            kept.append("")
        elif line.startswith("#elif "):
            stack[-1] = not taken[-1] and holds(line.removeprefix("#elif "))
            taken[-1] |= stack[-1]
            kept.append("")
        elif line.startswith("#else"):
            stack[-1] = not taken[-1]
            kept.append("")
        elif line.startswith("#endif"):
            stack.pop()
            taken.pop()
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
def python_module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"planted_{path.parent.name}_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(program: Program) -> list[int]:
    """Of its variants: the repaired twin, the bugs, the correct programs that look like them."""
    return [0, *(one.number for one in program.bugs), *(-one.number for one in program.bugs if one.near)]


def digest(program: Program) -> str:
    """Of all that its PTX follows from."""
    parts = (program.path.read_text(), numbers(program), program.given.get("options"), program.given.get("target"))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@cache
def packed() -> dict[str, dict[str, Any]]:
    """The PTX of the programs in CUDA, by name."""
    found: dict[str, dict[str, Any]] = json.loads(lzma.decompress(PACKED.read_bytes()))
    return found
