"""The command line: one command, one answer, one exit status.

0: fine (bank conflicts are fine, unless --fail-on-conflict), 1: illegal or undefined, 2: usage.
"""

from __future__ import annotations

from argparse import Namespace

from .. import errors
from . import commands, output, parser, profiles
from .files import refuse_lost
from .table import BAD, COMMANDS, USAGE

INTERRUPTED = 130  # 128 + SIGINT, as shells count


def _run(args: Namespace) -> int:
    command = COMMANDS[args.command]
    try:
        form = output.form_of(command, args.form, args.output)
        refuse_lost(command, args)
        profiles.take(command, args)
        answer = commands.RUN[command.name](args)
        if answer.text is not None:
            output.write(answer.render(form, args.output, args.typed), form, args.output)
        for words in (answer.warning, "" if form == "text" else answer.aside):
            if words:
                output.say(f"warpsim: {words}")
    except errors.OutOfMemoryError as error:
        return output.complain(args, error, USAGE)
    except errors.WarpsimError as error:
        return output.complain(args, error, BAD)
    except (ValueError, TypeError, OverflowError) as error:
        return output.complain(args, error, USAGE)
    except (MemoryError, RecursionError):
        return output.complain(args, f"{command.name}: too large for memory", USAGE)
    return answer.status


def main(argv: list[str] | None = None) -> int:
    """Runs one command; gives the exit status."""
    try:
        return _run(parser.parse(argv))
    except parser.Asked as text:
        return output.show(str(text))
    except parser.MisuseError as error:
        return output.misused(error)
    except KeyboardInterrupt:
        return INTERRUPTED
