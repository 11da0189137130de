"""One script of ES modules: each in a function of its own, after those that it imports.

It knows what web/page uses, each at the start of a line: `import { a, b } from "./x.js";`,
`import * as x from "./x.js";`, and `export` before a const, function or class.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import dirname, join, normpath

IMPORT = re.compile(r'^import (?:\* as (\w+)|(\{[^}]*\})) from "(\.[^"]*)";\n', re.MULTILINE)
#: a comment that begins its line: who opens the page reads the sources elsewhere
COMMENT = re.compile(r"^[ ]*/\*.*?\*/\n", re.MULTILINE | re.DOTALL)
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (\$|\w+))", re.MULTILINE)


def modules(folder: Path) -> dict[str, str]:
    """The text of each module, by its path in the folder."""
    paths = sorted(folder.rglob("*.js"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}


def imports(name: str, text: str) -> list[tuple[str, set[str]]]:
    """The modules that a module imports, and the names that it takes from each."""
    return [
        (normpath(join(dirname(name), path)), set(re.findall(r"[$\w]+", names)))
        for _, names, path in IMPORT.findall(text)
    ]


def scope(name: str) -> str:
    """The constant that holds what a module exports."""
    return re.sub(r"\W", "_", name)


def scoped(name: str, text: str) -> str:
    """A module as a function that is called at once."""
    needed = iter(imports(name, text))
    body = IMPORT.sub(lambda m: f"const {m[1] or m[2]} = {scope(next(needed)[0])};\n", text)
    body = COMMENT.sub("", EXPORT.sub("", body))
    if re.search(r"^(import|export)\b", body, re.MULTILINE):
        raise ValueError(f"{name}: an import or export that bundle.py does not know")
    exports = ", ".join(EXPORT.findall(text))
    return f"const {scope(name)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


def script(texts: Mapping[str, str]) -> str:
    """The modules as one script; CycleError, KeyError or ValueError if they do not fit together."""
    needs = {name: dict(imports(name, text)) for name, text in texts.items()}
    for name, taken in needs.items():
        for needed, names in taken.items():
            if missing := names - {*EXPORT.findall(texts[needed])}:
                raise ValueError(f"{name}: {needed} does not export {', '.join(sorted(missing))}")
    order = TopologicalSorter(needs).static_order()
    return '"use strict";\n' + "".join(scoped(name, texts[name]) for name in order)
