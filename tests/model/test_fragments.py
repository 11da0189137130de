"""Fragment maps against CuTe's copy traits and the closed forms of PTX."""

import numpy as np

import warpsim as ws
from tests.support.evidence import compared, load


def test_ldst_maps_equal_cute() -> None:
    found = load("layouts")["ldst"]
    fields = 0
    for entry in found:
        op = ws.parse(entry["ptx"])
        elements = op.fragment.elements
        lane, matrix, _, _, bit = np.moveaxis(np.array(entry["frag"]), -1, 0)
        row = lane - entry["addr_rows_per_matrix"] * matrix
        wanted = np.stack([matrix, row, bit // entry["mem_elem_bits"]], axis=-1)
        shape = (32, entry["regs"], entry["fields_per_reg"], 3)
        assert elements.shape == shape and elements.dtype == np.int32
        assert np.array_equal(elements, wanted.reshape(shape)), entry["ptx"]
        assert op.row_lanes == entry["address_lanes"][1] + 1
        fields += wanted.size // 3
    assert len(found) == 27
    compared("fields of 27 ldmatrix and stmatrix maps", fields, at_least=6784)


def test_movmatrix_map_equals_derivation() -> None:
    entries = load("layouts")["movmatrix"]
    entry = entries[0] if isinstance(entries, list) else entries
    fragment = ws.Movmatrix().fragment
    wanted = np.array(entry["frag"])[..., 2:]
    assert np.array_equal(fragment.elements[:, 0, :, 1:], wanted)
    compared("fields of the movmatrix map", wanted.size // 2, at_least=64)


def test_holders_is_the_inverse() -> None:
    count = 0
    for entry in load("layouts")["ldst"]:
        fragment = ws.parse(entry["ptx"]).fragment
        for place in np.ndindex(fragment.elements.shape[:3]):
            matrix, row, col = map(int, fragment.elements[place])
            assert tuple(map(int, place)) in fragment.holders(matrix, row, col)
            count += 1
    compared("fields looked up by holders", count, at_least=6784)
    assert ws.Ldmatrix().fragment is not None
    assert ws.Ldmatrix().fragment.holders(1, 0, 0) == []
