"""Prints reference_tables.h: what the fuzzers' reference in C has from the oracle in tests/reference.

    python3 -m tests.fuzz.make_tables FILE

The forms in every state space with their sizes and words, the targets and PTX versions that take them, the
elements that registers hold, and the accesses that wmma becomes. Needs nothing but Python.
"""

import sys
from pathlib import Path
from typing import Any

from tests.reference import fragments, legality
from tests.reference.forms import (
    WARP_LANES,
    access_bytes,
    forms_of,
    matrix_registers,
    row_bytes,
    row_lanes,
    rows_per_matrix,
)
from tests.reference.packing import element_bits, field_bits
from tests.reference.wmma import forms as wmma
from tests.reference.wmma import legality as wmma_legality
from tests.reference.wmma.fragments import wmma_fragment
from tests.reference.wmma.lowering import is_natural, lowering

MATRICES = {"ldmatrix": fragments.ldmatrix_fragment, "stmatrix": fragments.stmatrix_fragment}
KINDS = ("ldmatrix", "stmatrix", "movmatrix", "cp.async", "ld", "st", "wmma.load", "wmma.store")
SPACES = ("shared", "shared::cta", "")
MOVMATRIX = {"shape": "m8n8", "num": 1, "trans": True, "type": "b16"}


def c(value: Any) -> str:
    """A value as an initialiser of C."""
    if isinstance(value, str):
        return value if value.startswith(("&", "REF_", "ref_")) else f'"{value}"'
    if isinstance(value, (tuple, list)):
        return "{" + ", ".join(map(c, value)) + "}"
    return "NULL" if value is None else str(int(value))


class Tables:
    """Arrays that rows point to, each once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[str, str] = {}

    def name(self, kind: str, prefix: str, suffix: str, value: Any) -> str:
        text = c(value)
        key = kind + text
        if key not in self.names:
            self.names[key] = f"ref_{prefix}_{len(self.names)}"
            self.lines.append(f"static const {kind} {self.names[key]}{suffix} = {text};")
        return self.names[key]


def words_of(kind: str, form: dict[str, Any], space: str) -> list[str]:
    """The qualifiers in the order of the PTX grammar."""
    words = [form["cache"]] if "cache" in form else []
    words += ["sync", "aligned"] if kind.endswith("matrix") or kind.startswith("wmma") else []
    words += [form[name] for name in ("layout", "shape") if name in form]
    words += [f"x{form['num']}"] if kind in MATRICES else []
    words += ["trans"] if form.get("trans") else []
    words += ["shared", "global"] if kind == "cp.async" else [space] if space else []
    words += [f"v{form['vec']}"] if form.get("vec", 1) > 1 else []
    return words + (form["type"].split(".") if "type" in form else [])


def lowered(tables: Tables, form: dict[str, Any], space: str, sm_75: bool) -> str | None:
    """A ref_lowering; None where sm_75 does not have the form."""
    if sm_75 and (form["type"] in ("f64", "bf16") or form["shape"] == "m16n16k8"):
        return None
    found = lowering(**form, space=space, sm_75=sm_75)
    bits, natural = wmma.element_bits(form["type"]), is_natural(**form, sm_75=sm_75)
    one, value, accesses = found.accesses[0], 0, []
    for access in found.accesses:
        places = [*access.places, *[(0, 0)] * (WARP_LANES - len(access.places))]
        accesses.append(([line for line, _ in places], [at * bits // 8 for _, at in places], value))
        pairs = len(access.places) // 8 * wmma.fields(form["type"])
        value += pairs if access.rows else access.width * 8 // bits
    array = tables.name("ref_access", "accesses", "[]", accesses)
    lanes, trans = len(one.places), one.rows and not natural
    row = (array, len(accesses), one.width, lanes, one.rows, trans, found.transposes > 0)
    return "&" + tables.name("ref_lowering", "lowering", "", row)


def mapped(tables: Tables, fragment: Any) -> str:
    """A ref_element of every value of every lane."""
    values = [
        (0, *element) if len(element) == 2 else element
        for lane in fragment
        for register in lane
        for element in register
    ]
    return tables.name("ref_element", "map", "[]", values)


def row_of(tables: Tables, kind: str, form: dict[str, Any], space: str) -> list[Any]:
    """A ref_form, in the order of its fields."""
    takes = [least(kind, form, space, target) for target in legality.TARGETS]
    legal = tables.name("uint8_t", "least", "[]", takes)
    form = MOVMATRIX if kind == "movmatrix" else form
    type, shape, words = form.get("type", ""), form.get("shape", ""), words_of(kind, form, space)
    is_wmma, is_plain = kind.startswith("wmma"), kind in ("ld", "st")
    operand = ("d" if kind == "wmma.store" else form["operand"]) if is_wmma else ""
    bits = int("".join(filter(str.isdigit, type)) or 0)
    field, register, registers, lanes, width, rows = bits, 32, 0, WARP_LANES, form.get("size", 0), 0
    maps: list[str | None] = [None, None]
    lowerings: list[str | None] = [None, None]
    m, n, k, lines = 0, 0, 0, (0, 0)
    if kind in MATRICES:
        bits, field = element_bits(type), field_bits(type)
        registers, lanes = matrix_registers(**form), row_lanes(**form)
        width, rows = row_bytes(type), rows_per_matrix(shape)
        maps = [mapped(tables, MATRICES[kind](**form))] * 2
    elif kind == "movmatrix":
        registers, lanes = 1, 0
    elif is_plain:
        register, registers, width = 64 if bits == 64 else 32, form["vec"], access_bytes(**form)
    elif is_wmma:
        bits = field = wmma.element_bits(type)
        register, registers, lanes = (wmma.register_bits(type), wmma.registers(form["operand"], shape, type), 1)
        width = wmma.fragment_bytes(form["operand"], shape, type)
        (m, k), n = wmma.dimensions("a", shape), wmma.dimensions("b", shape)[1]
        lines = wmma.lines(form["operand"], form["layout"], shape)
        maps = [mapped(tables, wmma_fragment(**form, sm_75=old)) for old in (False, True)]
        lowerings = [lowered(tables, form, space, old) for old in (False, True)]
    return [
        f"REF_{kind.upper().replace('.', '_')}", kind, f"{kind}.{operand}" if operand else kind, shape, type, space,
        form.get("layout", ""), form.get("cache", ""), operand, form.get("num", 0), form.get("trans", 0), form.get("vec", 0), form.get("size", 0),
        bits, field, is_plain and type[0] == "s", register, registers, rows, lanes, width, m, n, k, *lines,
        space.startswith("shared") or kind == "cp.async", space == "global", form.get("layout") == "row",
        type == "s8.s4", form.get("cache") == "cg", words, len(words), maps, lowerings, legal,
    ]  # fmt: skip


def number(ptx_version: str) -> int:
    return int(ptx_version.replace(".", ""))


def least(kind: str, form: dict[str, Any], space: str, target: str) -> int:
    """The lowest PTX version, 86 for 8.6; 0: the target never takes it."""
    rule: Any = legality.min_ptx_version
    arguments: tuple[Any, ...] = (kind, form, space, target)
    if kind.startswith("wmma"):
        rule, arguments = wmma_legality.min_ptx_version, arguments[1:]
    return number(rule(*arguments) or "0")


def tables() -> str:
    found, rows = Tables(), []
    for kind in KINDS:
        of_wmma = kind.startswith("wmma")
        forms: Any = wmma.wmma_forms(("c",) if kind == "wmma.store" else ("a", "b", "c")) if of_wmma else forms_of(kind)
        spaces = ("",) if kind in ("movmatrix", "cp.async") else SPACES if kind in MATRICES else (*SPACES, "global")
        rows += [c(row_of(found, kind, form, space)) for form in forms for space in spaces]
    versions = [number(version) for version in legality.PTX_VERSIONS]
    targets = []
    for target in legality.TARGETS:
        has = [number(v) for v in legality.PTX_VERSIONS if legality.target_exists(target, v)]
        targets.append(c((target, has[0], has[-1])))
    return "\n".join(
        [
            "/* Printed by tests/fuzz/make_tables.py from tests/reference. */",
            f"static const int ref_ptx_versions[] = {c(versions)};",
            f"static const ref_target ref_targets[] = {{{', '.join(targets)}}};",
            *found.lines,
            "static const ref_form ref_forms[] = {",
            ",\n".join(rows),
            "};\n",
        ]
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(tables())
