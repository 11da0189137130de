"""Completion scripts: those of the parser, and what a real shell offers."""

import shutil
import subprocess
from importlib.resources import files

import pytest

from docs.make.completion_scripts import FOLDER
from tests.support.evidence import compared
from warpsim import cli
from warpsim.cli.table import COMMANDS, SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_command_gives_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = FOLDER.joinpath(shell).read_text("utf-8")
    assert files("warpsim").joinpath("data", "completion", shell).read_text("utf-8") == kept
    assert cli.main(["completion", shell]) == 0
    assert capsys.readouterr().out == kept


def offered(*words: str) -> set[str]:
    """What bash offers for the last of the words."""
    bash = shutil.which("bash")
    assert bash is not None, "bash is needed"
    lines = [
        f"source {FOLDER / 'bash'}",
        "complete -p warpsim >&2",
        f"COMP_WORDS=(warpsim {' '.join(repr(word) for word in words)})",
        f"COMP_CWORD={len(words)}",
        'COMP_LINE="${COMP_WORDS[*]}"',
        "COMP_POINT=${#COMP_LINE}",
        "_shtab_warpsim",
        r"printf '%s\n' ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}",
    ]
    done = subprocess.run(
        [bash, "--norc", "-c", "\n".join(lines).replace('\\"', '"')],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "-F _shtab_warpsim warpsim" in done.stderr
    return set(done.stdout.split())


def test_bash_offers_commands_options_and_values() -> None:
    assert offered("") >= set(COMMANDS)
    assert offered("ti") == {"tile"}
    for name, command in COMMANDS.items():
        found = offered(name, "--")
        assert found >= {option for option in command.options if option[:2] == "--"} - {"--help"}, name
        assert found <= {*command.options, "--help"}, name
        compared("options that bash offers", len(found), at_least=1)
    assert {"sm_90", "sm_90a"} <= offered("tile", "64x64:f16", "--target", "sm_9")
    assert offered("completion", "") >= set(SHELLS)
