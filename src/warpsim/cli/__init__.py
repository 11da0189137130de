"""The command line: one command, one answer, one exit status.

0: fine (bank conflicts are fine, unless --fail-on-conflict), 1: illegal or undefined, 2: usage.
"""

from __future__ import annotations

from .. import errors
from . import commands, output, parser, table
from .table import BAD, FINE, USAGE

INTERRUPTED = 130  # 128 + SIGINT, as shells count


def _answer(argv: list[str] | None) -> int:
    args = parser.parse(argv)
    command = table.COMMANDS[args.command]
    try:
        form = output.form_of(command, args.form, args.output)
        answer = commands.RUN[command.name](args)
        output.write(answer.render(form, args.output), form, args.output)
    except errors.WarpsimError as error:
        output.complain(command, error)
        return BAD
    except (ValueError, TypeError, OverflowError) as error:
        output.complain(command, error)
        return USAGE
    except (MemoryError, RecursionError) as error:
        output.complain(command, error, "too large for this machine's memory")
        return USAGE
    return answer.status


def main(argv: list[str] | None = None) -> int:
    """Runs one command; gives the exit status."""
    try:
        return _answer(argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except parser.MisuseError as error:
        return output.misused(error)
    except SystemExit as stop:  # argparse: --help, --version, usage
        return output.flushed(int(stop.code or FINE))
