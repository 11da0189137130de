"""What reading the core has found: texts, maps and values that reached beyond their place. Each is refused or told."""

import struct
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = """.version 8.6
.target {target}
.address_size 64
.visible .entry k(.param .u64 x) {{
.reg .b64 %rd<5>; .reg .b32 %r<44>; .reg .pred %p<3>; .shared .align 512 .b8 s[{shared}];
ld.param.u64 %rd1, [x]; mov.u32 %r1, s; mov.u32 %r2, 1; mov.u32 %r3, %cluster_ctarank;
"""
MADE = "mbarrier.init.shared.b64 [%r1+512], %r2;\n"


def launch(body: str, array: Any = None, *, shared: int = 1024, target: str = "sm_90a", **options: Any) -> Any:
    """The error that ends a launch, or its report."""
    module = ws.Module(HEAD.format(shared=shared, target=target) + body + "\nret;\n}\n")
    array = np.zeros(256, np.uint8) if array is None else array
    try:
        return module["k"](options.get("cluster", 1), 32, [array], timeout=20, **options)
    except ws.WarpsimError as error:
        return error


def map_of(kind: int, box: tuple[int, ...], swizzle: int = 0, extents: int = 1) -> np.ndarray[Any, Any]:
    """A tensor map as bytes: of elements of this kind, all dimensions of the same extent."""
    how = (len(box) - 1) << 4 | kind << 7 | swizzle << 13
    rest = sum((count - 1) << 8 * i for i, count in enumerate(box[1:]))
    words = [0, 0, how, *([1] * 4), 0, *([extents - 1] * 5), (box[0] - 1) << 24, rest & 0xFFFFFFFF, 0]
    return np.frombuffer(struct.pack("<16I", *words) + bytes(64), np.uint8).copy()


def tensor(rank: int) -> str:
    places = ", ".join(["%r4"] * rank)
    return (
        f"mov.u32 %r4, 1000000; {MADE} cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes"
        f" [%r1], [%rd1, {{{places}}}], [%r1+512];"
    )


def rules(found: Any) -> list[str]:
    assert isinstance(found, ws.KernelReport), found
    return [one.rule for one in found.findings]


U8, U64 = 0, 4
#: rows x pitch is 2^32, more rows than anybody can walk, and a row that is wider than its swizzle
MAPS = {
    "wraps": (U64, (256, 256, 256, 32, 1), 0),
    "many rows": (U8, (16, 256, 256, 256, 256), 0),
    "wider than its swizzle": (U64, (256, 2), 1),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("name", MAPS)
def test_box_of_a_map_stays_in_shared_memory(name: str, check: bool) -> None:
    kind, box, swizzle = MAPS[name]
    found = rules(launch(tensor(len(box)), map_of(kind, box, swizzle), check=check))
    assert found == ["WS-RUN-038" if swizzle else "WS-RUN-001"]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 33, 36, 256, 300])
def test_asynchronous_stores_take_what_the_assembler_takes(count: int) -> None:
    values = ", ".join(["%r2"] * count)
    vector = {2: ".v2", 4: ".v4"}.get(count, "")
    store = f"st.async.shared::cluster.mbarrier::complete_tx::bytes{vector}.b32 [%r1], {{{values}}}, [%r1+512];"
    found = launch(MADE + store)
    if count in (1, 2, 4):
        assert isinstance(found, ws.KernelReport)
    else:
        assert isinstance(found, ws.WarpsimError) and "1, 2 or 4 values" in str(found)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("lanes", ["all", "half"])
def test_copies_into_what_is_reserved_are_out_of_bounds(lanes: str, check: bool) -> None:
    some = "mov.u32 %r5, %laneid; setp.lt.u32 %p1, %r5, 16; @%p1 mov.u32 %r1, 262144;"
    where = "mov.u32 %r1, 262144;" if lanes == "all" else some
    copy = "cp.async.ca.shared.global [%r1], [%rd1], 16; cp.async.wait_all;"
    assert rules(launch(where + copy, shared=16, check=check))[0] == "WS-RUN-001"


@pytest.mark.parametrize("check", [True, False])
def test_answers_into_what_is_reserved_are_out_of_bounds(check: bool) -> None:
    cancel = "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r4], [%r1+512];"
    assert rules(launch(f"{MADE} mov.u32 %r4, 263152; {cancel}", target="sm_100a", check=check)) == ["WS-RUN-001"]


@pytest.mark.parametrize("count", [1, 20, 5000])
def test_string_ends_with_its_line(count: int) -> None:
    text = HEAD.format(shared=16, target="sm_90a") + '.pragma "' + "\\\n" * count + '";\nret;\n}\n'
    with pytest.raises(ws.PtxSyntaxError):
        ws.Module(text)


def test_offset_of_a_map_that_is_copied_may_be_negative() -> None:
    copy = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"
    fill = "mov.u32 %r5, %laneid; mad.lo.u32 %r6, %r5, 4, %r1; st.shared.u32 [%r6], %r5; bar.warp.sync -1;"
    array = np.zeros(256, np.uint8)
    found = launch(f"{fill} add.u64 %rd2, %rd1, 128; {copy} [%rd2+-128], [%r1], 128;", array)
    assert isinstance(found, ws.KernelReport) and array.view(np.uint32)[:32].tolist() == list(range(32))


def test_waiting_for_an_object_of_another_block_reads_that_block() -> None:
    body = f"""
        {MADE} fence.mbarrier_init.release.cluster; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        mov.u32 %r5, %laneid; setp.ne.u32 %p1, %r5, 0; @%p1 bra END; setp.eq.u32 %p1, %r3, 0; @%p1 bra END;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1+512], 256;
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 256, [%r1+512];
        cvt.u64.u32 %rd2, %r1; cvta.shared.u64 %rd2, %rd2; mapa.u64 %rd3, %rd2, 0;
        mbarrier.test_wait.parity.b64 %p2, [%rd3+512], 0;
        W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1+512], 0; @!%p2 bra W;
        END: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    """
    found = launch(body, cluster=2)
    assert isinstance(found, ws.KernelReport), found


def test_addresses_of_32_bits_are_refused_as_by_the_assembler() -> None:
    for one in ("cvta.shared.u32 %r4, %r1;", "cvta.to.shared.u32 %r4, %r1;", "cvta.to.param.u32 %r4, 0xffff;"):
        found = launch(one)
        assert isinstance(found, ws.WarpsimError) and "use .u64" in str(found)


RACE = "mov.u32 %r5, %tid.x; xor.b32 %r6, %r5, 1; shl.b32 %r6, %r6, 2; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r1;"
RACE += "add.u32 %r6, %r6, %r1; st.shared.u32 [%r5], %r2; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd1], %r7;"


@pytest.mark.parametrize("blocks", [1, 8])
def test_kernel_of_more_steps_than_can_be_named_is_said_not_to_be_checked(blocks: int) -> None:
    most = {1: 1 << 18, 8: 1 << 15}[blocks]
    for count, checked in ((most - 400, True), (most, False)):
        options = {"cluster": blocks} if blocks > 1 else {}
        report = launch("add.u32 %r9, %r9, 1;\n" * count + RACE, count=False, **options)
        notes = [note for note in report.notes if "nothing was checked" in note]
        assert report.is_checked is checked and len(notes) == (not checked)
        assert bool(rules(report)) is checked
    compared("kernels at the most steps that can be checked", 2, at_least=2)


@pytest.mark.slow
@pytest.mark.parametrize(("objects", "said"), [(47, False), (48, True), (65, True)])
def test_more_objects_than_are_kept_are_said(objects: int, said: bool) -> None:
    kernel = ws.compile(
        """
        #include <cuda/barrier>
        extern "C" __global__ void k(int *out, int n) {
            extern __shared__ unsigned long long b[];
            unsigned where = __cvta_generic_to_shared(b), ready;
            if (threadIdx.x == 0)
                for (int i = 0; i < n; i++)
                    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(where + 8 * i));
            __syncthreads();
            for (int i = 0; i < n; i++) {
                asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(where + 8 * i) : "memory");
                do {
                    asm volatile(
                        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                        : "=r"(ready) : "r"(where + 8 * i) : "memory");
                } while (!ready);
            }
            out[threadIdx.x] = 1;
        }"""
    )["k"]
    report = kernel(1, 32, [np.zeros(32, np.int32), objects], shared_bytes=8 * objects, timeout=20)
    assert any("counts as ordered" in note for note in report.notes) is said and not report.findings
