"""The C++ names that PTX has in mangled form."""

from __future__ import annotations

import re

_LENGTH = re.compile(r"L?(\d+)")
_LOCAL = re.compile(r"_ZZ.*E(\d+)(\w+?)(?:_\d+)?$")


def plain_name(mangled: str) -> str:
    """The C++ name of a kernel without its parameters and template arguments: "ns::gemm"; else the PTX name."""
    begin = re.match(r"_Z(N?)L?", mangled)
    if begin is None:
        return mangled
    words, at = [], begin.end()
    while (length := _LENGTH.match(mangled, at)) is not None:
        at = length.end() + int(length[1])
        words.append(mangled[length.end() : at])
        if not begin[1]:
            break
    return "::".join(word for word in words if not word.startswith("_GLOBAL__N_")) or mangled


def plain_variable(mangled: str) -> str:
    """The C++ name of a variable of a kernel ("tile" for _ZZ4gemmPfE4tile); else the PTX name."""
    found = _LOCAL.match(mangled)
    return found[2] if found and int(found[1]) == len(found[2]) else plain_name(mangled)
