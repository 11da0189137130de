"""Launches that a TOML file describes, as tests: what runs, and what fails it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import shown
from ..compile.cuda import built
from ..compile.options import harmless
from ..errors import CompileError, PtxSyntaxError, WarpsimError, bad_value, why
from ..files import MIB, refuse_others, text, toml
from ..kernel import budget
from ..kernel.demands import FAILS, findings
from ..kernel.module import Kernel, Module, instance, only
from ..kernel.specs import arguments
from ..targets import USUAL_TARGET


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_extent(value: Any) -> bool:
    return _is_number(value) or (isinstance(value, list) and 1 <= len(value) <= 3 and all(map(_is_number, value)))


def _are_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word in FAILS for word in value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_args(value: Any) -> bool:
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [None]
    return all(isinstance(one, str | int | float) and not isinstance(one, bool) for one in values)


def _are_limits(value: Any) -> bool:
    limits = value.values() if isinstance(value, dict) else [value]
    return all(_is_number(one) and one >= 0 for one in limits)


#: of a [[launch]]: whether a value fits, and what is expected
KEYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (_is_text, "a text"),
    "ptx": (_is_text, "the name of a PTX file, from the folder of this one"),
    "cuda": (_is_text, "the name of a CUDA C++ file, from the folder of this one"),
    "options": (_are_texts, "a list of the compiler's options, such as '-DTILE=32'"),
    "kernel": (_is_text, "the name of a kernel"),
    "grid": (_is_extent, "a number or up to three in brackets"),
    "block": (_is_extent, "a number or up to three in brackets"),
    "args": (_are_args, "values in brackets in the order of the parameters, or a table of them by name or position"),
    "shared": (_is_number, "a number of bytes"),
    "blocks": (_is_number, "a number of thread blocks"),
    "order": (_is_number, "a number"),
    "max_steps": (_is_number, "a number of warp instructions"),
    "target": (_is_text, "a GPU such as 'sm_90a'"),
    "fail_on": (_are_words, f"a list of {', '.join(FAILS)}"),
    "max_wavefronts": (_are_limits, "a number, or a table LINE or 'FILE:LINE' = number"),
    "budget": (_is_text, "the name of a budget file, from the folder of this one"),
}
NEEDED = ("grid", "block")
SOURCES = ("ptx", "cuda")  # one of them
#: keys that a launch takes as they are, and what it calls them
OPTIONS = {"shared": "shared_bytes", "blocks": "blocks", "order": "order", "max_steps": "max_steps", "target": "target"}


@dataclass(frozen=True)
class Reach:
    """Where a launch file lies, and the folders whose files messages may quote: its own, and that of the test run."""

    folder: Path
    top: Path

    def array(self, name: str) -> Path:
        """The file of an array that the launch file names."""
        path = self.folder / name
        refuse_others(path)
        return path

    def shows(self, path: Path) -> bool:
        """A message may quote the file at a path, links followed."""
        return any(path.resolve().is_relative_to(root.resolve()) for root in (self.folder, self.top))

    @property
    def hides(self) -> str:
        """Why a message quotes nothing."""
        return f"it is outside of {str(self.top)!r}, so that nothing of it is shown"


def _module(reach: Reach, path: Path, keys: Mapping[str, Any]) -> Module:
    if "ptx" in keys:
        return Module(path)
    name = keys.get("kernel")
    template = [name] if name is not None and "<" in name else []
    quoted = [str(root) for root in (reach.folder, reach.top)]
    return built(
        path, template, keys.get("target", USUAL_TARGET), harmless(keys.get("options", ()), reach.folder), quoted
    )


def _kernel(reach: Reach, keys: Mapping[str, Any]) -> Kernel:
    source = next(key for key in SOURCES if key in keys)
    path, name = reach.folder / keys[source], keys.get("kernel")
    try:
        refuse_others(path)
        module = _module(reach, path, keys)
    except (OSError, ValueError, ImportError, WarpsimError) as error:
        if getattr(error, "argument", None) == "options":
            raise
        verb = "compile" if isinstance(error, CompileError) else "read"
        is_text = isinstance(error, CompileError | PtxSyntaxError) and not reach.shows(path)
        reason = reach.hides if is_text else why(error)
        raise bad_value(source, f"cannot {verb} {path.name!r}: {reason}") from error
    try:
        return only(module) if name is None else module[name]
    except LookupError as error:
        others = f"{', '.join(module.kernels) or 'no kernel'}; none is {shown(name)}{instance(module, name or '')}"
        raise bad_value("kernel", f"{path.name} has {error.args[0] if name is None else others}") from None


@dataclass(frozen=True)
class FileLaunch:
    """One [[launch]] of a file."""

    name: str
    reach: Reach
    keys: Mapping[str, Any]

    def _args(self, kernel: Kernel) -> list[Any]:
        given = self.keys.get("args", [])
        pairs = given.items() if isinstance(given, dict) else enumerate(given)
        try:
            return arguments(kernel.params, [f"{name}={value}" for name, value in pairs], self.reach.array)
        except ValueError as error:
            raise bad_value("args", str(error).removeprefix("--arg: ")) from error

    def _budgets(self) -> Iterator[tuple[str, budget.Budget]]:
        most = self.keys.get("max_wavefronts", {})
        table = {budget.TOTAL: most} if isinstance(most, int) else most
        if table:
            yield "max_wavefronts", budget.Budget({place: {"wavefronts": n} for place, n in table.items()}, {})
        if "budget" in self.keys:
            yield "budget", self._budget(self.reach.folder / self.keys["budget"])

    def _budget(self, path: Path) -> budget.Budget:
        text = budget.contents(path)
        try:
            return budget.Budget.from_toml(text, f"budget: {path}")
        except ValueError:
            if self.reach.shows(path):
                raise
            raise bad_value("budget", f"{path.name!r} cannot be read as one: {self.reach.hides}") from None

    def failures(self) -> list[str]:
        """Launches; what is wrong, in sentences."""
        limits = list(self._budgets())
        kernel = _kernel(self.reach, self.keys)
        options = {option: self.keys[key] for key, option in OPTIONS.items() if key in self.keys}
        grid, block = (tuple(n) if isinstance(n, list) else n for n in (self.keys["grid"], self.keys["block"]))
        report = kernel(grid, block, self._args(kernel), progress=False, **options)
        found = findings(report, "error")
        for word in self.keys.get("fail_on", []):
            found += [one for one in FAILS[word][1](report) if one not in found]
        for name, one in limits:
            found += [f"over budget: {what}" for what in one.exceeded(report, name)]
        return found


def _launch(path: Path, top: Path, number: int, keys: Any) -> FileLaunch:
    where = f"launch[{number}]"
    if not isinstance(keys, dict):
        raise bad_value(where, f"expected tables [[launch]], got {shown(keys)}")
    for key, value in keys.items():
        if key not in KEYS:
            raise bad_value(f"{where}.{key}", f"expected one of {', '.join(KEYS)}")
        fits, expected = KEYS[key]
        if not fits(value):
            raise bad_value(f"{where}.{key}", f"expected {expected}, got {shown(value)}")
    missing = [key for key in NEEDED if key not in keys]
    if all(key in keys for key in SOURCES):
        raise bad_value(f"{where}.cuda", "expected ptx or cuda, not both")
    if not any(key in keys for key in SOURCES):
        missing.insert(0, "ptx")
    if missing:
        raise bad_value(f"{where}.{missing[0]}", "missing")
    if "options" in keys and "ptx" in keys:
        raise bad_value(f"{where}.options", "expected cuda beside them: PTX is not compiled")
    return FileLaunch(str(keys.get("name", keys.get("kernel", number))), Reach(path.parent, top), keys)


def read(path: Path, top: Path | None = None) -> list[FileLaunch]:
    """The launches of a file; messages quote files below its folder or below `top`. ValueError names what is wrong."""
    try:
        contents = toml(text(path, MIB))
    except (ValueError, RecursionError, OSError) as error:
        raise ValueError(f"{path.name}: not TOML: {error}") from error
    wrong = next((key for key in contents if key != "launch"), None)
    if wrong is not None or not isinstance(contents.get("launch"), list):
        raise ValueError(f"{path.name}: {wrong or 'launch'}: expected tables [[launch]]")
    try:
        return [_launch(path, top or path.parent, number, keys) for number, keys in enumerate(contents["launch"])]
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
