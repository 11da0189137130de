"""Memory images that instructions work on.

Addresses are byte addresses: offsets in the shared window (32 bits), 64-bit addresses for
global and generic accesses ("State Spaces" and "Generic Addressing" of the PTX ISA).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .. import _core, arguments
from ..arrays import array_of_tensor
from ..errors import bad_type, bad_value
from ..numpy_types import dtype_of

SHARED_WINDOW, SHARED_WINDOW_BYTES = _core.SHARED_WINDOW, _core.SHARED_WINDOW_BYTES

Extent = tuple[NDArray[np.uint8] | None, int, NDArray[np.uint8] | None, int, int]


class _Image(_core.Image):
    """Bytes with a base address."""

    _address_bits: int
    _space: str

    def __init__(self, storage: Any, *, base: int) -> None:
        first = arguments.whole("base", base)
        held = _bytes_of(storage, 2**self._address_bits)
        if first < 0 or first + held.size > 2**self._address_bits:
            raise bad_value(
                "base",
                f"{held.size} bytes at {arguments.shown(base)} do not fit into the"
                f" {self._address_bits}-bit addresses of {self._space} memory",
            )
        self._hold(held, first, self._space == "shared")

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self._held(), self._base)

    @property
    def bytes(self) -> NDArray[np.uint8]:
        """All bytes, as a uint8 array over the same storage."""
        return self._held().view()

    @property
    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._bytes.size

    @property
    def base(self) -> int:
        """Address of the first byte."""
        return self._base

    def view(self, dtype: DTypeLike, shape: int | tuple[int, ...], offset: int = 0) -> NDArray[Any]:
        """An array of `shape` and `dtype` over the bytes that begin at `offset`.

        Nothing is copied: writing to it writes the memory. ml_dtypes types work; its 6- and 4-bit
        types take one byte an element. A view that does not fit is a ValueError.
        """
        kind = dtype_of("dtype", dtype)
        one = isinstance(shape, int | np.integer)
        dims = (shape,) if one else arguments.several("shape", shape, 64)
        sizes = tuple(arguments.whole("shape", size) for size in dims)
        begin = arguments.whole("offset", offset)
        count = math.prod(sizes) * kind.itemsize
        if begin < 0 or any(size < 0 for size in sizes) or begin + count > self.nbytes:
            raise bad_value(
                "view",
                f"shape {arguments.shown(shape)} of {kind} at offset"
                f" {arguments.shown(offset)} needs {arguments.shown(count)} bytes, the memory has"
                f" {self.nbytes}",
            )
        if kind.hasobject or not kind.itemsize:
            raise bad_type("dtype", f"expected plain numbers, got {kind}")
        try:
            return self._held()[begin : begin + count].view(kind).reshape(sizes)
        except (ValueError, OverflowError) as error:  # sizes beyond NumPy's own
            raise bad_value("shape", f"{error}") from error

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nbytes}, base={self.base:#x})"


def _bytes_of(storage: Any, most: int) -> NDArray[np.uint8]:
    """The bytes of an array, without a copy, or new zeros."""
    if isinstance(storage, np.ndarray):
        given = arguments.array("storage", storage)
        if not given.flags.c_contiguous:
            raise bad_value("storage", "expected a C-contiguous ndarray, got one with gaps")
        if given.dtype.hasobject:
            raise bad_type("storage", f"expected plain numbers, got dtype {given.dtype}")
        return given.reshape(-1).view(np.uint8)
    if isinstance(storage, bytes | bytearray | memoryview):
        try:
            return np.frombuffer(storage, np.uint8)
        except (BufferError, ValueError) as error:
            raise bad_value("storage", f"expected a C-contiguous buffer that is not released: {error}") from error
    if hasattr(storage, "__dlpack__"):
        return _bytes_of(_of_tensor(storage), most)
    if isinstance(storage, bool) or not isinstance(storage, int | np.integer):
        expected = "a number of bytes, bytes, an ndarray or a tensor of the CPU"
        raise bad_type("storage", f"expected {expected}, got {type(storage).__name__}")
    count = arguments.whole("storage", storage)
    if not 0 <= count <= most:
        raise bad_value("storage", f"expected 0 or more bytes, at most {most}; got {arguments.shown(storage)}")
    try:
        return np.zeros(count, np.uint8)
    except (MemoryError, ValueError) as error:
        raise MemoryError(f"storage: no memory for {count} bytes") from error


def _of_tensor(storage: Any) -> NDArray[Any]:
    """The array that shares the memory of a tensor (torch, jax ... by DLPack)."""
    try:
        return array_of_tensor(storage)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise bad_type(
            "storage", f"expected a tensor in the CPU's memory: {error}; try .cpu(), .detach(), .view(torch.uint8)"
        ) from error


def _made_again(kind: type[SharedMemory] | type[GlobalMemory], storage: NDArray[np.uint8], base: int) -> _Image:
    return kind(storage, base=base)


class SharedMemory(_Image):
    """Shared memory of a block: `nbytes` zero bytes, or a C-contiguous ndarray, tensor or bytes without a copy.

    `base` is the shared address of the first byte: 0 for offsets, 1024 where absolute addresses
    are meant (the system owns the first 1024 bytes on sm_80 and later).

    >>> import warpsim as ws
    >>> ws.SharedMemory(1024).view("float16", (16, 16)).shape
    (16, 16)
    """

    _address_bits = 32
    _space = "shared"

    def __init__(self, storage: Any, *, base: int = 0) -> None:
        super().__init__(storage, base=base)

    def _extent(self) -> Extent:
        return self._held(), self._base, None, 0, SHARED_WINDOW


class GlobalMemory(_Image):
    """Global memory: `nbytes` zero bytes, or a C-contiguous ndarray, tensor or bytes without a copy."""

    _address_bits = 64
    _space = "global"

    def __init__(self, storage: Any, *, base: int = 0x7F00_0000_0000) -> None:
        super().__init__(storage, base=base)

    def _extent(self) -> Extent:
        return None, 0, self._held(), self._base, SHARED_WINDOW


class AddressSpace:
    """Shared and global memory together, for generic addresses and cp.async.

    A generic address in [shared_window, shared_window + 2**24) is shared; in the range of the
    global memory it is global; anywhere else it is nowhere.
    """

    def __init__(
        self,
        shared: SharedMemory | None = None,
        global_: GlobalMemory | None = None,
        shared_window: int = SHARED_WINDOW,
    ) -> None:
        if shared is not None and not isinstance(shared, SharedMemory):
            raise bad_type("shared", f"expected a SharedMemory, got {type(shared).__name__}")
        if global_ is not None and not isinstance(global_, GlobalMemory):
            raise bad_type("global_", f"expected a GlobalMemory, got {type(global_).__name__}")
        shared_window = arguments.whole("shared_window", shared_window)
        if shared_window % SHARED_WINDOW_BYTES or not 0 <= shared_window < 2**64:
            raise bad_value(
                "shared_window", f"expected a multiple of 2**24 below 2**64, got {arguments.shown(shared_window)}"
            )
        end = shared_window + SHARED_WINDOW_BYTES
        if global_ is not None and global_.base < end and shared_window < (global_.base + global_.nbytes):
            raise bad_value("global_", f"{global_!r} overlaps the shared window, which begins at {shared_window:#x}")
        self.shared = shared
        self.global_ = global_
        self.shared_window = shared_window

    def _extent(self) -> Extent:
        shared = EMPTY if self.shared is None else self.shared._extent()
        global_ = EMPTY if self.global_ is None else self.global_._extent()
        return (*shared[:2], *global_[2:4], self.shared_window)

    def __reduce__(self) -> tuple[Any, ...]:
        return AddressSpace, (self.shared, self.global_, self.shared_window)

    def __repr__(self) -> str:
        return f"AddressSpace(shared={self.shared!r}, global_={self.global_!r}, shared_window={self.shared_window:#x})"


Memory = SharedMemory | GlobalMemory | AddressSpace
EMPTY: Extent = (None, 0, None, 0, SHARED_WINDOW)


def extent_for(memory: object, space: str, kind: str) -> Extent:
    """The images that an instruction of this state space works on; TypeError if it cannot."""
    needs_space = kind == "cp.async" or space == ""
    if kind == "movmatrix":
        if memory is not None:
            raise bad_type("memory", "movmatrix uses no memory, pass None")
        return EMPTY
    if isinstance(memory, AddressSpace):
        return memory._extent()
    wanted = AddressSpace if needs_space else GlobalMemory if space == "global" else SharedMemory
    if isinstance(memory, wanted):
        return memory._extent()
    why = f"{kind} with generic addresses" if space == "" and needs_space else f"{kind}.{space}"
    if kind == "cp.async":
        why = kind
    also = "" if needs_space else " (or an AddressSpace)"
    raise bad_type("memory", f"{why} needs a {wanted.__name__}{also}, got {type(memory).__name__}")
