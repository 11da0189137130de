"""Wrong programs with their twins, which have what the remedy says: the words fit, and the twin is silent."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = 'extern "C" __global__ void k'


@dataclass(frozen=True)
class Twins:
    """A text, wrong without FIX; its arrays by their sizes, its numbers; what each remedy says."""

    text: str
    sizes: tuple[int, ...]
    said: str
    grid: int = 1
    block: int = 64
    numbers: tuple[int, ...] = ()
    fill: int = 0


def found(one: Twins, *options: str) -> list[Any]:
    """What is found in a launch, but for notes."""
    arrays = [np.full(size, one.fill, np.int32) for size in one.sizes]
    kernel = ws.compile(one.text, target="sm_90", options=list(options))["k"]
    report = kernel(one.grid, one.block, [*arrays, *one.numbers])
    return [finding for finding in report.findings if finding.severity != "note"]


def check(one: Twins) -> None:
    wrong = found(one)
    assert wrong
    for finding in wrong:
        assert re.search(one.said, finding.fix), finding.fix
    assert not found(one, "-DFIX")
    compared("remedies of twins", len(wrong), at_least=1)


def fixed(words: str, instead: str = "") -> str:
    """Lines that stand with FIX, and others without."""
    return f"#ifdef FIX\n{words}\n#else\n{instead}\n#endif"


BARRIER, FENCE = "__syncthreads();", "__threadfence();"
LOCKED = "TAKE;\n__threadfence();\n}\n__syncthreads();\nn[threadIdx.x] = n[threadIdx.x] * 3 + 1;\n"
TICKET = f"{HEAD}(int *n, volatile int *ticket) {{\nif (threadIdx.x == 0) {{\n" + LOCKED.replace(
    "TAKE", "int t = atomicAdd((int *)&ticket[0], 1);\nwhile (ticket[1] != t)"
)

UPDATES: dict[str, Twins] = {
    "a barrier between the load and the store": Twins(
        f"{HEAD}(int *out, int n) {{\n__shared__ unsigned cnt;\nint t = threadIdx.x;\nif (t == 0) cnt = 0;\n"
        f"__syncthreads();\nfor (int i = 0; i < n; i++) {{\natomicAdd(&cnt, 1);\n{fixed(BARRIER)}\nunsigned c = cnt;\n"
        "out[i * 64 + t] = c;\n__syncthreads();\nif (t == 0) cnt = c - 32;\n__syncthreads();\n}\n}",
        (256,), r"^Put __syncthreads\(\) .* between line \d+ \(source.cu:7\) and line \d+ \(source.cu:13\)",
        numbers=(4,),
    ),
    "a ticket of which others are not done": Twins(
        f"{TICKET}{fixed(BARRIER)}\nif (threadIdx.x == 0) {{\n__threadfence();\nticket[1] = ticket[1] + 1;\n}}\n}}",
        (64, 2), r"^Put __syncthreads\(\) .* before line \d+ \(source.cu:16\), which writes", grid=2,
    ),
    "a ticket that is given on without a fence": Twins(
        f"{TICKET}__syncthreads();\nif (threadIdx.x == 0) {{\n{fixed(FENCE)}\nticket[1] = ticket[1] + 1;\n}}\n}}",
        (64, 2), r"^Put __threadfence\(\) before line \d+ \(source.cu:16\), which writes", grid=2,
    ),
    "what only the first is to do": Twins(
        f"{HEAD}(int *dist, int *queue, int *n) {{\nint v = (blockIdx.x * 32 + threadIdx.x) * 3 % 16;\n"
        + fixed("if (atomicCAS(&dist[v], -1, 1) == -1) {", "if (dist[v] < 0) {\ndist[v] = 1;")
        + "\nqueue[1 + atomicAdd(n, 1)] = v;\n}\n}",
        (16, 64, 1), r"^Use atomicCAS\(\) in place of what .* loads and .* stores, and ask what it returns",
        block=32, fill=-1,
    ),
    "the same of several blocks": Twins(
        f"{HEAD}(int *once, int *y) {{\nint v = threadIdx.x * 3 % 16;\n"
        + fixed("if (atomicCAS(&once[v], 0, 1) == 0)", "if (once[v] == 0) {\nonce[v] = 1;")
        + "\natomicAdd(y, 1);\n" + fixed("", "}") + "\n}",
        (16, 1), r"^Use atomicCAS\(\) in place of what .* loads and .* stores, and ask what it returns", grid=2,
    ),
    "a counter of threads that all have waited": Twins(
        f"{HEAD}(int *out) {{\n__shared__ volatile int come;\n__shared__ int n;\nif (threadIdx.x == 0) come = n = 0;\n"
        "__syncthreads();\natomicAdd((int *)&come, 1);\nwhile (come < 64) ;\n__threadfence_block();\n"
        + fixed("out[threadIdx.x] = atomicAdd(&n, 1);", "out[threadIdx.x] = n++;")
        + "\n__threadfence_block();\natomicAdd((int *)&come, 1);\n}",
        (64,), r"^Use atomicAdd\(\) in place of what line \d+ \(source.cu:12\) loads",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UPDATES)
def test_an_update_is_told_from_what_a_barrier_or_a_lock_orders(name: str) -> None:
    check(UPDATES[name])


def test_a_barrier_between_helps_no_other_block() -> None:
    text = f"{HEAD}(int *n) {{\nint c = *n;\n__syncthreads();\nif (threadIdx.x == 0) *n = c + 1;\n}}"
    wrong = found(Twins(text, (1,), "", grid=2))
    assert wrong and all(one.fix.startswith("Use atomicAdd()") for one in wrong)


SA = "__device__ unsigned sa(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }\n"
PROXY = 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");'


def bulk(to: str) -> str:
    """A bulk copy of 64 floats out of shared memory, committed."""
    return (
        'asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" :: '
        f'"l"({to}), "r"(sa(s)) : "memory");\nasm volatile("cp.async.bulk.commit_group;" ::: "memory");\n'
    )


def waited(kind: str) -> str:
    return f'asm volatile("cp.async.bulk.wait_group{kind} 0;" ::: "memory");'


RING = f"s[t] = r + t;\n{PROXY}\nMEET\nif (t == 0) {{\n{bulk('y + r * 64')}}}\n}}\nif (t == 0) {waited('')}\n"

PLACES: dict[str, Twins] = {
    "a store of one thread in a loop, then a read of the others": Twins(
        f"{HEAD}(int *out, unsigned *g, int n) {{\n__shared__ unsigned base;\nint t = threadIdx.x;\n"
        f"for (int i = 0; i < n; i++) {{\nif (t == 0) base = atomicAdd(g, 64u);\n{fixed(BARRIER)}\n"
        "out[base + t] = i;\n__syncthreads();\n}\n}",
        (512, 1), r"^Put __syncthreads.* between line \d+ \(source.cu:5\) and line \d+ \(source.cu:11\), at a point",
        numbers=(4,),
    ),
    "a read of what others store in the next round": Twins(
        f"{HEAD}(int *out, int n) {{\n__shared__ int base;\nint t = threadIdx.x;\nfor (int i = 0; i < n; i++) {{\n"
        f"if (t == 0) base = i * 64;\n__syncthreads();\nout[base + t] = i;\n{fixed(BARRIER)}\n}}\n}}",
        (256,), r"^Put __syncthreads\(\) .* after line \d+ \(source.cu:7\), before the next round .* \(source.cu:5\)",
        numbers=(4,),
    ),
    "threads that arrive and do not wait": Twins(
        f"{HEAD}(int *y) {{\n__shared__ int a[64], b[64];\nint t = threadIdx.x;\nif (t < 64) {{\na[t] = t;\n"
        + fixed('asm volatile("bar.sync 1, 128;" ::: "memory");', 'asm volatile("bar.arrive 1, 128;" ::: "memory");')
        + '\ny[t] = b[63 - t];\n} else {\nb[t - 64] = t;\nasm volatile("bar.sync 1, 128;" ::: "memory");\n'
        "y[t] = a[127 - t];\n}\n}",
        (128,), r"threads that arrive there at line \d+ \(source.cu:9\) do not wait\. Put bar.sync in place", block=128,
    ),
    "stores after one thread has waited for its bulk copy": Twins(
        f"{SA}{HEAD}(float *y) {{\n__shared__ alignas(128) float s[64];\nint t = threadIdx.x;\ns[t] = t;\n{PROXY}\n"
        f"__syncthreads();\nif (t == 0) {{\n{bulk('y')}{waited('.read')}\n}}\n{fixed(BARRIER)}\ns[t] = 3;\n}}",
        (64,), r"^Put __syncthreads\(\) .* between line \d+ \(source.cu:11\) and line \d+ \(source.cu:18\), .* outside",
    ),
    "the same in rounds": Twins(
        f"{SA}{HEAD}(float *y, int n) {{\n__shared__ alignas(128) float s[64];\nint t = threadIdx.x;\n"
        f"for (int r = 0; r < n; r++) {{\nif (t == 0) {waited('.read')}\n{fixed(BARRIER)}\n"
        + RING.replace("MEET", BARRIER) + "}",
        (640,), r"^Put __syncthreads\(\) .* between line \d+ \(source.cu:6\) and line \d+ \(source.cu:12\), at a point",
        numbers=(5,),
    ),
    "the same of half a block": Twins(
        f"{SA}{HEAD}(float *y, int n) {{\n__shared__ alignas(128) float s[64];\nint t = threadIdx.x;\n"
        f"if (t >= 64) return;\nfor (int r = 0; r < n; r++) {{\n{waited('.read')}\n"
        + fixed('asm volatile("bar.sync 2, 64;" ::: "memory");') + "\n"
        + RING.replace("MEET", 'asm volatile("bar.sync 1, 64;" ::: "memory");') + "}",
        (640,), r"^No barrier of .* between line \d+ \(source.cu:7\) and line \d+ \(source.cu:13\): .* bar.sync with",
        block=96, numbers=(5,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_a_remedy_names_the_gap_in_which_something_is_missing(name: str) -> None:
    check(PLACES[name])


CALLS: dict[str, Twins] = {
    "a store in a function that all call": Twins(
        "__device__ __noinline__ void put(int *s, int t) {\ns[t] = t;\n}\n"
        f"{HEAD}(int *o) {{\n__shared__ int s[128];\nint t = threadIdx.x;\nput(s, t);\n{fixed(BARRIER)}\n"
        "o[t] = s[t < 32 ? t ^ 1 : t & 31];\n}",
        (128,), r"^Put __syncthreads.* between line \d+ \(source.cu:2\) and line \d+ \(source.cu:13\)\.$", block=128,
    ),
    "a store in a function that some call": Twins(
        "__device__ __noinline__ void put(int *s, int t) {\ns[t] = t;\n}\n"
        f"{HEAD}(int *o) {{\n__shared__ int s[128];\nint t = threadIdx.x;\nif (t < 32) put(s, t);\n{fixed(BARRIER)}\n"
        "o[t] = s[t & 31];\n}",
        (128,), r"^Put __syncthreads.* between line \d+ \(source.cu:2\) and line \d+ \(source.cu:13\), .*: outside",
        block=128,
    ),
    "a read before the call of a function that stores": Twins(
        "__device__ __noinline__ void put(int *s, int t) {\ns[t] = t;\n}\n"
        f"{HEAD}(int *o) {{\n__shared__ int s[128];\nint t = threadIdx.x;\n"
        f"s[t] = 1;\n__syncthreads();\no[t] = s[127 - t];\n{fixed(BARRIER)}\nput(s, t);\n}}",
        (128,), r"^Put __syncthreads.* between line \d+ \(source.cu:9\) and line \d+ \(source.cu:2\)\.$", block=128,
    ),
    "the body of a loop in a function": Twins(
        "__device__ __noinline__ void body(int *s, int *o, int t, int i) {\ns[t] = i;\n__syncthreads();\n"
        f"o[t] += s[127 - t];\n{fixed(BARRIER)}\n}}\n{HEAD}(int *o, int n) {{\n__shared__ int s[128];\n"
        "for (int i = 0; i < n; i++) body(s, o, threadIdx.x, i);\n}",
        (128,), r"^Put __syncthreads.* after line \d+ \(source.cu:4\), before the next round .* \(source.cu:2\)\.$",
        block=128, numbers=(3,),
    ),
    "a loop of some warps that ends in two ways": Twins(
        f"{HEAD}(int *out, volatile int *flag, int n) {{\n__shared__ int s[32];\nif (threadIdx.x < 32) {{\n"
        "for (int i = 0; i < 128 && i != n; i++) while (flag[0] <= i) ;\n} else {\nint t = threadIdx.x - 32;\n"
        "for (int i = 0; i < 128 && i != n; i++) {\nif (t < 32) s[t] = i;\n"
        'asm volatile("bar.sync 1, 64;" ::: "memory");\nif (t >= 32) out[32 * i + t - 32] = s[t - 32];\n'
        + fixed('asm volatile("bar.sync 1, 64;" ::: "memory");') + "\nif (t == 0) flag[0] = i + 1;\n}\n}\n}",
        (128, 1), r"^No barrier of all .* \(source.cu:10\) and .* \(source.cu:8\): .* bar.sync with a number of",
        block=96, numbers=(3,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_ways_lead_through_functions_and_not_to_all_threads(name: str) -> None:
    check(CALLS[name])


ACQUIRE = (
    "__device__ int look(int *p) {\nint v;\n"
    'asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(v) : "l"(p));\nreturn v;\n}\n'
)
GRID = (
    "__device__ void meet(unsigned *c, volatile unsigned *g) {\n__syncthreads();\nif (threadIdx.x == 0) {\n"
    "unsigned my = *g;\n__threadfence();\nif (atomicInc(c, gridDim.x - 1) == gridDim.x - 1) {\n"
    f"{fixed(FENCE)}\natomicAdd((unsigned *)g, 1);\n}} else while (*g == my) ;\n__threadfence();\n}}\n"
    "__syncthreads();\n}\n"
)
FLAGS: dict[str, Twins] = {
    "the counter that is waited for": Twins(
        f"{ACQUIRE}{HEAD}(int *hist, int *come, int *next, int *out) {{\nint t = threadIdx.x;\n"
        f"atomicAdd(&hist[t], 1);\n{fixed(BARRIER)}\nif (t == 0) {{\n"
        "__threadfence();\natomicAdd(come, 1);\nwhile (look(come) < 3) ;\n}\n"
        "__syncthreads();\nint v = hist[t];\nint at = atomicAdd(next, 1);\nout[at] = v;\n}",
        (64, 1, 1, 192), r"^Put __syncthreads\(\) .* before line \d+ \(source.cu:16\), which writes the flag", grid=3,
    ),
    "the flag that the last block writes": Twins(
        f"{GRID}{HEAD}(unsigned *c, unsigned *g, int *a, int *b) {{\n"
        "int i = blockIdx.x * 64 + threadIdx.x, n = gridDim.x * 64;\nfor (int r = 0; r < 4; r++) {\n"
        "b[i] = a[n - 1 - i] + r;\nmeet(c, g);\na[i] = b[(i + 65) % n];\nmeet(c, g);\n}\n}",
        (1, 1, 256, 256), r"^Put __threadfence\(\) before line \d+ \(.*in meet \(source.cu:12\)\), which writes",
        grid=4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FLAGS)
def test_a_remedy_names_the_flag_that_passes_the_bytes(name: str) -> None:
    check(FLAGS[name])


def flagged(lacks: str) -> str:
    """A warp fills an array and raises a flag for another, with one of the three that it needs missing."""
    all_there = {"lanes": "__syncwarp();", "before": "__threadfence_block();", "after": "__threadfence_block();"}
    words = {name: fixed(one) if name == lacks else one for name, one in all_there.items()}
    return (
        f"{HEAD}(int *z) {{\n__shared__ volatile int flag;\n__shared__ int s[32];\nint t = threadIdx.x;\n"
        f"if (t == 0) flag = 0;\n__syncthreads();\nif (t < 32) {{\ns[t] = t * t;\n{words['lanes']}\nif (t == 0) {{\n"
        f"{words['before']}\nflag = 1;\n}}\n}} else {{\nwhile (!flag) ;\n{words['after']}\nz[t] = s[63 - t];\n}}\n}}"
    )


@pytest.mark.parametrize(
    "lacks, said",
    [
        ("lanes", r"^Put __syncwarp\(\) .* before line \d+ \(source.cu:16\), which .* all lanes of the warp reach"),
        ("before", r"^Put __threadfence_block\(\) before line \d+ \(source.cu:16\), which writes the flag"),
        ("after", r"^Put __threadfence_block\(\) after line \d+ \(source.cu:15\), which reads the flag"),
    ],
)
def test_what_a_flag_of_two_warps_lacks_is_named(lacks: str, said: str) -> None:
    check(Twins(flagged(lacks), (64,), said))


def test_a_line_that_reads_and_writes_is_split() -> None:
    text = (
        f"{HEAD}(int *o) {{\n__shared__ volatile int s[64];\nint t = threadIdx.x;\ns[t] = t;\ns[t + 32] = 0;\n"
        f"__syncwarp();\n{fixed('int v = s[t + 16]; __syncwarp(); s[t] += v; __syncwarp();', 's[t] += s[t + 16];')}\n"
        "o[t] = s[t];\n}"
    )
    check(
        Twins(
            text, (32,), r"^Put __syncwarp\(\) .*Both are of one line of the source: split it there first\.$", block=32
        )
    )
    rounds = f"{HEAD}(int *o) {{\n__shared__ int s[128];\nint t = threadIdx.x;\ns[t] = t;\n__syncthreads();\n" \
        "for (int i = 64; i > 16; i /= 2) {\nif (t < i) s[t] += s[t + i];\n@\n}\no[t] = s[t];\n}"  # fmt: skip
    wrong = found(Twins(rounds.replace("@", ""), (128,), "", block=128))
    assert wrong and not [one.fix for one in wrong if "split" in one.fix]
    assert not found(Twins(rounds.replace("@", BARRIER), (128,), "", block=128))


MAPPED = (
    "__device__ unsigned there(const void *p, unsigned r) {\nunsigned q;\n"
    'asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(q) : "r"(sa(p)), "r"(r));\nreturn q;\n}\n'
    "__device__ void wait(unsigned long long *b, int phase) {\n"
    'asm volatile("{.reg .pred p; L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1; "'
    '"@!p bra L;}" :: "r"(sa(b)), "r"(phase) : "memory");\n}\n'
)
MEET = 'asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");\n'


def arrives(how: str, at: str) -> str:
    return f'asm volatile("mbarrier.arrive.{how}.cluster.shared::cluster.b64 _, [%0];" :: "r"({at}) : "memory");'


def test_the_wait_before_the_later_access_is_named() -> None:
    text = (
        f'{SA}{MAPPED}extern "C" __global__ void __cluster_dims__(2) k(int *y, int n) {{\n__shared__ int s[64];\n'
        "__shared__ unsigned long long full, empty;\nint t = threadIdx.x;\nunsigned rank = blockIdx.x;\nif (t == 0) {\n"
        'asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(sa(&full)));\n'
        f'asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(sa(&empty)));\n}}\n{MEET}'
        "unsigned to = there(&s[t], rank ^ 1), f = there(&full, rank ^ 1), e = there(&empty, rank ^ 1);\n"
        "for (int r = 0; r < n; r++) {\nif (rank == 0) {\nif (r) wait(&empty, (r - 1) & 1);\n"
        'asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(to), "r"(r) : "memory");\n'
        f"{fixed(arrives('release', 'f'), arrives('relaxed', 'f'))}\n}} else {{\nwait(&full, r & 1); // full\n"
        f"y[r * 64 + t] = s[63 - t];\n{arrives('release', 'e')}\n}}\n}}\n{MEET}}}"
    )
    line = next(number for number, one in enumerate(text.splitlines(), 1) if one.endswith("// full"))
    check(Twins(text, (320,), rf"^The mbarrier object that line \d+ \(source.cu:{line}, in wait", grid=2, numbers=(5,)))
