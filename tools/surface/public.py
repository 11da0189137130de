"""Every public name, found by looking: what the rules must call."""

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import warpsim as ws
from warpsim import dtypes, testing

#: names that are public besides ws.__all__: what a documented module gives
BESIDES: dict[str, tuple[ModuleType, tuple[str, ...]]] = {
    "dtypes": (dtypes, ("values", "code_bits")),
    "testing": (testing, tuple(testing.__all__)),
}
#: special methods that count where the package has them
SPECIAL = {
    "__call__", "__contains__", "__eq__", "__getitem__", "__hash__", "__iter__", "__len__",
    "__reduce__", "__repr__", "__str__",
}  # fmt: skip
#: sequence and exception machinery of Python's own
PYTHONS = {"add_note", "args", "with_traceback"}


def top() -> dict[str, Any]:
    """Public name -> what it is, except modules."""
    found = {name: getattr(ws, name) for name in ws.__all__}
    for module, (where, names) in BESIDES.items():
        found |= {f"{module}.{name}": getattr(where, name) for name in names}
    return {name: value for name, value in found.items() if not isinstance(value, ModuleType)}


def classes() -> dict[type, str]:
    return {value: name for name, value in top().items() if inspect.isclass(value)}


_CLASSES = classes()


def _is_ours(cls: type) -> bool:
    return cls.__module__.split(".")[0] == "warpsim"


def owner_of(cls: type, attribute: str) -> str | None:
    """The name of the base-most public class that has it; None where it is Python's own."""
    public = _CLASSES
    defined = next((c for c in cls.__mro__ if attribute in vars(c)), None)
    if defined is not None and not _is_ours(defined) and attribute in SPECIAL:
        return None
    holder = cls
    for base in cls.__mro__:
        if base in public and defined is not None and issubclass(base, defined):
            holder = base
    return public[holder]


def members(sample: object) -> Iterator[tuple[str, str]]:
    """(public name, attribute) of everything that an instance offers."""
    cls = type(sample)
    if not _is_ours(cls):  # a mapping of rules
        return
    for attribute in dir(sample):
        if attribute.startswith("_") and attribute not in SPECIAL | {"_repr_html_"}:
            continue
        if attribute in PYTHONS:
            continue
        owner = owner_of(cls, attribute)
        if owner is not None:
            yield f"{owner}.{attribute}", attribute
