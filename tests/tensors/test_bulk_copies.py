"""Bulk copies: what they move, when it arrives, and what is wrong with kernels that do not wait for them."""

import numpy as np
import pytest

import warpsim as ws

LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
STORE = "cp.async.bulk.global.shared::cta.bulk_group"
WAIT = "W{n}: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], {parity};\n    @!%p1 bra W{n};"


def kernel(body: str, *, begin: str = "") -> ws.Kernel:
    """%r0: thread, %r1: barrier, %r2: 1,024 bytes of shared memory, %r3: this thread's word; %rd0, %rd1: arrays."""
    return ws.Module(
        f""".version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to)
{{
    .shared .align 128 .b8 s[1024];
    .shared .align 8 .b64 bar;
    .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<5>;
    ld.param.u64 %rd0, [from]; ld.param.u64 %rd1, [to];
    mov.u32 %r0, %tid.x; mov.u32 %r1, bar; mov.u32 %r2, s; shl.b32 %r4, %r0, 2; add.u32 %r3, %r2, %r4;
    cvt.u64.u32 %rd2, %r4; add.u64 %rd3, %rd1, %rd2;
    setp.eq.u32 %p0, %r0, 0;
    {begin}
    @%p0 mbarrier.init.shared::cta.b64 [%r1], 1;
    bar.sync 0;
    {body}
    ret;
}}
"""
    )["k"]


def rules(report: ws.KernelReport) -> list[str]:
    return sorted(finding.rule for finding in report.findings if finding.severity == "error")


def launch(text: ws.Kernel, threads: int = 64) -> tuple[ws.KernelReport, np.ndarray]:
    source, target = np.arange(256, dtype=np.uint32), np.zeros(256, np.uint32)
    return text(1, threads, (source, target), target="sm_90a"), target


def loaded(expected: int, wait: str) -> str:
    return f"""
    @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], {expected};
    @%p0 {LOAD} [%r2], [%rd0], 256, [%r1];
    {wait}
    ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd3], %r5;
"""


def test_a_copy_arrives_when_its_phase_is_waited_for() -> None:
    report, target = launch(kernel(loaded(256, WAIT.format(n=0, parity=0))))
    assert rules(report) == []
    assert target[:64].tolist() == list(range(64))


@pytest.mark.parametrize("wait", ["", WAIT.format(n=0, parity=1)], ids=["no wait", "wrong phase"])
def test_a_read_before_the_copy_has_arrived_is_found_and_sees_old_bytes(wait: str) -> None:
    report, target = launch(kernel(loaded(256, wait)))
    assert rules(report) == ["WS-RUN-020"]
    assert "mbarrier" in next(f.fix for f in report.findings if f.rule == "WS-RUN-020")
    assert not target.any()


def test_a_wait_for_one_object_is_none_for_the_copies_of_another() -> None:
    begin = ".shared .align 8 .b64 other; .reg .b32 %o; mov.u32 %o, other; @%p0 mbarrier.init.shared::cta.b64 [%o], 1;"
    both = f"""
    @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 256;
    @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%o], 256;
    add.u32 %r6, %r2, 256;
    @%p0 {LOAD} [%r2], [%rd0], 256, [%r1];
    @%p0 {LOAD} [%r6], [%rd0+256], 256, [%o];
    {WAIT.format(n=0, parity=0)}
    ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd3], %r5;
    ld.shared.u32 %r5, [%r3+256]; st.global.u32 [%rd3+256], %r5;
"""
    report, target = launch(kernel(both, begin=begin))
    assert rules(report) == ["WS-RUN-020"]
    assert target[:64].tolist() == list(range(64))
    assert not target[64:128].any()


@pytest.mark.parametrize(
    ("expected", "says"), [(512, "256 bytes are still to come"), (128, "128 bytes more than expected came")]
)
def test_bytes_that_never_add_up_are_told(expected: int, says: str) -> None:
    with pytest.raises(ws.DeadlockError, match=says):
        launch(kernel(loaded(expected, WAIT.format(n=0, parity=0))))


def stored(fence: str, wait: str, after: str = "") -> str:
    return f"""
    st.shared.u32 [%r3], %r0;
    {fence}
    bar.sync 0;
    @%p0 {STORE} [%rd1], [%r2], 256;
    @%p0 cp.async.bulk.commit_group;
    {wait}
    {after}
"""


GROUP = "@%p0 cp.async.bulk.wait_group.read 0;"


def test_stores_behind_a_proxy_fence_are_copied() -> None:
    report, target = launch(kernel(stored("fence.proxy.async.shared::cta;", GROUP)))
    assert rules(report) == []
    assert target[:64].tolist() == list(range(64))


def test_a_fence_of_the_thread_that_copies_is_enough_behind_the_barrier() -> None:
    body = stored("", GROUP).replace("bar.sync 0;", "bar.sync 0; @%p0 fence.proxy.async.shared::cta;")
    assert rules(launch(kernel(body))[0]) == []


@pytest.mark.parametrize("fence", ["", "@%p0 fence.proxy.async.shared::cta;"], ids=["none", "of one thread alone"])
def test_a_missing_proxy_fence_is_found(fence: str) -> None:
    report, target = launch(kernel(stored(fence, GROUP)))
    assert rules(report) == ["WS-RUN-039"]
    assert target[:64].tolist() == list(range(64))


@pytest.mark.parametrize(("wait", "found"), [(GROUP + " bar.sync 0;", []), ("bar.sync 0;", ["WS-RUN-040"])])
def test_a_write_to_what_a_copy_still_reads_is_found(wait: str, found: list[str]) -> None:
    body = stored("fence.proxy.async.shared::cta;", wait, "mov.u32 %r6, 7; st.shared.u32 [%r3], %r6;")
    report, target = launch(kernel(body))
    assert rules(report) == found
    assert (target[:64].tolist() == list(range(64))) == (not found)


def test_a_stage_that_others_still_read_is_not_to_be_filled() -> None:
    body = loaded(256, WAIT.format(n=0, parity=0)) + f"@%p0 {LOAD} [%r2], [%rd0], 256, [%r1];"
    assert rules(launch(kernel(body))[0]) in (["WS-RUN-017"], ["WS-RUN-020"])  # who comes first
    body = loaded(256, WAIT.format(n=0, parity=0)) + f"bar.sync 0; @%p0 {LOAD} [%r2], [%rd0], 256, [%r1];"
    assert rules(launch(kernel(body))[0]) == []


@pytest.mark.parametrize(
    ("copy", "rule"),
    [
        (f"{LOAD} [%r2+4], [%rd0], 256, [%r1]", "WS-RUN-003"),
        (f"{LOAD} [%r2], [%rd0+8], 256, [%r1]", "WS-RUN-003"),
        (f"{LOAD} [%r2], [%rd0], 24, [%r1]", "WS-RUN-038"),
        (f"{LOAD} [%r2], [%rd0+1008], 32, [%r1]", "WS-RUN-001"),
        (f"{LOAD} [%r2], [%rd0+-16], 32, [%r1]", "WS-RUN-001"),
        (f"{LOAD} [%r2], [%rd0], 256, [%r2+512]", "WS-RUN-016"),
        (f"{LOAD} [%r2+832], [%rd0], 256, [%r1]", "WS-RUN-001"),
        (f"{LOAD} [%r2+1048576], [%rd0], 16, [%r1]", "WS-RUN-001"),
        (f"{STORE} [%rd1+1008], [%r2], 32", "WS-RUN-001"),
        (f"{STORE} [%rd1], [%r2+1024], 16", "WS-RUN-001"),
    ],
)
def test_a_copy_that_cannot_be_made_ends_the_launch(copy: str, rule: str) -> None:
    report, _ = launch(kernel(f"@%p0 {copy};"))
    assert not report.ok
    assert rules(report) == [rule]


def test_a_byte_mask_stores_the_bytes_it_names() -> None:
    body = stored("fence.proxy.async.shared::cta;", GROUP).replace(STORE, f"{STORE}.cp_mask")
    body = body.replace("[%r2], 256;", "[%r2], 256, 0x00f0;")
    report, target = launch(kernel(body))
    assert rules(report) == []
    assert target[:8].tolist() == [0, 1, 0, 0, 0, 5, 0, 0]


def test_a_reduction_adds_in_global_memory() -> None:
    body = stored("fence.proxy.async.shared::cta;", GROUP).replace(
        STORE, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"
    )
    source, target = np.zeros(256, np.uint32), np.full(256, 5, np.uint32)
    report = kernel(body)(3, 64, (source, target), target="sm_90a")
    assert rules(report) == []
    assert target[:64].tolist() == [5 + 3 * i for i in range(64)]


def test_plain_stores_of_two_blocks_race() -> None:
    """Those of a reduction are atomic, and do not."""
    body = stored("fence.proxy.async.shared::cta;", GROUP)
    source, target = np.zeros(256, np.uint32), np.zeros(256, np.uint32)
    assert rules(kernel(body)(2, 64, (source, target), target="sm_90a")) == ["WS-RUN-019"]


def test_a_prefetch_moves_nothing() -> None:
    report, target = launch(kernel("@%p0 cp.async.bulk.prefetch.L2.global [%rd0], 256;"))
    assert report.ok
    assert not target.any()


def test_a_map_is_taken_by_its_address_too() -> None:
    body = f"""
    @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 256;
    mov.u32 %r7, 8; mov.u32 %r8, 1;
    @%p0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes
        [%r2], [%rd0, {{%r7, %r8}}], [%r1];
    {WAIT.format(n=0, parity=0)}
    ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd3], %r5;
"""
    source, target = np.arange(256, dtype=np.uint32).reshape(16, 16), np.zeros(64, np.uint32)
    tile = ws.tensor_map(source, (8, 8))
    assert tile.transaction_bytes == tile.shared_bytes == 256
    report = kernel(body)(1, 64, (tile, target), target="sm_90a")
    assert rules(report) == []
    assert target.reshape(8, 8).tolist() == source[1:9, 8:16].tolist()


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"box": (7, 8)}, "box"),
        ({"box": (8,)}, "box"),
        ({"box": (512, 1)}, "box"),
        ({"box": (32, 1), "swizzle": "64B"}, "box"),
        ({"swizzle": "256B"}, "swizzle"),
        ({"strides": (40,)}, "strides"),
        ({"element_strides": (1, 9)}, "element_strides"),
        ({"fill": "nan"}, "fill"),
        ({"interleave": "16B"}, "dims"),
        ({"dtype": "f8"}, "dtype"),
        ({"dims": (0, 1)}, "dims"),
        ({"channels_per_pixel": 8}, "channels_per_pixel"),
        ({"box": None, "channels_per_pixel": 8}, "pixel_box_lower_corner"),
    ],
)
def test_a_map_that_the_driver_refuses_is_a_value_error(changes: dict[str, object], name: str) -> None:
    given: dict[str, object] = {"box": (8, 8), **changes}
    with pytest.raises(ValueError, match=f"^{name}: "):
        ws.tensor_map(np.zeros((64, 64), np.uint32), **given)  # type: ignore[arg-type]


def test_a_map_made_in_shared_memory_is_the_one_of_the_driver() -> None:
    fields = [
        ("global_address.shared::cta.b1024.b64", "%rd0"), ("rank.shared::cta.b1024.b32", "2"),
        ("elemtype.shared::cta.b1024.b32", "11"), ("interleave_layout.shared::cta.b1024.b32", "0"),
        ("swizzle_mode.shared::cta.b1024.b32", "3"), ("fill_mode.shared::cta.b1024.b32", "1"),
    ]  # fmt: skip
    for at, (box, extent, step) in enumerate([(8, 64, 1), (4, 32, 2), (2, 16, 1)]):
        fields += [
            ("box_dim.shared::cta.b1024.b32", f"{at}, {box}"), ("global_dim.shared::cta.b1024.b32", f"{at}, {extent}"),
            ("element_stride.shared::cta.b1024.b32", f"{at}, {step}"),
        ]  # fmt: skip
    fields += [("global_stride.shared::cta.b1024.b64", f"{at}, {256 << 5 * at}") for at in range(2)]
    body = "st.shared.u32 [%r3], 0; bar.sync 0;"
    body += "".join(f"@%p0 tensormap.replace.tile.{name} [%r2], {value};\n" for name, value in fields)
    body += "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%r2], 128;"
    source, target = np.zeros((16, 32, 64), np.float32), np.zeros(256, np.uint32)
    report = kernel(body)(1, 32, (source, target), target="sm_90a")
    assert report.ok, report.findings
    made = ws.tensor_map(
        source, (8, 4, 2), element_strides=(1, 2, 1), swizzle="128B", fill="nan", dtype="tf32"
    ).packed()[0]
    assert target[2:16].tolist() == np.frombuffer(made, np.uint32)[2:16].tolist()
    assert int(target[0]) | int(target[1]) << 32 >= 0x7000_0000_0000


@pytest.mark.parametrize(
    "copy",
    [
        "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes"
        " [%r2], [%rd0, {%r0, %r0, %r0, %r0, %r0}], [%r1];",
        "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"
        " [%rd0, {%r0, %r0, %r0, %r0, %r0}], [%r2];",
        "cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes"
        " [%r2], [%rd0, {%r0, %r0, %r0}], [%r1], {1, 2};",
    ],
)
def test_modes_of_other_gpus_are_refused_by_name(copy: str) -> None:
    text = kernel(copy)
    assert [opcode for _, opcode in text.unsupported] == [copy.split(" ", maxsplit=1)[0]]
    with pytest.raises(ws.UnsupportedError, match="bulk"):
        launch(text)


@pytest.mark.parametrize("size, count, seen", [(16384, 3, 1), (16384, 4, 0), (65520, 1, 1), (65536, 1, 0)])
def test_copies_of_many_bytes_end_the_turn_of_their_warp(size: int, count: int, seen: int) -> None:
    """A turn is a number of steps; if each of them moves thousands of bytes, Ctrl-C would wait for seconds."""
    text = kernel(  # the second warp comes last to the barrier, and goes on
        "setp.eq.u32 %p1, %r0, 32;\n"
        + f"@%p1 {LOAD} [%r2], [%rd0], {size}, [%r1];\n" * count
        + "@%p1 st.volatile.global.u32 [%rd1], 1;\n"
        "@%p0 ld.volatile.global.u32 %r5, [%rd1]; @%p0 st.global.u32 [%rd1+4], %r5;"
    )
    source, target = np.zeros(16384, np.uint32), np.zeros(256, np.uint32)
    text(1, 64, (source, target), target="sm_90a", shared_bytes=65536, check=False)
    assert target[:2].tolist() == [1, seen]


STORED = """
.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 out)
{
    .shared .align 128 .b8 s[64]; .shared .align 8 .b64 bar;
    .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %p, %q, %z;
    ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x; mov.u32 %r2, s; mov.u32 %r3, bar;
    setp.eq.u32 %q, %r0, 32; setp.ne.u32 %z, %r0, 0;
    @%q st.global.u32 [%rd0], %r0;
    BETWEEN
    @%z bra END;
    mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd0], 64, [%r3];
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p, [%r3], 0; @!%p bra WAIT;
    ld.shared.u32 %r1, [s]; st.global.u32 [%rd1], %r1;
END:
    ret;
}
"""


def test_what_a_copy_reads_is_stored_before_a_fence_and_a_barrier() -> None:
    def told(between: str) -> tuple[ws.KernelFinding, ...]:
        arrays = [np.zeros(16, np.uint32), np.zeros(4, np.uint32)]
        return ws.Module(STORED.replace("BETWEEN", between))["k"](1, 64, arrays).findings

    (one,) = told("")
    assert one.rule == "WS-RUN-019" and "after fence.proxy.async where a bulk copy reads what was stored" in one.fix
    assert told("fence.proxy.async; bar.sync 0;") == ()


def crafted(box: tuple[int, ...], nan: bool = False, interleave: int = 0, swizzle: int = 0) -> np.ndarray:
    """A map of bytes that a kernel, not the driver, has made: 64 of them along each dimension."""
    words = np.zeros(32, np.uint32)
    words[2] = (len(box) - 1) << 4 | interleave << 11 | swizzle << 13 | nan << 15
    words[3:7], words[8:13] = 4, 63
    words[13] = box[0] - 1 << 24
    words[14] = sum(extent - 1 << 8 * number for number, extent in enumerate(box[1:]))
    return words


@pytest.mark.parametrize(
    ("box", "fits"), [((1,), False), ((15,), False), ((16,), True), ((1, 127), False), ((17, 2), False)]
)
@pytest.mark.parametrize("nan", [False, True])
@pytest.mark.parametrize("check", [False, True])
def test_a_map_whose_rows_are_no_whole_chunks_is_no_map(
    box: tuple[int, ...], fits: bool, nan: bool, check: bool
) -> None:
    """Rows are written 16 bytes at a time: a kernel that made such a map itself wrote beyond its shared memory."""
    rows = int(np.prod(box[1:], dtype=int))
    given = np.zeros(64, np.uint64)
    given.view(np.uint32)[:32] = crafted(box, nan)
    body = f"""{{ .reg .b32 %r<3>; .reg .b64 %d<3>; .shared .align 8 .b64 bar; .reg .pred %p;
ld.param.u64 %d1, [p]; mov.u32 %r1, s; mov.u32 %r2, bar; add.u64 %d2, %d1, 256; st.global.u64 [%d1], %d2;
mbarrier.init.shared.b64 [%r2], 1; mbarrier.arrive.expect_tx.shared.b64 %d2, [%r2], {box[0] * rows};
cp.async.bulk.tensor.{len(box)}d.shared::cluster.global.mbarrier::complete_tx::bytes
[%r1], [%d1, {{{", ".join(["0"] * len(box))}}}], [%r2];
L: mbarrier.try_wait.parity.shared.b64 %p, [%r2], 0; @!%p bra L; ret; }}"""
    text = ".version 8.6\n.target sm_90a\n.address_size 64\n.extern .shared .align 128 .b8 s[];\n"
    kernel = ws.Module(f"{text}.visible .entry k(.param .u64 p) {body}")["k"]
    report = kernel(1, 1, [given], shared_bytes=box[0] * rows, max_steps=100_000, check=check)
    rules = {finding.rule for finding in report.findings if finding.severity == "error"}
    assert (rules == set()) if fits else (rules == {"WS-RUN-038"}), report.findings
