"""What is measured, against what, and the gate of each: the one place that holds them.

A gate bounds a ratio, never a time: times move with the machine, ratios hardly do. Each is what a quiet
Zen 4 meets, the slowest CPU that it was measured on: a gate that a sound program misses says nothing. So none
against memcpy asks ldmatrix.x4 for less than 1.5 times the copy of its 32 rows, which takes 4 to 7 times memcpy in
the first cache of a Cascade Lake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LEVELS = ("portable", "sse2", "avx2", "avx512")
SIMD = LEVELS[1:]
BEST = "best"  #: in a table of gates: the best level that this CPU has
NO_LEVEL = ""  #: of rows in which the instruction set plays no part

TOLERANCE = 0.10  #: a gate missed by no more than this does not fail a check

ACCEL_SIM_NS = 1e9 / 35_000  #: accesses a second of its trace mode, LDSM.x4, quoted
TEXT_NS = 1e9 / 200_000  #: texts a second that are wanted
LINE_NS = 1e9 / 500_000  #: lines a second that are wanted of lint
#: layouts a second that are wanted
SEARCH_NS = {"sse2": 1e9 / 0.6e6, "avx2": 1e9 / 1e6, "avx512": 1e9 / 4e6}
SPACE_NS = 5e6  #: for a whole search
SECOND_NS = 1e9


def _every(levels: tuple[str, ...], bound: float) -> Mapping[str, float]:
    return dict.fromkeys(levels, bound)


@dataclass(frozen=True)
class Row:
    """One comparison; it may be measured in several cases, each of which has to meet the gate."""

    key: str
    what: str
    over: str
    gates: Mapping[str, float] = field(default_factory=dict)
    unit: str = "ns/warp"
    at_least: bool = False  #: the ratio says how many times better than `over`, not how much worse
    levels: tuple[str, ...] = (BEST,)

    def gate(self, level: str, best: str) -> float | None:
        """The bound of the ratio at `level`, where `best` is the CPU's best level."""
        named = self.gates.get(level)
        return self.gates.get(BEST) if named is None and level == best else named

    def ratio(self, value: float, over: float) -> float:
        return over / value if self.at_least else value / over


ROWS: Mapping[str, Row] = {
    row.key: row
    for row in (
        Row("ldmatrix_gather", "ldmatrix.x4, checked", "gather copy of the same rows",
            _every(SIMD, 1.5), levels=LEVELS),
        Row("ldmatrix_memcpy", "ldmatrix.x4, checked, out to 2 MB", "memcpy of 512 B a warp",
            {"sse2": 4.5, BEST: 4.0}, levels=LEVELS),
        Row("ldmatrix_memcpy_large", "ldmatrix.x4, checked, out 32 MB", "memcpy of 512 B a warp",
            _every(SIMD, 2.5), levels=LEVELS),
        Row("trans", "ldmatrix.x4.trans, out to 2 MB", "ldmatrix.x4 of the same level",
            _every(SIMD, 1.5), levels=LEVELS),
        Row("checks", "cost of checking ldmatrix.x4", "the same kernel unchecked",
            _every(SIMD, 1.25), levels=LEVELS),
        Row("count_b128", "wavefronts, 16 bytes a lane", "sum of the addresses, -O3",
            {"sse2": 4.5, "avx2": 3.0, "avx512": 2.6}, levels=LEVELS),
        Row("count_b32", "wavefronts, 4 bytes a lane, with conflicts", "sum of the addresses, -O3",
            {"sse2": 6.0, "avx2": 3.5, "avx512": 2.6}, levels=LEVELS),
        Row("count_b32_free", "wavefronts, 4 bytes a lane, conflict-free",
            "sum of the addresses, -O3", {"sse2": 5.5, "avx2": 1.3, "avx512": 0.75}, levels=LEVELS),
        Row("count_b64", "wavefronts, 8 bytes a lane", "sum of the addresses, -O3",
            {"sse2": 5.0, "avx2": 3.3, "avx512": 2.7}, levels=LEVELS),
        Row("unpack_b4", "4-bit rows unpacked, 1 MB", "memcpy of the bytes written",
            {"avx2": 1.3}, "ns/row", levels=LEVELS),
        Row("unpack_b6", "6-bit rows unpacked, 1 MB", "memcpy of the bytes written",
            {"portable": 9.0, "avx2": 1.5}, "ns/row", levels=LEVELS),
        Row("mma_f16", "mma m16n8k16, f16 to f32, exact", "the same product by FMA of f32",
            {"avx2": 4.0, "avx512": 4.0}, "ns/product", levels=LEVELS),
        Row("mma_s8", "mma m16n8k16, s8 to s32", "a product of that shape by FMA of f32",
            {"avx2": 1.0, "avx512": 1.0}, "ns/product", levels=LEVELS),
        Row("arithmetic", "kernels: arithmetic", "a C loop over the same rows, -O3",
            {"avx2": 3.0, "avx512": 3.0}, "ns/instr", levels=SIMD),
        Row("mix", "kernels: ten instructions, two of them ld.shared", "C loops of fma.f32 over rows",
            {}, "ns/instr", levels=SIMD),
        Row("watched_gemm", "kernels: a GEMM, counted and checked", "the same launch bare", {BEST: 2.5}, "ns/launch"),
        Row("watched_mix", "kernels: the mix, counted and checked", "the same launch bare", {BEST: 4.0}, "ns/launch"),
        Row("watched_corpus", "kernels of the corpus, counted and checked, medians", "the same launches bare", {},
            "times"),
        Row("watched_conflicts", "kernels with bank conflicts, counted and checked, over bare",
            "kernels without, likewise", {BEST: 1.25}, "times"),
        Row("corpus", "kernels of the corpus, one block of each", "a second", {BEST: 1.0}, "ns/block"),
        Row("numba_simulator", "kernels, launched", "Numba's CUDA simulator", {BEST: 1000.0},
            "ns/launch", at_least=True),
        Row("triton_interpreter", "kernels, launched as PTX", "Triton's interpreter of their Python", {BEST: 20.0},
            "ns/launch", at_least=True),
        Row("one_call", "one warp: execute, data and traffic", "NumPy, the same work",
            {BEST: 80.0}, "ns/call", at_least=True),
        Row("one_call_fetched", "one warp: the same, arrays fetched", "NumPy, the same work",
            {}, "ns/call", at_least=True),
        Row("numpy_data", "batch: ldmatrix.x4", "NumPy", {"sse2": 25.0}, at_least=True,
            levels=LEVELS),
        Row("numpy_trans", "batch: ldmatrix.x4.trans", "NumPy", {"sse2": 45.0}, at_least=True,
            levels=LEVELS),
        Row("numpy_count", "batch: wavefronts of ldmatrix.x4", "NumPy",
            {"sse2": 18.0, "avx512": 80.0}, at_least=True, levels=LEVELS),
        Row("numpy_count_b32", "batch: wavefronts of ld.b32", "NumPy",
            {"sse2": 3.5, "avx512": 18.0}, at_least=True, levels=LEVELS),
        Row("numba_data", "batch: ldmatrix.x4", "Numba loops", {"sse2": 1.4}, at_least=True,
            levels=LEVELS),
        Row("numba_count", "batch: wavefronts of ldmatrix.x4", "Numba loops",
            {"sse2": 1.8, "avx512": 8.0}, at_least=True, levels=LEVELS),
        Row("numba_count_packed", "batch: wavefronts of ldmatrix.x4", "Numba, packed counters",
            {}, at_least=True, levels=LEVELS),
        Row("accel_sim", "batch: ldmatrix.x4, data and traffic", "Accel-Sim, quoted: 35 k/s",
            _every(SIMD, 800.0), at_least=True, levels=LEVELS),
        Row("threads_execute", "two threads: execute with traffic", "one thread, wall clock",
            {BEST: 1.8}, at_least=True),
        Row("threads_traffic", "two threads: traffic", "one thread, wall clock",
            {BEST: 1.8}, at_least=True),
        Row("growth_execute", "as the batch grows: execute, out=", "the cheapest from 64 warps up",
            {BEST: 1.5}),
        Row("growth_traffic", "as the batch grows: traffic", "the cheapest from 64 warps up",
            {BEST: 1.5}),
        Row("results", "ldmatrix.x4 without out=", "the same with out=", {BEST: 1.15}),
        Row("results_first", "ldmatrix.x4 without out=, fresh memory", "the same with out=", {}),
        Row("memory_execute", "peak memory of execute with traffic", "its inputs and outputs",
            {BEST: 1.2}, "B/warp"),
        Row("memory_traffic", "peak memory of traffic", "its inputs and outputs",
            {BEST: 1.2}, "B/warp"),
        Row("parse_legal", "parse, legal text", "200,000 texts a second", {NO_LEVEL: 1.0},
            "ns/text", levels=(NO_LEVEL,)),
        Row("parse_illegal", "parse, illegal text", "200,000 texts a second", {NO_LEVEL: 1.0},
            "ns/text", levels=(NO_LEVEL,)),
        Row("search_numpy", "layout search, 256 bank phases", "NumPy, one layout at a time",
            _every(SIMD, 18.0), "ns/layout", at_least=True, levels=LEVELS),
        Row("search_rate", "layout search, 256 bank phases", "0.6, 1, 4 million layouts a second",
            _every(SIMD, 1.0), "ns/layout", at_least=True, levels=SIMD),
        Row("search_space", "ws.search, the usual space", "5 ms", {BEST: 1.0}, "ns/search"),
        Row("lint", "lint, one file", "200,000 instructions a second",
            {NO_LEVEL: 1.0}, "ns/instr", levels=(NO_LEVEL,)),
        Row("lint_lines", "lint, whole files", "500,000 lines a second", {NO_LEVEL: 1.0},
            "ns/line", levels=(NO_LEVEL,)),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One case of a row at one level: what was measured, or why it was not."""

    row: Row
    case: str
    level: str
    value: float | None = None
    over: float | None = None
    gate: float | None = None
    why_not: str = ""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        if self.value is None or self.over is None:
            return None
        return self.row.ratio(self.value, self.over)

    @property
    def missed_by(self) -> float:
        """0.25: the ratio is a quarter beyond its gate; negative where there is room."""
        if self.ratio is None or self.gate is None:
            return -1.0
        return (self.gate / self.ratio if self.row.at_least else self.ratio / self.gate) - 1

    @property
    def failed(self) -> bool:
        return self.missed_by > TOLERANCE

    @property
    def verdict(self) -> str:
        if self.why_not:
            return f"not run: {self.why_not}"
        if self.gate is None:
            return "no gate"
        return "met" if self.missed_by <= 0 else f"missed by {100 * self.missed_by:,.0f} %"

    def to_dict(self) -> dict[str, Any]:
        return {
            "row": self.row.key, "what": self.row.what, "case": self.case, "level": self.level,
            "unit": self.row.unit, "value": self.value, "over": self.over,
            "over_what": self.row.over, "ratio": self.ratio, "at_least": self.row.at_least,
            "gate": self.gate, "verdict": self.verdict, "failed": self.failed, "note": self.note,
        }  # fmt: skip
