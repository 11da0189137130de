"""Writes the rows of csrc/include/warpsim/time/evidence_table.h from the measurements that nothing was fitted to.

python3 -m docs.make.evidence, with the package of this checkout installed: the model is its own.
"""

import math

import numpy as np

from docs.make import cost_evidence
from docs.make.markdown import replaced
from docs.make.timings import errors
from tests.support.paths import HEADERS

FILE = HEADERS / "time" / "evidence_table.h"
#: part of a law -> its enumerator
KINDS = {
    "ld": "WS_LD", "st": "WS_ST", "ldmatrix": "WS_LDMATRIX", "stmatrix": "WS_STMATRIX", "movmatrix": "WS_MOVMATRIX",
    "wmma.load": "WS_WMMA_LOAD", "cp.async": "WS_CP_ASYNC",
}  # fmt: skip
PLACES = {
    "shared": ("WS_SPACE_SHARED", "WS_CACHE_NONE"), "global": ("WS_SPACE_GLOBAL", "WS_CACHE_NONE"),
    "cg": ("WS_SPACE_SHARED", "WS_CACHE_CG"), "ca": ("WS_SPACE_SHARED", "WS_CACHE_CA"),
}  # fmt: skip
BEGIN, END = "/* generated */\n", "/* end */"


def error(cases: list[cost_evidence.Case]) -> float:
    """What is stated: the 95th percentile of the drawn cases or of the others, the larger, rounded up to a percent."""
    sets = [[case for case in cases if case.is_drawn == drawn] for drawn in (True, False)]
    worst = max(float(np.percentile(errors(found), 95)) for found in sets if found)
    return math.ceil(100 * worst - 1e-9) / 100


def laws() -> dict[tuple[str, ...], list[cost_evidence.Case]]:
    """The cases of every law, in the order of the table."""
    loops = [*cost_evidence.own_mainloops("held_loops"), *cost_evidence.assembled_mainloops()]
    drawn = [*cost_evidence.programs(), *loops, *cost_evidence.drawn()]
    every = [
        *drawn,
        *cost_evidence.latencies(),
        *cost_evidence.streams(),
        *cost_evidence.copies(),
        *cost_evidence.tiles(),
    ]
    return {law: [case for case in every if case.law == law] for law in dict.fromkeys(case.law for case in drawn)}


def source(law: tuple[str, ...], cases: list[cost_evidence.Case]) -> str:
    """What was measured, in a user's words: drawn by chance after the laws were fixed, or a reference timing."""
    drawn = sum(case.is_drawn for case in cases)
    count = f"H200, {drawn} drawn" + (f" and {len(cases) - drawn} reference" if len(cases) > drawn else "")
    if law == ("program",):
        return f"{count} programs of ldmatrix"
    if law in (("mainloop",), ("assembled",)):
        gpu = "H100" if "H100" in cost_evidence.device("held_loops")["source"] else "H200"
        return f"{gpu}, {drawn} held-out main loops" + (" as assembled" if law == ("assembled",) else "")
    kind, place, timed, load = law
    name = f"{kind}.{place}" if kind not in ("movmatrix", "ldmatrix", "stmatrix") else kind
    if timed == "latency":
        cached = ", L1 hits" if place == "global" else ", L2 hits" if kind == "cp.async" else ""
        return f"{count} chains of {name}{cached}"
    few = "fewer than 8 warps" if place != "cg" else "fewer than 8 warps or 6 wavefronts"
    many = "8 or more warps" if place != "cg" else "8 or more warps, 6 or more wavefronts"
    return f"{count} streams of {name}, {many if load == 'many' else few}"


def text() -> str:
    """The header with its rows made anew."""
    found = laws()
    rows = []
    for law, cases in found.items():
        kind, place, timed, load = law if len(law) == 4 else ("", "", "", "")
        parts = [KINDS.get(kind, "WS_KIND_NONE"), *PLACES.get(place, ("WS_SPACE_GENERIC", "WS_CACHE_NONE"))]
        parts += ["WS_INTERVAL" if timed == "interval" else "WS_LATENCY", "true" if load == "many" else "false"]
        parts += [str(len(cases)), f"{error(cases):g}", f'"{source(law, cases)}"']
        rows.append(f"        {{{', '.join(parts)}}},")
    lines = [
        f"enum {{ WS_LAW_PROGRAM = 0, WS_LAW_MAINLOOP, WS_LAW_ASSEMBLED, WS_LAW_COUNT = {len(rows)} }};",
        "",
        "static inline const ws_law_row *ws_law_at(int law) {",
        "    /* clang-format off */",
        "    static const ws_law_row table[WS_LAW_COUNT] = {",
        *rows,
        "    };",
        "    /* clang-format on */",
        "    return &table[law >= 0 && law < WS_LAW_COUNT ? law : 0];",
        "}",
    ]
    return replaced(FILE, {(BEGIN, END): "\n".join(lines) + "\n"})


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
