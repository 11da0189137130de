"""Programs of strangers, as they wrote them: what the command says of each."""

import re
import shlex
import tomllib
from typing import Any

import pytest

from tests.support.evidence import compared
from tests.support.paths import ROOT
from warpsim import cli

FOLDER = ROOT / "tests" / "truth" / "strangers"
SAID: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "said.toml").read_text())


def runs(name: str) -> list[list[str]]:
    """The arguments of each run that the program's head names."""
    return [
        shlex.split(line.removeprefix("// run:"))
        for line in (FOLDER / f"{name}.cu").read_text().splitlines()
        if line.startswith("// run:")
    ]


def test_every_program_has_an_answer() -> None:
    assert {path.stem for path in FOLDER.glob("*.cu")} == set(SAID)
    compared("runs of strangers' programs", sum(len(runs(name)) for name in SAID), at_least=25)


@pytest.mark.parametrize(("name", "number"), [(name, number) for name in SAID for number in range(len(runs(name)))])
def test_a_launch_says_what_it_should(name: str, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = SAID[name]
    own = wanted.get("runs", [{}] * (number + 1))[number]
    cli.main(["run", str(FOLDER / f"{name}.cu"), *runs(name)[number]])
    said = " ".join("".join(capsys.readouterr()).split())
    for pattern in (*wanted.get("says", ()), *own.get("says", ())):
        assert re.search(pattern, said), f"{pattern!r} is not in:\n{said}"
    for pattern in (*wanted.get("never", ()), *own.get("never", ())):
        assert not re.search(pattern, said), f"{pattern!r} is in:\n{said}"
