"""The names that CUDA C++ gives to kernels and to their parameters, which PTX leaves out."""

from __future__ import annotations

import re

_BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_GLOBAL = re.compile(r"\b__global__\b")
_NAME = re.compile(r"(\w+)\s*(?:<[^;{}()]*>\s*)?\(")
_ATTRIBUTES = ("__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__", "__attribute__", "alignas")
_OPEN, _CLOSE = "(<[{", ")>]}"


def _closing(text: str, begin: int) -> int:
    """The place after the parenthesis that closes the one at `begin`; the end of the text without one."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
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


def _parameter(text: str) -> str:
    """The name that a declaration declares; empty if it has none."""
    declared = re.sub(r"\[[^]]*\]\s*$", "", re.split(r"(?<![=!<>])=(?!=)", text, maxsplit=1)[0].strip())
    pointer = re.search(r"\(\s*[*&]\s*(\w+)\s*\)", declared)
    words = re.findall(r"[A-Za-z_]\w*", declared)
    last = re.search(r"([A-Za-z_]\w*)\s*$", declared)
    return pointer[1] if pointer else last[1] if last and len(words) > 1 else ""


def parameters(text: str) -> dict[str, set[tuple[str, ...]]]:
    """Names of kernels that a text declares, and the names of their parameters: several lists for overloads."""
    text = _BLANK.sub(" ", text)
    found: dict[str, set[tuple[str, ...]]] = {}
    for begin in _GLOBAL.finditer(text):
        at = begin.end()
        while (name := _NAME.search(text, at)) is not None and name[1] in _ATTRIBUTES:
            at = _closing(text, name.end() - 1)
        if name is not None:
            inside = text[name.end() : _closing(text, name.end() - 1) - 1]
            found.setdefault(name[1], set()).add(tuple(map(_parameter, _split(inside))))
    return found
