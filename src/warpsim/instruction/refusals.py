"""What NVIDIA's assembler would refuse of opcodes: their `.target` or `.version` does not have them.

Instructions of the families that can be asked alone (memory, products) say so themselves; for others the table has what
the "PTX ISA Notes" and "Target ISA Notes" of the PTX ISA say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .. import _core, errors, targets

OLDEST = 60  # version whose instructions are told apart
MOST_KEPT = 1024  # answers: a text has few opcodes, and the next text has the same
ANY = _core.parse("ld.global.u32")  # an instruction that every target has

#: opcode -> the first PTX version, times ten, the first target ("": all have it; one that ends in a needs that family's
#: own features), and the last generation that has it, if one does not
NEEDS: dict[str, tuple[int, str] | tuple[int, str, int]] = {
    "activemask": (62, "sm_30"), "alloca": (73, "sm_52"), "applypriority": (74, "sm_80"), "bar.warp": (60, "sm_30"),
    "barrier": (60, "sm_30"), "barrier.cluster": (78, "sm_90"), "bmsk": (76, "sm_70"), "brx.idx": (60, "sm_30"),
    "clusterlaunchcontrol": (86, "sm_100"), "cp.async": (70, "sm_80"), "cp.async.bulk": (80, "sm_90"),
    "cp.reduce.async.bulk": (80, "sm_90"), "createpolicy": (74, "sm_80"), "discard": (74, "sm_80"),
    "dp2a": (50, "sm_61"), "dp4a": (50, "sm_61"), "elect": (80, "sm_90"), "fence": (60, "sm_70"),
    "fence.mbarrier_init": (80, "sm_90"), "fence.proxy": (75, "sm_70"), "fence.proxy.async": (80, "sm_90"),
    "getctarank": (78, "sm_90"), "griddepcontrol": (78, "sm_90"), "lop3": (43, "sm_50"), "mapa": (78, "sm_90"),
    "match": (60, "sm_70"), "mbarrier": (70, "sm_80"), "mbarrier.complete_tx": (80, "sm_90"),
    "mbarrier.expect_tx": (80, "sm_90"), "mbarrier.try_wait": (78, "sm_90"), "multimem": (81, "sm_90"),
    "nanosleep": (63, "sm_70"), "red.async": (81, "sm_90"), "redux": (70, "sm_80"), "setmaxnreg": (80, "sm_90a"),
    "shfl.sync": (60, "sm_30"), "st.async": (81, "sm_90"), "st.bulk": (86, "sm_100"), "stackrestore": (73, "sm_52"),
    "stacksave": (73, "sm_52"), "szext": (76, "sm_70"), "tanh": (70, "sm_75"), "tcgen05": (86, "sm_100a", 110),
    "vote.sync": (60, "sm_30"), "wgmma": (80, "sm_90a", 90),
}  # fmt: skip


#: first words of opcodes ("": any), qualifiers of theirs, and what those need. Of each group (&) an opcode has one;
#: some stand together, as s32.f16 does, or first (^), and #4 is a statement of four operands
QUALIFIED: tuple[tuple[str, str, tuple[int, str] | tuple[int, str, int]], ...] = (
    ("", "shared::cluster cluster", (78, "sm_90")), ("", "mmio", (82, "")),
    ("", "L2::64B L2::128B L1::evict_normal L1::evict_first L1::evict_last L1::no_allocate", (74, "sm_70")),
    ("", "L2::256B L2::cache_hint L2::evict_last L2::evict_normal", (74, "sm_80")), ("abs", "f16 f16x2", (65, "")),
    ("abs neg", "bf16 bf16x2", (70, "sm_80")), ("add", "u16x2 s16x2", (80, "sm_90")),
    ("add mul sub", "bf16 bf16x2", (78, "sm_90")), ("add fma mul sub", "f32x2", (86, "sm_100")),
    ("add fma sub", "f32 & f16 bf16", (86, "sm_100")), ("atom isspacep ld mbarrier red st", "shared::cta", (78, "")),
    ("atom", "b128", (83, "sm_90")), ("atom red", "noftz & bf16 bf16x2", (78, "sm_90")),
    ("atom red", "v2 v4 v8", (81, "sm_90")), ("bar barrier", "cta", (78, "")),
    ("barrier", "cluster & acquire release relaxed", (80, "sm_90")),
    ("clusterlaunchcontrol", "multicast::cluster::all", (86, "sm_100a")), ("cp", "mbarrier & shared::cta", (78, "")),
    ("cp", "cp_mask shared::cta.global.mbarrier::complete_tx::bytes", (86, "sm_90")), ("cp", "cp_mask", (86, "sm_100")),
    ("cvt", "pack", (65, "")), ("cvt", "satfinite & f16.f32 bf16.f32 f16x2.f32 bf16x2.f32 tf32.f32", (81, "")),
    ("cvt", "f32.bf16", (71, "sm_80")),
    ("cvt", "ftz & f32.bf16", (78, "sm_90")), ("cvt", "bf16.f32 bf16x2.f32 f16x2.f32 tf32.f32 relu", (70, "sm_80")),
    ("cvt", "rn rz & tf32.f32", (78, "sm_90")), ("cvt", "satfinite & rn rz & tf32.f32", (86, "sm_100")),
    ("cvt", "u8.bf16 s8.bf16 u16.bf16 s16.bf16 u32.bf16 s32.bf16 u64.bf16 s64.bf16 f16.bf16 bf16.bf16 f64.bf16"
     " bf16.u8 bf16.s8 bf16.u16 bf16.s16 bf16.u32 bf16.s32 bf16.u64 bf16.s64 bf16.f16 bf16.f64", (78, "sm_90")),
    ("cvt", "e4m3x2 e5m2x2", (78, "sm_89")), ("cvt", "e2m3x2 e3m2x2 e2m1x2 ue8m0x2", (86, "sm_100a")),
    ("cvta isspacep", "param", (77, "")), ("ex2", "f16 f16x2", (70, "sm_75")),
    ("ex2 set setp tanh", "bf16 bf16x2", (78, "sm_90")), ("fence", "^.acquire ^.release", (86, "sm_90")),
    ("fence", "tensormap::generic", (83, "sm_90")), ("fma", "bf16 bf16x2 relu", (70, "sm_80")),
    ("fma", "oob", (81, "sm_90")), ("ld mov st", "b128", (83, "sm_70")),
    ("ld st", "param::entry param::func", (83, "")),
    ("ld st", "v8 v4.b64 v4.u64 v4.s64 v4.f64", (88, "sm_100")), ("lop3", "and or", (82, "")),
    ("max min", "f16 f16x2 bf16 bf16x2 NaN", (70, "sm_80")), ("max min", "xorsign", (72, "sm_86")),
    ("max min", "f32 & #4", (88, "sm_100")), ("max min", "u16x2 s16x2 relu", (80, "sm_90")),
    ("mbarrier", "^.arrive.shared ^.arrive.shared::cta ^.arrive.b64 & #3", (78, "sm_90")),
    ("mbarrier", "parity", (71, "sm_80")), ("mbarrier", "cta cluster", (80, "sm_80")),
    ("mbarrier", "shared::cluster", (80, "sm_90")),
    ("mbarrier", "expect_tx", (80, "sm_90")),
    ("mbarrier", "arrive test_wait try_wait & relaxed & cta cluster", (86, "sm_90")),
    ("prefetch", "tensormap", (80, "sm_90")), ("redux", "f32", (86, "sm_100a", 103)),
    ("set", "u16.f16 s16.f16 u32.f16 s32.f16 u32.f16x2 s32.f16x2", (65, "")),
    ("tensormap", "cp_fenceproxy", (83, "sm_90")), ("tensormap", "replace", (83, "sm_90a")),
)  # fmt: skip


@dataclass(frozen=True)
class _Need:
    """What a part of an opcode needs, as in the tables above."""

    what: str
    version: int
    first: str
    last: int = 0

    @property
    def generation(self) -> int:
        return _generation(self.first)

    def has(self, target: str) -> bool:
        own = target[-1] in "af" or not self.first.endswith("a")
        return own and self.generation <= _generation(target) <= (self.last or 999)


def _generation(target: str) -> int:
    return int("0" + "".join(character for character in target[3:] if character.isdigit()))


def _needs(opcode: str, operands: int) -> Iterator[_Need]:
    """What the tables say of an opcode in a statement of so many operands."""
    words = opcode.split(".")
    known = next((name for n in range(len(words), 0, -1) if (name := ".".join(words[:n])) in NEEDS), None)
    if known is not None:
        yield _Need(known, *NEEDS[known])
    text = f".^.{'.'.join(words[1:])}.#{operands}."
    for heads, groups, need in QUALIFIED:
        if heads and words[0] not in heads.split():
            continue
        found = [next((word for word in one.split() if f".{word}." in text), "") for one in groups.split("&")]
        if all(found):
            named = ".".join((words[0], *(word.removeprefix("^.") for word in found if word[0] != "#")))
            yield _Need(named + f" with {operands} operands" * (found[-1][0] == "#"), *need)


def _spelled(version: int) -> str:
    return f"{version // 10}.{version % 10}"


def _by_table(opcode: str, target: str, version: int, operands: int) -> tuple[str, ...]:
    needs = tuple(_needs(opcode, operands))
    lacks = max((one for one in needs if not one.has(target)), key=lambda one: one.generation, default=None)
    late = max((one for one in needs if version < one.version), key=lambda one: one.version, default=None)
    found: tuple[str, ...] = ()
    if lacks is not None:
        higher = "" if lacks.first.endswith("a") else " or higher"
        found = (f"{lacks.what} needs {lacks.first}{higher}; {target} has no {lacks.what}",)
    if late is not None:
        found += (f"{late.what} needs PTX {_spelled(late.version)} or later, not {_spelled(version)}",)
    return found


def reasons(opcode: str, target: str, version: int, operands: int = 0) -> tuple[str, ...]:
    """Why the assembler refuses an opcode; empty if it does not, or if nothing is known of it."""
    known = _by_table(opcode, target, version, operands)
    try:
        op = _core.parse(opcode)
    except (errors.WarpsimError, ValueError):
        return known
    row, number = _core.TARGETS.index(target), max(OLDEST, min(version, _core.NEWEST_PTX))
    ask = _core.legality if isinstance(op, _core.Op) else _core.product_legality
    return tuple(str(one) for one in ask(op, row, number)[1]) or known


_kept = lru_cache(MOST_KEPT)(reasons)


def refusals(
    opcodes: Sequence[tuple[str, int, int]], target: str | None, version: int
) -> Iterator[tuple[str, int | None]]:
    """(what is wrong, the statement) of a text with this .target and .version: each kind once.

    Versions before 6.0 are not known one by one.
    """
    if version > _core.NEWEST_PTX:
        yield f".version {_spelled(version)}: the newest that is known is {_spelled(_core.NEWEST_PTX)}", None
    elif version >= OLDEST and _spelled(version) not in targets.VERSIONS:
        yield f".version {_spelled(version)} does not exist; there are {targets.KNOWN_VERSIONS}", None
    if target not in _core.TARGETS:
        return
    least = _core.min_ptx_at(ANY, _core.TARGETS.index(target))
    if least > OLDEST and version < least:
        yield f".target {target} needs PTX {_spelled(least)} or later, not {_spelled(version)}", None
    told = set()
    for opcode, statement, operands in opcodes:
        for reason in _kept(opcode, target, version, operands):
            if reason not in told:
                told.add(reason)
                yield reason, statement
