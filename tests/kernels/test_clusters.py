"""Thread blocks that run together: addresses, ranks, barriers, shared memory of each other, what goes wrong there."""

import hashlib
import json
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.clusters.ptx import SYNC, kernel, line_of
from tests.support.evidence import compared
from tests.support.paths import TRUTH

MEASURED = json.loads((TRUTH / "run" / "clusters.json").read_text())


def launch(
    body: str, grid: Any = 2, block: int = 32, cluster: Any = 2, directives: str = "", **options: Any
) -> tuple[np.ndarray, ws.KernelReport]:
    out = np.zeros(int(np.prod(grid)) * block, np.uint32)
    found = ws.Module(kernel(body, directives))["kernel"](grid, block, [out], cluster=cluster, **options)
    return out, found


def rules(report: ws.KernelReport) -> list[str]:
    return sorted({finding.rule for finding in report.findings if finding.severity != "note"})


PROBES = {
    "%cluster_ctarank": "mov.u32 %r9, %cluster_ctarank;",
    "%cluster_nctarank": "mov.u32 %r9, %cluster_nctarank;",
    "%clusterid.x": "mov.u32 %r9, %clusterid.x;",
    "%clusterid.y": "mov.u32 %r9, %clusterid.y;",
    "%nclusterid.x": "mov.u32 %r9, %nclusterid.x;",
    "%nclusterid.y": "mov.u32 %r9, %nclusterid.y;",
    "%cluster_ctaid.x": "mov.u32 %r9, %cluster_ctaid.x;",
    "%cluster_ctaid.y": "mov.u32 %r9, %cluster_ctaid.y;",
    "%cluster_nctaid.x": "mov.u32 %r9, %cluster_nctaid.x;",
    "%cluster_nctaid.y": "mov.u32 %r9, %cluster_nctaid.y;",
    "%is_explicit_cluster": "mov.pred %p1, %is_explicit_cluster; selp.u32 %r9, 1, 0, %p1;",
    "address": "sub.u32 %r9, %r6, 0;",
    "generic": "cvta.shared.u64 %rd3, tile; cvt.u32.u64 %r9, %rd3;",
}


def probes(grid: tuple[int, int], cluster: tuple[int, int] | None) -> dict[str, list[int]]:
    return {
        name: launch(
            "mov.u32 %r20, %ctaid.y; mov.u32 %r21, %nctaid.x; mad.lo.u32 %r20, %r20, %r21, %r3;"
            f" mad.wide.u32 %rd2, %r20, 4, %rd1; {text} st.global.u32 [%rd2], %r9;",
            grid, 1, cluster,
        )[0].tolist()
        for name, text in PROBES.items()
    }  # fmt: skip


def test_special_registers_and_addresses_are_as_measured() -> None:
    count = 0
    for one in MEASURED["launches"]:
        found = probes(tuple(one["grid"]), tuple(one["cluster"]) if one["cluster"] else None)
        for name, values in one["blocks"].items():
            assert found[name][: len(values)] == values, (one, name)
            count += len(values)
    compared("values of registers and addresses in clusters", count, at_least=80)


def test_mapa_getctarank_and_isspacep_are_as_measured() -> None:
    body = "\n".join(
        f"""mapa.shared::cluster.u32 %r10, %r6, {rank}; getctarank.shared::cluster.u32 %r11, %r10;
        cvta.shared.u64 %rd3, %r6x; mapa.u64 %rd4, %rd3, {rank}; getctarank.u64 %r12, %rd4;
        isspacep.shared %p1, %rd4; selp.u32 %r13, 1, 0, %p1; isspacep.shared::cta %p1, %rd4; selp.u32 %r14, 2, 0, %p1;
        isspacep.shared::cluster %p1, %rd4; selp.u32 %r15, 4, 0, %p1;
        isspacep.global %p1, %rd4; selp.u32 %r16, 8, 0, %p1;
        or.b32 %r13, %r13, %r14; or.b32 %r13, %r13, %r15; or.b32 %r13, %r13, %r16;
        cvt.u32.u64 %r17, %rd4; sub.u32 %r17, %r17, %r10;
        st.global.u32 [%rd5+{16 * rank}], %r10; st.global.u32 [%rd5+{16 * rank + 4}], %r13;
        st.global.u32 [%rd5+{16 * rank + 8}], %r11; shl.b32 %r12, %r12, 4; or.b32 %r12, %r12, %r17;
        st.global.u32 [%rd5+{16 * rank + 12}], %r12;"""
        for rank in range(4)
    ).replace("%r6x", "%rd6")
    out, _ = launch(
        f"mad.wide.u32 %rd5, %r3, 64, %rd1; cvt.u64.u32 %rd6, %r6; {SYNC} {body} {SYNC}", grid=4, cluster=4, block=32
    )
    rows = out[: 4 * 16].reshape(4, 4, 4)
    own = np.eye(4, dtype=bool)
    assert (rows[..., 0] == np.arange(4) << 24).all()
    assert (rows[..., 1] == np.where(own, *MEASURED["isspacep"])).all()
    assert (rows[..., 2] == np.arange(4)).all()
    assert (rows[..., 3] == np.arange(4) << 4).all()
    compared("addresses of other blocks", rows.size, at_least=64)


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_read_write_and_add_to_each_other(order: int, threads: int) -> None:
    body = f"""
        mov.u32 %r9, %ctaid.x; mad.lo.u32 %r9, %r9, 1000, %r1; st.shared.u32 [%r8], %r9;
        {SYNC}
        add.u32 %r10, %r2, 1; and.b32 %r10, %r10, 3; mapa.shared::cluster.u32 %r11, %r8, %r10;
        ld.shared::cluster.u32 %r12, [%r11];
        {SYNC}
        atom.shared::cluster.add.u32 _, [%r11], 5;
        st.shared::cluster.u32 [%r11+512], %r9;
        cvt.u64.u32 %rd3, %r8; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, %r10;
        red.add.u32 [%rd4], 2;
        {SYNC}
        ld.shared.u32 %r13, [%r8]; ld.u32 %r14, [%rd3+512];
        add.u32 %r13, %r13, %r14; shl.b32 %r12, %r12, 8; add.u32 %r13, %r13, %r12; st.global.u32 [%rd2], %r13;
        {SYNC}
    """
    out, report = launch(body, grid=8, block=64, cluster=4, order=order, threads=threads)
    block, thread = np.divmod(np.arange(8 * 64), 64)
    after, before = block // 4 * 4 + (block + 1) % 4, block // 4 * 4 + (block + 3) % 4
    expected = block * 1000 + thread + 7 + before * 1000 + thread + ((after * 1000 + thread) << 8)
    assert out.tolist() == expected.tolist()
    assert rules(report) == []
    compared("words that blocks of clusters exchanged", len(out), at_least=512)


def test_accesses_to_other_blocks_are_counted_as_measured() -> None:
    """Wavefronts of the block's own accesses alone, whatever the state space says."""
    body = f"""
        st.shared.u32 [%r8], %r1; {SYNC}
        mapa.shared::cluster.u32 %r11, %r8, 0; ld.shared::cluster.u32 %r12, [%r11]; {SYNC}
    """
    _, report = launch(body, grid=4, cluster=2)
    rows = {row["opcode"].decode(): row for row in report.lines}
    load = rows["ld.shared::cluster.u32"]
    assert (load["executed"], load["requests"], load["wavefronts"]) == (4, 2, 2)
    assert rows["st.shared.u32"]["wavefronts"] == 4


def test_measured_cluster_kernel_leaves_the_measured_bytes() -> None:
    one = MEASURED["kernel"]
    words = np.frombuffer(bytes.fromhex(one["in"]), np.int32).copy()
    out = np.zeros(len(words), np.int32)
    for options in ({}, {"order": 3}, {"threads": 2}, {"simd": 1}):
        out[:] = -1
        report = ws.Module(one["ptx"])["cluster_sum"](8, 128, [words, out], target="sm_90a", **options)
        assert hashlib.sha256(out.tobytes()).hexdigest() == one["sha256"]
        assert rules(report) == []
    counted = {row["line"]: (row["executed"], row["wavefronts"], row["sectors"]) for row in report.lines}
    assert {line: counted[line] for line in map(int, one["counters"])} == {
        int(line): tuple(row) for line, row in one["counters"].items()
    }
    compared("counters of a kernel with clusters", len(one["counters"]), at_least=8)


def test_a_launch_that_contradicts_the_kernel_is_refused() -> None:
    wrong = (
        ({"cluster": 3}, "grid: expected multiples of the cluster"),
        ({"cluster": (2, 2), "directives": "\n.reqnctapercluster 4"}, r"cluster: expected \(4, 1, 1\)"),
        ({"cluster": None, "directives": "\n.explicitcluster"}, "explicitcluster"),
        ({"cluster": 4, "directives": "\n.maxclusterrank 2"}, "at most 2 thread blocks"),
        ({"cluster": (4, 8), "grid": (8, 8)}, "at most 16 thread blocks"),
        ({"cluster": None, "grid": 6, "directives": "\n.reqnctapercluster 4"}, "grid: expected multiples"),
    )
    for options, message in wrong:
        with pytest.raises(ValueError, match=message):
            launch("", **{"grid": 8, **options})
    compared("launches that are refused", len(wrong), at_least=6)


def test_blocks_are_chosen_by_cluster() -> None:
    body = "mov.u32 %r9, 1; st.global.u32 [%rd2], %r9;"
    chosen: list[tuple[Any, list[int]]] = [
        (None, list(range(8))), (1, [0, 1]), (3, [0, 1, 4, 5]), ([5], [4, 5]),
        (slice(1, 3), [0, 1, 2, 3]), (100, list(range(8))),
    ]  # fmt: skip
    for blocks, expected in chosen:
        out, report = launch(body, grid=8, blocks=blocks)
        assert list(report.blocks) == expected
        assert sorted(set(np.flatnonzero(out) // 32)) == expected
    compared("choices of blocks", len(chosen), at_least=6)


def test_clusters_through_an_executor_leave_the_same() -> None:
    from concurrent.futures import ThreadPoolExecutor

    body = f"""
        st.shared.u32 [%r8], %r5; {SYNC} xor.b32 %r9, %r2, 1; mapa.shared::cluster.u32 %r11, %r8, %r9;
        ld.shared::cluster.u32 %r12, [%r11]; st.global.u32 [%rd2], %r12; {SYNC}
    """
    expected, _ = launch(body, grid=16)
    with ThreadPoolExecutor(2) as pool:
        found, report = launch(body, grid=16, executor=pool)
    assert found.tolist() == expected.tolist()
    assert len(report.blocks) == 16


EXCHANGE = """
    st.shared.u32 [%r8], %r1;
    START
    xor.b32 %r9, %r2, 1; mapa.shared::cluster.u32 %r11, %r8, %r9;
    ld.shared::cluster.u32 %r12, [%r11]; // READ
    END
    st.global.u32 [%rd2], %r12;
"""
APART = "barrier.cluster.arrive; barrier.cluster.wait;"
WRONG: list[tuple[str, str, str, list[str]]] = [
    ("twin", SYNC, SYNC, []),
    ("no barrier before", "bar.sync 0;", SYNC, ["WS-RUN-017", "WS-RUN-041"]),
    ("no barrier after", SYNC, "", ["WS-RUN-042"]),
    ("relaxed arrival", "barrier.cluster.arrive.relaxed; barrier.cluster.wait;", SYNC, ["WS-RUN-017"]),
    ("relaxed after a fence", "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed; barrier.cluster.wait;", SYNC, []),
    ("relaxed is enough to stay", SYNC, "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;", []),
    ("two arrivals", f"barrier.cluster.arrive; {SYNC}", SYNC, ["WS-RUN-042", "WS-RUN-043"]),
    ("a wait alone", f"barrier.cluster.wait; {SYNC}", SYNC, ["WS-RUN-043"]),
    (
        "part of a warp", "setp.lt.u32 %p1, %r1, 16; @%p1 barrier.cluster.arrive.aligned; "
        "@!%p1 barrier.cluster.arrive; barrier.cluster.wait;", SYNC, ["WS-RUN-024"],
    ),
    (
        "part of a warp waits", "setp.lt.u32 %p1, %r1, 16; barrier.cluster.arrive; @%p1 barrier.cluster.wait.aligned; "
        "@!%p1 barrier.cluster.wait;", APART, ["WS-RUN-024"],
    ),
    (
        "its threads wait apart", "setp.lt.u32 %p1, %r1, 16; barrier.cluster.arrive; @%p1 barrier.cluster.wait; "
        "@!%p1 barrier.cluster.wait;", APART, [],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("start", "end", "expected"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
@pytest.mark.parametrize("order", [0, 5])
def test_what_is_wrong_between_blocks_is_found(start: str, end: str, expected: list[str], order: int) -> None:
    _, report = launch(EXCHANGE.replace("START", start).replace("END", end), block=64, order=order)
    assert rules(report) == expected
    compared("kernels of clusters judged", 1, at_least=1)


def test_a_race_between_blocks_names_both_and_whose_memory_it_is() -> None:
    body = EXCHANGE.replace("START", f"{SYNC}\n st.shared.u32 [%r8], 7; // WRITE").replace("END", SYNC)
    _, report = launch(body, grid=4)
    (finding,) = [one for one in report.findings if one.rule == "WS-RUN-017"]
    text = kernel(body)
    assert finding.other is not None
    assert {finding.line, finding.other.line} == {line_of(text, "// WRITE"), line_of(text, "// READ")}
    assert finding.block != finding.other.block
    assert "of block (" in finding.message
    assert "cluster.sync()" in finding.fix
    assert finding.array == "tile"


#: block 1 visits the memory of block 0, which may wait for it, and exits: whether it may have exited before
FENCE, ADD = "fence.acq_rel.cluster;", "red.relaxed.cluster.shared::cluster.add.u32 [%r11], 1;"
POLL = "W: ld.relaxed.cluster.shared.u32 %r14, [%r8]; setp.eq.u32 %p3, %r14, 0; @%p3 bra W;"
WAIT = "W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [%r7], 0; @!%p3 bra W;"
STORE = "st.shared::cluster.u32 [%r11+4], 7;"
VISITS: dict[str, tuple[str, str, list[str]]] = {
    "an arrival": ("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];", WAIT, []),
    "a relaxed arrival": ("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r12];", WAIT, []),
    "a relaxed arrival without a wait": (
        "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r12];",
        "",
        ["WS-RUN-042"],
    ),
    "an atomic": (ADD, POLL, []),
    "an atomic, another place is polled": (ADD, POLL.replace("[%r8]", "[%r8+4]").replace("eq", "ne"), ["WS-RUN-042"]),
    "an atomic without a wait": (ADD, "", ["WS-RUN-042"]),
    "a store before an atomic": (STORE + ADD, POLL, ["WS-RUN-042"]),
    "a store and a fence before an atomic": (STORE + FENCE + ADD, POLL + FENCE, []),
    "an atomic before a store": (ADD + STORE, POLL, ["WS-RUN-042"]),
    "a strong load": (
        "ld.relaxed.cluster.shared::cluster.u32 %r13, [%r11];",
        "ld.relaxed.cluster.shared.u32 %r14, [%r8];",
        ["WS-RUN-042"],
    ),
    "two atomics, the second is waited for": (ADD + ADD, POLL.replace("0; @", "1; @"), []),
}


@pytest.mark.parametrize("name", VISITS)
def test_a_block_has_seen_what_it_has_waited_for(name: str) -> None:
    visit, wait, expected = VISITS[name]
    body = f"""
        setp.ne.u32 %p2, %r1, 0; @!%p2 mbarrier.init.shared.b64 [%r7], 1; @!%p2 st.shared.v2.u32 [%r8], {{0, 0}};
        fence.mbarrier_init.release.cluster; {SYNC} @%p2 bra D; setp.eq.u32 %p1, %r2, 0; @%p1 bra O;
        mapa.shared::cluster.u32 %r11, %r8, 0; mapa.shared::cluster.u32 %r12, %r7, 0; {visit} bra D;
    O:  {wait}
    D:  st.global.u32 [%rd2], 1;
    """
    _, report = launch(body, timeout=20)
    assert rules(report) == expected
    compared("visits of another block", 1, at_least=1)


@pytest.mark.parametrize(("places", "expected"), [(16, ["WS-RUN-042"]), (17, []), (64, [])])
def test_of_a_block_that_reads_many_places_strongly_all_may_be_seen(places: int, expected: list[str]) -> None:
    loads = "".join(f"ld.relaxed.cluster.shared.u32 %r14, [%r8+{4 * place + 4}];" for place in range(places))
    body = f"""
        setp.ne.u32 %p2, %r1, 0; {SYNC} @%p2 bra D; setp.eq.u32 %p1, %r2, 0; @%p1 bra O;
        mapa.shared::cluster.u32 %r11, %r8, 0; {ADD} bra D;
    O:  mov.u32 %r13, 0;
    L:  {loads} add.u32 %r13, %r13, 1; setp.lt.u32 %p1, %r13, 2000; @%p1 bra L;
    D:  st.global.u32 [%rd2], 1;
    """
    _, report = launch(body, on_finding="record")
    assert [one for one in rules(report) if one == "WS-RUN-042"] == expected


def test_a_block_that_may_have_left_is_named() -> None:
    _, report = launch(EXCHANGE.replace("START", SYNC).replace("END", ""))
    (finding,) = [one for one in report.findings if one.rule == "WS-RUN-042"]
    assert "// READ" in kernel(EXCHANGE).splitlines()[finding.line - 1]
    assert f"of block ({1 - finding.block[0]}, 0, 0)" in finding.message


def test_deadlocks_say_who_is_missing() -> None:
    cases = (
        (
            "setp.eq.u32 %p1, %r2, 1; @!%p1 bra L; setp.eq.u32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r7], 33;"
            " bar.sync 0; mbarrier.arrive.shared.b64 _, [%r7];"
            " W: mbarrier.try_wait.parity.shared.b64 %p3, [%r7], 0; @!%p3 bra W; L:",
            "32 of 33 arrivals have come",
        ),
        (
            "setp.eq.u32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r7], 1; bar.sync 0;"
            " @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], 48;"
            " W: mbarrier.try_wait.parity.shared.b64 %p3, [%r7], 0; @!%p3 bra W;",
            "48 bytes are still to come",
        ),
    )  # fmt: skip
    for order in (0, 9):
        with pytest.raises(ws.DeadlockError, match="missing at the barrier of the cluster: warp 0 of block"):
            launch(
                "setp.eq.u32 %p1, %r2, 1; @!%p1 barrier.cluster.arrive; @!%p1 barrier.cluster.wait;"
                " @%p1 bar.sync 1, 64;",
                order=order,
            )
        for body, message in cases:
            with pytest.raises(ws.DeadlockError, match=message):
                launch(body, order=order)
    compared("deadlocks with names", 6, at_least=6)


def test_a_wait_that_others_end_late_is_no_deadlock() -> None:
    """Block 1 counts for a long time before it arrives; block 0 asks again and again."""
    body = f"""
        setp.eq.u32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r7], 32; fence.mbarrier_init.release.cluster; {SYNC}
        setp.eq.u32 %p1, %r2, 0; @%p1 bra W;
        mov.u32 %r10, 0;
    C:  add.u32 %r10, %r10, 1; nanosleep.u32 20; setp.lt.u32 %p3, %r10, 60000; @%p3 bra C;
        mapa.shared::cluster.u32 %r11, %r7, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11]; bra D;
    W:  mbarrier.try_wait.parity.shared.b64 %p3, [%r7], 0; @!%p3 bra W;
    D:  st.global.u32 [%rd2], 1;
        {SYNC}
    """
    out, report = launch(body)
    assert out.tolist() == [1] * 64
    assert rules(report) == []


ASYNC = """
    setp.eq.u32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r7], 1;
    @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], BYTES;
    SYNC
    xor.b32 %r9, %r2, 1; mapa.shared::cluster.u32 %r11, %r8, %r9; mapa.shared::cluster.u32 %r12, %r7, %r9;
    add.u32 %r13, %r5, 100;
    SEND
    WAIT
    ld.shared.u32 %r14, [%r8]; st.global.u32 [%rd2], %r14;
    SYNC
"""
WAITS = "W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [%r7], 0; @!%p3 bra W;"
SENDS = {
    "st.async.b32": ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r11], %r13, [%r12];", 128),
    "st.async.v2": (
        "shl.b32 %r15, %r1, 3; add.u32 %r15, %r15, %r6; mapa.shared::cluster.u32 %r15, %r15, %r9;"
        " st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r15], {%r13, %r1}, [%r12];", 256,
    ),
    "st.async by addresses of 64 bits": (
        "cvt.u64.u32 %rd8, %r11; cvt.u64.u32 %rd9, %r12;"
        " st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%rd8], %r13, [%rd9];", 128,
    ),
    "st.async by generic addresses": (
        "cvt.u64.u32 %rd8, %r11; cvta.shared::cluster.u64 %rd8, %rd8; cvt.u64.u32 %rd9, %r12;"
        " cvta.shared::cluster.u64 %rd9, %rd9; st.async.mbarrier::complete_tx::bytes.b32 [%rd8], %r13, [%rd9];", 128,
    ),
    "red.async.add": (
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r11], %r13, [%r12];", 128,
    ),
    "red.async.max": (
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%r11], %r13, [%r12+0];", 128,
    ),
    "red.async.or": (
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32 [%r11], %r13, [%r12];", 128,
    ),
}  # fmt: skip


def asynchronous(send: str, nbytes: int, wait: str = WAITS, start: str = SYNC) -> str:
    first = f"st.shared.u32 [%r8], 0; {start}" if "red." in send else start
    text = ASYNC.replace("SYNC", first, 1).replace("SYNC", SYNC)
    return text.replace("BYTES", str(nbytes)).replace("SEND", send).replace("WAIT", wait)


@pytest.mark.parametrize("name", SENDS)
def test_asynchronous_stores_arrive_with_their_bytes(name: str) -> None:
    send, nbytes = SENDS[name]
    out, report = launch(asynchronous(send, nbytes))
    block, thread = np.divmod(np.arange(64), 32)
    values = (1 - block) * 32 + 100
    expected = values + thread if ".v2" not in name else np.where(thread % 2, thread // 2, values + thread // 2)
    assert out.tolist() == expected.tolist()
    assert rules(report) == []
    _, report = launch(asynchronous(send, nbytes, ""))
    assert rules(report) != []
    with pytest.raises(ws.DeadlockError, match="16 bytes are still to come"):
        launch(asynchronous(send, nbytes + 16))
    compared("words of asynchronous stores", len(out), at_least=64)


def test_the_command_line_takes_clusters(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    from warpsim.cli import main

    file = tmp_path / "kernel.ptx"
    file.write_text(kernel(EXCHANGE.replace("START", SYNC).replace("END", SYNC)))
    words = ["run", str(file), "--grid", "4", "--block", "32", "--arg", "0=u32[128]"]
    assert main([*words, "--cluster", "2,1"]) == 0
    assert main([*words, "--cluster", "3"]) == 2
    assert "multiples of the cluster" in capsys.readouterr().err


def test_a_request_for_another_cluster_fails() -> None:
    """clusterlaunchcontrol is not measured: every request is answered, by no."""
    body = f"""
        .reg .b128 %q1;
        setp.eq.u32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r7], 1; {SYNC}
        @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], 16; {SYNC}
        setp.eq.u32 %p4, %r2, 0; and.pred %p4, %p4, %p2;
        @%p4 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128
            [%r6], [%r7];
        {WAITS}
        ld.shared.b128 %q1, [%r6];
        clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p5, %q1;
        clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {{%r20, %r21, %r22, _}}, %q1;
        clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r23, %q1;
        selp.u32 %r9, 2, 1, %p5; add.u32 %r9, %r9, %r20; add.u32 %r9, %r9, %r23; st.global.u32 [%rd2], %r9;
        {SYNC}
    """
    out, report = launch(body)
    assert out.tolist() == [1] * 64
    assert rules(report) == []
    compared("threads that were told of no other cluster", len(out), at_least=64)
