"""Exact comparison of columns."""

from typing import Any

import numpy as np


def same(left: dict[str, Any], right: dict[str, Any]) -> bool:
    """Same columns in the same order, dtypes and exact values; NaN equals NaN."""
    return list(left) == list(right) and all(
        left[name].dtype == right[name].dtype and exactly(left[name]) == exactly(right[name]) for name in left
    )


def exactly(column: Any) -> list[tuple[type, str]]:
    return [(type(value), repr(value)) for value in column.tolist()]


def holds(column: Any, values: list[Any]) -> bool:
    """Exactly these values, except that ints among floats become equal floats."""
    if column.dtype == np.float64:
        assert all(float(value) == value or np.isnan(value) for value in values)
        values = [float(value) for value in values]
    return exactly(column) == [(type(value), repr(value)) for value in values]
