"""What a compiler said, without lines of files that the source has no business with."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from ..characters import printable
from ..errors import KEPT

#: folders of the host compiler's own headers
HOST = ("/usr/include", "/usr/local/include", "/usr/lib")
PLACE = re.compile(r"(?P<file>[^\s(:][^(:\n]*)(?:\((?P<line>\d+)\)|:(?P<row>\d+)(?::\d+)?): ")
HIDDEN = "error in a file outside of the folders of the source"


#: where NVRTC writes the names of instances that it is asked for; it is no file
INSTANCES = "__nv_name_map"


def readable(
    log: str, file: str, roots: Iterable[str | os.PathLike[str]], headers: Collection[str] = frozenset(), more: str = ""
) -> str:
    """The log; of errors in files that are neither `file` nor in `headers` nor below a root only the place is left.

    A source can #include any file, and compilers quote the lines that they refuse. `headers` are texts of the caller;
    `more`: what to do to see more.
    """
    inside = [os.path.realpath(root) for root in (*roots, *HOST)]
    found: list[str] = []
    hides = False
    for line in log.split("\n"):
        place = PLACE.match(line)
        if place is not None:
            name = place["file"]
            real = Path(os.path.realpath(name))
            is_text = name == file or name in headers or (name == INSTANCES and not os.path.exists(real))
            hides = not is_text and not any(real.is_relative_to(root) for root in inside)
            found.append(f"{name}({place['line'] or place['row']}): {HIDDEN}{more}" if hides else line)
        elif not hides or not line.startswith((" ", "\t")):
            found.append(line)
    return printable("\n".join(found), KEPT)
