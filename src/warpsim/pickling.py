"""How reports are pickled: by the names of their fields, with the number of that form.

A later version reads what this one wrote. What a newer one wrote is refused, never read as
something else. Values whose arguments say all (instructions, layouts, memories ...) are made again
from those, and checked as if a user gave them.
"""

from __future__ import annotations

import sys
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from . import _core
from .errors import bad_value

#: of the fields of all reports; one more where a field is added or changes its meaning
FORM = 4


class Kept:
    """Pickled by the names of its fields; copied so, too."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        names = [field.name for field in fields(self)] if is_dataclass(self) else list(vars(self))
        return restored, (type(self), FORM, {name: getattr(self, name) for name in names})


class Spelled:
    """A value whose repr says all that it is: where those are equal, the values are."""

    __slots__ = ()


def restored(kind: type[Any], form: int, held: dict[str, Any]) -> Any:
    """The report that was pickled; ValueError for what this version does not know."""
    if form > FORM:
        raise bad_value(
            "pickle",
            f"a {kind.__name__} of form {form}, written by a newer warpsim; {_core.VERSION} reads"
            f" form {FORM} and older ones",
        )
    if not issubclass(kind, Kept):
        raise bad_value("pickle", f"expected a report of warpsim, got {kind.__name__}")
    if is_dataclass(kind):
        held = _completed(kind, held)
    made = kind.__new__(kind)
    for name, value in held.items():
        object.__setattr__(made, name, value)
    return made


def _completed(kind: type[Any], held: dict[str, Any]) -> dict[str, Any]:
    """The fields in order; those that an older version did not have take their defaults."""
    held = getattr(kind, "_of_older", dict)(held)
    known = [field.name for field in fields(kind)]
    given = {field.name: field.default for field in fields(kind) if field.default is not MISSING}
    given |= {field.name: field.default_factory() for field in fields(kind) if field.default_factory is not MISSING}
    if not held.keys() <= set(known) <= held.keys() | given.keys():
        names = sorted(held.keys() ^ set(known))
        raise bad_value("pickle", f"a {kind.__name__} with unexpected or missing fields: {', '.join(names)}")
    return {name: held[name] if name in held else given[name] for name in known}


#: modules that 0.1.0 pickled by name -> where their classes are now; public ones are public
MOVED = {
    "warpsim.explanation": "warpsim.instruction.explanation",
    "warpsim.holders": "warpsim.instruction.fragment_holders",
    "warpsim.lint_report": "warpsim.lint.report",
    "warpsim.rules": "warpsim.cli.rules",
    **dict.fromkeys(
        (
            "warpsim.architecture", "warpsim.cost", "warpsim.findings", "warpsim.fragment_map",
            "warpsim.layout", "warpsim.mainloop", "warpsim.results", "warpsim.search_result",
            "warpsim.tile_report",
        ),
        "warpsim",
    ),
}  # fmt: skip


#: names that mean another class today -> the class that 0.1.0 pickled
RENAMED = {("warpsim.findings", "Finding"): "InstructionFinding"}


class _Moved(ModuleType):
    """A module of old pickles, under its old name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(MOVED[self.__name__]), RENAMED.get((self.__name__, name), name))


# not found by an importer, which would put it over the function of that name: `warpsim.cost`
sys.modules.update({name: _Moved(name) for name in MOVED})
