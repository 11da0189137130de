"""Every form of PTX that real kernels use runs; what is not modelled is refused by name; what is not PTX is an error."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared, rows
from tests.support.statements import kernel, statement

#: the generations of GPU whose kernels run here
MODELLED = ("sm_75", "sm_80", "sm_89")


def used() -> list[str]:
    return [row["form"] for row in rows("forms") if any(int(row[f"kernels_{target}"]) for target in MODELLED)]


def test_every_form_of_real_kernels_runs() -> None:
    for opcode in used():
        memory = np.zeros(4096, np.uint8)
        report = ws.Module(kernel(statement(opcode)))["k"](1, 32, [memory], check=False)
        assert report.steps >= 4 and report.findings == (), opcode
    compared("forms of real kernels, run", len(used()), at_least=326)
