"""Checks the matrix memory instructions, and plain ld, st and cp.async, of a whole PTX file.

Qualifiers, operand shapes and counts are those of `parse`; legality is that of the instruction at
the file's own version and target; declared types, state spaces and constants come with the file.
Source: acceptance by NVIDIA's assembler, and the PTX ISA where the assembler does not look.
"""

from __future__ import annotations

from .. import _core, targets
from ..errors import bad_type
from .report import LintFinding, LintReport


def lint(ptx_text: str, *, target: str | None = None, ptx_version: str | None = None) -> LintReport:
    """Every ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store, ld, st and cp.async, checked.

    `.version`, `.target` and declarations are the text's own; `target` ("sm_90a") and
    `ptx_version` ("8.6") replace the first two, and are ValueError where they do not exist.
    Legal forms that are not modelled, and all other text, are skipped.

    >>> import warpsim as ws
    >>> report = ws.lint('''
    ... .version 8.0
    ... .target sm_80
    ... .visible .entry kernel() {
    ...     .reg .b32 %r<4>;
    ...     stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3};
    ... }
    ... ''')
    >>> print(report)
    6:5: error WS-LINT-003: stmatrix needs sm_90 or higher; sm_80 has no stmatrix
            stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3};
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    sm_80, PTX 8.0: 1 instruction, 1 error
      1  stmatrix.sync.aligned.m8n8.x2.shared.b16
    """
    if not isinstance(ptx_text, str):
        hint = "; pass its text, as .read_text() gives it" if hasattr(ptx_text, "read_text") else ""
        raise bad_type("ptx_text", f"expected a str, got {type(ptx_text).__name__}{hint}")
    row = targets.target_row(target)
    number = 0 if ptx_version is None else targets.ptx_number(ptx_version)
    found = _core.lint(str.__str__(ptx_text), row, number, LintFinding)
    instructions, counts, findings, target_of_text, version_of_text = found
    target = None if target is None else _core.TARGETS[row]
    ptx_version = None if ptx_version is None else str.__str__(ptx_version)
    return LintReport(instructions, counts, findings, target or target_of_text, ptx_version or version_of_text)


def unread(ptx_text: str, report: LintReport) -> str:
    """Why a report says nothing about a text: it is not PTX, or nobody said what to judge by; else empty."""
    own = report if report.target is None or report.instructions else lint(ptx_text)
    if own.target is None and own.ptx_version is None:
        return (
            "is not PTX: it has no .version and no .target; nvcc -ptx makes PTX from CUDA C++,"
            " cuobjdump -ptx extracts it from a program"
        )
    missing = ".version" if own.ptx_version is None else ".target"
    return "" if own.target and own.ptx_version else f"has no {missing}: add it to the file"
