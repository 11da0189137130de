"""Options of CUDA's compilers: where they look for headers, and which of them a file may give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ..errors import bad_value

#: a value that no shell and no compiler takes for anything else
_VALUE = r"[\w.:+*/-]*"
#: options without a value of their own, or with one behind "="
_ALONE = re.compile(
    rf"(?:-D|--?define-macro=)[A-Za-z_]\w*(?:=[(]?{_VALUE}[)]?)?|(?:-U|--?undefine-macro=)[A-Za-z_]\w*"
    r"|--?std=c\+\+\d\d|-O[0-3]?|--?optimize=[0-3]|--?maxrregcount=\d+"
    r"|--?(?:use_fast_math|lineinfo|generate-line-info|device-debug|restrict"
    r"|disable-warnings|device-int128|expt-relaxed-constexpr|extended-lambda|expt-extended-lambda)"
    r"|-w|-G|--?(?:fmad|ftz|prec-div|prec-sqrt|extra-device-vectorization)=(?:true|false)"
)
_INCLUDE = re.compile(r"(?:-I|--?include-path=)(?P<folder>.+)", re.DOTALL)
#: options whose value may be the next word, and what they are with it
_PAIRS = {
    "-D": "-D", "--define-macro": "-D", "-U": "-U", "--undefine-macro": "-U", "-I": "-I", "--include-path": "-I",
    "-std": "-std=", "--std": "-std=", "-maxrregcount": "-maxrregcount=", "--maxrregcount": "-maxrregcount=",
    "-optimize": "-O", "--optimize": "-O",
}  # fmt: skip
#: of nvcc alone: how host code is optimized, and what NVRTC does without being asked
_OF_NVCC = re.compile(
    r"-O[0-3]?|--?optimize=[0-3]|--?(?:expt-relaxed-constexpr|(?:expt-)?extended-lambda|extra-device-vectorization=false)"
)
#: pass the next word to the assembler
_PASSES = ("-Xptxas", "--ptxas-options")
#: what both have, as nvcc alone writes it -> as NVRTC does
_SPELLED = (
    (r"-((?:un)?define-macro=.*|include-path=.*|generate-line-info|device-debug|disable-warnings)", r"--\1"),
    (r"--lineinfo", "-lineinfo"),
    (r"(--?extra-device-vectorization)=true", r"\1"),
)
ALLOWED = "-D, -U, -I, -std, -O, -G, -w, -lineinfo, -maxrregcount, --use_fast_math, -fmad, -ftz, -prec-div, -prec-sqrt"


def words(options: Sequence[str]) -> Iterator[str]:
    """The options, each with its value."""
    left = iter(options)
    for word in left:
        yield _PAIRS[word] + next(left, "") if word in _PAIRS else word


def include_folders(options: Sequence[str]) -> list[str]:
    """The folders of headers that options name."""
    found = (_INCLUDE.fullmatch(word) for word in words(options))
    return [match["folder"] for match in found if match is not None]


def of_nvrtc(options: Sequence[str]) -> list[str]:
    """Options of an nvcc command line as NVRTC takes them."""
    given = ["", *words(options)]
    found = [word for before, word in pairwise(given) if before in _PASSES or _OF_NVCC.fullmatch(word) is None]
    for pattern, written in _SPELLED:
        found = [re.sub(rf"\A{pattern}\Z", written, word, flags=re.DOTALL) for word in found]
    return found


def harmless(options: Sequence[str], folder: Path) -> list[str]:
    """The options of a file in this folder, if they only say how device code is compiled; ValueError names another."""
    found = []
    for word in words(options):
        include = _INCLUDE.fullmatch(word)
        if include is None and _ALONE.fullmatch(word) is None:
            raise bad_value("options", f"a file may give {ALLOWED}, with plain values; got {word!r}: call ws.compile")
        found.append(word if include is None else f"-I{(folder / include['folder']).resolve()}")
    return found
