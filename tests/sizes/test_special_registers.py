"""Special registers of a launch have the values that a GPU gives them."""

import re

import numpy as np

import warpsim as ws
from tests.support import evidence
from tests.support.paths import ROOT

PTX = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{{
    .reg .b64 %d;
    .reg .b32 %r<3>;
    .shared .b8 s[{static}];
    st.shared.u8 [s], 1;
    ld.param.u64 %d, [out];
    mov.u32 %r0, %total_smem_size;
    mov.u32 %r1, %dynamic_smem_size;
    mov.u32 %r2, %aggr_smem_size;
    st.global.u32 [%d], %r0;
    st.global.u32 [%d+4], %r1;
    st.global.u32 [%d+8], %r2;
    ret;
}}
"""
MEASURED = re.compile(r"static (\d+) dynamic (\d+):.* total (\d+) dynamic (\d+) aggr (\d+)")


def test_sizes_of_shared_memory_are_those_of_the_h200() -> None:
    rows = MEASURED.findall((ROOT / "benchmarks" / "device" / "edges.txt").read_text())
    for row in rows:
        static, dynamic, *expected = map(int, row)
        text = PTX.format(static=static) if static else re.sub(r".*\.shared.*\n", "", PTX.format(static=0))
        out = np.zeros(3, np.uint32)
        ws.Module(text)["k"](1, 32, [out], shared_bytes=dynamic)
        assert out.tolist() == expected, row
    evidence.compared("sizes of shared memory in special registers", 3 * len(rows), at_least=51)


RESERVED = ("begin", "end", "cap", "0", "1")
LOOK = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) {{
.reg .b64 %d; .reg .b32 %r, %at, %sum; ld.param.u64 %d, [out];
{reads}
mov.u32 %at, %reserved_smem_offset_begin; ld.shared.u32 %sum, [%at]; st.global.u32 [%d+20], %sum;
ret; }}
"""


def test_reserved_shared_memory_is_as_the_h200_has_it() -> None:
    """But for where it begins: here it lies beyond what a block can have."""
    rows = (ROOT / "benchmarks" / "device" / "reserved.txt").read_text().splitlines()[1:]
    names = "".join(rf" {name} (\d+)" for name in RESERVED)
    (expected,) = {tuple(map(int, re.findall(rf"{names} total .* not zero 0$", row)[0])) for row in rows}
    reads = "\n".join(
        f"mov.u32 %r, %reserved_smem_offset_{name}; st.global.u32 [%d+{4 * i}], %r;" for i, name in enumerate(RESERVED)
    )
    out = np.ones(6, np.uint32)
    ws.Module(LOOK.format(reads=reads))["k"](1, 1, [out])
    assert tuple(out[:5] - out[0]) == expected
    assert out[5] == 0
    evidence.compared("registers of reserved shared memory", len(RESERVED), at_least=5)


#: module's variables, kernel's variables, bytes of shared memory by ptxas 13.0 -v
PLACED = (
    ("", ".shared .b8 s[129];", 129),
    ("", ".shared .align 4 .b8 s[130];", 130),
    ("", ".shared .align 8 .b8 s[8]; .shared .b8 t[3];", 11),
    (".extern .shared .b8 e[];", ".shared .b8 s[129];", 144),
    (".extern .shared .align 4 .b8 e[];", ".shared .b8 s[129];", 144),
    (".extern .shared .align 32 .b8 e[];", ".shared .b8 s[129];", 160),
)


def test_static_shared_bytes_are_rounded_only_where_a_dynamic_array_follows() -> None:
    for outside, inside, expected in PLACED:
        names = re.findall(r" (\w)\[\d", inside)
        stores = "".join(f"st.shared.u8 [{name}], 1; " for name in names)
        head = f".version 8.6\n.target sm_90a\n.address_size 64\n{outside}\n"
        text = f"{head}.visible .entry k() {{ {inside} {stores}ret; }}"
        kernel = ws.Module(text)["k"]
        assert kernel.shared_bytes == expected, (outside, inside)
    evidence.compared("static bytes of shared memory", len(PLACED), at_least=6)


#: what thread 0 of each block reads, as numbers of 64 bits
MACHINE = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b64 %d<4>; .reg .b32 %r<8>;
    ld.param.u64 %d0, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %nctaid.x;
    mad.lo.u32 %r3, %r1, %r2, %r0; mad.wide.u32 %d1, %r3, 32, %d0;
    mov.u32 %r4, %smid; cvt.u64.u32 %d2, %r4; st.global.u64 [%d1], %d2;
    mov.u32 %r5, %nsmid; cvt.u64.u32 %d2, %r5; st.global.u64 [%d1+8], %d2;
    mov.u32 %r6, %nwarpid; cvt.u64.u32 %d2, %r6; st.global.u64 [%d1+16], %d2;
    mov.u64 %d3, %gridid; st.global.u64 [%d1+24], %d3;
    ret;
}
"""


def test_blocks_are_dealt_to_the_multiprocessors_of_the_h200() -> None:
    """132 of them, each with room for 64 warps of 32 threads; a launch has one number."""
    grid = (150, 2)
    out = np.zeros((300, 4), np.uint64)
    ws.Module(MACHINE)["k"](grid, 1, [out])
    assert out[:, 0].tolist() == [block % 132 for block in range(300)]
    assert set(out[:, 1]) == {132} and set(out[:, 2]) == {2048 // 32} and len(set(out[:, 3])) == 1
    evidence.compared("special registers of the machine", out.size, at_least=1200)
