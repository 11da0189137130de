"""The cost model against measurement: families of timings, each with what the model says.

The documentation's tables and the tests' gates both come from here.
"""

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import warpsim as ws
from docs.make.loop_evidence import assembled_mainloops, mainloops, own_mainloops
from docs.make.timings import Case, device
from tests.support import evidence
from warpsim import _core
from warpsim.calibrate.calibration import calibration
from warpsim.calibrate.compare import comparison

CHAIN_STEPS, CHAIN_CYCLES, ADD_CYCLES = 32, 6, 5
#: cycles per register of the chain that consumes the registers of a measured tile
CONSUMER_CYCLES = 2
#: a multiple of 32 MiB: where the buffers of measured global accesses begin
GLOBAL = np.uint64(0x7F00_0000_0000)
#: a load from shared memory and the add to its result, which the chains of cp.async have
WAIT_CYCLES = 28
OR_CYCLES = 4
WARP = 32
#: of shared memory that benchmarks/device/copies.cu fills
COPIED_BYTES = 152 * 1024


def _op(ptx: str) -> ws.DataMovement:
    return ws.parse(re.sub(r"\.(ca|cg)(?=\.b64|\.u64)", "", ptx))


def _combining(op: Any, stride: int) -> float:
    """Cycles in which a chain combines the registers of the last access of a wmma.load, two with each OR."""
    accesses = op.traffic([0], stride=stride).requests.item()
    words = op.num_registers * op.register_bits // 32
    return OR_CYCLES * math.ceil(min(words - 1, words / accesses) / 2)


def _chain(case: dict[str, Any]) -> tuple[str, float]:
    """Family and cycles of one step of a dependent chain."""
    if case["ptx"] == "movmatrix.sync.aligned.m8n8.trans.b16":
        return "latency: movmatrix", ws.Movmatrix().cost(None).latency
    parts = case["ptx"] if isinstance(case["ptx"], list) else [case["ptx"]]
    total = 0.0
    for ptx in parts:
        op = _op(ptx)
        address = case["address"][:1] if op.is_wmma else case["address"]
        total += op.cost(address, stride=case["stride"]).latency
    kernel, first = case["kernel"], _op(parts[0])
    if first.is_wmma:  # the registers are combined, and added to the address
        tail = _combining(first, case["stride"])
        return f"latency: wmma.load.{first.space}", total + tail + ADD_CYCLES
    if first.space == "global":
        return "latency: ld.global, L1 hit", total
    adds = "ptr" not in kernel and len(parts) == 1
    narrow = first.kind == "ld" and first.type in ("u8", "b8", "u16", "b16")
    name = "u8 and u16" if narrow else "ld, ldmatrix, st, stmatrix"
    return f"latency: {name}", total + (ADD_CYCLES if adds else 0)


@cache
def latencies() -> list[Case]:
    """Chains of dependent accesses of one warp, cycles per step (shared memory, and L1 hits)."""
    found = []
    for case in evidence.load("timing_latency")["cases"]:
        if case["ptx"] is None or case.get("advance") or case["kernel"] == "lat_ldg64ptr_cg":
            continue
        family, model = _chain(case)
        measured = (case["cycles"][0][0] - CHAIN_CYCLES) / CHAIN_STEPS
        first = _op(case["ptx"] if isinstance(case["ptx"], str) else case["ptx"][0])
        place = "shared" if first.kind == "movmatrix" else first.space
        found.append(Case(family, case["kernel"], measured, model, (first.kind, place, "latency", "")))
    return found


@cache
def streams() -> list[Case]:
    """Endless streams of one instruction, cycles per instruction and SM; evenly dealt warps.

    ld.global: the assembler moved half of the loads out of the loop (benchmarks/device/sunk_loads.py).
    """
    file = evidence.load("timing_throughput")
    counted: dict[str, Any] = {}
    found = []
    for case in file["cases"]:
        running = case["running"] if case["running"] is not None else list(range(case["warps"]))
        of_partition = np.bincount([warp % 4 for warp in running], minlength=4)
        if of_partition.max() > -(-len(running) // 4):
            continue  # unevenly dealt: no law says how the fullest sub-partition is served
        is_global = "ldg" in case["kernel"]
        count = file["kernels"][case["kernel"]]["instructions"] // (2 if is_global else 1)
        lowest = [min(run[1] for run in case[name]) for name in ("cycles_4", "cycles_12")]
        measured = (lowest[1] - lowest[0]) / (8 * count * len(running))
        op = _op(case["ptx"])
        key = f"{case['ptx']} {case['address']}"
        if key not in counted:
            address = None if case["address"] is None else np.array(case["address"], np.uint64)
            counted[key] = address + GLOBAL if is_global else address
        model = op.cost(counted[key], warps=len(running)).interval
        many = "8 and more warps" if len(running) >= 8 else "fewer warps"
        family = f"streams: {'ld.global, ' if is_global else ''}{many}"
        load = "many" if len(running) >= _core.MANY_WARPS else "few"
        law = (
            () if is_global else (op.kind, "shared", "interval", load)
        )  # ld.global: address additions beside the loads
        found.append(Case(family, f"{case['ptx']}, {len(running)}", measured, model, law))
    return found


@cache
def copies() -> list[Case]:
    """Streams of cp.async, cycles per instruction and SM, with the most groups in flight."""
    found = []
    for case in evidence.load("timing_cp_async")["cases"]:
        _, cache_word, *_, size = re.split(r"[. ]", case["ptx"].replace("cp.async", "cp_async"))
        op = ws.CpAsync(size=int(size), cache=cache_word)
        to, source = np.array(case["address"], np.uint32), np.array(case["source"], np.uint64)
        most = max(row[0] for row in case["interval"])
        for in_flight, warps, measured, *_ in case["interval"]:
            if in_flight != most:
                continue
            model = np.mean([op.cost(a, source=s, warps=warps).interval for a, s in zip(to, source, strict=True)])
            wavefronts = op.traffic(to, source=source).wavefronts.mean()
            exact = cache_word == "cg" and warps == 16 and wavefronts >= 6
            name = "cg, 16 warps, 6 wavefronts and more" if exact else f"{cache_word}, others"
            label = f"{wavefronts:g} wavefronts, {warps} warps"
            many = warps >= _core.MANY_WARPS and (cache_word == "ca" or wavefronts >= _core.COPY_WAVEFRONTS)
            law = ("cp.async", cache_word, "interval", "many" if many else "few")
            found.append(Case(f"cp.async.{name}", label, measured, float(model), law))
    return found


@cache
def tiles() -> list[Case]:
    """A tile read by ldmatrix and consumed: 2 cycles per register of a warp are added."""
    found = []
    for case in evidence.load("timing_tiles")["cases"]:
        op = _op(case["ptx"])
        address = np.array(case["steps"], np.uint32).reshape(case["warps"], -1, 32)
        steps = [(op, address[:, step]) for step in range(address.shape[1])]
        cycles = ws.cost(steps, warps=case["warps"]).cycles
        registers = op.num_registers * len(steps)
        label = f"{case['kernel']}, {case['warps']} warps"
        model = cycles + CONSUMER_CYCLES * registers
        found.append(Case("tiles", label, case["cycles"][0][0], model, ("program",)))
    return found


WORDS = {
    "LM4": ws.Ldmatrix(num=4), "LM4T": ws.Ldmatrix(num=4, trans=True), "LM2": ws.Ldmatrix(num=2),
    "LM1": ws.Ldmatrix(num=1), "LD4": ws.Ld(vec=4), "LD2": ws.Ld(vec=2), "LD1": ws.Ld(), "SM4": ws.Stmatrix(num=4),
    "SM2": ws.Stmatrix(num=2), "SM1": ws.Stmatrix(num=1), "ST4": ws.St(vec=4), "ST2": ws.St(vec=2), "ST1": ws.St(),
    "MV": ws.Movmatrix(), "WA": ws.WmmaLoad(operand="a"), "WB": ws.WmmaLoad(operand="b"),
}  # fmt: skip


def _sequence(case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The steps of a measured sequence; empty where it has words that ws.cost does not know."""
    lane = np.arange(32)
    steps: list[tuple[Any, ...]] = []
    for word in re.findall(r"(\w+)\(", case["sequence"]):
        op = WORDS.get(word)
        if op is None:
            return []
        if op.kind == "movmatrix":
            steps.append((op, None))
        elif op.is_wmma:
            steps.append((op, 0, case["rows16"] // 2))
        elif op.access_bytes == 16:
            steps.append((op, lane % 8 * case["rows16"] + lane // 8 * 8192))
        else:
            steps.append((op, lane * case["rows8" if op.access_bytes == 8 else "rows4"]))
    return steps


def copies_at_once() -> list[Case]:
    """Copies that all warps begin at once: cycles of each, one for each of its wavefronts, as in a main loop."""
    found, op = [], ws.CpAsync(size=16, cache="cg")
    for case in device("copies")["cases"]:
        warps, (few, many) = case["warps"], case["cycles"]
        piece = np.arange(4 * warps * WARP, 12 * warps * WARP).reshape(-1, WARP)
        row, col = np.divmod(piece * 16, case["row"])
        to = (row * (case["row"] + case["pad"]) + col) % COPIED_BYTES
        to = (to ^ ((to >> 7 & 7) << 4) if case["swizzled"] else to) + case["offset"]
        wavefronts = op.traffic(to, source=piece.astype(np.uint64) * 16).wavefronts.mean()
        label = f"rows of {case['row']} bytes, pad {case['pad']}, offset {case['offset']}, {warps} warps"
        found.append(
            Case("cp.async.cg, all at once after a barrier", label, (many - few) / len(piece), float(wavefronts))
        )
    return found


@cache
def bursts() -> list[Case]:
    """Short sequences after a barrier: what one warp needs more than the model is the frame's."""
    measured = [case for case in device("streams")["cases"] if case["burst"] and _sequence(case)]
    alone = {
        (case["name"], case["rows16"], case["rows4"]): case["cycles"] - ws.cost(_sequence(case)).cycles
        for case in measured
        if case["warps"] == 1
    }
    frame = float(np.median(list(alone.values())))
    return [
        Case(
            "bursts",
            f"{case['name']}, {case['warps']} warps",
            case["cycles"] - frame,
            ws.cost(_sequence(case), warps=case["warps"]).cycles,
        )
        for case in measured
        if case["warps"] > 1
    ]


def _busiest(steps: list[tuple[Any, ...]], warps: int) -> float:
    parts = ws.cost(steps, warps=warps).breakdown
    return max(parts["data pipe"], parts["sub-partition"], parts["warp"])


@cache
def mixed() -> list[Case]:
    """Sequences of several instructions without end, 8 and more warps: what is busiest."""
    file = evidence.load("timing_mixed")
    found = []
    for case in file["cases"]:
        sequence = file["kernels"][case["kernel"]]["sequence"]
        if case["warps"] < 8 or any(ptx.startswith("mma") for ptx, _, _ in sequence):
            continue
        steps = [
            (_op(ptx), None if which is None else np.array(case[which], np.uint32))
            for ptx, which, count in sequence
            for _ in range(count)
        ]
        lowest = [min(run[1] for run in case[name]) for name in ("cycles_4", "cycles_12")]
        label = f"{case['kernel']}, {case['warps']} warps"
        measured = (lowest[1] - lowest[0]) / 16
        found.append(Case("mixed streams", label, measured, _busiest(steps, case["warps"])))
    return found


@cache
def short_loops() -> list[Case]:
    """Short loops of several instructions: what is busiest, or one pass of a warp.

    A warp's next pass begins when its registers are free; what one warp alone needs more than the
    model is the loop's own instructions.
    """
    cases = [(case, _sequence(case)) for case in device("streams")["cases"] if not case["burst"] and _sequence(case)]
    frames: dict[str, list[float]] = {}
    for case, steps in cases:
        if case["warps"] == 1:
            frames.setdefault(case["name"], []).append(case["cycles"] - ws.cost(steps).cycles)
    found = []
    for case, steps in cases:
        if case["warps"] == 1:
            continue
        alone = ws.cost(steps).cycles + float(np.median(frames[case["name"]]))
        family = "short loops: wmma.load" if steps[0][0].is_wmma else "short loops"
        label = f"{case['name']}, {case['warps']} warps, rows of {case['rows16']} bytes"
        model = max(_busiest(steps, case["warps"]), alone)
        found.append(Case(family, label, case["cycles"], model))
    return found


def _drawn_op(ptx: str) -> Any:
    words = re.match(r"cp\.async\.(c[ag])\.shared\.global (\d+)", ptx)
    return ws.CpAsync(size=int(words[2]), cache=words[1]) if words else ws.parse(ptx)


def _drawn_costs(case: dict[str, Any], op: Any) -> list[ws.Cost]:
    """The model of each instruction of a case: of one, or of the eight copies of a group."""
    if op.kind == "movmatrix":
        return [op.cost(None, warps=case["warps"])]
    if op.kind == "cp.async":
        pairs = list(zip(case["address"], case["source"], strict=True))[: 1 if case["timed"] == "latency" else None]
        return [op.cost(to, source=np.array(s, np.uint64) + GLOBAL, warps=case["warps"]) for to, s in pairs]
    address = np.array(case["address"][:1] if op.is_wmma else case["address"], np.uint64)
    address = address + GLOBAL if op.space == "global" else address
    return [op.cost(address, stride=case["stride"], warps=case["warps"])]


def _chain_beside(case: dict[str, Any], op: Any) -> float:
    """Cycles of a step of a drawn chain beside the access: see `cycles` of the file's fields."""
    beside: float = case["add"]
    if op.kind in ("st", "stmatrix"):
        load = ws.parse(re.sub(r"^st(?=matrix|\.)", lambda m: "ld", case["ptx"]))
        beside += load.cost(np.array(case["address"])).latency
    words = 2 if case["ptx"].endswith(".b64") and op.kind == "ld" else op.num_registers if op.space == "global" else 1
    if op.kind == "ld":
        beside += OR_CYCLES * (words // 2)
    if op.is_wmma:
        beside += _combining(op, case["stride"])
    return beside + (WAIT_CYCLES if op.kind == "cp.async" else 0)


@cache
def drawn() -> list[Case]:
    """Instructions, addresses and warps drawn by chance, timed after the laws were fixed."""
    found = []
    for case in device("drawn")["cases"]:
        op = _drawn_op(case["ptx"])
        costs = _drawn_costs(case, op)
        where = op.cache if op.kind == "cp.async" else "shared" if op.kind == "movmatrix" else op.space
        if case["timed"] == "latency":
            model, load = costs[0].latency + _chain_beside(case, op), ""
        else:
            model = float(np.mean([cost.interval for cost in costs]))
            pipe = float(np.mean([cost.breakdown["data pipe"] for cost in costs]))
            enough = where != "cg" or pipe >= _core.COPY_WAVEFRONTS
            load = "many" if case["warps"] >= _core.MANY_WARPS and enough else "few"
        law = (op.kind, where, case["timed"], load)
        label = f"{case['ptx']}, {case['warps']} warps"
        found.append(Case(f"drawn: {' '.join(law).strip()}", label, case["cycles"], model, law))
    return found


@cache
def programs() -> list[Case]:
    """Programs of ldmatrix drawn by chance; what one warp needs more than the model is the frame's."""
    measured = [
        (case, ws.cost(_sequence(case), warps=case["warps"]).cycles) for case in device("random_programs")["cases"]
    ]
    frame = float(np.median([case["cycles"] - model for case, model in measured if case["warps"] == 1]))
    return [
        Case(
            "drawn: programs of ldmatrix",
            f"{case['name']}, {case['warps']} warps",
            case["cycles"] - frame,
            model,
            ("program",),
        )
        for case, model in measured
        if case["warps"] > 1
    ]


@cache
def calibrated(gpu: str) -> list[Case]:
    """The 30 tiles and main loops of warpsim calibrate --compare on a GPU ("h200", "h100"), with its own profile."""
    file = device(f"calibrate_{gpu}")
    profile = calibration(file["calibrations"][0]).arch
    return [
        Case(f"warpsim calibrate --compare, {gpu.upper()}", what, measured, model)
        for what, measured, model, _ in comparison(file["comparisons"][0], profile).rows
    ]


def families() -> Iterator[tuple[str, list[Case]]]:
    """All comparisons by family, in the order of the documentation."""
    every = [
        *latencies(), *streams(), *copies(), *copies_at_once(), *mixed(), *short_loops(),
        *bursts(), *tiles(),
        *mainloops(), *own_mainloops(), *own_mainloops("random_loops"), *drawn(), *programs(),
        *own_mainloops("unseen_loops"), *own_mainloops("typed_loops"), *own_mainloops("held_loops"),
        *own_mainloops("wmma_loops"), *assembled_mainloops("reference_code"), *assembled_mainloops("random_code"),
        *assembled_mainloops("unseen_code"), *assembled_mainloops(), *assembled_mainloops("wmma_code"),
        *calibrated("h200"), *calibrated("h100"),
    ]  # fmt: skip
    for family in dict.fromkeys(case.family for case in every):
        yield family, [case for case in every if case.family == family]
