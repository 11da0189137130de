"""mma, ldmatrix, stmatrix, movmatrix: one warp after the other, elements as the tables of PTX place them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter.memory import ProgramError, check_alignment, elements, space_of
from tests.support.interpreter.numbers import products
from tests.support.interpreter.numbers.operations import Array, U, ones
from tests.support.interpreter.text import Function, Statement, width_of

if TYPE_CHECKING:
    from tests.support.interpreter.exchange import Meeting
    from tests.support.interpreter.machine import Machine

MEETING = ("mma", "ldmatrix", "stmatrix", "movmatrix", "wmma")


def living(m: "Machine") -> Callable[[Array], Array]:
    return lambda lanes: np.full(lanes.size, ones(32))


def fragment_pairs(m: "Machine", lanes: Array) -> tuple[Array, Array]:
    return lanes, m.lane[lanes]


def ldmatrix(m: "Machine", f: Function, s: Statement) -> "Meeting":
    from tests.support.interpreter.exchange import Meeting

    targets = elements(s.operands[0])
    writers = [m.writer(f, x, "b32") for x in targets]
    address = m.address(f, s.operands[1])
    space = "shared" if any(p.startswith("shared") for p in s.parts) else "generic"

    def compute(_m: "Machine", lanes: Array, _mask: Array, v: list[Array]) -> list[Array]:
        whole = np.zeros(m.size, U)
        whole[lanes] = v[0]
        out, lane = [], m.lane[lanes]
        for k in range(len(targets)):
            if "trans" in s.parts:
                halves = []
                for i in range(2):
                    row = whole[m.warp_base[lanes] + 8 * k + 2 * (lane % 4) + i]
                    check_alignment(row, 16)
                    halves.append(m.memory.read(space, lanes, row + (2 * (lane // 4)).astype(U), 2))
                out.append(halves[0] | halves[1] << U(16))
            else:
                row = whole[m.warp_base[lanes] + 8 * k + lane // 4]
                check_alignment(row, 16)
                out.append(m.memory.read(space, lanes, row + (4 * (lane % 4)).astype(U), 4))
        return out

    return Meeting(s.opcode, living(m), lambda lanes: [address(lanes)], compute, writer_of(writers))


def writer_of(writers: list[Any]) -> Callable[[Array, list[Array]], None]:
    def write(lanes: Array, out: list[Array]) -> None:
        for put, x in zip(writers, out, strict=True):
            put(lanes, x)

    return write


def stmatrix(m: "Machine", f: Function, s: Statement) -> "Meeting":
    from tests.support.interpreter.exchange import Meeting

    readers = [m.reader(f, x, "b32") for x in elements(s.operands[1])]
    address = m.address(f, s.operands[0])
    space = "shared" if any(p.startswith("shared") for p in s.parts) else "generic"

    def compute(_m: "Machine", lanes: Array, _mask: Array, v: list[Array]) -> list[Array]:
        whole = np.zeros(m.size, U)
        whole[lanes] = v[0]
        lane = m.lane[lanes]
        for k, x in enumerate(v[1:]):
            for i in range(2):
                row, column = (2 * (lane % 4) + i, lane // 4) if "trans" in s.parts else (lane // 4, 2 * (lane % 4) + i)
                at = whole[m.warp_base[lanes] + 8 * k + row]
                check_alignment(at, 16)
                m.memory.write(space, lanes, at + (2 * column).astype(U), 2, x >> U(16 * i) & ones(16))
        return []

    return Meeting(
        s.opcode,
        living(m),
        lambda lanes: [address(lanes), *[read(lanes) for read in readers]],
        compute,
        lambda _l, _o: None,
    )


def movmatrix(m: "Machine", f: Function, s: Statement) -> "Meeting":
    from tests.support.interpreter.exchange import Meeting

    write, read = m.writer(f, s.operands[0], "b32"), m.reader(f, s.operands[1], "b32")

    def compute(_m: "Machine", lanes: Array, _mask: Array, v: list[Array]) -> list[Array]:
        whole = np.zeros(m.size, U)
        whole[lanes] = v[0]
        lane, out = m.lane[lanes], np.zeros(lanes.size, U)
        for i in range(2):
            row, column = 2 * (lane % 4) + i, lane // 4
            held = whole[m.warp_base[lanes] + 4 * row + column // 2]
            out |= (held >> (U(16) * (column % 2).astype(U)) & ones(16)) << U(16 * i)
        return [out]

    return Meeting(s.opcode, living(m), lambda lanes: [read(lanes)], compute, writer_of([write]))


def mma(m: "Machine", f: Function, s: Statement) -> "Meeting":
    from tests.support.interpreter.exchange import Meeting

    d, a, b, c = (elements(x) for x in s.operands[:4])
    form = form_of(s.parts)
    kinds = ["f64" if "f64" in s.parts else "b32"] * 4
    readers = [m.reader(f, x, kind) for group, kind in zip((a, b, c), kinds, strict=False) for x in group]
    writers = [m.writer(f, x, kinds[0]) for x in d]

    def compute(_m: "Machine", lanes: Array, _mask: Array, v: list[Array]) -> list[Array]:
        if form is None:
            return zeros(m, lanes, len(d))
        warps = lanes.reshape(-1, 32)
        stacked = [x.reshape(warps.shape) for x in v]
        out = [
            form.multiply(*split(np.stack([x[w] for x in stacked], axis=1), len(a), len(b)))
            for w in range(warps.shape[0])
        ]
        return [np.concatenate([x[:, k] for x in out]) for k in range(len(d))]

    return Meeting(s.opcode, living(m), lambda lanes: [read(lanes) for read in readers], compute, writer_of(writers))


def split(x: Array, a: int, b: int) -> tuple[Array, Array, Array]:
    return x[:, :a], x[:, a : a + b], x[:, a + b :]


def form_of(parts: list[str]) -> products.Form | None:
    """None for products that are not known here: a judge of orders needs no values."""
    try:
        return products.Form.of(parts)
    except NotImplementedError:
        return None


def zeros(m: "Machine", lanes: Array, count: int) -> list[Array]:
    if m.flow.watch is None:
        raise ProgramError("the values of this instruction are not known here")
    return [np.zeros(lanes.size, U)] * count


def wmma(m: "Machine", f: Function, s: Statement) -> "Meeting":
    """Only for a judge of orders: each row or column of the tile is one lane's, and holds zeros."""
    from tests.support.interpreter.exchange import Meeting

    parts, operands = s.parts, list(s.operands)
    at = None if parts[1] == "mma" else m.address(f, operands.pop(parts[1] == "load"))
    targets = [] if parts[1] == "store" else elements(operands.pop(0))
    writers = [m.writer(f, x, "f64" if "f64" in parts else "b32") for x in targets]
    shape = next(p for p in parts if p[0] == "m" and p[1].isdigit())
    height, width, depth = (int(x) for x in shape.replace("n", " ").replace("k", " ")[1:].split())
    rows, columns = {"a": (height, depth), "b": (depth, width)}.get(parts[2], (height, width))
    lines, length = (rows, columns) if "row" in parts else (columns, rows)
    nbytes = width_of(parts[-1]) // 8 if at else 0
    stride = (
        m.reader(f, operands[-1], "u32")
        if at and operands[-1][0] != "vec"
        else lambda lanes: np.full(lanes.size, length)
    )

    def compute(_m: "Machine", lanes: Array, _mask: Array, v: list[Array]) -> list[Array]:
        for i in range(lines if v else 0):
            mine = m.lane[lanes] == i % 32
            line = v[0][mine] + v[1][mine].astype(U) * U(i * nbytes)
            for k in range(0, length * nbytes, 4):
                if parts[1] == "load":
                    m.memory.read(space_of(parts), lanes[mine], line + U(k), 4)
                else:
                    m.memory.write(space_of(parts), lanes[mine], line + U(k), 4, np.zeros(line.size, U))
        return zeros(m, lanes, len(writers))

    def read(lanes: Array) -> list[Array]:
        return [at(lanes), stride(lanes)] if at else []

    return Meeting(s.opcode, living(m), read, compute, writer_of(writers))


BUILDERS = {"wmma": wmma, "mma": mma, "ldmatrix": ldmatrix, "stmatrix": stmatrix, "movmatrix": movmatrix}


def build(m: "Machine", f: Function, s: Statement) -> "Meeting":
    return BUILDERS[s.parts[0]](m, f, s)


HANDLERS: dict[str, Any] = {}
