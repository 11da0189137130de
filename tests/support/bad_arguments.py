"""What an error must say."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest


def assert_named(call: Callable[[], object], error: Any, words: Sequence[str]) -> None:
    """The call raises this error, and its message has all of the words."""
    with pytest.raises(error) as caught:
        call()
    for word in words:
        assert word in str(caught.value), str(caught.value)
