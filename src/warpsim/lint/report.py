"""What lint says: its rules, findings and the report of one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import arguments
from ..characters import line_of_log, printable
from ..errors import bad_type
from ..instruction.base import DataMovement
from ..instruction.findings import OfRule
from ..render import pages
from ..report import Report
from ..words import plural


@dataclass(frozen=True, slots=True)
class LintFinding(OfRule):
    """One complaint. `line` and `column` count from 1.

    `rule` is a key of ws.RULES; `severity` is that of the rule: "error", "warning" or "note".
    `source` is the line, or a piece of a long one; `caret` is the place in it, `length` how long.
    """

    line: int
    column: int
    rule: str
    severity: str
    message: str
    source: str
    caret: int
    length: int

    @property
    def where(self) -> str:
        """The line and the column."""
        return f"line {self.line}, column {self.column}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "line": self.line,
            "column": self.column,
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "source": self.source,
            "caret": self.caret,
            "length": self.length,
        }

    def __str__(self) -> str:
        carets = "^" * max(1, min(self.length, len(self.source) - self.caret))
        return (
            f"{self.line}:{self.column}: {self.severity} {self.rule}: {printable(self.message)}\n"
            f"    {line_of_log(self.source)}\n    {' ' * self.caret}{carets}"
        )


@dataclass(frozen=True, slots=True)
class LintReport(Report):
    """What lint found in one PTX text.

    `instructions`: (line, instruction) of every statement of the families, in order; None for one
    that is malformed or not modelled. `counts`: opcode with its qualifiers as written -> how many.
    `findings`: each a LintFinding, in the order of the text. `target` and `ptx_version`: those
    judged by, None where neither text nor caller has one.
    """

    instructions: list[tuple[int, DataMovement | None]]
    counts: dict[str, int]
    findings: list[LintFinding]
    target: str | None
    ptx_version: str | None

    @property
    def ok(self) -> bool:
        """No error among the findings."""
        return not any(finding.severity == "error" for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "schema": "warpsim.lint/1",
            "target": self.target,
            "ptx_version": self.ptx_version,
            "ok": self.ok,
            "instructions": [{"line": line, "ptx": None if op is None else op.ptx} for line, op in self.instructions],
            "counts": dict(self.counts),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def _title(self) -> str:
        return "Lint of PTX"

    def _parts(self) -> Sequence[str]:
        return pages.lint(self.to_dict())

    def text(self, name: str = "") -> str:
        """Findings as `name:line:column: severity rule: message`, and the counts."""
        if not isinstance(name, str):
            raise bad_type("name", f"expected a str, got {arguments.describe(name)}")
        prefix = f"{name}:" if name else ""
        severities = Counter(finding.severity for finding in self.findings)
        found = ", ".join(plural(severities[word], word) for word in severities) or "no finding"
        version = f"PTX {self.ptx_version}" if self.ptx_version else "no PTX version"
        where = printable(f"{self.target or 'no target'}, {version}")
        total = plural(len(self.instructions), "instruction")
        width = len(str(max(self.counts.values(), default=0)))
        return "\n".join(
            [
                *(f"{prefix}{finding}" for finding in self.findings),
                f"{prefix}{' ' if name else ''}{where}: {total}, {found}",
                *(f"  {count:>{width}}  {printable(token)}" for token, count in sorted(self.counts.items())),
            ]
        )

    def __str__(self) -> str:
        return self.text()
