"""Every finding is a ws.Finding: rule, severity, message, where, fix."""

import pickle

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b64 %rd<2>; .reg .b32 %r<2>;
ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd1, %rd0;
st.global.u32 [%rd1], %r0;
ret;
}
"""


def findings() -> dict[str, ws.Finding]:
    x4 = ws.Ldmatrix(num=4)
    executed = x4.execute(ws.SharedMemory(1024), np.arange(32) * 16 + 8, on_ub="record").findings[0]
    tile = ws.tile(ws.Layout(16, 16, "f16", pad=1), load=x4, warps=1).findings[0]
    linted = ws.lint(
        ".version 6.0\n.target sm_70\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1,%r2,%r3}, [%r4];\n"
    )
    launched = ws.Module(PTX)["k"](1, 32, [np.zeros(16, np.uint32)])
    return {"executed": executed, "tile": tile, "lint": linted.findings[0], "launch": launched.findings[0]}


def test_what_finds_something_gives_findings_of_one_kind() -> None:
    found = findings()
    for name, one in found.items():
        assert isinstance(one, ws.Finding), name
        assert one.rule in ws.RULES and one.severity in ("error", "warning", "note") and one.message
        assert one.where and one.fix
        assert pickle.loads(pickle.dumps(one)) == one
    compared("kinds of findings", len(found), at_least=4)
    assert found["executed"].where == "warp 0, lane 0, address 0x8"
    assert found["tile"].where == "load" and found["tile"].severity == ws.RULES[found["tile"].rule].severity
    assert found["lint"].where.startswith("line 3, column ") and isinstance(found["lint"], ws.LintFinding)
    assert found["launch"].where == "line 8: st.global.u32" and isinstance(found["launch"], ws.KernelFinding)


def test_called_it_makes_a_finding_of_execution() -> None:
    made = ws.Finding("WS-LDM-003", "error", 1, None, None, "words")
    assert isinstance(made, ws.Finding) and (made.warp, made.lane, made.address) == (1, None, None)
    assert made == ws.Finding(rule="WS-LDM-003", severity="error", warp=1, lane=None, address=None, message="words")
    assert made.where == "warp 1" and made.fix == ws.RULES["WS-LDM-003"].fix
    assert not hasattr(ws.TileFinding("WS-TILE-001", "load", "words"), "warp")
    with pytest.raises(TypeError):
        ws.Finding("WS-LDM-003")
