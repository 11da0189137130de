"""From times to constants of the cost model: what each follows from, and how sure it is.

A constant is measured, or moved: of those, main loops on an H200 showed the value, and a measurement that goes with it
says by how much it differs here. The others cannot be timed alone and are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from .probes import (
    ACCUMULATORS,
    COPY_GROUP,
    FEW,
    FEW_GROUPS,
    LOADS,
    LONG,
    MANY,
    MANY_GROUPS,
    MOVES,
    PRODUCTS,
    ROUNDS,
    SHORT,
    STORES,
)
from .texts import LANES

PLACEMENT = 8.0  # cycles that a chain may take more or less for where its code lies
COPY_WAVEFRONTS = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A constant: its value, relative error, and how it was found."""

    value: float
    error: float
    how: str
    moved: bool = False


class Times:
    """The times of one round of a run, as the constants need them; KeyError for what was not timed."""

    def __init__(self, found: Mapping[str, Any], number: int) -> None:
        self.spans, self.number, self.device = found["spans"], number, found["device"]

    def _span(self, name: str, label: str) -> float:
        return float(self.spans[name][label][self.number][1])

    def step(self, name: str, label: str) -> float:
        """Cycles of a step of a chain."""
        return (self._span(f"{name} x{LONG}", label) - self._span(f"{name} x{SHORT}", label)) / (LONG - SHORT)

    def a_pass(self, name: str, label: str, few: int = FEW, many: int = MANY) -> float:
        """Cycles of a pass of a stream."""
        return (self._span(name, f"{label}, {many}") - self._span(name, f"{label}, {few}")) / (many - few)

    def copies(self, name: str, warps: int, count: int = COPY_GROUP) -> float:
        """Cycles of the SM per copy."""
        return self.a_pass(name, f"{warps} warps", FEW_GROUPS, MANY_GROUPS) / (count * warps)

    def product(self, name: str) -> float:
        """Cycles of a sub-partition per product of 32 bytes along K, two warps on each."""
        return self.a_pass(f"mma {name}", "8 warps") / (2 * ACCUMULATORS * ROUNDS) * PRODUCTS[name].times


WIDTHS = (1, 2, 4, 8, 16, 32)


def _loads(t: Times) -> dict[tuple[str, int], float]:
    """Wavefronts -> the latency of ld.shared and, where there is one, of ldmatrix."""
    found = {("ld.b32", w): t.step("ld.b32", f"{w} wavefronts") for w in WIDTHS}
    for name, count in (("ldmatrix.x1", 1), ("ldmatrix.x1", 8), ("ldmatrix.x4", 4), ("ldmatrix.x4", 32)):
        if f"{name} x{LONG}" in t.spans:
            found[name, count] = t.step(name, f"{count} wavefront{'s' if count > 1 else ''}")
    return found


def _slope(t: Times) -> float:
    found = _loads(t)
    return (found["ld.b32", 32] - found["ld.b32", 1]) / 31


def _base(t: Times) -> float:
    return median(value - _slope(t) * count for (_, count), value in _loads(t).items())


def off_the_law(t: Times) -> float:
    """How far the worst load is from base + slope * wavefronts: large where shared memory has other banks."""
    return max(abs(value - _base(t) - _slope(t) * count) / max(value, 1.0) for (_, count), value in _loads(t).items())


def _store(t: Times) -> float:
    return t.step("st.b32 ld.b32", "1 wavefronts") - t.step("ld.b32", "1 wavefronts") - _slope(t)


def _store_register(t: Times) -> float:
    whole = t.step("st.v4 ld.v4", "4 wavefronts") - t.step("ld.v4", "4 wavefronts")
    return (whole - 4 * _slope(t) - _store(t)) / 3


def _port(t: Times, registers: int) -> float:
    kind = "st.v4.b32" if registers > 1 else "st.b32"
    return t.a_pass(f"{kind} stream", "1 sub-partition") / (STORES[registers] * 4)


def _partitions(t: Times) -> float:
    name = "mma f16 f32" if "mma f16 f32" in t.spans else "mma f16 f32, k8"
    one, four, five = (t.a_pass(f"{name}", f"{warps} warps") for warps in (1, 4, 5))
    if four < 1.1 * one and five > 1.25 * one:
        return 4.0
    raise KeyError("warps 1 to 5 do not share tensor pipes as those of four sub-partitions do")


def _product(t: Times) -> float:
    return t.product("f16 f32" if "mma f16 f32" in t.spans else "f16 f32, k8")


def _product_latency(t: Times) -> float:
    name = "mma f16 f32 chain" if f"mma f16 f32 chain x{LONG}" in t.spans else "mma f16 f32, k8 chain"
    return t.step(name, "1 warp")


#: constant -> how it follows from the times of a round, and in words
MEASURED: dict[str, tuple[Callable[[Times], float], str]] = {
    "banks": (lambda t: 32.0, "loads of 1 to 32 wavefronts take what 32 banks make of them"),
    "bank_bytes": (lambda t: 4.0, "loads of 1 to 32 wavefronts take what banks of 4 bytes make of them"),
    "sub_partitions": (_partitions, "four warps multiply as fast as one, five do not"),
    "shared_bytes_per_block": (lambda t: float(t.device["shared_bytes"]), "the driver says so"),
    "load_latency": (_base, "chains of ld.shared and ldmatrix of 1 to 32 wavefronts"),
    "wavefront_latency": (_slope, "chains of ld.shared of 1 and 32 wavefronts"),
    "group_latency": (
        lambda t: (t.step("ld.v4", "4 wavefronts") - _base(t) - 4 * _slope(t)) / 3,
        "a chain of ld.shared.v4",
    ),
    "store_latency": (_store, "a chain of st.shared and the ld.shared of the same word"),
    "store_register_latency": (_store_register, "the same of four registers"),
    "movmatrix_latency": (lambda t: t.step("movmatrix", "alone"), "a chain of movmatrix"),
    "global_latency": (
        lambda t: t.step("ld.global L1", "alone") - 1 - 2 * _slope(t),
        "a chain of ld.global.b64 that hits L1, less a pass of the tags and two of the banks",
    ),
    "access_interval": (
        lambda t: (
            (t.a_pass(f"movmatrix x{MOVES[1]} stream", "1 warp") - t.a_pass(f"movmatrix x{MOVES[0]} stream", "1 warp"))
            / (MOVES[1] - MOVES[0])
        ),
        "streams of movmatrix of two lengths, one warp",
    ),
    "load_port": (
        lambda t: t.a_pass("ld.b32 stream", "1 sub-partition") / (4 * LOADS),
        "a stream of ld.shared, four warps of one sub-partition",
    ),
    "store_port": (
        lambda t: (4 * _port(t, 1) - _port(t, 4)) / 3,
        "streams of st.shared of one and four registers, four warps of one sub-partition",
    ),
    "store_register_port": (lambda t: (_port(t, 4) - _port(t, 1)) / 3, "the same streams"),
    "copy_path": (
        lambda t: t.copies("cp.async.cg of 32 lines", 16) / LANES,
        "a stream of cp.async.cg from 32 lines, 16 warps",
    ),
    "copy_ca_arrival": (
        lambda t: t.copies("cp.async.ca of 4 lines", 16) - COPY_WAVEFRONTS,
        "a stream of cp.async.ca without conflicts, 16 warps, less its wavefronts",
    ),
    "mma_latency": (_product_latency, "a chain of mma.sync"),
}

#: constant -> how its measurement follows from the times, what that was on the H200, and in words
MOVED: dict[str, tuple[Callable[[Times], float], float, str]] = {
    "movmatrix_interval": (
        lambda t: t.a_pass(f"movmatrix x{MOVES[0]} stream", "1 warp") / MOVES[0], 5.0, "a short loop of movmatrix"
    ),
    "copy_latency": (
        lambda t: t.step("cp.async ld.b32", "alone"), 356.5, "a chain of cp.async.cg, its wait and a load of what came"
    ),
    "copy_alone": (
        lambda t: t.copies("cp.async.cg apart", 1, 2 * COPY_GROUP), 22.4, "a stream of cp.async.cg, one warp"
    ),
    "copy_ca_alone": (
        lambda t: t.copies("cp.async.ca apart", 1, 2 * COPY_GROUP), 19.4375, "a stream of cp.async.ca, one warp"
    ),
    "mma_interval": (_product, 6.0, "a stream of mma.sync, two warps a sub-partition"),
    "barrier_latency": (lambda t: t.step("barriers", "1 warps"), 14.0, "a chain of bar.sync of one warp"),
}  # fmt: skip
#: chains: where their code lies may add or save some cycles
CHAINS = (
    "load_latency", "wavefront_latency", "store_latency", "movmatrix_latency", "global_latency", "mma_latency",
    "copy_latency",
)  # fmt: skip


def _of_rounds(found: Mapping[str, Any], of: Callable[[Times], float]) -> list[float]:
    rounds = len(next(iter(next(iter(found["spans"].values())).values())))
    return [of(Times(found, number)) for number in range(rounds)]


def _error(name: str, found: Mapping[str, Any], values: list[float], value: float) -> float:
    """The spread of the rounds, what the place of the code may do, and how far the law of loads is from the loads."""
    spread = (max(values) - min(values)) / value if value else 0.0
    placed = PLACEMENT / (LONG - SHORT) / value if name in CHAINS and name != "wavefront_latency" else 0.0
    law = (
        max(_of_rounds(found, off_the_law))
        if name in ("load_latency", "wavefront_latency", "banks", "bank_bytes")
        else 0.0
    )
    return spread + placed + law


def constants(found: Mapping[str, Any], fitted: Mapping[str, float]) -> tuple[dict[str, Found], dict[str, str]]:
    """The constants of a run, and why others have none; `fitted`: the values of sm_90 that are moved."""
    there: dict[str, Found] = {}
    missing: dict[str, str] = {}
    every = {name: (of, how, None) for name, (of, how) in MEASURED.items()}
    every |= {name: (of, how, reference) for name, (of, reference, how) in MOVED.items()}  # type: ignore[misc]
    for name, (of, how, reference) in every.items():
        try:
            values = _of_rounds(found, of)
        except KeyError as error:
            missing[name] = _why(found, str(error.args[0]))
            continue
        value = median(values)
        here = value if reference is None else fitted[name] + value - reference
        if min(value, here) <= 0:
            missing[name] = f"it came out as {here:g} cycles"
            continue
        words = how if reference is None else f"{how}: {value:.4g} cycles, {reference:g} on an H200"
        there[name] = Found(here, _error(name, found, values, value) * value / here, words, reference is not None)
    return there, missing


def _why(found: Mapping[str, Any], name: str) -> str:
    """Why a program has no times."""
    return next((words for probe, words in found["refused"].items() if probe == name), name)


def rates(found: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Type of a product and of its sum -> cycles of a sub-partition per mma.sync of 32 bytes along K; its latency."""
    there = {}
    for name in PRODUCTS:
        if f"mma {name}" in found["spans"]:
            interval = median(_of_rounds(found, lambda t, name=name: t.product(name)))  # type: ignore[misc]
            latency = median(_of_rounds(found, lambda t, name=name: t.step(f"mma {name} chain", "1 warp")))  # type: ignore[misc]
            there[name] = interval, latency
    return there


def data_pipe(found: Mapping[str, Any]) -> float:
    """Cycles of the SM per wavefront of ldmatrix, 16 warps: the model takes 1."""
    return median(_of_rounds(found, lambda t: t.a_pass("ldmatrix.x4 stream", "8 wavefronts, 16 warps") / (16 * 16 * 8)))
