"""How fast the tensor cores of a GPU multiply each type.

The constants `dense_fma` and `mma_interval` of a target are those of f16 with f32 accumulators. Here is what follows
for other types and products. Sources: NVIDIA's architecture whitepapers (Turing, A100, GA102, Ada, H100, Blackwell)
and data sheets, dense rates; tests/time/test_tensor_rates.py compares them, product by product.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core, arguments
from .._engine.statement import Product
from ..errors import UnsupportedError
from .architecture import Arch, profile_of

SUMS = ("f32", "f16", "s32")


@dataclass(frozen=True, slots=True)
class _Type:
    """A type of A and B: its bits, what can sum it, its rate against f16, the first target that multiplies it."""

    bits: int
    sums: tuple[str, ...]
    rate: float
    first: int


TYPES = {
    "f16": _Type(16, ("f32", "f16"), 1, 75),
    "bf16": _Type(16, ("f32",), 1, 80),
    "tf32": _Type(32, ("f32",), 0.5, 80),
    "s8": _Type(8, ("s32",), 2, 75),
    "u8": _Type(8, ("s32",), 2, 75),
    "e4m3": _Type(8, ("f32", "f16"), 2, 89),
    "e5m2": _Type(8, ("f32", "f16"), 2, 89),
}

#: targets whose mma.sync reaches the peak: all types take as long an instruction
AT_PEAK = (75, 80, 86, 87, 89, 120, 121)
#: on sm_90 all of these were timed alike on an H100: 6.5 to 6.63 cycles an instruction and sub-partition (e4m3: each of
#: its two products, in main loops on an H200)
TIMED = {90: ("f16", "bf16", "tf32", "s8", "u8", "e4m3"), 103: ("f16", "bf16")}
#: targets for which the assembler makes two products of f16 of an mma.sync of e4m3 or e5m2 (machine code of CUDA 13)
UNPACKED = (90, 100, 101, 103, 110)


@dataclass(frozen=True, slots=True)
class Rate:
    """Tensor pipes of an SM for one type: FMA per cycle at the peak, cycles of a sub-partition per mma.sync.

    `assumed`: why they are a guess; empty where they are not. `profile`: the SM's constants with these.
    `unpacked`: A and B become f16 first, two products of half the K, whose sums are added.
    """

    dense_fma: float
    interval: float
    assumed: str
    profile: _core.Profile
    unpacked: bool = False


def sum_of(type: str, accumulate: str | None) -> str:
    """The type of the accumulators; a ValueError where the tensor cores do not have it."""
    sums = TYPES[arguments.word("type", type, TYPES)].sums
    return sums[0] if accumulate is None else arguments.word("accumulate", accumulate, (*sums, *sums)[:2])


def rate_of(architecture: Arch, type: str, accumulate: str) -> Rate:
    """The rate of a type; UnsupportedError where the target cannot multiply it."""
    kind, target = TYPES[type], architecture.target
    number = int(target.removeprefix("sm_").rstrip("af"))
    if number < kind.first:
        raise UnsupportedError(f"target: mma.sync of {type} needs sm_{kind.first} or higher; {target} does not have it")
    dense, interval = (architecture.constants[name] for name in ("dense_fma", "mma_interval"))
    faster = 2 if architecture.halves_f32 and accumulate != "f32" else 1
    unpacked = number in UNPACKED and type in ("e4m3", "e5m2")
    assumed = ""
    if interval.basis.startswith("assumed"):
        assumed = f"the tensor rate of {target}"
    elif number not in AT_PEAK and type not in TIMED.get(number, ()) and interval.basis != "user":
        assumed = f"the rate of {type} on {target}"
    elif dense.basis.startswith("assumed"):
        assumed = f"the tensor peak of {target}"
    peak, each = dense.value * kind.rate * faster, interval.value * (1 + unpacked) / faster
    if (peak, each) == (dense.value, interval.value):
        return Rate(peak, each, assumed, profile_of(architecture))
    profile = architecture.with_values(dense_fma=peak, mma_interval=each / (1 + unpacked))
    return Rate(peak, each, assumed, profile_of(profile), unpacked)


#: bits, and rate against f16, of the types that TYPES leaves out, where tensor pipes have them (A100 and Blackwell
#: whitepapers); f64 as on the H100
OTHERS = {
    "s4": (4, 4.0), "u4": (4, 4.0), "b1": (1, 16.0), "e3m2": (8, 2.0), "e2m3": (8, 2.0), "e2m1": (4, 4.0),
    "f64": (64, 1 / 16),
}  # fmt: skip
TILE = 16 * 8  # elements of D of the widest mma.sync


@dataclass(frozen=True, slots=True)
class Multiplied:
    """What a product costs: multiply-adds of a warp, type of A, cycles of a sub-partition at least."""

    type: str
    fma: int
    cycles: float


def _least_of_mma_sync(type_: str, row_bytes: float, tiles: int, is_sparse: bool) -> float:
    """On sm_90, by the bytes of a row of A: 4 cycles for 16, 6 for 32, of sparse ones 2 more; fp8 as two of f16.

    Measured on an H200, 87 forms (tests/time/test_product_cycles.py).
    """
    if type_ in ("e4m3", "e5m2"):
        return tiles * 12 * min(row_bytes, 32) / 32
    if type_ not in TIMED[90]:
        return 0.0
    return tiles * ((4 if is_sparse else 2) + min(row_bytes, 32) / 8)


def multiplied(architecture: Arch, product: Product) -> Multiplied:
    """What a product asks of the tensor pipe.

    The least is that of the type's peak, and on sm_90 what mma.sync took at best.
    """
    type_, (m, n, k) = product.type, product[:3]
    fma = m * n * k // product.warps
    bits, rate = (TYPES[type_].bits, TYPES[type_].rate) if type_ in TYPES else OTHERS[type_]
    sparse = 2 if product.is_sparse else 1
    twice = (2 if architecture.halves_f32 and product.sum != "f32" else 1) * sparse
    cycles = fma / (architecture.constants["dense_fma"].value / architecture.sub_partitions * rate * twice)
    if architecture.target.startswith("sm_90") and product.warps == 1 and k > 4 * (bits == 16):
        row_bytes = k * bits / 8 / sparse
        least = _least_of_mma_sync(type_, row_bytes, max(1, m * n // TILE), product.is_sparse)
        cycles = max(cycles, least)
    return Multiplied(type_, fma, cycles)
