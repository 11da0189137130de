"""What a kernel that Triton compiled is given for the arguments of its function: tuples and descriptors have parts."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import UnsupportedError, bad_type
from ..values.tensor_map import NAMES, tensor_map

TO_TF32 = "round_f32_to_tf32"  # not of a descriptor before Triton 3.7
SWIZZLES = ("none", "32B", "64B", "128B")  # Triton's numbers of them
Part = tuple[str, Any]


class Pointer:
    """An array as Triton's functions take it: the type of its elements and an address."""

    def __init__(self, array: np.ndarray, dtype: str | None = None) -> None:
        self.array = array
        self.dtype = dtype or array.dtype.name

    def data_ptr(self) -> int:
        return self.array.ctypes.data


def pointers(value: Any) -> Any:
    """The argument with Pointers instead of arrays."""
    if isinstance(value, tuple):
        inner = [pointers(one) for one in value]
        return type(value)(*inner) if hasattr(value, "_fields") else tuple(inner)
    return Pointer(value) if isinstance(value, np.ndarray) else value


def bytes_of(value: Any) -> Any:
    """What the engine takes for an argument: of a tensor the bytes from its first element, whatever its type."""
    if isinstance(value, Pointer):
        return value.array
    if isinstance(value, np.ndarray | np.generic) or not hasattr(value, "data_ptr"):
        return value
    if getattr(getattr(value, "device", None), "type", "cpu") != "cpu":
        raise bad_type("args", f"expected tensors on the CPU, got one on {value.device}")
    if 0 in value.shape:
        return np.empty(0, np.uint8)
    storage = value.untyped_storage()  # of a view as well: kernels reach beyond those, as CUDA lets them
    nbytes = storage.data_ptr() + storage.nbytes() - value.data_ptr()
    held = (ctypes.c_uint8 * nbytes).from_address(value.data_ptr())
    return np.frombuffer(held, np.uint8)


def _map(descriptor: Any, made: Mapping[str, Any]) -> Any:
    """The tensor map that Triton's launcher would make of a descriptor; `made`: what the compiler chose for it."""
    if made.get("is_im2col"):
        raise UnsupportedError("descriptors of im2col mode are not modelled; use those of TensorDescriptor")
    nbytes = made["elem_size"]
    name = NAMES.get(str(descriptor.base.dtype).rpartition(".")[2], "u8") if nbytes > 1 else "u8"
    dims = [int(one) for one in reversed(descriptor.shape)]
    dims[0] *= 2 if made["fp4_padded"] else 1
    return tensor_map(
        bytes_of(descriptor.base), [int(one) for one in reversed(made["block_size"])], dims=dims,
        strides=[int(one) * nbytes for one in reversed(descriptor.strides[:-1])], swizzle=SWIZZLES[made["swizzle"]],
        fill="nan" if descriptor.padding == "nan" else "none",
        dtype="tf32" if getattr(descriptor, TO_TF32, False) else name,
    )  # fmt: skip


def _descriptor(name: str, descriptor: Any, made: Mapping[str, Any] | None) -> Iterator[Part]:
    """A tensor map, or where the target has none what it is made of; shape and strides follow, once more."""
    extents = [(f"{name}.shape[{i}]", one) for i, one in enumerate(descriptor.shape)]
    extents += [(f"{name}.strides[{i}]", one) for i, one in enumerate(descriptor.strides)]
    if made is None:
        yield from ((name, bytes_of(descriptor.base)), *extents)
        yield f"{name}.padding", int(descriptor.padding == "nan")
        if hasattr(descriptor, TO_TF32):
            yield f"{name}.{TO_TF32}", int(getattr(descriptor, TO_TF32))
    else:
        yield name, _map(descriptor, made)
    yield from extents


def arrays(name: str, value: Any) -> Iterator[Part]:
    """The arrays that an argument is made of, by name."""
    if isinstance(value, tuple | list):
        for i, one in enumerate(value):
            yield from arrays(f"{name}[{i}]", one)
        return
    found = bytes_of(value.base if hasattr(value, "block_shape") else value)
    if isinstance(found, np.ndarray):
        yield name, found


def parts(signature: Mapping[str, Any], values: Mapping[str, Any], made: Sequence[Mapping[str, Any]]) -> list[Part]:
    """The parameters of the kernel by name; `signature`: Triton's, `made`: its metadata of each descriptor."""
    chosen = iter(made)

    def visit(name: str, kind: Any, value: Any) -> Iterator[Part]:
        if isinstance(kind, tuple):
            for i, (inner, one) in enumerate(zip(kind, value, strict=True)):
                yield from visit(f"{name}[{i}]", inner, one)
        elif kind.startswith("tensordesc"):
            yield from _descriptor(name, value, next(chosen, None))
        elif kind != "constexpr":
            yield name, bytes_of(value)

    return [part for name, kind in signature.items() for part in visit(name, kind, values[name])]
