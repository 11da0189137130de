"""The published records: all are classified, the page is fresh, errors stay where they are."""

import re
from collections import Counter

import pytest

import warpsim as ws
from docs.make import published, published_page
from docs.make.published import COMPARED, REASONS, SOURCES, claims, ids, records
from tests.support.evidence import compared

ALL = 286


def reason(start: str) -> set[str]:
    """The ids under the one reason that begins so."""
    (found,) = (text for name, text in REASONS.items() if name.startswith(start))
    return set(ids(found))


def of_kind(*kinds: str) -> set[str]:
    return {id for id, record in records().items() if record["kind"] in kinds}


def named(*words: str) -> set[str]:
    """The records whose instruction has one of the words."""
    pattern = re.compile("|".join(words))
    return {id for id, record in records().items() if pattern.search(record["instruction"])}


def test_published_every_record_has_one_place() -> None:
    places = Counter(id for text in (*COMPARED, *REASONS.values()) for id in ids(text))
    assert len(records()) == ALL
    assert set(places) == set(records())
    assert max(places.values()) == 1


def test_published_reasons_agree_with_the_records() -> None:
    assert reason("suspect") == of_kind("suspect")
    assert reason("setting") == of_kind("config")
    assert reason("spacing") == of_kind("scheduling")
    assert reason("sparse") == named(r"mma\.sp(?!\w)") - named("wgmma")
    assert reason("wgmma") == named("wgmma")
    assert reason("tcgen05") == named("tcgen05")
    assert reason("distributed") == named(r"\(DSM\)", "::cluster", "^TMA")
    assert reason("loads from L2") == named("^L2", "DRAM", "^global$") - of_kind("suspect")
    assert reason("first instructions") == named("^k-th")


def test_published_page_shows_every_record() -> None:
    text = published_page.PAGE.read_text(encoding="utf-8")
    tables, _, rest = text.partition("## Not compared")
    rows = re.findall(r"^\| (p\d{3}) \|", tables, re.MULTILINE)
    listed = re.findall(r"^\| (\d+) \| .* \| (p[^|]*) \|$", rest, re.MULTILINE)
    left = [id for count, found in listed for id in ids(found) if int(count) == len(ids(found))]
    assert sorted([*rows, *left]) == sorted(records())
    assert {id for id, _ in published_page.FINDINGS} <= set(rows)


def test_published_records_that_the_model_can_express() -> None:
    rows = published_page.rows()
    assert all(row.holds for row in rows if row.claim.at_least)
    compared("published records", len(rows), at_least=81)
    counted = sum(row.counts for row in rows)
    compared("published records that no constant comes from", counted, at_least=49)
    compared("published records not compared", ALL - len(rows), at_least=205)


#: records of sm_90 -> bounds of the error; L1 hits by index chase hold more than one integer add
BOUNDS = {"p125, p132, p135, p138, p196, p241": (-0.035, 0.035), "p123, p232, p242": (-0.10, -0.05)}


@pytest.mark.parametrize("text", BOUNDS)
def test_published_sm_90_errors_stay_within_bounds(text: str) -> None:
    low, high = BOUNDS[text]
    found = {row.claim.id: row.error for row in published_page.rows()}
    assert {id: found[id] for id in ids(text) if not low <= found[id] <= high} == {}


def test_published_sm_90_bounds_cover_all_of_its_figures() -> None:
    rows = [row for row in published_page.rows() if row.claim.target == "sm_90"]
    counted = {row.claim.id for row in rows if row.counts and row.claim.record["arch"] == "sm_90"}
    assert counted == {id for text in BOUNDS for id in ids(text)}
    assert not any(row.own for row in rows), "no constant of sm_90 is a published one"


def test_published_constants_are_traced_to_records() -> None:
    """Every constant with basis "published" names its records, of the GPU in its source."""
    targets = {claim.target for claim in claims()}
    found = {
        (target, name)
        for target in targets
        for name, constant in ws.arch(target).constants.items()
        if constant.basis == "published"
    }
    assert found == set(SOURCES)
    for (target, name), text in SOURCES.items():
        gpu = re.split("[:,]", ws.arch(target).constants[name].source)[0]
        of_target = [records()[id] for id in ids(text) if records()[id]["arch"] == target]
        assert of_target
        assert all(record["gpu"].startswith(gpu) for record in of_target), (target, name)


def test_published_constants_reproduce_their_records() -> None:
    rows = {row.claim.id: row for row in published_page.rows()}
    own = {id for id, row in rows.items() if row.own}
    traced = {id for (target, _), text in SOURCES.items() for id in ids(text) if records()[id]["arch"] == target}
    assert own <= traced
    assert traced - own <= {"p089", "p200"}, "these two calibrate another record's method"
    for id in own:
        assert rows[id].claim.at_least or abs(rows[id].error) <= 0.07, id


def test_published_error_is_that_of_the_value_farthest_off() -> None:
    assert published.error((3.0, 4.0), (4.0, 4.0)) == -0.25
    assert published.error((1.0, 0.0), (1.0, 0.0)) == 0
    assert published.error((1.0, 1.0), (1.0, 0.0)) == 1


def test_published_predictions_rest_on_the_constants_that_move_them() -> None:
    rows = {row.claim.id: row for row in published_page.rows()}
    assert rows["p138"].constants == ("mma_latency",)
    assert rows["p196"].constants == ("wavefront_latency", "global_latency")
    assert rows["p279"].constants == rows["p135"].constants == ()
