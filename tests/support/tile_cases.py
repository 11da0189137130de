"""Random layouts and instructions for the tests of tiles, each for the package and the oracle."""

from dataclasses import dataclass
from math import gcd

from hypothesis import strategies as st

import warpsim as ws
from tests.reference.forms import Form, forms_of
from tests.reference.layouts import Layout, is_spelled
from tests.reference.tiles import units_of, width_of
from tests.support.oracle import CLASSES

TYPES = {
    "f16": (16, False), "b8": (8, False), "e4m3": (8, False), "f32": (32, False),
    "f64": (64, False), "s4": (4, False), "b6x16_p32": (6, True), "b4x16_p64": (4, True),
}  # fmt: skip
FORMS = {name: forms_of(name) for name in ("ldmatrix", "stmatrix", "cp.async", "ld", "st")}


@dataclass(frozen=True)
class Case:
    """One layout with two names."""

    type: str
    spec: Layout

    @property
    def made(self) -> ws.Layout:
        spec = self.spec
        b, m, s = spec.swizzle
        swizzle = ws.Swizzle(b, m, s, "byte" if spec.in_bytes else "element") if b else None
        return ws.Layout(spec.rows, spec.cols, self.type, spec.order, spec.pad, swizzle)


def op_of(mnemonic: str, form: Form) -> ws.DataMovement:
    made: ws.DataMovement = CLASSES[mnemonic](**form)
    return made


def fitting(pick: int, units: int) -> int:
    """Some number of warps that divides the units."""
    fits = [warps for warps in range(1, 65) if units % warps == 0]
    return fits[pick % len(fits)]


def report_of(case: Case, mnemonic: str, form: Form, pick: int) -> ws.TileReport:
    """The instruction on its side of the tile, plain accesses on the other."""
    bits = case.spec.bits
    byte = {"type": "b8"} if bits <= 8 else {"type": f"b{bits}"}
    op = op_of(mnemonic, form)
    loads = mnemonic in ("ld", "ldmatrix")
    store: ws.DataMovement = ws.St(**byte) if loads else op
    load: ws.DataMovement = op if loads else ws.Ld(**byte)
    units = [ws.tile_steps(side, case.made).shape[1] for side in (store, load)]
    warps = fitting(pick, gcd(*units))
    return ws.tile(case.made, store=store, load=load, warps=warps, target="sm_100a")


@st.composite
def swizzles(draw: st.DrawFn) -> tuple[int, int, int]:
    if draw(st.integers(0, 3)) == 0:
        return (0, 0, 0)
    bits, base = draw(st.integers(1, 4)), draw(st.integers(0, 6))
    distance = draw(st.integers(bits, 6))
    return bits, base, distance * draw(st.sampled_from((1, 1, -1)))


def _size(draw: st.DrawFn) -> int:
    """Powers of two and others."""
    return draw(st.sampled_from((1, 2, 3, 4, 5, 6, 7, 8))) * draw(st.sampled_from((1, 8, 16)))


@st.composite
def layouts(draw: st.DrawFn) -> Case:
    """Anything that the types can spell."""
    type_ = draw(st.sampled_from(sorted(TYPES)))
    bits, packed = TYPES[type_]
    in_bytes = packed or draw(st.booleans())
    spec = Layout(
        _size(draw), _size(draw), bits, packed, draw(st.sampled_from(("row", "col"))),
        draw(st.sampled_from((0, 0, 1, 2, 4, 8, 16, 24))), draw(swizzles()), in_bytes,
    )  # fmt: skip
    if not is_spelled(spec):
        whole = 16 if packed else 2
        spec = Layout(**{**vars(spec), "pad": -spec.run % whole})
    return Case(type_, spec)


@st.composite
def coverings(draw: st.DrawFn, mnemonics: tuple[str, ...]) -> tuple[Case, str, Form]:
    """A layout that the instruction covers: its sizes are multiples of the block."""
    mnemonic = draw(st.sampled_from(mnemonics))
    form = draw(st.sampled_from(FORMS[mnemonic]))
    case = draw(layouts())
    spec, width = case.spec, width_of(mnemonic, form)
    if not spec.packed and width * 8 < spec.bits:
        case = Case("b8", Layout(**{**vars(spec), "bits": 8, "packed": False}))
        spec = case.spec
    along = max(16, width) if spec.packed else max(1, width * 8 // spec.bits)
    lines = 1
    if mnemonic in ("ldmatrix", "stmatrix"):
        height = 16 if form["shape"] == "m16n16" else 8
        by_row = spec.order == "row"
        down, right = {1: (1, 1), 2: (2, 1), 4: (2, 2)}[form["num"]]
        along *= right if by_row else down
        lines = height * (down if by_row else right)
    run = along * draw(st.integers(1, max(1, 512 * 8 // spec.bits // along)))
    line = lines * draw(st.integers(1, 4))
    rows, cols = (line, run) if spec.order == "row" else (run, line)
    pad = spec.pad + -(run + spec.pad) % (16 if spec.packed else 8 // spec.bits or 1)
    spec = Layout(**{**vars(spec), "rows": rows, "cols": cols, "pad": pad})
    assert units_of(spec, mnemonic, form) is not None
    return Case(case.type, spec), mnemonic, form
