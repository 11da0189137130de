"""The instructions: one class each, and parse, which makes them of PTX text."""

from __future__ import annotations

from typing import Any, Self

from numpy.typing import ArrayLike

from .. import _core
from .._core import Result
from ..errors import bad_type
from ..memory.memory import Memory
from .base import DataMovement
from .suggest import told


def _named_shape(shape: object) -> None:
    """A number in its place is probably that of the matrices."""
    if isinstance(shape, int) and shape in (1, 2, 4):
        raise bad_type("shape", f"expected a str such as 'm8n8', got int; did you mean num={int(shape)}?")


class Ldmatrix(DataMovement):
    """ldmatrix: collectively loads matrices from shared memory.

    `shape` "m8n8" (type "b16"), "m16n16" ("b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"; `trans`
    mandatory) or "m8n16" (the packed formats, and "s8.s4"); `num` 1, 2 or 4 (m16n16: 1, 2);
    `space` "shared", "shared::cta" or "" for generic addresses. Combinations that do not exist
    are UnsupportedError. Source: "Warp-level matrix load instruction: ldmatrix" of the PTX ISA.
    A 4-bit code comes out in the low bits of its byte: see `warpsim.fp4_to_mma`.

    >>> import warpsim as ws
    >>> ws.Ldmatrix(num=4, trans=True).ptx
    'ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16'
    """

    __slots__ = ()
    _fields = ("shape", "num", "trans", "space", "type")

    def __new__(
        cls, shape: str = "m8n8", num: int = 1, trans: bool = False, space: str = "shared", type: str = "b16"
    ) -> Self:
        _named_shape(shape)
        fields = dict(kind="ldmatrix", shape=shape, num=num, trans=trans, space=space, type=type)
        return _core.Op.__new__(cls, fields)


class Stmatrix(DataMovement):
    """stmatrix: collectively stores matrices to shared memory.

    `shape` "m8n8" (type "b16", `trans` optional) or "m16n8" (type "b8", `trans` mandatory). Where
    rows overlap, a later matrix wins over an earlier one and inside a matrix the lowest row wins
    (measured on an H200; PTX leaves it open). Source: "Warp-level matrix store instruction:
    stmatrix" of the PTX ISA.
    """

    __slots__ = ()
    _fields = ("shape", "num", "trans", "space", "type")

    def __new__(
        cls, shape: str = "m8n8", num: int = 1, trans: bool = False, space: str = "shared", type: str = "b16"
    ) -> Self:
        _named_shape(shape)
        fields = dict(kind="stmatrix", shape=shape, num=num, trans=trans, space=space, type=type)
        return _core.Op.__new__(cls, fields)


class Movmatrix(DataMovement):
    """movmatrix.m8n8.trans.b16: transposes an 8x8 matrix across the registers of a warp.

    Source: "Warp-level matrix transpose instruction: movmatrix" of the PTX ISA.
    """

    __slots__ = ()
    _fixed = ("shape", "num", "trans", "type")

    def __new__(cls) -> Self:
        fields = dict(kind="movmatrix", shape="m8n8", num=1, trans=True, type="b16")
        return _core.Op.__new__(cls, fields)


class Ld(DataMovement):
    """ld: every lane loads `vec` values of `type`, at most 16 bytes.

    `type` b8 to b64, u8 to u64, s8 to s64, f32, f64; a narrow value is zero- or sign-extended to
    32 bits. `space` "shared", "shared::cta", "global" or "" for generic. Source: "Data Movement
    and Conversion Instructions: ld" of the PTX ISA.
    """

    __slots__ = ()
    _fields = ("space", "vec", "type")

    def __new__(cls, space: str = "shared", vec: int = 1, type: str = "b32") -> Self:
        return _core.Op.__new__(cls, dict(kind="ld", space=space, vec=vec, type=type))


class St(DataMovement):
    """st: every lane stores `vec` values of `type`, at most 16 bytes; the mirror of Ld."""

    __slots__ = ()
    _fields = ("space", "vec", "type")

    def __new__(cls, space: str = "shared", vec: int = 1, type: str = "b32") -> Self:
        return _core.Op.__new__(cls, dict(kind="st", space=space, vec=vec, type=type))


class CpAsync(DataMovement):
    """cp.async.{ca,cg}.shared.global: every lane copies `size` bytes from global to shared memory.

    `size` 4, 8 or 16; "cg" copies 16 bytes only. Its write side has rules of its own: rows padded
    by 16 bytes cost .cg 2.6 to 6 times the wavefronts that the bank rule promises (measured on
    an H200). Source: "Data Movement and Conversion Instructions: cp.async" of the PTX ISA.
    """

    __slots__ = ()
    _fields = ("size", "cache")

    def __new__(cls, size: int = 16, cache: str = "cg") -> Self:
        return _core.Op.__new__(cls, dict(kind="cp.async", size=size, cache=cache))


class WmmaLoad(DataMovement):
    """wmma.load.{a,b,c}: collectively loads a matrix of a warp-level product.

    `operand` "a", "b" or "c"; `layout` "row" or "col"; `shape` m16n16k16, m8n32k16, m32n8k16 (f16,
    bf16, s8, u8; c: f16, f32, s32), m16n16k8 (tf32; c: f32), m8n8k4 (f64), m8n8k32 (s4, u4;
    c: s32), m8n8k128 (b1; c: s32); `space` "shared", "shared::cta", "global" or "". execute takes p
    as address, the same for all lanes, and `stride` in elements. PTX leaves open which lane holds
    what: the maps are those observed on sm_80 and later. Source: "Warp-level Matrix Load
    Instruction: wmma.load" of the PTX ISA.
    """

    __slots__ = ()
    _fixed = ("default_stride",)
    _fields = ("operand", "layout", "shape", "space", "type")

    def __new__(
        cls, operand: str = "a", layout: str = "row", shape: str = "m16n16k16", space: str = "shared", type: str = "f16"
    ) -> Self:
        fields = dict(kind="wmma.load", operand=operand, layout=layout, shape=shape, space=space, type=type)
        return _core.Op.__new__(cls, fields)


class WmmaStore(DataMovement):
    """wmma.store.d: collectively stores the result of a warp-level product; see WmmaLoad.

    `type` f16, f32 or s32 (the k16 shapes), f32 (m16n16k8), f64 (m8n8k4), s32 (m8n8k32, m8n8k128).
    Source: "Warp-level Matrix Store Instruction: wmma.store" of the PTX ISA.
    """

    __slots__ = ()
    _fixed = ("default_stride",)
    _fields = ("layout", "shape", "space", "type")

    def __new__(cls, layout: str = "row", shape: str = "m16n16k16", space: str = "shared", type: str = "f32") -> Self:
        fields = dict(kind="wmma.store", operand="d", layout=layout, shape=shape, space=space, type=type)
        return _core.Op.__new__(cls, fields)


for _kind, _class in {
    "ldmatrix": Ldmatrix,
    "stmatrix": Stmatrix,
    "movmatrix": Movmatrix,
    "ld": Ld,
    "st": St,
    "cp.async": CpAsync,
    "wmma.load": WmmaLoad,
    "wmma.store": WmmaStore,
}.items():
    _core.register_class(_kind, _class)


def parse(text: str) -> Any:
    """The Instruction that a PTX text is: an opcode with its qualifiers, or a whole statement.

    A DataMovement, or for mma, mma.sp and wmma.mma an Mma or a WmmaMma; the text alone tells which.

    Qualifiers may be in any order that NVIDIA's assembler takes; with operands, their number and
    form are checked. PtxSyntaxError for malformed text and unknown words, UnsupportedError for
    combinations that are legal nowhere and for legal forms that are not modelled.

    >>> import warpsim as ws
    >>> ws.parse("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%r1, %r2}, [%rd1+16];")
    Ldmatrix(shape='m8n8', num=2, trans=False, space='shared', type='b16')
    """
    if not isinstance(text, str):
        raise bad_type("text", f"expected a str, got {type(text).__name__}")
    found = _core.parsed(text, told)
    if isinstance(found, Exception):
        try:
            raise found from None  # once: each frame between costs time
        finally:
            del found  # which its traceback holds
    return found


def ldmatrix(
    memory: Memory,
    address: ArrayLike,
    *,
    shape: str = "m8n8",
    num: int = 1,
    trans: bool = False,
    space: str = "shared",
    type: str = "b16",
    **options: Any,
) -> Result:
    """The Result of such an Ldmatrix; `options` are keywords of `DataMovement.execute`.

    >>> import numpy as np, warpsim as ws
    >>> memory = ws.SharedMemory(np.arange(64, dtype=np.uint16))       # an 8x8 matrix
    >>> row_addresses = np.arange(32) % 8 * 16
    >>> hex(ws.ldmatrix(memory, row_addresses).registers[5, 0])        # lane 5: row 1, columns 2, 3
    '0xb000a'
    """
    return Ldmatrix(shape, num, trans, space, type).execute(memory, address, **options)


def stmatrix(
    memory: Memory,
    address: ArrayLike,
    registers: ArrayLike,
    *,
    shape: str = "m8n8",
    num: int = 1,
    trans: bool = False,
    space: str = "shared",
    type: str = "b16",
    **options: Any,
) -> Result:
    """The Result of such an Stmatrix; `options` are keywords of `DataMovement.execute`."""
    return Stmatrix(shape, num, trans, space, type).execute(memory, address, registers, **options)


def movmatrix(registers: ArrayLike, **options: Any) -> Result:
    """The Result of a Movmatrix; `options` are keywords of `DataMovement.execute`."""
    return Movmatrix().execute(None, None, registers, **options)


def wmma_load(
    memory: Memory,
    address: ArrayLike,
    *,
    operand: str = "a",
    layout: str = "row",
    shape: str = "m16n16k16",
    space: str = "shared",
    type: str = "f16",
    **options: Any,
) -> Result:
    """The Result of such a WmmaLoad; `options` are keywords of `DataMovement.execute`."""
    return WmmaLoad(operand, layout, shape, space, type).execute(memory, address, **options)


def wmma_store(
    memory: Memory,
    address: ArrayLike,
    registers: ArrayLike,
    *,
    layout: str = "row",
    shape: str = "m16n16k16",
    space: str = "shared",
    type: str = "f32",
    **options: Any,
) -> Result:
    """The Result of such a WmmaStore; `options` are keywords of `DataMovement.execute`."""
    return WmmaStore(layout, shape, space, type).execute(memory, address, registers, **options)
