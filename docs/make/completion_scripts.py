"""src/warpsim/data/completion, from the parser."""

import argparse
from collections.abc import Iterator
from functools import partial

import shtab

from tests.support.paths import PACKAGE
from warpsim import _core
from warpsim.cli.parser import build
from warpsim.cli.rules import rules
from warpsim.cli.table import SHELLS
from warpsim.targets import VERSIONS

FOLDER = PACKAGE / "data" / "completion"

#: what an option's values can be, where its parser does not say
VALUES = {
    "target": _core.TARGETS,
    "ptx_version": tuple(VERSIONS),
    "orders": ("row", "col", "row,col"),
    "ids": tuple(rule["id"] for rule in rules().rules),
}
PATHS = ("file", "files", "output")


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from actions(sub)


def script(shell: str) -> str:
    parser = build()
    for action in actions(parser):
        if action.dest in VALUES:
            action.choices = VALUES[action.dest]
        if action.dest in PATHS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    return f"{shtab.complete(parser, shell).rstrip()}\n"


FILES = {FOLDER / shell: partial(script, shell) for shell in SHELLS}
