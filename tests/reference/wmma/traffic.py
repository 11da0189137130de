"""What wmma.load and wmma.store cost the memory, in Nsight Compute's counters.

H200 measurement ("wmma"): every counter is the sum over the lowered accesses. Addresses are
counted as given, rounded down to the width of the access.
"""

from collections import defaultdict
from collections.abc import Sequence

from ..forms import ALL_LANES
from ..plain import lane_groups
from ..traffic import Counts, group_cost, ld_traffic, matrix_traffic, only_issued, st_traffic
from .forms import WmmaForm
from .hardware import access_addresses
from .lowering import Access, lowering

SECTOR_BYTES = 32
LINE_BYTES = 128
TAG_MASKS = (0x37AB5, 0x2D5DA)
STORE_LINES_PER_BANK = 8
PLAIN = {1: (1, "b8"), 4: (1, "b32"), 8: (1, "b64"), 16: (4, "b32")}


def _shared_access(access: Access, addresses: Sequence[int], store: bool) -> Counts:
    """An ordinary ldmatrix, ld or st of shared memory."""
    if access.rows:
        return matrix_traffic(addresses, shape="m8n8", num=len(addresses) // 8, type="b16")
    vec, type = PLAIN[access.width]
    return (st_traffic if store else ld_traffic)(addresses, vec=vec, type=type)


def tag_bank(address: int) -> int:
    """H200 measurement ("global memory"): which of four tag banks holds the line of an address."""
    line = address // LINE_BYTES
    low, high = ((line & mask).bit_count() % 2 for mask in reversed(TAG_MASKS))
    return 2 * high + low


def tag_passes(rows: dict[int, int], lines_per_bank: int) -> list[set[int]]:
    """The lines that each pass serves, of the accesses {lane: address}.

    Lines in the order of the first lane that asks for them; a pass serves a few of each bank.
    """
    queues: dict[int, list[int]] = defaultdict(list)
    for lane in sorted(rows):
        line = rows[lane] // LINE_BYTES
        queue = queues[tag_bank(rows[lane])]
        if line not in queue:
            queue.append(line)
    passes: list[set[int]] = []
    for queue in queues.values():
        for turn, line in enumerate(queue):
            if turn // lines_per_bank >= len(passes):
                passes.append(set())
            passes[turn // lines_per_bank].add(line)
    return passes


def global_access(rows: dict[int, int], width: int, *, store: bool = False) -> Counts:
    """H200 measurement ("global memory") for accesses {lane: address}, aligned to their width.

    Sectors are those touched. The lanes of each pass cost what they would cost shared memory,
    without merging; of a store this is approximate.
    """
    wavefronts = 0
    for served in tag_passes(rows, STORE_LINES_PER_BANK if store else 1):
        for group in lane_groups(width):
            lanes = [lane for lane in group if lane in rows and rows[lane] // LINE_BYTES in served]
            wavefronts += group_cost([rows[lane] for lane in lanes], width)
    sectors = {address // SECTOR_BYTES for address in rows.values()}
    return {**only_issued(), "requests": 1, "wavefronts": wavefronts, "sectors": len(sectors)}


def wmma_traffic(
    address: Sequence[int],
    stride: Sequence[int],
    *,
    form: WmmaForm,
    space: str,
    shared: bool,
    store: bool = False,
    active: int = ALL_LANES,
    sm_75: bool = False,
) -> Counts:
    """`shared`: whether the matrix lies there, which only generic addressing leaves open.

    A mask that is not empty counts as full. Each register that movmatrix transposes is one more
    wavefront, which is not one of shared memory.
    """
    total = only_issued()
    if active == 0:
        return total
    accesses, transposes = lowering(**form, space=space, sm_75=sm_75)
    for access in accesses:
        given = access_addresses(access, address, stride, form=form, space=space)
        rows = [place // access.width * access.width for place in given]
        if shared:
            counts = _shared_access(access, rows, store)
        else:
            counts = global_access(dict(enumerate(rows)), access.width, store=store)
        for counter, value in counts.items():
            total[counter] += value if counter != "instructions" else 0
    if not shared:
        total["wavefronts"] += transposes
    return total
