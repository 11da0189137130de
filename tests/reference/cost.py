"""What accesses cost in time, from their wavefronts and the constants of an SM.

H200 measurements ("latency", "throughput", "main loops"); constants by their names, so that the
laws can be followed with those of another SM, too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from .forms import WARP_LANES, Form, matrix_registers, type_bytes

Constants = Mapping[str, float]

PARTITIONS = "sub_partitions"


@dataclass(frozen=True)
class Access:
    """One issue: which instruction, and what Nsight Compute would count for it."""

    mnemonic: str
    form: Form
    wavefronts: int
    groups: int  # of lanes, after merging, with an active lane
    space: str = "shared"
    tags: int = 0  # a load from global memory: passes of the tag stage,
    banks: int = 0  # and of the banks, which serve the lines of all passes together

    @property
    def stores(self) -> bool:
        return self.mnemonic in ("st", "stmatrix", "cp.async")

    @property
    def data_pipe(self) -> int:
        """Movmatrix takes one wavefront of the data pipe; a load from global memory the larger of its passes."""
        if self.mnemonic == "movmatrix":
            return 1
        return max(self.tags, self.banks) if self.tags else self.wavefronts

    @property
    def own(self) -> int:
        """Wavefronts that the warp itself waits for."""
        return self.banks if self.tags else self.data_pipe

    @property
    def registers(self) -> int:
        """32-bit registers of a lane; types of 8 and 16 bits take a register each."""
        if self.mnemonic in ("ldmatrix", "stmatrix"):
            return matrix_registers(**self.form)
        return int(self.form["vec"]) * max(1, type_bytes(self.form["type"]) // 4)

    @property
    def is_narrow(self) -> bool:
        """A load of one value of 8 or 16 bits a lane."""
        form = self.form
        return self.mnemonic == "ld" and form["vec"] == 1 and type_bytes(form["type"]) < 4


def fixed_latency(access: Access, c: Constants) -> float:
    """H200 measurement ("latency"): the part that does not depend on wavefronts.

    ld 21 + (g - 1), 0.28 more for 8 and 16 bits; from global memory 29, 1 more for each tag pass; ldmatrix 21;
    movmatrix 24 with its wavefront;
    stores 3 + 2 (r - 1), until a load of the same warp can follow.
    """
    if access.mnemonic == "movmatrix":
        return c["movmatrix_latency"] - c["wavefront_latency"]
    if access.mnemonic == "cp.async":
        return c["copy_latency"]
    if access.stores:
        return c["store_latency"] + c["store_register_latency"] * (access.registers - 1)
    fixed = c["global_latency" if access.space == "global" else "load_latency"] + access.tags
    if access.is_narrow:
        fixed += c["narrow_latency"]
    if access.mnemonic == "ld":
        fixed += c["group_latency"] * max(0, access.groups - 1)
    return fixed


def latency(access: Access, c: Constants) -> float:
    """H200 measurement ("latency"): two cycles a wavefront on top."""
    return fixed_latency(access, c) + c["wavefront_latency"] * access.own


def port(access: Access, c: Constants) -> float:
    """H200 measurement ("throughput"): 2 for loads and copies, 2 + 2 r for stores."""
    if access.mnemonic in ("st", "stmatrix"):
        return c["store_port"] + c["store_register_port"] * access.registers
    return c["load_port"]


def alone(access: Access, c: Constants) -> float:
    """H200 measurement ("throughput"): cycles after which one warp can issue its next access."""
    wavefronts = c["wavefront_latency"] * access.own
    if access.mnemonic == "movmatrix":
        return max(wavefronts, c["movmatrix_interval"])
    if access.mnemonic == "cp.async":
        if access.form["cache"] == "cg":
            return c["copy_alone"]
        return max(wavefronts, c["copy_ca_alone"])
    return max(wavefronts, c["access_interval"], port(access, c))


def interval(access: Access, c: Constants, warps: int, lines: int) -> dict[str, float]:
    """H200 measurement ("throughput", "cp.async"): what each part would allow; the largest counts.

    `lines`: of 128 bytes that a cp.async reads. Loads of one warp have a gap between them.
    """
    held = [0] * int(c[PARTITIONS])
    for warp in range(warps):
        held[warp % len(held)] += 1
    gap = c["global_gap" if access.tags else "load_gap"] if access.mnemonic in ("ld", "ldmatrix") else 0
    found = {
        "data pipe": float(max(1, access.data_pipe)),
        "sub-partition": max(port(access, c) * warps_there / warps for warps_there in held),
        "warp": (alone(access, c) + gap) / warps,
    }
    if access.mnemonic == "cp.async" and access.form["cache"] == "ca":
        found["data pipe"] += c["copy_ca_arrival"]
    elif access.mnemonic == "cp.async":
        found["global bytes"] = c["copy_path"] * lines
    return found


def program(warps: Sequence[Sequence[Access]], c: Constants) -> dict[str, float]:
    """Cycles and parts of a straight-line program, one sequence of accesses a warp.

    cycles = latency + start + max(data pipe + drain, sub-partition, warp). A load cannot pass a store. Two warps start
    at once. At the end the last access of every warp but two (those with the most wavefronts) needs its own two cycles
    a wavefront. Nothing waits for a port's last access.
    """
    slope = c["wavefront_latency"]
    ports, last_port = [0.0] * int(c[PARTITIONS]), [0.0] * int(c[PARTITIONS])
    chains, tails = [], []
    for number, steps in enumerate(warps):
        issue = 0.0
        ends, usable = [], []
        for i, step in enumerate(steps):
            if i > 0:
                before = steps[i - 1]
                waits = before.stores and not step.stores
                issue += fixed_latency(before, c) + slope * before.data_pipe if waits else alone(before, c)
            ends.append(issue + slope * step.data_pipe)
            usable.append(ends[-1] + fixed_latency(step, c))
            ports[number % len(ports)] += port(step, c)
            last_port[number % len(ports)] = port(step, c)
        chains.append(max(ends))
        tails.append(max(usable) - max(ends))
    last = sorted(steps[-1].data_pipe for steps in warps)
    parts = {
        "latency": max(0.0, *tails),
        "start": c["start_interval"] * max(0, len(warps) - 2),
        "data pipe": float(sum(step.data_pipe for steps in warps for step in steps)),
        "drain": (slope - 1) * sum(last[:-2]),
        "sub-partition": max(a - b for a, b in zip(ports, last_port, strict=True)),
        "warp": max(chains),
    }
    work = max(parts["data pipe"] + parts["drain"], parts["sub-partition"], parts["warp"])
    return {**parts, "cycles": parts["latency"] + parts["start"] + work}


Place = Callable[[int, int], int]


def loop_loads(
    tile: tuple[int, int, int], warps: tuple[int, int], a: Place, b: Place, trans_b: bool, piece: int = 8
) -> Iterator[list[int]]:
    """Row addresses of every ldmatrix.x4 of every warp in one iteration; `piece`: elements of 16 bytes.

    A: lane & 15 is the row of a 16 x 16 block, lane >> 4 its half. B as N x K: lane % 8 +
    lane / 16 * 8 is the row, lane / 8 % 2 the half; as K x N, with .trans, as A.
    """
    m, n, k = tile
    own_m, own_n = m // warps[0], n // warps[1]
    for warp_m, warp_n, step in product(range(warps[0]), range(warps[1]), range(0, k, 2 * piece)):
        for row in range(warp_m * own_m, (warp_m + 1) * own_m, 16):
            yield [a(row + (lane & 15), step + piece * (lane >> 4)) for lane in range(WARP_LANES)]
        for col in range(warp_n * own_n, (warp_n + 1) * own_n, 16):
            if trans_b:
                yield [b(step + (lane & 15), col + 8 * (lane >> 4)) for lane in range(WARP_LANES)]
            else:
                yield [b(col + lane % 8 + lane // 16 * 8, step + piece * (lane // 8 % 2)) for lane in range(WARP_LANES)]


def loop_copies(
    rows: int, cols: int, warps: int, place: Place, piece: int = 8
) -> Iterator[tuple[list[int], list[int], int]]:
    """Destinations, sources and lanes of every cp.async of 16 bytes that fills one matrix.

    Threads take pieces of 16 bytes one after another, along the rows; what is left over in the
    last turn has fewer lanes.
    """
    pieces = [(row, col) for row in range(rows) for col in range(0, cols, piece)]
    for first in range(0, len(pieces), WARP_LANES):
        own = pieces[first : first + WARP_LANES]
        lanes = (1 << len(own)) - 1
        own += [pieces[0]] * (WARP_LANES - len(own))
        yield [place(*at) for at in own], [(r * cols + c) * 16 // piece for r, c in own], lanes
