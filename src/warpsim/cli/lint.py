"""The command lint: any number of files, and a log for continuous integration."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .. import __version__
from ..characters import line_of_log
from ..files import path_shown
from ..lint.lint import lint, unread
from ..lint.report import LintReport
from ..render import html, sarif
from ..words import plural
from .files import read_file, uri
from .output import Answer, to_json
from .rules import rules_of_all
from .table import BAD, FINE, SEVERITIES


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    report: LintReport

    @property
    def shown(self) -> str:
        return "<stdin>" if self.name == "-" else line_of_log(self.name)


def _text(files: Sequence[_File]) -> str:
    texts = [file.report.text(file.shown) for file in files]
    if len(files) > 1:
        found = Counter(finding.severity for file in files for finding in file.report.findings)
        total = sum(len(file.report.instructions) for file in files)
        words = ", ".join(plural(found[word], word) for word in SEVERITIES if found[word])
        texts.append(f"{len(files)} files: {plural(total, 'instruction')}, {words or 'no finding'}")
    return "\n".join(texts)


def _json(files: Sequence[_File]) -> str:
    """One object per file and line."""
    return "\n".join(to_json({"file": file.shown, **file.report.to_dict()}) for file in files)


def _html(files: Sequence[_File]) -> str:
    parts: list[str] = []
    for file in files:
        parts += [html.heading(file.shown), file.report._repr_html_()]
    return html.page("Lint of PTX", parts, __version__)


def _sarif(files: Sequence[_File]) -> str:
    reports = [(uri(file.shown if file.name == "-" else file.name), file.report) for file in files]
    rules = [rule for rule in rules_of_all() if rule["about"] == "lint"]
    found = ((where, report.to_dict()) for where, report in reports)
    return to_json(sarif.log(found, rules, __version__))


def _checked(name: str, ptx: str, args: argparse.Namespace) -> _File:
    """What lint finds in a file; a ValueError for one that is not PTX."""
    report = lint(ptx, target=args.target, ptx_version=args.ptx_version)
    if why := unread(ptx, report):
        raise ValueError(f"FILE: {path_shown(name)} {why}")
    return _File(name, report)


def run(args: argparse.Namespace) -> Answer:
    """Reads all files before it says anything."""
    if args.files.count("-") > 1:
        raise ValueError("FILE: - is given twice")
    texts = [(name, read_file(name)) for name in args.files]
    files = [_checked(name, ptx, args) for name, ptx in texts]
    worst = SEVERITIES[: SEVERITIES.index(args.fail_on) + 1]
    bad = any(finding.severity in worst for file in files for finding in file.report.findings)
    return Answer(
        BAD if bad else FINE,
        lambda colour: _text(files),
        {"json": lambda: _json(files), "html": lambda: _html(files), "sarif": lambda: _sarif(files)},
    )
