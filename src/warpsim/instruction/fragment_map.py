"""Which matrix element each field of each register holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, arguments
from ..arguments import LANES
from ..errors import bad_type
from ..memory.memory import AddressSpace, SharedMemory
from ..render import fragment_map, pages, text
from ..report import Explorable

#: what a product takes besides its matrices, a word of each lane
WORDS_OF_LANES = ("metadata", "scale_a", "scale_b")


class FragmentMap(Explorable):
    """Which matrix element each field of each register holds.

    `.elements`: int32 array (32, num_registers, fields, 3), read-only: matrix, row and column of
    the element in field f (low bits first) of register r of a lane. For ldmatrix and stmatrix row
    is which row address and column the place in that row, with .trans or without; for movmatrix
    they are those of the source matrix, as held by the destination; for wmma they are PTX's i and
    j, as observed on sm_80 and later (PTX leaves them open). Maps of products: see
    `Mma.fragments`. Source: the fragment figures of the PTX ISA, which CuTe's copy traits confirm.

    >>> import warpsim as ws
    >>> ws.Ldmatrix(num=4).fragment.holders(matrix=2, row=3, col=5)
    [(14, 2, 1)]
    """

    def __init__(self, op: _core.Op | _core.Product, sm_75: bool = False, operand: str = "") -> None:
        self._sm_75 = arguments.flag("sm_75", sm_75)
        self._op, self.operand = op, operand
        if isinstance(op, _core.Product):
            elements = self._of_product(op)
        elif isinstance(op, _core.Op) and op.is_collective:
            elements = np.empty((LANES, op.num_registers, op.fields, 3), np.intc)
            _core.fragment(op, elements, self._sm_75)
        else:
            given = arguments.shown(op)
            raise bad_type("op", f"expected an instruction that has a fragment, got {given}")
        elements.flags.writeable = False
        self.ptx = op.ptx
        self.elements: NDArray[np.int32] = elements

    def _of_product(self, op: _core.Product) -> NDArray[np.int32]:
        names = ("a", "b", "c", "d", *WORDS_OF_LANES[: op.is_sparse], *WORDS_OF_LANES[1:] * (op.scale_vec > 0))
        self.operand = arguments.word("operand", self.operand, names)
        is_word = self.operand in WORDS_OF_LANES
        bits = (2 if self.operand == "metadata" else 8) if is_word else _core.element_bits(op, self.operand)
        registers = 1 if is_word else op.num_registers[self.operand] * 32 // max(32, bits)
        elements = np.empty((LANES, registers, max(32, bits) // bits, 3), np.intc)
        _core.product_fragment(op, self.operand, elements)
        return elements

    def __reduce__(self) -> tuple[Any, ...]:
        return FragmentMap, (self._op, self._sm_75, self.operand)

    def holders(self, matrix: int, row: int, col: int) -> list[tuple[int, int, int]]:
        """All (lane, register, field) that hold an element; empty if the element does not exist."""
        place = [arguments.whole(name, value) for name, value in (("matrix", matrix), ("row", row), ("col", col))]
        if any(not 0 <= value < 2**31 for value in place):
            return []
        found = np.argwhere((self.elements == place).all(axis=-1))
        return [(int(lane), int(register), int(field)) for lane, register, field in found]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready.

        "row_lanes": lanes that supply a row address, matrix after matrix. "row": for packed types,
        where each bit of a row in memory lands: a list of (element, bit) for each, else None.
        """
        lanes, registers, fields, _ = self.elements.shape
        count, rows, cols = (int(most) + 1 for most in self.elements.max(axis=(0, 1, 2)))
        op, operand = self._op, self.operand
        return {
            "schema": "warpsim.fragment/1",
            "ptx": self.ptx,
            **({"operand": operand} if operand else {}),
            "lanes": lanes,
            "registers": registers,
            "fields": fields,
            "matrices": {"count": count, "rows": rows, "cols": cols},
            "row_lanes": op.row_lanes if isinstance(op, _core.Op) and not op.is_wmma else 0,
            "row": _packed_row(op, self.elements) if isinstance(op, _core.Op) and "." in op.type else None,
            "elements": self.elements.tolist(),
        }

    def svg(self) -> str:
        """The matrices as grids: the lane, register and field that hold each element.

        Packed 6- and 4-bit types: above it one row in memory, bit by bit, and where it lands.
        """
        return fragment_map.fragment(self.to_dict())

    def _title(self) -> str:
        return f"Fragment of {self._name()}"

    def _name(self) -> str:
        return f"{self.operand} of {self.ptx}" if self.operand else self.ptx

    def _parts(self) -> Sequence[str]:
        return pages.fragment(self.to_dict())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FragmentMap) and np.array_equal(self.elements, other.elements)

    def __hash__(self) -> int:
        return hash(self.elements.tobytes())

    def __str__(self) -> str:
        return text.fragment(self.to_dict())

    def __repr__(self) -> str:
        return f"<FragmentMap of {self._name()}>"


def _packed_row(op: _core.Op, elements: NDArray[np.int32]) -> dict[str, Any]:
    """Where each bit of a row lands: the instruction itself is asked, one warp for each bit."""
    bits = np.arange(op.access_bytes * 8)
    shared = SharedMemory((len(bits) + 1) * op.access_bytes)  # the last row stays zero
    image = shared.view("uint8", (len(bits) + 1, op.access_bytes))
    image[bits, bits // 8] = 1 << bits % 8
    address = np.full((len(bits), LANES), len(bits) * op.access_bytes)
    address[:, 0] = bits * op.access_bytes
    memory = AddressSpace(shared)
    start = 0 if op.space else memory.shared_window
    registers = op.execute(memory, address + start, traffic=False).registers
    assert registers is not None
    shifts = np.arange(op.fields) * (op.register_bits // op.fields)
    held = registers[..., np.newaxis] >> shifts.astype(registers.dtype) & 0xFF
    first_row = (elements[..., :2] == 0).all(axis=-1)
    by_column = held[:, first_row][:, np.argsort(elements[first_row][:, 2])]
    set_bits = by_column[..., np.newaxis] >> np.arange(8, dtype=np.uint32) & 1
    return {
        "bytes": op.access_bytes,
        "elements": by_column.shape[1],
        "bits": [np.argwhere(landed).tolist() for landed in set_bits],
    }


def is_of_sm_75(fragment: FragmentMap) -> bool:
    """The map is that of sm_75, which differs from later ones."""
    return fragment._sm_75
