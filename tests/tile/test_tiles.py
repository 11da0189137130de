"""Steps of a tile and the report of both sides, against the oracle and known cases."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import layouts as memory
from tests.reference import tiles as oracle
from tests.reference.forms import Form
from tests.support.evidence import compared
from tests.support.tile_cases import Case, coverings, fitting, op_of, report_of
from warpsim import _core

X4 = ws.Ldmatrix(num=4)
FILL = ws.St(vec=4)
COPY = ws.CpAsync()
EVERY = ("ldmatrix", "stmatrix", "ld", "st", "cp.async")


@pytest.mark.slow
@given(coverings(EVERY), st.integers(0, 63))
@settings(deadline=None, max_examples=300)
def test_tile_steps_equal_the_oracle(covering: tuple[Case, str, Form], pick: int) -> None:
    case, mnemonic, form = covering
    units = oracle.units_of(case.spec, mnemonic, form)
    assert units is not None
    warps = fitting(pick, len(units))
    found = ws.tile_steps(op_of(mnemonic, form), case.made, warps=warps)
    assert found.dtype == np.int64
    assert found.tolist() == oracle.dealt(units, warps), (case, mnemonic, form)
    compared("lane addresses of tiles", found.size, at_least=32)


@given(coverings(EVERY), st.integers(0, 63))
@settings(deadline=None, max_examples=200)
def test_tile_counts_equal_the_oracle(covering: tuple[Case, str, Form], pick: int) -> None:
    case, mnemonic, form = covering
    counts = oracle.counts_of(case.spec, mnemonic, form)
    assert counts is not None
    report = report_of(case, mnemonic, form, pick)
    side = report.load if mnemonic in ("ld", "ldmatrix") else report.store
    for name in _core.COUNTERS:
        found = getattr(side.traffic, name)
        assert found.shape == (report.warps, len(counts) // report.warps)
        assert found.T.reshape(-1).tolist() == [count[name] for count in counts], (case, name)
    compared("accesses of tiles counted", len(counts), at_least=1)


@pytest.mark.slow
@given(coverings(EVERY))
@settings(deadline=None, max_examples=400)
def test_tile_findings_equal_the_oracle(covering: tuple[Case, str, Form]) -> None:
    case, mnemonic, form = covering
    width = oracle.width_of(mnemonic, form)
    found = _core.tile_findings(case.made._core, op_of(mnemonic, form), ws.arch("sm_100a")._core)
    rules = {rule for rule, _ in found}
    aligned = memory.lines_are_aligned(case.spec, width)
    assert ("WS-TILE-002" in rules) == (not aligned), case
    if aligned:
        assert ("WS-TILE-003" in rules) == (not memory.pieces_stay_whole(case.spec, width)), case
    compared("tiles judged", 1, at_least=1)


@given(coverings(("ldmatrix",)))
@settings(deadline=None, max_examples=100)
def test_every_address_of_a_tile_without_findings_is_executed(covering: tuple[Case, str, Form]) -> None:
    """What the report calls aligned, execute takes; what it does not, execute refuses."""
    case, mnemonic, form = covering
    op, layout = op_of(mnemonic, form), case.made
    address = ws.tile_steps(op, layout)
    findings = _core.tile_findings(layout._core, op, ws.arch("sm_100a")._core)
    result = op.execute(ws.SharedMemory(layout.nbytes + 16), address, on_ub="record")
    aligned = bool(result.ok.all())
    if not {rule for rule, _ in findings} & {"WS-TILE-002", "WS-TILE-003"}:
        assert aligned
    compared("tiles executed", 1, at_least=1)


@pytest.mark.parametrize(
    ("pad", "message"),
    [
        (1, "pitch of 130 bytes .* 16 bytes .*: 128 bytes .pad 0. and 144 bytes .pad 8."),
        (7, "pitch of 142 bytes .*: 144 bytes .pad 8. and 128 bytes .pad 0."),
        (12, "pitch of 152 bytes .*: 144 bytes .pad 8. and 160 bytes .pad 16."),
    ],
)
def test_tile_names_the_nearest_legal_pitch(pad: int, message: str) -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", pad=pad), store=ws.St(), load=X4)
    if pad % 2:
        assert [finding.side for finding in report.findings] == ["store", "load"]
    else:
        assert [finding.side for finding in report.findings] == ["load"]
    assert re.search(message, report.findings[-1].message)
    assert not report.ok
    assert ws.tile(ws.Layout(64, 64, "f16", pad=8), store=ws.St(), load=X4).ok


@pytest.mark.parametrize(
    ("swizzle", "smallest"),
    [
        (ws.Swizzle(3, 2, 3), 3),
        (ws.Swizzle(3, 3, 3), None),
        (ws.Swizzle(3, 3, 3, "byte"), 4),
        (ws.Swizzle(3, 4, 3, "byte"), None),
        (ws.Swizzle(1, 2, -1), 3),
        (ws.Swizzle(1, 0, 12), 3),  # element 4096 of 4096 would be the first to move
        (ws.Swizzle(1, 0, 11), 3),
    ],
)
def test_tile_names_the_smallest_base_of_a_swizzle(swizzle: ws.Swizzle, smallest: int | None) -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", swizzle=swizzle), store=ws.St(), load=X4)
    messages = [f.message for f in report.findings if f.side == "load"]
    if swizzle == ws.Swizzle(1, 0, 12):
        assert report.ok  # it changes nothing in this tile
    elif smallest is None:
        assert not messages
    else:
        assert messages[0].endswith(f"use M >= {smallest}")
        assert "16-byte" in messages[0]


def test_tile_both_sides_of_the_shared_memory_of_a_block() -> None:
    fits = ws.tile(ws.Layout(227, 512, "f16"), store=FILL, load=ws.Ld(vec=4), warps=2)
    assert fits.ok
    assert fits.bytes == fits.shared_bytes == 227 * 1024
    large = ws.tile(ws.Layout(228, 512, "f16"), store=FILL, load=ws.Ld(vec=4), warps=2)
    assert [finding.rule for finding in large.findings] == ["WS-TILE-004"]
    assert "233472 bytes; a block of sm_90 can have at most 232448" in large.findings[0].message


def test_tile_report_in_all_its_forms() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16", pad=4), store=COPY.ptx, load=X4.ptx, target="sm_75")
    contents = json.loads(json.dumps(report.to_dict()))
    assert contents["schema"] == "warpsim.tile/1"
    assert not contents["ok"]
    assert [f["rule"] for f in contents["findings"]] == ["WS-TILE-001", "WS-TILE-002", "WS-TILE-002"]
    assert len(contents["load"]["wavefronts_per_step"]) == 4
    text = str(report)
    assert max(map(len, text.splitlines())) <= 80
    assert "NOT legal" in text
    assert "WS-TILE-002" in report._repr_html_()
    table = report.columns()
    assert table["side"].tolist() == ["store", "load"]
    assert {len(values) for values in table.values()} == {2}
    assert table["cycles"].sum() == report.cycles
    assert report.wavefronts == table["wavefronts"].sum()


def test_tile_generic_accesses_are_those_of_shared_memory() -> None:
    layout = ws.Layout(64, 64, "f16", pad=2)
    shared = ws.tile(layout, store=ws.St(), load=ws.Ld())
    generic = ws.tile(layout, store=ws.St(space=""), load=ws.Ld(space=""))
    assert np.array_equal(shared.store.traffic.wavefronts, generic.store.traffic.wavefronts)
    assert "wavefronts" in generic.load.traffic.inexact
    assert not shared.load.traffic.inexact


def test_tile_a_removed_target_is_judged_at_its_last_version() -> None:
    report = ws.tile(ws.Layout(64, 64, "f16"), store=FILL, load=X4, target="sm_101a")
    assert report.ok
    assert report.load.legality.ok


def test_report_iterates_and_gives_a_sweep_every_counter() -> None:
    def report(pad: int) -> ws.TileReport:
        return ws.tile(ws.Layout(64, 64, "f16", pad=pad), store=ws.St(vec=4), load=ws.Ldmatrix(num=4))

    store, load = report(0)
    assert (store["side"], load["side"]) == ("store", "load") and load["wavefronts"] == 512
    assert len(repr(report(0))) < 120 and "load 512" in repr(report(0))
    columns = ws.sweep(report, {"pad": [0, 8]}, progress=False)
    assert columns["load_wavefronts"].tolist() == [512, 64]
    assert columns["load_bank_conflicts"].tolist() == [448, 0]
    assert columns["store_cycles"].tolist() == [report(pad).store.cycles for pad in (0, 8)]
