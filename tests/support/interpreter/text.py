"""What a PTX text consists of: variables, statements, functions."""

from dataclasses import dataclass, field
from typing import Any

STATES = (".reg", ".local", ".shared", ".param", ".global", ".const")


def width_of(kind: str) -> int:
    """Bits of a fundamental type, without its dot."""
    if kind == "pred":
        return 1
    if kind.endswith("x2"):
        return 32 if "16" in kind or "32" in kind else 16
    return int("".join(c for c in kind if c.isdigit())) if kind != "tf32" else 32


@dataclass
class Variable:
    name: str
    state: str
    kind: str
    count: int
    align: int
    values: list[Any] = field(default_factory=list)
    offset: int = 0

    @property
    def nbytes(self) -> int:
        return self.count * max(width_of(self.kind), 8) // 8


@dataclass
class Statement:
    line: int
    guard: tuple[str, bool] | None
    opcode: str
    operands: list[Any]

    @property
    def parts(self) -> list[str]:
        return self.opcode.split(".")


@dataclass
class Function:
    name: str
    entry: bool
    results: list[Variable] = field(default_factory=list)
    params: list[Variable] = field(default_factory=list)
    registers: dict[str, str] = field(default_factory=dict)
    frame: list[Variable] = field(default_factory=list)
    shared: list[Variable] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    tables: dict[str, list[str]] = field(default_factory=dict)
    code: list[Statement] = field(default_factory=list)
    start: int = 0
    frame_bytes: int = 0
