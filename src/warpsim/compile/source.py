"""The names that CUDA C++ gives to kernels and to their parameters, which PTX leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_GLOBAL = re.compile(r"\b__global__\b")
_NAME = re.compile(r"\b(\w++)\s*+(?:<[^;{}()]{0,1000}>\s*+)?\(")
_BODY = re.compile(r"[^;{]*\{")
#: of a template's parameter, by its first word; numbers are 32
_VALUES = {"typename": "float", "class": "float", "bool": "true", "template": "..."}
_ATTRIBUTES = ("__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__", "__attribute__", "alignas")
_QUALIFIERS = ("const", "volatile", "restrict", "__restrict__", "__restrict", "struct", "__grid_constant__")
#: types that C++ calls by several names, as PTX calls them
_ELEMENTS = {
    name: type_
    for type_, names in {
        "f16": "half|__half",
        "f32": "float",
        "f64": "double",
        "s16": "short|short int|int16_t",
        "u16": "unsigned short|unsigned short int|uint16_t",
        "s32": "int|signed int|signed|int32_t",
        "u32": "unsigned|unsigned int|uint|uint32_t",
        "s64": "long long|long long int|int64_t",
        "u64": "unsigned long long|unsigned long long int|uint64_t",
    }.items()
    for name in names.split("|")
}
_OPEN, _CLOSE = "(<[{", ")>]}"


def _closing(text: str, begin: int, pair: str = "()") -> int:
    """The place after the bracket that closes the one at `begin`; the end of the text without one."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == pair[0]) - (text[at] == pair[1])
        if depth == 0:
            return at + 1
    return len(text)


def _split(text: str) -> list[str]:
    """The parameters of a list, split at commas outside of brackets."""
    found, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == "," and depth == 0:
            found.append(text[begin:at])
            begin = at + 1
    last = text[begin:]
    return [*found, last] if found or last.strip() not in ("", "void") else []


def name_of(text: str) -> str:
    """The name that a declaration declares; empty if it has none."""
    declared = re.sub(r"\[[^]]*\]\s*$", "", re.split(r"(?<![=!<>])=(?!=)", text, maxsplit=1)[0].strip())
    pointer = re.search(r"\(\s*[*&]\s*(\w+)\s*\)", declared)
    words = re.findall(r"[A-Za-z_]\w*", declared)
    last = re.search(r"([A-Za-z_]\w*)\s*$", declared)
    return pointer[1] if pointer else last[1] if last and len(words) > 1 else ""


def element_of(declaration: str) -> str:
    """What a parameter points to, such as f32 of "const float *x"; empty for no pointer, or one to another type."""
    words = [word for word in re.findall(r"[\w:]+|[*&]|\[[^]]*\]", declaration) if word not in _QUALIFIERS]
    marks = [word for word in words if word[0] in "*&["]
    if len(marks) != 1 or marks[0][0] == "&" or "(" in declaration or "=" in declaration:
        return ""
    at = words.index(marks[0])
    before = words[:at] if marks[0] == "*" else words[: at - 1]
    return _ELEMENTS.get(" ".join(word.removeprefix("std::").removeprefix("::") for word in before), "")


@dataclass(frozen=True)
class _Head:
    """A kernel where the text names it. `template`: the parameters of one, None without; `has_body`: defined here."""

    name: str
    parameters: tuple[str, ...]
    template: tuple[str, ...] | None
    has_body: bool


def _template(before: str) -> tuple[str, ...] | None:
    """The parameters of the template whose function comes after a text; an explicit instance has none."""
    begin = max(before.rfind(mark) for mark in ";{}") + 1
    word = re.compile(r"\btemplate\s*<").search(before, begin)
    if word is None:
        return None
    opened = word.end() - 1
    return tuple(one.strip() for one in _split(before[opened + 1 : _closing(before, opened, "<>") - 1]))


def _heads(text: str) -> Iterator[_Head]:
    for before, head in pairwise(_GLOBAL.split(_BLANK.sub(" ", text))):  # each with no other than its own kernel
        at = 0
        while (name := _NAME.search(head, at)) is not None and name[1] in _ATTRIBUTES:
            at = _closing(head, name.end() - 1)
        if name is not None:
            end = _closing(head, name.end() - 1)
            inside = tuple(one.strip() for one in _split(head[name.end() : end - 1]))
            yield _Head(name[1], inside, _template(before), _BODY.match(head, end) is not None)


def declarations(text: str) -> dict[str, set[tuple[str, ...]]]:
    """Names of kernels that a text declares, and the declarations of their parameters: several lists for overloads.

    Those of its body are a kernel's own: other declarations and explicit instances may leave names out.
    """
    heads = list(_heads(text))
    defined = {(one.name, len(one.parameters)) for one in heads if one.has_body}
    found: dict[str, set[tuple[str, ...]]] = {}
    for one in heads:
        if one.has_body or (one.name, len(one.parameters)) not in defined:
            found.setdefault(one.name, set()).add(one.parameters)
    return found


def templates(text: str) -> dict[str, str]:
    """Names of kernels that are templates, and how an instance of each may be written."""

    def value(parameter: str) -> str:
        first = re.match(r"\w*", parameter)
        return _VALUES.get(first[0] if first else "", "32")

    return {one.name: f"{one.name}<{', '.join(map(value, one.template))}>" for one in _heads(text) if one.template}


def parameters(text: str) -> dict[str, set[tuple[str, ...]]]:
    """The same with the names of the parameters."""
    return {kernel: {tuple(map(name_of, one)) for one in lists} for kernel, lists in declarations(text).items()}
