"""Everything about one instruction at one place, as a plain dict that the renderers print."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .findings import RULES, Findings
from .instruction import Instruction
from .memory import AddressSpace, GlobalMemory, SharedMemory

#: the largest shared memory of a block (sm_90, sm_100), which addresses are checked against
BLOCK_BYTES = 227 * 1024
LANES = 32


def _minimum(op: Instruction) -> dict[str, Any]:
    """Where the form is legal at all: lowest PTX version, and the targets in words."""
    minima = {name: _core.min_ptx_at(op, row) for row, name in enumerate(_core.TARGETS)}
    taking = {name: version for name, version in minima.items() if version}
    lowest, names = min(taking.values()), list(taking)
    rest = list(minima)[list(minima).index(names[0]) :]
    words = f"{names[0]} and later" if names == rest else ", ".join(names)
    return {"min_ptx_version": f"{lowest // 10}.{lowest % 10}", "targets": words}


def _summary(op: Instruction) -> str:
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


def _notes(op: Instruction) -> list[str]:
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


def _findings(
    op: Instruction, address: NDArray[np.int64], stride: int | None, target: str | None
) -> Findings:
    shared = SharedMemory(BLOCK_BYTES)
    options: dict[str, Any] = {"on_ub": "record", "traffic": False, "stride": stride}
    options["target"] = target
    memory: SharedMemory | GlobalMemory | AddressSpace = shared
    if op.kind == "cp.async":
        source = GlobalMemory(LANES * op.size)
        memory = AddressSpace(shared, source)
        options["source"] = source.base + np.arange(LANES) * op.size
    elif op.space == "":
        memory = AddressSpace(shared)
    elif op.space == "global":
        memory = GlobalMemory(1, base=0)
    if op.kind in ("stmatrix", "st", "wmma.store"):
        dtype = np.uint32 if op.register_bits == 32 else np.uint64
        options["registers"] = np.zeros((LANES, op.num_registers), dtype)
    return op.execute(memory, address, **options).findings


def _rows(op: Instruction, address: NDArray[np.int64]) -> list[dict[str, Any]]:
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
    op: Instruction,
    address: NDArray[np.int64] | None = None,
    *,
    stride: int | None = None,
    where: str = "",
    target: str | None = None,
    ptx_version: str | None = None,
) -> dict[str, Any]:
    """What `warpsim explain` prints; `where` says in words how the addresses came about.

    Addresses are checked against the largest shared memory of a block, 227 KiB. `target` alone is
    judged at the newest PTX version.
    """
    version = ptx_version or f"{_core.NEWEST_PTX // 10}.{_core.NEWEST_PTX % 10}"
    found = op.legality(target, version) if target is not None else None
    rows: list[dict[str, Any]] = []
    if address is not None:
        rows = _rows(op, address)
    findings = Findings()
    if address is not None and op.space != "global":
        judged = target if found is not None and found.ok and not op.is_wmma else None
        findings = _findings(op, address, stride, judged)
    fragment = op.fragment
    return {
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
        "findings": [{**f.to_dict(), "fix": RULES[f.rule].fix} for f in findings],
        "fragment": None if fragment is None else fragment.to_dict(),
        "banks": None if address is None else op.explain(address, stride=stride).to_dict(),
    }
