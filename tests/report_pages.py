"""One report of every kind, and the pages of the odd cases."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from warpsim.explanation import explain
from warpsim.holders import holders
from warpsim.rules import rules

TRUTH = Path(__file__).parent / "truth"
X4 = ws.Ldmatrix(num=4)
HOSTILE = """.version 8.0
.target sm_80
.visible .entry kernel() {
\t.reg .b32 %r<4>;
\tstmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3}; // <script>alert(1)</script> &
\tldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];
\tld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%r0];
}
"""
CLEAN = """.version 8.0
.target sm_80
.visible .entry kernel() {
    .reg .b32 %r<4>;
    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];
}
"""


def fragments() -> dict[str, Any]:
    texts = {
        "fragment x1": "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
        "fragment x4": "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
        "fragment b6": "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32",
        "fragment b4": "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64",
        "fragment wmma": "wmma.load.a.sync.aligned.row.m8n32k16.shared.f16",
        "fragment b1": "wmma.load.b.sync.aligned.col.m8n8k128.shared.b1",
    }
    return {name: ws.parse(text).fragment for name, text in texts.items()}


def banks() -> dict[str, Any]:
    copy, wmma = ws.CpAsync(), ws.WmmaLoad(operand="c", type="f32")
    return {
        "banks conflict": X4.explain([lane % 8 * 256 + lane // 8 * 16 for lane in range(32)]),
        "banks broadcast": ws.Ld(type="b32").explain([lane // 3 * 4 for lane in range(32)]),
        "banks cp.async": copy.explain(ws.Layout(8, 64, "f16", pad=8).addresses(copy)),
        "banks wmma": wmma.explain(0, stride=16),
        "banks none": ws.Movmatrix().explain(None),
    }


def explanations() -> dict[str, Any]:
    m16 = ws.parse("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8")
    padded = ws.Layout(16, 16, "f16", pad=8).addresses(X4)
    return {
        "explain": explain(X4, padded, where="tile 16x16:f16:pad=8", target="sm_90"),
        "explain undefined": explain(X4, padded + 8 * (padded > 400), where="--address"),
        "explain illegal": explain(m16, target="sm_100", ptx_version="8.6"),
        "explain wmma": explain(ws.WmmaLoad(), np.array([1 << 20]), where="--address"),
        "explain plain": explain(ws.Ld(vec=4, type="b32")),
    }


def lints() -> dict[str, Any]:
    real = (TRUTH / "real_ptx" / "triton_matmul_sm80.ptx").read_text()
    return {
        "lint findings": ws.lint(HOSTILE),
        "lint clean": ws.lint(CLEAN),
        "lint nothing": ws.lint("<b>no PTX</b>"),
        "lint real": ws.lint(real),
        "lint real at sm_70": ws.lint(real, target="sm_70", ptx_version="7.0"),
    }


def costs() -> dict[str, Any]:
    fill, addresses = ws.CpAsync(), ws.Layout(16, 64, "f16", pad=8).addresses(X4)
    tile = ws.Layout(64, 64, "f16", pad=8)
    return {
        "tile": ws.tile(tile, store=fill, load=X4),
        "search": ws.search(64, 64, "f16", store=ws.St(), load=X4, pads=range(9)),
        "cost": X4.cost(addresses, warps=8),
        "program cost": ws.cost([(X4, addresses), (X4, addresses + 32)], warps=8),
        "main loop": ws.mainloop(tile=(128, 128, 64), warps=(4, 2), stages=3),
    }


def tables() -> dict[str, Any]:
    fragment = ws.parse("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32").fragment
    assert fragment is not None
    return {
        "rules": rules(),
        "rules of ldmatrix": rules(["LDM"]),
        "holders": holders(fragment, lane=5),
    }


@cache
def reports() -> dict[str, Any]:
    """Name -> report. All can be shown."""
    return {**banks(), **fragments(), **explanations(), **lints(), **costs(), **tables()}
