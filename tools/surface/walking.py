"""Rules for every other public name: properties, methods without arguments, recipes, copies."""

from __future__ import annotations

import copy
import inspect
import pickle
from functools import cache
from typing import Any

import numpy as np

from . import public, recipes
from .hostile import Evil
from .recipes import RECIPES
from .samples import instances
from .session import Session

#: what takes milliseconds: called less often
SLOW = {"html", "svg", "_repr_html_", "picture", "plot"}
SLOW_NAMES = {
    "search",
    "tile",
    "mainloop",
    "sweep",
    "explanation.explain",
    "testing.assert_conflict_free",
}
SLOW_SHARE = 0.2
PATHS = {"path", "checkpoint"}
CALLED = ("function", "progress")  # what these raise is the caller's
NAMES = 64  # of one step


@cache
def attributes() -> dict[str, tuple[tuple[Any, str], ...]]:
    """Public name -> (instance, attribute) of every member that needs no recipe."""
    found: dict[str, list[tuple[Any, str]]] = {}
    for samples in instances().values():
        for sample in samples:
            for name, attribute in public.members(sample):
                if name not in RECIPES:
                    found.setdefault(name, []).append((sample, attribute))
    return {name: tuple(places) for name, places in found.items()}


@cache
def copied() -> tuple[str, ...]:
    """Classes whose instances are values that travel: they come out of a pickle as they went in."""
    return tuple(name for name in instances() if not name.split(".")[-1].isupper())


@cache
def names() -> tuple[str, ...]:
    """Every public name that the rules here can call."""
    return tuple(sorted({*attributes(), *RECIPES, *(n for n in copied() if n not in RECIPES)}))


def walk(session: Session) -> None:
    """Public names, each as likely as the others."""
    for _ in range(NAMES):
        name = session.random.choice(names())
        if name not in _slow() or session.random.random() < SLOW_SHARE:
            visit(session, name)


@cache
def _slow() -> frozenset[str]:
    return frozenset(n for n in names() if n in SLOW_NAMES or n.split(".")[-1] in SLOW)


def visit(session: Session, name: str) -> None:
    """One call of a name."""
    if name in RECIPES:
        use(session, name)
    elif name in attributes():
        look(session, name)
    else:
        travel(session, name)


def use(session: Session, name: str) -> None:
    """A recipe, in most calls with something hostile in it."""
    random = session.random
    function, args, kwargs = RECIPES[name](random)
    ax, honest, all_names = kwargs.get("ax"), dict(kwargs), tuple(kwargs)
    if kwargs and random.random() < 0.7:
        session.spoil(kwargs)
    if kwargs and random.random() < 0.03:
        del kwargs[random.choice(list(kwargs))]
    if random.random() < 0.01 and not args:
        kwargs["nonsense"] = 1
    if ax is not None and isinstance(kwargs.get("ax"), Evil):
        kwargs["ax"] = ax  # what has every method may do anything
    for argument in PATHS & kwargs.keys():
        given = kwargs[argument]
        if isinstance(given, str | bytes):  # a file of this name, and none beside our folder
            kwargs[argument] = f"{recipes.folder()}/{given!s}"
    own = any(kwargs.get(each) is not honest.get(each) for each in CALLED)
    session.call(
        name, function, args, kwargs, words=all_names, also=(TypeError, ValueError) if own else ()
    )


SPECIAL: dict[str, Any] = {
    "__repr__": repr,
    "__str__": str,
    "__hash__": hash,
    "__len__": len,
    "__iter__": list,
    "__reduce__": lambda x: x.__reduce__(),
}


def look(session: Session, name: str) -> None:
    """A property, or a method without arguments: twice, with equal answers."""
    random = session.random
    sample, attribute = random.choice(attributes()[name])
    if attribute == "__eq__":
        session.call(
            name, lambda: sample == random.choice((sample, 1, None, "x", np.arange(3))), also=()
        )
        return
    if attribute in SPECIAL:
        session.call(name, SPECIAL[attribute], (sample,), words=("unhashable",))
        return
    value = session.call(name, getattr, (sample, attribute), words=("no", "is"))
    if inspect.ismethod(value) or inspect.isbuiltin(value):
        kwargs = {} if random.random() < 0.95 or attribute.startswith("__") else {"nonsense": 1}
        session.call(name, value, (), kwargs)


def travel(session: Session, name: str) -> None:
    """Pickled and copied."""
    sample = session.random.choice(instances()[name])
    again = session.call(name, lambda: pickle.loads(pickle.dumps(sample)))
    session.call(name, copy.copy, (sample,))
    if isinstance(sample, BaseException) or type(sample).__eq__ is object.__eq__:
        return
    session.check("values out of a pickle", again == sample, lambda: f"{name}: {sample!r:.200}")
