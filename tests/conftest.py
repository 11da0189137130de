import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.support import evidence
from tests.support.paths import ROOT, TESTS, older_package

#: files whose slow tests take a core for long, the longest first: with --no-loadscope-reorder they are begun first, so
#: that no other core waits for one of them at the end
LONGEST = (
    "ship/test_distributions.py", "robust/test_fuzz.py", "explorer/test_explorer.py", "wgmma/test_wgmma_measured.py",
    "robust/test_memcheck.py", "kernels/test_removal.py", "planted/test_applied.py", "kernels/test_races.py",
    "ship/test_consumers.py", "ship/test_compiled_unit.py", "docs/test_docs.py", "mma/test_multiply_measured.py",
)  # fmt: skip
MOST_CHARACTERS = 4000  # of a failure, when it comes; all of it is printed at the end


def pytest_xdist_auto_num_workers() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class FailuresAtOnce:
    """Prints each failure when it comes: a run in CI may be killed before it ends."""

    def __init__(self, config: pytest.Config) -> None:
        self.terminal = config.get_terminal_writer()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.terminal.line(f"\n{report.nodeid} failed:\n{report.longreprtext[-MOST_CHARACTERS:]}")


def pytest_report_header() -> str | None:
    """A warning, if the package that is imported is older than the checkout."""
    spec = find_spec("warpsim")
    return older_package(ROOT, Path(spec.origin).parent) if spec and spec.origin else None


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if "CI" in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first; the others stay as they are."""
    order = {TESTS / name: at for at, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path, len(order)))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker hands in what it compared and measured."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["evidence"] = (dict(evidence.COMPARED), evidence.FIGURES)


def pytest_testnodedown(node: Any) -> None:
    """Adds what a worker compared; one that crashed has handed in nothing."""
    compared, figures = getattr(node, "workeroutput", {}).get("evidence", ({}, {}))
    evidence.COMPARED.update(compared)
    evidence.FIGURES.update(figures)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if evidence.COMPARED:
        terminalreporter.section("compared")
        for what, count in sorted(evidence.COMPARED.items()):
            terminalreporter.write_line(f"{count:>9,}  {what}")
    if evidence.FIGURES:
        terminalreporter.section("measured")
        for what, value in sorted(evidence.FIGURES.items()):
            terminalreporter.write_line(f"{value:>12}  {what}")
