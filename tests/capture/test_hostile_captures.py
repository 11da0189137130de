"""Captures that are damaged or hostile: an error that names the file, soon, in little memory."""

import copy
import itertools
import json
import random
import resource
import time
import zipfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import _engine as engine


def capture_of(
    path: Path, said: Any, members: dict[str, bytes] | None = None, method: int = zipfile.ZIP_DEFLATED
) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in (members or {}).items():
            file.writestr(name, content)
        file.writestr("capture.json", said if isinstance(said, str | bytes) else json.dumps(said))
    return path


TEXT = b""".version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 o) { .reg .b64 %d; ld.param.u64 %d, [o]; st.global.u32 [%d], 7; ret; }
"""
MEMBERS = {"a" * 64: TEXT, "b" * 64: bytes(256), "c" * 64: b"\7\0\0\0" + bytes(252)}


def good() -> dict[str, Any]:
    launch = {
        "kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], "cluster": [1, 1, 1], "shared_bytes": 0,
        "parameters": (2**33).to_bytes(8, "little").hex(), "params": [[0, 8]], "is_cut": False, "ptx": "a" * 64,
        "note": "", "result": 0, "buffers": [{"base": 2**33, "bytes": 256, "before": "b" * 64, "after": "c" * 64}],
    }  # fmt: skip
    return {"warpsim_capture": 1, "device": {"name": "a GPU", "target": "sm_80"}, "launches": [launch]}


def replayed(path: Path) -> None:
    for launch in ws.Capture(path):
        launch.run(max_steps=1000, blocks=1)


VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 3, 2**31, 2**32, 2**64, 2**200, 1.5, 1e308, "", "x", "a" * 64, "zz", [], [1], [1, 1, 1], [[]],
    [[0, 8]], [[8, 8]], [[-1, 8]], [0] * 3, {}, {"base": 1}, [None] * 4, "f" * 2000, "\ud800", "../../etc/passwd",
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *itertools.chain.from_iterable(places(one, (*path, key)) for key, one in inner)]


def damaged(chance: random.Random) -> Any:
    """What capture.json says, with values replaced, taken out or put in."""
    said = good()
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        *way, last = chance.choice(places(said)[1:]) or [None]
        inside = said
        try:
            for key in way:
                inside = inside[key]
            if chance.random() < 0.2:
                del inside[last]
            else:
                inside[last] = copy.deepcopy(chance.choice(VALUES))
        except (KeyError, IndexError, TypeError):
            continue
    return said


def tried(path: Path, count: int, seed: int) -> dict[str, int]:
    """Damaged captures: how many ran, and how many were refused by the file's name."""
    chance = random.Random(seed)
    outcome = {"run": 0, "refused": 0}
    for number in range(count):
        capture_of(path, damaged(chance), MEMBERS)
        try:
            replayed(path)
            outcome["run"] += 1
        except ws.StepLimitError:
            outcome["run"] += 1
        except (ValueError, MemoryError) as error:
            assert str(path) in str(error), f"{seed}/{number}: {error!r}"
            outcome["refused"] += 1
    return outcome


def test_a_good_capture_runs(tmp_path: Path) -> None:
    capture = ws.Capture(capture_of(tmp_path / "x.capture", good(), MEMBERS))
    assert capture.launches[0].run().ok and capture.launches[0].differences == ()


@pytest.mark.parametrize("count", [400, pytest.param(8000, marks=pytest.mark.slow)])
def test_damaged_captures_are_refused_by_their_name(count: int, tmp_path: Path) -> None:
    outcome = tried(tmp_path / "x.capture", count, seed=count)
    assert outcome["run"] > count / 50 and outcome["refused"] > count / 2, outcome
    compared("damaged captures", sum(outcome.values()), at_least=count)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", ["capture.json", "b" * 64])
def test_what_unpacks_without_a_bound_is_refused(method: int, name: str, tmp_path: Path) -> None:
    path = capture_of(tmp_path / "x.capture", good(), MEMBERS)
    with zipfile.ZipFile(path) as file:
        members = {one: file.read(one) for one in file.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for one, content in members.items():
            file.writestr(one, content, method if one == name else None)
    with pytest.raises(ValueError, match=f"{name}: expected a member that is stored or deflated"):
        replayed(path)


@pytest.mark.parametrize(("base", "said"), [(2**63 - 256, None), (2**63 - 255, "has no end")])
def test_a_buffer_ends_within_the_lower_half_of_addresses(base: int, said: str | None, tmp_path: Path) -> None:
    what = good()
    what["launches"][0]["buffers"] = [{"base": base, "before": "b" * 64}]
    path = capture_of(tmp_path / "x.capture", what, MEMBERS)
    with pytest.raises(ValueError, match=said) if said else nullcontext():
        assert len(ws.Capture(path).launches[0].buffers) == 1


TEXTS = (
    "", "[]", "null", "1", '"x"', "{", "[" * 100_000, '{"warpsim_capture": 2}', '{"warpsim_capture": 1}', "\xff\xfe",
    '{"warpsim_capture": 1, "device": 5, "launches": []}', '{"warpsim_capture": 1, "device": {}, "launches": {}}',
    '{"warpsim_capture": 1, "device": {"target": 5}, "launches": []}', "9" * 5000,
    '{"warpsim_capture": 1, "device": {"name": "' + 257 * "n" + '"}, "launches": []}',
)  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"grid": [2, 1, 1], "cluster": [2, 1, 1]}, None),
        ({"grid": [3, 1, 1], "cluster": [2, 1, 1]}, "launch 0: grid: expected whole clusters"),
        ({"grid": [2, 3, 1], "cluster": [2, 2, 1]}, "launch 0: grid: expected whole clusters"),
        ({"ptx": "a" * 63}, "launch 0: ptx: expected the name of a member"),
        ({"ptx": "a" * 65}, "launch 0: ptx: expected the name of a member"),
        ({"ptx": "a" * 64 + "/../x"}, "launch 0: ptx: expected the name of a member"),
        ({"parameters": "00" * 8, "params": [[0, 8]]}, None),
        ({"parameters": "00" * 8, "params": [[1, 8]]}, "launch 0: params: expected them within the 8 bytes"),
        ({"parameters": "00" * 8, "params": [[4, 4], [8, 1]]}, "launch 0: params: expected them within the 8 bytes"),
    ],
)
def test_what_a_launch_says_fits_together(changed: dict[str, Any], said: str | None, tmp_path: Path) -> None:
    what = good()
    what["launches"][0] |= changed
    path = capture_of(tmp_path / "x.capture", what, MEMBERS)
    with pytest.raises(ValueError, match=said) if said else nullcontext():
        assert len(ws.Capture(path).launches) == 1


def test_files_that_only_look_like_captures_are_refused_by_their_name(tmp_path: Path) -> None:
    path = tmp_path / "x.capture"
    for text in TEXTS:
        capture_of(path, text.encode("latin-1"), MEMBERS)
        with pytest.raises(ValueError, match=r"x\.capture' is not a capture, or is damaged: ."):
            replayed(path)
    methods = (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)
    wholes = [capture_of(path, good(), MEMBERS, method).read_bytes() for method in methods]
    chance = random.Random(3)
    for number in range(800):
        found = bytearray(wholes[number % len(wholes)])
        for _ in range(chance.choice((1, 2, 8))):
            found[chance.randrange(len(found))] = chance.randrange(256)
        path.write_bytes(found[: chance.choice((len(found), chance.randrange(len(found))))])
        try:
            replayed(path)
        except (ValueError, MemoryError) as error:
            assert str(path) in str(error), error
    compared("files that look like captures", len(TEXTS) + 800, at_least=810)


@pytest.mark.slow
def test_captures_that_unpack_to_too_much_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.capture"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        with file.open("b" * 64, "w", force_zip64=True) as member:
            for _ in range(3 * 64):
                member.write(bytes(1 << 20))
        file.writestr("a" * 64, TEXT)
        file.writestr("capture.json", json.dumps(good() | {"launches": [
            good()["launches"][0] | {"buffers": [{"base": 2**33, "before": "b" * 64}]},
        ]}))  # fmt: skip
    began, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match=r"unpacks to 201,326,592 bytes.*pass max_bytes=201326592 to ws.Capture"):
        replayed(path)
    assert time.process_time() - began < 1 and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
    assert ws.Capture(path, max_bytes=201326592).launches[0].buffers[0].before.nbytes == 201326592
    for one in ("[],", "{},", "0,", '{"a":0},'):
        capture_of(
            path,
            f'{{"warpsim_capture": 1, "device": {{}}, "launches": [{one * 2_100_000}0]}}',
            {"f" * 64: random.Random(1).randbytes(1 << 20)},
        )
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(ValueError, match="expected at most 2,000,000 values"):
            replayed(path)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 128 << 10
    capture_of(path, " " * (5 << 20))
    with pytest.raises(ValueError, match="expected at most 4,194,304 bytes, it declares 5,242,880"):
        replayed(path)
    capture_of(path, " " * (65 << 20), {"f" * 64: random.Random(1).randbytes(1 << 20)})
    with pytest.raises(ValueError, match="expected at most 67,108,864 bytes, it declares"):
        replayed(path)


def of_buffers(path: Path, buffers: list[dict[str, Any]], **changed: Any) -> ws.Capture:
    what = good()
    what["launches"][0] |= {"buffers": buffers} | changed
    return ws.Capture(capture_of(path, what, MEMBERS))


@pytest.mark.parametrize("first, last", engine.WINDOWS)
def test_a_buffer_in_a_window_is_refused(first: int, last: int, tmp_path: Path) -> None:
    for base, is_refused in ((first - 256, False), (first - 255, True), (last - 1, True), (last, False)):
        launch = of_buffers(tmp_path / "x.capture", [{"base": base, "before": "b" * 64}]).launches[0]
        in_another = any(begin < base + 256 and base < end for begin, end in engine.WINDOWS)
        with pytest.raises(ws.UnsupportedError, match="lies where warpsim has") if in_another else nullcontext():
            assert len(launch.buffers) == 1
        assert in_another or not is_refused


def test_an_error_is_not_said_to_leave_equal_memory(tmp_path: Path) -> None:
    buffers = [{"base": 2**33, "before": "b" * 64, "after": "b" * 64}]
    launch = of_buffers(tmp_path / "x.capture", buffers, parameters=(2**34).to_bytes(8, "little").hex()).launches[0]
    report = launch.run()
    assert report.ended and not any("equal" in note for note in report.notes)


@pytest.mark.slow
def test_thousands_of_buffers_are_read_soon(tmp_path: Path) -> None:
    buffers = [{"base": 2**33 + 512 * number, "before": "b" * 64} for number in range(8000)]
    began = time.process_time()
    assert len(of_buffers(tmp_path / "x.capture", buffers).launches[0].buffers) == 8000
    assert time.process_time() - began < 2


@pytest.mark.parametrize(("count", "is_refused"), [(4, False), (5, True)])
def test_a_member_counts_for_each_buffer_that_has_it(count: int, is_refused: bool, tmp_path: Path) -> None:
    buffers = [{"base": 2**33 + 512 * number, "before": "b" * 64} for number in range(count)]
    capture = of_buffers(tmp_path / "x.capture", buffers)
    capture = ws.Capture(capture.path, max_bytes=1024)
    with pytest.raises(ValueError, match="unpacks to 1,280 bytes, more than 1,024") if is_refused else nullcontext():
        assert len(capture.launches[0].buffers) == count


def test_texts_of_a_capture_steer_no_terminal(tmp_path: Path) -> None:
    said = good() | {"device": {"name": "\x1b[31mGPU", "target": "sm_80"}}
    said["launches"][0] |= {"kernel": "\x1b[31mk\n::error::y", "note": "\x1b[31mnote", "ptx": None}
    capture = ws.Capture(capture_of(tmp_path / "x.capture", said, MEMBERS))
    with pytest.raises(ws.UnsupportedError, match="note") as caught:
        capture.launches[0].run()
    assert all(text.isprintable() for text in (repr(capture.launches[0]), capture.device, str(caught.value)))


POINTER = b""".version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 x = 9;
.global .align 8 .u64 p = x;
.visible .entry k(.param .u64 o) { .reg .b64 %d<2>; .reg .b32 %r; ld.param.u64 %d0, [o]; ld.global.u64 %d1, [p];
ld.global.u32 %r, [%d1]; st.global.u32 [%d0], %r; ret; }
"""


def test_pointers_of_a_module_are_those_of_each_launch(tmp_path: Path) -> None:
    """The second launch has a buffer where the first had the variables."""
    said, bases = good(), (2**33, engine.FIRST_GLOBAL)
    said["launches"] = [
        said["launches"][0] | {"parameters": base.to_bytes(8, "little").hex(),
                               "buffers": [{"base": base, "before": "b" * 64, "after": "c" * 64}]}
        for base in bases
    ]  # fmt: skip
    members = MEMBERS | {"a" * 64: POINTER, "c" * 64: b"\x09" + bytes(255)}
    for launch in ws.Capture(capture_of(tmp_path / "x.capture", said, members)):
        assert launch.run().ok and launch.differences == ()
