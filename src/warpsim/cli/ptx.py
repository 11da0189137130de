"""An instruction from the command line."""

from __future__ import annotations

from .. import errors
from ..instruction.base import Instruction
from ..instruction.kinds import parse
from ..instruction.products import Product
from .files import read_file


def instruction(ptx: str, argument: str = "PTX") -> Instruction:
    """An instruction that accesses memory, or movmatrix; errors begin with the argument's name."""
    found = any_instruction(ptx, argument)
    if isinstance(found, Product):
        raise ValueError(f"{argument}: {found.ptx} does not access memory; explain and layout take it")
    return found


def any_instruction(ptx: str, argument: str = "PTX") -> Instruction | Product:
    """The instruction of a text, or of standard input."""
    words = read_file(ptx).strip() if ptx == "-" else ptx
    try:
        found: Instruction | Product = parse(words)
        return found
    except (errors.PtxSyntaxError, errors.UnsupportedError) as error:
        raise errors.UnsupportedError(f"{argument}: {error}") from error
