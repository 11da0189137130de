"""Everything about one instruction at one place, as a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, errors, targets
from ..arguments import LANES
from ..memory.access import Access
from ..memory.memory import (
    SHARED_WINDOW,
    SHARED_WINDOW_BYTES,
    AddressSpace,
    GlobalMemory,
    SharedMemory,
)
from ..render import fragment_map, pages, punch_card, text
from ..report import Explorable
from ..time.architecture import resolve
from .banks import bank_report
from .findings import RULES, Finding, Findings
from .fragment_map import FragmentMap
from .legality import legality_of

#: the largest shared memory of a block (sm_90, sm_100), which addresses are checked against
BLOCK_BYTES = 227 * 1024
#: how far apart generic addresses outside shared memory may lie to be taken for one global memory
MOST_GLOBAL_BYTES = 2**30


class Tile(Protocol):
    """A layout, as C has it."""

    _core: _core.LayoutCore


class Explanation(Explorable):
    """Legality, addresses, undefined behaviour, registers and banks of one instruction.

    str() is a text for an 80-column terminal, .svg() the banks, or the fragment map where no
    addresses were given, .to_dict() everything as plain values.
    """

    # what was asked, besides the instruction and its target; pickles of form 1 have none of it
    _access: Access | None = None
    _layout: Tile | None = None
    _at: tuple[int, int] | None = None

    def __init__(
        self,
        contents: dict[str, Any],
        access: Access | None = None,
        layout: Tile | None = None,
        at: tuple[int, int] | None = None,
    ) -> None:
        self._contents = contents
        self._access = access
        self._layout = layout
        self._at = at

    @property
    def ok(self) -> bool:
        """Neither illegal at the target asked for nor undefined."""
        errors = (finding["severity"] == "error" for finding in self._contents["findings"])
        return self._contents["legality"]["ok"] is not False and not any(errors)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return self._contents

    def svg(self) -> str:
        """The punch card of the banks, or else the fragment map; ValueError without either."""
        contents = self._contents
        if contents["banks"] is not None:
            return punch_card.bank_report(contents["banks"])
        if contents["fragment"] is not None:
            return fragment_map.fragment(contents["fragment"])
        raise ValueError(f"{contents['ptx']} without addresses has no picture: give addresses")

    def _title(self) -> str:
        return str(self._contents["ptx"])

    def _parts(self) -> Sequence[str]:
        return pages.explanation(self._contents)

    def __str__(self) -> str:
        return text.explain(self._contents)

    def __repr__(self) -> str:
        return f"<Explanation of {self._contents['ptx']}>"


def _minimum(op: _core.Op) -> dict[str, Any]:
    """Where the form is legal at all: lowest PTX version, and the targets in words."""
    minima = {name: _core.min_ptx_at(op, row) for row, name in enumerate(_core.TARGETS)}
    taking = {name: version for name, version in minima.items() if version}
    lowest, names = min(taking.values()), list(taking)
    rest = list(minima)[list(minima).index(names[0]) :]
    words = f"{names[0]} and later" if names == rest else ", ".join(names)
    return {"min_ptx_version": f"{lowest // 10}.{lowest % 10}", "targets": words}


def _summary(op: _core.Op) -> str:
    if op.kind == "cp.async":
        return f"copies {op.size} bytes a lane from global to shared memory"
    registers = f"{op.num_registers} register{'s' if op.num_registers > 1 else ''}"
    if op.matrix_shape is not None:
        rows, cols = op.matrix_shape
        return (
            f"{rows}x{cols} matrix, {op.layout}-major; {registers} of {op.register_bits} bits a"
            f" lane; p a multiple of {op.access_bytes} bytes, default stride {op.default_stride}"
            " elements"
        )
    summary = f"{registers} of {op.register_bits} bits a lane"
    if op.row_lanes:
        summary += f"; addresses from lanes 0-{op.row_lanes - 1}, {op.access_bytes} bytes each"
        summary += f", aligned to {op.access_bytes}"
    return summary


def _notes(op: _core.Op) -> list[str]:
    """What people trip over, and no error tells."""
    notes = []
    if op.is_wmma:
        notes.append(
            "note: PTX leaves open which lane holds what; these maps were observed on sm_80 and"
            " later (sm_75: one differs, sm_70: unknown)"
        )
    if op.is_wmma and op.access_bytes == 32 and op.type == "f16" and op.default_stride == 8:
        notes.append(
            "note: the default stride of 8 elements breaks PTX's own alignment rule (16 bytes, the"
            " fragment has 32); it works, and is no finding"
        )
    if op.type in ("s4", "u4", "b1") and op.space.startswith("shared"):
        notes.append(
            "note: PTX asks for an alignment of 4 bytes; the code reads rows of 16 bytes from"
            " shared memory and traps if p or the stride is not a multiple of 16 (sm_90)"
        )
    if op.kind == "ldmatrix" and op.shape == "m8n8" and op.row_lanes < LANES:
        notes.append(
            f"note: addresses of lanes {op.row_lanes}-31 are ignored on sm_80 and later;"
            " sm_75 wants them valid"
        )
    if op.space == "" and op.row_lanes and op.kind != "cp.async":
        end = SHARED_WINDOW + SHARED_WINDOW_BYTES - 1
        notes.append(
            "note: without .shared an address is generic; shared memory is taken to lie at"
            f" {SHARED_WINDOW:#x}-{end:#x}"
            + (
                ", and nothing else may be read or written"
                if op.kind in ("ldmatrix", "stmatrix")
                else ", any other address to be one of global memory"
            )
        )
    if op.shape == "m16n16":
        notes.append("note: 16 lanes supply the rows of a matrix (PTX's table of 8 is for m8n8)")
    if op.type == "b8x16.b4x16_p64":
        notes.append(
            "note: a 4-bit code comes out in the low nibble; mma .kind::f8f6f4 wants it in bits"
            " 2-5: shift by 2 (warpsim.fp4_to_mma)"
        )
    if op.type == "s8.s4":
        notes.append("note: rows of 8 bytes, values sign-extended (measured; PTX states neither)")
    if op.kind == "cp.async" and op.cache == "cg":
        notes.append(
            "note: the write side has rules of its own: rows padded by 16 bytes cost 2.6 to 6"
            " times the wavefronts of the bank rule"
        )
    return notes


def _generic_space(op: _core.Op, address: NDArray[np.uint64], shared: SharedMemory) -> AddressSpace:
    """Shared memory, and a global one around the other addresses where the instruction has it."""
    used = address[: op.row_lanes]
    outside = used[(used < SHARED_WINDOW) | (used >= SHARED_WINDOW + SHARED_WINDOW_BYTES)]
    if op.kind in ("ldmatrix", "stmatrix") or not len(outside):
        return AddressSpace(shared)
    base = int(outside.min())
    span = int(outside.max()) - base + LANES * BLOCK_BYTES
    if span > MOST_GLOBAL_BYTES or base < SHARED_WINDOW < base + span:
        return AddressSpace(shared)
    return AddressSpace(shared, GlobalMemory(span, base=base))


def _findings(
    op: _core.Op, address: NDArray[np.uint64], stride: int | None, target: str | None
) -> Findings:
    """What is undefined in a block that has all of the target's shared memory."""
    shared = SharedMemory(BLOCK_BYTES if target is None else resolve(target).shared_bytes_per_block)
    options: dict[str, Any] = {
        "on_ub": "record", "traffic": False, "stride": stride, "target": target,
    }  # fmt: skip
    memory: SharedMemory | GlobalMemory | AddressSpace = shared
    if op.kind == "cp.async":
        source = GlobalMemory(LANES * op.size)
        memory = AddressSpace(shared, source)
        options["source"] = source.base + np.arange(LANES) * op.size
    elif op.space == "":
        memory = _generic_space(op, address, shared)
    elif op.space == "global":
        memory = GlobalMemory(1, base=0)
    if op.kind in ("stmatrix", "st", "wmma.store"):
        dtype = np.uint32 if op.register_bits == 32 else np.uint64
        options["registers"] = np.zeros((LANES, op.num_registers), dtype)
    return op.execute(memory, address, **options).findings


def _fix(op: _core.Op, finding: Finding, layout: Tile | None) -> str:
    """What to do about a finding; in a tile whose pitch is wrong, the nearest ones that are not."""
    if layout is not None and not op.is_wmma and finding.error is errors.MisalignedAddressError:
        profile = resolve("sm_90")._core
        for rule, side, message in _core.tile_findings(layout._core, op, op, profile):
            if side == "store" and rule in _core.TILE_ALIGNMENT:
                return message
    return RULES[finding.rule].fix


def _rows(op: _core.Op, address: NDArray[np.uint64]) -> list[dict[str, Any]]:
    """One row per address, with the matrix row that it stands for; wmma: p."""
    if op.is_wmma and len(address) == 1:
        return [{"lane": None, "matrix": None, "row": None, "address": int(address[0])}]
    per_matrix = op.row_lanes // op.num if op.is_collective and not op.is_wmma else 0
    rows = []
    for lane in range(LANES if op.is_wmma else op.row_lanes):
        matrix, row = divmod(lane, per_matrix) if per_matrix else (None, None)
        rows.append({"lane": lane, "matrix": matrix, "row": row, "address": int(address[lane])})
    return rows


def explain(
    op: _core.Op,
    address: ArrayLike | None = None,
    *,
    stride: int | None = None,
    where: str = "",
    layout: Tile | None = None,
    at: tuple[int, int] | None = None,
    target: str | None = None,
    ptx_version: str | None = None,
) -> Explanation:
    """What `warpsim explain` prints; `where` says in words how the addresses came about.

    `layout`: the tile that they come from, if any; `at`: its place that they are the addresses of,
    and for wmma its pitch the stride. Addresses are checked against the shared memory
    that a block of the target can have (without a target: 227 KiB), and by its rules where it has
    the instruction. `target` alone is judged at the newest PTX version.
    """
    number = _core.NEWEST_PTX if ptx_version is None else targets.ptx_number(ptx_version)
    version = f"{number // 10}.{number % 10}"
    found = legality_of(op, target, version) if target is not None else None
    banks = None if address is None else bank_report(op, address, stride=stride)
    asked = None if banks is None else banks._access
    rows: list[dict[str, Any]] = []
    findings = Findings()
    if asked is not None:
        used = np.array(asked.addresses, np.uint64)
        rows = _rows(op, used)
        if op.space != "global":
            has_it = found is not None and found.min_ptx_version is not None
            findings = _findings(op, used, stride, target if has_it else None)
    contents = {
        "schema": "warpsim.explain/1",
        "ptx": op.ptx,
        "summary": _summary(op),
        "access_bytes": op.access_bytes,
        "legality": {
            **_minimum(op),
            "target": target,
            "ptx_version": version if target is not None else None,
            "ok": None if found is None else found.ok,
            "reasons": [] if found is None else list(found.reasons),
        },
        "notes": _notes(op),
        "where": where,
        "addresses": rows,
        "findings": [{**f.to_dict(), "fix": _fix(op, f, layout)} for f in findings],
        "fragment": FragmentMap(op).to_dict() if op.is_collective else None,
        "banks": None if banks is None else banks.to_dict(),
    }
    return Explanation(contents, asked, layout, at)
