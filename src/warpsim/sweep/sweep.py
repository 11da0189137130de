"""A function over a grid of points, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from itertools import product
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import arguments
from ..errors import bad_type, bad_value
from .checkpoint import Checkpoint
from .fanout import ordered_map
from .progress import Progress
from .rows import SCALARS, Row, Scalar, key_of, name_of, plain

Point = dict[str, Any]

#: of a grid: what is more is refused before it is made
MOST_POINTS = 2**22
MOST_NAMES = 1024

#: the column of a function that returns a bare scalar
RESULT = "result"


def sweep(
    function: Callable[..., Any],
    grid: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]],
    *,
    executor: Executor | None = None,
    progress: Progress = None,
    checkpoint: str | PathLike[str] | None = None,
) -> dict[str, NDArray[Any]]:
    """`function(**point)` at every point of a grid: a dict of 1-D columns, the grid's come first.

    `grid`: dict name -> values (all combinations, the last name fastest) or a list of dicts with
    the same names. The function returns a scalar (column "result"), a dict of scalars, or a report
    with to_dict(): its scalar entries become columns, except "schema" and arguments that it
    repeats. An empty grid gives empty columns.

    `executor`: any of concurrent.futures, or None: here, one by one. Rows are those of the grid, in
    its order, whatever the executor. `progress`: a function of (done, total), called here; None: a
    bar on a terminal if rich is installed; False: nothing. `checkpoint`: a file that keeps finished
    points; an interrupted sweep resumes from it. It goes by the function's qualified name: use a
    new file when the function changes. An exception of the function is raised with a note that
    names the point.

    >>> import warpsim as ws
    >>> op = ws.Ldmatrix(num=4)
    >>> def conflicts(pad):
    ...     return op.traffic(ws.Layout(16, 64, "f16", pad=pad).addresses(op))
    >>> columns = ws.sweep(conflicts, {"pad": [0, 8, 16]})
    >>> columns["pad"].tolist(), columns["bank_conflicts"].tolist()
    ([0, 8, 16], [28, 0, 4])
    """
    if not callable(function):
        raise bad_type("function", f"expected a function, got {arguments.describe(function)}")
    names, points = _points(grid)
    evaluate = Evaluation(function)
    if checkpoint is None:
        same = SameNames()
        rows = ordered_map(
            evaluate,
            points,
            executor=executor,
            progress=progress,
            keep=lambda begin, new: same.check(points[begin : begin + len(new)], new),
        )
    else:
        rows = _resumed(evaluate, points, executor, progress, checkpoint)
    columns = {name: _column([point[name] for point in points]) for name in names}
    for name in rows[0] if rows else ():
        columns[name] = _column([row[name] for row in rows])
    return columns


def _resumed(
    evaluate: Evaluation,
    points: Sequence[Point],
    executor: Executor | None,
    progress: Progress,
    path: str | PathLike[str],
) -> list[Row]:
    """One row a point, from the file where it has them. Equal points are one."""
    keys = [key_of(point) for point in points]
    by_key = dict(zip(keys, points, strict=True))
    with Checkpoint(path, name_of(evaluate.function)) as file:
        rows = file.load(by_key)
        same = SameNames()
        same.check([by_key[key] for key in rows], list(rows.values()))
        missing = [key for key in by_key if key not in rows]

        def keep(begin: int, new: list[Row]) -> None:
            finished = missing[begin : begin + len(new)]
            their_points = [by_key[key] for key in finished]
            same.check(their_points, new)
            kept = file.put(finished, new)
            same.check(their_points, kept)  # another process may have been first
            rows.update(zip(finished, kept, strict=True))

        ordered_map(
            evaluate,
            [by_key[key] for key in missing],
            executor=executor,
            progress=progress,
            already=len(points) - len(missing),
            keep=keep,
        )
    return [rows[key] for key in keys]


class Evaluation:
    """The function at one point, as a row of scalars; what goes to the workers."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, point: Point) -> Row:
        try:
            return _row(point, self.function(**point))
        except Exception as error:
            error.add_note(f"sweep: at the point {_shown(point)}")
            raise


class SameNames:
    """Makes sure that all results have the entries of the first one seen."""

    def __init__(self) -> None:
        self._first: tuple[Point, Row] | None = None

    def check(self, points: Sequence[Point], rows: Sequence[Row]) -> None:
        """Raises ValueError at the first row that differs."""
        for point, row in zip(points, rows, strict=True):
            first_point, first = self._first = self._first or (point, row)
            if row.keys() != first.keys():
                raise bad_value(
                    "function",
                    f"expected results with the same entries, got {sorted(first)} at"
                    f" {_shown(first_point)} and {sorted(row)} at {_shown(point)}",
                )


def _shown(point: Point) -> str:
    text = ", ".join(f"{name}={arguments.shown(value)}" for name, value in point.items())
    return text if len(text) <= 500 else f"{text[:500]} ..."


def _points(grid: Any) -> tuple[list[str], list[Point]]:
    """The names of a grid and its points, in order."""
    if isinstance(grid, Mapping):
        names, values, count = [], [], 1
        for name, given in arguments.several("grid", grid.items(), MOST_NAMES):
            names.append(_name(name))
            values.append(_values(name, given))
            count *= max(1, len(values[-1]))
            if count > MOST_POINTS:
                raise _too_many_points()
        combinations = product(*values) if names else ()
        return names, [dict(zip(names, each, strict=True)) for each in combinations]
    if isinstance(grid, str | bytes) or not isinstance(grid, Iterable):
        raise bad_type("grid", f"expected a dict of name -> values or a list of dicts, got {arguments.describe(grid)}")
    points: list[Point] = []
    for index, given in enumerate(arguments.each_of("grid", grid)):
        if index == MOST_POINTS:
            raise _too_many_points()
        if not isinstance(given, Mapping):
            raise bad_type("grid", f"expected dicts, got {arguments.describe(given)} as point {index}")
        points.append({_name(name): plain(value) for name, value in given.items()})
        if points[-1].keys() != points[0].keys():
            raise bad_value(
                "grid",
                f"expected points with the names {list(points[0])}, as the first has; got"
                f" {list(points[-1])} in point {index}",
            )
    return list(points[0]) if points else [], points


def _too_many_points() -> ValueError:
    return bad_value("grid", f"expected at most {MOST_POINTS} points, got more; sweep it in parts")


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise bad_type("grid", f"expected names that are strings, got {arguments.shown(name)}")
    return name


def _values(name: str, given: Any) -> list[Any]:
    if isinstance(given, str | bytes | Mapping | set | frozenset) or not isinstance(given, Iterable):
        raise bad_type("grid", f"expected a sequence of values for {name}, got {arguments.describe(given)}")
    if isinstance(given, np.ndarray) and given.ndim != 1:
        raise bad_value("grid", f"expected a 1-D array for {name}, got shape {given.shape}")
    return [plain(value) for value in arguments.several(f"grid: {name}", given, MOST_POINTS)]


def _row(point: Point, result: Any) -> Row:
    """A result as named scalars, none of them a name of the grid."""
    if _is_scalar(result):
        row = {RESULT: _scalar(result)}
    elif isinstance(result, Mapping):
        row = {}
        for name, value in result.items():
            if not isinstance(name, str) or not _is_scalar(value):
                raise bad_type(
                    "function",
                    f"expected a dict of name -> scalar, got {arguments.describe(value)} for {arguments.shown(name)}",
                )
            row[name] = _scalar(value)
    elif callable(getattr(result, "to_dict", None)):
        row = _scalars_of(result.to_dict(), point)
    else:
        raise bad_type(
            "function",
            f"expected a scalar, a dict of scalars or a report with to_dict(), got {arguments.describe(result)}",
        )
    if clash := [name for name in row if name in point]:
        raise bad_value("function", f"expected results with names that the grid does not have, got {clash}")
    return row


def _scalars_of(report: Mapping[str, Any], point: Point) -> Row:
    """The scalar entries of a report, without those that repeat an argument."""
    return {
        name: _scalar(value)
        for name, value in report.items()
        if name != "schema"
        and _is_scalar(value)
        and not (name in point and _is_scalar(point[name]) and point[name] == value)
    }


def _is_scalar(value: Any) -> bool:
    return isinstance(plain(value), SCALARS)


def _scalar(value: Any) -> Scalar:
    """One of exactly Python's own types: an enum's member becomes its value."""
    value = plain(value)
    if type(value) not in SCALARS:
        for kind, convert in ((int, int), (float, float), (str, str.__str__)):
            if isinstance(value, kind):
                return convert(value)
    return value  # type: ignore[no-any-return]


def _column(values: list[Any]) -> NDArray[Any]:
    """Values as an array that holds each one exactly; of objects, where no other does."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return np.array(values, np.bool_)
    if kinds == {str} and not any(value.endswith("\0") for value in values):
        return np.array(values)
    if kinds == {int}:
        for dtype in (np.int64, np.uint64):
            if np.iinfo(dtype).min <= min(values) and max(values) <= np.iinfo(dtype).max:
                return np.array(values, dtype)
    elif kinds <= {int, float} and all(type(v) is float or abs(v) <= 2**53 for v in values):
        return np.array(values, np.float64)
    column = np.empty(len(values), object)
    for index, value in enumerate(values):
        column[index] = value
    return column
