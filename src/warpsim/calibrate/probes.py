"""What is timed to calibrate: each probe a PTX text and the launches of it.

The rows of a launch are what the lanes read first: their addresses, and where a chain keeps its next address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .texts import CHASED, LANES, LOOKED_UP, Room, chain, listed, looped, sunk, vector

SHORT, LONG = 24, 96  # steps of a chain
FEW, MANY = 4, 12  # passes of a stream
FEW_GROUPS, MANY_GROUPS = 32, 160  # of copies
COPY_GROUP = 8  # copies that one group has
COPY_SHARED, CHAIN_SHARED = 65536, 16384
BUFFER_BYTES = 1 << 24
PARTITION = sum(1 << warp for warp in (0, 4, 8, 12))  # warps of one sub-partition
ALL = 0xFFFFFFFF
MOVES = (32, 64)  # movmatrix of a pass
LOADS, STORES = 64, {1: 64, 4: 32}  # accesses of a pass; stores of so many registers
Rows = tuple[tuple[int, ...], ...]
PLACES = 24  # far apart in L2: LONG - SHORT steps visit each as often
#: lane i keeps the address of place i + 1
RING = (
    f"add.u32 %u20, %u5, 1; rem.u32 %u20, %u20, {PLACES}; mul.wide.u32 %q10, %u5, 65664; add.u64 %q10, %q2, %q10;"
    " mul.wide.u32 %q11, %u20, 65664; add.u64 %q11, %q2, %q11; st.global.u64 [%q10], %q11; membar.gl; bar.sync 0;"
)


@dataclass(frozen=True, slots=True)
class Launch:
    """One way to launch a text: `label` names its time in the results.

    `every_sm`: on one SM after another, since L2 is not equally far from all.
    """

    label: str
    warps: int = 1
    passes: int = 1
    running: int = ALL
    rows: Rows = ()
    every_sm: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """A text and its launches; `least`: the first target that has the instructions; `only`: or all of them."""

    name: str
    text: Callable[[int], str] = field(repr=False)
    launches: tuple[Launch, ...]
    shared: int = CHAIN_SHARED
    least: int = 75
    only: tuple[int, ...] = ()


def _conflict(stride: int, width: int = 4, last: int = 0) -> Rows:
    """Lane addresses `stride` bytes apart, and where the register that the chain goes on with is read from."""
    address = tuple(lane * stride for lane in range(LANES))
    return address, tuple(place + last for place in address)


def _matrix(pitch: int, matrices: int) -> Rows:
    """Rows of 16 bytes `pitch` apart; the last matrix's words are what the next addresses are read from."""
    address = tuple(lane * pitch for lane in range(LANES))
    first = 8 * (matrices - 1)
    home = tuple(address[first + lane // 4] + 4 * (lane % 4) for lane in range(LANES))
    return address, home


def _chain(
    name: str,
    step: str,
    cases: dict[str, Rows],
    setup: str = CHASED,
    least: int = 75,
    version: int = 0,
    every_sm: bool = False,
) -> Iterator[Probe]:
    for steps in (SHORT, LONG):
        launches = tuple(Launch(label, rows=rows, every_sm=every_sm) for label, rows in cases.items())
        text = partial(chain, step=step, steps=steps, setup=setup, shared=CHAIN_SHARED, version=version)
        yield Probe(f"{name} x{steps}", text, launches, CHAIN_SHARED, least)


def chains() -> Iterator[Probe]:
    """Latencies: chains of dependent accesses."""
    widths = {f"{w} wavefronts": _conflict(4 * w) for w in (1, 2, 4, 8, 16, 32)}
    yield from _chain("ld.b32", "ld.volatile.shared.u32 %a0, [%a0];", widths)
    ones = {"1 wavefront": _conflict(4)}
    yield from _chain("ld.b32 add", "ld.volatile.shared.u32 %r0, [%a0]; add.u32 %a0, %a0, %r0;", ones, LOOKED_UP)
    for bits in (8, 16):
        load = f"ld.volatile.shared.u{bits} %r0, [%a0]; add.u32 %a0, %a0, %r0;"
        yield from _chain(f"ld.u{bits} add", load, {"1 wavefront": _conflict(4)}, LOOKED_UP)
    yield from _chain(
        "ld.v4", "ld.volatile.shared.v4.u32 {%r1,%r2,%r3,%a0}, [%a0];", {"4 wavefronts": _conflict(16, last=12)}
    )
    rows = {"1 wavefront": _matrix(16, 1), "8 wavefronts": _matrix(128, 1)}
    yield from _chain("ldmatrix.x1", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%a0}, [%a0];", rows)
    rows = {"4 wavefronts": _matrix(16, 4), "32 wavefronts": _matrix(128, 4)}
    yield from _chain("ldmatrix.x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%a0}, [%a0];", rows)
    there = {f"{w} wavefronts": _conflict(4 * w) for w in (1, 4)}
    store = "st.volatile.shared.u32 [%a0], %r0; ld.volatile.shared.u32 %r0, [%a0];"
    yield from _chain("st.b32 ld.b32", store, there, LOOKED_UP)
    values = "{%r0,%r1,%r2,%r3}"
    store = f"st.volatile.shared.v4.u32 [%a0], {values}; ld.volatile.shared.v4.u32 {values}, [%a0];"
    yield from _chain(
        "st.v4 ld.v4",
        store,
        {"4 wavefronts": _conflict(16)},
        f"{LOOKED_UP} mov.u32 %r1,%u3; mov.u32 %r2,%u3; mov.u32 %r3,%u3;",
    )
    yield from _chain("movmatrix", "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0;", {"alone": ()}, "", 75, 78)
    point = "st.global.u64 [%q2], %q2; ld.relaxed.cta.global.u64 %g0, [%q2]; bar.sync 0;"
    yield from _chain("ld.global L1", "ld.relaxed.cta.global.u64 %g0, [%g0];", {"alone": ()}, point)
    yield from _chain("ld.global L2", "ld.global.cg.u64 %g0, [%g0];", {"alone": ()}, RING, every_sm=True)


def barriers() -> Iterator[Probe]:
    """A barrier after another."""
    for steps in (SHORT, LONG):
        launches = tuple(Launch(f"{warps} warps", warps) for warps in (1, 2, 4, 8, 16))
        yield Probe(f"barriers x{steps}", partial(chain, step="bar.sync 0;", steps=steps, setup=""), launches)


def _stream(
    name: str, parts: list[str], sink: str, launches: tuple[tuple[str, int, int, Rows], ...], version: int = 0
) -> Probe:
    made = tuple(
        Launch(f"{label}, {passes}", warps, passes, running, rows)
        for label, warps, running, rows in launches
        for passes in (FEW, MANY)
    )
    return Probe(
        name, lambda sm: looped(sm, parts, sink=sink, setup=LOOKED_UP, shared=32768, version=version), made, 32768
    )


def streams() -> Iterator[Probe]:
    """Rates: endless streams of one instruction."""
    for count in MOVES:
        parts = [f"movmatrix.sync.aligned.m8n8.trans.b16 %r{4 + i}, %r{i % 4};" for i in range(count)]
        sink = sunk(f"%r{4 + i}" for i in range(count))
        yield _stream(f"movmatrix x{count} stream", parts, sink, (("1 warp", 1, ALL, _conflict(4)[:1]),), version=78)
    parts = [f"ld.volatile.shared.u32 %r{i}, [%a0+{256 * (i % 16)}];" for i in range(LOADS)]
    sink = sunk(f"%r{i}" for i in range(LOADS))
    yield _stream(
        "ld.b32 stream",
        parts,
        sink,
        (("1 sub-partition", 13, PARTITION, _conflict(4)[:1]), ("1 warp", 1, ALL, _conflict(4)[:1])),
    )
    for words, count in STORES.items():
        kind = "" if words == 1 else f".v{words}"
        parts = [
            f"st.volatile.shared{kind}.u32 [%a0+{512 * (i % 16)}], {listed(4 * (i % 4), words)};" for i in range(count)
        ]
        rows = _conflict(4 * words)[:1]
        yield _stream(
            f"st{kind}.b32 stream", parts, "", (("1 sub-partition", 13, PARTITION, rows), ("1 warp", 1, ALL, rows))
        )
    parts = [f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {listed(4 * i, 4)}, [%a0+{1024 * i}];" for i in range(16)]
    sink = sunk(f"%r{i}" for i in range(64))
    cases = tuple(
        (f"{w} wavefronts, 16 warps", 16, ALL, (tuple(lane % 8 * pitch + lane // 8 * 128 for lane in range(LANES)),))
        for w, pitch in ((4, 16), (8, 32), (32, 128))
    )
    yield _stream("ldmatrix.x4 stream", parts, sink, cases)


@dataclass(frozen=True, slots=True)
class Product:
    """A product whose rate is timed: its registers, and how many of it make one of 32 bytes along K.

    `only`: the targets whose tensor cores have it; elsewhere the assembler makes other instructions of it.
    """

    words: str
    a: int
    b: int
    d: int = 4
    kind: str = "f"
    least: int = 80
    version: int = 70
    times: int = 1
    only: tuple[int, ...] = ()


PRODUCTS = {
    "f16 f32": Product("m16n8k16.row.col.f32.f16.f16.f32", 4, 2),
    "f16 f32, k8": Product("m16n8k8.row.col.f32.f16.f16.f32", 2, 1, least=75, version=65, times=2),
    "f16 f16": Product("m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, "r"),
    "bf16 f32": Product("m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2),
    "tf32 f32": Product("m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2),
    "s8 s32": Product("m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, "r"),
    "e4m3 f32": Product("m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, least=89, version=84, only=(89, 120, 121)),
}
ACCUMULATORS, ROUNDS = 16, 2  # independent products of a warp, and how often a pass adds to each
FIRST_SUM = 16  # register


def _product(product: Product, at: int) -> str:
    a, b = vector(8 * (at % 2), product.a), vector(4, product.b)
    d = vector(FIRST_SUM + product.d * at, product.d, product.kind)
    return f"mma.sync.aligned.{product.words} {d}, {a}, {b}, {d};"


def _sums(product: Product) -> tuple[str, str]:
    """Setup and sink of the accumulators."""
    names = [f"%{product.kind}{FIRST_SUM + i}" for i in range(product.d * ACCUMULATORS)]
    inputs = " ".join(f"mad.lo.u32 %r{i}, %u5, %u3, {i}; mul.lo.u32 %r{i}, %r{i}, %u3;" for i in range(FIRST_SUM))
    return inputs + " " + " ".join(f"mov.b32 {name}, %u3;" for name in names), sunk(names)


def products() -> Iterator[Probe]:
    """The tensor pipe: how often, and how soon after another that it adds to."""
    for name, product in PRODUCTS.items():
        setup, sink = _sums(product)
        room = Room(floats=100)
        rest: dict[str, Any] = {"setup": setup, "sink": sink, "shared": 1024, "version": product.version, "room": room}
        parts = [_product(product, i) for i in range(ACCUMULATORS)] * ROUNDS
        cases = tuple(
            Launch(f"{warps} warps, {passes}", warps, passes) for warps in (1, 4, 5, 8) for passes in (FEW, MANY)
        )
        text = partial(looped, parts=parts, **rest)
        yield Probe(f"mma {name}", text, cases, 1024, product.least, product.only)
        for steps in (SHORT, LONG):
            text = partial(looped, parts=[_product(product, 0)] * steps, **rest)
            once = (Launch("1 warp"),)
            yield Probe(f"mma {name} chain x{steps}", text, once, 1024, product.least, product.only)


def _copies(cache: str, lines: int) -> Callable[[int], str]:
    """Groups of eight copies, at most four in flight; the sources are read again every eight groups."""
    pitch = 128 if lines == LANES else 16
    step, group = pitch * LANES, pitch * LANES * COPY_GROUP
    where = (
        f"shl.b32 %a0, %u5, 4; mad.lo.u32 %a0, %u6, {COPY_SHARED // 16}, %a0; add.u32 %a0, %a0, %u7;"
        f" mul.wide.u32 %q10, %u5, {pitch}; mul.wide.u32 %q11, %u6, {8 * group}; add.u64 %q10, %q10, %q11;"
        f" add.u64 %q10, %q2, %q10; mov.u64 %g0, %q10; mov.u32 %u20, %u3;"
    )
    copies = [f"cp.async.{cache}.shared.global [%a0+{512 * i}], [%g0+{step * i}], 16;" for i in range(COPY_GROUP)]
    after = (
        f"cp.async.commit_group; cp.async.wait_group 3; add.u32 %u20, %u20, {group};"
        f" and.b32 %u20, %u20, {8 * group - 1}; cvt.u64.u32 %q12, %u20; add.u64 %g0, %q10, %q12;"
    )
    return lambda sm: looped(sm, ["\n".join((*copies, after))], sink="", setup=where, shared=COPY_SHARED, version=70)


def _apart(cache: str) -> Callable[[int], str]:
    """The same of one warp, each copy with addresses of its own, which go on after it."""
    setup = "".join(
        f"shl.b32 %a{i}, %u5, 4; mad.lo.u32 %a{i}, %u3, {i}, %a{i}; add.u32 %a{i}, %a{i}, {512 * (i % 8)};"
        f" add.u32 %a{i}, %a{i}, %u7;"
        f" mul.wide.u32 %q10, %u5, 16; add.u64 %g{i}, %q2, %q10; cvt.u64.u32 %q11, %u3;"
        f" mad.lo.u64 %g{i}, %q11, {i}, %g{i};"
        f" add.u64 %g{i}, %g{i}, {512 * i};\n"
        for i in range(2 * COPY_GROUP)
    )
    parts = [
        f"cp.async.{cache}.shared.global [%a{i}], [%g{i}], 16; add.u64 %g{i}, %g{i}, 8192;"
        + ("cp.async.commit_group; cp.async.wait_group 3;" if i % COPY_GROUP == COPY_GROUP - 1 else "")
        for i in range(2 * COPY_GROUP)
    ]
    return lambda sm: looped(sm, parts, sink="", every=COPY_GROUP, setup=setup, shared=COPY_SHARED, version=70)


def copies() -> Iterator[Probe]:
    """cp.async: streams, and how long one takes until its data can be read."""
    for cache, lines in (("cg", 4), ("cg", 32), ("ca", 4)):
        cases = tuple(
            Launch(f"{warps} warps, {passes}", warps, passes)
            for warps in (1, 4, 16)
            for passes in (FEW_GROUPS, MANY_GROUPS)
        )
        yield Probe(f"cp.async.{cache} of {lines} lines", _copies(cache, lines), cases, COPY_SHARED, 80)
        if lines < LANES:
            cases = tuple(Launch(f"1 warps, {passes}", 1, passes) for passes in (FEW_GROUPS, MANY_GROUPS))
            yield Probe(f"cp.async.{cache} apart", _apart(cache), cases, COPY_SHARED, 80)
    setup = (
        "shl.b32 %a0, %u5, 4; add.u32 %a0, %a0, %u7; mul.wide.u32 %q10, %u5, 16; add.u64 %g0, %q2, %q10;"
        f" add.u64 %g0, %g0, {BUFFER_BYTES // 2};"  # beyond what other probes have written: all zero
    )
    step = (
        "cp.async.cg.shared.global [%a0], [%g0], 16; cp.async.commit_group; cp.async.wait_group 0;"
        " ld.volatile.shared.u32 %r0, [%a0]; add.u32 %r0, %r0, 8192; cvt.u64.u32 %q15, %r0; add.u64 %g0, %g0, %q15;"
    )
    yield from _chain("cp.async ld.b32", step, {"alone": ()}, setup, 80, 70, every_sm=True)


def every() -> tuple[Probe, ...]:
    """All probes, in the order in which they are timed."""
    return tuple(probe for probe in (*chains(), *barriers(), *streams(), *products(), *copies()) if probe.launches)
