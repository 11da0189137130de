"""What an instruction costs shared memory, in Nsight Compute's counters.

Addresses are counted as given, rounded down to the alignment that the instruction needs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from .forms import ALL_LANES, S4, WARP_LANES, access_bytes, row_bytes, row_lanes
from .plain import executing_lanes, lane_groups

Counts = dict[str, int]

COUNTERS = (*("instructions", "requests", "wavefronts"), *("ideal_wavefronts", "bank_conflicts", "sectors"))
BANKS = 32
BANK_BYTES = 4


def nothing() -> Counts:
    """All counters 0."""
    return dict.fromkeys(COUNTERS, 0)


def only_issued() -> Counts:
    """An empty mask, or an instruction that accesses no memory: one instruction, nothing else."""
    return {**nothing(), "instructions": 1}


def words_of(address: int, width: int) -> set[int]:
    """The 4-byte words that an access touches."""
    return {byte // BANK_BYTES for byte in range(address, address + width)}


def group_cost(addresses: Iterable[int], width: int) -> int:
    """H200 measurement ("shared memory: wavefronts"): the largest number of distinct 4-byte words
    that the lanes of a group touch in one bank; 0 without an active lane."""
    words_in_bank: dict[int, set[int]] = defaultdict(set)
    for address in addresses:
        for word in words_of(address, width):
            words_in_bank[word % BANKS].add(word)
    return max((len(words) for words in words_in_bank.values()), default=0)


def _shared_counts(groups: list[list[int]], width: int) -> Counts:
    """The sum over groups, given the addresses of the active lanes of each.

    H200 measurement ("shared memory: wavefronts"): bank conflicts are the wavefronts beyond the
    number of groups with an active lane.
    """
    wavefronts = sum(group_cost(addresses, width) for addresses in groups)
    ideal = sum(1 for addresses in groups if addresses)
    return {
        **only_issued(),
        "requests": 1,
        "wavefronts": wavefronts,
        "ideal_wavefronts": ideal,
        "bank_conflicts": wavefronts - ideal,
    }


def matrix_traffic(address: Sequence[int], *, shape: str, num: int, type: str) -> Counts:
    """H200 measurement ("shared memory: wavefronts") for ldmatrix and stmatrix.

    One group for each 8x8 matrix, its eight rows of 16 bytes; .s8.s4: one for two matrices, rows
    of 8 bytes. Forms that were not measured: each eight row addresses are one group.
    """
    width = row_bytes(type)
    lanes = row_lanes(shape=shape, num=num)
    in_group = 16 if type == S4 else 8
    rows = [address[lane] // width * width for lane in range(lanes)]
    return _shared_counts([rows[i : i + in_group] for i in range(0, lanes, in_group)], width)


def _pairs_equal(rows: dict[int, int], distance: int) -> bool:
    """Whether all pairs of active lanes (l, l xor distance) have equal addresses."""
    return all(rows[lane] == rows[lane ^ distance] for lane in rows if lane ^ distance in rows)


def ld_traffic(address: Sequence[int], *, vec: int, type: str, active: int = ALL_LANES, exited: int = 0) -> Counts:
    """H200 measurement ("shared memory: wavefronts", "merging").

    Neighbouring groups of a load of 8 or 16 bytes a lane are joined pairwise if, for distance 1
    or for distance 2, all pairs of active lanes have equal addresses.
    """
    width = access_bytes(vec=vec, type=type)
    rows = {lane: address[lane] // width * width for lane in executing_lanes(active, exited)}
    if not rows:
        return only_issued()
    groups = [list(group) for group in lane_groups(width)]
    if width >= 8 and (_pairs_equal(rows, 1) or _pairs_equal(rows, 2)):
        groups = [groups[i] + groups[i + 1] for i in range(0, len(groups), 2)]
    return _shared_counts([[rows[lane] for lane in group if lane in rows] for group in groups], width)


def st_traffic(address: Sequence[int], *, vec: int, type: str, active: int = ALL_LANES, exited: int = 0) -> Counts:
    """H200 measurement ("shared memory: wavefronts"): as a load, but stores never merge."""
    width = access_bytes(vec=vec, type=type)
    rows = {lane: address[lane] // width * width for lane in executing_lanes(active, exited)}
    if not rows:
        return only_issued()
    groups = lane_groups(width)
    return _shared_counts([[rows[lane] for lane in group if lane in rows] for group in groups], width)


def default_source(size: int) -> list[int]:
    """cp.async without a source: lanes copy consecutive bytes from a 128-byte boundary."""
    return [lane * size for lane in range(WARP_LANES)]


def cp_async_traffic(
    address: Sequence[int], source: Sequence[int], *, size: int, cache: str, active: int = ALL_LANES, exited: int = 0
) -> Counts:
    """H200 measurement ("cp.async"), either of its two rules."""
    lanes = {
        lane: (address[lane] // size * size, source[lane] // size * size) for lane in executing_lanes(active, exited)
    }
    if not lanes:
        return only_issued()
    return _ca_traffic(lanes, size) if cache == "ca" else _cg_traffic(lanes)


def _ca_traffic(lanes: dict[int, tuple[int, int]], size: int) -> Counts:
    """H200 measurement ("cp.async", .ca).

    In a group, the k-th lane that wants a destination bank goes to pass k, a lane of several
    banks to the latest pass that one of them demands. A pass costs the largest number of its
    lanes whose source words lie in one bank; equal addresses are not merged.
    """
    wavefronts = ideal = 0
    for group in lane_groups(size):
        wanted: Counter[int] = Counter()
        passes: dict[int, Counter[int]] = defaultdict(Counter)
        for lane in group:
            if lane not in lanes:
                continue
            destination, source = lanes[lane]
            banks = {word % BANKS for word in words_of(destination, size)}
            wanted.update(banks)
            turn = max(wanted[bank] for bank in banks)
            passes[turn].update(word % BANKS for word in words_of(source, size))
        wavefronts += sum(max(lanes_of_bank.values()) for lanes_of_bank in passes.values())
        ideal += bool(passes)
    sectors = {byte // 32 for _, s in lanes.values() for byte in range(s, s + size)}
    return {
        "instructions": 1,
        "requests": 1,
        "wavefronts": wavefronts,
        "ideal_wavefronts": ideal,
        "bank_conflicts": wavefronts - ideal,
        "sectors": len(sectors),
    }


def _cg_traffic(lanes: dict[int, tuple[int, int]]) -> Counts:
    """H200 measurement ("cp.async", .cg).

    Of equal destinations only the lowest lane counts. Pieces of 16 bytes that go from one sector
    to one sector, exchanged or not, are one move. Moves share a wavefront if their lines, the
    parity of their sectors, the exchange and the halves written agree; such a class costs the
    largest number of its moves that want one sector, on either side. The conflict counter is 0.
    """
    copied: dict[int, int] = {}
    for lane in sorted(lanes):
        destination, source = lanes[lane]
        copied.setdefault(destination, source)
    halves: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    for destination, source in copied.items():
        exchanged = (destination // 16 ^ source // 16) & 1
        halves[destination // 32, source // 32, exchanged].add(destination // 16 % 2)
    classes: dict[tuple[object, ...], list[tuple[int, int]]] = defaultdict(list)
    for (to, from_, exchanged), written in halves.items():
        key = (to // 4, from_ // 4, (to ^ from_) & 1, exchanged, frozenset(written))
        classes[key].append((to, from_))
    wavefronts = 0
    for moves in classes.values():
        to_sector = Counter(to for to, _ in moves)
        from_sector = Counter(from_ for _, from_ in moves)
        wavefronts += max(*to_sector.values(), *from_sector.values())
    return {
        "instructions": 1,
        "requests": 1,
        "wavefronts": wavefronts,
        "ideal_wavefronts": -(-16 * len(copied) // 128),
        "bank_conflicts": 0,
        "sectors": len(halves),
    }
