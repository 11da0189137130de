"""What nobody should pass, kind by kind: each entry makes a value from a random.Random."""

from __future__ import annotations

import array
import ctypes
import datetime
import enum
import itertools
import mmap
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import ml_dtypes
import numpy as np

Maker = Callable[[Random], Any]
MEGABYTE = "x" * 1_000_000
HUGE = 10**5000


class Planted(Exception):
    """Raised by objects of this file alone: may come out of any call that was given one."""


class PlantedExit(BaseException):
    """The same, where only BaseException catches it, as KeyboardInterrupt."""


JUNK: tuple[Any, ...] = (
    None, "", "sm_90", b"", 0, -1, 2**70, 1.5, float("nan"), (), [], {}, [1, "a"], object, (1, 2, 3),
)  # fmt: skip

#: what an evil object does when it is looked at: session puts something here that changes the world
MISCHIEF: list[Callable[[], object]] = [lambda: None]


class Evil:
    """Answers every question of Python's by raising, by nonsense, or after some mischief."""

    def __init__(
        self, random: Random, mode: str, value: Any = 3, methods: frozenset[str] = frozenset()
    ):
        # set past __setattr__: nothing here may run the mischief early
        self.__dict__.update(random=random, mode=mode, value=value, methods=methods, looks=0)

    def _answer(self, name: str, truth: Any) -> Any:
        self.__dict__["looks"] += 1
        mode = self.__dict__["mode"]
        if mode == "raises":
            raise Planted(name)
        if mode == "exits":
            raise PlantedExit(name)
        if mode == "nonsense":
            return self.__dict__["random"].choice(JUNK)
        if mode == "shifts":  # another answer each time
            return truth + self.looks if isinstance(truth, int) else truth
        if mode == "mischief":
            MISCHIEF[0]()
        return truth

    def __index__(self) -> int:
        return self._answer("__index__", self.value)

    def __int__(self) -> int:
        return self._answer("__int__", self.value)

    def __float__(self) -> float:
        return self._answer("__float__", 1.0)

    def __len__(self) -> int:
        return self._answer("__len__", 32)

    def __iter__(self) -> Iterator[Any]:
        return self._answer("__iter__", iter((1, 2, 3)))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and key >= 32:
            raise IndexError(key)
        return self._answer("__getitem__", 16)

    def __contains__(self, item: object) -> bool:
        return self._answer("__contains__", True)

    def __bool__(self) -> bool:
        return self._answer("__bool__", True)

    def __eq__(self, other: object) -> bool:
        return self._answer("__eq__", True)

    def __lt__(self, other: object) -> bool:
        return self._answer("__lt__", False)

    __gt__ = __le__ = __ge__ = __lt__

    def __hash__(self) -> int:
        return self._answer("__hash__", 7)

    def __repr__(self) -> str:
        return self._answer("__repr__", "<Evil>")

    def __str__(self) -> str:
        return self._answer("__str__", "sm_90")

    def __format__(self, spec: str) -> str:
        return self._answer("__format__", "evil")

    def __fspath__(self) -> str:
        return self._answer("__fspath__", "/nonexistent/evil")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._answer("__call__", 1)


class EvilArray(Evil):
    """The same with `__array__`."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._answer("__array__", np.arange(32) * 16)


class EvilAttributes(Evil):
    """The same with every attribute there is."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._answer(name, 3)


class LyingInt(int):
    """An int whose comparisons and conversions lie."""

    def __index__(self) -> int:
        return 2**40

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __lt__

    def __le__(self, other: object) -> bool:
        return True

    __ge__ = __le__

    def __mod__(self, other: object) -> int:
        return 0

    __rmod__ = __mod__

    def __add__(self, other: object) -> int:
        return 0

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __abs__ = __neg__ = __add__

    def __hash__(self) -> int:
        return 90

    def __repr__(self) -> str:
        return "1"


class LyingStr(str):
    """A str that is equal to every other."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return hash("sm_90")

    def __contains__(self, other: object) -> bool:
        return True

    def __len__(self) -> int:
        return 3


class LyingArray(np.ndarray):
    """An ndarray that lies about its shape, dtype and flags, and cannot be viewed."""

    @property
    def shape(self) -> Any:
        return (4, 32, 4)

    @property
    def dtype(self) -> Any:
        return np.dtype(np.uint32)

    @property
    def flags(self) -> Any:
        return np.zeros(1).flags

    @property
    def size(self) -> int:
        return 2**40

    @property
    def nbytes(self) -> int:
        return 2**40

    def reshape(self, *shape: Any, **options: Any) -> Any:
        return "no array"

    def view(self, *args: Any, **options: Any) -> Any:
        return (1, 2, 3)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise Planted("__setitem__")


class RaisingArray(np.ndarray):
    """An ndarray whose NumPy protocols raise."""

    def __array_ufunc__(self, *args: Any, **options: Any) -> Any:
        raise Planted("__array_ufunc__")

    def __array_function__(self, *args: Any, **options: Any) -> Any:
        raise Planted("__array_function__")

    def __array_wrap__(self, *args: Any, **options: Any) -> Any:
        raise Planted("__array_wrap__")


class Word(enum.StrEnum):
    TARGET = "sm_90"
    TYPE = "f16"


class Number(enum.IntEnum):
    ONE = 1
    FOUR = 4


def _recursive(_: Random) -> Any:
    items: list[Any] = [1]
    items.append(items)
    return items


def _deep(_: Random) -> Any:
    items: Any = 1
    for _i in range(500):
        items = [items]
    return items


def _evil(mode: str, cls: type[Evil] = Evil) -> Maker:
    return lambda r: cls(r, mode, r.choice((0, 1, 3, 4, 2**31, 2**64, -1)))


def _released(_: Random) -> Any:
    view = memoryview(bytearray(256))
    view.release()
    return view


MODES = ("raises", "exits", "nonsense", "shifts", "mischief", "truth")

#: kind -> value: for any argument whatever
ANYTHING: dict[str, Maker] = {
    "None": lambda r: None,
    "bool": lambda r: r.random() < 0.5,
    "-1": lambda r: -1,
    "0": lambda r: 0,
    "small int": lambda r: r.randrange(-5, 70),
    "2**24": lambda r: 2**24,
    "2**31": lambda r: r.choice((2**31, -(2**31), 2**31 - 1)),
    "2**32": lambda r: r.choice((2**32, 2**32 - 1)),
    "2**62": lambda r: 2**62,
    "2**63": lambda r: r.choice((2**63, -(2**63), 2**63 - 1)),
    "2**64": lambda r: r.choice((2**64, 2**64 - 1)),
    "2**200": lambda r: r.choice((2**200, -(2**200))),
    "10**5000": lambda r: HUGE,
    "float": lambda r: r.choice((1.0, 0.5, -0.0, 1e300, 4.0)),
    "nan": lambda r: float("nan"),
    "inf": lambda r: r.choice((float("inf"), -float("inf"))),
    "Fraction": lambda r: Fraction(4),
    "Decimal": lambda r: r.choice((Decimal(4), Decimal("sNaN"))),
    "complex": lambda r: 4j,
    "str": lambda r: r.choice(("", "4", "sm_90", "f16", "row", "x" * 40, "<script>", "%s{0}")),
    "str with NUL": lambda r: r.choice(("sm_90\0", "\0", "f16\0x")),
    "surrogate": lambda r: "sm_90\ud800",
    "not ASCII": lambda r: r.choice(("ｓm_90", "\u2028", "é" * 9, "٤", "\U0001f600")),
    "long str": lambda r: MEGABYTE,
    "bytes": lambda r: r.choice((b"", b"sm_90", b"\0" * 128)),
    "bytearray": lambda r: bytearray(r.randrange(0, 300)),
    "list": lambda r: r.choice(([], [1], [1, 2, 3], list(range(32)), [None] * 32, ["a"] * 32)),
    "ragged list": lambda r: [[1, 2], [3]],
    "recursive list": _recursive,
    "deep list": _deep,
    "tuple": lambda r: r.choice(((), (1,), (16, 16, 16), ("a", 1))),
    "dict": lambda r: r.choice(({}, {"a": 1}, {1: 2}, {"pad": [1, 2]})),
    "set": lambda r: {1, 2},
    "range": lambda r: range(r.choice((0, 3, 32))),
    "generator": lambda r: (i for i in range(32)),
    "object": lambda r: object(),
    "class": lambda r: r.choice((int, np.ndarray, Evil)),
    "function": lambda r: len,
    "module": lambda r: np,
    "Ellipsis": lambda r: ...,
    "slice": lambda r: slice(None),
    "date": lambda r: datetime.date(2020, 1, 1),
    "0-d array": lambda r: np.array(r.choice((4, -1, 16))),
    "0-d float": lambda r: np.array(4.5),
    "1-element array": lambda r: np.array([4]),
    "NumPy int": lambda r: r.choice((np.int64(4), np.uint8(4), np.int8(-1), np.uint64(2**63))),
    "NumPy float": lambda r: np.float16(4),
    "NumPy bool": lambda r: np.bool_(True),
    "datetime64": lambda r: np.datetime64("2020-01-01"),
    "str array": lambda r: np.array(["a"] * 32),
    "bytes array": lambda r: np.array([b"\1"] * 32),
    "object array": lambda r: np.array([1, None, "a", 2**70] * 8, object),
    "structured array": lambda r: np.zeros(32, [("a", "i4"), ("b", "f2")]),
    "bool array": lambda r: np.ones(32, bool),
    "complex array": lambda r: np.ones(32, complex),
    "float array": lambda r: np.arange(32.0),
    "nan array": lambda r: np.full(32, np.nan),
    "timedelta array": lambda r: np.zeros(32, "m8[s]"),
    "empty array": lambda r: np.zeros(r.choice(((0,), (0, 32), (32, 0), (3, 0, 32)))),
    "bf16 array": lambda r: np.ones(32, ml_dtypes.bfloat16),
    "int4 array": lambda r: np.ones(32, ml_dtypes.int4),
    "masked array": lambda r: np.ma.masked_array(np.arange(32) * 16, np.arange(32) % 2),
    "huge broadcast": lambda r: np.broadcast_to(np.uint32(0), (2**40, 32)),
    "many axes": lambda r: np.zeros((1,) * r.choice((7, 8, 30, 63)) + (32,), np.uint32),
    "released memoryview": _released,
    "memoryview": lambda r: memoryview(bytearray(128)),
    "array.array": lambda r: array.array("I", range(32)),
    "ctypes array": lambda r: (ctypes.c_uint32 * 32)(),
    "mmap": lambda r: mmap.mmap(-1, 4096),
    "int subclass": lambda r: r.choice((Number.ONE, Number.FOUR)),
    "lying int": lambda r: LyingInt(r.choice((1, 4, 32, 2**80))),
    "str subclass": lambda r: r.choice(tuple(Word)),
    "lying str": lambda r: LyingStr(r.choice(("sm_70", "8.0", "x"))),
    "lying array": lambda r: np.zeros(r.choice((1, 32, 128)), np.uint32).view(LyingArray),
    "raising array": lambda r: np.zeros(32, np.uint32).view(RaisingArray),
    **{f"evil: {mode}": _evil(mode) for mode in MODES},
    **{f"evil array: {mode}": _evil(mode, EvilArray) for mode in MODES},
    **{f"evil attributes: {mode}": _evil(mode, EvilAttributes) for mode in MODES},
    "list of evil": lambda r: [Evil(r, r.choice(MODES), i * 16) for i in range(32)],
}  # fmt: skip
KINDS = tuple(ANYTHING)

#: only for arguments that are read as an iterable to its end: these have none
ENDLESS: dict[str, Maker] = {
    "count()": lambda r: itertools.count(),
    "repeat()": lambda r: itertools.repeat(r.choice((0, 1, None))),
    "cycle()": lambda r: itertools.cycle((8, 16)),
}


def anything(random: Random) -> tuple[str, Any]:
    """(kind, value) of one thing that an argument is not meant to be."""
    kind = random.choice(KINDS)
    return kind, ANYTHING[kind](random)


# --- arrays with the right values in the wrong clothes -----------------------------------------


def _misaligned(a: np.ndarray, _: Random) -> np.ndarray:
    raw = np.zeros(a.nbytes + 1, np.uint8)
    view = raw[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    return view


def _strided(a: np.ndarray, _: Random) -> np.ndarray:
    wide = np.full((*a.shape[:-1], a.shape[-1] * 3 if a.ndim else 1), 0x55, a.dtype)
    view = wide[..., 1::3]
    view[...] = a
    return view


def _reversed(a: np.ndarray, _: Random) -> np.ndarray:
    return np.ascontiguousarray(a[..., ::-1])[..., ::-1]


def _read_only(a: np.ndarray, _: Random) -> np.ndarray:
    view = a.copy()
    view.flags.writeable = False
    return view


def _buffer(a: np.ndarray, _: Random) -> Any:
    """A memoryview of many axes, which NumPy takes as it is."""
    return memoryview(np.ascontiguousarray(a))


class Plain(np.ndarray):
    """An honest subclass."""


#: kind -> the same values otherwise: all must give what the contiguous array gives
VIEWS: dict[str, Callable[[np.ndarray, Random], Any]] = {
    "contiguous": lambda a, r: a,
    "copy": lambda a, r: a.copy(),
    "big-endian": lambda a, r: a.astype(a.dtype.newbyteorder(">")),
    "int64": lambda a, r: a.astype(np.int64),
    "uint64": lambda a, r: a.astype(np.uint64),
    "object": lambda a, r: a.astype(object),
    "list": lambda a, r: a.tolist(),
    "tuple": lambda a, r: tuple(a.tolist()) if a.ndim else int(a),
    "Fortran order": lambda a, r: np.asfortranarray(a),
    "strided": _strided,
    "negative stride": _reversed,
    "misaligned": _misaligned,
    "read-only": _read_only,
    "subclass": lambda a, r: a.view(Plain),
    "memoryview": _buffer,
    "__array__": lambda a, r: type("Has", (), {"__array__": lambda s, dtype=None, copy=None: a})(),
    "evil ints": lambda a, r: _evil_ints(a, r),
}


def _evil_ints(a: np.ndarray, r: Random) -> Any:
    """A list of lists of objects that have nothing but an honest __index__."""
    box = np.empty(a.shape, object)
    flat = box.reshape(-1)
    for i, value in enumerate(a.reshape(-1).tolist()):
        flat[i] = Evil(r, "truth", value)
    return box


VIEW_KINDS = tuple(VIEWS)
