"""A PTX statement of any form of real kernels, and the kernel around it."""

import re

import warpsim as ws

#: letters of registers by their bits, and how many the kernel declares
LETTERS = {8: "h", 16: "h", 32: "r", 64: "d", 128: "q"}
WIDTHS = {"tf32": 32, "e4m3x2": 16, "ue8m0x2": 16, "f16x2": 32, "bf16x2": 32, "f32x2": 64}
TYPE = re.compile(r"pred|[usbf]\d+|bf16|tf32|b?f16x2|f32x2|e4m3x2|ue8m0x2")

KERNEL = """.version 9.1
.target {target}
.address_size 64
.global .align 16 .b8 gm[64];
.const .align 16 .b8 cm[64];
.global .texref tx;
.global .surfref su;
.func (.reg .b32 o) fn (.reg .b32 i) { mov.u32 o, i; ret; }
.func fn2 () { ret; }
.visible .entry k(.param .u64 po)
{
.reg .pred p<8>;
.reg .b8 b<8>;
.reg .b16 h<16>;
.reg .b32 r<99>;
.reg .b64 d<99>;
.reg .f32 f<9>;
.reg .f64 g<9>;
.reg .b128 q<8>;
.shared .align 128 .b8 sm[8192];
.local .align 16 .b8 lo[64];
.param .align 16 .b8 pl[16];
ld.param.u64 d0, [po];
mov.u64 d98, sm;
cvta.shared.u64 d98, d98;
"""
#: the operands of an opcode that begins so: its first type's registers are D (destination), A, B, C; the second's X, Y
#: AT: an address in shared memory, as a name or (of generic instructions) a register
OPERANDS = {
    r"elect\.": "r1|p1, -1", r"mbarrier\.init": "[AT], 1", r"mbarrier\.(try|test)_wait\.parity": "p1, [AT], r2",
    r"mbarrier\.arrive\.expect_tx.*::cluster": "_, [AT], 16", r"mbarrier\.arrive\.expect_tx": "d1, [AT], 16",
    r"mbarrier\.arrive.*::cluster": "_, [AT]", r"mbarrier\.arrive": "d1, [AT]", r"mbarrier\.expect_tx": "[AT], 16",
    r"(mbarrier\.inval|cp\.async\.mbarrier)": "[AT]", r"cp\.async\.bulk\.wait_group": "0", r".*commit_group": "",
    r"fence\.proxy\.tensormap": "[d0], 128", r"(fence|griddepcontrol|membar)\.|wgmma\.fence": "",
    r"wgmma\.wait_group": "0", r"prefetch\.tensormap": "[d0]", r"setmaxnreg": "40",
    r"tensormap\.replace\..*address": "[sm], d1", r"tensormap\.replace\..*(dim|element_stride)": "[sm], 0, r2",
    r"tensormap\.replace\..*global_stride": "[sm], 0, d1", r"tensormap\.replace": "[sm], 1",
    r"tensormap\.cp_fenceproxy": "[d0], [sm], 128", r"createpolicy": "d1", r"vote\..*\.ballot": "r1, p2, -1",
    r"vote\.": "p1, p2, -1", r"(clz|popc)\.": "r1, r2", r"mov\.pred": "p1, p2", r"(tanh|rsqrt)\.": "D, A",
    r"cvt.*\.e2m1x2$": "r1, b1", r"shf\.": "D, A, B, r9", r"atom\.shared": "D, [sm], A", r"barrier\.arrive": "0, 64",
    r"clusterlaunchcontrol\.try": "[sm], [sm+16]", r"clusterlaunchcontrol.*canceled": "p1, q1",
    r"clusterlaunchcontrol": "{r1, r2, r3, r4}, q1",
    r"setp\.": "p1, A, B", r"selp\.": "D, A, B, p1", r"(and|or|xor)\.pred": "p1, p2, p3", r"not\.pred": "p1, p2",
    r"cvt.*x2\.f32": "D, X, Y", r"cvt\.": "D, X", r"(mul)\.wide": "W, A, B", r"mad\.wide": "W, A, B, W",
    r"sh[lr]\.": "D, A, r9", r"(mov|not|neg|abs|ex2|lg2|rcp|cvta)\.": "D, A", r"(fma|mad|prmt|bfe)\.": "D, A, B, C",
    r"bfi\.": "D, A, B, r8, r9", r"atom\.": "D, [d0], A", r"shfl\.": "r1, r2, 1, 31, -1", r"bar\.warp": "-1",
    r"bar\.red": "p1, 0, p2", r"(bar|barrier)\.": "0", r"bra(\.uni)?$": "done", r"cp\.async\.c[ag]": "[sm], [d0], 16",
    r"cp\.async\.wait_group": "0", r"ret$|cp\.": "", r"[a-z]": "D, A, B",
}  # fmt: skip


def _vector(letter: str, first: int, count: int) -> str:
    return "{" + ", ".join(f"{letter}{first + i}" for i in range(count)) + "}"


def _matrix(opcode: str) -> str:
    """The operands of mma, wmma, ldmatrix, stmatrix, movmatrix: as many registers as the instruction has."""
    op = ws.parse(opcode)
    if isinstance(op, (ws.Mma, ws.WmmaMma)):
        of = dict(op.num_registers)
        letter = "d" if "f64" in opcode else "r"
        words = 2 if letter == "d" else 1
        parts = [_vector(letter, 20 * i, of[name] // words) for i, name in enumerate("dabc")]
        scales = ", r91, {0, 0}, r92, {0, 0}" if op.scale_vec else ""
        return ", ".join(parts) + (", r90, 0" if op.is_sparse else "") + scales
    held = _vector("d" if op.register_bits == 64 else "r", 1, op.num_registers)
    if opcode.startswith("movmatrix"):
        return "r1, r2"
    address = "[sm]" if ".shared" in opcode else "[d0]" if ".global" in opcode else "[d98]"
    stride = f", {op.default_stride}" if op.is_wmma else ""
    return f"{address}, {held}{stride}" if "st" in opcode[:8] else f"{held}, {address}{stride}"


def _access(opcode: str, letter: str) -> str:
    count = re.search(r"\.v([248])\b", opcode)
    held = _vector(letter, 1, int(count[1])) if count else f"{letter}1"
    address = next(
        (f"[{at}]" for space, at in (("shared", "sm"), ("local", "lo"), ("param", "po")) if space in opcode), "[d0]"
    )
    if opcode.startswith("ld.param.v"):
        address = "[pl]"
    hint = ", d3" if "cache_hint" in opcode else ""
    return (f"{held}, {address}" if opcode.startswith("ld") else f"{address}, {held}") + hint


def _tensor(opcode: str) -> str:
    """The operands of cp.async.bulk.tensor."""
    place = f"[d0, {_vector('r', 1, int(re.search(r'tensor.([1-5])d', opcode)[1]))}]"  # type: ignore[index]
    hint = ", d3" if "cache_hint" in opcode else ""
    return f"{place}, [sm]{hint}" if "bulk_group" in opcode else f"[sm], {place}, [sm+8]{hint}"


def _warpgroup(opcode: str) -> str:
    """The operands of wgmma.mma_async with tiles in shared memory."""
    n, d = re.search(r"m64n(\d+)k\d+\.(\w+)", opcode).groups()  # type: ignore[union-attr]
    return f"{_vector('r', 1, int(n) // (4 if d == 'f16' else 2))}, d1, d2, p1, 1, 1, 0, 0"


def statement(opcode: str) -> str:
    """One with operands that fit."""
    if re.match(r"w?mma\.(load|store|mma|sync|sp|xor|and)|(ld|st|mov)matrix", opcode):
        return f"{opcode} {_matrix(opcode)};"
    types = [word for word in opcode.split(".") if TYPE.fullmatch(word)]
    bits = [WIDTHS.get(word) or int("0" + re.sub(r"\D", "", word)) for word in types]
    letter, second = (LETTERS.get(n, "r") for n in [*bits, 32, 32][:2])
    wide = {"h": "r", "r": "d"}.get(letter, letter)
    if re.match(r"(ld|st)\.", opcode):
        return f"{opcode} {_access(opcode, letter)};"
    if re.match(r"cp\.async\.bulk\.tensor|wgmma\.mma", opcode):
        return f"{opcode} {(_tensor if 'tensor' in opcode else _warpgroup)(opcode)};"
    operands = next(text for pattern, text in OPERANDS.items() if re.match(pattern, opcode))
    names = {
        "D": f"{letter}1",
        "A": f"{letter}2",
        "B": f"{letter}3",
        "C": f"{letter}4",
        "X": f"{second}5",
        "Y": f"{second}6",
        "W": f"{wide}7",
        "AT": "sm" if "shared" in opcode else "d98",
    }
    return f"{opcode} {re.sub('AT|[A-Z]', lambda match: names[match[0]], operands)};"


def kernel(text: str, target: str = "sm_90a") -> str:
    """A kernel of this statement; its parameter points at memory of its own."""
    return f"{KERNEL.replace('{target}', target)}{text}\ndone:\nret;\n}}\n"
