"""All rules with their shares, and the run of a seed; the rules of every public name but execute and traffic."""

import copy
import inspect
import pickle
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from . import hostile, public, recipes, running
from .hostile import Evil
from .recipes import RECIPES, Recipe
from .samples import instances
from .session import BARE, Session, Tally

#: what takes milliseconds: called less often
SLOW = {
    "html", "svg", "_repr_html_", "picture", "plot", "search", "tile", "mainloop", "sweep", "explain", "explain_at",
    "assert_conflict_free",
}  # fmt: skip
SLOW_SHARE = 0.2
PATHS = {"path", "checkpoint"}
CALLED = ("function", "progress")  # what these raise is the caller's
NAMES = 64  # of one step
SPECIAL: dict[str, Any] = {
    "__repr__": repr,
    "__str__": str,
    "__hash__": hash,
    "__len__": len,
    "__iter__": list,
    "__reduce__": lambda x: x.__reduce__(),
    "__eq__": lambda x: [x == other for other in (x, 1, None, "x", np.arange(3))],
}


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
def names() -> tuple[str, ...]:
    """Every public name that the rules here can call."""
    values = (name for name in instances() if not name.split(".")[-1].isupper())
    return tuple(sorted({*attributes(), *RECIPES, *values}))


def walk(session: Session) -> None:
    """Public names, each as likely as the others."""
    for _ in range(NAMES):
        name = session.random.choice(names())
        if name.split(".")[-1] not in SLOW or session.random.random() < SLOW_SHARE:
            visit(session, name)


def visit(session: Session, name: str) -> None:
    """One call of a name: by its recipe, of an instance, or as a value that travels."""
    rule = use if name in RECIPES else look if name in attributes() else travel
    rule(session, name)


@cache
def arguments_of(name: str) -> tuple[str, ...]:
    """The arguments of a recipe, and what else the function that it calls takes."""
    function, args, kwargs = RECIPES[name](Random(0))
    try:
        parameters = [] if args or name in BARE else inspect.signature(function).parameters.values()
    except ValueError:  # of the core
        parameters = []
    named = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    return tuple(dict.fromkeys((*kwargs, *named)))


def use(session: Session, name: str) -> None:
    """A recipe, in most calls with something hostile in it."""
    random = session.random
    recipe = RECIPES[name](random)
    _, args, kwargs = recipe
    honest = dict(kwargs)
    if random.random() < 0.7:
        session.spoil(kwargs, arguments_of(name))
    if kwargs and random.random() < 0.03:
        del kwargs[random.choice(list(kwargs))]
    if random.random() < 0.01 and not args:
        kwargs["nonsense"] = 1
    _called(session, name, recipe, honest)


def give(session: Session, name: str, argument: str, kind: str) -> None:
    """A recipe with one hostile value, of this kind, for this argument."""
    recipe = RECIPES[name](session.random)
    honest = dict(recipe[2])
    recipe[2][argument] = hostile.ANYTHING[kind](session.random)
    session.tally.kinds[kind] += 1
    _called(session, name, recipe, honest)


def _called(session: Session, name: str, recipe: Recipe, honest: Mapping[str, Any]) -> None:
    """The call of a recipe whose arguments were `honest` before."""
    function, args, kwargs = recipe
    if isinstance(kwargs.get("ax"), Evil):
        kwargs["ax"] = honest["ax"]  # what has every method may do anything
    for argument in PATHS & kwargs.keys():
        given = kwargs[argument]
        if isinstance(given, str | bytes):  # a file of this name, and none beside our folder
            kwargs[argument] = f"{recipes.folder()}/{given!s}"
    own = any(kwargs.get(each) is not honest.get(each) for each in CALLED)
    session.call(name, function, args, kwargs, words=honest, also=(TypeError, ValueError) if own else ())


def look(session: Session, name: str) -> None:
    """A property, or a method without arguments."""
    sample, attribute = session.random.choice(attributes()[name])
    if attribute in SPECIAL:
        session.call(name, SPECIAL[attribute], (sample,), words=("unhashable",))
        return
    value = session.call(name, getattr, (sample, attribute), words=("no", "is"))
    if inspect.ismethod(value) or inspect.isbuiltin(value):
        odd = session.random.random() < 0.05 and not attribute.startswith("__")
        session.call(name, value, (), {"nonsense": 1} if odd else {})


def travel(session: Session, name: str) -> None:
    """Pickled and copied."""
    sample = session.random.choice(instances()[name])
    again = session.call(name, lambda: pickle.loads(pickle.dumps(sample)))
    session.call(name, copy.copy, (sample,))
    if not isinstance(sample, BaseException) and type(sample).__eq__ is not object.__eq__:
        session.check("values out of a pickle", again == sample, lambda: f"{name}: {sample!r:.200}")


Rule = Callable[[Session], None]
#: rule -> how often, relative to the others
SHARES: dict[Rule, int] = {
    running.execute: 24, running.dressed: 10, running.hostile_execute: 40, running.mnemonics: 16, running.many_warps: 2,
    running.sabotaged: 4, running.orphaned: 2, walk: 36,
}  # fmt: skip
RULES = tuple(SHARES)
STEPS = 100  # of one seed


def steps(
    seed: int, tally: Tally, count: int = STEPS, tell: Callable[[int, str], None] = lambda step, rule: None
) -> None:
    """One session: `count` rules drawn with this seed; `tell` hears of each before it runs."""
    random = Random(seed)
    session = Session(random, tally)
    for step in range(count):
        rule = random.choices(RULES, tuple(SHARES.values()))[0]
        tell(step, rule.__name__)
        rule(session)
