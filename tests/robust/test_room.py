"""Batches that cannot fit are refused before they begin; those that can are not."""

import json
import sys
from collections.abc import Callable

import numpy as np
import pytest

import warpsim as ws
from tests.support import launches
from tests.support.evidence import compared
from tests.support.process import run
from warpsim.memory import memory_limit

X4 = ws.Ldmatrix(num=4)
LANE = np.arange(32) * 16

HUGE: dict[str, Callable[[], object]] = {
    f"{kind}, {np.dtype(dtype)}": call
    for dtype in (np.uint32, np.int64)
    for kind, call in {
        "execute": lambda d=dtype: X4.execute(ws.SharedMemory(4096), huge(d)),
        "execute, record": lambda d=dtype: X4.execute(ws.SharedMemory(4096), huge(d), on_ub="record"),
        "traffic": lambda d=dtype: X4.traffic(huge(d), threads=8),
        "wmma": lambda d=dtype: ws.WmmaLoad().execute(ws.SharedMemory(4096), huge(d)),
    }.items()
}


def huge(dtype: type) -> np.ndarray:
    return np.broadcast_to(LANE.astype(dtype), (2**40, 32))


@pytest.mark.parametrize("name", HUGE)
def test_a_batch_beyond_all_memory_is_refused_at_once(name: str) -> None:
    with pytest.raises(ws.OutOfMemoryError) as caught:
        HUGE[name]()
    words = str(caught.value)
    assert "address: 1,099,511,627,776 warps need" in words and "Pass fewer warps a call" in words
    assert isinstance(caught.value, MemoryError) and isinstance(caught.value, ws.WarpsimError)


def test_where_no_limit_is_known_the_allocator_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_limit, "_meminfo", lambda: {"MemTotal": 300, "SwapTotal": 200})
    assert memory_limit.most() == 500
    monkeypatch.setattr(memory_limit, "_meminfo", dict)
    assert memory_limit.most() is None
    memory_limit.make_sure(2**50, 2**60)


def test_need_at_the_limit_is_not_refused_and_above_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_limit, "most", lambda: 2**30)
    memory_limit.make_sure(2**21, 2**30)
    with pytest.raises(ws.OutOfMemoryError, match=r"has 1\.0 GiB of RAM and swap"):
        memory_limit.make_sure(2**21, 2**30 + 1)
    monkeypatch.setattr(memory_limit, "most", lambda: 1)
    memory_limit.make_sure(100, memory_limit.LARGE - 1)  # may lie in memory that there is already
    with pytest.raises(ws.OutOfMemoryError):
        memory_limit.make_sure(100, memory_limit.LARGE)


CHILD = """
import json, resource, sys
import numpy as np, warpsim as ws
op, memory = ws.Ldmatrix(num=4), ws.SharedMemory(4096)
address = np.ascontiguousarray(np.broadcast_to(np.arange(32, dtype=np.uint32) * 16, (10**6, 32)))
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 300 * 2**20,) * 2)
found = {}
for n in (10**6, int(sys.argv[1])):
    try:
        result = op.execute(memory, address[:n])
        found[n] = result.registers.nbytes
        del result
    except MemoryError as error:
        found[n] = str(error)
try:
    ws.SharedMemory(2**31)
except MemoryError as error:
    found["memory"] = type(error).__name__
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space as Linux has them")
def test_batch_that_exceeds_a_memory_limit_is_refused_the_rest_runs() -> None:
    # 520: bytes of registers and counters a warp; a malloc that fails takes 64 MiB of addresses
    fits = 200 * 2**20 // 520
    found = json.loads(run(sys.executable, "-c", CHILD, str(fits)))
    assert "1,000,000 warps need 495.9 MiB (520,000,000 bytes)" in found["1000000"]
    assert found[str(fits)] == fits * 512
    assert found["memory"]
    compared("batches at a limit of memory", 2, at_least=2)


def test_a_launch_beyond_what_there_is_is_refused_before_it_starts() -> None:
    """Whatever a launch holds is asked for at its beginning: no array has changed when it is refused."""
    out = np.zeros(64, np.int32)
    kernel = launches.module()["spins"]
    with pytest.raises(ValueError, match="stack_bytes: expected 0 to 1,048,576"):
        kernel(1, 64, (1, out), stack_bytes=2**40)
    with pytest.raises(ValueError, match="shared_bytes: expected 0 to 232,448"):
        kernel(1, 64, (1, out), shared_bytes=2**20)
    text = launches.WRONG.replace("{ .reg .b32", "{ .local .b8 far[1099511627776]; .reg .b32")
    with pytest.raises(ws.PtxSyntaxError, match="far"):
        ws.Module(text)["k"](1, 64, (out,))
    assert not out.any()


LAUNCH = """
import json, resource
import numpy as np, warpsim as ws
from tests.support import launches
from tests.support.launches import lasting
launches.LAUNCHES["spins"]()
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 300 * 2**20,) * 2)
found = {}
kernel = ws.Module(lasting.RECURSION)["k"]
for threads in (32, 1024):
    try:
        found[threads] = [one.rule for one in kernel(1, threads, (), stack_bytes=1 << 20).findings]
    except MemoryError as error:
        found[threads] = str(error)
out = np.zeros(2**25, np.uint32)
report = ws.Module(lasting.HEAD + ".visible .entry k(.param .u64 o) { .reg .b64 %d; ld.param.u64 %d, [o];"
                   "st.global.u8 [%d], 1; st.global.u32 [%d+134217728], 1; ret; }")["k"](1, 1, (out,))
found["large"] = int(out[0]), [one.rule for one in report.findings], report.notes
found["right"] = launches.LAUNCHES["spins"](threads=2) == launches.LAUNCHES["spins"]()
print(json.dumps(found))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space as Linux has them")
def test_a_launch_that_exceeds_a_memory_limit_is_refused_and_the_next_is_right() -> None:
    found = json.loads(run(sys.executable, "-c", LAUNCH))
    assert found["32"] == ["WS-RUN-008"] and found["right"]
    assert "out of memory: " in found["1024"]
    wrote, rules, (note,) = found["large"]
    assert wrote == 1 and rules == ["WS-RUN-001"], "what takes too much memory to be checked for races has bounds"
    assert "is not checked for races: it has 134,217,728 bytes, and the checks do not fit into memory" in note
    compared("launches at a limit of memory", 3, at_least=3)


MANY = """
import ctypes, json, threading
import warpsim as ws
from tests.truth.wgmma import cases
module = ws.Module(cases.text(cases.KERNELS))
c = ctypes.CDLL(None)
c.malloc.restype, c.malloc.argtypes, c.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
c.free(c.malloc(30 << 20))  # from now on the heap holds pieces as large as a kernel's room
grown = []
def decode():
    pages = int(open("/proc/self/statm").read().split()[1])
    held = [module[kernel.name] for kernel in cases.KERNELS[len(grown) * 50:][:50]]
    assert not sum(kernel.shared_bytes for kernel in held)  # known once a kernel is decoded
    grown.append((int(open("/proc/self/statm").read().split()[1]) - pages) * 4096 / len(held))
thread = threading.Thread(target=decode)
thread.start()
thread.join()
for piece in [(c.malloc(24 << 20), c.malloc(2000)) for _ in range(50)]:
    c.free(piece[0])
decode()
print(json.dumps(grown))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_kernel_of_a_thousand_takes_what_it_uses_wherever_its_room_is_found() -> None:
    """Its room is for all that it may use, 22 MB here: a heap that had it before would write zeros to all of it."""
    grown = json.loads(run(sys.executable, "-c", MANY))
    assert len(grown) == 2 and max(grown) < 4e6, grown
    compared("bytes of a kernel, in a thread and in a heap with holes", len(grown), at_least=2)


LIMITED = """
import resource
import warpsim as ws
from tests.truth.wgmma import cases
module = ws.Module(cases.text(cases.KERNELS))
kernel = module[cases.KERNELS[0].name]
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (8 << 20), resource.RLIM_INFINITY))
try:
    kernel.shared_bytes
except ws.OutOfMemoryError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(kernel.shared_bytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space as Linux has them")
def test_a_kernel_whose_room_is_not_there_is_refused_and_decoded_later() -> None:
    refused, decoded = run(sys.executable, "-c", LIMITED).splitlines()
    assert refused.startswith("out of memory: ") and refused.endswith(" bytes needed")
    assert decoded == "0"


HEAD = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<2000>;
ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x;
"""


def remedies(branches: int) -> list[str]:
    """Of stores behind branches that may compare what is stored with what is there: all are searched for each."""
    body = "".join(
        f"ld.global.u32 %r2, [%d1+{4 * i}]; setp.eq.u32 %p{i}, %r1, 777;\n@%p{i} bra E;\n" for i in range(branches)
    )
    body += "".join(f"st.global.u32 [%d1+{4 * i}], %r1;\n" for i in range(branches))
    kernel = ws.Module(f"{HEAD}{body}E: ret;\n}}")["k"]
    report = kernel(1, 64, [np.zeros(8192, np.uint32)], timeout=60, progress=False)
    return [finding.fix for finding in report.findings if finding.rule == "WS-RUN-019"]


@pytest.mark.slow
def test_remedies_that_take_too_long_to_find_are_those_of_the_rule() -> None:
    """40 branches are within the bound of the search, 1,200 are not; it counts statements, not time."""
    general = "Use atomics, or let each thread write bytes of its own"
    few, many = remedies(40), remedies(1200)
    assert all(not fix.startswith(general) for fix in few)
    known = [not fix.startswith(general) for fix in many]
    first = known.index(False)
    assert first > 0 and not any(known[first:])  # the text's first have their own
    assert many == remedies(1200)
    compared("remedies", len(few) + len(many), at_least=1000)
