"""The operands of one instruction against the declarations around it.

`parse` has checked their number and form; what is left is what the names stand for: declared types
of registers, state spaces of symbols, and the values of constants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from . import lint_report as rules
from .instruction import Instruction
from .ptx_constant import constant
from .ptx_file import Declared, Names

INTEGERS_32 = frozenset({"b32", "u32", "s32"})
ANY_32 = INTEGERS_32 | {"f32", "f16x2"}
ADDRESSES = INTEGERS_32 | {"b64", "u64", "s64"}
NARROW_ADDRESSES = frozenset({"b8", "u8", "s8", "b16", "u16", "s16"})
#: declared types of the registers of a wmma fragment, by the type of its elements
WMMA_REGISTERS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("s8", "u8", "s32"), INTEGERS_32),
    **dict.fromkeys(("s4", "u4", "b1"), ANY_32),
    **dict.fromkeys(("bf16", "tf32"), frozenset({"b32"})),
    "f16": frozenset({"b32", "f16x2"}),
    "f32": frozenset({"b32", "f32"}),
    "f64": frozenset({"b64", "f64"}),
}
_ROLES = {
    "ldmatrix": ("data", "address"),
    "stmatrix": ("address", "data"),
    "movmatrix": ("data", "data"),
    "ld": ("data", "address"),
    "st": ("address", "data"),
    "cp.async": ("address", "source", "size"),
    "wmma.load": ("data", "address", "stride"),
    "wmma.store": ("address", "data", "stride"),
}
_OPERAND = re.compile(r"\[[^\]]*\]|\{[^}]*\}|[^\s,;\[{][^,;\[{]*")
_ELEMENT = re.compile(r"[^\s,{}\[\]][^,{}\[\]]*")
_NAME = re.compile(r"%?[A-Za-z_$][\w$]*")
_FLOAT = re.compile(r"0[fFdD][\da-fA-F]{8,}|-?\d+\.")
_BITS = re.compile(r"[a-z]+(\d+)(x2)?\Z")


class Place(NamedTuple):
    """A piece of the text: where it begins, and what it says."""

    at: int
    text: str


class Complaint(NamedTuple):
    """A broken rule at a place."""

    rule: rules.LintRule
    place: Place
    message: str


def _bits(type_: str) -> int:
    found = _BITS.match(type_)
    return int(found[1]) * (2 if found[2] else 1) if found else 0


def undeclared(place: Place, names: Names) -> Complaint | None:
    """The complaint about a missing name; where no register is declared at all, nothing misses."""
    if not names.knows_registers:
        return None
    message = f"no register or symbol '{place.text}' is declared here"
    return Complaint(rules.UNDECLARED, place, message)


def _fits(op: Instruction, type_: str) -> bool:
    """May a register of that declared type hold what the instruction moves?"""
    if op.is_wmma:
        return type_ in WMMA_REGISTERS[op.type]
    if op.is_collective:
        return type_ in ANY_32
    wanted, have = op.type[0], type_[0]
    if type_ == "pred" or _bits(type_) < _bits(op.type):
        return False
    return wanted == "b" or have == "b" or (wanted in "us" and have in "us") or type_ == op.type


def _go_together(first: str, other: str) -> bool:
    integers = first[0] in "us" and other[0] in "us"
    same = first == other or integers or "b" in (first[0], other[0])
    return _bits(first) == _bits(other) and same


def _takes_constant(op: Instruction, text: str) -> bool:
    """A float, or else an integer, in the place of a register."""
    if op.is_load:
        return False
    if op.is_collective:
        return True
    if not _FLOAT.match(text):
        return op.type[0] != "f"
    return op.type in ("f32", "f64", "b32" if text[:2].lower() == "0f" else "b64")


@dataclass(frozen=True, slots=True)
class OperandCheck:
    """The operands of one statement: `op` as parsed, `names` as they are there."""

    op: Instruction
    names: Names

    def complaints(self, at: int, text: str) -> Iterator[Complaint]:
        """What is wrong with the operands `text`, which begin at `at`."""
        roles = _ROLES[self.op.kind]
        for role, found in zip(roles, _OPERAND.finditer(text), strict=False):
            place = Place(at + found.start(), found[0].rstrip())
            if role == "data":
                yield from self._data(place)
            elif role in ("address", "source"):
                yield from self._address(place, is_source=role == "source")
            elif role == "stride":
                yield from self._stride(place)

    def _find(self, place: Place) -> tuple[Declared | None, Complaint | None]:
        """What a name stands for, where that is known."""
        declared = self.names.find(place.text)
        if declared is None:
            return None, undeclared(place, self.names)
        return (declared if declared.space else None), None

    def _data(self, operand: Place) -> Iterator[Complaint]:
        first: tuple[Place, str] | None = None
        for found in _ELEMENT.finditer(operand.text):
            place = Place(operand.at + found.start(), found[0].rstrip())
            if place.text == "_":
                continue
            name = _NAME.fullmatch(place.text)
            if name is None or place.text == "WARP_SZ":
                yield from self._constant(place)
                continue
            declared, complaint = self._find(place)
            if complaint is not None:
                yield complaint
            if declared is None:
                continue
            yield from self._register(place, declared)
            if declared.space != "reg" or not declared.type or self.op.is_collective:
                continue
            if first is None:
                first = place, declared.type
            elif not _go_together(first[1], declared.type):
                yield Complaint(
                    rules.VECTOR,
                    place,
                    f"'{place.text}' (.{declared.type}) and '{first[0].text}' (.{first[1]})"
                    " do not go together in one vector",
                )

    def _constant(self, place: Place) -> Iterator[Complaint]:
        if not _takes_constant(self.op, place.text):
            kind = "a float" if _FLOAT.match(place.text) else "an integer"
            yield Complaint(
                rules.CONSTANT,
                place,
                f"{self.op.kind} of .{self.op.type} does not take {kind} constant",
            )

    def _register(self, place: Place, declared: Declared) -> Iterator[Complaint]:
        if declared.space != "reg":
            message = f"'{place.text}' is a .{declared.space} symbol, not a register"
            yield Complaint(rules.REGISTER, place, message)
        elif declared.type and not _fits(self.op, declared.type):
            wanted = f" of .{self.op.type}" if self.op.type else ""
            message = f"'{place.text}' is a .{declared.type} register: {self.op.kind}{wanted}"
            if self.op.is_collective:
                types = WMMA_REGISTERS[self.op.type] if self.op.is_wmma else ANY_32
                message += f" takes {', '.join('.' + word for word in sorted(types))}"
            else:
                message += f" needs {_bits(self.op.type)} bits or more of a type that agrees"
            yield Complaint(rules.REGISTER, place, message)

    def _address(self, operand: Place, is_source: bool) -> Iterator[Complaint]:
        found = _NAME.search(operand.text)
        if found is None:
            return
        place = Place(operand.at + found.start(), found[0])
        declared, complaint = self._find(place)
        if complaint is not None:
            yield complaint
        if declared is not None and declared.space == "reg":
            yield from self._address_register(place, declared)
        elif declared is not None:
            yield from self._symbol(place, declared, is_source)
        rest = operand.text[found.end() :].rstrip("] ").strip()
        if rest.startswith("+"):
            at = operand.at + operand.text.index("+", found.end()) + 1
            yield from self._offset(Place(at, rest[1:]))

    def _address_register(self, place: Place, declared: Declared) -> Iterator[Complaint]:
        types = ADDRESSES
        if not self.op.is_collective and self._space(False) in ("shared", "shared::cta"):
            types |= NARROW_ADDRESSES  # zero-extended
        if declared.type and declared.type not in types:
            message = f"'{place.text}' is a .{declared.type} register, no 32- or 64-bit address"
            yield Complaint(rules.ADDRESS, place, message)

    def _space(self, is_source: bool) -> str:
        if self.op.kind == "cp.async":
            return "global" if is_source else "shared"
        return self.op.space

    def _symbol(self, place: Place, declared: Declared, is_source: bool) -> Iterator[Complaint]:
        space = self._space(is_source)
        if space:
            allowed = {space.partition("::")[0]}
        elif self.op.is_wmma:
            allowed = {"shared", "global"}
        else:
            allowed = {"shared"} if self.op.is_collective else {"shared", "global", "local"}
        if declared.space not in allowed:
            where = f".{space}" if space else "a generic address"
            message = f"'{place.text}' is in .{declared.space}: {self.op.kind} here takes {where}"
            yield Complaint(rules.SPACE, place, message)

    def _offset(self, place: Place) -> Iterator[Complaint]:
        value = constant(place.text)
        if value is not None and self.op.is_collective and value % min(self.op.access_bytes, 16):
            unit = min(self.op.access_bytes, 16)
            message = f"offset {value} is no multiple of {unit}: the base must make up for it"
            yield Complaint(rules.OFFSET, place, message)

    def _stride(self, place: Place) -> Iterator[Complaint]:
        found = _NAME.match(place.text)
        if found is None or found[0] == "WARP_SZ":
            value = constant(place.text)
            if value is not None:
                yield from self._stride_value(place, value)
            return
        declared, complaint = self._find(Place(place.at, found[0]))
        if complaint is not None:
            yield complaint
        if declared is None or (declared.space == "reg" and not declared.type):
            return
        if declared.space != "reg":
            message = f"'{found[0]}' is a .{declared.space} symbol: a stride is a 32-bit integer"
            yield Complaint(rules.STRIDE, place, message)
        elif declared.type not in INTEGERS_32:
            message = f"'{found[0]}' is a .{declared.type} register: a stride is a 32-bit integer"
            yield Complaint(rules.STRIDE, place, message)

    def _stride_value(self, place: Place, value: int) -> Iterator[Complaint]:
        default, fragment = self.op.default_stride or 0, self.op.access_bytes
        if value == default:
            return
        bits = value * (self.op.register_bits // self.op.fields)
        said = f"stride {value}" + (f" ({bits // 8} bytes)" if bits % 8 == 0 else "")
        if value < default or value >= 2**31:
            what = "wider than 31 bits" if value >= 2**31 else f"below the default, {default}"
            yield Complaint(rules.STRIDE_UNDEFINED, place, f"stride {value} is {what}")
        elif bits % (8 * min(fragment, 16)):
            message = f"{said} is no multiple of {min(fragment, 16)} bytes"
            yield Complaint(rules.STRIDE_UNDEFINED, place, message)
        elif bits % (8 * fragment):
            message = f"{said} is no multiple of the fragment's size, {fragment} bytes"
            yield Complaint(rules.STRIDE_FRAGMENT, place, message)
