"""docs/reference/instructions.md, from the table of instruction forms."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import warpsim as ws
from docs.make import markdown
from warpsim import _core
from warpsim.targets import VERSIONS

SPACES = {"shared": ".shared", "shared::cta": ".shared::cta", "global": ".global", "": "generic"}

HEAD = """# Instructions by target

Every form that the simulator supports. A form that is missing here does not exist or is not modelled: `ws.parse` says which.

- *Registers* is the number per lane, of 32 bits unless noted.
- *Row lanes* is the number of lanes whose addresses are used, starting at lane 0.
- *Bytes* is the number of bytes at each address, and also its alignment.
- *PTX* is the lowest version that has the form on any target; a target may require a later version ([below](#targets)).
"""


FORMS = """The lowest PTX version in which any target of a column has the form; "–" means that no target has it.
"""

TARGETS = """The PTX versions in which the assembler knows each target. One target was removed again: sm_101 became sm_110.
"""

#: what the table of a mnemonic does not say
NOTES = {
    "ldmatrix": (
        "The rows of a matrix are rows in memory, including padding. `.trans` says whether the form takes that qualifier.\n",
    ),
    "movmatrix": ("From registers to registers, without an address.\n",),
    "wmma.load": (
        "All lanes pass the same address, p. *Bytes* is the size of a lane's fragment: p and the stride in bytes must be multiples of it."
        " *Matrix* and *default stride* (row, col) are in elements. Versions are for text with `.aligned`, which PTX has since 6.3.\n",
    ),
    "cp.async": ("From `.global` to `.shared`; both addresses must be aligned to the size.\n",),
}


@dataclass(frozen=True)
class Row:
    """Instructions that differ in number, transposition, layout and state space alone."""

    ops: tuple[ws.DataMovement, ...]

    @property
    def first(self) -> ws.DataMovement:
        return self.ops[0]

    def each(self, field: str, by: str) -> str:
        """A field for each of the row's numbers; once if they agree."""
        found = {getattr(op, by): str(getattr(op, field)) for op in self.ops}
        return ", ".join(found.values() if len(set(found.values())) > 1 else set(found.values()))

    def words(self, field: str, prefix: str = "") -> str:
        return ", ".join(f"{prefix}{word}" for word in dict.fromkeys(str(getattr(op, field)) for op in self.ops))

    @property
    def trans(self) -> str:
        found = {op.trans for op in self.ops}
        return "optional" if len(found) == 2 else "always" if True in found else "never"

    @property
    def spaces(self) -> str:
        base = lowest(self.first)
        found = {op.space: lowest(op) for op in self.ops}
        return ", ".join(SPACES[space] + (f" (PTX {ptx / 10})" if ptx > base else "") for space, ptx in found.items())

    @property
    def where(self) -> tuple[str, str]:
        """Lowest PTX version, and the targets in words."""
        return str(lowest(self.first) / 10), in_words(self.first.legality("sm_90", "9.0").targets)


@cache
def lowest(op: ws.DataMovement) -> int:
    """80 where PTX 8.0 is the lowest version that has the form at any target."""
    found = (_core.min_ptx_at(op, row) for row in range(len(_core.TARGETS)))
    return min(ptx for ptx in found if ptx)


def made(kind: type[ws.DataMovement], **fields: Sequence[object]) -> list[ws.DataMovement]:
    """All instructions of a kind that these values make."""
    found = []
    for values in itertools.product(*fields.values()):
        try:
            found.append(kind(**dict(zip(fields, values, strict=True))))
        except ws.UnsupportedError:
            continue
    return found


def rows(ops: Sequence[ws.DataMovement], *same: str) -> list[Row]:
    """The instructions by the values of some fields, in order."""
    groups: dict[tuple[object, ...], list[ws.DataMovement]] = {}
    for op in ops:
        groups.setdefault(tuple(getattr(op, name) for name in same), []).append(op)
    return [Row(tuple(group)) for group in groups.values()]


def is_family(name: str) -> bool:
    return name[-1] in "af"


def in_words(found: Sequence[str]) -> str:
    """`sm_75 and later` for all targets from there on."""
    every = _core.TARGETS
    if len(found) == len(every):
        return "all"
    for first in found:
        later = every[every.index(first) :]
        rest = found[found.index(first) :]
        before = [*found[: found.index(first)]]
        if list(rest) == list(later):
            return ", ".join([*before, f"{first} and later"])
        if list(rest) == [name for name in later if is_family(name)]:
            base = first.rstrip("af")
            return ", ".join([*before, f"{base} and later with suffix a or f"])
    return ", ".join(found)


def table(head: str, found: Sequence[Sequence[str]], merge: str = "") -> Iterator[str]:
    """Rows that differ in the column `merge` alone are one; a column that says one thing becomes a sentence."""
    names = head.split(" | ")
    lines = merged(found, names.index(merge)) if merge else list(found)
    same = [i for i in range(len(names)) if len(lines) > 1 and len({line[i] for line in lines}) == 1]
    if same:
        yield f"All rows: {'; '.join(f'{names[i]} {lines[0][i]}' for i in same)}.\n"
    names, *lines = ([c for i, c in enumerate(row) if i not in same] for row in (names, *lines))
    yield from markdown.table(" | ".join(names), lines)
    yield ""


def merged(found: Sequence[Sequence[str]], column: int) -> list[list[str]]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for line in found:
        groups.setdefault((*line[:column], *line[column + 1 :]), []).append(line[column])
    return [[*key[:column], ", ".join(dict.fromkeys(words)), *key[column:]] for key, words in groups.items()]


def matrix(kind: type[ws.DataMovement]) -> list[Row]:
    """ldmatrix and stmatrix: one row for each shape and type."""
    found = made(
        kind, shape=_core.SHAPES, type=_core.TYPES, num=(1, 2, 4), trans=(False, True),
        space=("shared", "shared::cta", ""),
    )  # fmt: skip
    return rows(found, "shape", "type")


def matrix_table(kind: type[ws.DataMovement]) -> Iterator[str]:
    head = "shape | type | num | .trans | registers | row lanes | bytes | state space | PTX | targets"
    return table(
        head,
        [
            (
                row.first.shape, f".{row.first.type}", row.words("num", "x"), row.trans,
                row.each("num_registers", "num"), row.each("row_lanes", "num"),
                str(row.first.access_bytes), row.spaces, *row.where,
            )
            for row in matrix(kind)
        ],
        merge="type",
    )  # fmt: skip


def plain_table(kind: type[ws.DataMovement]) -> Iterator[str]:
    """ld and st: one row for the types of one width."""
    found = made(kind, type=_core.TYPES, vec=(1, 2, 4), space=tuple(SPACES))
    widths = sorted({op.access_bytes // op.vec for op in found})
    groups = [Row(tuple(op for op in found if op.access_bytes // op.vec == width)) for width in widths]
    return table(
        "types | vector | registers | row lanes | bytes | state space | PTX | targets",
        [
            (
                row.words("type", "."), row.words("vec"), bits(row.first, row.each("num_registers", "vec")),
                row.each("row_lanes", "vec"), row.each("access_bytes", "vec"), row.spaces, *row.where,
            )
            for row in groups
        ],
    )  # fmt: skip


def copy_table() -> Iterator[str]:
    found = rows(made(ws.CpAsync, cache=("ca", "cg"), size=(4, 8, 16)), "cache")
    return table(
        "cache | size | row lanes | bytes | PTX | targets",
        [
            (
                f".{row.first.cache}", row.words("size"), row.each("row_lanes", "size"),
                row.each("access_bytes", "size"), *row.where,
            )
            for row in found
        ],
    )  # fmt: skip


def wmma_rows(kind: type[ws.DataMovement]) -> list[Row]:
    operands = {"operand": ("a", "b", "c")} if kind is ws.WmmaLoad else {}
    found = made(
        kind, **operands, type=_core.TYPES, shape=_core.SHAPES, layout=("row", "col"), space=tuple(SPACES),
    )  # fmt: skip
    return rows(found, "operand", "type", "shape")


def wmma_table(kind: type[ws.DataMovement]) -> Iterator[str]:
    return table(
        "operand | type | shape | matrix | layout | default stride | registers | bytes | state space | PTX | targets",
        [
            (
                row.first.operand, f".{row.first.type}", row.first.shape, "x".join(map(str, row.first.matrix_shape or ())),
                row.words("layout"), row.each("default_stride", "layout"),
                bits(row.first, str(row.first.num_registers)), str(row.first.access_bytes), row.spaces, *row.where,
            )
            for row in wmma_rows(kind)
        ],
        merge="type",
    )  # fmt: skip


def movmatrix() -> Iterator[str]:
    op = ws.Movmatrix()
    return table(
        "shape | type | registers | PTX | targets",
        [(op.shape, f".{op.type}", str(op.num_registers), *Row((op,)).where)],
    )


def bits(op: ws.DataMovement, registers: str) -> str:
    return registers if op.register_bits == 32 else f"{registers} of {op.register_bits} bits"


def versions(op: ws.DataMovement) -> tuple[int, ...]:
    """The lowest PTX version of the form at each target, 0 for none."""
    return tuple(_core.min_ptx_at(op, row) for row in range(len(_core.TARGETS)))


def forms() -> list[tuple[str, tuple[int, ...]]]:
    """Words for the forms that are taken alike, and the versions at each target."""
    kinds = [ws.Ldmatrix, ws.Stmatrix, ws.Movmatrix, ws.WmmaLoad, ws.WmmaStore, ws.CpAsync, ws.Ld, ws.St]
    lines = []
    for kind in kinds:
        ops = every(kind)
        taken = {versions(op): None for op in ops}
        cells = [(op.kind, f".{op.type}", op.shape, str(list(taken).index(versions(op)))) for op in ops]
        alike = merged(merged(cells, 2), 1)
        for name, types, shapes, index in alike:
            words = f"{name} {types}, {shapes}" if len(alike) > 1 else name
            lines.append((words, list(taken)[int(index)]))
    return lines


def every(kind: type[ws.DataMovement]) -> list[ws.DataMovement]:
    """One instruction of each operand, shape and type."""
    if kind is ws.Movmatrix or kind is ws.CpAsync:
        return [kind()]
    if kind in (ws.Ldmatrix, ws.Stmatrix):
        return [row.first for row in matrix(kind)]
    if kind in (ws.Ld, ws.St):
        return made(kind, type=_core.TYPES)
    return [row.first for row in wmma_rows(kind)]


def group_name(group: Sequence[int]) -> str:
    """`sm_80 to sm_89` for neighbours; targets with a suffix keep it."""
    names = [_core.TARGETS[row] for row in group]
    bases = list(dict.fromkeys(name.rstrip("af") for name in names))
    suffix = "" if not is_family(names[0]) else "a" if len(names) == 1 else "a/f"
    return f"{bases[0]}{suffix}" + (f" to {bases[-1]}{suffix}" if len(bases) > 1 else "")


def target_table() -> Iterator[str]:
    found = forms()
    groups: dict[tuple[bool, ...], list[int]] = {}
    for row in range(len(_core.TARGETS)):
        groups.setdefault(tuple(bool(taken[row]) for _, taken in found), []).append(row)
    lines = []
    for name, taken in found:
        cells = [min((taken[row] for row in group if taken[row]), default=0) for group in groups.values()]
        lines.append((name, *(str(ptx / 10) if ptx else "–" for ptx in cells)))
    return table(" | ".join(["form", *map(group_name, groups.values())]), lines)


def lifetimes() -> Iterator[str]:
    any_form = ws.Ld()
    lines = []
    for name in _core.TARGETS:
        taking = [v for v in VERSIONS if any_form.legality(name, v).ok]
        lines.append((name, taking[0], taking[-1] if taking[-1] != list(VERSIONS)[-1] else ""))
    return table("target | from PTX | to PTX", lines)


def page() -> str:
    lines = [HEAD]
    for title, found in {
        "ldmatrix": matrix_table(ws.Ldmatrix),
        "stmatrix": matrix_table(ws.Stmatrix),
        "movmatrix": movmatrix(),
        "wmma.load": wmma_table(ws.WmmaLoad),
        "wmma.store": wmma_table(ws.WmmaStore),
        "cp.async": copy_table(),
        "ld": plain_table(ws.Ld),
        "st": plain_table(ws.St),
        "Forms by target": (FORMS, *target_table()),
        "Targets": (TARGETS, *lifetimes()),
    }.items():
        lines += [f"## {title}", "", *NOTES.get(title, ()), *found]
    return "\n".join(lines).rstrip() + "\n"
