"""Bad arguments, of bad_arguments.txt: the error names the argument and what was expected."""

import builtins
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.paths import ROOT

LINES = [
    line
    for line in Path(__file__).with_name("bad_arguments.txt").read_text("utf-8").splitlines()
    if line and line[0] != "#"
]


def search(**options: Any) -> ws.SearchResult:
    return ws.search(128, 64, "f16", **({"store": ws.St(vec=4), "load": X4} | options))


def tile(layout: Any = ws.Layout(64, 64, "f16"), **options: Any) -> ws.TileReport:  # noqa: B008
    return ws.tile(layout, **({"store": ws.St(vec=4), "load": X4} | options))


def profile(text: str | bytes) -> ws.Arch:
    with TemporaryDirectory() as folder:
        path = Path(folder, "own.toml")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return ws.Arch.from_file(path)


X4 = ws.Ldmatrix(num=4)
COPY = ws.Module(ROOT / "tests" / "cli" / "kernel.ptx")["copy"]


def launch(grid: Any = 1, block: Any = 32, args: Any = (None, None), **options: Any) -> ws.KernelReport:
    return COPY(grid, block, args, **options)


NAMES = {
    "ws": ws, "search": search, "tile": tile, "profile": profile, "X4": X4, "MOVM": ws.Movmatrix(), "launch": launch,
    "np": np,
    "FILL": ws.St(vec=4), "ROWS": [lane * 16 for lane in range(32)],
    "F16": ws.Layout(64, 32, "f16"), "LOOP": ((64, 64, 32), (2, 2)),
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_bad_arguments_are_named(line: str) -> None:
    call, errors, said = re.fullmatch(r"(.*) -> ([\w, ]+): ?(.*)", line).groups()  # type: ignore[union-attr]
    expected = tuple(getattr(ws, name, None) or getattr(builtins, name) for name in errors.split(", "))
    with pytest.raises(expected) as caught:
        eval(call, NAMES)
    for words in said.split(" | "):
        assert words in str(caught.value), str(caught.value)
