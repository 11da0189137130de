"""What is found about products of warpgroups: each planted fault, and nothing where there is none."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.truth.wgmma.cases import descriptor

RESULTS = ", ".join(f"%d{i}" for i in range(4))
PRODUCT = f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{RESULTS}}}, %rd4, %rd5, 1, 1, 1, 0, 0;"
FROM_REGISTERS = (
    f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{RESULTS}}}, {{%a0, %a1, %a2, %a3}}, %rd5, 1, 1, 1, 0;"
)
AFRESH = PRODUCT.replace("1, 1, 1, 0, 0", "0, 1, 1, 0, 0")
TILE = 4096
A, B = descriptor(0, 128, 256, 0, 0), descriptor(2048, 128, 256, 0, 0)
ZERO = " ".join(f"mov.b32 %d{i}, 0;" for i in range(4))
#: a correct kernel, line by line; each thread writes 32 bytes of the tile
LINES = {
    "fill": "st.shared.v4.b32 [%r4], {%r1, %r1, %r1, %r1}; st.shared.v4.b32 [%r4+16], {%r1, %r1, %r1, %r1};",
    "proxy": "fence.proxy.async.shared::cta;",
    "barrier": "bar.sync 0;",
    "zero": ZERO,
    "fence": "wgmma.fence.sync.aligned;",
    "product": PRODUCT,
    "more": "",
    "commit": "wgmma.commit_group.sync.aligned;",
    "flight": "",
    "wait": "wgmma.wait_group.sync.aligned 0;",
    "after": "",
    "store": "st.global.v4.b32 [%rd1], {%d0, %d1, %d2, %d3};",
}
REFILL = "st.shared.b32 [%r4], %r1;"
COPY = "st.global.v4.b32 [%rd1], {%r1, %r1, %r1, %r1}; cp.async.cg.shared.global [%r4], [%rd1], 16;"


def source(lines: dict[str, str]) -> str:
    return (
        """.version 8.4
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b)
{
.reg .b32 %d<8>; .reg .b32 %a<8>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd4, [a]; ld.param.u64 %rd5, [b];
mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 16; add.u64 %rd1, %rd1, %rd2;
mov.u32 %r3, tile; shl.b32 %r4, %r2, 5; add.u32 %r4, %r4, %r3; mov.b32 %r1, 0x3c003c00; setp.lt.u32 %p1, %r2, 32;
mov.b32 %a0, %r1; mov.b32 %a1, %r1; mov.b32 %a2, %r1; mov.b32 %a3, %r1; setp.eq.u32 %p2, %r2, 0;
"""
        + "".join(f"{line}\n" for line in lines.values())
        + "ret;\n}\n"
    )


def launch(
    lines: dict[str, str], threads: int = 128, a: int = A, b: int = B, shared: int = TILE, **options: Any
) -> Any:
    """The report, and the numbers of the lines by name."""
    out = np.zeros((threads, 4), np.float32)
    report = ws.Module(source(lines))["k"](1, threads, (out, a, b), shared_bytes=shared, **options)
    if report.ok:
        assert (out == 16).all()
    return report, {name: 12 + i for i, name in enumerate(lines)}


def found(report: Any) -> set[tuple[str, int, int | None]]:
    """Rule, line, line of the other party."""
    return {
        (one.rule, one.line, one.other.line if one.other else None) for one in report.findings if one.severity != "note"
    }


CORRECT = {
    "as it is": {},
    "A in registers": {"product": FROM_REGISTERS},
    "two products": {"more": AFRESH},
    "two groups": {"flight": f"{AFRESH} wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;"},
    "written after the wait": {"product": FROM_REGISTERS, "after": "mov.b32 %a0, 0;"},
    "others written in flight": {"flight": "mov.b32 %d5, 0; mov.b32 %a5, %d5;"},
    "refilled after a barrier": {"after": f"bar.sync 0; {REFILL}"},
    "refilled by its own thread": {"product": FROM_REGISTERS, "after": f"@%p2 {REFILL}"},
    "elsewhere in flight": {"flight": "st.shared.b32 [%r4+8192], %r1;"},
    "a copy that is waited for": {"fill": f"{LINES['fill']} {COPY} cp.async.wait_all;"},
}  # fmt: skip


@pytest.mark.parametrize("name", CORRECT)
def test_correct_kernel_has_no_finding(name: str) -> None:
    report, _ = launch({**LINES, **CORRECT[name]}, shared=16384)
    assert not found(report), report.findings


BY_A = {"product": FROM_REGISTERS}
RESULT_AS_A = FROM_REGISTERS.replace("%a1", "%d1").replace("{%d0, %d1, %d2, %d3}", "{%d4, %d5, %d6, %d7}")
#: what is changed; the rule; its line and that of the other party
FAULTS: dict[str, tuple[dict[str, str], str, str, str | None]] = {
    "read before the wait": ({"flight": "mov.b32 %r7, %d2;"}, "PRODUCT_REGISTER", "flight", "product"),
    "stored before the wait": ({"wait": "", "after": ""}, "PRODUCT_REGISTER", "store", "product"),
    "a wait of too few": ({"wait": LINES["wait"].replace("0", "1")}, "PRODUCT_REGISTER", "store", "product"),
    "no commit": ({"commit": ""}, "PRODUCT_REGISTER", "store", "product"),
    "results written in flight": ({"flight": "mov.b32 %d1, 0;"}, "PRODUCT_REGISTER", "flight", "product"),
    "A written in flight": ({**BY_A, "flight": "mov.b32 %a3, 0;"}, "PRODUCT_REGISTER", "flight", "product"),
    "results as A in flight": ({"more": RESULT_AS_A}, "PRODUCT_REGISTER", "more", "product"),
    "no fence at all": ({"fence": ""}, "PRODUCT_FENCE", "product", None),
    "fence before the write": ({"zero": LINES["fence"], "fence": ZERO}, "PRODUCT_FENCE", "product", "fence"),
    "A after the fence": ({"product": f"mov.b32 %a2, %r1; {FROM_REGISTERS}"}, "PRODUCT_FENCE", "product", "product"),
    "refilled in flight": ({"flight": REFILL}, "TILE", "flight", "product"),
    "no proxy fence": ({"proxy": ""}, "PROXY", "fill", "product"),
    "proxy fence before the stores": ({"fill": LINES["proxy"], "proxy": LINES["fill"]}, "PROXY", "proxy", "product"),
    "no barrier": ({"barrier": ""}, "017", "fill", "product"),
    "a copy not waited for": ({"fill": LINES["fill"] + COPY}, "020", "fill", "product"),
}  # fmt: skip
RULES = {"PRODUCT_REGISTER": 32, "PRODUCT_FENCE": 33, "TILE": 34, "PROXY": 35, "DESCRIPTOR": 36, "WARPGROUP": 37}


def rule(name: str) -> str:
    return f"WS-RUN-{RULES.get(name, 0) or int(name):03}"


def test_a_product_reads_its_tile_once() -> None:
    """When the last of the four warps has come; each would read what the warps behind it have yet to write."""
    report, at = launch({**LINES, "barrier": ""})
    races = {one.rule for one in report.findings if one.severity == "error"}
    assert races == {"WS-RUN-017"} and {one.other.line for one in report.findings if one.other} == {at["product"]}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_fault_is_found_at_both_lines(name: str) -> None:
    changes, which, here, there = FAULTS[name]
    for order in range(6):
        report, at = launch({**LINES, **changes}, order=order)
        pairs = {(r, frozenset((line, other))) for r, line, other in found(report)}
        expected = rule(which), frozenset((at[here], at[there] if there else None))
        assert expected in pairs, (order, report.findings)
        others = {"WS-RUN-034", "WS-RUN-017", "WS-RUN-018", *(("WS-RUN-040",) if which == "020" else ())}
        assert {one[0] for one in pairs} <= {rule(which), *others}, (order, report.findings)
    compared("orders of warps in which a fault was found", 6, at_least=6)


#: four warps of a product, and a fifth that fills their tile again; %rd6 is a barrier at the tile's end
PRODUCER = {
    "fill": "@%p2 mbarrier.init.shared.b64 [tile+8192], 1; setp.ge.u32 %p1, %r2, 128;",
    "own": f"@!%p1 {LINES['fill'].replace('; ', '; @!%p1 ')}",
    "proxy": "fence.proxy.async.shared::cta; bar.sync 0;",
    "leave": "@%p1 bra FILL;",
    "zero": f"{ZERO} wgmma.fence.sync.aligned;",
    "product": f"{PRODUCT} wgmma.commit_group.sync.aligned;",
    "early": "",
    "wait": LINES["wait"],
    "late": "",
    "store": f"{LINES['store']} ret;",
    "label": "FILL: mov.b32 %r5, 0;",
    "until": "",
    "refill": "setp.eq.u32 %p1, %r2, 128; @%p1 st.shared.b32 [tile], %r1;",
}
ARRIVE = "setp.eq.u32 %p2, %r2, 77; @%p2 mbarrier.arrive.shared.b64 _, [tile+8192];"
UNTIL = "AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [tile+8192], 0; @!%p2 bra AGAIN;"
ORDERED = {
    "one thread arrives for all": {"late": ARRIVE, "until": UNTIL},
    "the block's barrier": {"late": "bar.sync 0;", "until": "bar.sync 0;"},
    "a named barrier": {"late": "bar.arrive 2, 160;", "until": "bar.sync 2, 160;"},
}
UNORDERED = {
    "arrives before the wait": {"early": ARRIVE, "until": UNTIL},
    "named barrier before the wait": {"early": "bar.arrive 2, 160;", "until": "bar.sync 2, 160;"},
    "no order": {},
}  # fmt: skip


FULL = "[tile+8200]"
REFILLS = {
    "store": {},
    "bulk copy": {
        "fill": f"@%p2 mbarrier.init.shared.b64 {FULL}, 1; {PRODUCER['fill']}",
        "refill": f"""setp.eq.u32 %p1, %r2, 128;
@%p1 mbarrier.arrive.expect_tx.shared.b64 _, {FULL}, 16;
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 16, {FULL};
FULL: mbarrier.try_wait.parity.shared.b64 %p2, {FULL}, 0; @!%p2 bra FULL;""".replace("\n", " "),
    },
}


def refilled(changes: dict[str, str], order: int, refill: str) -> tuple[Any, dict[str, int]]:
    lines = {**PRODUCER, **changes, **REFILLS[refill]}
    out = np.zeros((160, 4), np.float32)
    report = ws.Module(source(lines))["k"](1, 160, (out, A, B), shared_bytes=8208, order=order)
    return report, {name: 12 + i for i, name in enumerate(lines)}


@pytest.mark.parametrize("refill", REFILLS)
@pytest.mark.parametrize("name", ORDERED)
def test_tile_refilled_after_the_wait_has_no_finding(name: str, refill: str) -> None:
    for order in range(8):
        report, _ = refilled(ORDERED[name], order, refill)
        assert not found(report), report.findings


@pytest.mark.parametrize("refill", REFILLS)
@pytest.mark.parametrize("name", UNORDERED)
def test_tile_refilled_too_early_is_found(name: str, refill: str) -> None:
    for order in range(8):
        report, at = refilled(UNORDERED[name], order, refill)
        pairs = {(r, frozenset((line, other))) for r, line, other in found(report)}
        races = {
            ("WS-RUN-017", frozenset((at["refill"], at["product"]))),
            (rule("TILE"), frozenset((at["refill"], at["product"]))),
        }
        assert pairs & races, (order, report.findings)


def test_warpgroups_come_to_a_product_one_by_one() -> None:
    """The last warp of the first one comes while a warp of the second waits, and the other way round."""
    number = "shr.u32 %r5, %r2, 5;"
    for late, early, last in ((3, 4, 7), (7, 0, 3)):
        meets = f"{number} setp.eq.u32 %p1, %r5, {late}; setp.eq.u32 %p2, %r5, {early}; or.pred %p1, %p1, %p2;"
        ends = f"{number} setp.eq.u32 %p1, %r5, {last};"
        changed = {
            "fence": f"{LINES['fence']} {meets} @%p1 bar.sync 1, 64; {ends} @%p1 bar.sync 2, 64;",
            "more": f"setp.eq.u32 %p1, %r5, {late}; @%p1 bar.sync 2, 64;",
        }
        for order in range(6):
            report, _ = launch({**LINES, **changed}, 256, shared=2 * TILE, order=order)
            assert report.ok and not found(report), report.findings


def test_warpgroup_does_not_need_its_neighbour() -> None:
    """Threads of the second one have exited, all or some."""
    for threads in (160, 256):
        left = "setp.ge.u32 %p1, %r2, 128;" if threads == 256 else "setp.eq.u32 %p1, %r2, 130;"
        lines = {**LINES, "fence": f"{LINES['fence']} {left} @%p1 exit; setp.ge.u32 %p1, %r2, 128; @%p1 bra END;"}
        out = np.zeros((threads, 4), np.float32)
        text = source(lines).replace("ret;", "END: ret;")
        report = ws.Module(text)["k"](1, threads, (out, A, B), shared_bytes=2 * TILE)
        assert report.ok and not found(report), report.findings
        assert (out[:128] == 16).all()
        assert (out[128:] == 0).all()


def test_warpgroups_that_are_not_whole_end_the_launch() -> None:
    for threads in (96, 64, 32):
        report, at = launch({**LINES, "fill": LINES["fill"]}, threads)
        assert [(one.rule, one.line) for one in report.findings if one.severity == "error"] == [
            (rule("WARPGROUP"), at["product"])
        ]
    for other in ("add.u64 %rd5, %rd5, 1;", "mov.b32 %r6, 0;"):
        skipped = {"more": "bra END;", "commit": "ELSE: " + PRODUCT, "flight": "END:"}
        branch = f"setp.lt.u32 %p1, %r2, 64; @%p1 {other}"
        changed = {
            "fence": f"{LINES['fence']} {branch}",
            **({} if "add" in other else {"product": f"@%p1 bra ELSE; {PRODUCT}", **skipped}),
        }
        report, _ = launch({**LINES, **changed})
        assert rule("WARPGROUP") in {one.rule for one in report.findings}, report.findings


def test_part_of_a_warp_ends_the_launch() -> None:
    report, at = launch({**LINES, "product": f"@%p2 {PRODUCT}"})
    assert ("WS-RUN-014", at["product"]) in {(one.rule, one.line) for one in report.findings}


@pytest.mark.parametrize("a", [True, False])
def test_tile_that_leaves_shared_memory_ends_the_launch(a: bool) -> None:
    inside = descriptor(TILE - 256 - 7 * 256, 128, 256, 0, 0) if a else descriptor(TILE - 256, 128, 256, 0, 0)
    beyond = descriptor(TILE - 240 - 7 * 256, 128, 256, 0, 0) if a else descriptor(TILE - 240, 128, 256, 0, 0)
    for one, is_ok in ((inside, True), (beyond, False)):
        report, at = launch(LINES, **({"a": one} if a else {"b": one}))
        errors = [
            (finding.rule, finding.line, finding.address) for finding in report.findings if finding.severity == "error"
        ]
        assert errors == ([] if is_ok else [("WS-RUN-001", at["product"], TILE)])


@pytest.mark.parametrize("threads", [128, 256])
def test_reading_what_nobody_has_written_is_found(threads: int) -> None:
    part = {**LINES, "fill": f"@%p1 {LINES['fill'].split(';')[0]};"}
    report, at = launch(part, threads=threads, shared=2 * TILE)
    assert ("WS-RUN-021", at["product"], at["store"]) in found(report)
    (one,) = [one for one in report.findings if one.rule == "WS-RUN-021"]
    assert one.count == threads // 32  # each warp


@pytest.mark.parametrize("thread", [8, 40, 63, 64, 70])
def test_the_first_bytes_that_nobody_has_written_are_named(thread: int) -> None:
    """Of A, which 64 threads have filled, or of B behind it; later ones are missing, too."""
    kept = f"setp.ne.u32 %p1, %r2, {thread}; setp.lt.and.u32 %p1, %r2, 71, %p1;"
    filled = kept + LINES["fill"].replace("st.", " @%p1 st.")
    report, at = launch({**LINES, "fill": filled})
    told = [(one.line, one.address) for one in report.findings if one.rule == "WS-RUN-021"]
    assert told == [(at["product"], 32 * thread)]


@pytest.mark.parametrize(("swizzle", "period"), [(1, 1024), (2, 512), (3, 256)])
def test_descriptor_in_the_midst_of_its_pattern_is_found_unless_the_base_offset_says_so(
    swizzle: int, period: int
) -> None:
    for start, base, is_found in (
        (0, 0, False),
        (period, 0, False),
        (32, 0, False),
        (128, 0, True),
        (128, 1, False),
        (0, 1, True),
    ):
        report, at = launch(LINES, a=descriptor(start, 0, 256, base, swizzle), b=descriptor(2048, 0, 256, 0, swizzle))
        expected = {(rule("DESCRIPTOR"), at["product"], None)} if is_found else set()
        assert found(report) == expected, (start, base)
