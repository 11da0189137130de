"""A PTX statement of any form of real kernels, and the kernel around it."""

import re

import warpsim as ws

#: letters of registers by their bits, and how many the kernel declares
LETTERS = {8: "h", 16: "h", 32: "r", 64: "d", 128: "q"}
WIDTHS = {"tf32": 32, "e4m3x2": 16, "f16x2": 32, "bf16x2": 32}
TYPE = re.compile(r"pred|[usbf]\d+|bf16|tf32|b?f16x2|e4m3x2")

KERNEL = """.version 9.0
.target sm_90a
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
ld.param.u64 d0, [po];
mov.u64 d98, sm;
cvta.shared.u64 d98, d98;
"""
#: the operands of an opcode that begins so: its first type's registers are D (destination), A, B, C; the second's X, Y
OPERANDS = {
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
        parts = [_vector(letter, 20 * i, of[name]) for i, name in enumerate("dabc")]
        return ", ".join(parts) + (", r90, 0" if op.is_sparse else "")
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
    return f"{held}, {address}" if opcode.startswith("ld") else f"{address}, {held}"


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
    operands = next(text for pattern, text in OPERANDS.items() if re.match(pattern, opcode))
    names = {
        "D": f"{letter}1",
        "A": f"{letter}2",
        "B": f"{letter}3",
        "C": f"{letter}4",
        "X": f"{second}5",
        "Y": f"{second}6",
        "W": f"{wide}7",
    }
    return f"{opcode} {re.sub('[A-Z]', lambda match: names[match[0]], operands)};"


def kernel(text: str) -> str:
    """A kernel of this statement; its parameter points at memory of its own."""
    return f"{KERNEL}{text}\ndone:\nret;\n}}\n"
