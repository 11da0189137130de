"""What nobody should pass, kind by kind: each entry makes a value from a random.Random."""

import array
import ctypes
import datetime
import enum
import mmap
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import ml_dtypes
import numpy as np

Maker = Callable[[Random], Any]
HUGE = 10**5000


class Planted(Exception):
    """Raised by objects of this file alone: may come out of any call that was given one."""


#: what an evil object answers with, instead of what was asked for
JUNK: tuple[Any, ...] = (None, "", "sm_90", b"", 0, -1, 2**70, 1.5, float("nan"), (), [], {}, [1, "a"], object)
#: what an evil object does in the middle of a call; a rule may put something worse here
MISCHIEF: list[Callable[[], object]] = [lambda: None]
MODES = ("raises", "nonsense", "shifts", "mischief", "truth")
#: what Python asks of objects, and an honest answer
QUESTIONS: dict[str, Any] = {
    "__index__": 3, "__int__": 3, "__float__": 1.0, "__len__": 32, "__getitem__": 16, "__contains__": True, "__bool__": True,
    "__eq__": True, "__lt__": False, "__gt__": False, "__le__": True, "__ge__": True, "__hash__": 7, "__repr__": "<Evil>",
    "__str__": "sm_90", "__format__": "evil", "__fspath__": "/nonexistent/evil", "__call__": 1, "__iter__": None,
}  # fmt: skip


class Evil:
    """Answers every question of Python's by raising, by nonsense, or after some mischief."""

    def __init__(self, random: Random, mode: str, value: Any = 3) -> None:
        # set past __setattr__: nothing here may run the mischief early
        self.__dict__.update(random=random, mode=mode, value=value, looks=0)

    def answer(self, name: str, truth: Any) -> Any:
        self.__dict__["looks"] += 1
        if self.mode == "raises":
            raise Planted(name)
        if self.mode == "nonsense" and name != "__fspath__":  # a file of that name would be made
            return self.random.choice(JUNK)
        if self.mode == "shifts":  # another answer each time
            return truth + self.looks if isinstance(truth, int) else truth
        if self.mode == "mischief":
            MISCHIEF[0]()
        return truth


def _question(name: str, truth: Any) -> Callable[..., Any]:
    def asked(self: Evil, *args: Any, **_: Any) -> Any:
        if name == "__getitem__" and args and isinstance(args[0], int) and args[0] >= 32:
            raise IndexError(args[0])
        honest = self.value if name in ("__index__", "__int__") else truth
        return self.answer(name, iter((1, 2, 3)) if name == "__iter__" else honest)

    return asked


for _name, _truth in QUESTIONS.items():
    setattr(Evil, _name, _question(_name, _truth))


class EvilArray(Evil):
    """The same with `__array__` and with every attribute there is."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.answer("__array__", np.arange(32) * 16)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.answer(name, 3)


class LyingArray(np.ndarray):
    """An ndarray that claims another shape, type and size."""

    shape = property(lambda self: (4, 32, 4))  # type: ignore[assignment]
    dtype = property(lambda self: np.dtype(np.uint32))  # type: ignore[assignment]
    size = nbytes = property(lambda self: 2**40)  # type: ignore[assignment]


class Word(enum.StrEnum):
    TARGET = "sm_90"
    TYPE = "f16"


def _nested(_: Random, items: Any = 1) -> Any:
    for _i in range(500):
        items = [items]
    return items


def _recursive(_: Random) -> Any:
    items: list[Any] = [1]
    items.append(items)
    return items


def _evil(mode: str, cls: type[Evil]) -> Maker:
    return lambda r: cls(r, mode, r.choice((0, 1, 3, 4, 2**31, 2**64, -1)))


#: kind -> value: for any argument whatever
ANYTHING: dict[str, Maker] = {
    "None": lambda r: None,
    "bool": lambda r: r.random() < 0.5,
    "small int": lambda r: r.randrange(-5, 70),
    "2**24": lambda r: 2**24,
    "2**31": lambda r: r.choice((2**31, -(2**31), 2**31 - 1)),
    "2**32": lambda r: r.choice((2**32, 2**32 - 1)),
    "2**63": lambda r: r.choice((2**62, 2**63, -(2**63), 2**63 - 1)),
    "2**64": lambda r: r.choice((2**64, 2**64 - 1, 2**200, -(2**200))),
    "10**5000": lambda r: HUGE,
    "float": lambda r: r.choice((1.0, 0.5, -0.0, 1e300, float("nan"), float("inf"), -float("inf"))),
    "number": lambda r: r.choice((Fraction(4), Decimal(4), Decimal("sNaN"), 4j)),
    "str": lambda r: r.choice(("", "4", "sm_90", "f16", "row", "x" * 40, "<script>", "%s{0}", "sm_90\0", "\0")),
    "not ASCII": lambda r: r.choice(("ｓm_90", "\u2028", "é" * 9, "٤", "\U0001f600", "sm_90\ud800")),
    "long str": lambda r: "x" * 1_000_000,
    "bytes": lambda r: r.choice((b"", b"sm_90", b"\0" * 128, bytearray(99))),
    "list": lambda r: r.choice(([], [1], [1, 2, 3], list(range(32)), [None] * 32, ["a"] * 32, [[1, 2], [3]])),
    "recursive list": _recursive,
    "deep list": _nested,
    "tuple": lambda r: r.choice(((), (1,), (16, 16, 16), ("a", 1))),
    "dict": lambda r: r.choice(({}, {"a": 1}, {1: 2}, {"pad": [1, 2]}, {1, 2})),
    "range": lambda r: range(r.choice((0, 3, 32))),
    "generator": lambda r: (i for i in range(32)),
    "object": lambda r: r.choice((object(), int, np.ndarray, len, np, ..., slice(None), datetime.date(2020, 1, 1))),
    "0-d array": lambda r: np.array(r.choice((4, -1, 16, 4.5))),
    "1-element array": lambda r: np.array([4]),
    "NumPy scalar": lambda r: r.choice((np.int64(4), np.int8(-1), np.uint64(2**63), np.float16(4), np.bool_(True))),
    "str array": lambda r: np.array(r.choice((["a"] * 32, [b"\1"] * 32))),
    "object array": lambda r: np.array([1, None, "a", 2**70] * 8, object),
    "structured array": lambda r: np.zeros(32, [("a", "i4"), ("b", "f2")]),
    "array of another type": lambda r: np.ones(32, r.choice((bool, complex, float, "m8[s]", ml_dtypes.bfloat16, ml_dtypes.int4))),
    "nan array": lambda r: np.full(32, np.nan),
    "empty array": lambda r: np.zeros(r.choice(((0,), (0, 32), (32, 0), (3, 0, 32)))),
    "masked array": lambda r: np.ma.masked_array(np.arange(32) * 16, np.arange(32) % 2),
    "huge broadcast": lambda r: np.broadcast_to(np.uint32(0), (2**40, 32)),
    "many axes": lambda r: np.zeros((1,) * r.choice((7, 8, 30, 63)) + (32,), np.uint32),
    "buffer": lambda r: r.choice((memoryview(bytearray(128)), array.array("I", range(32)), (ctypes.c_uint32 * 32)())),
    "mmap": lambda r: mmap.mmap(-1, 4096),
    "str subclass": lambda r: r.choice(tuple(Word)),
    "lying array": lambda r: np.zeros(r.choice((1, 32, 128)), np.uint32).view(LyingArray),
    **{f"evil: {mode}": _evil(mode, Evil) for mode in MODES},
    **{f"evil array: {mode}": _evil(mode, EvilArray) for mode in MODES},
    "list of evil": lambda r: [Evil(r, r.choice(MODES), i * 16) for i in range(32)],
}  # fmt: skip
KINDS = tuple(ANYTHING)


def _strided(a: np.ndarray) -> np.ndarray:
    wide = np.full((*a.shape[:-1], a.shape[-1] * 3 if a.ndim else 1), 0x55, a.dtype)
    wide[..., 1::3] = a
    return wide[..., 1::3]


def misaligned(a: np.ndarray) -> np.ndarray:
    """The same array a byte beside its alignment."""
    view = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    return view


#: kind -> the same values otherwise: all must give what the contiguous array gives
VIEWS: dict[str, Callable[[np.ndarray], Any]] = {
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "int64": lambda a: a.astype(np.int64),
    "uint64": lambda a: a.astype(np.uint64),
    "object": lambda a: a.astype(object),
    "list": lambda a: a.tolist() if a.size else a,
    "Fortran order": np.asfortranarray,
    "strided": _strided,
    "negative stride": lambda a: np.ascontiguousarray(a[..., ::-1])[..., ::-1],
    "misaligned": misaligned,
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
    "subclass": lambda a: a.view(type("Plain", (np.ndarray,), {})),
    "memoryview": lambda a: memoryview(np.ascontiguousarray(a)),
    "__array__": lambda a: type("Has", (), {"__array__": lambda s, dtype=None, copy=None: a})(),
}
VIEW_KINDS = tuple(VIEWS)
