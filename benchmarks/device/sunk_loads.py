"""How many loads a pass of the timed loop of `thr_ldg_*` (timing_throughput) executes.

    ncu --metrics l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum python3 benchmarks/device/sunk_loads.py

The loop's PTX has 24 loads (v4: 12) in two halves with a branch that is never taken after each. Nothing but the branch
uses the first half, so that the assembler moves it behind the branch: 12 (6) are executed. Each kernel makes 1,000
passes of one warp, after one load of its address; Nsight Compute counts the requests.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from pathlib import Path

import drawn

PASSES = 1000
FILE = Path(__file__).parents[2] / "tests" / "truth" / "timing" / "timing_throughput.json.gz"
FORM = drawn.Form("ld.global", "", 0, 4, "global")


def kernel(loop: str) -> str:
    """The loop, with the registers that it names."""
    widest = ("%r30", "%r31", "%r32", "%r33") if ".v4." in loop else ("%r30",)
    registers = sorted(set(re.findall(r"%r3\d|%r4\d|%r5\d|%r6\d|%r7\d", loop)))
    setup = "ld.global.u32 %r2,[%q0]; cvt.u64.u32 %q11,%r2; add.u64 %q11,%q11,%q2; mov.u32 %r24,%u2;\n"
    setup += "".join(f"mad.lo.u64 %d{i},%q17,{8 * i},%q11; " for i in range(30, 54)) + "mov.u64 %d60,%q17;\n"
    setup += "".join(f"mov.u32 {name},0; " for name in (*registers, *widest))
    ends = "\n".join(f"st.global.u32 [%q3+{4 * i + 4096}],{name};" for i, name in enumerate(registers))
    made = drawn.FRAME.replace("@SETUP@", "cvt.u64.u32 %q17,%u3;\n" + setup)
    made = made.replace("@BODY@", f"BODY:\n{loop}").replace("@SINK@", ends).replace("@KEEP@", "")
    return made.replace("%WORDS", str(drawn.shared_bytes(FORM) // 4))


def main() -> None:
    kernels = json.loads(gzip.decompress(FILE.read_bytes()))["kernels"]
    case = drawn.Case(FORM, "interval", [4 * lane for lane in range(drawn.LANES)])
    with tempfile.TemporaryDirectory() as folder:
        gpu = drawn.Gpu()
        for name in ("thr_ldg_b32", "thr_ldg_v4"):
            function = gpu.load(drawn.assemble(kernel(kernels[name]["loop"]), Path(folder)), drawn.shared_bytes(FORM))
            cycles = gpu.span(function, case, PASSES)
            print(f"{name}: {PASSES} passes, {cycles} cycles, {kernels[name]['instructions']} loads in the text")


if __name__ == "__main__":
    main()
