"""Plain arguments: ints, words, truth values and lists, of whatever class a caller passes them.

Each function names the argument in its error, with what was expected and what was given, in a few
words however large that is; what it gives is a plain value that runs no code of the caller's.
"""

from __future__ import annotations

import itertools
import operator
import reprlib
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 40


def shown(value: object) -> str:
    """repr(value), of at most some hundred characters, whatever the value is."""
    if isinstance(value, int) and value.bit_length() > 10_000:
        return f"an int of {value.bit_length()} bits"
    try:
        return _SHORT.repr(value)[:200]
    except Exception:  # a repr of the caller's own that fails
        return f"a {type(value).__name__}"


def whole(name: str, value: Any) -> int:
    """An int, of whatever class, as the plain int that it is; TypeError if it is none."""
    if type(value) is int:
        return value
    if not isinstance(value, bool | np.bool_):
        try:
            return int.__index__(operator.index(value))
        except TypeError:
            pass
    given = shown(value) if isinstance(value, float) else ""
    raise TypeError(f"{name}: expected an int, got {describe(value)} {given}".rstrip())


def flag(name: str, value: Any) -> bool:
    """A truth value: a bool, NumPy's bool, or an int."""
    if isinstance(value, bool | int | np.bool_):
        return bool(value)
    raise TypeError(f"{name}: expected a bool, got {describe(value)}")


def word(name: str, value: Any, words: Collection[str]) -> str:
    """One of some words, as a plain str; TypeError or ValueError if it is none."""
    found = str.__str__(value) if isinstance(value, str) else None
    if found is not None and found in words:
        return found
    *most, last = (repr(one) for one in words)
    expected = f"{name}: expected {', '.join(most)} or {last}"
    if found is None:
        raise TypeError(f"{expected}; got {describe(value)}")
    raise ValueError(f"{expected}; got {shown(found)}")


def each_of(name: str, values: Any) -> Iterator[Any]:
    """iter(values), or a TypeError.

    CPython 3.11 gives an iterator with an error pending for a memoryview that was released.
    """
    try:
        return iter(values.tolist() if isinstance(values, memoryview) else values)
    except (TypeError, ValueError, NotImplementedError):
        raise TypeError(f"{name}: expected several values, got {describe(values)}") from None


def several(name: str, values: Any, most: int) -> list[Any]:
    """The items of an iterable, at most so many; TypeError or ValueError if it is none."""
    found = list(itertools.islice(each_of(name, values), most + 1))
    if len(found) > most:
        raise ValueError(f"{name}: expected at most {most} values, got more")
    return found


def dtype_of(name: str, value: Any) -> np.dtype[Any]:
    """The dtype that a value stands for; TypeError if it stands for none."""
    try:
        found: np.dtype[Any] = np.dtype(value)
    except Exception as error:
        raise TypeError(f"{name}: expected a NumPy dtype, got {shown(value)}") from error
    return found


def describe(value: object) -> str:
    """A value's type, and its dtype if it is an array."""
    if isinstance(value, np.ndarray):
        return f"ndarray of {np.asarray(value).dtype}"
    return type(value).__name__


def positive_int(name: str, value: Any, most: int = 2**62) -> int:
    """An int of 1 or more, and at most `most`."""
    found = whole(name, value)
    if found < 1:
        raise ValueError(f"{name}: expected 1 or more, got {shown(found)}")
    if found > most:
        raise ValueError(f"{name}: expected 1 to {most}, got {shown(found)}")
    return found
