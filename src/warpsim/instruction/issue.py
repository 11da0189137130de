"""A warp whose lanes may hold different instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import arguments, targets
from .._core import Result
from ..errors import bad_value
from ..memory.memory import Memory
from .base import DataMovement
from .call import Call, Given, policy_index
from .findings import raise_for
from .kinds import Movmatrix


def issue(
    ops: Sequence[DataMovement],
    memory: Memory | None,
    address: ArrayLike | None,
    registers: ArrayLike | None = None,
    **options: Any,
) -> Result:
    """Executes one instruction per lane (32 of them), the same for all warps of `address`.

    Where the running lanes of a warp differ, the behaviour of an .aligned instruction is undefined
    (DivergentQualifiersError); `options` are those of `DataMovement.execute`.
    """
    lanes = arguments.several("ops", ops, arguments.LANES)
    if len(lanes) != arguments.LANES or not all(isinstance(op, DataMovement) for op in lanes):
        raise bad_value("ops", f"expected 32 instructions, one per lane; got {len(lanes)} values")
    first: DataMovement = lanes[0]
    if all(op == first for op in lanes):
        return first.execute(memory, address, registers, **options)
    if not all(op.is_collective for op in lanes):
        raise bad_value(
            "ops",
            "lanes may differ only among ldmatrix, stmatrix and movmatrix; plain accesses are"
            " lane by lane anyway: call execute once per instruction with active masks",
        )
    return _issue_divergent(lanes, memory, address, registers, options)


def _issue_divergent(
    ops: list[DataMovement],
    memory: Memory | None,
    address: ArrayLike | None,
    registers: ArrayLike | None,
    options: dict[str, Any],
) -> Result:
    """Warps whose running lanes agree run; the others are findings."""
    target, on_ub = options.get("target"), options.get("on_ub", "raise")
    policy = policy_index(on_ub, target)
    if address is not None:
        address = arguments.integers("address", address)
        batch = address.shape[:-1]
    else:
        registers = None if registers is None else arguments.integers("registers", registers)
        batch = () if registers is None else registers.shape[:-2]
    for op in ops:
        targets.row_that_takes(op, target)
    active, exited = options.get("active", arguments.FULL_MASK), options.get("exited", 0)
    probe = Call(Movmatrix(), Given(None, active=active, exited=exited, target=target), batch)
    ok = np.ones(probe.n, np.uint8)
    findings = probe.check_qualifiers(list(ops), policy, ok)
    if on_ub == "raise" and len(findings):
        raise_for(findings)
    masks = np.full(probe.n, arguments.FULL_MASK, np.uint32) if probe.active is None else probe.active
    masks = np.where(ok > 0, masks, np.uint32(0))
    agreed = np.where(ok > 0, probe.running().reshape(-1), 0)
    chosen = {ops[int(mask & -mask).bit_length() - 1] for mask in agreed.tolist() if mask}
    if len(chosen) > 1:
        raise bad_value("ops", "the warps of one call run different instructions; call once for each")
    result = (chosen.pop() if chosen else ops[0]).execute(
        memory, address, registers, **{**options, "active": masks.reshape(batch)}
    )
    defined = result.ok & (ok.reshape(batch) > 0)
    traffic = None if result.traffic is None else result.traffic.where(defined)
    return Result(result.registers, traffic, findings if len(findings) else result.findings, defined)
