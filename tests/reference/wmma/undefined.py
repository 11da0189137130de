"""Which addresses, strides and masks of one warp of wmma.load and wmma.store are undefined.

A finding is (error class, severity, lane, address); lane None: it is the warp's. Findings of the
warp come first, then those of lanes in order; of one lane, misalignment before bounds.
"""

from collections.abc import Sequence

from ..forms import ALL_LANES, WARP_LANES
from ..memory import AddressSpace, Memory, resolve
from ..plain import executing_lanes
from ..undefined import MISALIGNED, OUT_OF_BOUNDS, mask_errors
from .forms import WmmaForm, default_stride, element_bits, fragment_bytes, lines
from .fragments import wmma_fragment

WmmaFound = tuple[str, str, "int | None", "int | None"]

STRIDE = "StrideError"
DIVERGENT = "DivergentOperandsError"
ERROR = "error"
WARNING = "warning"


def _is_multiple(stride: int, type: str, nbytes: int) -> bool:
    return stride * element_bits(type) % (8 * nbytes) == 0


def stride_faults(stride: int, *, operand: str, layout: str, shape: str, type: str) -> list[str]:
    """The severity of everything that is wrong with a stride.

    PTX "Matrix Storage for WMMA": it is at least the default, and a multiple of the fragment's size in bytes, F. The
    default itself is always defined, although for A and B of 16 bits with eight elements a line it is not a multiple. A
    multiple of 16 bytes, which is what the CUDA guide asks for, but not of F is only a warning.
    """
    least = default_stride(operand, layout, shape)
    size = fragment_bytes(operand, shape, type)
    if stride == least:
        return []
    faults = []
    if not _is_multiple(stride, type, min(size, 16)):
        faults.append(ERROR)
    elif not _is_multiple(stride, type, size):
        faults.append(WARNING)
    return faults + ([ERROR] if stride < least else [])


def defined_stride(stride: int, *, operand: str, layout: str, shape: str, type: str) -> bool:
    """Whether a stride is not an error."""
    form = {"operand": operand, "layout": layout, "shape": shape, "type": type}
    return ERROR not in stride_faults(stride, **form)


def lowest_holders(form: WmmaForm, *, sm_75: bool = False) -> list[int]:
    """For every line of the matrix, the lowest lane that holds one of its elements."""
    holders: dict[int, int] = {}
    for lane, registers in enumerate(wmma_fragment(**form, sm_75=sm_75)):
        for place in (place for register in registers for place in register):
            holders.setdefault(place[0 if form["layout"] == "row" else 1], lane)
    return [holders[line] for line in range(len(holders))]


def line_starts(address: int, stride: int, form: WmmaForm) -> list[int]:
    """Where the lines of a matrix start; addresses do not wrap."""
    count = lines(form["operand"], form["layout"], form["shape"])[0]
    return [address + line * stride * element_bits(form["type"]) // 8 for line in range(count)]


def _outside(
    memory: Memory | AddressSpace, space: str, starts: list[int], form: WmmaForm, sm_75: bool
) -> list[WmmaFound]:
    """A finding for each line, given where they start, that is not all inside one memory."""
    length = lines(form["operand"], form["layout"], form["shape"])[1]
    width = length * element_bits(form["type"]) // 8
    findings: list[WmmaFound] = []
    for start, lane in zip(starts, lowest_holders(form, sm_75=sm_75), strict=True):
        where, inside = resolve(memory, space, start)
        if where is None or not where.holds(inside, width):
            findings.append((OUT_OF_BOUNDS, ERROR, lane, start))
    return findings


def wmma_findings(
    memory: Memory | AddressSpace,
    address: Sequence[int],
    stride: Sequence[int],
    *,
    form: WmmaForm,
    space: str = "shared",
    active: int = ALL_LANES,
    exited: int = 0,
    sm_75: bool = False,
) -> list[WmmaFound]:
    """PTX "wmma.load", "wmma.store": all threads of the warp execute the instruction with the same address, stride and
    qualifiers. Bounds are those of one matrix: of lanes that disagree, none is looked for."""
    executing = executing_lanes(active, exited)
    if active == 0:
        return []
    findings: list[WmmaFound] = [(error, ERROR, lane, where) for error, lane, where in mask_errors(active, exited)]
    operands = {(address[lane], stride[lane]) for lane in executing}
    agree = len(operands) <= 1
    if not agree:
        findings.append((DIVERGENT, ERROR, None, None))
    for lane in executing[:1] if agree else executing:
        named = None if agree else lane
        if address[lane] % fragment_bytes(form["operand"], form["shape"], form["type"]):
            findings.append((MISALIGNED, ERROR, named, address[lane]))
        for severity in stride_faults(stride[lane], **form):
            findings.append((STRIDE, severity, named, None))
        if agree:
            starts = line_starts(address[lane], stride[lane], form)
            findings += _outside(memory, space, starts, form, sm_75)
    return sorted(findings, key=lambda one: -1 if one[2] is None else one[2])


def same(value: int) -> list[int]:
    """An operand that is the same in all lanes."""
    return [value] * WARP_LANES
