"""`warpsim run`: a kernel of a PTX file, with arguments from the command line."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..errors import PtxSyntaxError, UnsupportedError
from ..kernel.arguments import Param, uninitialized
from ..kernel.launch import refuse
from ..kernel.module import Kernel, Module
from ..kernel.report import KernelReport
from ..render import sarif
from .files import read_file, uri
from .output import Answer, form_of, of_report, to_json
from .rules import rules_of_all
from .table import BAD, COMMANDS, FINE

TYPES = {
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
    "b8": np.uint8, "b16": np.uint16, "b32": np.uint32, "b64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16,
}  # fmt: skip
ARRAY = re.compile(r"(?P<type>[a-z]+\d+)\[(?P<shape>[\d, ]+)\](?::(?P<fill>.+))?")
RANDOM = re.compile(r"random(?:\((\d*)\))?")


def _random(type_: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    dtype = np.dtype(TYPES[type_])
    if type_ == "bf16":
        return (generator.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if dtype.kind == "f":
        return generator.standard_normal(shape).astype(dtype)
    return np.frombuffer(generator.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape).copy()


def _filled(type_: str, shape: tuple[int, ...], fill: str, spec: str) -> np.ndarray:
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
        raise ValueError(
            f"--arg: {spec}: expected random(SEED), zeros, arange, uninitialized, FILE.npy or FILE.bin, got {fill!r}"
        )
    count = int(np.prod(shape, dtype=object))
    try:
        found = np.load(fill, allow_pickle=False) if fill.endswith(".npy") else np.fromfile(fill, dtype, count + 1)
    except (OSError, EOFError, ValueError) as error:
        raise ValueError(f"--arg: {spec}: cannot read {fill!r}: {getattr(error, 'strerror', None) or error}") from error
    if not isinstance(found, np.ndarray) or found.nbytes != count * dtype.itemsize:
        raise ValueError(f"--arg: {spec}: {fill} does not have the bytes of {type_}{list(shape)}")
    return np.ascontiguousarray(found).reshape(-1).view(dtype).reshape(shape)


def value_of(text: str, spec: str) -> Any:
    """What the right side of --arg NAME=... means: an array, a number, or None."""
    array = ARRAY.fullmatch(text)
    if array:
        if array["type"] not in TYPES:
            raise ValueError(f"--arg: {spec}: expected one of {', '.join(TYPES)}, got {array['type']!r}")
        shape = tuple(int(n) for n in array["shape"].split(","))
        try:
            return _filled(array["type"], shape, array["fill"] or "zeros", spec)
        except MemoryError as error:
            raise ValueError(f"--arg: {spec}: too large for memory") from error
    if text in ("null", "None"):
        return None
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--arg: {spec}: expected TYPE[SHAPE]:FILL, a number or null, got {text!r}") from None


def _position(params: tuple[Param, ...], name: str, spec: str) -> int:
    """Which parameter a name or a number means; the end of a PTX name is enough if only one has it."""
    for number, param in enumerate(params):
        if name in (param.name, str(number)):
            return number
    ends = [number for number, param in enumerate(params) if param.name.endswith(f"_{name}")]
    if len(ends) == 1:
        return ends[0]
    listed = ", ".join(f"{number}: {param.name} (.{param.type})" for number, param in enumerate(params))
    raise ValueError(f"--arg: {spec}: the kernel has no parameter {name!r}; it has {listed or 'none'}")


def arguments(params: tuple[Param, ...], specs: list[str]) -> list[Any]:
    """The arguments of a launch from NAME=VALUE texts."""
    values: dict[int, Any] = {}
    for spec in specs:
        name, equals, text = spec.partition("=")
        if not equals:
            raise ValueError(f"--arg: expected NAME=VALUE, got {spec!r}")
        number = _position(params, name.strip(), spec)
        if number in values:
            raise ValueError(f"--arg: {params[number].name} is given twice")
        values[number] = value_of(text.strip(), spec)
    missing = [f"{param.name} (.{param.type})" for number, param in enumerate(params) if number not in values]
    if missing:
        raise ValueError(f"--arg: give a value for {', '.join(missing)}, as NAME=f32[64,64]:zeros or NAME=128")
    return [values[number] for number in range(len(params))]


def _extent(text: str, option: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in re.split("[,x]", text))
    except ValueError:
        raise ValueError(f"{option}: expected up to three numbers such as 4,4, got {text!r}") from None


def _kernel(module: Module, name: str | None) -> Kernel:
    if name is None:
        if len(module.kernels) == 1:
            return next(iter(module.kernels.values()))
        raise ValueError(f"--kernel: the file has {', '.join(module.kernels) or 'no kernel'}; name one")
    try:
        return module[name]
    except KeyError as error:
        raise ValueError(f"--kernel: {error.args[0]}") from None


def _save(kernel: Kernel, values: list[Any], specs: list[str]) -> None:
    for spec in specs:
        name, equals, path = spec.partition("=")
        if not equals:
            raise ValueError(f"--save: expected NAME=FILE.npy, got {spec!r}")
        value = values[_position(kernel.params, name, spec)]
        if not isinstance(value, np.ndarray):
            raise ValueError(f"--save: {name} is not an array")
        if not path.endswith((".npy", ".bin")):
            raise ValueError(f"--save: {spec}: expected a file that ends in .npy or .bin")
        try:
            if path.endswith(".npy"):
                np.save(path, value)
            else:
                Path(path).write_bytes(value.tobytes())
        except OSError as error:
            raise ValueError(f"--save: cannot write {path!r}: {error.strerror or error}") from error


SOURCES = {
    ".cu": "CUDA C++: compile it first, with nvcc -ptx",
    ".py": "Python: save the PTX of its kernel first (Triton: kernel.asm['ptx'])",
}


def _sarif(file: str, report: KernelReport) -> str:
    rules = [rule for rule in rules_of_all() if rule["about"] == "kernels"]
    name = uri("<stdin>" if file == "-" else file)
    return to_json(sarif.of_launch(name, uri, report.to_dict(), rules, __version__))


def run(args: argparse.Namespace) -> Answer:
    """Loads, launches, saves."""
    source = SOURCES.get(Path(args.file).suffix)
    if source is not None:
        raise ValueError(f"FILE: {args.file!r} is {source}")
    prints = args.output in (None, "-") and form_of(COMMANDS["run"], args.form, args.output) == "text"
    try:
        module = Module(read_file(args.file).encode("utf-8", "surrogateescape"))
        module._folder = Path(args.file).parent  # where its sources may be
        kernel = _kernel(module, args.kernel)
        refuse(kernel, kernel._program(args.target))
        values = arguments(kernel.params, args.arg or [])
        for spec in args.save or []:
            _position(kernel.params, spec.partition("=")[0], spec)
        report = kernel(
            _extent(args.grid, "--grid"), _extent(args.block, "--block"), values,
            shared_bytes=args.shared, blocks=args.blocks,
            target=args.target, check=not args.no_check, threads=args.threads, max_steps=args.max_steps,
            print_output=prints,
        )  # fmt: skip
    except (PtxSyntaxError, UnsupportedError) as error:
        raise ValueError(f"FILE {args.file!r}: {error}") from error
    _save(kernel, values, args.save or [])
    text = ("" if prints else report.output) + str(report)
    forms = {**of_report(report).forms, "csv": report.csv, "sarif": lambda: _sarif(args.file, report)}
    return Answer(FINE if report.ok else BAD, lambda colour: text, forms)
