"""Checkpoints: every value comes back, nothing is computed twice, no other file is touched."""

import enum
import math
import multiprocessing
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.sweep import workers
from tests.sweep.columns import exactly, same
from tests.sweep.killing import PATIENCE_SECONDS, calls, finished
from warpsim.sweep import checkpoint, rows


class Stage(enum.IntEnum):
    TWO = 2


def test_checkpoint_restores_exactly_and_computes_nothing_twice(tmp_path: Path) -> None:
    file, log = tmp_path / "done", str(tmp_path / "log")
    function = partial(workers.logged, log=log)
    first = ws.sweep(function, {"x": [1, 2, 3]}, checkpoint=file)
    seen: list[tuple[int, int]] = []
    wider = [{"x": 5}, {"x": 2}, {"x": np.int8(3)}, {"x": 5}]
    second = ws.sweep(function, wider, checkpoint=file, progress=lambda *at: seen.append(at))
    assert second["result"].tolist() == [25, 4, 9, 25] and seen == [(3, 4), (4, 4)]
    assert [what for _, what in calls(Path(log))] == ["1", "2", "3", "5"]
    assert same(ws.sweep(function, {"x": [1, 2, 3]}, checkpoint=file), first)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["done", "log"]


EXACT = [math.inf, -math.inf, math.nan, -0.0, 0.1, 5e-324, 1.7976931348623157e308, 1.0, 1, True]
EXACT += [2**53 + 1, -(2**63), 2**64 - 1, 10**40, 0, False, None, "", "1", "NaN", "é\0\ud800 \n"]
EXACT += ["\ud800\udc00", "\U00010000"]  # two halves are not the whole


def test_checkpoint_values_round_trip_exactly(tmp_path: Path) -> None:
    computed = ws.sweep(workers.echo, {"x": EXACT}, checkpoint=tmp_path / "done")
    restored = ws.sweep(workers.echo, {"x": EXACT}, checkpoint=tmp_path / "done")
    assert exactly(restored["got x"]) == [(type(value), repr(value)) for value in EXACT]
    assert same(restored, computed) and len(finished(tmp_path / "done")) == len(EXACT)
    points = [{"x": kind} for kind in (1, 1.0, True, "1", (1,), [1], [(1, 2)], ((1,), 2), ((1, 2),))]
    assert len({rows.key_of(point) for point in points}) == len(points)
    assert rows.key_of({"a": 1, "b": np.int8(2)}) == rows.key_of({"b": 2, "a": 1})
    compared("values through a checkpoint", len(EXACT) + len(points), at_least=30)


def test_checkpoint_takes_no_name_with_half_a_character(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        ws.sweep(workers.echo, {"\ud800": [1]}, checkpoint=tmp_path / "done")


@pytest.mark.parametrize("value", [b"a", {"a": 1}, 1j, Stage.TWO, (1, {2}), object])
def test_checkpoint_point_without_a_canonical_text_is_refused(value: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="grid: x: with a checkpoint, expected bool, int"):
        ws.sweep(workers.echo, {"x": [value]}, checkpoint=tmp_path / "done")
    assert not list(tmp_path.iterdir())


class Doubled:
    def __call__(self, x: int) -> int:
        return 2 * x


@pytest.mark.parametrize("function", [lambda x: x, Doubled(), Doubled().__call__])
def test_checkpoint_function_without_a_name_is_refused(function: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="function: with a checkpoint, expected a function with a"):
        ws.sweep(function, {"x": [1]}, checkpoint=tmp_path / "done")
    assert not list(tmp_path.iterdir())


#: what happens to a file, as SQL or as new bytes, and what is said of it
DAMAGES: tuple[tuple[str | Callable[[bytes], bytes], str], ...] = (
    ("UPDATE sweep SET schema = 'warpsim.sweep/0'", "of schema warpsim.sweep/0, not warpsim.sweep/2"),
    ("UPDATE sweep SET version = '0.0.1'", "of warpsim version 0.0.1, not"),
    ("CREATE TABLE mine (a)", "a database of something else"),
    ("ALTER TABLE sweep DROP COLUMN version", "not or is damaged: its tables are others"),
    ("""UPDATE points SET result = '{"got x":' WHERE point = '{"x":1}'""", "damaged"),
    ("""UPDATE points SET point = '{"x":91}' WHERE point = '{"x":1}'""", "digest of a row"),
    ("""UPDATE points SET result = '{"got x":2}' WHERE point = '{"x":1}'""", "digest of a row"),
    ("UPDATE points SET digest = NULL", "digest of a row"),
    ("DELETE FROM sweep", "does not tell its function once"),
    (lambda data: data[:5000], "damaged"),
    (lambda data: data[:4096] + bytes(len(data) - 4096), "damaged"),
    (lambda data: b"a file of notes, not of points\n" * 100, "file is not a database"),
    (lambda data: b"a", "file is not a database"),
    (lambda data: data[:100], "file is not a database"),
)


@pytest.mark.parametrize(("change", "words"), DAMAGES)
def test_checkpoint_that_is_none_is_refused_and_left_alone(
    change: str | Callable[[bytes], bytes], words: str, tmp_path: Path
) -> None:
    file = tmp_path / "done"
    ws.sweep(workers.echo, {"x": range(20)}, checkpoint=file)
    if not isinstance(change, str):
        file.write_bytes(change(file.read_bytes()))
    else:
        if change.startswith("CREATE"):  # another program's
            file.unlink()
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(change)
    before = file.read_bytes()
    with pytest.raises(ValueError, match=f"checkpoint: expected .*{words}"):
        ws.sweep(workers.echo, {"x": range(20)}, checkpoint=file)
    assert file.read_bytes() == before and [*tmp_path.iterdir()] == [file]


OLD = (
    "CREATE TABLE sweep (schema, version, function)",
    "CREATE TABLE points (point TEXT PRIMARY KEY, result TEXT)",
    "INSERT INTO sweep VALUES ('warpsim.sweep/1', '0.1.0', 'tests.sweep.workers.echo')",
)


def test_checkpoint_of_the_format_without_digests_is_refused_by_its_name(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "done")) as connection, connection:
        for statement in OLD:
            connection.execute(statement)
    with pytest.raises(ValueError, match=r"one of schema warpsim\.sweep/1, not warpsim\.sweep/2 .*done"):
        ws.sweep(workers.echo, {"x": [1]}, checkpoint=tmp_path / "done")


def test_checkpoint_of_another_function_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "done"
    ws.sweep(workers.echo, {"x": [1]}, checkpoint=file)
    before = file.read_bytes()
    others = (workers.of_layout, partial(workers.echo, y=2), partial(workers.echo, y=3))
    for function in others:
        words = r"got one of function tests\.sweep\.workers\.echo, not"
        with pytest.raises(ValueError, match=words):
            ws.sweep(function, {"x": [1]}, checkpoint=file)
    assert file.read_bytes() == before
    assert len({rows.name_of(function) for function in others}) == 3


def test_checkpoint_that_cannot_be_opened_is_an_os_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "done", "x" * 5000):
        with pytest.raises(OSError, match="checkpoint: expected a file to read and write, got"):
            ws.sweep(workers.echo, {"x": [1]}, checkpoint=path)


def test_checkpoint_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "done").touch()
    ws.sweep(workers.echo, {"x": [1]}, checkpoint=str(tmp_path / "done"))
    assert len(finished(tmp_path / "done")) == 1


def fill(path: Path, first: int) -> None:
    ws.sweep(workers.echo, {"x": range(first, first + 40)}, checkpoint=path)


@pytest.mark.slow
def test_checkpoint_serves_two_sweeps_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("forkserver")
    begun = [context.Process(target=fill, args=(tmp_path / "done", 30 * k)) for k in range(3)]
    for process in begun:
        process.start()
    for process in begun:
        process.join(PATIENCE_SECONDS)
        process.kill()
    assert [process.exitcode for process in begun] == [0, 0, 0]
    assert len(finished(tmp_path / "done")) == 100


def test_points_that_a_file_has_stay_as_they_are_and_are_given_back(tmp_path: Path) -> None:
    keys = ["{}", '{"x":1}']
    with checkpoint.Checkpoint(tmp_path / "done", "f") as one:
        with checkpoint.Checkpoint(tmp_path / "done", "f") as other:
            assert one.put(keys[:1], [{"result": 1}]) == [{"result": 1}]
            assert other.put(keys, [{"result": 2}, {"result": 3}]) == [{"result": 1}, {"result": 3}]
        assert one.load(keys) == {"{}": {"result": 1}, '{"x":1}': {"result": 3}}


def test_sweeps_of_a_function_that_varies_return_what_the_file_has(tmp_path: Path) -> None:
    grid = {"bound": [1, 2, 3]}
    inner: list[dict[str, Any]] = []

    def other_first(done: int, total: int) -> None:
        if not inner:
            inner.append(ws.sweep(workers.varies, grid, checkpoint=tmp_path / "done"))

    columns = ws.sweep(workers.varies, grid, checkpoint=tmp_path / "done", progress=other_first)
    assert same(columns, inner[0])
    assert same(columns, ws.sweep(workers.varies, grid, checkpoint=tmp_path / "done"))


@pytest.mark.parametrize("column", ["schema", "version", "function"])
def test_what_a_file_says_of_itself_is_shown_in_part(column: str, tmp_path: Path) -> None:
    ws.sweep(workers.echo, {"x": [1]}, checkpoint=tmp_path / "done")
    with closing(sqlite3.connect(tmp_path / "done")) as connection, connection:
        connection.execute(f"UPDATE sweep SET {column} = ?", ("\x1b[31m" + "A" * 3_000_000,))
    with pytest.raises(ValueError, match=f"one of (warpsim )?{column} ") as caught:
        ws.sweep(workers.echo, {"x": [1]}, checkpoint=tmp_path / "done")
    assert len(str(caught.value)) < 1000 and str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("x" * (rows.MOST_TEXT_BYTES - 2000), None),
        ("x" * rows.MOST_TEXT_BYTES, "result: with a checkpoint, expected at most .* characters"),
        (2**rows.MOST_BITS - 1, None),
        (2**rows.MOST_BITS, "y: with a checkpoint, expected at most 10,000 bits"),
    ],
    ids=["long", "too long", "large", "too large"],
)
def test_a_result_that_a_row_cannot_hold_is_refused(value: Any, said: str | None, tmp_path: Path) -> None:
    results: list[dict[str, Any]] = [{"y": value}]
    with checkpoint.Checkpoint(tmp_path / "done", "f") as done:
        if said is None:
            assert done.put(["{}"], results) == results and done.load({"{}"}) == {"{}": results[0]}
            return
        with pytest.raises(ValueError, match=said):
            done.put(["{}"], results)
