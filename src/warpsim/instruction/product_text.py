"""The PTX text of a product, made of its fields; the core reads it."""

from __future__ import annotations

import re

from .. import _core, arguments
from ..errors import bad_type, bad_value


def product_text(
    kind: str, shape: str, layouts: tuple[str, str], types: tuple[str, ...], satfinite: bool, bits: str, rounding: str,
    scaling: tuple[str, str] = ("", ""),
) -> str:  # fmt: skip
    """The PTX text of these fields, which the core then reads; `scaling`: see scaling_words."""
    if not isinstance(shape, str):
        raise bad_type("shape", f"expected a str such as 'm16n8k16', got {arguments.describe(shape)}")
    if not re.fullmatch(r"m\d+n\d+k\d+", shape, re.ASCII):
        raise bad_value("shape", f"expected a shape such as 'm16n8k16', got {arguments.shown(shape)}")
    words = [kind, "sync.aligned", str.__str__(shape)]
    words += [arguments.word(f"{name}_layout", one, ("row", "col")) for name, one in zip("ab", layouts, strict=True)]
    words += ["satfinite"] * arguments.flag("satfinite", satfinite)
    words.append(arguments.word("rounding", rounding, _core.ROUNDINGS))
    words.append(scaling[0])
    found = [arguments.word(name, one, _core.TYPES[1:]) for name, one in zip("dabc", types, strict=True)]
    is_short = kind == "wmma.mma" and found[1] == found[2] == "f16"
    words += [found[0], found[3]] if is_short else found
    words.append(scaling[1])
    chosen = arguments.word("bits", bits, _core.BIT_OPERATIONS)
    words += [chosen, "popc"] if chosen else []
    return ".".join(word for word in words if word)


def scaling_words(narrow: str, scale_vec: int, scale_type: str) -> tuple[str, str]:
    """The words of .kind and of block scaling, and the type of the factors."""
    narrow = arguments.word("narrow", narrow, _core.NARROW_KINDS)
    factors = arguments.whole("scale_vec", scale_vec)
    if factors not in (0, 1, 2, 4):
        raise bad_value("scale_vec", f"expected 0, 1, 2 or 4; got {arguments.shown(scale_vec)}")
    words = [f"kind::{narrow}"] * bool(narrow) + [f"block_scale.scale_vec::{factors}X"] * bool(factors)
    return ".".join(words), arguments.word("scale_type", scale_type, ("", "ue8m0", "ue4m3"))
