"""How fast the tensor cores of a GPU multiply which types.

The constants `dense_fma` and `mma_interval` of a target are those of f16 with f32 accumulators. Here is what follows
for other types and products. Sources: NVIDIA's architecture whitepapers (Turing, A100, GA102, Ada, H100, Blackwell)
and data sheets, dense rates; tests/time/test_tensor_rates.py compares them, product by product.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core, arguments
from ..errors import UnsupportedError
from .architecture import Arch

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
    unpacked = number == 90 and type in ("e4m3", "e5m2")
    assumed = ""
    if interval.basis.startswith("assumed"):
        assumed = f"the tensor rate of {target}"
    elif number not in AT_PEAK and type not in TIMED.get(number, ()) and interval.basis != "user":
        assumed = f"the rate of {type} on {target}"
    elif dense.basis.startswith("assumed"):
        assumed = f"the tensor peak of {target}"
    peak, each = dense.value * kind.rate * faster, interval.value * (1 + unpacked) / faster
    if (peak, each) == (dense.value, interval.value):
        return Rate(peak, each, assumed, architecture._core)
    return Rate(peak, each, assumed, architecture.with_values(dense_fma=peak, mma_interval=each)._core, unpacked)
