"""Which addresses and masks of one warp PTX leaves undefined.

A finding is (error class, lane, address). Findings come by lane; of one lane, those of its mask,
then misalignment, then bounds.
"""

from collections.abc import Sequence

from .forms import ALL_LANES, WARP_LANES
from .memory import AddressSpace, Memory, resolve
from .plain import executing_lanes

Found = tuple[str, int, "int | None"]

MISALIGNED = "MisalignedAddressError"
OUT_OF_BOUNDS = "OutOfBoundsError"
NON_SHARED = "NonSharedAddressError"
EXITED = "ExitedThreadError"
INACTIVE = "InactiveLaneError"
INVALID_LANE = "InvalidLaneAddressError"


def address_errors(
    memory: Memory | AddressSpace, space: str, address: int, width: int, *, only_shared: bool
) -> list[str]:
    """What is wrong with one access; an address can be wrong in both ways.

    PTX "Addresses as Operands": an address must be a multiple of the access size. "ldmatrix",
    "stmatrix": a generic address outside shared is undefined. H200 measurement: an access that
    ends past the memory faults, one that wraps past 2^32 as well.
    """
    errors = []
    if address % width:
        errors.append(MISALIGNED)
    where, inside = resolve(memory, space, address)
    if only_shared and isinstance(memory, AddressSpace) and where is not memory.shared:
        errors.append(NON_SHARED)
    elif where is None or not where.holds(inside, width):
        errors.append(OUT_OF_BOUNDS)
    return errors


def mask_errors(active: int, exited: int) -> list[Found]:
    """PTX "ldmatrix": undefined if the condition is not the same in all threads of the warp, or
    if any thread has exited. A warp in which it is false everywhere executes nothing."""
    findings: list[Found] = []
    for lane in range(WARP_LANES):
        if exited >> lane & 1:
            findings.append((EXITED, lane, None))
        elif not active >> lane & 1:
            findings.append((INACTIVE, lane, None))
    return findings


def matrix_findings(
    memory: Memory | AddressSpace,
    address: Sequence[int],
    *,
    lanes: int,
    width: int,
    space: str = "shared",
    active: int = ALL_LANES,
    exited: int = 0,
    target: str | None = None,
) -> list[Found]:
    """ldmatrix and stmatrix: `lanes` lanes supply the addresses of rows of `width` bytes.

    A thread that does not take part contains no address that could be wrong: it has its finding.
    PTX "ldmatrix", target notes: for sm_75 or below, all threads must contain valid addresses,
    also those that supply no row. Later targets ignore these (H200 measurement: any value).
    """
    if active == 0:
        return []
    findings = mask_errors(active, exited)
    for lane in executing_lanes(active, exited):
        errors = address_errors(memory, space, address[lane], width, only_shared=True)
        if lane < lanes:
            findings += [(error, lane, address[lane]) for error in errors]
        elif target == "sm_75" and errors:
            findings.append((INVALID_LANE, lane, address[lane]))
    return sorted(findings, key=lambda finding: finding[1])


def movmatrix_findings(*, active: int = ALL_LANES, exited: int = 0) -> list[Found]:
    """movmatrix has no address: only its mask can be undefined (PTX "movmatrix")."""
    return [] if active == 0 else mask_errors(active, exited)


def plain_findings(
    memory: Memory | AddressSpace,
    address: Sequence[int],
    *,
    width: int,
    space: str = "shared",
    active: int = ALL_LANES,
    exited: int = 0,
) -> list[Found]:
    """ld and st: lanes that do not execute are of no interest (PTX "Predicated Execution")."""
    return [
        (error, lane, address[lane])
        for lane in executing_lanes(active, exited)
        for error in address_errors(memory, space, address[lane], width, only_shared=False)
    ]


def cp_async_findings(
    shared: Memory,
    global_: Memory,
    address: Sequence[int],
    source: Sequence[int],
    *,
    size: int,
    active: int = ALL_LANES,
    exited: int = 0,
) -> list[Found]:
    """cp.async: both addresses are aligned to the size and lie in their own memory."""
    findings: list[Found] = []
    for lane in executing_lanes(active, exited):
        ends = ((shared, address[lane]), (global_, source[lane]))
        wrong = [
            (error, lane, place)
            for memory, place in ends
            for error in address_errors(memory, "", place, size, only_shared=False)
        ]
        findings += sorted(wrong, key=lambda finding: finding[0] != MISALIGNED)
    return findings


def equal_destinations(address: Sequence[int], *, active: int = ALL_LANES, exited: int = 0) -> bool:
    """Whether two lanes of a cp.async.cg have one destination (H200 measurement: the lane whose
    data stays follows no rule)."""
    places = [address[lane] for lane in executing_lanes(active, exited)]
    return len(set(places)) < len(places)
