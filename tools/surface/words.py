"""Rules of calls that cost a microsecond: words, numbers and small layouts, right and hostile."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np

import warpsim as ws
from warpsim import dtypes

from .hostile import ANYTHING
from .samples import LAYOUTS, LOADS, OPS, STORES, TARGETS, TEXTS, VERSIONS, instances
from .session import Nothing, Session

CALLS = 96  # of one function
HOSTILE_SHARE = 0.3
#: kinds that take long to make or to refuse
DEAR = {"mmap", "many axes", "deep list", "long str", "10**5000", "huge broadcast"}

NUMBERS: tuple[Any, ...] = (0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 64, -1, np.int64(8))
GOOD: dict[str, tuple[Any, ...]] = {
    "text": tuple(text for text in TEXTS if len(text) < 200),
    "target": TARGETS,
    "ptx_version": VERSIONS,
    "type": ("f16", "f32", "s4", "b6x16_p32", "b16", "b32", "b8", "b64", "u8"),
    "order": ("row", "col"),
    "unit": ("element", "byte"),
    "arrange": ("row", "col"),
    "shape": ("m8n8", "m16n16", "m8n16", "m16n8"),
    "space": ("shared", "shared::cta", "", "global"),
    "trans": (True, False),
    "num": (1, 2, 4),
    "vec": (1, 2, 4),
    "size": (4, 8, 16),
    "cache": ("ca", "cg"),
    "op": (*LOADS, *STORES),
    "layout": LAYOUTS,
    "swizzle": (None, ws.Swizzle(3, 3, 3), ws.Swizzle(1, 4, 3, "byte")),
    "dtype": ("float16", "u1", "<f8", np.uint32),
    "registers": (np.zeros(4, np.uint32), np.full(2, 0x0F0F0F0F, np.uint64), [1, 2]),
}
#: public name -> (a function or a maker of bound methods, its arguments)
FUNCTIONS: dict[str, tuple[Callable[[Random], Any], tuple[str, ...]]] = {
    "parse": (lambda r: ws.parse, ("text",)),
    "Instruction.legality": (lambda r: r.choice(OPS).legality, ("target", "ptx_version")),
    "Instruction.check": (lambda r: r.choice(OPS).check, ("target", "ptx_version")),
    "Ldmatrix": (lambda r: ws.Ldmatrix, ("shape", "num", "trans", "space", "type")),
    "Stmatrix": (lambda r: ws.Stmatrix, ("shape", "num", "trans", "space", "type")),
    "Ld": (lambda r: ws.Ld, ("space", "vec", "type")),
    "St": (lambda r: ws.St, ("space", "vec", "type")),
    "CpAsync": (lambda r: ws.CpAsync, ("size", "cache")),
    "Swizzle": (lambda r: ws.Swizzle, ("B", "M", "S", "unit")),
    "Layout": (lambda r: ws.Layout, ("rows", "cols", "type", "order", "pad", "swizzle")),
    "Layout.__call__": (lambda r: r.choice(LAYOUTS), ("row", "col")),
    "Layout.addresses": (lambda r: r.choice(LAYOUTS).addresses, ("op", "row", "col", "arrange")),
    "tile_steps": (lambda r: ws.tile_steps, ("op", "layout", "warps")),
    "arch": (lambda r: ws.arch, ("target",)),
    "FragmentMap.holders": (
        lambda r: r.choice(instances()["FragmentMap"]).holders,
        ("matrix", "row", "col"),
    ),
    "SharedMemory.view": (
        lambda r: instances()["SharedMemory"][0].view,
        ("dtype", "shape", "offset"),
    ),
    "fp4_to_mma": (lambda r: ws.fp4_to_mma, ("registers",)),
    "dtypes.code_bits": (lambda r: dtypes.code_bits, ("dtype",)),
}


@cache
def _hostile() -> tuple[tuple[str, Any], ...]:
    """One of each kind, made once."""
    random = Random(5)
    return tuple((k, make(random)) for k, make in ANYTHING.items() if k not in DEAR)


def quick_words(session: Session) -> None:
    """Calls of one function, one after another; equal arguments give equal answers."""
    random = session.random
    name = random.choice(tuple(FUNCTIONS))
    make, names = FUNCTIONS[name]
    function, kinds = make(random), _hostile()
    for _ in range(CALLS):
        kwargs: dict[str, Any] = {}
        is_good = True
        for argument in names:
            if random.random() < HOSTILE_SHARE:
                kind, kwargs[argument] = random.choice(kinds)
                session.tally.kinds[argument].add(kind)
                is_good = False
            else:
                known = NUMBERS if (name, argument) == VIEW_SHAPE else GOOD.get(argument, NUMBERS)
                kwargs[argument] = random.choice(known)
        found = session.call(name, function, (), kwargs, lent=False)
        if is_good and random.random() < 0.05 and not isinstance(found, Nothing | np.ndarray):
            again = function(**kwargs)
            session.check("equal answers", again == found, lambda: f"{name} {kwargs}")


VIEW_SHAPE = ("SharedMemory.view", "shape")
