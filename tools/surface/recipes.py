"""Good arguments of every public callable, from a random.Random: what hostile values take the place of.

A recipe gives (callable, positional arguments, keyword arguments). The running of instructions has
rules of its own (running.py); recipes here are for everything else.
"""

from __future__ import annotations

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
from .samples import FILE, LAYOUTS, LOADS, OPS, OPS_OF, STORES, TARGETS, TEXTS, VERSIONS, instances

Recipe = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
Maker = Callable[[Random], Recipe]
LANE = np.arange(32)


@cache
def folder() -> Path:
    """Where files are written: gone with the process's temporary folder."""
    return Path(tempfile.mkdtemp(prefix="surface-"))


def of(cls: str, random: Random) -> Any:
    """An instance of a class."""
    return random.choice(instances()[cls])


def _word(kind: str, *names: str) -> Maker:
    """An instruction's class with fields that some form of it has."""

    def make(random: Random) -> Recipe:
        op = random.choice(OPS_OF[kind])
        return type(op), (), {name: getattr(op, name) for name in names}

    return make


def _address(op: ws.Instruction, random: Random, batch: tuple[int, ...] = ()) -> Any:
    """Addresses that a form may have; None for movmatrix."""
    if op.kind == "movmatrix":
        return None
    base = 0x7F00_0000_0000 if op.space == "global" else 0x7FFF_0000_0000 if op.space == "" else 0
    if op.kind == "cp.async":
        base = 0
    step = random.choice((0, 1, 1, 2, 8)) * op.access_bytes
    if op.is_wmma:
        return np.full((*batch, 1), base + step, np.uint64)
    return np.broadcast_to(base + LANE.astype(np.uint64) * np.uint64(step), (*batch, 32))


def _cost(random: Random) -> Recipe:
    op = random.choice((*OPS, *OPS_OF["cp.async"]))
    target = random.choice(("sm_90", "sm_90", "sm_80", ws.arch("sm_90"), "sm_120a"))
    options: dict[str, Any] = {"address": _address(op, random), "target": target}
    if random.random() < 0.3:
        options |= {"warps": random.randint(1, 64), "active": random.getrandbits(32)}
    if op.kind == "cp.async":
        options["source"] = LANE * 16
    return op.cost, (), options


def _explain(random: Random) -> Recipe:
    op = random.choice(OPS)
    return op.explain, (), {"address": _address(op, random), "active": 0xFFFF_FFFF, "target": None}


def _program(random: Random) -> Recipe:
    ops = random.choices((*STORES, *LOADS, ws.Movmatrix()), k=random.randint(1, 3))
    steps = [(op, _address(op, random)) for op in ops]
    return ws.cost, (), {"steps": steps, "warps": random.randint(1, 8), "target": "sm_90"}


def _layout(random: Random) -> Recipe:
    found = random.choice(LAYOUTS)
    return ws.Layout, (), {
        name: getattr(found, name) for name in ("rows", "cols", "type", "order", "pad", "swizzle")
    }  # fmt: skip


def _addresses(random: Random) -> Recipe:
    op = random.choice((*LOADS, *STORES))
    rows = random.choice((0, 8, np.array([0, 8])))
    return random.choice(LAYOUTS).addresses, (), {
        "op": op, "row": rows, "col": 0, "arrange": random.choice(("col", "row")),
    }  # fmt: skip


def _tile(random: Random) -> Recipe:
    return ws.tile, (), {
        "layout": random.choice(LAYOUTS), "store": random.choice(STORES), "load": random.choice(LOADS),
        "warps": random.choice((1, 1, 2, 4)), "target": random.choice(("sm_90", "sm_80", "sm_120a")),
    }  # fmt: skip


def _search(random: Random) -> Recipe:
    layout = random.choice(LAYOUTS)
    return ws.search, (), {
        "rows": layout.rows, "cols": layout.cols, "type": layout.type, "store": random.choice(STORES),
        "load": random.choice(LOADS), "warps": 1, "target": "sm_90", "pads": random.choice(((0, 8), [4])),
        "swizzles": random.choice(((None,), (ws.Swizzle(3, 3, 3), None), (ws.Swizzle(1, 4, 3, "byte"),))),
        "orders": random.choice(("row", ("row", "col"))), "max_bytes": None, "executor": None,
        "progress": False,
    }  # fmt: skip


def _mainloop(random: Random) -> Recipe:
    m, n = random.choice((16, 32)), random.choice((16, 32))
    return ws.mainloop, (), {
        "tile": (m, n, 16), "warps": random.choice(((1, 1), (m // 16, n // 16))), "type": "f16",
        "a": None, "b": random.choice((None, ws.Layout(n, 16, "f16", pad=8))), "trans_b": False,
        "stages": random.randint(0, 3), "target": "sm_90",
    }  # fmt: skip


def _double(x: Any = 0, **_: Any) -> dict[str, Any]:
    return {"twice": x, "word": "a"}


def _sweep(random: Random) -> Recipe:
    grid: Any = random.choice(
        ({"x": [1, 2]}, {"x": np.arange(3)}, [{"x": 1}], {"x": ()}, {"x": [2**70]})
    )
    options: dict[str, Any] = {
        "function": _double,
        "grid": grid,
        "executor": None,
        "progress": False,
    }
    if random.random() < 0.05:
        options["checkpoint"] = folder() / f"{random.randrange(4)}.sqlite"
    elif random.random() < 0.02:
        options["executor"] = _pool()
    return ws.sweep, (), options


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


def _file(random: Random) -> Recipe:
    path = folder() / "arch.toml"
    text = random.choice(
        (
            'target = "sm_90"\n[constants]\nload_latency = 30\n', "", "target = 5", "\ud800", "\0",
            'target = "sm_1"', "[" * 2000, 'target = "sm_90"\nother = 1',
            'target = "sm_90"\n[constants]\nload_latency = nan', "x = " + "9" * 5000,
            'target = "sm_90"\n[constants]\nbanks = 1e400',
        )
    )  # fmt: skip
    path.write_text(text, errors="surrogatepass")
    return (
        ws.Arch.from_file,
        (),
        {"path": random.choice((path, str(path), folder(), folder() / "none"))},
    )


def _lint(random: Random) -> Recipe:
    text = random.choice((*TEXTS, FILE, FILE))
    if random.random() < 0.5:  # a piece is lost, doubled, or changed
        begin, size = random.randrange(len(text) + 1), random.randrange(40)
        middle = random.choice(
            ("", text[begin : begin + size] * 2, "\0", "\ud800", "{", "é", ".reg .b32")
        )
        text = text[:begin] + middle + text[begin + size :]
    return ws.lint, (), {
        "ptx_text": text, "target": random.choice((None, *TARGETS)),
        "ptx_version": random.choice((None, *VERSIONS)),
    }  # fmt: skip


def _parse(random: Random) -> Recipe:
    text = random.choice(OPS).ptx if random.random() < 0.5 else random.choice(TEXTS)
    if random.random() < 0.5:
        at = random.randrange(len(text) + 1)
        text = (
            text[:at]
            + random.choice(("", ".", "x4", " ", ";", "\0", "é", "[", "{%r1}"))
            + text[at + 1 :]
        )
    return ws.parse, (), {"text": text}


def _issue(random: Random) -> Recipe:
    first, second = random.choice(LOADS), random.choice((*LOADS, ws.Movmatrix(), ws.Stmatrix()))
    ops = [first] * 31 + [random.choice((first, second))]
    options: dict[str, Any] = {"ops": ops, "memory": ws.SharedMemory(1024), "address": LANE * 16}
    if random.random() < 0.5:
        policy = random.choice(("record", "raise", "hardware"))
        options |= {"on_ub": policy, "active": random.choice((0xFFFF_FFFF, 1)), "target": "sm_90"}
    return ws.issue, (), options


def _conflict_free(random: Random) -> Recipe:
    layout: Any = random.choice((*LAYOUTS, LANE * 16, np.stack([LANE * 16] * 2)))
    return testing.assert_conflict_free, (), {
        "op": random.choice((*LOADS, *STORES, LOADS[0].ptx)), "layout": layout,
        "row": random.choice((None, None, 0)), "col": None, "warps": 1, "target": None, "arrange": "col",
    }  # fmt: skip


def _legal(random: Random) -> Recipe:
    return testing.assert_legal, (), {
        "ptx": random.choice((*OPS, *TEXTS, FILE)), "target": random.choice((None, *TARGETS)),
        "ptx_version": random.choice((None, *VERSIONS)),
    }  # fmt: skip


def _registers(random: Random) -> Any:
    return np.array(
        [random.getrandbits(32) for _ in range(4)], random.choice((np.uint32, np.uint64))
    )


def _values(random: Random) -> Recipe:
    dtype = random.choice(
        ("float16", "int8", "bfloat16", "float4_e2m1fn", "float64", "uint32", "O", "V3")
    )
    return dtypes.values, (), {"registers": _registers(random), "dtype": dtype}


def _view(cls: str) -> Maker:
    def make(random: Random) -> Recipe:
        return of(cls, random).view, (), {
            "dtype": random.choice(("float16", np.uint8, "O", "V3", "S0", "<f8", "i4,f2")),
            "shape": random.choice((4, (2, 2), (), (0,), [3], (2**40, 2**40), (-1,))),
            "offset": random.choice((0, 0, 2, 63)),
        }  # fmt: skip

    return make


def _where(random: Random) -> Recipe:
    traffic = of("Traffic", random)
    shape = traffic.wavefronts.shape
    return traffic.where, (), {"counted": np.ones(shape, bool)}


def _compare(random: Random) -> Recipe:
    return ws.LoopReport.compare, (), {"reports": {"a": of("LoopReport", random)}}


def _plot(cls: str) -> Maker:
    axes = hostile.EvilAttributes(Random(0), "truth")
    return lambda r: (of(cls, r).plot, (), {"ax": axes})


def _explored(cls: str, name: str) -> Maker:
    base = (None, "explorer.html", "https://example.org/a page", "a#b")
    return lambda r: (getattr(of(cls, r), name), (), {"base": r.choice(base)})


def _memory(cls: Any) -> Maker:
    def make(random: Random) -> Recipe:
        storage: Any = random.choice((0, 64, 4096, np.zeros(16, np.float16), np.int64(32)))
        return cls, (), {"storage": storage, "base": random.choice((0, 1024, 2**32 - 4096))}

    return make


def _rule(key: Any) -> Any:
    return ws.RULES[key]


RECIPES: dict[str, Maker] = {
    "parse": _parse,
    "Ldmatrix": _word("ldmatrix", "shape", "num", "trans", "space", "type"),
    "Stmatrix": _word("stmatrix", "shape", "num", "trans", "space", "type"),
    "Movmatrix": lambda r: (ws.Movmatrix, (), {}),
    "Ld": _word("ld", "space", "vec", "type"),
    "St": _word("st", "space", "vec", "type"),
    "CpAsync": _word("cp.async", "size", "cache"),
    "WmmaLoad": _word("wmma.load", "operand", "layout", "shape", "space", "type"),
    "WmmaStore": _word("wmma.store", "layout", "shape", "space", "type"),
    "Instruction": lambda r: (ws.Instruction, (), {"fields": {"kind": "ldmatrix"}}),
    "Instruction.legality": lambda r: (
        r.choice(OPS).legality, (), {"target": r.choice(TARGETS), "ptx_version": r.choice(VERSIONS)}
    ),
    "Instruction.check": lambda r: (
        r.choice(OPS).check, (), {"target": r.choice(TARGETS), "ptx_version": r.choice(VERSIONS)}
    ),
    "Instruction.fragment_for": lambda r: (r.choice(OPS).fragment_for, (), {"target": r.choice(TARGETS)}),
    "Instruction.cost": _cost,
    "Instruction.explain": _explain,
    "FragmentMap": lambda r: (ws.FragmentMap, (), {"op": r.choice(OPS[:200])}),
    "FragmentMap.holders": lambda r: (
        of("FragmentMap", r).holders, (), {"matrix": 0, "row": r.randrange(9), "col": 1}
    ),
    "Legality": lambda r: (
        ws.Legality, (), {"ok": True, "reasons": (), "min_ptx_version": None, "targets": ()}
    ),
    "lint": _lint,
    "LintReport.text": lambda r: (of("LintReport", r).text, (), {"name": "file"}),
    "SharedMemory": _memory(ws.SharedMemory),
    "GlobalMemory": _memory(ws.GlobalMemory),
    "AddressSpace": lambda r: (
        ws.AddressSpace, (),
        {"shared": of("SharedMemory", r), "global_": of("GlobalMemory", r), "shared_window": 2**40},
    ),
    "SharedMemory.view": _view("SharedMemory"),
    "GlobalMemory.view": _view("GlobalMemory"),
    "issue": _issue,
    "Traffic": lambda r: (
        ws.Traffic, (), {"counts": np.zeros((2, 6), np.int64), "inexact": (), "unknown": ()}
    ),
    "Traffic.where": _where,
    "Result": lambda r: (ws.Result, (), {"registers": None, "traffic": None, "findings": None, "ok": None}),
    "Findings.count": lambda r: (of("Findings", r).count, (), {"value": of("Finding", r)}),
    "Findings.index": lambda r: (of("Findings", r).index, (), {"value": of("Finding", r)}),
    "Findings.__getitem__": lambda r: (of("Findings", r).__getitem__, (), {"index": r.randrange(-70, 70)}),
    "Findings": lambda r: (ws.Findings, (), {"found": of("Findings", r)}),
    "RULES.__getitem__": lambda r: (_rule, (r.choice((*ws.RULES, "x", 5, 2**70)),), {}),
    "cost": _program,
    "arch": lambda r: (ws.arch, (), {"target": r.choice(TARGETS)}),
    "Arch": lambda r: (
        ws.Arch, (), {"target": r.choice(TARGETS), "values": r.choice((None, {"load_latency": 30}))}
    ),
    "Arch.from_file": _file,
    "Arch.to_file": lambda r: (of("Arch", r).to_file, (), {"path": folder() / "written.toml"}),
    "Layout": _layout,
    "Layout.__call__": lambda r: (r.choice(LAYOUTS), (), {"row": r.randrange(20), "col": r.randrange(9)}),
    "Layout.addresses": _addresses,
    "Swizzle": lambda r: (
        ws.Swizzle, (),
        {"B": r.randrange(4), "M": r.randrange(5), "S": r.randrange(-5, 6), "unit": "element"},
    ),
    "tile": _tile,
    "tile_steps": lambda r: (
        ws.tile_steps, (),
        {"op": r.choice((*LOADS, *STORES)), "layout": r.choice(LAYOUTS), "warps": r.choice((1, 2))},
    ),
    "mainloop": _mainloop,
    "LoopReport.compare": _compare,
    "LoopReport.plot": _plot("LoopReport"),
    "search": _search,
    **{
        f"{cls}.{name}": _explored(cls, name)
        for cls in ("BankReport", "Cost", "FragmentMap", "SearchResult", "TileReport")
        for name in ("explore", "explore_url")
    },
    "SearchResult.layout": lambda r: (of("SearchResult", r).layout, (), {"row": r.randrange(4)}),
    "SearchResult.text": lambda r: (of("SearchResult", r).text, (), {"top": r.randrange(5)}),
    "SearchResult.plot": _plot("SearchResult"),
    "sweep": _sweep,
    "fp4_to_mma": lambda r: (ws.fp4_to_mma, (), {"registers": _registers(r) & 0x0F0F0F0F}),
    "dtypes.values": _values,
    "dtypes.code_bits": lambda r: (dtypes.code_bits, (), {"dtype": r.choice(("float16", "int4", "O"))}),
    "testing.assert_conflict_free": _conflict_free,
    "testing.assert_legal": _legal,
}  # fmt: skip
