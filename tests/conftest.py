from __future__ import annotations

import evidence
import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if evidence.COMPARED:
        terminalreporter.section("compared")
        for what, count in sorted(evidence.COMPARED.items()):
            terminalreporter.write_line(f"{count:>9,}  {what}")
