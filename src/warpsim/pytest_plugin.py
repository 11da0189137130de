"""A pytest plugin: PTX files as test items, checked by `ws.lint`, and launches of kernels.

Load it with `pytest -p warpsim.pytest_plugin`, or `pytest_plugins = ["warpsim.pytest_plugin"]` in
the top conftest.py. Files named on the command line are collected, and those that the ini option
`warpsim_ptx` matches (globs, from the folder of the configuration; pytest itself leaves out folders
named "build", see its option norecursedirs); each is one item, or one for
each target of `warpsim_targets`:

    [tool.pytest.ini_options]
    warpsim_ptx = ["ptx/**/*.ptx"]
    warpsim_targets = ["sm_90a", "sm_100a"]

Files *.warpsim.toml are collected like test modules; each of their launches is an item, which fails
on an error, and on what its keys fail_on, max_wavefronts and budget say:

    [[launch]]
    ptx = "transpose.ptx"
    kernel = "transpose_padded_f32"
    grid = [3, 2]
    block = [32, 8]
    args = ["f32[50,70]:random(1)", "f32[70,50]", 50, 70]
    fail_on = ["races", "conflicts"]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .characters import line_of_log, lines_of_log
from .errors import WarpsimError
from .files import MOST_PROGRAM, contents, refuse_others
from .lint.lint import lint, unread
from .lint.report import LintReport
from .testing.files import FileLaunch, read

MATCHED = pytest.StashKey[set[Path]]()


class PtxError(AssertionError):
    """A file in which lint found an error; `report` has it."""

    def __init__(self, report: LintReport) -> None:
        super().__init__("lint found an error")
        self.report = report


class PtxItem(pytest.Item):
    """One file, at its own target or at another."""

    def __init__(self, *, target: str | None, **rest: Any) -> None:
        super().__init__(**rest)
        self.target = target

    def runtest(self) -> None:
        refuse_others(self.path)
        text = contents(self.path, MOST_PROGRAM).decode("utf-8", "replace")
        report = lint(text, target=self.target)
        if why := unread(text, report):
            raise ValueError(f"{self.path.name} {why}")
        if not report.ok:
            raise PtxError(report)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, PtxError):
            return lines_of_log(excinfo.value.report.text(self.path.name))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"lint {self.path.name} for {self.target or 'its own target'}"


class PtxFile(pytest.File):
    """A PTX file: one item for each target."""

    def collect(self) -> Iterator[PtxItem]:
        targets: list[str] = self.config.getini("warpsim_targets")
        for target in targets:
            yield PtxItem.from_parent(self, name=target, target=target)
        if not targets:
            yield PtxItem.from_parent(self, name="lint", target=None)


class LaunchError(AssertionError):
    """A launch that fails."""


class LaunchItem(pytest.Item):
    """One launch of a file."""

    def __init__(self, *, launch: FileLaunch, **rest: Any) -> None:
        super().__init__(**rest)
        self.launch = launch

    def runtest(self) -> None:
        found = self.launch.failures()
        if found:
            raise LaunchError("\n".join(found))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        if isinstance(error, LaunchError | ValueError | TypeError | OverflowError | WarpsimError):
            return lines_of_log(f"{self.path.name}: {line_of_log(self.launch.name)}: {error}")
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"launch {self.name} of {self.path.name}"


class LaunchFile(pytest.File):
    """A TOML file: one item for each launch."""

    def collect(self) -> Iterator[LaunchItem]:
        try:
            launches = read(self.path, self.config.rootpath)
        except ValueError as error:
            raise self.CollectError(lines_of_log(str(error))) from error
        for launch in launches:
            yield LaunchItem.from_parent(self, name=line_of_log(launch.name), launch=launch)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The two ini options."""
    parser.addini("warpsim_ptx", "globs of PTX files that are tests", type="args", default=[])
    parser.addini("warpsim_targets", "targets instead of the files' own", type="args", default=[])


def _matched(config: pytest.Config) -> set[Path]:
    """The files that the globs match, looked for once a run."""
    if MATCHED not in config.stash:
        globs: list[str] = config.getini("warpsim_ptx")
        config.stash[MATCHED] = {path for glob in globs for path in config.rootpath.glob(glob)}
    return config.stash[MATCHED]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PtxFile | LaunchFile | None:
    """A PTX file that was named, or that a glob matches; a file of launches."""
    if file_path.name.endswith(".warpsim.toml"):
        launches: LaunchFile = LaunchFile.from_parent(parent, path=file_path)
        return launches
    if file_path.suffix != ".ptx":
        return None
    if parent.session.isinitpath(file_path) or file_path in _matched(parent.config):
        found: PtxFile = PtxFile.from_parent(parent, path=file_path)
        return found
    return None
