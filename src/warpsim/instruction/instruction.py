"""What every instruction is: a value with a PTX text, legal on some targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NoReturn

from .. import errors
from ..pickling import Spelled
from .legality import Legality


class Instruction(Spelled):
    """An instruction as an immutable, hashable, comparable value: one of the classes, or what `parse` makes of a text.

    `ptx`: canonical text, of which parse makes an equal instruction. What moves data is a `DataMovement`, with execute,
    traffic, cost and explain; products are `Mma` and `WmmaMma`, with multiply.

    >>> import warpsim as ws
    >>> [isinstance(op, ws.Instruction) for op in (ws.Ldmatrix(num=4), ws.Mma())]
    [True, True]
    """

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    if TYPE_CHECKING:

        @property
        def ptx(self) -> str: ...

        @property
        def kind(self) -> str: ...
    else:
        ptx = property(doc="Canonical text.")
        kind = property(doc="The opcode without its qualifiers.")

    def __new__(cls, *_: object, **__: object) -> NoReturn:
        raise TypeError("fields: expected one of the instructions, such as Ldmatrix(num=4), or parse(text)")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"

    def __str__(self) -> str:
        return self.ptx

    def __dir__(self) -> list[str]:
        """Without what others have and this one has not."""
        hidden = self._hidden()
        return [name for name in super().__dir__() if name not in hidden]

    def _hidden(self) -> frozenset[str]:
        return frozenset()

    def legality(self, target: str, ptx_version: str | None = None) -> Legality:
        """The Legality of this form at `target` ("sm_90a") and `ptx_version` ("8.6"; None: the newest).

        Unknown names are ValueError. Source: "PTX ISA Notes" and "Target ISA Notes" of the PTX ISA
        as NVIDIA's assembler applies them.

        >>> import warpsim as ws
        >>> ws.Stmatrix(num=4).legality("sm_80", "8.0").reasons
        ('stmatrix needs sm_90 or higher; sm_80 has no stmatrix',)
        >>> ws.Mma().legality("sm_75", "7.0").reasons
        ('mma.m16n8k16 of f16 needs sm_80 or higher; sm_75 does not have it',)
        """
        raise NotImplementedError

    def check(self, target: str, ptx_version: str | None = None) -> None:
        """Raises UnsupportedError with the reason if the form is not legal there."""
        found = self.legality(target, ptx_version)
        if not found.ok:
            raise errors.UnsupportedError(f"{self.ptx}: {'; '.join(found.reasons)}")
