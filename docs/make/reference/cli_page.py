"""docs/reference/cli.md, from the table of commands."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace

from warpsim.cli.argument import FORMS, Argument, Command
from warpsim.cli.table import COMMANDS

WIDTH = 78

HEAD = """# Command line

Run `warpsim COMMAND ...` or `python -m warpsim COMMAND ...`. `warpsim COMMAND --help` shows the same text as this page.

| exit status | |
| --- | --- |
| 0 | success; bank conflicts do not count as failure unless you pass `--fail-on-conflict` |
| 1 | illegal, undefined, or nothing legal found; `conflicts` and `cost` print the counts and, on standard error, what is undefined. `explore` gives 0: the page shows it |
| 2 | usage error: an invalid argument, or a file that cannot be read or written |

The output is plain text of at most 80 columns. On a terminal it is coloured; `NO_COLOR` turns colours off and `FORCE_COLOR` turns them on. Other formats:

{forms}

`-o FILE` writes to a file. If no option selects the format, the file name's extension does: `-o report.html`.
`-` instead of an instruction or a file reads standard input.

A tile is written `ROWSxCOLS:TYPE[:row|col][:pad=N][:swizzle=B,M,S[,byte]]`: 64 rows of 64 halves, padded by 8, are `64x64:f16:pad=8`.
`--address` takes 32 addresses, or as many as the instruction has row addresses (8 for `ldmatrix.x1`), or one for all lanes, or an expression of integers, `lane`, `+ - * // % << >> & | ^ ~` and brackets.

{completion}
"""

COMPLETION = """Shell completion of commands, options and targets, for one session or in a start-up file:

```sh
source <(warpsim completion bash)
warpsim completion fish | source
warpsim completion zsh -o ~/.zfunc/_warpsim   # a folder of $fpath
```"""


def written(argument: Argument) -> str:
    """An argument as the usage has it."""
    words = argument.metavar or ""
    if argument.nargs == "+":
        words += " ..."
    if argument.nargs == "*":
        words = f"[{words} ...]"
    if argument.nargs == "?":
        words = f"[{words}]"
    if argument.name[0] != "-":
        return words
    words = f"{argument.name} {words}".rstrip()
    return words if argument.required else f"[{words}]"


def usage(command: Command) -> str:
    positional = [a for a in command.arguments if a.name[0] != "-"]
    options = [a for a in command.arguments if a.name[0] == "-"]
    words = [f"warpsim {command.name}", *map(written, positional), *map(written, options)]
    if command.forms:
        words.append(f"[{' | '.join(f'--{form}' for form in command.forms)}]")
    whole = [word.replace(" ", "\0") for word in (*words, "[-o FILE]")]
    return "\n".join(
        textwrap.wrap(" ".join(whole), WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    ).replace("\0", " ")


def section(command: Command) -> Iterator[str]:
    yield f"## warpsim {command.name}\n"
    yield f"{command.help[0].upper()}{command.help[1:]}.\n"
    yield f"```text\n{usage(command)}\n```\n"
    for argument in command.arguments:
        name = written(replace(argument, required=True)) if argument.name[0] == "-" else argument.metavar
        yield f"- `{name}`: {argument.text}"
    yield f"\nExample, exit status {command.status}:\n"
    yield f"```sh\n{command.written(WIDTH)}\n```\n"
    if command.schemas:
        links = (f"[{name}](json.md#{re.sub('[./]', '', name)})" for name in command.schemas)
        yield f"`--json` gives {' or '.join(links)}.\n"


def page() -> str:
    forms = "\n".join(f"- `--{name}`: {form.help}" for name, form in FORMS.items())
    lines = [HEAD.format(forms=forms, completion=COMPLETION)]
    for command in COMMANDS.values():
        lines += section(command)
    return "\n".join(lines).rstrip() + "\n"
