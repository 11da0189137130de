# ruff: noqa: E501
"""Kernels in CUDA C++ whose blocks pass data on: `wrong` ones, with the lines that must be named, and `right` ones.

Every kernel is k(int *data, unsigned *flag, int *out), 4 blocks of 64 threads; all arrays are zeros at first. `// 1` and
`// 2` mark the two lines of a race.
"""

from dataclasses import dataclass

#: what takes long to compile, for those that use it
ATOMIC = """
#include <cuda/atomic>
template <class T, cuda::thread_scope S> using ref = cuda::atomic_ref<T, S>;
"""
HEAD = """
extern "C" __global__ void k(int *data, unsigned *flag, int *out) {
    const int t = threadIdx.x, b = blockIdx.x, n = gridDim.x;
"""

#: one block after the other adds to a cell: {take}, {give}
LOCK = """
    if (t == 0) {{
        {take}
        data[0] = data[0] + 1; // 1 2
        {give}
    }}
"""
CAS = "while (atomicCAS(&flag[0], 0u, 1u) != 0u) { }"
FREE = "atomicExch(&flag[0], 0u);"

#: the last block adds what all have stored: {before} the counter, {count}, {behind} it, and after the barrier
LAST = """
    __shared__ bool last;
    data[b * 64 + t] = b + t; // 1
    __syncthreads();
    if (t == 0) {{
        {before}
        last = {count} == n - 1;
        {behind}
    }}
    __syncthreads();
    if (last) {{
        int sum = 0;
        for (int i = 0; i < n; i++) sum += data[i * 64 + t]; // 2
        out[t] = sum;
    }}
"""
COUNT = "atomicAdd(&flag[0], 1u)"

#: the first block to come stores, the second one waits: {give} and {until}, {behind}
FLAG = """
    __shared__ unsigned role;
    if (t == 0) role = atomicAdd(&flag[1], 1u);
    __syncthreads();
    if (role == 0) {{
        data[t] = t + 1; // 1
        __syncthreads();
        if (t == 0) {{ {give} }}
    }}
    if (role == 1) {{
        if (t == 0) {{ while ({until}) {{ }} {behind} }}
        __syncthreads();
        out[t] = data[t]; // 2
    }}
"""
SET, IS_CLEAR = "atomicExch(&flag[0], 1u);", "*(volatile unsigned *)&flag[0] == 0u"


#: each lane sets a flag of its own, or lane 0 counts for its warp: what is done {before} that
LANES = """
    if (b == 0) {{
        data[512 + t] = t;
        __threadfence();
        data[t] = t + 1; // 1
        {before}
        {give}
    }}
    if (b == 1) {{
        {until}
        __threadfence();
        out[t] = data[t]; // 2
    }}
"""
EACH = {"give": "atomicExch(&data[256 + t], 1);", "until": "while (atomicAdd(&data[256 + t], 0) == 0) { }"}
WARPS = {
    "give": "if (t % 32 == 0) atomicAdd(&flag[0], 1u);",
    "until": "if (t == 0) while (atomicAdd(&flag[0], 0u) != 2u) { } __syncthreads();",
}
ONE = {
    "give": "if (t == 0) atomicExch(&flag[0], 1u);",
    "until": "if (t == 0) while (atomicAdd(&flag[0], 0u) == 0u) { } __syncthreads();",
}


#: a flag is cleared by who has seen it, whatever fences there are
CLEARED = """
    if (b == 1 && t == 0) {{ {give} }} // 1
    if (b == 0) {{
        if (t == 0) {{ while ({until}) {{ }} }}
        {then}
    }}
"""
CLEAR = "if (t == 0) flag[0] = 0u; // 2"
CLEAR_LATER = "__syncthreads(); if (t == 63) flag[0] = 0u; // 2"


def volatile(body: str) -> str:
    """The same with volatile data."""
    for name in ("data[i", "data[b", "data[t"):
        body = body.replace(name, f"((volatile int *)data){name[4:]}")
    return body


#: data and flag are volatile; {before} the flag that is written, {behind} the one that is read
PASSED = """
    volatile int *v = data, *f = data + 512;
    if (b == 0 && t == 0) {{
        v[0] = 7; // 1
        {before}
        f[0] = 1;
    }}
    if (b == 1 && t == 0) {{
        while (f[0] == 0) {{ }}
        {behind}
        out[0] = v[0]; // 2
    }}
"""
#: likewise relaxed ones
RELAXED = PASSED.replace("v[0] = 7", "atomicExch(&data[0], 7)").replace("f[0] = 1", "atomicExch(&data[512], 1)")


def of_scope(scope: str, give: str = "release", take: str = "acquire") -> dict[str, str]:
    ref = f"ref<unsigned, cuda::thread_scope_{scope}>(flag[0])"
    return {
        "give": f"{ref}.store(1u, cuda::memory_order_{give});",
        "until": f"{ref}.load(cuda::memory_order_{take}) == 0u",
    }


@dataclass(frozen=True)
class Program:
    name: str
    body: str
    rule: str = ""  #: of the finding; empty: there is none
    options: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        return (ATOMIC if "cuda::" in self.body else "") + HEAD + self.body + "}\n"

    def marked(self, number: int) -> set[int]:
        """The lines of the source that carry the mark."""
        lines = self.source.splitlines()
        return {at for at, line in enumerate(lines, 1) if f"{number}" in line.partition("//")[2].split()}


ERROR, UNACQUIRED, GUESS = "WS-RUN-019", "WS-RUN-046", "WS-RUN-047"

DOUBLE = """
    unsigned long long *p = (unsigned long long *)out, old = {read}, seen;
    do {{
        seen = old;
        old = atomicCAS(p, seen, __double_as_longlong({value} + __longlong_as_double(seen))); // 2
    }} while (seen != old);
    {use}
"""


def double(
    name: str, rule: str = "", read: str = "*p", value: str = "1.0", use: str = "", mark: str = " // 1"
) -> Program:
    body = DOUBLE.format(read=read, value=value, use=use)
    return Program(name, body.replace("seen;\n", f"seen;{mark}\n", 1), rule)


WRONG = [
    Program("lock with fences of the block", LOCK.format(take=CAS + " __threadfence_block();", give="__threadfence_block(); " + FREE), ERROR),
    Program("lock released by a fence of the block", LOCK.format(take=CAS + " __threadfence();", give="__threadfence_block(); " + FREE), ERROR),
    Program("lock without a fence before it is released", LOCK.format(take=CAS + " __threadfence();", give=FREE), ERROR),
    Program("lock taken without a fence", LOCK.format(take=CAS, give="__threadfence(); " + FREE), UNACQUIRED),
    Program("lock taken with a fence of the block", LOCK.format(take=CAS + " __threadfence_block();", give="__threadfence(); " + FREE), UNACQUIRED),
    Program("counter behind a fence of the block", LAST.format(before="__threadfence_block();", count=COUNT, behind="__threadfence();"), ERROR),
    Program("counter without a fence before it", LAST.format(before="", count=COUNT, behind="__threadfence();"), ERROR),
    Program("counter without a fence behind it", LAST.format(before="__threadfence();", count=COUNT, behind=""), UNACQUIRED),
    Program("counter of the block's scope", LAST.format(before="__threadfence();", count="atomicAdd_block(&flag[0], 1u)", behind="__threadfence();"), ERROR),
    Program("flag of the block's scope", FLAG.format(**of_scope("block"), behind=""), ERROR),
    Program("flag released to the block", FLAG.format(give=of_scope("block")["give"], until=of_scope("device")["until"], behind=""), ERROR),
    Program("flag acquired from the block", FLAG.format(give=of_scope("device")["give"], until=of_scope("block")["until"], behind=""), ERROR),
    Program("flag read relaxed", FLAG.format(**of_scope("device", take="relaxed"), behind=""), UNACQUIRED),
    Program("flag written relaxed", FLAG.format(**of_scope("device", give="relaxed"), behind=""), ERROR),
    Program("volatile flag without a fence behind it", FLAG.format(give="__threadfence(); " + SET, until=IS_CLEAR, behind=""), UNACQUIRED),
    Program("volatile sums, no fence before the counter", volatile(LAST).format(before="", count=COUNT, behind="__threadfence();"), ERROR),
    Program("volatile data, no fence before the flag", PASSED.format(before="", behind="__threadfence();"), ERROR),
    Program("volatile data, a fence of the block before the flag", PASSED.format(before="__threadfence_block();", behind="__threadfence();"), ERROR),
    Program("volatile data, no fence at all", PASSED.format(before="", behind=""), ERROR),
    Program("volatile data, no fence behind the flag", PASSED.format(before="__threadfence();", behind=""), UNACQUIRED),
    Program("volatile data of a block, no fence before the flag", volatile(FLAG).format(give=SET, until=IS_CLEAR, behind="__threadfence();"), ERROR),
    Program("data stored by atomics, no fence before the flag", RELAXED.format(before="", behind="__threadfence();"), ERROR),
    Program("a fence of one lane, and all set flags", LANES.format(before="if (t % 32 == 0) __threadfence(); __syncwarp();", **EACH), ERROR),
    Program("a fence of one lane, and no barrier", LANES.format(before="if (t % 32 == 0) __threadfence();", **EACH), ERROR),
    Program("a fence of one lane before the warp meets", LANES.format(before="if (t % 32 == 0) __threadfence(); __syncwarp();", **WARPS), ERROR),
    Program("fences of all lanes, which never meet", LANES.format(before="__threadfence();", **WARPS), ERROR),
    Program("fences of half of the lanes before the block meets", LANES.format(before="if (t % 32 < 16) __threadfence(); __syncthreads();", **ONE), ERROR),
    Program("a fence of another thread behind the barrier", LANES.format(before="__syncthreads(); if (t == 1) __threadfence();", **ONE), ERROR),
    Program("atomics of the block's scope on one cell", "if (t == 0) atomicAdd_block(&data[0], 1); // 1 2\n", ERROR),
    Program("atomics of two scopes on one cell", "if (t == 0) { if (b == 0) atomicAdd_block(&data[0], 1); // 1\n else atomicAdd(&data[0], 1); } // 2\n", ERROR),
    Program("a flag cleared by who has not seen it", CLEARED.format(give="atomicAdd(&flag[0], 1u);", until="false", then=CLEAR), ERROR),
    Program("a flag cleared by who has met nobody who has seen it", CLEARED.format(give="atomicAdd(&flag[0], 1u);", until="--data[2000] > -100 && " + IS_CLEAR, then=CLEAR_LATER.replace("__syncthreads();", "")), ERROR),
    double("atomicAdd of doubles from the guide", GUESS),
    double("the same, with the old value returned", GUESS, use="data[t + 1024] = (int)old;"),
    double("a first read that is used besides", ERROR, use="if (t > 99) out[t] = (int)seen; data[1024 + 64 * b + t] = (int)first;", read="*p, first = old"),
]  # fmt: skip

RIGHT = [
    Program("lock with fences", LOCK.format(take=CAS + " __threadfence();", give="__threadfence(); " + FREE)),
    Program("lock of atomic_ref", LOCK.format(take="unsigned none = 0u; while (!ref<unsigned, cuda::thread_scope_device>(flag[0]).compare_exchange_weak(none, 1u, cuda::memory_order_acquire)) none = 0u;", give="ref<unsigned, cuda::thread_scope_device>(flag[0]).store(0u, cuda::memory_order_release);")),
    Program("lock of fences of C++", LOCK.format(take=CAS + " cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);", give="cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device); " + FREE)),
    Program("lock of a test-and-set flag", LOCK.format(take="while (atomicExch(&flag[0], 1u) != 0u) { } __threadfence();", give="__threadfence(); *(volatile unsigned *)&flag[0] = 0u;")),
    Program("lock of tickets", LOCK.format(take="const unsigned mine = atomicAdd(&flag[1], 1u); while (atomicAdd(&flag[0], 0u) != mine) { } __threadfence();", give="__threadfence(); atomicAdd(&flag[0], 1u);")),
    Program("binary semaphore", LOCK.format(take="auto &s = *reinterpret_cast<cuda::atomic<unsigned, cuda::thread_scope_device> *>(flag); unsigned none = 0u; while (!s.compare_exchange_strong(none, 1u)) none = 0u;", give="s.store(0u);")),
    Program("a counted flag that its reader clears", CLEARED.format(give="atomicAdd(&flag[0], 1u);", until=IS_CLEAR, then=CLEAR)),
    Program("a volatile flag that its reader clears", CLEARED.format(give="*(volatile unsigned *)&flag[0] = 1u;", until=IS_CLEAR, then=CLEAR)),
    Program("a flag that is released, read relaxed and cleared", CLEARED.format(give=of_scope("device")["give"], until=of_scope("device", take="relaxed")["until"], then=CLEAR)),
    Program("a flag that is acquired and cleared behind a barrier", CLEARED.format(give=SET, until=of_scope("device")["until"], then=CLEAR_LATER)),
    Program("last block", LAST.format(before="__threadfence();", count=COUNT, behind="__threadfence();")),
    Program("last block, of the system", LAST.format(before="__threadfence_system();", count="atomicAdd_system(&flag[0], 1u)", behind="__threadfence_system();")),
    Program("last block by acq_rel", LAST.format(before="", count="ref<unsigned, cuda::thread_scope_device>(flag[0]).fetch_add(1u, cuda::memory_order_acq_rel)", behind="")),
    Program("last block by seq_cst", LAST.format(before="", count="ref<unsigned, cuda::thread_scope_system>(flag[0]).fetch_add(1u)", behind="")),
    Program("last block, volatile sums", LAST.format(before="__threadfence();", count=COUNT, behind="").replace("data[i", "((volatile int *)data)[i").replace("data[b", "((volatile int *)data)[b")),
    Program("last block, each thread fences", LAST.format(before="", count=COUNT, behind="__threadfence();").replace("__syncthreads();", "__threadfence(); __syncthreads();", 1)),
    Program("flag with release and acquire", FLAG.format(**of_scope("device"), behind="")),
    Program("flag of the system", FLAG.format(**of_scope("system"), behind="")),
    Program("volatile data with fences", PASSED.format(before="__threadfence();", behind="__threadfence();")),
    Program("volatile data of a block with fences", volatile(FLAG).format(give="__threadfence(); " + SET, until=IS_CLEAR, behind="__threadfence();")),
    Program("data stored by atomics, with fences", RELAXED.format(before="__threadfence();", behind="__threadfence();")),
    Program("flags polled from the last to the first, set without fences between", """
        volatile int *f = data + 512;
        if (b == 0 && t == 0) {
            data[0] = 7;
            __threadfence();
            f[0] = 1;
            f[1] = 1;
        }
        if (b == 1 && t == 0) {
            while (f[1] == 0) { }
            while (f[0] == 0) { }
            __threadfence();
            out[0] = data[0];
        }
    """),
    Program("volatile cells that all blocks change and look at, in no order", """
        volatile int *v = data;
        if (t == 0)
            for (int i = 0; i < 8; i++) {
                int least = v[(i + b) % 8];
                v[(i * 3 + b) % 8] = least + b;
            }
    """),
    Program("each lane fences, and sets its flag", LANES.format(before="__threadfence();", **EACH)),
    Program("all lanes fence, and meet", LANES.format(before="__threadfence(); __syncwarp();", **WARPS)),
    Program("all lanes meet, and lane 0 fences", LANES.format(before="__syncwarp(); if (t % 32 == 0) __threadfence();", **WARPS)),
    Program("the block meets, and thread 0 fences", LANES.format(before="__syncthreads(); if (t == 0) __threadfence();", **ONE)),
    Program("all threads fence, and the block meets", LANES.format(before="__threadfence(); __syncthreads();", **ONE)),
    Program("flag of two scopes that reach", FLAG.format(give=of_scope("system")["give"], until=of_scope("device")["until"], behind="")),
    Program("volatile flag with fences", FLAG.format(give="__threadfence(); *(volatile unsigned *)&flag[0] = 1u;", until=IS_CLEAR, behind="__threadfence();")),
    Program("flag with a fence behind the polling atomic", FLAG.format(give="__threadfence(); " + SET, until="atomicAdd(&flag[0], 0u) == 0u", behind="__threadfence();")),
    Program("flag read relaxed, then fenced", FLAG.format(**of_scope("device", take="relaxed"), behind="cuda::atomic_thread_fence(cuda::memory_order_acquire);")),
    Program("semaphore of CUTLASS", FLAG.format(give='asm volatile("fence.acq_rel.gpu;\\n" "red.relaxed.gpu.global.add.s32 [%0], 1;" :: "l"(&flag[0]) : "memory");', until="([&] { unsigned state; asm volatile(\"ld.global.acquire.gpu.b32 %0, [%1];\" : \"=r\"(state) : \"l\"(&flag[0]) : \"memory\"); return state; }()) == 0u", behind="")),
    Program("red.release and ld.acquire", FLAG.format(give='asm volatile("red.release.gpu.global.add.s32 [%0], 1;" :: "l"(&flag[0]) : "memory");', until="([&] { unsigned state; asm volatile(\"ld.acquire.gpu.global.b32 %0, [%1];\" : \"=r\"(state) : \"l\"(&flag[0]) : \"memory\"); return state; }()) == 0u", behind="")),
    Program("atomics of the block's scope, a cell for each block", "atomicAdd_block(&data[b], 1);\n"),
    Program("atomics of the GPU's scope on one cell", "atomicAdd(&data[0], 1);\n"),
    Program("passed on from block to block", """
        __shared__ unsigned role;
        if (t == 0) role = atomicAdd(&flag[8], 1u);
        __syncthreads();
        if (t == 0 && role > 0) { while (ref<unsigned, cuda::thread_scope_device>(flag[role - 1]).load(cuda::memory_order_acquire) == 0u) { } }
        __syncthreads();
        if (role == 0) data[t] = t + 1;
        else if (role == 3) out[t] = data[t];
        __syncthreads();
        if (t == 0) ref<unsigned, cuda::thread_scope_device>(flag[role]).store(1u, cuda::memory_order_release);
    """),
    Program("look-back over all blocks", """
        __shared__ unsigned role; __shared__ int before;
        if (t == 0) role = atomicAdd(&flag[0], 1u);
        __syncthreads();
        if (t == 0) {
            before = 0;
            if (role > 0) {
                while (((volatile int *)data)[role - 1] == 0) { }
                __threadfence();
                before = out[role - 1];
            }
            out[role] = before + (int)role;
            __threadfence();
            ((volatile int *)data)[role] = 1;
        }
        __syncthreads();
        out[64 + 64 * role + t] = before;
    """),
    Program("handed over by some warps, then by one thread", """
        __shared__ unsigned role;
        if (t == 0) role = atomicAdd(&flag[1], 1u);
        __syncthreads();
        if (role == 0 && t < 64) {
            data[t] = t + 1;
            asm volatile("barrier.sync 1, 64;" ::: "memory");
            if (t == 0) { __threadfence(); atomicExch(&flag[0], 1u); }
        }
        if (role == 1) {
            if (t == 0) { while (atomicAdd(&flag[0], 0u) == 0u) { } __threadfence(); }
            asm volatile("barrier.sync 1, 64;" ::: "memory");
            out[t] = data[t];
        }
    """),
    double("atomicAdd of doubles with a volatile read", read="*(volatile unsigned long long *)p"),
    double("atomicAdd of doubles that reads by an atomic", read="atomicAdd(p, 0ull)"),
]  # fmt: skip
