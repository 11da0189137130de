"""The door to the engine in C that runs whole kernels."""

from .engine import (
    ARGUMENT,
    CONSTANT,
    FIRST_GLOBAL,
    FIRST_PARAMETER,
    HEAP,
    KERNEL_RULES,
    MOST_JUDGED,
    MOST_RELEASES,
    PARAMETERS,
    VARIABLE,
    Launch,
    Module,
    Program,
    near,
    opcodes,
    told,
)

__all__ = [
    "ARGUMENT",
    "CONSTANT",
    "FIRST_GLOBAL",
    "FIRST_PARAMETER",
    "HEAP",
    "KERNEL_RULES",
    "MOST_JUDGED",
    "MOST_RELEASES",
    "PARAMETERS",
    "VARIABLE",
    "Launch",
    "Module",
    "Program",
    "near",
    "opcodes",
    "told",
]
