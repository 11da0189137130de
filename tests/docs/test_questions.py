"""The page of questions: every command and expression in it gives an answer."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import DOCS, ROOT
from warpsim import cli

X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
SHORT = {"X4": X4, "XT": X4.replace("x4", "x4.trans")}
TOLD = ("LDSM",)  # these are answered by the message of an error


def test_every_line_of_the_page_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "tests" / "cli" / "kernel.ptx", tmp_path)
    names = {"ws": ws, "Path": Path, "tile": ws.Layout(64, 64, "f16", pad=8)}
    answered = set()
    for number, code in re.findall(
        r"^\| (\d+) \|.*\| [^|`]*`((?:warpsim|ws\.|list\()[^`]*)`",
        (DOCS / "reference" / "questions.md").read_text(),
        re.M,
    ):
        if code.startswith("warpsim ") and len(code.split()) > 2:
            words = [SHORT.get(word, word) for word in shlex.split(code)[1:]]
            status = cli.main(words)
            told = "".join(capsys.readouterr())
            assert status == 0 or words[1].startswith(TOLD), told
            assert told
        elif not code.startswith("warpsim"):
            eval(code.replace("X4", X4), names)
        answered.add(int(number))
    compared("questions with a command or an expression", len(answered), at_least=28)
