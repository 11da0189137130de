"""Messages are for people: nothing in the package reads one to know what happened."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SEARCHES = {
    ".h": r"(find|equal|word_in|starts|strstr|strn?cmp|memcmp)\w*\([^;\n]*\b(message|reasons)\b",
    ".py": (
        r"(\bstr\((error|exception|err|e)\)|\b\w*message)\.(r?partition|r?split|replace|r?find|"
        r"r?index|startswith|endswith|splitlines)\(|"
        r" in (str\((error|exception|err|e)\)|message)\b|str\(report\)\.splitlines"
    ),
}


@pytest.mark.parametrize("folder", ["csrc", "src", "web"])
def test_messages_are_searched_or_rewritten_nowhere(folder: str) -> None:
    read = 0
    for file in sorted((ROOT / folder).rglob("*")):
        kind = {".pyx": ".py", ".pxi": ".py", ".c": ".h"}.get(file.suffix, file.suffix)
        if kind not in SEARCHES:
            continue
        read += 1
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            assert not re.search(SEARCHES[kind], line), f"{file}:{number}: {line.strip()}"
    assert read > 5
