"""The door to the engine in C that runs whole kernels."""

from .engine import ARGUMENT, CONSTANT, FIRST_GLOBAL, HEAP, MOST_JUDGED, PARAMETERS, VARIABLE, Launch, Module, Program

__all__ = [
    "ARGUMENT",
    "CONSTANT",
    "FIRST_GLOBAL",
    "HEAP",
    "MOST_JUDGED",
    "PARAMETERS",
    "VARIABLE",
    "Launch",
    "Module",
    "Program",
]
