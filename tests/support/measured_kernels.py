"""Whole kernels as an H200 ran them: tests/truth/run/kernels.json.xz, with where it came from."""

import json
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.paths import TRUTH
from tests.truth.run import contents
from warpsim.machine import assembled as mapping
from warpsim.machine import sass
from warpsim.machine.text import Text, family_of

GROUPS = ("classic", "pattern", "tensor", "triton", "hopper", "bug")
#: what only Hopper has, and is not modelled: launches of other groups that need it are left out
HOPPERS_OWN = ("wgmma.",)


@cache
def measured() -> dict[str, Any]:
    return json.loads(lzma.decompress((TRUTH / "run" / "kernels.json.xz").read_bytes()))


@cache
def assembled() -> dict[str, Any]:
    """Their machine code, the counters of lines that it has otherwise than the text, and sums of whole launches."""
    return json.loads(lzma.decompress((TRUTH / "run" / "assembled.json.xz").read_bytes()))


def machine_code(launch: dict[str, Any]) -> list[list[Any]]:
    """[offset, line, guard, opcode, operands] of each access."""
    return assembled()["sass"].get(f"{Path(launch['ptx']).stem}/{launch['kernel']}", [])


@contextmanager
def recorded_code() -> Iterator[dict[str, Any]]:
    """Inside, as_assembled=True gets what the assembler once made of the launch that is put at "launch"."""
    asked: dict[str, Any] = {}

    def answer(text: Text, target: str, contracts: bool) -> tuple[sass.Code, dict[int, int]]:
        assert (target, contracts) == ("sm_90a", True)
        code = [sass.Instruction(*row) for row in machine_code(asked["launch"])]
        statement_of: dict[int, int] = {}
        for one in text.statements:
            if one.line not in statement_of or family_of(one.row):
                statement_of[one.line] = one.number
        return sass.Code({asked["launch"]["kernel"]: code}, b""), statement_of

    before = mapping._assembled, sass.version
    mapping._assembled, sass.version = answer, lambda: "13.0.88"  # type: ignore[assignment]
    try:
        yield asked
    finally:
        mapping._assembled, sass.version = before  # type: ignore[assignment]


def copies_by_p0(launch: dict[str, Any]) -> set[int]:
    """The lines of each cp.async whose size the machine code takes from predicate P0.

    Nsight Compute sees no conflicts there: 58 of 58 counts are the ideal; of 196 others, 64 are more.
    """
    return {row[1] for row in machine_code(launch) if row[3].startswith("LDGSTS") and row[4].endswith(", P0")}


@cache
def module(name: str) -> Any:
    return ws.Module(measured()["ptx"][name])


def fresh(name: str) -> Any:
    """The module with its variables as they begin. Its accesses follow from the text: they are not sought again."""
    made = ws.Module(measured()["ptx"][name])
    made._source.texts = module(name)._source.texts
    return made


def launches(group: str) -> list[dict[str, Any]]:
    """Those of a group whose end is measured (planted bugs end as they like) and that need nothing of Hopper's own."""
    found = [one for one in measured()["launches"] if one["group"] == group and not one["id"].endswith("_bug/x")]
    found = [one for one in found if "cluster" not in one]
    refused = {one["id"]: module(one["ptx"])[one["kernel"]].unsupported for one in found}
    for opcodes in refused.values():
        assert not opcodes or any(opcode.startswith(HOPPERS_OWN) for _, opcode in opcodes)
    assert sum(bool(opcodes) for opcodes in refused.values()) <= 3
    return [one for one in found if not refused[one["id"]]]


def tensor_map(described: dict[str, Any], array: np.ndarray) -> Any:
    return ws.tensor_map(
        array, described["box"], dims=described["dims"], strides=described["strides"], dtype=described["dtype"],
        element_strides=described["element_strides"], interleave=described["interleave"],
        swizzle=described["swizzle"], l2_promotion=described["l2_promotion"],
        fill="none" if described["oob_fill"] == "none" else "nan",
    )  # fmt: skip


def arguments(launch: dict[str, Any]) -> tuple[list[Any], dict[str, np.ndarray], dict[str, str]]:
    """The values of the parameters; the arrays by name, and their types."""
    values, arrays, types = [], {}, {}
    for given in launch["args"]:
        described = given.get("tensormap")
        argument = described["buffer"] if described else given
        if "buffer" not in argument:
            values.append(argument["value"] if "scalar" in argument else bytes.fromhex(argument["bytes"]))
            continue
        name, type_ = argument["buffer"], argument["dtype"]
        if name not in arrays:
            found = contents.content(type_, argument["count"], argument["init"])
            stored = contents.STORED[type_]
            arrays[name] = ws.uninitialized(argument["count"], stored) if found is None else found.copy()
            if found is None:
                arrays[name][:] = 0  # as it happened to be on the H200
            types[name] = type_
        values.append(tensor_map(described, arrays[name]) if described else arrays[name])
    return values, arrays, types


def run(launch: dict[str, Any], **options: Any) -> tuple[Any, dict[str, np.ndarray], dict[str, str]]:
    """The report of the launch on a fresh module; every buffer after it, and their types."""
    values, arrays, types = arguments(launch)
    kernel = fresh(launch["ptx"])[launch["kernel"]]
    report = kernel(
        tuple(launch["grid"]), tuple(launch["block"]), values, shared_bytes=launch["shared"], target="sm_90a",
        stack_bytes=launch.get("stack", 1024), **options,
    )  # fmt: skip
    assert report.ok, f"{launch['id']}: {report.findings}"
    assert report.steps > 0
    return report, arrays, types
