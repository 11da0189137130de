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
FOLDERS = (FOLDER, FOLDER / "flags")
SAID: dict[str, dict[str, Any]] = {
    name: said for folder in FOLDERS for name, said in tomllib.loads((folder / "said.toml").read_text()).items()
}
FILES = {path.stem: path for folder in FOLDERS for path in folder.glob("*.cu")}


def runs(name: str) -> list[list[str]]:
    """The arguments of each run that the program's head names."""
    return [
        shlex.split(line.removeprefix("// run:"))
        for line in FILES[name].read_text().splitlines()
        if line.startswith("// run:")
    ]


def test_every_program_has_an_answer() -> None:
    assert set(FILES) == set(SAID)
    compared("runs of strangers' programs", sum(len(runs(name)) for name in SAID), at_least=25)


@pytest.mark.parametrize(("name", "number"), [(name, number) for name in SAID for number in range(len(runs(name)))])
def test_a_launch_says_what_it_should(name: str, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = SAID[name]
    own = wanted.get("runs", [{}] * (number + 1))[number]
    cli.main(["run", str(FILES[name]), *runs(name)[number]])
    said = " ".join("".join(capsys.readouterr()).split())
    for pattern in (*wanted.get("says", ()), *own.get("says", ())):
        assert re.search(pattern, said), f"{pattern!r} is not in:\n{said}"
    for pattern in (*wanted.get("never", ()), *own.get("never", ())):
        assert not re.search(pattern, said), f"{pattern!r} is in:\n{said}"
