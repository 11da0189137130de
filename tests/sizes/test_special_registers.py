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
