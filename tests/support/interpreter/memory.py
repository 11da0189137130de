"""Memory: bytes of a space, a row for each block (shared) or thread (local); ld, st, cvta, cp.async."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter.numbers.operations import Array, I, U
from tests.support.interpreter.text import Function, Statement, width_of

if TYPE_CHECKING:
    from tests.support.interpreter.machine import Machine
    from tests.support.interpreter.order import Order

GLOBAL = 1 << 40
#: bytes after every array, so that what runs past its end is nobody's
GAP = 1 << 16
WINDOW = {"shared": 1 << 56, "local": 2 << 56}
FUNCTIONS = 3 << 56
SPACES = {
    "global": "global",
    "const": "global",
    "shared": "shared",
    "shared::cta": "shared",
    "shared::cluster": "shared",
    "local": "local",
    "param": "local",
    "param::entry": "local",
    "param::func": "local",
}


class ProgramError(Exception):
    """A program did what has no defined result here."""


class Space:
    def __init__(self, name: str, rows: int, nbytes: int, base: int = 0) -> None:
        self.name, self.base = name, base
        self.data = np.zeros((rows, nbytes + 15 & ~15), np.uint8)

    def words(self, rows: Array, address: Array, nbytes: int) -> tuple[Array, tuple[Array, Array]]:
        """The space as words of nbytes, and where the addresses are in it."""
        at = (address - U(self.base)).astype(I)
        if at.size and (at.min() < 0 or at.max() + nbytes > self.data.shape[1]):
            raise ProgramError(
                f"{self.name} address {int(address[(at < 0) | (at + nbytes > self.data.shape[1])][0]):#x} is outside"
            )
        if (at % nbytes).any():
            raise ProgramError(f"{self.name} address is not aligned to {nbytes}")
        return self.data.view(f"u{nbytes}"), (rows, at // nbytes)

    def read(self, rows: Array, address: Array, nbytes: int) -> Array:
        words, at = self.words(rows, address, nbytes)
        return words[at].astype(U)

    def write(self, rows: Array, address: Array, nbytes: int, x: Array) -> None:
        words, at = self.words(rows, address, nbytes)
        words[at] = x.astype(words.dtype)


class Memory:
    def __init__(self, block_of: Array, shared_bytes: int) -> None:
        self.block_of = block_of
        self.spaces = {
            "global": Space("global", 1, 0, GLOBAL),
            "shared": Space("shared", int(block_of.max()) + 1, shared_bytes),
            "local": Space("local", block_of.size, 4096),
        }
        self.zero = np.zeros(block_of.size, I)
        self.lanes = np.arange(block_of.size)
        self.watch: Order | None = None
        self.allocated: list[tuple[int, int]] = []

    def allocate(self, content: Array) -> int:
        """Bytes as global memory; the address."""
        space = self.spaces["global"]
        at = space.data.shape[1]
        padded = np.zeros((content.size + 511 & ~511) + GAP, np.uint8)
        padded[: content.size] = content
        self.allocated.append((GLOBAL + at, GLOBAL + at + content.size))
        space.data = np.concatenate([space.data[0], padded])[None, :]
        return GLOBAL + at

    def rows(self, space: str, lanes: Array) -> Array:
        return {"global": self.zero, "shared": self.block_of, "local": self.lanes}[space][lanes]

    def parts(self, space: str, lanes: Array, address: Array) -> list[tuple[str, Array]]:
        """Which lanes mean which space."""
        if space != "generic":
            return [(space, np.ones(address.shape, bool))]
        top = address >> U(56)
        found = [("global", top == 0), ("shared", top == 1), ("local", top == 2)]
        return [(name, here) for name, here in found if here.any()]

    def read(self, space: str, lanes: Array, address: Array, nbytes: int) -> Array:
        out = np.zeros(address.shape, U)
        for name, here in self.parts(space, lanes, address):
            at = address[here] & U((1 << 56) - 1)
            rows = self.rows(name, lanes)[here]
            out[here] = self.spaces[name].read(rows, at, nbytes)
            if self.watch:
                self.watch.memory(name, rows, lanes[here], at, nbytes, write=False)
        return out

    def write(self, space: str, lanes: Array, address: Array, nbytes: int, x: Array) -> None:
        for name, here in self.parts(space, lanes, address):
            at = address[here] & U((1 << 56) - 1)
            rows = self.rows(name, lanes)[here]
            self.spaces[name].write(rows, at, nbytes, x[here])
            if self.watch:
                self.watch.memory(name, rows, lanes[here], at, nbytes, write=True)


def space_of(parts: list[str]) -> str:
    return next((SPACES[p] for p in parts if p in SPACES), "generic")


def elements(operand: Any) -> list[Any]:
    return operand[1] if operand[0] == "vec" else [operand]


def check_alignment(address: Array, nbytes: int) -> None:
    if (address % U(nbytes)).any():
        raise ProgramError(f"a vector access is not aligned to {nbytes}")


def ld(m: "Machine", f: Function, s: Statement) -> Callable[[Array], None]:
    parts, kind = s.parts, s.parts[-1]
    space, nbytes = space_of(parts), width_of(kind) // 8
    targets = elements(s.operands[0])
    writers = [m.writer(f, t, kind) for t in targets]
    address = m.address(f, s.operands[1])

    def run(lanes: Array) -> None:
        at = address(lanes)
        check_alignment(at, nbytes * len(targets))
        values = [m.memory.read(space, lanes, at + U(k * nbytes), nbytes) for k in range(len(targets))]
        for write, x in zip(writers, values, strict=True):
            write(lanes, x)

    return run


def st(m: "Machine", f: Function, s: Statement) -> Callable[[Array], None]:
    parts, kind = s.parts, s.parts[-1]
    space, nbytes = space_of(parts), width_of(kind) // 8
    readers = [m.reader(f, x, kind) for x in elements(s.operands[1])]
    address = m.address(f, s.operands[0])

    def run(lanes: Array) -> None:
        at = address(lanes)
        check_alignment(at, nbytes * len(readers))
        steps = np.arange(len(readers), dtype=U) * U(nbytes)
        whole = np.stack([read(lanes) for read in readers], axis=1)
        m.memory.write(space, np.repeat(lanes, len(readers)), (at[:, None] + steps).ravel(), nbytes, whole.ravel())

    return run


def cvta(m: "Machine", f: Function, s: Statement) -> Callable[[Array], None]:
    space, kind = space_of(s.parts), s.parts[-1]
    read, write = m.reader(f, s.operands[1], kind), m.writer(f, s.operands[0], kind)
    window = U(WINDOW.get(space, 0))
    if "to" in s.parts:
        return lambda lanes: write(lanes, read(lanes) - window)
    return lambda lanes: write(lanes, read(lanes) + window)


def isspacep(m: "Machine", f: Function, s: Statement) -> Callable[[Array], None]:
    space = space_of(s.parts)
    top = {"global": 0, "shared": 1, "local": 2}[space]
    read, write = m.reader(f, s.operands[1], "b64"), m.writer(f, s.operands[0], "pred")
    return lambda lanes: write(lanes, read(lanes) >> U(56) == top)


def cp_async(m: "Machine", f: Function, s: Statement) -> Callable[[Array], None]:
    """Copies at once: a program without races cannot tell."""
    if "ca" not in s.parts and "cg" not in s.parts:
        return lambda _lanes: None
    into, of = m.address(f, s.operands[0]), m.address(f, s.operands[1])
    size = s.operands[2][1]
    given = m.reader(f, s.operands[3], "u32") if len(s.operands) > 3 else None
    ignore = m.reader(f, s.operands[3], "pred") if given and m.is_predicate(f, s.operands[3]) else None

    def run(lanes: Array) -> None:
        target, source = into(lanes), of(lanes)
        check_alignment(target, size)
        check_alignment(source, size)
        kept = np.full(target.shape, size)
        if ignore is not None:
            kept = np.where(ignore(lanes), 0, kept)
        elif given is not None:
            kept = given(lanes).astype(I)
        unit = 1 if (kept % 4).any() else 4
        for k in range(0, size, unit):
            here = k < kept
            x = np.zeros(target.shape, U)
            x[here] = m.memory.read("global", lanes[here], source[here] + U(k), unit)
            m.memory.write("shared", lanes, target + U(k), unit, x)

    return run


def nothing(_m: "Machine", _f: Function, _s: Statement) -> Callable[[Array], None]:
    return lambda _lanes: None


HANDLERS: dict[str, Callable[["Machine", Function, Statement], Callable[[Array], None]]] = {
    "ld": ld,
    "ldu": ld,
    "st": st,
    "cvta": cvta,
    "isspacep": isspacep,
    "cp": cp_async,
    "membar": nothing,
    "fence": nothing,
    "prefetch": nothing,
    "prefetchu": nothing,
    "nanosleep": nothing,
    "pmevent": nothing,
    "griddepcontrol": nothing,
    "applypriority": nothing,
    "discard": nothing,
}
