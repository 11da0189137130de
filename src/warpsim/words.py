"""What was meant by a word that does not exist, what others call the types of PTX, and plurals."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
MOST_DIGITS = 18  # of a number that something can be counted to
UNEXPECTED = re.compile(r"got an unexpected keyword argument '(\w+)'")

#: NumPy's and ml_dtypes' names of PTX's types
NUMPY = {
    "f16": "float16", "f32": "float32", "f64": "float64", "tf32": "float32", "bf16": "bfloat16",
    "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2", "e3m2": "float6_e3m2fn", "e2m3": "float6_e2m3fn",
    "e2m1": "float4_e2m1fn", "ue8m0": "float8_e8m0fnu", "s4": "int4", "u4": "uint4",
    **{f"{kind}{bits}": f"{name}{bits}" for kind, name in (("s", "int"), ("u", "uint"), ("b", "uint"))
       for bits in (8, 16, 32, 64)},
}  # fmt: skip

OTHER = {
    "half": "f16", "fp16": "f16", "float": "f32", "fp32": "f32", "double": "f64", "fp64": "f64",
    "fp8": "e4m3", "fp8e4m3": "e4m3", "fp8e5m2": "e5m2", "fp4": "e2m1", "char": "s8", "i8": "s8", "i4": "s4",
    "bytes": "byte", "elements": "element", "rows": "row", "column": "col", "columns": "col",
    "row_major": "row", "col_major": "col", "padding": "pad", "transpose": "trans", "transposed": "trans",
}  # fmt: skip
#: what others say -> the words of PTX and of this package
SAME = OTHER | {numpy: ptx for ptx, numpy in NUMPY.items() if ptx != "tf32" and ptx[0] != "b"} | {"bfloat16": "bf16"}


def plural(count: int, word: str) -> str:
    """1 wavefront, 2 wavefronts, 2 launches, 2 indices."""
    if word.endswith("index") and count != 1:
        word = word.removesuffix("ex") + "ice"
    ending = "" if count == 1 else "es" if word.endswith(("ch", "ss")) else "s"
    return f"{count:,} {word}{ending}"


def are(count: int, word: str, rest: str = "") -> str:
    """1 call is, 2 calls are; with a rest of the subject: 2 calls of printf are."""
    return f"{plural(count, word)}{rest and f' {rest}'} {'is' if count == 1 else 'are'}"


def enough(count: int) -> str:
    """1 is enough, 2 are enough."""
    return f"{count:,} {'is' if count == 1 else 'are'} enough"


def nearest(word: str, known: Collection[str]) -> str:
    """The word of `known` that was probably meant, or an empty text."""
    from difflib import get_close_matches  # noqa: PLC0415 - milliseconds of every import

    lower = word.lower()
    if SAME.get(lower) in known:
        return SAME[lower]
    if lower[:1] == "i" and f"s{lower[1:]}" in known:  # LLVM's word, and Triton's
        return f"s{lower[1:]}"
    close = get_close_matches(lower, known, 1) or get_close_matches(word, known, 1)
    return close[0] if close else ""


def meant(word: str, known: Collection[str], mark: str = "") -> str:
    """The nearest of the known words as a question; nothing where none is near."""
    found = nearest(word, known)
    return f"; did you mean {mark}{found}?" if found else ""


def suggesting(function: F) -> F:
    """The function; of a keyword that it does not have, its TypeError says which was probably meant."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            found = UNEXPECTED.search(str(error))
            is_own = error.__traceback__ is not None and error.__traceback__.tb_next is None
            if found is None or not is_own:
                raise
            names = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
            raise TypeError(f"{error}{meant(found[1], names) or '; it takes ' + ', '.join(names)}") from None

    return cast("F", call)


def is_whole(text: str) -> bool:
    """Is a text a whole number, in digits of ASCII and of a size that something can be counted to?"""
    return text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
