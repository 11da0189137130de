"""Profiles of GPUs that a user measured: --arch in the place of --target."""

from __future__ import annotations

from argparse import Namespace

from ..errors import why
from ..files import path_shown
from ..time.architecture import Arch
from .argument import Command

#: commands whose answer has cycles; to the others a profile is its target
TIMED = ("cost", "tile", "search", "mainloop")


def read(name: str) -> Arch:
    """The profile in a file; a ValueError for a file that holds something else."""
    try:
        return Arch.from_file(name)
    except OSError as error:
        raise ValueError(f"--arch: cannot read {path_shown(name)}: {why(error)}") from error
    except ValueError as error:
        raise ValueError(f"--arch: {error}") from error


def take(command: Command, args: Namespace) -> None:
    """Puts the profile of --arch, or its target, where --target is."""
    name = getattr(args, "arch", None)
    if name is None or not hasattr(args, "target"):
        return
    usual = next(argument.default for argument in command.arguments if argument.name == "--target")
    if args.target != usual:
        raise ValueError("--arch: give either --target or --arch, not both")
    found = read(name)
    args.target = found if command.name in TIMED else found.target
