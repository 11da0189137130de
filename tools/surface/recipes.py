"""Good arguments of every public callable, from a random.Random: what hostile values take the place of.

A recipe gives (callable, positional arguments, keyword arguments). The running of instructions has
rules of its own (running.py); recipes here are for everything else.
"""

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import warpsim as ws
from warpsim import dtypes, testing

from . import hostile
from .samples import (
    CAPTURE,
    CUDA,
    FILE,
    KERNEL,
    LAYOUTS,
    LOADS,
    OPS,
    OPS_OF,
    STORES,
    TARGETS,
    TEXTS,
    VERSIONS,
    instances,
)

Recipe = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
Maker = Callable[[Random], Recipe]
LANE = np.arange(32)
ACCESSES = (*LOADS, *STORES)
SMALL = tuple(range(-5, 10))


@cache
def folder() -> Path:
    """Where files are written: gone with the process's temporary folder."""
    return Path(tempfile.mkdtemp(prefix="surface-"))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


def made(function: Any, **choices: Any) -> Maker:
    """Each argument one of a sequence, or what a function of the random.Random gives."""

    def make(random: Random) -> Recipe:
        given = {name: some(random) if callable(some) else random.choice(some) for name, some in choices.items()}
        return function, (), given

    return make


def of(cls: str, method: str = "", **choices: Any) -> Maker:
    """A method of an instance of a class, or the instance itself, called."""
    return lambda r: made(getattr(r.choice(instances()[cls]), method or "__call__"), **choices)(r)


def a(cls: str) -> Callable[[Random], Any]:
    """An instance of a class."""
    return lambda r: r.choice(instances()[cls])


def form(kind: str, *names: str) -> Maker:
    """An instruction's class with fields that some form of it has."""

    def make(random: Random) -> Recipe:
        op = random.choice(OPS_OF[kind])
        return type(op), (), {name: getattr(op, name) for name in names}

    return make


def _address(op: ws.DataMovement, random: Random) -> Any:
    """Addresses that a form may have; None for movmatrix."""
    if op.kind == "movmatrix":
        return None
    base = {"global": 0x7F00_0000_0000, "": 0x7FFF_0000_0000}.get(op.space, 0) if op.kind != "cp.async" else 0
    step = random.choice((0, 1, 1, 2, 8)) * op.access_bytes
    if op.is_wmma:
        return np.full(1, base + step, np.uint64)
    return base + LANE.astype(np.uint64) * np.uint64(step)


def _cost(random: Random) -> Recipe:
    op = random.choice((*OPS, *OPS_OF["cp.async"]))
    target = random.choice(("sm_90", "sm_90", "sm_80", ws.arch("sm_90"), "sm_120a"))
    options: dict[str, Any] = {"address": _address(op, random), "target": target}
    if random.random() < 0.3:
        options |= {"warps": random.randint(1, 64), "active": random.getrandbits(32)}
    if op.kind == "cp.async":
        options["source"] = LANE * 16
    return op.cost, (), options


def _explained_at(random: Random) -> Recipe:
    op = random.choice(OPS)
    return (op.explain_at, (), {"address": _address(op, random), "target": random.choice((None, *TARGETS))})


def _explain(random: Random) -> Recipe:
    op = random.choice(OPS)
    return op.explain, (), {"address": _address(op, random), "active": 0xFFFF_FFFF, "target": None}


def _steps(random: Random) -> list[Any]:
    ops = random.choices((*STORES, *LOADS, ws.Movmatrix()), k=random.randint(1, 3))
    return [(op, _address(op, random)) for op in ops]


def _layout(random: Random) -> Recipe:
    found = random.choice(LAYOUTS)
    names = ("rows", "cols", "type", "order", "pad", "swizzle")
    return ws.Layout, (), {name: getattr(found, name) for name in names}


def _search(random: Random) -> Recipe:
    layout = random.choice(LAYOUTS)
    swizzles = ((None,), (ws.Swizzle(3, 3, 3), None), (ws.Swizzle(1, 4, 3, "byte"),))
    return made(
        ws.search, rows=(layout.rows,), cols=(layout.cols,), type=(layout.type,), store=STORES, load=LOADS, warps=(1,),
        target=("sm_90",), pads=((0, 8), [4]), swizzles=swizzles, orders=("row", ("row", "col")), max_bytes=(None,),
        executor=(None,), progress=(False,),
    )(random)  # fmt: skip


def _double(x: Any = 0, **_: Any) -> dict[str, Any]:
    return {"twice": x, "word": "a"}


def _sweep(random: Random) -> Recipe:
    grids: tuple[Any, ...] = ({"x": [1, 2]}, {"x": np.arange(3)}, [{"x": 1}], {"x": ()}, {"x": [2**70]})
    options = {"function": _double, "grid": random.choice(grids), "executor": None, "progress": False}
    if random.random() < 0.05:
        options["checkpoint"] = folder() / f"{random.randrange(4)}.sqlite"
    elif random.random() < 0.02:
        options["executor"] = _pool()
    return ws.sweep, (), options


PROFILES = (
    'target = "sm_90"\n[constants]\nload_latency = 30\n', "", "target = 5", "\ud800", "\0", 'target = "sm_1"', "[" * 2000,
    'target = "sm_90"\nother = 1', 'target = "sm_90"\n[constants]\nload_latency = nan', "x = " + "9" * 5000,
    'target = "sm_90"\n[constants]\nbanks = 1e400',
)  # fmt: skip


def _file(random: Random) -> Recipe:
    path = folder() / "arch.toml"
    path.write_text(random.choice(PROFILES), errors="surrogatepass")
    return made(ws.Arch.from_file, path=(path, str(path), folder(), folder() / "none"))(random)


def _broken(texts: tuple[str, ...]) -> Callable[[Random], str]:
    """A text, half of the time with a piece lost, doubled, or changed."""

    def make(random: Random) -> str:
        text = random.choice(texts)
        if random.random() < 0.5:
            return text
        begin, size = random.randrange(len(text) + 1), random.randrange(40)
        piece = text[begin : begin + size]
        middle = random.choice(
            ("", piece * 2, "\0", "\ud800", "{", "é", ".reg .b32", ".", "x4", " ", ";", "[", "{%r1}")
        )
        return text[:begin] + middle + text[begin + random.choice((1, size)) :]

    return make


def _issue(random: Random) -> Recipe:
    first, second = random.choice(LOADS), random.choice((*LOADS, ws.Movmatrix(), ws.Stmatrix()))
    ops = [first] * 31 + [random.choice((first, second))]
    options: dict[str, Any] = {"ops": ops, "memory": ws.SharedMemory(1024), "address": LANE * 16}
    if random.random() < 0.5:
        policy = random.choice(("record", "raise", "hardware"))
        options |= {"on_ub": policy, "active": random.choice((0xFFFF_FFFF, 1)), "target": "sm_90"}
    return ws.issue, (), options


def _registers(random: Random) -> Any:
    kind = random.choice((np.uint32, np.uint64))
    return np.array([random.getrandbits(32) & 0x0F0F0F0F for _ in range(4)], kind)


def _counted(random: Random) -> Recipe:
    traffic = a("Traffic")(random)
    return traffic.where, (), {"counted": np.ones(traffic.wavefronts.shape, bool)}


def _rule(key: Any) -> Any:
    return ws.RULES[key]


AXES = hostile.EvilArray(Random(0), "truth")
BASES = (None, "explorer.html", "https://example.org/a page", "a#b")
AT = {"target": TARGETS, "ptx_version": VERSIONS}
ANY_AT = {"target": (None, *TARGETS), "ptx_version": (None, *VERSIONS)}
VIEW = {
    "dtype": ("float16", np.uint8, "O", "V3", "S0", "<f8", "i4,f2"),
    "shape": (4, (2, 2), (), (0,), [3], (2**40, 2**40), (-1,)),
    "offset": (0, 0, 2, 63),
}
MEMORY = {"storage": (0, 64, 4096, np.zeros(16, np.float16), np.int64(32)), "base": (0, 1024, 2**32 - 4096)}
MATRIX = ("shape", "num", "trans", "space", "type")

PRODUCTS = ("Mma", "WmmaMma")


def _product(name: str) -> dict[str, Maker]:
    """What a product can be asked; operands that it takes, and some that it does not."""

    def multiply(random: Random) -> Recipe:
        op, batch = random.choice(instances()[name]), random.choice(((), (2,), (0,), (70,)))
        given = {one: np.full((*batch, 32, op.num_registers[one]), random.getrandbits(32), np.uint32) for one in "abc"}
        words = np.zeros((*batch, 32), np.uint32) if op.is_sparse or random.random() < 0.1 else None
        options = {"selector": random.randint(0, 1), "target": random.choice(TARGETS), "threads": random.randint(1, 3)}
        return op.multiply, (), {**given, "metadata": words, **options}

    return {
        "multiply": multiply,
        "fragment": of(name, "fragment", operand=("a", "d", "metadata")),
        "legality": of(name, "legality", **AT),
        "check": of(name, "check", **AT),
        "explain": of(name, "explain", **ANY_AT),
    }


RECIPES: dict[str, Maker] = {
    "parse": made(ws.parse, text=_broken((*TEXTS, *(op.ptx for op in OPS)))),
    "Ldmatrix": form("ldmatrix", *MATRIX),
    "Stmatrix": form("stmatrix", *MATRIX),
    "Movmatrix": made(ws.Movmatrix),
    "Ld": form("ld", "space", "vec", "type"),
    "St": form("st", "space", "vec", "type"),
    "CpAsync": form("cp.async", "size", "cache"),
    "WmmaLoad": form("wmma.load", "operand", "layout", "shape", "space", "type"),
    "WmmaStore": form("wmma.store", "layout", "shape", "space", "type"),
    "Mma": made(ws.Mma, shape=("m16n8k16", "m8n8k4"), d=("f32", "f16", "x"), sparsity=("", "sp"), satfinite=(False, 1)),
    "WmmaMma": made(ws.WmmaMma, shape=("m16n16k16", "m8n8k4"), c=("f32", "f16"), bits=("", "xor"), rounding=("", "rn")),
    **{f"{name}.{method}": maker for name in PRODUCTS for method, maker in _product(name).items()},
    "Instruction": made(ws.Instruction, fields=({"kind": "ldmatrix"},)),
    "DataMovement": made(ws.DataMovement, fields=({"kind": "ldmatrix"},)),
    "Instruction.legality": lambda r: made(r.choice(OPS).legality, **AT)(r),
    "Instruction.check": lambda r: made(r.choice(OPS).check, **AT)(r),
    "DataMovement.fragment_for": lambda r: made(r.choice(OPS).fragment_for, target=TARGETS)(r),
    "DataMovement.cost": _cost,
    "DataMovement.explain": _explain,
    "DataMovement.explain_at": _explained_at,
    "explain": made(
        ws.explain, op=OPS, address=(None,), layout=(None, *LAYOUTS), at=((0, 0), (8, 0)), stride=(None,), **AT
    ),
    "FragmentMap": made(ws.FragmentMap, op=OPS[:200]),
    "FragmentMap.holders": of("FragmentMap", "holders", matrix=(0,), row=range(9), col=(1,)),
    "Legality": made(ws.Legality, ok=(True,), reasons=((),), min_ptx_version=(None,), targets=((),)),
    "lint": made(ws.lint, ptx_text=_broken((*TEXTS, FILE, FILE)), **ANY_AT),
    "LintReport.text": of("LintReport", "text", name=("file",)),
    "compile": made(
        ws.compile, source=(CUDA, CUDA + "}", ""), name=(None, "k", "k<3>"), target=("sm_90", "h100"),
        options=((), "-DX", ("-I.",)), headers=(None, {"a.h": ""}),
    ),
    "RawKernel": made(ws.RawKernel, code=(CUDA,), name=("k", "l"), options=((), ("-DX",)), target=("sm_80",)),
    "RawKernel.compile": of("RawKernel", "compile"),
    "RawKernel.__call__": of(
        "RawKernel", grid=((1,), (2, 1)), block=((32,),), args=lambda r: [LANE.copy()], shared_mem=(0,), stream=(None,),
        max_steps=(10_000,),
    ),
    "numba": made(ws.numba, fn=(print,), grid=(1,), block=(32,), target=("sm_80",)),
    "triton": made(ws.triton, fn=(print,), grid=(1,), num_warps=(4,), num_stages=(3,), target=("sm_80",)),
    "Module": made(ws.Module, ptx=_broken((*TEXTS, KERNEL))),
    "Module.__getitem__": of("Module", "__getitem__", name=("copy", "cpoy")),
    "Kernel.__call__": of(
        "Kernel", grid=(1, (2, 1)), block=(32, (8, 4), 1024), args=lambda r: [LANE.copy(), LANE.copy()], shared_bytes=(0,),
        blocks=(None, 1, [0]), target=(None, "sm_90"), contract=(True,), check=(True,), count=(True,), order=range(3),
        on_finding=("record", "raise"), as_assembled=(False, ()), threads=(1, 2), stack_bytes=(None,), max_steps=(None, 9), print_output=(False,),
        executor=(None,), progress=(None, False),
    ),
    "Capture": made(ws.Capture, path=(CAPTURE, str(CAPTURE)), ptx=(None, KERNEL)),
    "Struct": made(ws.Struct, fields=([("x", "pointer"), ("n", "i4")], np.dtype([("x", "u8")])), x=(LANE, None, 7)),
    "Struct.packed": of("Struct", "packed"),
    "TensorMap.packed": of("TensorMap", "packed"),
    "tensor_map": made(
        ws.tensor_map, array=(np.zeros((16, 16), np.float32), LANE), box=((4, 2), 8, (0, 1)), dims=(None, (16, 16)),
        strides=(None, 64), element_strides=(None, (1, 2)), swizzle=("none", "32B"), fill=("none", "nan"),
    ),
    "uninitialized": made(ws.uninitialized, shape=(0, 3, (2, 3)), dtype=(np.float32, "u1")),
    "SharedMemory": made(ws.SharedMemory, **MEMORY),
    "GlobalMemory": made(ws.GlobalMemory, **MEMORY),
    "AddressSpace": made(ws.AddressSpace, shared=a("SharedMemory"), global_=a("GlobalMemory"), shared_window=(2**40,)),
    "SharedMemory.view": of("SharedMemory", "view", **VIEW),
    "GlobalMemory.view": of("GlobalMemory", "view", **VIEW),
    "issue": _issue,
    "Traffic": made(ws.Traffic, counts=(np.zeros((2, 6), np.int64),), inexact=((),), unknown=((),)),
    "Traffic.where": _counted,
    "Result": made(ws.Result, registers=(None,), traffic=(None,), findings=(None,), ok=(None,)),
    "Findings.count": of("Findings", "count", value=a("InstructionFinding")),
    "Findings.index": of("Findings", "index", value=a("InstructionFinding")),
    "Findings.__getitem__": of("Findings", "__getitem__", index=range(-70, 70)),
    "Findings": made(ws.Findings, found=a("Findings")),
    "RULES.__getitem__": lambda r: (_rule, (r.choice((*ws.RULES, "x", 5, 2**70)),), {}),
    "cost": made(ws.cost, steps=_steps, warps=range(1, 9), target=("sm_90",)),
    "arch": made(ws.arch, target=TARGETS),
    "Arch": made(ws.Arch, target=TARGETS, values=(None, {"load_latency": 30})),
    "Arch.from_file": _file,
    "Arch.to_file": of("Arch", "to_file", path=lambda r: folder() / "written.toml"),
    "Layout": _layout,
    "Layout.from_cute": made(
        ws.Layout.from_cute,
        text=("(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "((8,2),8):((8,64),1)", "(8,(4,2)):(4,(1,64))", "Sw<9", ""),
        dtype=(None, "f16", "s8", "b6x16_p32"),
    ),
    "Layout.from_triton": made(
        ws.Layout.from_triton,
        encoding=(
            "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
            "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>",
            "#ttg.padded_shared<[32:+8] {order = [1, 0], shape = [16, 32]}>",
            "#ttg.padded_shared<>",
        ),
        shape=((16, 32), (8, 12), (8,)),
        dtype=("f16", "s8", "b6x16_p32"),
    ),
    "Layout.from_tma": made(
        ws.Layout.from_tma, box=((8, 64), (64, 32), (300, 64)), swizzle=("128B", "64b", "none"), dtype=("f16", "s8")
    ),
    "Layout.boxes": of("Layout", "boxes", n=(1, 2, 5)),
    "Layout.offset": of("Layout", "offset", row=range(20), col=range(9)),
    "Remedy.text": of("Remedy", "text", notation=("c++", "cute", "triton", "python", "--tile")),
    "target_of": made(ws.target_of, name=("h100", "RTX 4090", "sm_90", "90a", "hopper", "blackwell", "")),
    "Layout.__call__": of("Layout", row=range(20), col=range(9)),
    "Layout.addresses": of(
        "Layout", "addresses", op=ACCESSES, row=(0, 8, np.array([0, 8])), col=(0,), arrange=("col", "row")
    ),
    "Swizzle": made(ws.Swizzle, B=range(4), M=range(5), S=SMALL, unit=("element", "byte")),
    "tile": made(
        ws.tile, layout=LAYOUTS, store=STORES, load=LOADS, warps=(1, 1, 2, 4), target=("sm_90", "sm_80", "sm_120a")
    ),
    "tile_steps": made(ws.tile_steps, op=ACCESSES, layout=LAYOUTS, warps=(1, 2)),
    "mainloop": made(
        ws.mainloop, tile=((16, 16, 16), (32, 16, 16)), warps=((1, 1), (2, 1)), type=("f16",), a=(None,),
        b=(None, ws.Layout(16, 16, "f16", pad=8)), trans_b=(False,), stages=range(4), target=("sm_90",),
    ),
    "occupancy": made(
        ws.occupancy, threads=(32, 128, 1024), registers=(32, 168, 255), shared_bytes=(0, 49152), target=("sm_90", "t4")
    ),
    "LoopReport.compare": made(ws.LoopReport.compare, reports=lambda r: {"a": a("LoopReport")(r)}),
    "LoopReport.plot": of("LoopReport", "plot", ax=(AXES,)),
    "search": _search,
    **{
        f"{cls}.{name}": of(cls, name, base=BASES)
        for cls in ("BankReport", "Cost", "Explanation", "FragmentMap", "SearchResult", "TileReport")
        for name in ("explore", "explore_url")
    },
    "SearchResult.layout": of("SearchResult", "layout", row=range(4)),
    "SearchResult.text": of("SearchResult", "text", top=range(5)),
    "SearchResult.plot": of("SearchResult", "plot", ax=(AXES,)),
    "sweep": _sweep,
    "fp4_to_mma": made(ws.fp4_to_mma, registers=_registers),
    "dtypes.values": made(
        dtypes.values, registers=_registers,
        dtype=("float16", "int8", "bfloat16", "float4_e2m1fn", "float64", "uint32", "O", "V3"),
    ),
    "dtypes.code_bits": made(dtypes.code_bits, dtype=("float16", "int4", "O")),
    "testing.assert_conflict_free": made(
        testing.assert_conflict_free, op=(*ACCESSES, LOADS[0].ptx), layout=(*LAYOUTS, LANE * 16, np.stack([LANE * 16] * 2)),
        row=(None, None, 0), col=(None,), warps=(1,), target=(None,), arrange=("col",),
    ),
    "testing.assert_legal": made(testing.assert_legal, ptx=(*OPS, *TEXTS, FILE), **ANY_AT),
    "testing.assert_no_races": made(testing.assert_no_races, report=a("KernelReport")),
    "testing.assert_initialized": made(testing.assert_initialized, report=a("KernelReport")),
    "testing.assert_no_findings": made(
        testing.assert_no_findings, report=a("KernelReport"), severity=("error", "warning", "note", "worst")
    ),
}  # fmt: skip
