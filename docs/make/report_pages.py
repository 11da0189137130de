"""One report of every kind, and the pages of the odd cases."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.paths import TRUTH
from warpsim.cli.rules import rules
from warpsim.instruction.explanation import Spot, explain
from warpsim.instruction.fragment_holders import holders

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

COLUMN = """.version 8.0
.target sm_80
.address_size 64
.file 1 "kernels/column.cu"
.visible .entry column(.param .u64 x, .param .u64 y)
{
    .reg .b32 %r<5>;
    .reg .b64 %d<5>;
    .shared .align 4 .b8 tile[4096];
    .loc 1 4 5
    ld.param.u64 %d0, [x];
    ld.param.u64 %d1, [y];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %d2, %r0, 128, %d0;
    mad.wide.u32 %d3, %r0, 4, %d1;
    mov.u32 %r1, tile;
    mad.lo.u32 %r1, %r0, STRIDE, %r1;
    .loc 1 5 5
    ld.global.u32 %r2, [%d2]; // <script>alert(1)</script> &
    st.shared.u32 [%r1], %r2;
    bar.sync 0;
    .loc 1 6 5
    ld.shared.u32 %r3, [%r1];
    st.global.u32 [%d3], %r3;
    .loc 1 5 9
    ret;
}
"""
COLUMN_CU = """// <b>Reads a column</b> & puts it into shared memory.
__global__ void column(const int *x, int *y) {
    __shared__ int tile[1024];
    int i = threadIdx.x;
    tile[i * 32] = x[i * 32];
    y[i] = tile[i * 32];
}
"""


def column(stride: int = 128, elements: int = 1024) -> ws.KernelReport:
    """A launch with bank conflicts and, of fewer elements, an access out of bounds; its source lies nowhere."""
    x, y = np.arange(elements, dtype=np.uint32), np.zeros(32, np.uint32)
    report = ws.Module(COLUMN.replace("STRIDE", str(stride)))["column"](1, 32, (x, y))
    return replace(report, source_texts=(COLUMN_CU,))


def launches() -> dict[str, Any]:
    return {
        "launch": column(),
        "launch, out of bounds": column(elements=900),
        "launch, PTX alone": replace(column(), source_texts=(None,)),
        "launch, not counted": ws.Module(COLUMN.replace("STRIDE", "4"))["column"](1, 32, (None, None), count=False),
        "launches compared": column().diff(column(stride=4)),
        "launches compared, findings": column(elements=900).diff(column()),
    }


def fragments() -> dict[str, Any]:
    texts = {
        "fragment x1": "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
        "fragment x4": "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
        "fragment b6": "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32",
        "fragment b4": "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64",
        "fragment wmma": "wmma.load.a.sync.aligned.row.m8n32k16.shared.f16",
        "fragment b1": "wmma.load.b.sync.aligned.col.m8n8k128.shared.b1",
    }
    found: dict[str, Any] = {name: ws.parse(text).fragment for name, text in texts.items()}
    return {**found, "holders": holders(found["fragment x4"], lane=5)}


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
        "explain": explain(X4, padded, target="sm_90", spot=Spot("tile 16x16:f16:pad=8")),
        "explain undefined": explain(X4, padded + 8 * (padded > 400), spot=Spot("--address")),
        "explain illegal": explain(m16, target="sm_100", ptx_version="8.6"),
        "explain wmma": explain(ws.WmmaLoad(), np.array([1 << 20]), spot=Spot("--address")),
        "explain plain": explain(ws.Ld(vec=4, type="b32")),
    }


def lints() -> dict[str, Any]:
    real = (TRUTH / "real_ptx" / "triton_matmul_sm80.ptx").read_text()
    return {
        "lint findings": ws.lint(HOSTILE),
        "lint clean": ws.lint(CLEAN),
        "lint nothing": ws.lint("<b>no PTX</b>"),
        "lint real": ws.lint(real),
        "rules": rules(),
        "lint real at sm_70": ws.lint(real, target="sm_70", ptx_version="7.0"),
    }


def tiles() -> dict[str, Any]:
    """Narrow and wide, in both orders, packed, with conflicts, padding and findings."""
    swizzle = ws.Swizzle(3, 3, 3)
    m8n16 = ws.Ldmatrix(shape="m8n16", type="b8x16.b6x16_p32", num=2)
    cases: dict[str, tuple[ws.Layout, ws.DataMovement, ws.DataMovement, str]] = {
        "tile": (ws.Layout(64, 64, "f16", pad=8), ws.CpAsync(), X4, "sm_90"),
        "tile conflicts": (ws.Layout(128, 128, "f16"), ws.St(vec=4), X4, "sm_80"),
        "tile swizzle": (ws.Layout(64, 64, "f16", swizzle=swizzle), ws.CpAsync(), X4, "sm_90"),
        "tile wide": (ws.Layout(64, 512, "f16", pad=8), ws.CpAsync(), X4, "sm_90"),
        "tile f32": (ws.Layout(256, 256, "f32"), ws.St(), ws.Ld(vec=4), "sm_90"),
        "tile col": (ws.Layout(64, 64, "f32", order="col", pad=4), ws.St(), ws.Ld(), "sm_90"),
        "tile packed": (ws.Layout(64, 64, "b6x16_p32"), ws.CpAsync(), m8n16, "sm_100a"),
        "tile misaligned": (ws.Layout(64, 64, "f16", pad=1), ws.St(vec=4), X4, "sm_90"),
        "tile bytes": (ws.Layout(64, 64, "b8"), ws.St(type="b8"), ws.Ld(type="b16"), "sm_90"),
        "tile one column": (ws.Layout(64, 8, "f16", pad=8), ws.St(vec=4), ws.Ldmatrix(), "sm_90"),
        "tile generic": (ws.Layout(64, 64, "f16"), ws.St(space="", vec=4), X4, "sm_90"),
    }
    return {
        name: ws.tile(layout, store=store, load=load, warps=2, target=target)
        for name, (layout, store, load, target) in cases.items()
    }


def searches() -> dict[str, Any]:
    sides: dict[str, Any] = {"store": ws.CpAsync(), "load": X4}
    plain: dict[str, Any] = {"swizzles": [None], **sides}
    return {
        "search": ws.search(64, 64, "f16", store=ws.St(), load=X4, pads=range(9)),
        "search of the README": ws.search(128, 64, "f16", **sides),
        "search, two of the front": ws.search(128, 64, "f16", pads=range(0, 65, 8), **plain),
        "search, one candidate": ws.search(128, 64, "f16", pads=[8], **plain),
        "search, none": ws.search(128, 64, "f16", pads=[1], **plain),
        "search, logarithmic": ws.search(33, 33, "f32", store=ws.St(), load=ws.Ld(), warps=1),
    }


def costs() -> dict[str, Any]:
    addresses = ws.Layout(16, 64, "f16", pad=8).addresses(X4)
    long = ws.parse("ldmatrix.sync.aligned.m8n16.x4.shared::cta.b8x16.b6x16_p32")
    return {
        "cost": X4.cost(addresses, warps=8),
        "cost on another target": long.cost(addresses, warps=64, target="sm_120a"),
        "cost of a copy": ws.CpAsync().cost(addresses),
        "program cost": ws.cost([(X4, addresses), (X4, addresses + 32)], warps=8),
        "main loop": ws.mainloop(tile=(128, 128, 64), warps=(4, 2), stages=3),
        "main loop, never measured": ws.mainloop((64, 64, 16), (1, 1), stages=0, target="sm_86"),
    }


def tables() -> dict[str, Any]:
    fragment = ws.parse("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32").fragment
    assert fragment is not None
    return {"rules": rules(), "rules of ldmatrix": rules(["LDM"]), "holders": holders(fragment, lane=5)}


@cache
def reports() -> dict[str, Any]:
    """Name -> report. All can be shown."""
    return {
        **banks(),
        **fragments(),
        **explanations(),
        **lints(),
        **tiles(),
        **searches(),
        **costs(),
        **tables(),
        **launches(),
    }
