"""native.c and peers.c, compiled and called: each method gives a case for the timer."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws
from warpsim import paths

from .patterns import Bytes, Words
from .rows import LEVELS
from .timing import Case

HERE = Path(__file__).parent
SOURCES = (HERE / "native.c", HERE / "peers.c")
#: what a user's build has who asks for nothing: no instruction set beyond the baseline
FLAGS = ("-O3", "-std=c11", "-shared", "-fPIC")

_POINTER, _SIZE, _INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "bench_execute": (ctypes.c_char_p, _POINTER, _SIZE, _POINTER, _SIZE, _POINTER, _INT, _SIZE),
    "bench_unchecked": (ctypes.c_char_p, _POINTER, _SIZE, _POINTER, _SIZE, _POINTER, _INT, _SIZE),
    "bench_count": (ctypes.c_char_p, _POINTER, _SIZE, _POINTER, _INT, _SIZE),
    "bench_unpack": (ctypes.c_char_p, _POINTER, _SIZE, _POINTER, _INT, _SIZE),
    "bench_memcpy": (_POINTER, _SIZE, _SIZE, _POINTER, _SIZE),
    "bench_gather": (_POINTER, _POINTER, _SIZE, _POINTER, _SIZE),
    "bench_sum": (_POINTER, _SIZE, _POINTER, _SIZE),
    "bench_multiply": (ctypes.c_char_p, _POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _INT, _SIZE),
    "bench_rows": (_POINTER, _SIZE, _INT, _SIZE),
    "bench_fma": (_POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _INT, _SIZE),
}


def _compiled(directory: Path) -> Path:
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("benchmarks: a C compiler is needed, cc or the one that CC names")
    library = directory / "native.so"
    command = [*compiler.split(), *FLAGS, f"-I{paths.includes()}", *map(str, SOURCES)]
    subprocess.run([*command, "-o", str(library)], check=True)
    return library


class Native:
    """The C side. Arrays are kept alive by the cases that use them."""

    def __init__(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            self._library = ctypes.CDLL(str(_compiled(Path(directory))))
        for name, signature in _SIGNATURES.items():
            getattr(self._library, name).argtypes = signature
        word = self._library.bench_level_word
        word.restype = ctypes.c_char_p
        self._levels = {word(number).decode(): number for number in range(1, len(LEVELS) + 1)}

    def _case(self, name: str, *arguments: Any) -> Case:
        function = getattr(self._library, name)
        passed = [one.ctypes.data if isinstance(one, np.ndarray) else one for one in arguments]

        def run(loops: int, kept: tuple[Any, ...] = arguments) -> None:
            status = function(*passed, loops)
            if status != 0:
                raise RuntimeError(f"{name}: status {status}")

        return run

    def execute(self, op: ws.DataMovement, image: Bytes, address: Words, out: Words, level: str) -> Case:
        return self._case(
            "bench_execute", op.ptx.encode(), image, image.nbytes, address, len(address), out,
            self._levels[level],
        )  # fmt: skip

    def unchecked(self, op: ws.DataMovement, image: Bytes, address: Words, out: Words, level: str) -> Case:
        return self._case(
            "bench_unchecked", op.ptx.encode(), image, image.nbytes, address, len(address), out,
            self._levels[level],
        )  # fmt: skip

    def count(self, op: ws.DataMovement, address: Words, total: NDArray[np.uint64], level: str) -> Case:
        return self._case("bench_count", op.ptx.encode(), address, len(address), total, self._levels[level])

    def unpack(self, op: ws.DataMovement, rows: Bytes, out: Bytes, level: str) -> Case:
        return self._case("bench_unpack", op.ptx.encode(), rows, len(rows), out, self._levels[level])

    def memcpy(self, image: Bytes, out: NDArray[Any]) -> Case:
        """512 bytes a warp, as many as `out` holds, out of the image again and again."""
        return self._case("bench_memcpy", image, image.nbytes, out.nbytes // 512, out)

    def gather(self, image: Bytes, address: Words, out: NDArray[Any]) -> Case:
        return self._case("bench_gather", image, address, len(address), out)

    def sum(self, address: Words, total: NDArray[np.uint32]) -> Case:
        return self._case("bench_sum", address, len(address), total)

    def multiply(self, opcode: str, operands: tuple[Words, Words, Words], out: Words, level: str) -> Case:
        return self._case("bench_multiply", opcode.encode(), *operands, len(out), out, self._levels[level])

    def fma(self, operands: tuple[Words, Words, Words], out: Words, level: str) -> Case:
        """m16n8k16 of f16 to f32 by FMA of f32, at that level."""
        return self._case("bench_fma", *operands, len(out), out, self._levels[level])

    def rows(self, n: int, what: int) -> Case:
        """n operations on rows of registers; which: as peer_rows numbers them."""
        return self._case("bench_rows", np.ones((16, 32), np.float64), n, what)
