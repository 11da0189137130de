"""An instruction from the command line."""

from __future__ import annotations

from .. import errors
from ..instruction.base import DataMovement
from ..instruction.kinds import parse
from ..instruction.products import Product
from .files import read_file


def instruction(ptx: str, argument: str = "PTX") -> DataMovement:
    """An instruction that moves data; errors begin with the argument's name."""
    found = any_instruction(ptx, argument)
    if isinstance(found, Product):
        raise ValueError(f"{argument}: {found.ptx} does not access memory; explain and layout take it")
    return found


def any_instruction(ptx: str, argument: str = "PTX") -> DataMovement | Product:
    """The instruction of a text, or of standard input."""
    words = read_file(ptx).strip() if ptx == "-" else ptx
    try:
        found: DataMovement | Product = parse(words)
        return found
    except (errors.PtxSyntaxError, errors.UnsupportedError) as error:
        raise errors.UnsupportedError(f"{argument}: {error}") from error
