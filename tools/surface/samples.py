"""Good values of everything: instructions, layouts, texts, and one of every class that calls give."""

from functools import cache
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.oracle import INSTRUCTIONS, PLAIN
from tests.support.paths import ROOT
from warpsim import _core

LANE = np.arange(32)
TARGETS = _core.TARGETS
CAPTURE = ROOT / "tests" / "truth" / "run" / "captures" / "triton.capture"
VERSIONS = tuple(f"{n // 10}.{n % 10}" for n in range(60, 96) if _core.ptx_index(f"{n // 10}.{n % 10}"))


OPS: tuple[ws.DataMovement, ...] = tuple(
    one.op(space) for one in INSTRUCTIONS for space in (*one.spaces, *(["global"] if one.mnemonic in PLAIN else []))
)
OPS_OF = {kind: tuple(op for op in OPS if op.kind == kind) for kind in _core.KINDS}
FAST = tuple(op for op in OPS if op.is_load and not op.is_wmma and op.space.startswith("shared"))
STORES = (ws.CpAsync(), ws.St(vec=4), ws.St(), ws.Stmatrix(num=4), ws.Stmatrix(num=2, trans=True))
LOADS = (ws.Ldmatrix(num=4), ws.Ldmatrix(num=2, trans=True), ws.Ld(vec=4), ws.Ld())
FILE = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 p)
{
    .reg .b32 %r<9>; .reg .b64 %rd<3>;
    .shared .align 16 .b8 tile[2048];
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [tile+16];
    ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1, %r2, %r3}, [tile];
    stmatrix.sync.aligned.m8n8.x2.shared.b16 [tile], {%r1, %r2};
    wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [tile+4];
}
"""
TEXTS = (*(op.ptx for op in OPS[::7]), FILE, "ld.shared.b32 %r1, [%r2+4];", "// nothing", "")
LAYOUTS = (
    ws.Layout(16, 16, "f16"),
    ws.Layout(16, 16, "f16", pad=8),
    ws.Layout(16, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)),
    ws.Layout(32, 32, "bf16", "col"),
    ws.Layout(32, 32, "s8", swizzle=ws.Swizzle(1, 4, 3, "byte")),
    ws.Layout(16, 32, "s4"),
    ws.Layout(16, 16, "f32", "col", 4),
    ws.Layout(16, 16, "f64"),
    ws.Layout(16, 32, "b6x16_p32"),
    ws.Layout(16, 16, "b4x16_p64", pad=16),
    ws.Layout(16, 32, "e4m3"),
    ws.Layout(8, 8, "b32"),
)

KERNEL = (ROOT / "tests" / "cli" / "kernel.ptx").read_text("utf-8")
MODULE = ws.Module(KERNEL)
CUDA = 'extern "C" __global__ void k(long long *x) { x[threadIdx.x] = threadIdx.x; }'


@cache
def instances() -> dict[str, tuple[Any, ...]]:
    """Class name -> instances, made the way that callers make them."""
    x4, tile = ws.Ldmatrix(num=4), ws.Layout(16, 64, "f16", pad=8)
    where = tile.addresses(x4)
    shared = ws.SharedMemory(4096)
    result = x4.execute(shared, where)
    batch = x4.execute(shared, np.stack([where, where + 3, where + 5000]), on_ub="record")
    store = ws.St().execute(shared, LANE * 4, np.zeros((32, 1), np.uint32))
    report = ws.tile(ws.Layout(32, 64, "f16", pad=4), store="st.shared.v2.b32", load=x4)
    fine = ws.tile(tile, store=ws.CpAsync(), load=x4, warps=1)
    found = ws.search(16, 64, "f16", store=ws.CpAsync(), load=x4, warps=1, pads=(0, 1, 8))
    nothing = ws.search(16, 64, "f16", store=ws.CpAsync(), load=x4, warps=1, pads=(1,), swizzles=(None,))
    loop = ws.mainloop((64, 64, 32), (2, 2))
    lint = ws.lint(FILE)
    maps = [op.fragment for op in (x4, ws.Movmatrix(), ws.WmmaLoad(), *OPS_OF["ldmatrix"][-3:])]
    finding = tuple(batch.findings)
    launched = tuple(MODULE["copy"](1, 32, (LANE.copy(), LANE[:n].copy())) for n in (32, 9))
    return {
        "SharedMemory": (shared, ws.SharedMemory(0), ws.SharedMemory(64, base=2**32 - 64)),
        "GlobalMemory": (ws.GlobalMemory(256), ws.GlobalMemory(16, base=2**64 - 16)),
        "AddressSpace": (ws.AddressSpace(), ws.AddressSpace(shared, ws.GlobalMemory(64))),
        "Layout": LAYOUTS,
        "Swizzle": (ws.Swizzle(3, 3, 3), ws.Swizzle(0, 0, 0), ws.Swizzle(2, 4, -3, "byte")),
        "Arch": (ws.arch("sm_90"), ws.Arch("sm_75", {"load_latency": 30})),
        "Constant": tuple(ws.arch("sm_90").constants.values()),
        "Result": (result, batch, store),
        "Traffic": (result.traffic, batch.traffic, x4.traffic(np.stack([where] * 3)), ws.Traffic()),
        "Findings": (batch.findings, result.findings),
        "InstructionFinding": finding,
        "Rule": tuple(ws.RULES.values()),
        "RULES": (ws.RULES,),
        "Legality": (x4.legality("sm_90", "8.0"), ws.Stmatrix().legality("sm_75", "9.0")),
        "Mma": (ws.Mma(), ws.Mma(sparsity="sp"), ws.Mma("m8n8k4", d="f64", a="f64", b="f64", c="f64")),
        "WmmaMma": (ws.WmmaMma(), ws.WmmaMma("m8n8k128", d="s32", a="b1", b="b1", c="s32", bits="xor")),
        "FragmentMap": tuple(m for m in maps if m is not None),
        "BankReport": (x4.explain(where), ws.CpAsync().explain(LANE * 16), ws.Movmatrix().explain(None)),
        "Explanation": (x4.explain_at(where), ws.Movmatrix().explain_at(target="sm_90")),
        "Cost": (x4.cost(where), ws.Movmatrix().cost(None, target="sm_80")),
        "Occupancy": (ws.occupancy(128, 168, 98304),),
        "ProgramCost": (ws.cost([(x4, where), (ws.St(), LANE * 4)], warps=2),),
        "LoopReport": (loop, ws.mainloop((16, 16, 16), (1, 1), stages=0, trans_b=True)),
        "TileReport": (report, fine),
        "Remedy": tuple(one.remedy for one in (report, loop) if one.remedy is not None),
        "TileSide": (report.store, fine.load),
        "TileFinding": report.findings,
        "SearchResult": (found, nothing),
        "LintReport": (lint, ws.lint("")),
        "Module": (MODULE, ws.Module(".version 8.0\n.target sm_80\n")),
        "RawKernel": (ws.RawKernel(CUDA, "k"), ws.RawKernel(CUDA, "k", ("-lineinfo",))),
        "Capture": (ws.Capture(CAPTURE),),
        "Struct": (ws.Struct([("x", "pointer"), ("n", "i4")], n=7), ws.Struct(np.dtype([("x", "u8")]), x=None)),
        "TensorMap": (ws.tensor_map(np.zeros((8, 8), np.float32), (4, 2), swizzle="32B"),),
        "Kernel": tuple(MODULE.kernels.values()),
        "Param": MODULE["copy"].params,
        "KernelReport": launched,
        "KernelFinding": launched[1].findings,
        "LintFinding": tuple(lint.findings),
        **{name: ops for name, ops in instructions().items()},
        **errors(),
    }


def instructions() -> dict[str, tuple[ws.DataMovement, ...]]:
    """Class name -> instructions."""
    found: dict[str, list[ws.DataMovement]] = {}
    for op in OPS:
        found.setdefault(type(op).__name__, []).append(op)
    return {name: tuple(ops) for name, ops in found.items()}


def errors() -> dict[str, tuple[BaseException, ...]]:
    """Class name -> exceptions of it."""
    return {
        name: (value("a message", "code") if name == "HardwareTrap" else value("a message"),)
        for name, value in vars(ws).items()
        if isinstance(value, type) and issubclass(value, ws.WarpsimError)
    }
