"""The SARIF log of lint: against the JSON schema of SARIF, and against the findings."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import warpsim as ws
from tests.lint.test_lint import COMPLAINTS, ptx
from tests.support.evidence import TRUTH, compared
from warpsim import cli
from warpsim.cli.files import uri
from warpsim.render import sarif

SCHEMA = json.loads(gzip.decompress((TRUTH / "sarif-2.1.0-rtm.5.json.gz").read_bytes()))
RULES = {rule.id: rule for rule in ws.RULES.values() if rule.about == "lint"}
X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"


def log_of(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    status = cli.main(["lint", *words, "--sarif"])
    log: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    return status, log


def test_schema_refuses_what_is_no_log() -> None:
    validator = jsonschema.Draft4Validator(SCHEMA)
    log = sarif.log([], [], "1.0")
    assert validator.is_valid(log)
    for broken in ({**log, "version": "2.0"}, {**log, "runs": [{}]}, {"runs": []}):
        assert not validator.is_valid(broken)


@pytest.mark.usefixtures("in_folder")
def test_log_has_every_finding_at_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    text = ptx(*(f"/* \U0001f600 caf\u00e9 */\t{line}" for line, _, _ in COMPLAINTS))
    Path("a b#.ptx").write_text(text, encoding="utf-8")
    report = ws.lint(text)
    status, log = log_of("a b#.ptx", capsys=capsys)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert status == 1 and run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in rules] == list(RULES)
    assert {rule["id"]: rule["defaultConfiguration"]["level"] for rule in rules} == {
        rule.id: rule.severity for rule in RULES.values()
    }
    lines = text.split("\n")
    for result, finding in zip(run["results"], report.findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule
        assert (result["level"], result["message"]["text"]) == (finding.severity, finding.message)
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a%20b%23.ptx"
        for region in (place["region"], place["contextRegion"]):
            line = lines[region["startLine"] - 1]
            piece = line[region["startColumn"] - 1 : region["endColumn"] - 1]
            assert piece.replace("\t", " ") == region["snippet"]["text"]
        assert place["region"]["startLine"] == finding.line
        assert place["region"]["startColumn"] == finding.column
    compared("findings in a SARIF log", len(run["results"]), at_least=20)


@pytest.mark.usefixtures("in_folder")
def test_log_of_several_files_is_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sub").mkdir()
    for name in ("a.ptx", "sub/b.ptx"):
        Path(name).write_text(f".version 6.4\n.target sm_75\n{X4} {{a,b,c,d}}, [p];\n")
    Path("c.ptx").write_text(f".version 8.0\n.target sm_80\n{X4} {{a,b,c,d}}, [p];\n")
    here = Path.cwd()
    names = ["./a.ptx", str(here / "sub" / "b.ptx"), "c.ptx"]
    status, log = log_of(*names, capsys=capsys)
    found = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in log["runs"][0]["results"]
    ]
    assert (status, found) == (1, ["a.ptx", "sub/b.ptx"])
    status, log = log_of("c.ptx", capsys=capsys)
    assert (status, log["runs"][0]["results"]) == (0, [])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.ptx", "a.ptx"),
        ("./x/../a b.ptx", "a%20b.ptx"),
        ("../a.ptx", "../a.ptx"),
        ("a:b%.ptx", "a%3Ab%25.ptx"),
        ("caf\u00e9.ptx", "caf%C3%A9.ptx"),
        (os.fsdecode(b"\xff.ptx"), "%FF.ptx"),
        ("/elsewhere/a b.ptx", "file:///elsewhere/a%20b.ptx"),
    ],
)
def test_uri_is_relative_and_escaped(name: str, expected: str) -> None:
    assert uri(name) == expected


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


WARNING, NOTE = (
    next(line for line, rule, _ in COMPLAINTS if RULES[rule].severity == severity) for severity in ("warning", "note")
)


@pytest.mark.parametrize(("line", "statuses"), [(WARNING, (0, 1, 1)), (NOTE, (0, 0, 1)), ("", (0, 0, 0))])
@pytest.mark.usefixtures("in_folder")
def test_fail_on_chooses_what_counts(line: str, statuses: tuple[int, ...], capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(ptx(line))
    found = tuple(cli.main(["lint", "a.ptx", "--fail-on", severity]) for severity in ("error", "warning", "note"))
    assert found == statuses, capsys.readouterr().out
    assert cli.main(["lint", "a.ptx"]) == 0
    assert cli.main(["lint", "a.ptx", "--fail-on", "trouble"]) == 2
