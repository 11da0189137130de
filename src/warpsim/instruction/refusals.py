"""What NVIDIA's assembler would refuse of opcodes: their `.target` or `.version` does not have them.

Instructions of the families that can be asked alone (memory, products) say so themselves; for others the table has what
the "PTX ISA Notes" and "Target ISA Notes" of the PTX ISA say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import _core, errors, targets

OLDEST = 60  # version whose instructions are told apart

#: opcode -> the first PTX version, times ten, and the first target; one that ends in a needs that family's own features
NEEDS: dict[str, tuple[int, str]] = {
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
    "stacksave": (73, "sm_52"), "szext": (76, "sm_70"), "tanh": (70, "sm_75"), "tcgen05": (86, "sm_100a"),
    "vote.sync": (60, "sm_30"), "wgmma": (80, "sm_90a"),
}  # fmt: skip


def _generation(target: str) -> int:
    return int("".join(character for character in target[3:] if character.isdigit()))


def _has(target: str, first: str) -> bool:
    """Does a target have what came with another?"""
    own = target[-1] in "af" if first.endswith("a") else True
    return own and _generation(target) >= _generation(first)


def _spelled(version: int) -> str:
    return f"{version // 10}.{version % 10}"


def _by_table(opcode: str, target: str, version: int) -> tuple[str, ...]:
    words = opcode.split(".")
    known = next((name for n in range(len(words), 0, -1) if (name := ".".join(words[:n])) in NEEDS), None)
    if known is None:
        return ()
    least, first = NEEDS[known]
    higher = "" if first.endswith("a") else " or higher"
    found = () if _has(target, first) else (f"{known} needs {first}{higher}; {target} has no {known}",)
    late = version < least
    return (*found, f"{known} needs PTX {_spelled(least)} or later, not {_spelled(version)}") if late else found


def reasons(opcode: str, target: str, version: int) -> tuple[str, ...]:
    """Why the assembler refuses an opcode; empty if it does not, or if nothing is known of it."""
    known = _by_table(opcode, target, version)
    try:
        op = _core.parse(opcode)
    except (errors.WarpsimError, ValueError):
        return known
    row, number = _core.TARGETS.index(target), max(OLDEST, min(version, _core.NEWEST_PTX))
    ask = _core.legality if isinstance(op, _core.Op) else _core.product_legality
    return tuple(str(one) for one in ask(op, row, number)[1]) or known


def refusals(opcodes: Sequence[tuple[str, int]], target: str | None, version: int) -> Iterator[tuple[str, int | None]]:
    """(what is wrong, the statement) of a text with this .target and .version: each kind once.

    Versions before 6.0 are not known one by one.
    """
    if version > _core.NEWEST_PTX:
        yield f".version {_spelled(version)}: the newest that is known is {_spelled(_core.NEWEST_PTX)}", None
    elif version >= OLDEST and _spelled(version) not in targets.VERSIONS:
        yield f".version {_spelled(version)} does not exist; there are {targets.KNOWN_VERSIONS}", None
    if target not in _core.TARGETS:
        return
    told = set()
    for opcode, statement in opcodes:
        for reason in reasons(opcode, target, version):
            if reason not in told:
                told.add(reason)
                yield reason, statement
