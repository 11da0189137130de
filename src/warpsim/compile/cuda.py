"""`ws.compile`: CUDA C++ to a module, by NVRTC or nvcc."""

from __future__ import annotations

import builtins
import codecs
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..arguments import describe
from ..errors import CompileError, bad_type, bad_value
from ..files import MOST_PROGRAM, contents, is_name, path_shown
from ..targets import USUAL_TARGET, known_target
from . import nvcc, nvrtc, toolkit
from .compiled import CompiledModule
from .log import readable
from .options import include_folders, of_nvrtc

FILE = "source.cu"  # of a text
#: what a kernel's text does not have, and a program for a GPU does
HOST_CODE = re.compile(r"<<<|\bint\s+main\s*\(|\bcuda(?:Malloc|Memcpy|Free|Launch|DeviceSynchronize)\w*\s*\(|#\s*include\s*<(?:iostream|vector|string|chrono|random|memory|fstream)>")  # fmt: skip  # noqa: E501
HINT = (
    "NVRTC compiles device code alone, and this text has host code: put that between #ifndef __CUDACC_RTC__ and #endif"
)
INSTALL = ", or install nvcc with a C++ compiler (pip install nvidia-cuda-nvcc nvidia-nvvm)"


def _encoded(argument: str, text: str | bytes) -> bytes:
    """What a compiler reads; ValueError for a text that it would read up to a zero byte alone, or not at all."""
    try:
        found = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise bad_value(argument, "expected text that UTF-8 can hold, got characters of no text") from error
    before, zero, _ = found.partition(b"\0")
    if zero:
        raise bad_value(argument, f"expected text, got a zero byte in line {before.count(10) + 1}: remove it")
    return found


def strings(name: str, values: Any) -> list[str]:
    """One str or several, as a list."""
    if isinstance(values, str):
        values = (values,)
    if not isinstance(values, Sequence) or not all(isinstance(value, str) for value in values):
        raise bad_type(name, f"expected a str or a sequence of them, got {describe(values)}")
    for value in values:
        _encoded(name, value)
    return list(values)


def _read(source: Any) -> tuple[bytes, str]:
    """The text, and the name of its file."""
    text, file = _whole(source)
    return _encoded("source", text), file


def _whole(source: Any) -> tuple[str | bytes, str]:
    if isinstance(source, os.PathLike):
        path = os.path.abspath(os.fsdecode(source))
        try:
            return contents(path, MOST_PROGRAM).removeprefix(codecs.BOM_UTF8), path
        except ValueError as error:
            raise bad_value("source", f"cannot read {path_shown(path)}: {error}") from error
    if isinstance(source, bytes):
        return source, FILE
    if isinstance(source, str):
        if is_name(source):
            named = path_shown(source)
            raise bad_value("source", f"expected CUDA C++, got the name of a file; pass pathlib.Path({named})")
        return source, FILE
    raise bad_type("source", f"expected CUDA C++ or a path, got {describe(source)}")


def _headers(headers: Any) -> dict[str, str]:
    if headers is None:
        return {}
    if not isinstance(headers, Mapping) or not all(isinstance(one, str) for pair in headers.items() for one in pair):
        raise bad_type("headers", f"expected a mapping from names to texts, got {_mapped(headers)}")
    for pair in headers.items():
        for text in pair:
            _encoded("headers", text)
    return dict(headers)


def _mapped(headers: Any) -> str:
    """What was given instead of texts by their names."""
    if not isinstance(headers, Mapping):
        return describe(headers)
    pairs = (pair for name, text in headers.items() for pair in (("name", name), ("text", text)))
    what, wrong = next(pair for pair in pairs if not isinstance(pair[1], str))
    kind = describe(wrong)
    return f"a {what} that is a{'n' if kind[0] in 'aeiou' else ''} {kind}"


def _near(file: str) -> list[str]:
    """The folder of the file; a text has none."""
    return [str(Path(file).parent)] if file != FILE else []


def _by_nvcc(refused: CompileError, compiler: str | None, *given: Any) -> nvrtc.Built:
    """What nvcc makes of a text whose host code NVRTC refuses; what NVRTC said, where it makes nothing either."""
    names: Sequence[str] = given[-1]
    if compiler is None or any("<" in one for one in names):
        raise CompileError(refused.log, HINT + (INSTALL if compiler is None else "; nvcc takes no templates by name"))
    try:
        return nvcc.build(compiler, *given)
    except CompileError as error:
        if error.errors:
            raise
        raise CompileError(refused.log, f"{HINT}; {error}\nNVRTC says:") from None


def translated(
    text: bytes, file: str, names: Sequence[str], target: str, given: Sequence[str], texts: Mapping[str, str]
) -> nvrtc.Built:
    """The PTX of a text, as `compile` says."""
    number = known_target(target).removeprefix("sm_")
    library, compiler = toolkit.nvrtc(), toolkit.nvcc()
    if library is None and compiler is None:
        raise ImportError(toolkit.MISSING)
    near = [*_near(file), *map(str, toolkit.includes())]
    everything = ["-lineinfo", *given, *(f"-I{folder}" for folder in near)]
    if library is not None:
        try:
            own = [f"--gpu-architecture=compute_{number}", "-default-device", *of_nvrtc(everything)]
            return nvrtc.build(library, text, file, texts, own, names)
        except CompileError as error:
            if HOST_CODE.search(text.decode("utf-8", "replace")) is None:
                raise
            return _by_nvcc(error, compiler, text, file, texts, [f"-arch=compute_{number}", *everything], names)
    assert compiler is not None
    return nvcc.build(compiler, text, file, texts, [f"-arch=compute_{number}", *everything], names)


def built(
    source: Any,
    names: Sequence[str],
    target: str,
    given: Sequence[str],
    quoted: Sequence[str] | None = None,
    *,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> CompiledModule:
    """What `compile` gives; `quoted`: the folders whose files messages and reports may quote, besides CUDA's own."""
    text, file = _read(source)
    own = [*_near(file), *include_folders(given)] if quoted is None else quoted
    roots = [*own, *map(str, toolkit.includes())]
    more = "; name its folder with -I to see more" if quoted is None else "; call ws.compile to see more"
    try:
        made = translated(text, file, names, target, given, headers)
    except CompileError as error:
        raise CompileError(readable(error.log, file, roots, headers, more), error.args[1]) from None
    log = readable(made.log, file, roots, headers, more)
    return CompiledModule(made.ptx, text.decode("utf-8", "replace"), file, made.names, log, roots)


def compile(
    source: str | builtins.bytes | os.PathLike[str],
    *,
    name: str | Sequence[str] | None = None,
    target: str = USUAL_TARGET,
    options: str | Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
) -> CompiledModule:
    """The module that NVIDIA's compiler makes of CUDA C++: a text, or a file at a path (os.PathLike). No GPU is needed.

    `name`: kernels that are templates, as C++ calls an instance ("gemm<float, 16>"); module[name] is it. `target`: the
    GPU to compile for. `options` of NVRTC or nvcc, such as "-DTILE=32", "-Ifolder", "--use_fast_math"; "-O3" and the
    like are about host code and left out for NVRTC. `headers`: texts of headers by the names that #include has. CUDA's
    own headers, those of CUB and cooperative groups, and the folder of the file are found without an option, and line
    numbers are kept. nvcc compiles where NVRTC is not installed, and what has host code that NVRTC refuses. The
    module's kernels and parameters have the names of the source.

    CompileError has what the compiler said; ImportError says what to install where no compiler is found.
    """
    names = [] if name is None else strings("name", name)
    return built(source, names, target, strings("options", options), headers=_headers(headers))
