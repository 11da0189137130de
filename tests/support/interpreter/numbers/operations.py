"""What a plain statement does to the registers of one lane: types of its operands and a function of arrays of bits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.support.interpreter.text import width_of

Array = Any
U = np.uint64
I = np.int64  # noqa: E741


@dataclass
class Operation:
    """Types of the results and of the sources; function(*sources) -> array or tuple of arrays. Predicates are bool."""

    into: list[str]
    of: list[str]
    function: Callable[..., Any]


Builder = Callable[[list[str]], Operation]


def ones(n: int) -> Array:
    return U((1 << n) - 1)


def signed(x: Array, n: int) -> Array:
    """The low n bits as a signed number."""
    up = U(64 - n)
    return (np.asarray(x, U) << up).view(I) >> I(64 - n)


def unsigned(x: Array) -> Array:
    return np.asarray(x).astype(I).view(U) if np.asarray(x).dtype != U else x


def numeric(x: Array, kind: str) -> Array:
    """Python numbers (objects) of type kind, for what does not fit 64 bits."""
    n = width_of(kind)
    return (signed(x, n) if kind[0] == "s" else x & ones(n)).astype(object)


def back(x: Array, n: int) -> Array:
    """Python numbers to n bits."""
    return (np.asarray(x, object) & ((1 << n) - 1)).astype(U)


def halves(f: Callable[..., Array]) -> Callable[..., Array]:
    """A function of 16-bit values, for pairs of them."""

    def both(*xs: Array) -> Array:
        low, high = f(*[x & U(0xFFFF) for x in xs]), f(*[x >> U(16) & U(0xFFFF) for x in xs])
        return (low & U(0xFFFF)) | (high & U(0xFFFF)) << U(16)

    return both


def clamp(x: Array, kind: str) -> Array:
    """Numbers to the range of an integer type."""
    n = width_of(kind)
    low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if kind[0] == "s" else (0, (1 << n) - 1)
    return np.minimum(np.maximum(x, low), high)
