"""Rules of undefined behaviour, and findings: who broke which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, overload

from .. import _core, arguments, errors
from ..errors import bad_type
from ..pickling import Kept


@dataclass(frozen=True, slots=True)
class Rule(Kept):
    """One rule that a finding can name.

    `id` is stable and never used twice; `fix` says what to do; `about` is "undefined behaviour",
    "tiles", "lint" or "kernels". Undefined behaviour and kernels only: `ptx` says what PTX asks,
    `hardware` what an H200 (sm_90) was measured to do, `error` is the exception class.
    """

    id: str
    severity: str
    title: str
    ptx: str | None
    hardware: str | None
    fix: str
    error: type[errors.WarpsimError] | None = None
    about: str = field(default="undefined behaviour", repr=False)


#: what a warp does wrong -> the exception
ERRORS: dict[str, type[errors.WarpsimError]] = {
    "misaligned": errors.MisalignedAddressError,
    "out of bounds": errors.OutOfBoundsError,
    "not shared": errors.NonSharedAddressError,
    "nowhere": errors.OutOfBoundsError,
    "misaligned source": errors.MisalignedAddressError,
    "source out of bounds": errors.OutOfBoundsError,
    "equal destinations": errors.UndefinedBehaviorError,
    "inactive": errors.InactiveLaneError,
    "exited": errors.ExitedThreadError,
    "divergent": errors.DivergentQualifiersError,
    "unused lane": errors.InvalidLaneAddressError,
    "misaligned stride": errors.StrideError,
    "stride below default": errors.StrideError,
    "stride off fragment": errors.StrideError,
    "divergent address": errors.DivergentOperandsError,
    "divergent stride": errors.DivergentOperandsError,
    "deadlock": errors.DeadlockError,
    "steps": errors.StepLimitError,
    "trap": errors.TrapError,
    "assert": errors.KernelAssertionError,
    "race": errors.RaceError,
    "unwritten": errors.UninitializedError,
    "other": errors.UndefinedBehaviorError,
}

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        id_: Rule(id_, severity, title, ptx, hardware, fix, ERRORS[fault] if fault else None, about)
        for id_, severity, title, ptx, hardware, fix, about, fault in _core.RULES
    }
)


class Finding(Kept):
    """One broken rule: what executing, tiles, lint and launches find are kinds of it.

    `rule` is a key of ws.RULES, `severity` "error", "warning" or "note"; `message` says what is wrong, `where` the
    place, `fix` what to do. Called, it makes what executing an instruction finds: rule, severity, warp (flat C-order
    index), lane, address, message.

    >>> import warpsim as ws
    >>> found = ws.Finding("WS-LDM-001", "error", 0, 3, 24, "row address is not a multiple of 16")
    >>> found.where
    'warp 0, lane 3, address 0x18'
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def rule(self) -> str: ...
        @property
        def severity(self) -> str: ...
        @property
        def message(self) -> str: ...
        @property
        def fix(self) -> str: ...
        @property
        def where(self) -> str: ...
    else:
        where = property(doc="The place, as each kind says it.")

    def __new__(cls, *_: Any, **__: Any) -> Self:
        kind: Any = InstructionFinding if cls is Finding else cls
        made: Self = object.__new__(kind)
        return made


class OfRule(Finding):
    """A finding with the fix of its rule."""

    __slots__ = ()

    @property
    def fix(self) -> str:
        """What to do about it."""
        return RULES[self.rule].fix


@dataclass(frozen=True, slots=True)
class InstructionFinding(OfRule):
    """What executing an instruction breaks: which warp (flat C-order index), lane and address, and a sentence."""

    rule: str
    severity: str
    warp: int
    lane: int | None
    address: int | None
    message: str

    @property
    def where(self) -> str:
        """The warp, the lane and the address, as far as they apply."""
        lane = "" if self.lane is None else f", lane {self.lane}"
        return f"warp {self.warp}{lane}{'' if self.address is None else f', address 0x{self.address:x}'}"

    @property
    def error(self) -> type[errors.UndefinedBehaviorError]:
        """The exception class of the rule."""
        error = RULES[self.rule].error
        assert error is not None
        assert issubclass(error, errors.UndefinedBehaviorError)
        return error

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


class Findings(Sequence[InstructionFinding]):
    """Findings in the order warp, lane, misalignment before bounds; each is made on demand."""

    def __init__(self, found: _core.Findings | Sequence[InstructionFinding] = ()) -> None:
        self._found: _core.Findings | tuple[InstructionFinding, ...]
        if isinstance(found, _core.Findings):
            self._found = found
            return
        if not isinstance(found, Findings | list | tuple):
            raise bad_type("found", f"expected Findings, got {arguments.describe(found)}")
        for one in found:
            if not isinstance(one, InstructionFinding):
                raise bad_type("found", f"expected a Finding each, got {arguments.describe(one)}")
        self._found = tuple(found)

    def __reduce__(self) -> tuple[type[Findings], tuple[tuple[InstructionFinding, ...]]]:
        return type(self), (tuple(self),)

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> InstructionFinding: ...

    @overload
    def __getitem__(self, index: slice) -> list[InstructionFinding]: ...

    def __getitem__(self, index: int | slice) -> InstructionFinding | list[InstructionFinding]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        given = arguments.whole("index", index)
        position = given + len(self) if given < 0 else given
        if not 0 <= position < len(self):
            shown = arguments.shown(given)
            raise IndexError(f"findings: index {shown} out of range for {len(self)}")
        if not isinstance(self._found, _core.Findings):
            return self._found[position]
        rule, warp, lane, address, message = self._found.get(position)
        return InstructionFinding(rule, RULES[rule].severity, warp, lane, address, message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Findings({[str(f) for f in self[:3]]}{' ...' if len(self) > 3 else ''})"


_core.register_class("findings", Findings)


def raise_for(findings: Findings) -> None:
    """Raises the exception that the first error among the findings names."""
    first = next(finding for finding in findings if finding.severity == "error")
    rule = RULES[first.rule]
    more = f"\n  ... and {len(findings) - 1} more in .findings" if len(findings) > 1 else ""
    raise first.error(f"{first.rule}: {first.message}\n  PTX: {rule.ptx}\n  fix: {rule.fix}{more}", findings)
