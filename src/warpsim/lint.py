"""Checks the matrix memory instructions, and plain ld, st and cp.async, of a whole PTX file.

Qualifiers, operand shapes and counts are those of `parse`; legality is that of the instruction at
the file's own version and target; declared types, state spaces and constants come with the file.
Source: acceptance by NVIDIA's assembler, and the PTX ISA where the assembler does not look.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain

from . import _core, arch
from . import lint_report as rules
from .errors import PtxSyntaxError, UnsupportedError
from .instruction import Instruction
from .instructions import Ld, parse
from .lint_operands import OperandCheck, Place, undeclared
from .lint_report import LintFinding, LintReport, LintRule
from .ptx_file import VECTOR_REGISTER, PtxFile, Statement

#: PTX versions (86 is 8.6) from which f16 wmma exists without .aligned, and with it
_EARLY_WMMA = {"m16n16k16": 60, "m8n32k16": 61, "m32n8k16": 61}
_ALIGNED_WMMA = 63
_WEAK_TARGET = 70
_WIDTH = 100
_CTA_PTX = 78
#: words on which legality depends and that an instruction does not keep
_JUDGED_WORDS = ("aligned", "weak", "shared::cta")
_INSTRUCTION = re.compile(
    r"((?:@\s*+!?\s*+[%\w$]*+\s*+)*+)((?:ldmatrix|stmatrix|movmatrix|wmma|ld|st|cp)(?![\w$])"
    r"(?:\s*+\.\s*+[\w:$]*+)*+)",
    re.IGNORECASE,
)
_NAME = re.compile(r"%?[A-Za-z_$][\w$]*")
_GUARD = re.compile(r"@\s*+!?\s*+([%\w$]+)")
#: instructions that only begin like one of the families
_OTHERS = re.compile(
    r"wmma\.mma\b|st\.(?:async|bulk)\b|cp(?!.*\.async\b)|cp\.reduce\b"
    r"|cp\.async\.(?:bulk|commit_group|wait_group|wait_all|mbarrier)(?![\w:])",
    re.IGNORECASE,
)


def lint(ptx_text: str, *, target: str | None = None, ptx_version: str | None = None) -> LintReport:
    """Every ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store, ld, st and cp.async, checked.

    `.version`, `.target` and declarations are the text's own; `target` ("sm_90a") and
    `ptx_version` ("8.6") replace the first two, and are ValueError where they do not exist.
    Legal forms that are not modelled, and whatever else stands in the text, are passed over.

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
        raise TypeError(f"ptx_text: expected a str, got {type(ptx_text).__name__}")
    arch.target_row(target)
    if ptx_version is not None:
        arch.ptx_number(ptx_version)
    return _Linter(PtxFile(ptx_text), target, ptx_version).report()


class _Linter:
    """One run over one file."""

    def __init__(self, file: PtxFile, target: str | None, version: str | None) -> None:
        self.file = file
        self.target = target
        self.version = version
        self.findings: list[LintFinding] = []
        self.instructions: list[tuple[int, Instruction | None]] = []
        self.counts: Counter[str] = Counter()
        self.number = 0  # 86 is PTX 8.6; 0: not known
        self.knows_target = False
        self.verdicts: dict[tuple[Instruction, str], list[tuple[LintRule, str]]] = {}

    def report(self) -> LintReport:
        statements = self.file.statements()
        first = next(statements, None)
        self._take_version_and_target()
        for statement in chain([first] if first is not None else [], statements):
            found = _INSTRUCTION.match(self.file.code, statement.begin)
            if found is None:
                continue
            token = "".join(found[2].split())
            if not _OTHERS.match(token):
                self._check(statement, found, token)
        self.findings.sort(key=lambda finding: (finding.line, finding.column))
        return LintReport(
            self.instructions, dict(self.counts), self.findings, self.target, self.version
        )

    def _complain(self, rule: LintRule, place: Place, message: str) -> None:
        line, column = self.file.position(place.at)
        source, caret = self.file.excerpt(place.at, _WIDTH)
        length = len(place.text.partition("\n")[0])
        self.findings.append(
            LintFinding(line, column, rule.id, rule.severity, message, source, caret, length)
        )

    def _take_version_and_target(self) -> None:
        """Those of the file unless given, and whether they exist, alone and together."""
        file = self.file
        self.version = self.version or file.version
        self.target = self.target or file.target
        if self.version is not None:
            self.number = _core.ptx_index(self.version)
            if self.number == 0:
                place = Place(file.version_at, self.version)
                message = f"PTX {self.version} is not known here: legality is not judged"
                self._complain(rules.NOT_JUDGED, place, message)
        if self.target is None:
            return
        place = Place(file.target_at, file.target or "")
        self.knows_target = self.target in _core.TARGETS
        if not self.knows_target:
            message = f"target {self.target} is not known here: legality is not judged"
            self._complain(rules.NOT_JUDGED, place, message)
        elif self.number:
            for reason in Ld().legality(self.target, self._version()).reasons:
                self._complain(rules.NO_SUCH_TARGET, place, reason)

    def _version(self) -> str:
        """The version to judge by; a target alone is judged at the newest."""
        newest = f"{_core.NEWEST_PTX // 10}.{_core.NEWEST_PTX % 10}"
        return newest if self.version is None else self.version

    def _check(self, statement: Statement, found: re.Match[str], token: str) -> None:
        """One statement of the families: `found` has its guard and its opcode."""
        text = self.file.text[statement.begin : statement.end].encode("ascii", "replace").decode()
        opcode = Place(found.start(2), found[2].rstrip())
        op: Instruction | None = None
        try:
            op = parse(text)
        except (PtxSyntaxError, UnsupportedError) as error:
            self._complain_of_error(error, statement, opcode)
        self.instructions.append((self.file.position(opcode.at)[0], op))
        self.counts[token] += 1
        if op is None:
            return
        if not text.endswith(";"):
            place = Place(statement.begin + len(text.rstrip()), "")
            self._complain(rules.SYNTAX, place, "expected ';' behind the instruction")
        for rule, message in self._legality(op, token.split(".")):
            self._complain(rule, opcode, message)
        self._check_guard(statement, found)
        check = OperandCheck(op, self.file.names)
        for complaint in check.complaints(found.end(), self.file.code[found.end() : statement.end]):
            self._complain(*complaint)

    def _complain_of_error(
        self, error: PtxSyntaxError | UnsupportedError, statement: Statement, opcode: Place
    ) -> None:
        message, *lines = str(error).split("\n")
        if "not modelled" in message:
            return
        rule, place = rules.NOWHERE, opcode
        if isinstance(error, PtxSyntaxError):
            rule = rules.SYNTAX
            names = _NAME.findall(self.file.code, opcode.at, statement.end)
            if any(self.file.names.find(name) == VECTOR_REGISTER for name in names):
                return  # ld.global.v4.f32 v, [a]; with .reg .v4 .f32 v: legal, not modelled
        if error.column >= 0:
            place = Place(statement.begin + error.column, lines[-1].strip() if lines else "")
        if place.at == statement.end < len(self.file.code):
            message = message.replace("the end of the text", f"'{self.file.code[statement.end]}'")
        self._complain(rule, place, message)

    def _check_guard(self, statement: Statement, found: re.Match[str]) -> None:
        guard = _GUARD.match(found[1])
        if guard is None:
            return
        place = Place(statement.begin + guard.start(1), guard[1])
        declared = self.file.names.find(guard[1])
        if declared is None:
            complaint = undeclared(place, self.file.names)
            if complaint is not None:
                self._complain(*complaint)
        elif declared.type not in ("pred", ""):
            message = f"'{guard[1]}' is a .{declared.type} register, not a predicate"
            self._complain(rules.GUARD, place, message)

    def _legality(self, op: Instruction, words: list[str]) -> list[tuple[LintRule, str]]:
        """Why the statement is not legal at this version and target."""
        key = op, " ".join(word for word in words if word in _JUDGED_WORDS)
        if key not in self.verdicts:
            reasons = self._reasons(op, words) if self.version is None or self.number else []
            self.verdicts[key] = [(rules.NOT_HERE, reason) for reason in reasons]
            aligned = "aligned" in words
            if op.is_wmma and self.number and aligned != (self.number >= _ALIGNED_WMMA):
                says = "takes no .aligned before" if aligned else "needs .aligned since"
                message = f"wmma {says} PTX 6.3; this is PTX {self.version}"
                self.verdicts[key].insert(0, (rules.ALIGNED, message))
        return self.verdicts[key]

    def _reasons(self, op: Instruction, words: list[str]) -> list[str]:
        """Reasons of version and target, but for a target that does not exist at the version."""
        found, version = [], self._version()
        first = _EARLY_WMMA.get(op.shape) if op.type in ("f16", "f32") else None
        if first and op.space != "shared::cta" and 0 < self.number < _ALIGNED_WMMA:
            if self.number < first:
                least = f"{first // 10}.{first % 10}"
                found.append(f"wmma .{op.shape} needs PTX {least} or later, not {version}")
            version = "6.3"  # only the target is left to judge
        if op.kind == "cp.async" and "shared::cta" in words and 0 < self.number < _CTA_PTX:
            found.append(f"the sub-qualifier ::cta needs PTX 7.8 or later, not {version}")
        if self.target is None or not self.knows_target:
            return found
        if "weak" in words and arch.number(arch.target_row(self.target)) < _WEAK_TARGET:
            found.append(f".weak needs sm_70 or higher, not {self.target}")
        existence = Ld().legality(self.target, version).reasons
        reasons = op.legality(self.target, version).reasons
        return found + [reason for reason in reasons if reason not in existence]
