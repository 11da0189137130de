"""Measured main loops, each with what the model says: of this program and of others, from the text or as assembled."""

import hashlib
import json
from functools import cache
from typing import Any

import numpy as np

import warpsim as ws
from docs.make.timings import Case, device
from tests.support import evidence
from warpsim.loop.assembled import Assembled
from warpsim.loop.mainloop import loop_of, reported


def _layout(rows: int, cols: int, pad: int, swizzle: list[int] | None, type: str = "f16") -> ws.Layout:
    return ws.Layout(rows, cols, type, pad=pad, swizzle=ws.Swizzle(*swizzle) if swizzle else None)


def held_out(case: dict[str, Any]) -> bool:
    """One third of the main loops, by a hash: nothing was fitted to them until loads were found to go before copies."""
    names = ("tile", "warps", "stages", "trans_b", "type", "a", "b")
    text = json.dumps([case[name] for name in names])
    return hashlib.sha256(text.encode()).digest()[0] % 3 == 0


@cache
def _reference_mainloops() -> list[tuple[Case, ws.LoopReport]]:
    found = []
    for case in evidence.load("timing_mainloop")["cases"]:
        a, b = (_layout(side["rows"], side["cols"], side["pad"], side["swizzle"]) for side in (case["a"], case["b"]))
        report = ws.mainloop(
            tuple(case["tile"]), tuple(case["warps"]), type=case["type"], a=a, b=b,
            trans_b=case["trans_b"], stages=case["stages"],
        )  # fmt: skip
        kind = "padded" if case["a"]["pad"] else "swizzled" if case["a"]["swizzle"] else "plain"
        tile = "x".join(map(str, case["tile"]))
        label = (
            f"{tile}{', trans_b' if case['trans_b'] else ''}, {case['warps'][0]}x{case['warps'][1]}"
            f" warps, {case['stages']} stages, {kind}, {case['registers']} registers"
        )
        family = "main loops: once held out" if held_out(case) else "main loops: fitted"
        found.append((Case(family, label, case["cycles"], report.cycles), report))
    return found


def mainloops() -> list[Case]:
    """Main loops, cycles per iteration."""
    return [case for case, _ in _reference_mainloops()]


#: file of benchmarks/device -> what is said of its loops
LAST = {
    "random_loops": "another program, drawn first", "unseen_loops": "another program, drawn later",
    "typed_loops": "another program, all types, fitted", "held_loops": "another program, all types, held out",
    "wmma_loops": "another program, wmma, held out",
}  # fmt: skip


@cache
def _own_mainloops(file: str) -> list[tuple[Case, ws.LoopReport]]:
    family = f"main loops: {LAST.get(file, 'another program')}"
    found = []
    for case in device(file)["cases"]:
        if case.get("parts", ["ldm", "mma", "fill", "bar"]) != ["ldm", "mma", "fill", "bar"]:
            continue
        (m, n, k), trans_b, type_ = case["tile"], case["trans_b"], case.get("type", "f16")
        a = _layout(m, k, case["pad"], case["swizzle_a"], type_)
        b = _layout(*((k, n) if trans_b else (n, k)), case["pad"], case["swizzle_b"], type_)
        report = ws.mainloop(
            (m, n, k), tuple(case["warps"]), type=type_, accumulate=case.get("accumulate"), a=a, b=b,
            trans_b=trans_b, stages=case["stages"],
        )  # fmt: skip
        sums = f" {type_} to {case['accumulate']}," if "type" in case else ""
        label = f"{m}x{n}x{k},{sums} {case['warps']} warps, {case['stages']} stages, pad {case['pad']}"
        law = ("mainloop",) if file == "held_loops" else ()
        found.append((Case(family, label, case["cycles"], report.cycles, law), report))
    return found


def own_mainloops(file: str = "loops") -> list[Case]:
    """Whole main loops of another program for the same loop.

    "held_loops" and "wmma_loops" were drawn, built and timed after the model was final: nothing was fitted to them. All
    others were looked at.
    """
    return [case for case, _ in _own_mainloops(file)]


@cache
def assembled_mainloops(file: str = "held_code") -> list[Case]:
    """The same with the machine code of the build that was timed: of "held_loops", "random_loops", "unseen_loops",
    or of the reference program.
    """
    timed = _reference_mainloops() if file == "reference_code" else _own_mainloops(file.replace("code", "loops"))
    found = []
    for (case, report), code in zip(timed, device(file)["cases"], strict=True):
        rows = np.frombuffer(bytes.fromhex(code["rows"]), np.uint8).reshape(-1, 5)
        cycles = reported(loop_of(report), Assembled(rows, code["registers"], "ptxas")).cycles
        law = ("assembled",) if case.law else ()
        found.append(Case(case.family.replace("loops:", "loops as assembled:"), case.label, case.measured, cycles, law))
    return found
