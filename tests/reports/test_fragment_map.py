"""The picture of a fragment map, and of a packed row: every form, every element."""

import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import warpsim as ws
from tests.reference import forms, packing
from tests.support.drawn import SVG, drawn, texts
from tests.support.evidence import compared
from tests.support.golden import assert_golden
from tests.support.oracle import INSTRUCTIONS, PLAIN
from warpsim.instruction.fragment_holders import holders
from warpsim.render.fragment_map import fragment, holders_of
from warpsim.render.packed_row import packed_row
from warpsim.render.svg import document

B6 = "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32"


def every_form() -> list[ws.DataMovement]:
    """All that have a fragment map, as the oracle lists them."""
    return [one.op() for one in INSTRUCTIONS if one.mnemonic not in (*PLAIN, "cp.async")]


def maps() -> list[ws.FragmentMap]:
    return [op.fragment for op in every_form() if op.fragment is not None]


def span(words: str, name: str) -> range:
    """`row 3`, or `rows 0-31`."""
    found = re.search(rf"\b{name}s? (\d+)(?:-(\d+))?", words)
    assert found, words
    first, last = int(found[1]), int(found[2] or found[1])
    return range(first, last + 1)


def shown(svg: str) -> Counter[tuple[tuple[int, ...], tuple[int, int, int]]]:
    """(element, holder) -> how often a cell says so."""
    found: Counter[tuple[tuple[int, ...], tuple[int, int, int]]] = Counter()
    for title in ET.fromstring(svg).iter(f"{SVG}title"):
        words = title.text or ""
        if not words.startswith("matrix"):
            continue
        where, held = words.split(": ")
        matrix = span(where, "matrix")[0]
        elements = [(matrix, row, col) for row in span(where, "row") for col in span(where, "column")]
        for holder in held.split("; "):
            fields = span(holder, "field")
            for element, field in zip(elements, fields, strict=True):
                lane, register = span(holder, "lane")[0], span(holder, "register")[0]
                found[element, (lane, register, field)] += 1
    return found


@pytest.mark.slow
def test_fragment_svg_every_form_shows_every_element_once() -> None:
    fields = 0
    for found in maps():
        elements = found.elements
        wanted: Counter[Any] = Counter()
        for place in np.ndindex(elements.shape[:3]):
            wanted[tuple(elements[place].tolist()), place] += 1
        assert shown(found.svg()) == wanted, found.ptx
        fields += wanted.total()
    compared("fields drawn in fragment maps", fields, at_least=30_000)


def packed() -> list[ws.DataMovement]:
    return [op for op in every_form() if "." in op.type]


def test_packed_row_every_bit_lands_where_the_oracle_puts_it() -> None:
    bits = 0
    for op in packed():
        row = contents_of(op)["row"]
        assert row["bytes"] == forms.row_bytes(op.type) and row["elements"] == 16
        assert len(row["bits"]) == 8 * row["bytes"]
        for n, landed in enumerate(row["bits"]):
            values = packing.unpack_row((1 << n).to_bytes(row["bytes"], "little"), op.type)
            wanted = [[e, b] for e, value in enumerate(values) for b in range(8) if value >> b & 1]
            assert landed == wanted, (op.ptx, n)
            bits += 1
    compared("bits of packed rows", bits, at_least=1472)


def test_packed_row_generic_address_is_the_same() -> None:
    for op in packed():
        generic = ws.Ldmatrix(shape=op.shape, num=op.num, trans=op.trans, type=op.type, space="")
        assert generic.fragment.to_dict()["row"] == op.fragment.to_dict()["row"]


def test_packed_row_only_where_elements_are_packed() -> None:
    rows = {"." in op.type: found.to_dict()["row"] for op, found in zip(every_form(), maps(), strict=True)}
    assert rows[False] is None and rows[True] is not None


def elements_drawn(svg: str) -> list[str]:
    return re.findall(r"element (\d+): bits (\d+)-(\d+) of the row, bits 0-(\d+)", svg)


def test_packed_row_svg_draws_every_element_twice() -> None:
    count = 0
    for op in packed():
        width = packing.element_bits(op.type)
        wanted = [
            (str(e), str(width * e), str(width * e + width - 1), str(width - 1))
            for e in range(16)
            for _ in ("memory", "register")
        ]
        svg = op.fragment.svg()
        assert elements_drawn(svg) == wanted, op.ptx
        assert ("padding, " in svg) == (op.type != forms.S4)
        assert svg.count(">sign<") == (16 if op.type == forms.S4 else 0)
        count += len(wanted)
    compared("elements drawn in packed rows", count, at_least=400)


def contents_of(op: ws.DataMovement) -> dict[str, Any]:
    return op.fragment.to_dict()


@pytest.mark.slow
def test_fragment_svg_names_the_lane_of_every_row_address() -> None:
    count = 0
    for op in every_form():
        if op.kind in ("ldmatrix", "stmatrix"):
            found = texts(drawn(fragment({**contents_of(op), "row": None})))
            lanes = [words for words in found if words.startswith("lane ")]
            assert sorted(lanes) == sorted(f"lane {lane}" for lane in range(op.row_lanes)), op.ptx
            count += len(lanes)
        elif op.fragment is not None:
            assert "address" not in texts(drawn(op.fragment.svg()))
    compared("row addresses drawn in fragment maps", count, at_least=400)


def test_fragment_svg_element_of_several_lanes_says_how_many_more() -> None:
    contents = contents_of(ws.Ldmatrix())
    contents["elements"][16:] = contents["elements"][:16]  # which hold rows 0 to 3
    contents["matrices"]["rows"] = 4
    found = texts(drawn(fragment(contents)))
    assert found.count("5+1") == found.count("15+1") == 2
    assert "5+3: lane 5 and 3 more lanes hold it" in found


def test_fragment_svg_copies_in_one_lane_say_how_many() -> None:
    found = texts(drawn(maps()[-1].svg()))
    assert not [words for words in found if "+" in words]
    copied = ws.WmmaLoad(operand="a", shape="m8n32k16").fragment
    found = texts(drawn(copied.svg()))
    assert found.count("r0.0 +3") == 32
    assert "+3: the same lane holds a copy in 3 more registers" in found


def test_fragment_svg_x1_equals_golden() -> None:
    assert_golden("fragment_x1.svg", fragment(contents_of(ws.Ldmatrix())))


def test_packed_row_b6_equals_golden() -> None:
    contents = contents_of(ws.parse(B6))
    pieces, y = packed_row(contents["row"], holders_of(contents), 24)
    assert_golden("packed_row_b6.svg", document("packed row", y, pieces))


def test_holders_of_elements_both_sides_of_the_edge() -> None:
    fragment = ws.Ldmatrix(num=4).fragment
    assert len(holders(fragment, element=(3, 7, 7)).columns()["lane"]) == 1
    for element, words in (((4, 0, 0), "matrix 0 to 3"), ((0, 8, 0), "row 0 to 7"), ((0, 0, 8), "col 0 to 7")):
        with pytest.raises(ValueError, match=f"element: expected {words}"):
            holders(fragment, element=element)
    with pytest.raises(ValueError, match="lane: expected 0 to 31"):
        holders(fragment, lane=32)
