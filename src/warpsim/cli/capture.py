"""`warpsim capture`: a program's launches, written to a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from .. import arguments
from ..capture.record import capture
from ..errors import why
from ..words import plural
from .output import Answer
from .table import BAD, FINE


def run(args: argparse.Namespace) -> Answer:
    """Runs the program; the program's own exit status where that is not 0."""
    program = args.program[1:] if args.program[:1] == ["--"] else args.program
    if not program:
        raise ValueError("capture: give the program to run, such as warpsim capture gemm.capture ./gemm 1024")
    path = Path(args.file)
    if path.suffix != ".capture":
        raise ValueError(f"FILE: expected a name that ends in .capture, got {args.file!r}")
    try:
        status, said = capture(
            program, path, kernel=args.kernel, skip=args.skip, count=args.count, nbytes=args.max_bytes
        )
    except OSError as error:
        raise ValueError(f"capture: cannot run {program[0]!r}: {why(error)}") from error
    launches = said["launches"]
    if not launches:
        named = f" whose name has --kernel {arguments.shown(args.kernel)}" if args.kernel else ""
        later = f" after --skip {args.skip}" if args.skip else ""
        none = f"capture: no launch was written: the program ran no kernel{named} on a GPU{later}"
        return Answer(status or BAD, None, warning=none)
    lines = [f"{path}: {plural(len(launches), 'launch')}, {plural(path.stat().st_size, 'byte')}"]
    for one in launches:
        held = sum(buffer["bytes"] for buffer in one["buffers"])
        lines.append(f"  {one['kernel']}: {plural(len(one['buffers']), 'buffer')}, {plural(held, 'byte')}")
        if one["note"]:
            lines.append(f"    {one['note']}")
    return Answer(status or FINE, None, warning="\n".join(lines))
