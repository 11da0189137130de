"""Whole main loops of many types, drawn by chance: builds mainloop.cu for each and times it through the driver.

    python3 benchmarks/device/drawn_loops.py --build FOLDER --seed N [--count N] [--wmma]    needs nvcc, no GPU
    python3 benchmarks/device/drawn_loops.py --run FOLDER OUTPUT.json.gz                     needs the driver and a GPU

The first writes a cubin for each loop and cases.json; the second reads them and writes the file of timings: `what`,
`source`, `fields`, then the cases, one per line.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import cases
import measure

#: type, accumulators -> bits of an element, the shape and types of its mma.sync
TYPES = {
    ("f16", "f32"): (16, "m16n8k16.row.col.f32.f16.f16.f32"),
    ("f16", "f16"): (16, "m16n8k16.row.col.f16.f16.f16.f16"),
    ("bf16", "f32"): (16, "m16n8k16.row.col.f32.bf16.bf16.f32"),
    ("tf32", "f32"): (32, "m16n8k8.row.col.f32.tf32.tf32.f32"),
    ("s8", "s32"): (8, "m16n8k32.row.col.s32.s8.s8.s32"),
    ("e4m3", "f32"): (8, "m16n8k32.row.col.f32.e4m3.e4m3.f32"),
}
#: those whose wmma.load the assembler makes an ldmatrix of -> registers of a fragment
WMMA = {("f16", "f32"): 8, ("f16", "f16"): 8, ("bf16", "f32"): 4}
GRIDS = (
    (1, 1),
    (1, 2),
    (2, 1),
    (1, 3),
    (2, 2),
    (1, 4),
    (4, 1),
    (3, 2),
    (2, 3),
    (2, 4),
    (4, 2),
    (8, 1),
    (3, 4),
    (4, 4),
    (2, 8),
)
KINDS = ("plain", "pad", "pad", "swizzle", "swizzle", "swizzle")
ROW_BYTES = (32, 64, 64, 96, 128, 128, 192, 256)
SHARED_BYTES, REGISTERS, LAUNCHES, PASSES = 232448, 65536, 7, 256
HEAD = {
    "what": "whole main loops drawn by chance: cycles per iteration, one thread block on one SM"
    " (src/warpsim/loop/mainloop.cu, built and timed by benchmarks/device/drawn_loops.py)",
    "fields": {
        **cases.LOOPS_HEAD["fields"],
        "type": "of A and B",
        "accumulate": "type of the accumulators",
        "pad": "elements added to each row of A and B",
        "wmma": "true: by wmma.load and wmma.mma; absent: by ldmatrix and mma.sync",
    },
}  # fmt: skip
HEAD["fields"].pop("parts")
HEAD["fields"].pop("spill_bytes")


def swizzle(cols: int, bits: int) -> list[int]:
    """The usual swizzle for rows of `cols` elements, as cases.swizzles of 16-bit elements in as many bytes."""
    words = cols * bits // 16
    return [min(3, (words // 16).bit_length()), (128 // bits).bit_length() - 1, max(3, words.bit_length() - 4)]


def drawn(count: int, seed: int, wmma: bool) -> Iterator[dict[str, Any]]:
    """Loops whose accumulators take at most half of the register file. wmma.load knows no swizzle."""
    draw, found = Random(seed), 0
    while found < count:
        (type_, sums), (wm, wn) = draw.choice(list(WMMA if wmma else TYPES)), draw.choice(GRIDS)
        bits, stages = TYPES[type_, sums][0], draw.choice((0, 1, 2, 2, 2, 3, 3, 4, 5))
        m, n = 16 * wm * draw.randint(1, 8), 16 * wn * draw.randint(1, 8)
        k = draw.choice(ROW_BYTES) * 8 // bits
        trans_b = bits == 16 and draw.random() < 0.4
        kind = draw.choice(KINDS[:3] if wmma else KINDS)
        cols_b, rows_b = (n, k) if trans_b else (k, n)
        even = all(cols & (cols - 1) == 0 for cols in (k, cols_b))
        pad = draw.choice((1, 1, 2)) * 128 // bits if kind == "pad" else 0
        registers = m // wm * (n // wn) // 32 // (2 if sums == "f16" else 1)
        shared = max(stages, 1) * (m * (k + pad) + rows_b * (cols_b + pad)) * bits // 8
        if (
            m <= 256 and n <= 256 and shared <= SHARED_BYTES and (even or kind != "swizzle")
            and registers >= 4 and registers * 32 * wm * wn <= REGISTERS // 2 and registers <= 128
        ):  # fmt: skip
            found += 1
            swizzled = kind == "swizzle"
            yield {
                "tile": [m, n, k], "warps": [wm, wn], "stages": stages, "trans_b": trans_b, "type": type_,
                "accumulate": sums, "pad": pad, "swizzle_a": swizzle(k, bits) if swizzled else None,
                "swizzle_b": swizzle(cols_b, bits) if swizzled else None, **({"wmma": True} if wmma else {}),
                "shared": shared,
            }  # fmt: skip


def source(case: dict[str, Any]) -> str:
    """The text that nvcc compiles."""
    bits, name = TYPES[case["type"], case["accumulate"]]
    (m, n, k), (wm, wn) = case["tile"], case["warps"]
    a, b = case["swizzle_a"] or (0, 3, 0), case["swizzle_b"] or (0, 3, 0)
    macros = {
        "M": m, "N": n, "K": k, "WM": wm, "WN": wn, "STAGES": case["stages"], "TRANSB": int(case["trans_b"]),
        "PAD": case["pad"], "SBA": a[0], "SSA": a[2], "SBB": b[0], "SSB": b[2], "BITS": bits, "MMA_NAME": f'"{name}"',
        "SUMS16": int(case["accumulate"] == "f16"), "SUMS32": int(case["accumulate"] == "s32"),
    }  # fmt: skip
    if case.get("wmma"):
        macros |= {"WMMA": WMMA[case["type"], case["accumulate"]], "WMMA_TYPE": f'"{case["type"]}"'}
    lines = [f"#define {name} {value}" for name, value in macros.items()]
    return "\n".join([*lines, f'#include "{measure.LOOP / "mainloop.cu"}"', ""])


def build(folder: Path, count: int, seed: int, wmma: bool) -> None:
    """A cubin for each loop, and cases.json."""
    folder.mkdir(parents=True, exist_ok=True)
    found = list(drawn(count, seed, wmma))

    def one(index: int) -> None:
        text = folder / f"{index}.cu"
        text.write_text(source(found[index]))
        measure.run([*measure.NVCC, "-cubin", str(text), "-o", str(folder / f"{index}.cubin")])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, range(count)))
    (folder / "cases.json").write_text(json.dumps(found))


class Driver:
    """The few calls of libcuda that a timing needs."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)
        self._a, self._b, self._out, self._clocks = (
            self._memory(nbytes) for nbytes in (1 << 22, 1 << 22, 1 << 16, 1024)
        )

    def __call__(self, name: str, *arguments: Any) -> None:
        status = getattr(self._cuda, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: error {status}")

    def _memory(self, nbytes: int) -> ctypes.c_uint64:
        found = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(found), ctypes.c_size_t(nbytes))
        self("cuMemsetD8_v2", found, ctypes.c_ubyte(0), ctypes.c_size_t(nbytes))
        return found

    def timed(self, cubin: bytes, warps: int, shared: int) -> dict[str, Any]:
        """Cycles per iteration: median, least and most of the launches after the first; registers of a thread."""
        module, function, registers = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
        self("cuModuleLoadData", ctypes.byref(module), cubin)
        self("cuModuleGetFunction", ctypes.byref(function), module, b"loop")
        self("cuFuncSetAttribute", function, 8, shared)
        self("cuFuncGetAttribute", ctypes.byref(registers), 4, function)
        values = (self._a, self._b, self._out, self._clocks, ctypes.c_int(0))
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        clocks, cycles = (ctypes.c_int64 * (2 * warps))(), []
        for _ in range(LAUNCHES):
            self("cuLaunchKernel", function, 1, 1, 1, 32 * warps, 1, 1, shared, None, pointers, None)
            self("cuCtxSynchronize")
            self("cuMemcpyDtoH_v2", clocks, self._clocks, ctypes.c_size_t(ctypes.sizeof(clocks)))
            cycles.append((max(clocks[1::2]) - min(clocks[::2])) / PASSES)
        self("cuModuleUnload", module)
        last = sorted(cycles[1:])
        return {
            "cycles": round(last[len(last) // 2], 3), "cycles_min": round(last[0], 3),
            "cycles_max": round(last[-1], 3), "registers": registers.value,
        }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, metavar="FOLDER")
    parser.add_argument("--run", type=Path, nargs=2, metavar=("FOLDER", "OUTPUT"))
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wmma", action="store_true", help="wmma.load and wmma.mma in place of ldmatrix and mma.sync")
    args = parser.parse_args()
    if args.build:
        build(args.build, args.count, args.seed, args.wmma)
    if args.run:
        folder, output = args.run
        driver, found = Driver(), []
        for index, case in enumerate(json.loads((folder / "cases.json").read_text())):
            shared, (wm, wn) = case.pop("shared"), case["warps"]
            cubin = (folder / f"{index}.cubin").read_bytes()
            found.append({**case, **driver.timed(cubin, wm * wn, shared)})
        head = {**HEAD, "source": measure.device() + "; clock64, median of six launches after the first"}
        measure.write(output, head, found)


if __name__ == "__main__":
    main()
