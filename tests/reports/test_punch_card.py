"""The SVG of a bank report, from plain dicts, against golden pictures."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.support.golden import assert_golden
from warpsim.render.punch_card import bank_report

SVG = "{http://www.w3.org/2000/svg}"
LDMATRIX = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"


def group_of(name: str, address_of: dict[int, int], access_bytes: int) -> dict[str, Any]:
    """A group of lanes; a bank serves its words in the order in which lanes ask for them."""
    words_of: defaultdict[int, list[int]] = defaultdict(list)
    cells = []
    for lane, address in address_of.items():
        for word in range(address // 4, (address + access_bytes - 1) // 4 + 1):
            words = words_of[word % 32]
            if word not in words:
                words.append(word)
            cell = {"lane": lane, "bank": word % 32, "pass": words.index(word), "word": word}
            cells.append(cell)
    wavefronts = max(len(words) for words in words_of.values())
    return {"name": name, "wavefronts": wavefronts, "lanes": list(address_of), "cells": cells}


def report_of(
    groups: Sequence[dict[str, Any]], ptx: str = LDMATRIX, inexact: Sequence[str] = ()
) -> dict[str, Any]:
    wavefronts = sum(group["wavefronts"] for group in groups)
    return {
        "schema": "warpsim.bank_report/1",
        "ptx": ptx,
        "access_bytes": 16,
        "traffic": {
            "schema": "warpsim.traffic/1",
            "instructions": 1,
            "requests": 1,
            "wavefronts": wavefronts,
            "ideal_wavefronts": len(groups),
            "bank_conflicts": wavefronts - len(groups),
            "sectors": 0,
            "inexact": list(inexact),
            "unknown": [],
        },
        "groups": list(groups),
    }


def matrices(addresses: Sequence[int]) -> dict[str, Any]:
    """One report for ldmatrix: eight lanes to a matrix, 16 bytes to a lane."""
    return report_of(
        [
            group_of(f"matrix {m}", {lane: addresses[lane] for lane in range(8 * m, 8 * m + 8)}, 16)
            for m in range(len(addresses) // 8)
        ]
    )


CONFLICT = matrices([lane % 8 * 256 + lane // 8 * 16 for lane in range(32)])
REPORTS = {
    "bank_report_conflict": CONFLICT,
    "bank_report_swizzle": matrices(
        [lane % 8 * 128 + (lane // 8 ^ lane % 8) * 16 for lane in range(32)]
    ),
    "bank_report_broadcast": report_of(
        [group_of("lanes 0-31", {lane: min(lane // 3, 6) * 4 for lane in range(32)}, 4)],
        ptx="ld.shared.b32",
    ),
    "bank_report_empty": report_of([], ptx="movmatrix.sync.aligned.m8n8.trans.b16"),
}


def boxes(root: ET.Element) -> list[tuple[str, int, str]]:
    """(fill, y, tooltip) of every box."""
    return [
        (group.attrib["fill"], int(rect.attrib["y"]), rect.findtext(f"{SVG}title") or "")
        for group in root.iter(f"{SVG}g")
        for rect in group.findall(f"{SVG}rect")
    ]


def texts(root: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", REPORTS)
def test_bank_report_known_pattern_equals_golden(name: str) -> None:
    assert_golden(f"{name}.svg", bank_report(REPORTS[name]))


def test_assert_golden_difference_names_both_files(tmp_path: Path) -> None:
    (tmp_path / "card.svg").write_text("<svg/>")
    with pytest.raises(pytest.fail.Exception, match=r"card\.new\.svg.*card\.svg"):
        assert_golden("card.svg", "<svg></svg>", tmp_path)
    assert (tmp_path / "card.new.svg").read_text() == "<svg></svg>"
    assert_golden("card.svg", "<svg/>", tmp_path)


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_bank_report_needs_no_other_file(report: dict[str, Any]) -> None:
    picture = bank_report(report)
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "g", "rect", "path", "text", "tspan", "title",
    }  # fmt: skip
    # Ids and classes would meet those of other pictures in one page.
    names = {name for element in root.iter() for name in element.attrib}
    assert not names & {"id", "class", "href"}
    assert "url(" not in picture


def test_bank_report_conflict_has_one_box_per_word() -> None:
    root = ET.fromstring(bank_report(CONFLICT))
    expected = {
        f"lane {cell['lane']}: bank {cell['bank']}, pass {cell['pass']}, word {cell['word']},"
        f" byte address {4 * cell['word']} ({4 * cell['word']:#x})"
        for group in CONFLICT["groups"]
        for cell in group["cells"]
    }
    found = boxes(root)
    assert len(found) == len(expected) == 128
    assert {tooltip for _, _, tooltip in found} == expected
    assert "32 wavefronts, 4 ideal, 28 bank conflicts" in texts(root)
    # A pass has a row and a colour of its own.
    fill_of = {y: fill for fill, y, _ in found}
    assert len(fill_of) == 32
    assert len(set(fill_of.values())) == 8


def test_bank_report_broadcast_counts_sharing_lanes() -> None:
    root = ET.fromstring(bank_report(REPORTS["bank_report_broadcast"]))
    assert len(boxes(root)) == 7
    assert {"0+2", "9+2", "12+2", "18+13"} <= set(texts(root))
    assert "lanes 0, 1, 2: bank 0, pass 0, word 0, byte address 0 (0x0)" in {
        tooltip for _, _, tooltip in boxes(root)
    }


def test_bank_report_no_groups_says_so() -> None:
    root = ET.fromstring(bank_report(REPORTS["bank_report_empty"]))
    assert "no shared-memory access" in texts(root)
    assert boxes(root) == []


def test_bank_report_32_passes_draws_each() -> None:
    report = report_of([group_of("lanes 0-31", {lane: lane * 128 for lane in range(32)}, 4)])
    root = ET.fromstring(bank_report(report))
    assert len({y for _, y, _ in boxes(root)}) == 32
    assert "pass 31" in texts(root)


def test_bank_report_fewer_passes_than_wavefronts_says_so() -> None:
    group = group_of("class 0", {0: 0, 1: 16}, 16) | {"wavefronts": 8}
    found = texts(ET.fromstring(bank_report(report_of([group]))))
    assert "class 0 8 wavefronts, drawn as 1 pass" in found


def test_bank_report_two_words_of_one_pass_do_not_overlap() -> None:
    group = group_of("class 0", {0: 0, 1: 128}, 4)
    for cell in group["cells"]:
        cell["pass"] = 0
    found = boxes(ET.fromstring(bank_report(report_of([group]))))
    assert len({y for _, y, _ in found}) == 2
    assert len({fill for fill, _, _ in found}) == 1


def test_bank_report_inexact_names_counters() -> None:
    report = report_of(CONFLICT["groups"], inexact=["wavefronts", "bank_conflicts"])
    assert "approximate: wavefronts, bank conflicts" in texts(ET.fromstring(bank_report(report)))


def test_bank_report_markup_in_texts_comes_out_as_text() -> None:
    hostile = "<script>alert(\"1\" & '2')</script>"
    group = group_of(hostile, {0: 0}, 4)
    root = ET.fromstring(bank_report(report_of([group], ptx=hostile, inexact=[hostile])))
    found = texts(root)
    assert hostile in found
    assert f"{hostile} 1 wavefront" in found
    assert f"approximate: {hostile}" in found
    assert root.attrib["aria-label"].startswith(hostile)
    assert list(root.iter(f"{SVG}script")) == list(root.iter("script")) == []


def test_bank_report_order_of_cells_leaves_the_picture() -> None:
    group = CONFLICT["groups"][0]
    shuffled = group | {"cells": random.Random(1).sample(group["cells"], len(group["cells"]))}
    assert bank_report(report_of([shuffled])) == bank_report(report_of([group]))
