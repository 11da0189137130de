"""Arguments of a launch as texts: x=f32[128,128]:random(7), n=128."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..arguments import shown
from ..errors import why
from ..files import path_shown
from ..words import meant
from .arguments import Param, uninitialized

#: where the file of a name is
Place = Callable[[str], Path]
TYPES = {
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
    "b8": np.uint8, "b16": np.uint16, "b32": np.uint32, "b64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16,
}  # fmt: skip
ARRAY = re.compile(r"(?P<type>[a-z]+\d+)\[(?P<shape>[\d, ]+)\](?::(?P<fill>.+))?", re.ASCII)
RANDOM = re.compile(r"random(?:\((\d*)\))?", re.ASCII)


class ToldError(ValueError):
    """An error whose message names the argument."""


def _random(type_: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    dtype = np.dtype(TYPES[type_])
    if type_ == "bf16":
        return (generator.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if dtype.kind == "f":
        return generator.standard_normal(shape).astype(dtype)
    return np.frombuffer(generator.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape).copy()


def _holds(found: np.dtype[Any], type_: str) -> bool:
    """Are numbers of a file those of the type? b32 and bf16 are bits of whatever has the size."""
    wanted = np.dtype(TYPES[type_])
    is_alike = type_[0] == "b" or (found.kind == "f") == (wanted.kind == "f")
    return is_alike and found.itemsize == wanted.itemsize


def _filled(type_: str, shape: tuple[int, ...], fill: str, spec: str, place: Place) -> np.ndarray:
    dtype = np.dtype(TYPES[type_])
    random = RANDOM.fullmatch(fill)
    if random:
        return _random(type_, shape, int(random[1] or 0))
    if fill == "zeros":
        return np.zeros(shape, dtype)
    if fill == "uninitialized":
        return uninitialized(shape, dtype)
    if fill == "arange":
        return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)
    if not fill.endswith((".npy", ".bin")):
        raise ToldError(
            f"--arg: {spec}: expected random(SEED), zeros, arange, uninitialized, FILE.npy or FILE.bin, got {fill!r}"
        )
    count = int(np.prod(shape, dtype=object))
    try:
        path = place(fill)
        found = np.load(path, "r", allow_pickle=False) if fill.endswith(".npy") else np.fromfile(path, dtype, count + 1)
    except (OSError, EOFError, ValueError) as error:
        raise ToldError(f"--arg: {spec}: cannot read {path_shown(fill)}: {why(error)}") from error
    if not isinstance(found, np.ndarray) or found.nbytes != count * dtype.itemsize:
        raise ToldError(f"--arg: {spec}: {fill} does not have the bytes of {type_}{list(shape)}")
    if not _holds(found.dtype, type_):
        raise ToldError(f"--arg: {spec}: {fill} has numbers of {found.dtype}, expected {dtype} for {type_}; convert it")
    return np.array(found, found.dtype.newbyteorder("="), order="C").reshape(-1).view(dtype).reshape(shape)


def value_of(text: str, spec: str, place: Place = Path) -> Any:
    """What the right side of --arg NAME=... means: an array, a number, or None."""
    array = ARRAY.fullmatch(text)
    if array:
        if array["type"] not in TYPES:
            wrong = f"got {array['type']!r}{meant(array['type'], TYPES)}"
            raise ValueError(f"--arg: {spec}: expected one of {', '.join(TYPES)}, {wrong}")
        try:
            shape = tuple(int(n) for n in array["shape"].split(","))
            return _filled(array["type"], shape, array["fill"] or "zeros", spec, place)
        except ToldError:
            raise
        except (MemoryError, ValueError, OverflowError) as error:
            reason = "too large for memory" if isinstance(error, MemoryError) else error
            raise ValueError(f"--arg: {shown(spec)}: {reason}") from error
    if text in ("null", "None"):
        return None
    for read in (lambda number: int(number, 0), float) if text.isascii() else ():
        with suppress(ValueError):
            return read(text)
    raise ValueError(f"--arg: {spec}: expected TYPE[SHAPE]:FILL, a number or null, got {text!r}")


def position(params: tuple[Param, ...], name: str, spec: str, option: str = "--arg") -> int:
    """Which parameter a name or a number means; the end of a PTX name is enough if only one has it."""
    for number, param in enumerate(params):
        if name in (param.label, param.name, str(number)):
            return number
    ends = [number for number, param in enumerate(params) if param.name.endswith(f"_{name}")]
    if len(ends) == 1:
        return ends[0]
    listed = ", ".join(f"{number}: {param.label} (.{param.type})" for number, param in enumerate(params))
    raise ValueError(f"{option}: {spec}: the kernel has no parameter {name!r}; it has {listed or 'none'}")


def given(params: tuple[Param, ...], specs: Iterable[str], place: Place = Path) -> dict[int, Any]:
    """The values that NAME=VALUE texts give to parameters, by number."""
    values: dict[int, Any] = {}
    for spec in specs:
        name, equals, text = spec.partition("=")
        if not equals:
            raise ValueError(f"--arg: expected NAME=VALUE, got {spec!r}")
        number = position(params, name.strip(), spec)
        if number in values:
            raise ValueError(f"--arg: {params[number].label} is given twice")
        values[number] = value_of(text.strip(), spec, place)
    return values


def arguments(params: tuple[Param, ...], specs: Iterable[str], place: Place = Path) -> list[Any]:
    """The arguments of a launch from NAME=VALUE texts."""
    values = given(params, specs, place)
    missing = [f"{param.label} (.{param.type})" for number, param in enumerate(params) if number not in values]
    if missing:
        raise ValueError(f"--arg: give a value for {', '.join(missing)}, as NAME=f32[64,64]:zeros or NAME=128")
    return [values[number] for number in range(len(params))]
