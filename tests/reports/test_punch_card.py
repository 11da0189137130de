"""The SVG of a bank report, from plain dicts, against golden pictures."""

import random
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import warpsim as ws
from tests.support.drawn import SVG, drawn, texts
from tests.support.golden import assert_golden
from warpsim.render.punch_card import bank_report

X4, LANES = ws.Ldmatrix(num=4), range(32)
CONFLICT = X4.explain([lane % 8 * 256 + lane // 8 * 16 for lane in LANES]).to_dict()
REPORTS = {
    "bank_report_conflict": CONFLICT,
    "bank_report_swizzle": X4.explain([lane % 8 * 128 + (lane // 8 ^ lane % 8) * 16 for lane in LANES]).to_dict(),
    "bank_report_broadcast": ws.Ld(type="b32").explain([min(lane // 3, 6) * 4 for lane in LANES]).to_dict(),
    "bank_report_empty": ws.Movmatrix().explain(None).to_dict(),
}


def boxes(root: ET.Element) -> list[tuple[str, int, str]]:
    """(fill, y, tooltip) of every box."""
    return [
        (group.attrib["fill"], int(rect.attrib["y"]), rect.findtext(f"{SVG}title") or "")
        for group in root.iter(f"{SVG}g")
        for rect in group.findall(f"{SVG}rect")
    ]


@pytest.mark.parametrize("name", REPORTS)
def test_bank_report_known_pattern_equals_golden(name: str) -> None:
    assert_golden(f"{name}.svg", bank_report(REPORTS[name]))


def test_assert_golden_difference_names_both_files(tmp_path: Path) -> None:
    (tmp_path / "card.svg").write_text("<svg/>")
    with pytest.raises(pytest.fail.Exception, match=r"card\.new\.svg.*card\.svg"):
        assert_golden("card.svg", "<svg></svg>", tmp_path)
    assert (tmp_path / "card.new.svg").read_text() == "<svg></svg>"
    assert_golden("card.svg", "<svg/>", tmp_path)


def test_bank_report_conflict_has_one_box_per_word() -> None:
    root = drawn(bank_report(CONFLICT))
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
    root = drawn(bank_report(REPORTS["bank_report_broadcast"]))
    assert len(boxes(root)) == 7
    assert {"0+2", "9+2", "12+2", "18+13"} <= set(texts(root))
    assert "lanes 0, 1, 2: bank 0, pass 0, word 0, byte address 0 (0x0)" in {tooltip for _, _, tooltip in boxes(root)}


def test_bank_report_no_groups_says_so() -> None:
    root = drawn(bank_report(REPORTS["bank_report_empty"]))
    assert "no shared-memory access" in texts(root)
    assert boxes(root) == []


def test_bank_report_32_passes_draws_each() -> None:
    report = ws.Ld().explain([lane * 128 for lane in LANES])
    root = drawn(bank_report(report.to_dict()))
    assert len({y for _, y, _ in boxes(root)}) == 32
    assert "pass 31" in texts(root)


def test_bank_report_fewer_passes_than_wavefronts_says_so() -> None:
    groups = [group | {"wavefronts": 8} for group in REPORTS["bank_report_broadcast"]["groups"]]
    found = texts(drawn(bank_report(CONFLICT | {"groups": groups})))
    assert "lanes 0-31 8 wavefronts, drawn as 1 pass" in found


def test_bank_report_two_words_of_one_pass_do_not_overlap() -> None:
    group = ws.Ld().explain([0, 128] + [0] * 30).to_dict()["groups"][0]
    cells = [cell | {"pass": 0} for cell in group["cells"]]
    found = boxes(drawn(bank_report(CONFLICT | {"groups": [group | {"cells": cells}]})))
    assert len({y for _, y, _ in found}) == 2
    assert len({fill for fill, _, _ in found}) == 1


def test_bank_report_inexact_names_counters() -> None:
    traffic = CONFLICT["traffic"] | {"inexact": ["wavefronts", "bank_conflicts"]}
    report = CONFLICT | {"traffic": traffic}
    assert "approximate: wavefronts, bank conflicts" in texts(drawn(bank_report(report)))


def test_bank_report_order_of_cells_leaves_the_picture() -> None:
    group = CONFLICT["groups"][0]
    shuffled = group | {"cells": random.Random(1).sample(group["cells"], len(group["cells"]))}
    one, other = (bank_report(CONFLICT | {"groups": [made]}) for made in (group, shuffled))
    assert one == other
