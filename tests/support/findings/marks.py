"""Which cases of a test are slow."""

from typing import Any

import pytest


def first_fast(first: Any, *others: Any) -> list[Any]:
    """Values of a parameter, of which all but the first are slow."""
    return [first, *(pytest.param(one, marks=pytest.mark.slow) for one in others)]
