"""Calls that no instruction can answer: an error names the argument, what was expected, and what was given."""

from collections.abc import Callable

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import testing

X4 = ws.Ldmatrix(num=4)


class Elsewhere:
    """A tensor in memory that no CPU reaches."""

    def __dlpack__(self, **_: object) -> object:
        raise BufferError("it is on a device")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "dtype of objects": (lambda: ws.SharedMemory(64).view(object, 4), "dtype: expected plain numbers"),
    "tensor elsewhere": (lambda: ws.SharedMemory(Elsewhere()), "storage: expected a tensor in the CPU's memory"),
    "axes of a layout": (lambda: ws.Layout(8, 8, "f16")(np.zeros((1,) * 33, int), 0), "row, col: expected at most"),
    "shapes of a layout": (
        lambda: ws.Layout(8, 8, "f16")(np.zeros(2, int), np.zeros(3, int)), "row, col: expected shapes that broadcast",
    ),
    "addresses below 0": (
        lambda: testing.assert_conflict_free(X4, np.full(32, -16)), "layout: expected addresses from 0 to 2**63 - 1",
    ),
    "too many points": (
        lambda: ws.sweep(len, {"x": range(2000), "y": range(2000), "z": range(2000)}), "sweep it in parts",
    ),
    "characters of no text": (lambda: ws.compile("\ud800"), "source: expected text that UTF-8 can hold"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_call_without_an_answer_is_refused(what: str) -> None:
    call, says = REFUSED[what]
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    assert says in str(error.value)
    compared("calls that are refused", 1, at_least=1)
