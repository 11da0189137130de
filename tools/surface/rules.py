"""All rules with their shares, and the run of a seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from . import behind, running, walking, words
from .session import Session, Tally

Rule = Callable[[Session], None]
#: rule -> how often, relative to the others
SHARES: dict[Rule, int] = {
    running.execute: 24,
    running.quick: 16,
    words.quick_words: 24,
    running.dressed: 8,
    running.overlapping: 4,
    running.hostile_execute: 30,
    running.hostile_out: 4,
    running.traffic: 8,
    running.mnemonics: 16,
    running.many_warps: 2,
    walking.walk: 36,
    behind.behind: 4,
}
RULES = tuple(SHARES)
WEIGHTS = tuple(SHARES.values())
STEPS = 100  # of one seed


def steps(
    seed: int, tally: Tally, count: int = STEPS, tell: Callable[[int, str], None] | None = None
) -> None:
    """One session: `count` rules drawn with this seed; `tell` hears of each before it runs."""
    random = Random(seed)
    session = Session(random, tally)
    for step in range(count):
        rule = random.choices(RULES, WEIGHTS)[0]
        if tell is not None:
            tell(step, rule.__name__)
        rule(session)
