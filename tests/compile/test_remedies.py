"""Remedies of small programs: each can stand where it says, and ends what it is for; else it says what is missing."""

import re
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.marks import first_fast

HEAD = 'extern "C" __global__ void k'
OUTSIDE = "outside of the branch or the loop"
BARRIER, LANES = "__syncthreads();", "__syncwarp();"


def found(text: str, *args: Any, grid: int = 1, block: int = 64) -> list[Any]:
    """What is found in a launch, but for notes."""
    report = ws.compile(text)["k"](grid, block, list(args))
    return [one for one in report.findings if one.severity != "note"]


def launched(text: str) -> list[Any]:
    """What is found where 64 threads copy an array, on sm_90."""
    report = ws.compile(text, target="sm_90")["k"](1, 64, [np.arange(256, dtype=np.int32), ints(256)])
    return [one for one in report.findings if one.severity != "note"]


def ints(count: int) -> np.ndarray:
    return np.zeros(count, np.int32)


#: name -> a program with @ where its remedy goes, the words to put there, what the remedy says, threads of a block
PLACED: dict[str, tuple[str, str, str, int]] = {
    "a branch of one thread stores": (
        f"{HEAD}(int *y) {{\n__shared__ int s;\nint t = threadIdx.x;\nif (t == 0) {{\ns = y[9];\n}}\n@\ny[t] = s;\n}}",
        BARRIER, rf"between line \d+ \(source.cu:5\) and line \d+ \(source.cu:8\), at a point that .*{OUTSIDE}", 64,
    ),
    "a branch of one warp reads": (
        f"{HEAD}(int *y) {{\n__shared__ int s[64];\nint t = threadIdx.x;\ns[t] = t;\n@\n"
        "if (t < 32) {\ny[t] = s[t + 32] + s[t ^ 33];\n}\n}",
        BARRIER, rf"between line \d+ \(source.cu:4\) and line \d+ \(source.cu:7\), at a point that .*{OUTSIDE}", 64,
    ),
    "a branch of one lane stores": (
        f"{HEAD}(int *y) {{\n__shared__ int s;\nint t = threadIdx.x;\nif (y[t + 32] == 7) {{\ns = y[t + 64];\n}}\n@\n"
        "y[t] = s;\n}",
        LANES, rf"Put __syncwarp.* at a point that all lanes of the warp reach: {OUTSIDE}", 32,
    ),
    "a loop of the block": (
        f"{HEAD}(int *y) {{\n__shared__ int s[64];\nint t = threadIdx.x;\nfor (int i = 0; i < 5; i++) {{\n"
        "s[t] = i + t;\n__syncthreads();\ny[t] += s[63 - t];\n@\n}\n}",
        BARRIER, r"after line \d+ \(source.cu:7\), before the next round of the loop .* \(source.cu:5\)", 64,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACED)
def test_a_barrier_stands_where_its_remedy_says(name: str) -> None:
    text, words, said, block = PLACED[name]
    y = ints(256)
    y[32 + 5] = 7
    wrong = found(text.replace("@", ""), y.copy(), block=block)
    assert wrong
    for one in wrong:
        assert re.search(said, one.fix), one.fix
    assert not found(text.replace("@", words), y.copy(), block=block)
    compared("remedies that name a place", len(wrong), at_least=1)


def test_no_barrier_is_put_into_a_loop_that_threads_leave_one_by_one() -> None:
    text = f"{HEAD}(int *y, const int *n) {{\nint t = threadIdx.x;\nfor (int i = 0; i < n[t]; i++) {{\n" \
        "if (y[(t + i) % 64] == 0) {\ny[(t * 5 + i) % 64] = t + 1;\n}\n}\n}"  # fmt: skip
    wrong = found(text, ints(64), np.arange(64, dtype=np.int32) % 7)
    assert any(one.fix.startswith("No barrier of all threads of the block can stand between line") for one in wrong)
    assert not [one.fix for one in wrong if "Put " in one.fix]


def test_branches_of_one_warp_have_no_barrier_in_common() -> None:
    text = f"{HEAD}(int *y) {{\n__shared__ int s;\nint t = threadIdx.x;\nif (t == 5) {{\ns = y[1];\n" \
        "} else if (t == 7) {\ny[0] = s;\n}\n}"  # fmt: skip
    (one,) = found(text, ints(4), block=32)
    assert "into both branches" not in one.fix and "at a point that all lanes of the warp reach" in one.fix
    parted = text.replace("} else if (t == 7)", "}\n__syncwarp();\nif (t == 7)")
    assert not found(parted, ints(4), block=32)


TICKET = (
    f"{HEAD}(volatile unsigned *t, int *total) {{\nif (threadIdx.x) return;\n"
    "unsigned mine = atomicAdd((unsigned *)&t[0], 1);\nwhile (t[1] != mine) ;\n__threadfence();\ntotal[0] += 1;\n@\n"
    "t[1] = mine + 1;\n}"
)


def test_an_update_under_a_ticket_lacks_a_fence() -> None:
    wrong = found(TICKET.replace("@", ""), np.zeros(2, np.uint32), ints(1), grid=4, block=32)
    assert wrong
    for one in wrong:
        assert re.match(r"Put __threadfence\(\) before line \d+ \(source.cu:8\), which writes", one.fix), one.fix
    assert not found(TICKET.replace("@", "__threadfence();"), np.zeros(2, np.uint32), ints(1), grid=4, block=32)


def test_an_update_after_a_flag_is_an_atomic() -> None:
    text = f"{HEAD}(volatile int *flag, int *total) {{\nif (blockIdx.x == 0) {{\n__threadfence();\n*flag = 1;\n" \
        "return;\n}\nwhile (*flag == 0) ;\n__threadfence();\ntotal[threadIdx.x % 4] += 1;\n}"  # fmt: skip
    for one in found(text, ints(1), ints(4), grid=3, block=32):
        assert "Use atomicAdd()" in one.fix, one.fix


def test_a_first_guess_of_a_loop_that_may_end_early_is_volatile() -> None:
    text = f"{HEAD}(int *m) {{\nint old = @m, seen, mine = threadIdx.x * 7 % 64;\ndo {{\nseen = old;\n" \
        "if (seen >= mine) break;\nold = atomicCAS(m, seen, mine);\n} while (old != seen);\n}"  # fmt: skip
    wrong = found(text.replace("@", "*"), ints(1), grid=2)
    assert wrong
    for one in wrong:
        assert re.match(r"Make the read at line \d+ \(source.cu:2\) atomic or volatile", one.fix), one.fix
    assert not found(text.replace("@", "*(volatile int *)"), ints(1), grid=2)


JOINS = (
    f"{HEAD}(int *data, int *flag, int *y) {{\nint t = threadIdx.x;\nif (blockIdx.x == 0) {{\ndata[t] = t;\n"
    "__threadfence();\n@\nif (t == 0) atomicExch(flag, 1);\n} else {\nif (t == 0) while (atomicAdd(flag, 0) == 0) ;\n"
    "__threadfence();\n__syncthreads();\n__threadfence();\ny[t] = data[t];\n}\n}"
)


def test_where_fences_stand_the_barrier_that_is_missing_is_proposed() -> None:
    wrong = found(JOINS.replace("@", ""), ints(64), ints(1), ints(64), grid=2)
    assert wrong
    for one in wrong:
        assert re.match(r"Put __syncthreads\(\) \(bar.sync\) before line \d+ \(source.cu:7\), which", one.fix), one.fix
        assert "at a point that all threads of the block reach" in one.fix
    assert not found(JOINS.replace("@", BARRIER), ints(64), ints(1), ints(64), grid=2)


def test_fences_that_both_sides_lack_are_one_remedy() -> None:
    text = (
        f"{HEAD}(int *data, volatile int *flag, int *y) {{\nint t = threadIdx.x;\nif (blockIdx.x == 0) {{\n"
        "if (t == 0) {\ndata[0] = 5;\n@\n*flag = 1;\n}\n} else if (t == 0) {\nwhile (*flag == 0) ;\n%\n"
        "y[0] = data[0];\n}\n}"
    )
    fence, lacks = "__threadfence();", r"Put __threadfence\(\) before line \d+ \(source.cu:7\), which writes the flag"
    (one,) = found(text.replace("@", "").replace("%", ""), ints(1), ints(1), ints(1), grid=2)
    (other,) = found(text.replace("@", "").replace("%", fence), ints(1), ints(1), ints(1), grid=2)
    assert re.match(lacks, one.fix) and re.match(lacks, other.fix)
    assert re.search(r", and another after line \d+ \(source.cu:10\), in the thread that reads it\.$", one.fix), one.fix
    assert "another" not in other.fix
    assert not found(text.replace("@", fence).replace("%", fence), ints(1), ints(1), ints(1), grid=2)


def test_the_flag_is_what_one_thread_counts() -> None:
    text = f"{HEAD}(float *s, unsigned *n, float *y) {{\n__shared__ unsigned last;\nint t = threadIdx.x;\n" \
        "for (int i = t; i < 128; i += 64) atomicAdd(&s[i], 1.0f);\n__syncthreads();\n" \
        "if (t == 0) {\n@\nlast = atomicAdd(n, 1u);\n%\n}\n__syncthreads();\n" \
        "if (last == gridDim.x - 1) for (int i = t; i < 128; i += 64) y[i] = s[i];\n}"  # fmt: skip
    arrays = np.zeros(128, np.float32), np.zeros(1, np.uint32), np.zeros(128, np.float32)
    (one,) = found(text.replace("@", "").replace("%", ""), *arrays, grid=2)
    assert re.match(
        r"Put __threadfence\(\) before line \d+ \(source.cu:8\), which .*, and another after it\.$", one.fix
    )
    fence = "__threadfence();"
    arrays = np.zeros(128, np.float32), np.zeros(1, np.uint32), np.zeros(128, np.float32)
    assert not found(text.replace("@", fence).replace("%", fence), *arrays, grid=2)


def test_a_counter_is_read_atomically_beside_its_atomics() -> None:
    text = f"{HEAD}(int *y) {{\n__shared__ int top;\nif (threadIdx.x == 0) top = 40;\n__syncthreads();\n" \
        "if (@top >= 0) {\nint i = atomicAdd(&top, -1);\nif (i >= 0) y[threadIdx.x] = i;\n}\n}"  # fmt: skip
    (one,) = found(text.replace("@", ""), ints(96), block=96)
    assert re.match(r"Make the read at line \d+ \(source.cu:5\) atomic or volatile", one.fix), one.fix
    assert not found(text.replace("@top", "atomicAdd(&top, 0)"), ints(96), block=96)


def test_what_a_flag_has_passed_on_is_no_lost_update() -> None:
    text = f"{HEAD}(int *total, int *turn) {{\nint part = blockIdx.x, state = -1;\n" \
        "while (__syncthreads_and(state != part)) {\n" \
        'if (threadIdx.x == 0) asm volatile("ld.relaxed.gpu.b32 %0, [%1];" : "=r"(state) : "l"(turn) : "memory");\n' \
        "@\n}\ntotal[threadIdx.x] += 1;\n__syncthreads();\nif (threadIdx.x == 0) {\n__threadfence();\n" \
        "atomicExch(turn, part + 1);\n}\n}"  # fmt: skip
    (one,) = found(text.replace("@", ""), ints(64), ints(1), grid=3)
    assert one.rule == "WS-RUN-046" and re.match(r"Put __threadfence\(\) after line \d+ \(source.cu:4\)", one.fix)
    assert not found(text.replace("@", "__threadfence();"), ints(64), ints(1), grid=3)


def test_a_copy_arrives_itself_at_the_object_that_is_waited_for() -> None:
    text = "#include <cstdint>\n" f"{HEAD}(const int *x, int *y) {{\n__shared__ __align__(16) int s[256];\n" \
        "__shared__ uint64_t bar;\nint t = threadIdx.x;\nunsigned to = __cvta_generic_to_shared(&s[4 * t]);\n" \
        "unsigned at = __cvta_generic_to_shared(&bar);\n" \
        'if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(at) : "memory");\n__syncthreads();\n' \
        'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(x + 4 * t) : "memory");\n' \
        'asm volatile("@;" :: "r"(at) : "memory");\n' \
        'asm volatile("{\\n.reg .pred p;\\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\\n@!p bra L;\\n}"' \
        ' :: "r"(at) : "memory");\nfor (int i = t; i < 256; i += 64) y[i] = s[255 - i];\n}'  # fmt: skip
    arrive, arrives = "mbarrier.arrive.shared.b64 _, [%0]", "cp.async.mbarrier.arrive.noinc.shared.b64 [%0]"
    wrong = [one for one in launched(text.replace("@;", f"{arrive};")) if one.severity == "error"]
    assert wrong and all("cp.async.mbarrier.arrive.noinc by each thread" in one.fix for one in wrong)
    assert not launched(text.replace("@;", f"{arrives};"))


def test_a_guarded_load_is_part_of_an_update() -> None:
    """As Triton loads: a register is cleared before."""
    text = """.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
    .reg .b32 %r<8>; .reg .b64 %d; .reg .pred %q;
    ld.param.u64 %d, [p]; mov.u32 %r1, %tid.x; setp.lt.u32 %q, %r1, 40; mov.u32 %r2, 0;
    @%q ld.global.b32 { %r2 }, [%d];
    add.s32 %r3, %r2, 1;
    @%q st.global.b32 [%d], { %r3 };
    ret;
}
"""
    findings = ws.Module(text)["k"](1, 64, [ints(1)]).findings
    assert [one.fix for one in findings if "Use atomicAdd() in place of what line 7 loads and line 9 stores" in one.fix]
    assert not [one.fix for one in findings if "Put " in one.fix]


def test_where_no_flag_passes_anything_no_fence_is_proposed() -> None:
    (one,) = found(f"{HEAD}(int *y) {{ y[threadIdx.x] = blockIdx.x; }}", ints(64), grid=2)
    assert "no flag, lock or counter passes these on" in one.fix and "__threadfence()" not in one.fix


def test_copies_over_copies_name_no_wait() -> None:
    text = "#include <cuda_pipeline.h>\n" + f"{HEAD}(const int *x, int *y) {{\n__shared__ int s[2][64];\n" \
        "int t = threadIdx.x, next = 0;\nfor (int i = 0; i < 6; i++) {\nfor (; next <= i + AHEAD; next++) {\n" \
        "if (next < 6) __pipeline_memcpy_async(&s[next & 1][t], x + next * 64 + t, 4);\n__pipeline_commit();\n}\n" \
        "__pipeline_wait_prior(AHEAD);\n__syncthreads();\ny[t] += s[i & 1][63 - t];\n__syncthreads();" \
        "\n}\n}"  # fmt: skip
    wrong = found(text.replace("AHEAD", "2"), np.arange(384, dtype=np.int32), ints(64))
    both = [one for one in wrong if one.fix.startswith("Two copies are under way to the same bytes")]
    assert both and all("take more buffers" in one.fix for one in both)
    assert not found(text.replace("AHEAD", "1"), np.arange(384, dtype=np.int32), ints(64))


@pytest.mark.parametrize(
    ("declared", "at", "words"),
    [
        ("float s[16][2 * W]", "s[{0}][{1}]", r"Pad each 128 bytes by 8 bytes, such as s\[16\]\[2 \* W \+ 2\]: "),
        ("float s[512]", "s[{0} * 32 + {1}]", r"Pad each 128 bytes by 8 bytes: "),
    ],
)
def test_padding_is_told_as_the_source_declares_the_array(declared: str, at: str, words: str) -> None:
    text = f"#define W 16\n{HEAD}(float *y) {{\n__shared__ {declared};\nint t = threadIdx.x;\n" \
        f"for (int i = 0; i < 16; i++) {at.format('i', 't')} = t;\n__syncthreads();\n" \
        f"y[t] = {at.format('t % 16', 't / 16')};\n}}"  # fmt: skip
    report = ws.compile(text)["k"](1, 32, [np.zeros(64, np.float32)])
    notes = [one.fix for one in report.findings if one.rule == "WS-RUN-028"]
    assert len(notes) == 1 and re.match(words, notes[0]), notes


STENCIL = """
#include <cooperative_groups.h>
extern "C" __global__ void smooth(float *a, float *b, int n, int rounds) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    float *in = a, *out = b;
    for (int round = 0; round < rounds; round++) {
        int i = grid.thread_rank();
        float sum = (i ? in[i - 1] : 0) + (i < n - 1 ? in[i + 1] : 0);
        out[i] = sum;
        MEET
        float *t = in; in = out; out = t;
    }
    LAST
}
"""


def smoothed(meet: str, last: str = "", blocks: int = 4, threads: int = 64) -> tuple[ws.KernelFinding, ...]:
    """What is found in three rounds of a stencil: a race inside a block and across blocks at the same lines."""
    source = STENCIL.replace("MEET", meet).replace("LAST", last)
    n = blocks * threads
    arrays = np.ones(n, np.float32), np.zeros(n, np.float32)
    return ws.compile(source)["smooth"](blocks, threads, (*arrays, n, 3), cooperative=True).findings


@pytest.mark.parametrize("meet", first_fast("", "__syncwarp();", "__syncthreads();"))
def test_what_the_fix_of_a_block_would_leave_is_told(meet: str) -> None:
    last = "grid.sync(); if (grid.thread_rank() == 0) a[0] = b[0];"
    (finding,) = smoothed(meet, last)
    assert finding.rule == "WS-RUN-019" and "of block (1, 0, 0)" in finding.message
    assert finding.fix.startswith("Put grid.sync() between")
    assert not smoothed("grid.sync();", last)
    compared("launches whose races reach other blocks", 2, at_least=2)


@pytest.mark.slow
def test_of_one_block_a_barrier_of_the_block_is_enough() -> None:
    (finding,) = smoothed("", blocks=1)
    assert "of block (1, 0, 0)" not in finding.message and finding.fix.startswith("Put __syncthreads() (bar.sync)")
    assert not smoothed("__syncthreads();", blocks=1)


@pytest.mark.slow
def test_of_one_warp_a_barrier_of_the_warp_is_enough() -> None:
    (finding,) = smoothed("", blocks=1, threads=32)
    assert finding.rule == "WS-RUN-018" and finding.fix.startswith("Put __syncwarp()")
    assert not smoothed("__syncwarp();", blocks=1, threads=32)


@pytest.mark.parametrize(
    "read",
    [
        "if (i + 32 < 256) b[i] = a[i + 32];",  # one statement, and the pair of one block comes first
        "b[i] = a[i - threadIdx.x + (threadIdx.x + 32) % 64] + a[(i + 64) % 256];",  # two statements of one line
    ],
)
def test_the_pair_that_reaches_furthest_is_told(read: str) -> None:
    text = f"{HEAD}(int *a, int *b) {{\nint i = blockIdx.x * 64 + threadIdx.x;\na[i] = i;\n@\n{read}\n}}"
    (finding,) = found(text.replace("@", ""), ints(256), ints(256), grid=4)
    assert finding.fix.startswith("Use atomics, or let each thread write bytes of its own")
    (left,) = found(text.replace("@", BARRIER), ints(256), ints(256), grid=4)
    assert left.fix == finding.fix


def updated(change: str, dtype: str = "int32") -> list[str]:
    """What to do about an update of one place by all threads, which no atomic makes."""
    names = {"int32": "int", "float32": "float", "uint8": "unsigned char", "uint16": "unsigned short"}
    text = f"{HEAD}({names[dtype]} *a, const float *b) {{\n{change};\n}}"
    fixes = [one.fix for one in found(text, np.zeros(64, dtype), np.ones(65, np.float32), grid=2)]
    return [fix for fix in fixes if "and its update is lost" in fix]


@pytest.mark.parametrize(
    ("change", "dtype"),
    [
        ("a[0] = a[0] * 3 + 1", "int32"),
        ("float v = a[0]; v = v * 2.0f + 1; a[0] = v", "float32"),
        ("float v = a[0]; v = v * 0.5f + threadIdx.x; v += __sinf(v); a[0] = v", "float32"),
        ("a[0] = a[0] * 2.0f", "float32"),  # which is a sum of it and it
        ("a[0] = a[0] << 1", "int32"),
        ("a[0] = 5.0f - a[0]", "float32"),
        ("a[0] = a[0] + (int)b[a[0] & 15]", "int32"),
        ("a[0] = min(max(a[0], (int)threadIdx.x), 9)", "int32"),
        ("if (a[0] < 9) a[0] += 1", "int32"),
        ("if (threadIdx.x > a[0] * 2) a[0] = threadIdx.x", "int32"),
    ],
)
def test_a_change_that_no_atomic_makes_is_a_loop_of_compare_and_swap(change: str, dtype: str) -> None:
    fixes = updated(change, dtype)
    assert fixes and all(fix.startswith("Use a loop of atomicCAS() in place of what line") for fix in fixes), fixes


@pytest.mark.parametrize(
    ("change", "dtype", "atomic"),
    [
        ("a[0] += threadIdx.x", "int32", "atomicAdd()"),
        ("a[0] -= threadIdx.x", "int32", "atomicAdd()"),
        ("a[0] = a[0] + threadIdx.x + blockIdx.x * 3", "int32", "atomicAdd()"),
        ("a[0] += b[threadIdx.x] * b[threadIdx.x + 1]", "float32", "atomicAdd()"),
        ("a[0] = max(a[0], (int)threadIdx.x)", "int32", "atomicMax()"),
        ("a[0] |= 1 << threadIdx.x % 32", "int32", "atomicOr()"),
        ("if (threadIdx.x > a[0]) a[0] = threadIdx.x", "int32", "atomicMin() or atomicMax()"),
    ],
)
def test_a_change_that_an_atomic_makes_is_that_atomic(change: str, dtype: str, atomic: str) -> None:
    fixes = updated(change, dtype)
    assert fixes and all(fix.startswith(f"Use {atomic} in place of what line") for fix in fixes), fixes


def test_a_loop_of_compare_and_swap_ends_a_lost_update() -> None:
    loop = "int old = *(volatile int *)a, seen; do { seen = old; old = atomicCAS(a, seen, seen * 3 + 1); } " \
        "while (old != seen)"  # fmt: skip
    assert not found(f"{HEAD}(int *a) {{\n{loop};\n}}", ints(1), grid=2)


@pytest.mark.parametrize(
    ("dtype", "loop"),
    [("uint8", "a loop of atomicCAS() on the 32-bit word that holds the byte"), ("uint16", "a loop of atomicCAS()")],
)
@pytest.mark.parametrize(
    "change", ["a[0] += 1", "a[0] |= 1 << threadIdx.x % 8", "if (threadIdx.x > a[0]) a[0] = threadIdx.x"]
)
def test_no_atomic_is_proposed_for_integers_that_are_too_short(change: str, dtype: str, loop: str) -> None:
    fixes = updated(change, dtype)
    assert fixes and all(fix.startswith(f"Use {loop} in place of what line") for fix in fixes), fixes


def test_a_swap_of_the_word_that_holds_a_byte_ends_a_lost_update() -> None:
    text = f"{HEAD}(unsigned char *a) {{\nunsigned *w = (unsigned *)a, old = *(volatile unsigned *)w, seen;\n" \
        "do {\nseen = old;\nold = atomicCAS(w, seen, (seen & ~255u) | ((seen + 1) & 255));\n" \
        "} while (old != seen);\n}"  # fmt: skip
    assert not found(text, np.zeros(4, np.uint8), grid=2)


QUEUE = (
    f"{HEAD}(int *q, int *ready, int *next, int *y) {{\nif (blockIdx.x < 2) {{\nint i = atomicAdd(&next[0], 1);\n"
    "q[i] = threadIdx.x;\n__threadfence();\natomicExch(&ready[i], 1);\n} else {\nint i = @;\n"
    "while (atomicAdd(&ready[i], 0) == 0) ;\n__threadfence();\ny[i] = q[i];\n}\n}"
)


def test_what_tells_others_by_an_exchange_takes_no_lock() -> None:
    wrong = found(QUEUE.replace("@", "next[1]++"), ints(64), ints(64), ints(2), ints(64), grid=4, block=32)
    lost = [one.fix for one in wrong if one.rule == "WS-RUN-019"]
    assert lost and all(re.match(r"Use atomicAdd\(\) in place of what line \d+ \(source.cu:8\)", fix) for fix in lost)
    atomic = QUEUE.replace("@", "atomicAdd(&next[1], 1)")
    assert not found(atomic, ints(64), ints(64), ints(2), ints(64), grid=4, block=32)


def test_a_line_of_a_lambda_says_whose_it_is() -> None:
    text = (
        f"{HEAD}(int *y) {{\n__shared__ int s[64];\nauto put = [&](int i, int v) {{ s[i] = v; }};\n"
        "int t = threadIdx.x;\nput(t, t);\ny[t] = s[63 - t];\n}"
    )
    (one,) = found(text, ints(64))
    assert "(source.cu:5, in a lambda of k (source.cu:3))" in one.message


def test_cooperative_groups_that_refuse_a_size_say_so() -> None:
    text = (
        f"#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n{HEAD}(int *y, int n) {{\n"
        "auto tile = cg::tiled_partition(cg::this_thread_block(), n);\ny[threadIdx.x] = tile.thread_rank();\n}"
    )
    assert found(text, ints(64), 16) == []
    (one,) = found(text, ints(64), 48)
    assert one.rule == "WS-RUN-009" and one.fix.startswith("Cooperative groups refuse this call")
