"""The modules of the explorer: who imports whom, how long they get, and what bundle.py refuses."""

import re
import runpy
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

import pytest

from tests.support.paths import ROOT

WEB = ROOT / "web"
BUNDLE: dict[str, Any] = runpy.run_path(str(WEB / "bundle.py"))
TEXTS: dict[str, str] = BUNDLE["modules"](WEB / "page")

#: module -> the modules that it may import; web/build.py writes facts
ARROWS: dict[str, set[str]] = {
    "core": set(),
    "dom": set(),
    "picture": set(),
    "expression": set(),
    "link": {"expression", "facts"},
    "notation": {"facts"},
    "places": {"core"},
    "presets": set(),
    "undo": set(),
    "words": {"dom", "facts"},
    "headline": {"notation", "words"},
    "share": {"facts", "link", "words"},
    "transfer": {"dom"},
    "views/banks": {"facts", "picture", "places"},
    "views/found": {"core", "picture", "words"},
    "views/fragment": {"picture", "words"},
    "views/packed": {"facts", "picture"},
    "views/swizzle": {"picture"},
    "views/tile": {"facts", "picture", "places", "words"},
    "session": {"facts", "places"},
    "canvas": {"dom", "picture"},
    "beside": {"canvas", "core", "dom", "link", "notation", "session", "views/tile", "words"},
    "show": {
        *("beside", "canvas", "core", "dom", "facts", "headline", "link", "picture", "places", "session", "undo"),
        *("views/banks", "views/found", "views/fragment", "views/packed", "views/swizzle", "views/tile"),
        "words",
    },
    "form": {"dom", "facts", "link", "notation", "session", "show", "undo"},
    "play": {"dom", "places", "session", "show"},
    "pointer": {*("dom", "form", "places", "session", "show"), *("views/banks", "views/fragment", "views/tile")},
    "main": {
        *("core", "dom", "facts", "form", "link", "notation", "picture", "play", "pointer", "presets", "session"),
        *("share", "show", "transfer", "undo", "views/found", "words"),
    },
}

MAX_LINE = 120
MAX_FUNCTION = 40


def test_imports_are_arrows_of_the_table() -> None:
    found = {
        name.removesuffix(".js"): {needed.removesuffix(".js") for needed, _ in BUNDLE["imports"](name, text)}
        for name, text in TEXTS.items()
    }
    assert found == ARROWS
    TopologicalSorter(ARROWS).prepare()


def functions(text: str) -> Iterator[tuple[str, int]]:
    """The first line of each function, and how many lines it has; prettier has set the lines."""
    lines = text.splitlines()
    for begin, line in enumerate(lines):
        if not re.search(r"(\bfunction\b.*|^ *(static )?#?\w+\(.*\)|=>) \{$", line):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        end = next(i for i in range(begin + 1, len(lines)) if lines[i].startswith(indent + "}"))
        yield line.strip(), end - begin + 1


def test_lines_and_functions_are_short() -> None:
    lengths = {f"{name}: {first}": count for name, text in TEXTS.items() for first, count in functions(text)}
    assert len(lengths) > 100
    assert {name for name, count in lengths.items() if count >= MAX_FUNCTION} == set()
    lines = [line for text in TEXTS.values() for line in text.splitlines()]
    assert [line for line in lines if len(line) > MAX_LINE] == []


@pytest.mark.parametrize(
    ("texts", "error", "words"),
    [
        ({"a.js": 'import { x } from "./b.js";\n'}, KeyError, "b.js"),
        (
            {"a.js": 'import { x } from "./b.js";\n', "b.js": "export const y = 1;\n"},
            ValueError,
            "b.js does not export x",
        ),
        ({"a.js": 'import * as b from "./b.js";\n', "b.js": 'import * as a from "./a.js";\n'}, CycleError, "cycle"),
        ({"a.js": "export default 3;\n"}, ValueError, "does not know"),
        ({"a.js": 'import b from "./b.js";\n', "b.js": ""}, ValueError, "does not know"),
    ],
)
def test_bundle_refuses_modules_that_do_not_fit(texts: dict[str, str], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        BUNDLE["script"](texts)
