"""Rules of undefined behaviour, and findings: who broke which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, overload

from . import _core, errors
from .pickling import Kept


@dataclass(frozen=True, slots=True)
class Rule(Kept):
    """One rule of undefined behaviour.

    `id` is stable and never used twice; `ptx` says what PTX asks, `hardware` what an H200 (sm_90)
    was measured to do, `fix` what to do about it.
    """

    id: str
    severity: str
    title: str
    ptx: str
    hardware: str
    fix: str
    error: type[errors.UndefinedBehaviorError]


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        id_: Rule(id_, severity, title, ptx, hardware, fix, getattr(errors, error))
        for id_, severity, error, title, ptx, hardware, fix in _core.RULES
    }
)


@dataclass(frozen=True, slots=True)
class Finding(Kept):
    """One broken rule: which warp (flat C-order index), lane and address, and a sentence."""

    rule: str
    severity: str
    warp: int
    lane: int | None
    address: int | None
    message: str

    @property
    def error(self) -> type[errors.UndefinedBehaviorError]:
        """The exception class that stands for the rule."""
        return RULES[self.rule].error

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "warp": self.warp,
            "lane": self.lane,
            "address": self.address,
            "message": self.message,
        }

    def __str__(self) -> str:
        return f"{self.severity} {self.rule}: {self.message}"


class Findings(Sequence[Finding]):
    """Findings in the order warp, lane, misalignment before bounds; each is made on demand."""

    def __init__(self, core: _core.Findings | None = None) -> None:
        self._core = core

    def __len__(self) -> int:
        return 0 if self._core is None else len(self._core)

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> list[Finding]: ...

    def __getitem__(self, index: int | slice) -> Finding | list[Finding]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        position = index + len(self) if index < 0 else index
        if self._core is None or not 0 <= position < len(self):
            raise IndexError(f"findings: index {index} out of range for {len(self)}")
        rule, warp, lane, address, message = self._core.get(position)
        return Finding(rule, RULES[rule].severity, warp, lane, address, message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (list(self),)

    def __repr__(self) -> str:
        return f"Findings({[str(f) for f in self[:3]]}{' ...' if len(self) > 3 else ''})"


def _again(found: list[Finding]) -> Sequence[Finding]:
    """Findings that come out of a pickle, made already."""
    return found


def raise_for(findings: Findings) -> None:
    """Raises the exception that the first error among the findings names."""
    first = next(finding for finding in findings if finding.severity == "error")
    rule = RULES[first.rule]
    more = f"\n  ... and {len(findings) - 1} more in .findings" if len(findings) > 1 else ""
    raise first.error(
        f"{first.rule}: {first.message}\n  PTX: {rule.ptx}\n  fix: {rule.fix}{more}", findings
    )
