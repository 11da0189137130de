from __future__ import annotations

import shlex

import pytest

from tests.support import evidence


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record", action="store_true", help="keep what was compared in tools/records/tests.json"
    )


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    if evidence.COMPARED:
        terminalreporter.section("compared")
        for what, count in sorted(evidence.COMPARED.items()):
            terminalreporter.write_line(f"{count:>9,}  {what}")
    if evidence.FIGURES:
        terminalreporter.section("measured")
        for what, value in sorted(evidence.FIGURES.items()):
            terminalreporter.write_line(f"{value:>12}  {what}")
    from tools import records  # noqa: PLC0415 - tests of a wheel have no tools

    if config.getoption("record") and exitstatus == pytest.ExitCode.OK:
        passed = len(terminalreporter.stats["passed"])
        command = shlex.join(["python3", "-m", "pytest", *config.invocation_params.args])
        records.write(
            "tests", command, {"passed": passed, **dict(sorted(evidence.COMPARED.items()))}
        )
