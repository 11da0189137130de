"""Points and results of a sweep as JSON texts, which a checkpoint keeps."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from .. import arguments
from ..errors import bad_value
from ..pickling import Spelled

SCALARS = (bool, int, float, str, type(None))
MOST_TEXT_BYTES, MOST_KEPT_BESIDES = 10**7, 1000  # of a point and its result; of SQLite and the digest
MOST_BITS = 10_000  # of an int
NOT_FINITE = ("inf", "-inf", "nan")

Scalar = bool | int | float | str | None
Row = dict[str, Scalar]


def plain(value: Any) -> Any:
    """NumPy's scalars and 0-d arrays as Python's; everything else as it is."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        held = value.item() if value.dtype.kind in "biufU" else value
        return held if type(held) in SCALARS else value
    return value


def _is_whole(text: str) -> bool:
    """Has it no halves of characters? JSON takes two of them for one character."""
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _named(values: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Encoded values by their names, which must be whole."""
    for name in values:
        if not _is_whole(name):
            raise bad_value(what, f"a checkpoint cannot hold half of a surrogate pair: {name!r}")
    return {name: _encoded(value, f"{what}{name}") for name, value in values.items()}


def _encoded(value: Any, name: str) -> Any:
    value = plain(value)
    if type(value) is float and not math.isfinite(value):
        return {"float": repr(value)}
    if type(value) is str and not _is_whole(value):
        return {"text": value.encode("utf-8", "surrogatepass").hex()}
    if type(value) is int and value.bit_length() > MOST_BITS:
        raise bad_value(name, f"with a checkpoint, expected at most {MOST_BITS:,} bits, got {arguments.shown(value)}")
    if type(value) in SCALARS:
        return value
    if type(value) is list:
        return [_encoded(item, name) for item in value]
    if type(value) is tuple:
        return {"tuple": [_encoded(item, name) for item in value]}
    if isinstance(value, Spelled):
        return {"repr": repr(value)}
    raise bad_value(
        name,
        f"with a checkpoint, expected bool, int, float, str, None, a list or tuple of"
        f" these, a Layout, Swizzle or instruction; got {arguments.shown(value)}",
    )


def _text(value: Any, *, sort_keys: bool = False) -> str:
    return json.dumps(value, sort_keys=sort_keys, separators=(",", ":"), allow_nan=False)


def key_of(point: Mapping[str, Any]) -> str:
    """Canonical JSON of a point: equal for equal points, whatever the order of the names.

    >>> key_of({"stages": 3, "pad": 8})
    '{"pad":8,"stages":3}'
    """
    return _text(_named(point, "grid: "), sort_keys=True)


def written(row: Row) -> str:
    """The text of a result."""
    return _text(_named(row, ""))


def fitting(key: str, text: str) -> tuple[str, str]:
    """A point and its result, which a row can hold."""
    most = MOST_TEXT_BYTES - MOST_KEPT_BESIDES - len(key)
    if len(text) > most:
        raise bad_value("result", f"with a checkpoint, expected at most {most:,} characters of JSON, got {len(text):,}")
    return key, text


def read(text: str) -> Row:
    """The row of a text that written() made; ValueError for any other."""
    found = json.loads(text, parse_constant=_no_constant)
    if not isinstance(found, dict):
        raise ValueError("expected named values")
    return {name: _scalar(name, value) for name, value in found.items()}


def _scalar(name: str, value: Any) -> Scalar:
    if isinstance(value, dict) and value.keys() == {"float"} and value["float"] in NOT_FINITE:
        return float(value["float"])
    if isinstance(value, dict) and value.keys() == {"text"} and type(value["text"]) is str:
        return bytes.fromhex(value["text"]).decode("utf-8", "surrogatepass")
    if type(value) not in SCALARS:
        raise bad_value(name, f"expected a scalar, got {type(value).__name__}")
    return value  # type: ignore[no-any-return]


def _no_constant(word: str) -> Scalar:
    raise ValueError(f"expected no {word}")


def name_of(function: Callable[..., Any]) -> str:
    """Module and qualified name; of a functools.partial, with what it binds."""
    if isinstance(function, partial):
        bound = [
            [_encoded(value, "function: a bound argument") for value in function.args],
            {k: _encoded(v, f"function: bound {k}") for k, v in function.keywords.items()},
        ]
        return f"{name_of(function.func)} with {_text(bound, sort_keys=True)}"
    module = getattr(function, "__module__", None)
    qualified = getattr(function, "__qualname__", None)
    owner = getattr(function, "__self__", None)
    nameless = not qualified or qualified.endswith("<lambda>")
    if nameless or not (owner is None or isinstance(owner, ModuleType | type)):
        raise bad_value(
            "function",
            "with a checkpoint, expected a function with a name of its own (or a"
            " functools.partial of one), since the file tells functions by it;"
            f" got {arguments.shown(function)}",
        )
    return f"{module}.{qualified}"
