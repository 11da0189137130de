"""An instruction from the command line."""

from __future__ import annotations

from .. import errors
from ..instruction.base import Instruction
from ..instruction.kinds import parse
from . import suggest
from .files import read_file


def instruction(ptx: str, argument: str = "PTX") -> Instruction:
    """The instruction of a text, or of standard input; errors begin with the argument's name."""
    words = read_file(ptx).strip() if ptx == "-" else ptx
    try:
        return parse(words)
    except errors.PtxSyntaxError as error:
        raise errors.UnsupportedError(f"{argument}: {suggest.ptx(error, words)}") from error
    except errors.UnsupportedError as error:
        raise errors.UnsupportedError(f"{argument}: {error}") from error
