"""Draws instructions, addresses and warps by chance, and times them: what the cost model never saw.

    python3 benchmarks/device/drawn.py OUTPUT_FOLDER [--seed N]

Writes drawn.json.gz: `what`, `source`, `fields`, then the cases, one per line. Needs ptxas and a GPU
that runs sm_90a code; no Python package. Every case is one thread block on an idle SM.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from forms import GROUP, LANES, WINDOW, Case, Form, cases
from measure import device, write

STEPS, PASSES, REPEATS = 32, (4, 12), 7
FRAME_CYCLES = 6  # of two clock reads with nothing between them
SHARED_BYTES, COPY_BYTES, GLOBAL_BYTES = 98304, 147456, 1 << 24
HEAD = {
    "what": "Instructions with addresses drawn by chance, each timed alone: chains of dependent accesses and"
    " endless streams (program: benchmarks/device/drawn.py)",
    "fields": {
        "ptx": "the instruction; cp.async: and the bytes of a lane",
        "timed": "latency: 32 dependent steps of one warp; interval: an endless stream",
        "address": "byte offsets of the lanes in shared memory, from a multiple of 1024, or in a global buffer, from a"
        " multiple of 16 MiB; wmma: of every lane; cp.async: of eight instructions, which are one group",
        "source": "cp.async: byte offsets in the global buffer, the same eight; each group reads 32 KiB further on",
        "stride": "wmma: in elements",
        "warps": "of the thread block; warp w adds w * apart to all its addresses",
        "apart": "bytes; cp.async, latency: from the source of a step to that of the next",
        "add": "latency: cycles of the step's integer add (64 bits: global and cp.async), timed alone; 0: movmatrix,"
        " whose result is its next source",
        "cycles": "latency: of a step: the access (a store and the load of what it stored; cp.async, the wait and a"
        " ld.shared of what it copied), an OR for each two more registers that wmma and vectors from global memory load"
        " (b64: one), and the add; interval: per instruction and SM; the least of six launches",
    },
}


FRAME = """.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry timed(.param .u64 table,.param .u64 sources,.param .u64 buffer,.param .u64 clocks,.param .u32 stride,
 .param .u32 apart,.param .u32 passes,.param .u32 zero)
{
.reg .pred %p<8>; .reg .b16 %h<160>; .reg .b32 %r<200>; .reg .f32 %f<160>; .reg .b64 %d<160>; .reg .b32 %a<40>;
.reg .b64 %g<40>;
.reg .b64 %s<40>; .reg .b32 %u<40>; .reg .b64 %q<40>;
ld.param.u64 %q0,[table]; ld.param.u64 %q1,[sources]; ld.param.u64 %q2,[buffer]; ld.param.u64 %q3,[clocks];
cvta.to.global.u64 %q0,%q0; cvta.to.global.u64 %q1,%q1; cvta.to.global.u64 %q2,%q2; cvta.to.global.u64 %q3,%q3;
ld.param.u32 %u0,[stride]; ld.param.u32 %u1,[apart]; ld.param.u32 %u2,[passes]; ld.param.u32 %u3,[zero];
cvt.u64.u32 %q18,%u1;
mov.u32 %u4,%tid.x; and.b32 %u5,%u4,31; shr.u32 %u6,%u4,5; setp.eq.u32 %p5,%u3,77;
mad.lo.u32 %u2,%u4,%u3,%u2; mov.u32 %u7,smem; mul.lo.u32 %u8,%u6,%u1; cvt.u64.u32 %q8,%u8; mul.wide.u32 %q9,%u5,4;
add.u64 %q10,%q1,%q9;
mov.u32 %u12,%ntid.x; mov.u32 %u14,%u4;
CLEAR: shl.b32 %u15,%u14,2; add.u32 %u15,%u15,%u7; st.shared.u32 [%u15],%u3;
add.u32 %u14,%u14,%u12; setp.lt.u32 %p1,%u14,%WORDS; @%p1 bra CLEAR;
@SETUP@
bar.sync 0;
mov.u32 %u20,%clock;
@BODY@
mov.u32 %u21,%clock;
shl.b32 %u22,%u6,3; cvt.u64.u32 %q20,%u22; add.u64 %q20,%q3,%q20; setp.eq.u32 %p3,%u5,0;
@%p3 st.global.v2.u32 [%q20],{%u20,%u21};
@KEEP@
ret;
SINK:
@SINK@
ret;
}
"""


def shared_bytes(form: Form) -> int:
    return COPY_BYTES if form.kind == "copy" else SHARED_BYTES


def sink(form: Form, count: int) -> str:
    bits = {"r": "b32", "h": "b16", "d": "b64", "f": "f32"}[form.register]
    return "\n".join(f"st.global.{bits} [%q3+{8 * i + 4096}],%{form.register}{i};" for i in range(count))


def zeros(form: Form, count: int) -> str:
    move = {"r": "mov.u32", "h": "cvt.u16.u32", "d": "cvt.u64.u32", "f": "mov.b32"}[form.register]
    return " ".join(f"{move} %{form.register}{i},%u3;" for i in range(count))


def issue(form: Form, first: int, address: str, source: str) -> str:
    registers = ",".join(f"%{form.register}{first + i}" for i in range(form.registers))
    return form.text.format(d=registers, a=address, s=source, t="%u0")


def table(form: Form, slots: int) -> str:
    """The lane's address in `slots` registers that the assembler cannot tell are equal; of copies, in 8 rows."""
    lines = []
    for i in range(slots):
        row = i % GROUP * 128 if form.kind == "copy" else 0
        ahead = i // GROUP * WINDOW * 4
        lines.append(f"add.u64 %q14,%q0,%q9; ld.global.u32 %u16,[%q14+{row}]; add.u32 %u16,%u16,%u8;")
        lines.append(
            f"mad.lo.u32 %u17,%u3,{16 * i + 16},%u16; add.u32 %a{i},%u7,%u17;"
            f" cvt.u64.u32 %q15,%u17; add.u64 %g{i},%q2,%q15;"
        )
        lines.append(
            f"ld.global.u32 %u10,[%q10+{row}]; cvt.u64.u32 %q11,%u10; add.u64 %s{i},%q2,%q11;"
            f" mad.lo.u32 %u11,%u6,{WINDOW * 64},{ahead};"
        )
        lines.append(f"cvt.u64.u32 %q11,%u11; add.u64 %s{i},%s{i},%q11;")
    return "\n".join(lines)


def kernel(form: Form, timed: str, alone: bool) -> str:
    """PTX of the program that times the form."""
    source = "%s{}" if timed == "interval" else "%g{}"
    slots = 16 if timed == "interval" and form.registers <= 4 else 8 if timed == "interval" else 1
    where = "%a{}" if form.space == "shared" else "%g{}"
    body, setup, count = [], table(form, slots), max(slots * form.registers, 1)
    if timed == "interval":
        for i in range(slots):
            if form.kind == "wmma":  # or the assembler loads before the loop
                body.append(f"add.u64 %g{i},%g{i},%q17;" if form.space == "global" else f"add.u32 %a{i},%a{i},%u3;")
            body.append(issue(form, i * form.registers, where.format(i), source.format(i)))
            if form.kind == "copy":  # the next 8 instructions copy another part of the matrix
                body.append(f"add.u64 %s{i},%s{i},{2 * WINDOW * 4};")
            if form.kind == "copy" and i % GROUP == GROUP - 1:
                body.append("cp.async.commit_group; cp.async.wait_group 3;")
            if i % 8 == 7:
                body.append("@%p5 bra SINK;")
        text = "\n".join(body)
        text = f"BODY:\n{text}\nsub.u32 %u2,%u2,1; setp.ne.u32 %p2,%u2,0; @%p2 bra BODY;"
    else:
        text = "\n".join(step(form, alone) for _ in range(STEPS))
    if form.kind == "copy":
        setup += "\nmov.u64 %g0,%s0;"
    setup += "\ncvt.u64.u32 %q17,%u3; " + zeros(form, count)
    if timed == "latency" and form.space == "global":
        setup += "\n" + step(form, alone)  # brings the lines to L1
    keep = (
        "st.global.u32 [%q3+2048],%a0; st.global.u64 [%q3+2056],%g0; st.global.u32 [%q3+2064],%r0;"
        if timed == "latency"
        else ""
    )
    ends = sink(form, count) + "\n" + keep
    made = FRAME.replace("@KEEP@", keep).replace("@SETUP@", setup).replace("@BODY@", text).replace("@SINK@", ends)
    return made.replace("%WORDS", str(shared_bytes(form) // 4))


def step(form: Form, alone: bool) -> str:
    """One step of a dependent chain: memory is zero, so that adding what was loaded changes nothing."""
    wide = form.space == "global" or form.kind == "copy"
    if alone:  # the branch keeps the assembler from adding twice at once; the halves change places to wait for both
        swap = "mov.b64 {%u30,%u31},%g0; mov.b64 %g0,{%u31,%u30};"
        return f"add.u64 %g0,%g0,%q17; {swap} @%p5 bra SINK;" if wide else "add.u32 %a0,%a0,%u3; @%p5 bra SINK;"
    if form.kind == "mov":
        return issue(form, 0, "", "")
    parts = [issue(form, 0, "%g0" if form.space == "global" else "%a0", "%g0")]
    if form.kind == "copy":
        parts.append(
            "cp.async.commit_group; cp.async.wait_group 0; ld.volatile.shared.u32 %r0,[%a0]; add.u32 %r0,%r0,%u1;"
        )
    if form.kind == "st":
        matrix, values = "matrix" in form.ptx, "{{{d}}}" if form.registers > 1 or "matrix" in form.ptx else "{d}"
        word = "ldmatrix" if matrix else "ld.volatile"
        words = form.ptx.removeprefix("stmatrix" if matrix else "st")
        load = Form("", f"{word}{words} {values},[{{a}}];", form.registers, register=form.register)
        parts.append(issue(load, 0, "%a0", ""))
    last = form.registers - 1
    name = {"r": f"%r{max(last, 0)}", "h": "%u30", "f": "%r0", "d": "%u30"}[form.register]
    if form.register == "h":
        parts.append("cvt.u32.u16 %u30,%h0;")
    if form.register == "d":
        parts.append("mov.b64 {%u30,%u31},%d0; or.b32 %u30,%u30,%u31;")
    if form.kind == "wmma" or (form.space == "global" and form.registers > 1):
        if form.register == "f":
            parts += [f"mov.b32 %r{i},%f{i};" for i in range(form.registers)]
        parts += [f"or.b32 %r0,%r0,%r{i};" for i in range(1, form.registers)]
        name = "%r0"
    if wide:
        parts.append(f"cvt.u64.u32 %q15,{name}; add.u64 %g0,%g0,%q15;")
    else:
        parts.append(f"add.u32 %a0,%a0,{name};")
    return " ".join(parts)


def flat(rows: Any) -> list[int]:
    return [value for row in rows for value in row] if isinstance(rows[0], list) else rows


class Gpu:
    """The driver, by ctypes: what torch or CuPy would do, without them."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        handle, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(handle), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), handle)
        self.call("cuCtxSetCurrent", context)
        self.table, self.sources, self.clocks = (self.memory(1 << 16) for _ in range(3))
        whole = self.memory(2 * GLOBAL_BYTES)
        self.buffer = -(-whole // GLOBAL_BYTES) * GLOBAL_BYTES

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self.cuda, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: {status}")

    def memory(self, size: int) -> int:
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        self.call("cuMemsetD8_v2", pointer, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        return pointer.value

    def put(self, place: int, values: list[int]) -> None:
        data = (ctypes.c_uint32 * len(values))(*values)
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(place), data, ctypes.c_size_t(4 * len(values)))

    def load(self, cubin: bytes, shared: int) -> ctypes.c_void_p:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, b"timed")
        self.call("cuFuncSetAttribute", function, 8, shared)
        return function

    def span(self, function: ctypes.c_void_p, case: Case, passes: int) -> int:
        """From the first warp's start to the last one's end; the least of some launches."""
        self.call("cuMemsetD8_v2", ctypes.c_uint64(self.buffer), ctypes.c_ubyte(0), ctypes.c_size_t(8 * WINDOW))
        self.put(self.table, flat(case.address))
        self.put(self.sources, flat(case.source or [0] * LANES))
        shared = shared_bytes(case.form)
        values = [ctypes.c_uint64(p) for p in (self.table, self.sources, self.buffer, self.clocks)]
        values += [ctypes.c_uint32(v) for v in (case.stride or 0, case.apart, passes, 0)]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        spans = []
        for _ in range(REPEATS):
            self.call("cuLaunchKernel", function, 1, 1, 1, 32 * case.warps, 1, 1, shared, None, pointers, None)
            self.call("cuCtxSynchronize")
            data = (ctypes.c_uint32 * (2 * case.warps))()
            self.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(self.clocks), ctypes.c_size_t(ctypes.sizeof(data)))
            origin = data[0]
            starts, ends = ([(v - origin + 2**31) % 2**32 for v in data[k::2]] for k in (0, 1))
            spans.append(max(ends) - min(starts))
        return min(spans[1:])


def assemble(ptx: str, folder: Path) -> bytes:
    source, cubin = folder / "timed.ptx", folder / "timed.cubin"
    source.write_text(ptx)
    done = subprocess.run(["ptxas", "-arch=sm_90a", source, "-o", cubin], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{done.stderr[:800]}\n{ptx}")
    return cubin.read_bytes()


class Timer:
    def __init__(self, folder: Path) -> None:
        self.folder, self.gpu, self.built = folder, Gpu(), dict[Any, Any]()

    def function(self, form: Form, timed: str, alone: bool = False) -> Any:
        key = (form.ptx, timed, alone)
        if key not in self.built:
            self.built[key] = self.gpu.load(assemble(kernel(form, timed, alone), self.folder), shared_bytes(form))
        return self.built[key]

    def measure(self, case: Case) -> None:
        form = case.form
        if case.timed == "latency":
            whole, alone = (self.gpu.span(self.function(form, "latency", only), case, 1) for only in (False, True))
            case.extra["add"] = 0 if form.kind == "mov" else round((alone - FRAME_CYCLES) / STEPS, 3)
            case.extra["cycles"] = round((whole - FRAME_CYCLES) / STEPS, 3)
        else:
            slots = 16 if form.registers <= 4 else 8
            few, many = (self.gpu.span(self.function(form, "interval"), case, passes) for passes in PASSES)
            case.extra["cycles"] = round((many - few) / ((PASSES[1] - PASSES[0]) * slots * case.warps), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--seed", type=int, default=18)
    args = parser.parse_args()
    found = list(cases(args.seed))
    with tempfile.TemporaryDirectory() as folder:
        timer = Timer(Path(folder))
        for case in found:
            try:
                timer.measure(case)
            except RuntimeError as wrong:
                raise RuntimeError(f"{case.to_dict()}") from wrong
    source = f"{device()}; %clock, least of {REPEATS - 1} launches; seed {args.seed}"
    write(args.output / "drawn.json.gz", {**HEAD, "source": source}, [case.to_dict() for case in found])


if __name__ == "__main__":
    main()
