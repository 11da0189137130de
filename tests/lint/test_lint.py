"""Whole PTX files: verdicts on every text that the assembler judged, real files, positions."""

import random
import re
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import warpsim as ws
from tests.reference.constants import constant
from tests.support.evidence import TRUTH, compared, rows
from tests.truth.make.ask_ptxas import REGISTERS
from warpsim.lint.report import LintFinding

REAL = sorted((TRUTH / "real_ptx").glob("*.ptx"))
DECLARATIONS = [
    ".address_size 64",
    *(f".{space} .align 16 .b8 {space[0]}mem[1024];" for space in ("shared", "global")),
    ".const .align 16 .b8 cmem[1024];",
    ".visible .entry kernel(.param .b64 pmem) {",
    ".local .align 16 .b8 lmem[1024];",
    *(f".reg .{type_} {letters}<32>;" for letters, type_ in REGISTERS.items()),
]
X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
STORE = "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16"
A = "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {r0,r1,r2,r3,r4,r5,r6,r7}, [a0]"
C = "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {f0,f1,f2,f3,f4,f5,f6,f7}, [a0]"


def ptx(*body: str, version: str = "9.0", target: str = "sm_90") -> str:
    head = [f".version {version}", f".target {target}", *DECLARATIONS]
    return "\n".join([*head, *body, "ret;", "}", ""])


FIRST_LINE = ptx("HERE").split("\n").index("HERE") + 1


def only(report: ws.LintReport) -> LintFinding:
    assert len(report.findings) == 1, str(report)
    return report.findings[0]


def is_one_line(text: str) -> bool:
    """Can it stand among others, one per line, without changing what they are?"""
    balanced = text.count("{") == text.count("}") and "/" not in text and "\n" not in text
    return balanced and text.endswith(";") and text.count(";") == 1


def verdicts(texts: Iterable[str], version: str, target: str) -> Iterator[tuple[str, bool]]:
    """Each text with lint's verdict, most of them from one file."""
    together: list[str] = []
    alone: list[str] = []
    for text in texts:
        (together if is_one_line(text) else alone).append(text)
    report = ws.lint(ptx(*together, version=version, target=target))
    wrong = {finding.line for finding in report.findings if finding.severity == "error"}
    everything = any(line < FIRST_LINE for line in wrong)
    for line, text in enumerate(together, FIRST_LINE):
        yield text, not everything and line not in wrong
    for text in alone:
        yield text, ws.lint(ptx(text, version=version, target=target)).ok


def is_taken(row: dict[str, str]) -> bool:
    """Everything except the big crosses of wmma, of which a third is taken.

    Around PTX 6.3, where .aligned came to wmma, nothing is left out.
    """
    if row["defined"] != "1":
        return False
    crossed = row["family"] in ("wmma", "points") and "wmma" in row["instruction"]
    if not crossed or row["ptx_version"] < "6.5":
        return True
    key = f"{row['instruction']}{row['ptx_version']}{row['target']}"
    return zlib.crc32(key.encode()) % 3 == 0


Places = dict[tuple[str, str], list[dict[str, str]]]


def judged(places: Places) -> Iterator[tuple[dict[str, str], bool]]:
    """Each row with lint's verdict on its text at its version and target."""
    for place, found in places.items():
        ok = dict(verdicts({row["instruction"]: None for row in found}, *place))
        for row in found:
            yield row, ok[row["instruction"]]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "others"), [("legality", 165_000), ("legality_wmma", 150_000)])
def test_verdicts_agree_with_the_assembler(name: str, others: int) -> None:
    places: Places = defaultdict(list)
    for row in rows(name):
        if is_taken(row):
            places[row["ptx_version"], row["target"]].append(row)
    counts: Counter[tuple[str, bool]] = Counter()
    for row, ok in judged(places):
        assert ok == (row["accepted"] == "1"), row
        counts[row["family"], ok] += 1
    for family in ("operands", "wmma_regs", "missing", "order", "extra"):
        if family != "wmma_regs" or name == "legality_wmma":
            accepted, rejected = counts.pop((family, True)), counts.pop((family, False))
            what = f"lint's verdicts of {name}, {family}"
            compared(f"{what}, accepted", accepted, at_least=58)
            compared(f"{what}, rejected", rejected, at_least=101)
    compared(f"lint's verdicts of {name}, other families", counts.total(), at_least=others)


#: rejected by the assembler because of another instruction, or for a reason outside the text
NOT_OURS = re.compile(r"st\.(async|bulk)\b|cp\.ca\.shared\.global |ld:|ldshared|;\s*\S*;|%3")


def is_ours(row: dict[str, str]) -> bool:
    if row["family"] == "other" or NOT_OURS.search(row["instruction"]):
        return False
    try:
        ws.parse(row["instruction"])
    except ws.UnsupportedError as error:
        return "not modelled" not in str(error)
    except ws.PtxSyntaxError:
        pass
    return True


@pytest.mark.slow
def test_verdicts_on_plain_accesses_agree_with_the_assembler() -> None:
    places: Places = defaultdict(list)
    for row in rows("ptxas_plain"):
        if row["defined"] == "1" and is_ours(row):
            places[row["ptx_version"], row["target"]].append(row)
    counts: Counter[bool] = Counter()
    for row, ok in judged(places):
        assert ok == (row["accepted"] == "1"), row
        counts[ok] += 1
    compared("lint's verdicts on ld, st, cp.async, accepted", counts[True], at_least=8000)
    compared("lint's verdicts on ld, st, cp.async, rejected", counts[False], at_least=18000)


@pytest.mark.slow
def test_quirks_of_the_assembler_are_findings() -> None:
    seen: dict[str, str] = {}
    for name in ("legality", "legality_wmma"):
        for row in rows(name):
            if row["defined"] == "0" and row["family"] in ("operands", "wmma_regs", "missing"):
                seen.setdefault(row["instruction"], row["target"])
    for text in seen:
        report = ws.lint(ptx(text, version="9.4", target="sm_100a"))
        assert report.findings, text
        if report.ok:  # the two that are ordinary code
            assert only(report).rule in ("WS-LINT-013", "WS-LINT-016"), text
    compared("quirks that lint complains of", len(seen), at_least=800)


#: instructions of each file, counted in its text
COUNTS = {
    "plain_transpose_sm75": {"ld.shared": 11, "st.shared": 11},
    "wmma_tile_sm80": {
        "wmma.load.a": 1, "wmma.load.b": 1, "wmma.store.d": 2, "ld.shared": 5, "st.shared": 7,
    },
    "tile_readers_sm80": {"ldmatrix": 24, "cp.async": 15},
    "triton_matmul_sm80": {"ldmatrix": 6, "cp.async": 4, "ld.shared": 4, "st.shared": 4},
    "roundtrip_sm90": {
        "ldmatrix": 1, "movmatrix": 4, "stmatrix": 3, "ld.shared": 2, "st.shared": 1,
    },
    "narrow_types_sm100a": {"ldmatrix": 5, "stmatrix": 2, "ld.shared": 1, "st.shared": 2},
}  # fmt: skip


def test_every_real_file_is_there() -> None:
    assert {path.stem for path in REAL} == set(COUNTS)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_file_has_its_instructions_and_no_finding(path: Path) -> None:
    text = path.read_text()
    report = ws.lint(text)
    assert report.ok and not report.findings, str(report)
    assert report.target == "sm_" + path.stem.rpartition("sm")[2]
    for mnemonic, count in COUNTS[path.stem].items():
        found = sum(n for token, n in report.counts.items() if token.startswith(mnemonic))
        assert found == count, mnemonic
    for line, op in report.instructions:
        assert op is None or op.kind in text.split("\n")[line - 1]
    unmodelled = [token for token, n in report.counts.items() if ".param" in token for _ in range(n)]
    nones = [line for line, op in report.instructions if op is None]
    extra = 4 if "triton" in path.stem else 0  # cp.async with a source size
    assert len(nones) == len(unmodelled) + extra
    compared("instructions of real PTX files", len(report.instructions), at_least=16)


#: one statement and what lint says of it: rule, and the text under the caret
COMPLAINTS = [
    (f"{X4} {{r0,r1,r2,r3}}, [a0+4)];", "WS-LINT-001", ")"),
    (f"{X4}.foo {{r0,r1,r2,r3}}, [a0];", "WS-LINT-001", "foo"),
    (f"{X4} {{r0,r1,r2}}, [a0];", "WS-LINT-001", "{r0,r1,r2}"),
    (f"{X4}.b8 {{r0,r1,r2,r3}}, [a0];", "WS-LINT-002", X4 + ".b8"),
    ("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {r0,r1}, [a0];", "WS-LINT-003", None),
    (A.replace(".aligned", "") + ";", "WS-LINT-004", A.replace(".aligned", "").split(maxsplit=1)[0]),
    (f"{X4} {{r0,r1,r2,r33}}, [a0];", "WS-LINT-007", "r33"),
    (f"{X4} {{r0,r1,r2,r3}}, [%a0];", "WS-LINT-007", "%a0"),
    ("@p99 ld.shared.b32 r0, [a0];", "WS-LINT-007", "p99"),
    (f"{X4} {{r0,r1,r2,a3}}, [a0];", "WS-LINT-008", "a3"),
    (f"{X4} {{r0,p1,r2,r3}}, [a0];", "WS-LINT-008", "p1"),
    ("movmatrix.sync.aligned.m8n8.trans.b16 r0, d1;", "WS-LINT-008", "d1"),
    ("st.shared.u32 [a0], f1;", "WS-LINT-008", "f1"),
    ("st.shared.u32 [a0], smem;", "WS-LINT-008", "smem"),
    ("ld.shared.v2.b32 {r0, a1}, [a0];", "WS-LINT-009", "a1"),
    (f"{X4} {{r0, ur1, f2, r3}}, [a0];", "WS-LINT-009", "f2"),
    ("stmatrix.sync.aligned.m8n8.x2.shared.b16 [a0], {f0, 7};", "WS-LINT-009", "7"),
    ("stmatrix.sync.aligned.m8n8.x2.shared.b16 [a0], {7, 8};", "WS-LINT-009", "8"),
    (f"{STORE} [a0], {{r0,r1,1.5,r3}};", "WS-LINT-010", "1.5"),
    ("st.shared.u32 [a0], 0f00000000;", "WS-LINT-010", "0f00000000"),
    ("st.shared.f32 [a0], 1;", "WS-LINT-010", "1"),
    ("ld.shared.b32 WARP_SZ, [a0];", "WS-LINT-001", "WARP_SZ"),
    (f"{X4} {{r0,r1,r2,r3}}, [ f7+16];", "WS-LINT-011", "f7"),
    (f"{X4} {{r0,r1,r2,r3}}, [h7];", "WS-LINT-011", "h7"),
    (f"{X4} {{r0,r1,r2,r3}}, [gmem];", "WS-LINT-012", "gmem"),
    ("cp.async.ca.shared.global [gmem], [a0], 16;", "WS-LINT-012", "gmem"),
    ("cp.async.ca.shared.global [a0], [smem+16], 16;", "WS-LINT-012", "smem"),
    ("ld.u32 r0, [cmem];", "WS-LINT-012", "cmem"),
    (f"{X4} {{r0,r1,r2,r3}}, [a0+0x80000000];", "WS-LINT-002", "0x80000000"),
    (f"{X4} {{r0,r1,r2,r3}}, [a0+8];", "WS-LINT-013", "8"),
    (f"{A}, a1;", "WS-LINT-014", "a1"),
    (f"{A}, smem;", "WS-LINT-014", "smem"),
    (f"{A}, 8;", "WS-LINT-015", "8"),
    (f"{A}, 20;", "WS-LINT-015", "20"),
    (f"{A}, 24;", "WS-LINT-016", "24"),
    ("@r0 ld.shared.b32 r0, [a0];", "WS-LINT-017", "r0"),
    ("ldmatrix.sync.aligned.m8n8.x1.b16 {r0}, [ r1+16];", "WS-LINT-018", "r1"),
    ("stmatrix.sync.aligned.m8n8.x1.b16 [ur1], {r0};", "WS-LINT-018", "ur1"),
    (A.replace(".shared", "").replace("a0", "sr3") + ";", "WS-LINT-018", "sr3"),
]


@pytest.mark.parametrize(("text", "rule", "under"), COMPLAINTS)
def test_complaint_names_rule_and_place(text: str, rule: str, under: str | None) -> None:
    finding = only(ws.lint(ptx("  ret; " + text)))
    assert (finding.rule, finding.line) == (rule, FIRST_LINE)
    assert finding.severity == ws.RULES[rule].severity and len(finding.message) > 15
    source, carets = str(finding).split("\n")[1:]
    marked = source[carets.index("^") : len(carets)]
    assert marked == (under or text.split(maxsplit=1)[0])
    assert source[3 + finding.column :].startswith(marked)


def test_every_rule_is_shown_and_has_a_title() -> None:
    shown = {rule for _, rule, _ in COMPLAINTS} | {"WS-LINT-005", "WS-LINT-006"}
    rules = {rule.id: rule for rule in ws.RULES.values() if rule.about == "lint"}
    assert shown == set(rules)
    for rule in rules.values():
        assert rule.severity in ("error", "warning", "note") and len(rule.title) > 15


def test_target_that_does_not_exist_is_one_finding_at_the_directive() -> None:
    report = ws.lint(ptx(f"{X4} {{r0,r1,r2,r3}}, [a0];", version="7.0", target="sm_90a"))
    finding = only(report)
    assert (finding.rule, finding.line, finding.column) == ("WS-LINT-005", 2, 9)
    assert "does not exist in PTX 7.0" in finding.message and not report.ok


@pytest.mark.parametrize(("version", "target"), [("9.9", "sm_90"), ("9.0", "sm_52")])
def test_unknown_version_or_target_is_a_note_and_nothing_is_judged(version: str, target: str) -> None:
    text = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [a0], {r0};"
    report = ws.lint(ptx(text, version=version, target=target))
    assert report.ok and only(report).rule == "WS-LINT-006"
    assert (report.target, report.ptx_version) == (target, version)


def test_target_and_version_given_replace_those_of_the_file() -> None:
    text = ptx(f"{X4} {{r0,r1,r2,r3}}, [a0];", version="6.5", target="sm_75")
    assert ws.lint(text).ok
    report = ws.lint(text, target="sm_72")
    assert "sm_72 has no ldmatrix" in only(report).message and report.target == "sm_72"
    assert "needs PTX 6.5" in only(ws.lint(text, ptx_version="6.4")).message
    assert only(ws.lint(text, target="sm_90")).rule == "WS-LINT-005"
    assert ws.lint(text, target="sm_100a", ptx_version="8.6").ok
    for wrong in ({"target": "sm_1"}, {"ptx_version": "5.0"}, {"ptx_version": "x"}):
        with pytest.raises(ValueError, match="expected"):
            ws.lint(text, **wrong)
    with pytest.raises(TypeError, match="ptx_text: expected a str"):
        ws.lint(text.encode())  # type: ignore[arg-type]


def test_text_without_directives_is_judged_by_what_it_has() -> None:
    bare = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%rd1], {%r1};"
    report = ws.lint(bare)
    assert report.ok and not report.findings and report.target is None
    assert "no target, no PTX version: 1 instruction, no finding" in str(report)
    assert only(ws.lint(bare, target="sm_80")).rule == "WS-LINT-003"
    assert ws.lint(bare, ptx_version="8.0").ok
    assert only(ws.lint("wmma" + A[4:].replace(".aligned", ""), ptx_version="8.0")).line == 1
    empty = ws.lint("")
    assert empty.ok and empty.counts == {} and empty.instructions == []


def test_first_name_of_target_directive_counts() -> None:
    report = ws.lint(f".version 8.0 .target sm_90a, texmode_independent\n{X4} {{a,b,c,d}}, [e];")
    assert report.ok and (report.target, report.ptx_version) == ("sm_90a", "8.0")


@pytest.mark.parametrize(
    ("version", "target", "text", "ok"),
    [
        ("6.0", "sm_70", A.replace(".aligned", ""), True),
        ("6.0", "sm_70", C.replace(".aligned", ""), True),
        ("6.0", "sm_61", A.replace(".aligned", ""), False),
        ("6.0", "sm_70", A, False),
        ("6.0", "sm_70", A.replace(".aligned", "").replace("m16n16k16", "m8n32k16"), False),
        ("6.1", "sm_70", A.replace(".aligned", "").replace("m16n16k16", "m8n32k16"), True),
        ("6.2", "sm_70", A.replace(".aligned", "").replace("shared", "shared::cta"), False),
        ("6.2", "sm_72", A.replace(".aligned", ""), True),
        ("6.3", "sm_72", A.replace(".aligned", ""), False),
        ("6.3", "sm_72", A, True),
        ("6.2", "sm_72", "wmma.load.a.sync.row.m16n16k16.s8 {r0,r1}, [a0]", False),
    ],
)
def test_aligned_came_to_wmma_with_ptx_63(version: str, target: str, text: str, ok: bool) -> None:
    report = ws.lint(ptx(text + ";", version=version, target=target))
    assert report.ok == ok, str(report)


@pytest.mark.parametrize(
    ("text", "stride", "severity"),
    [
        (A, "16", None), (A, "32", None), (A, "24", "warning"), (A, "20", "error"),
        (A, "15", "error"), (A, "0", "error"), (A, "-16", "error"), (A, "0x80000000", "error"),
        (A, "(16+8)*2", None), (A, "WARP_SZ", None), (A, "16+4", "error"), (A, "r0", None),
        (A, "r0+8", None), (C, "16", None), (C, "20", "warning"), (C, "18", "error"),
        # the default breaks PTX's own rule here (8 halves, fragments of 32 bytes): no finding
        (A.replace("row.m16n16k16", "col.m8n32k16"), "8", None),
        (A.replace("row.m16n16k16", "col.m8n32k16"), "24", "warning"),
    ],
)  # fmt: skip
def test_constant_strides_follow_the_rules_of_execution(text: str, stride: str, severity: str | None) -> None:
    report = ws.lint(ptx(f"{text}, {stride};"))
    assert [finding.severity for finding in report.findings] == ([severity] if severity else [])
    assert report.ok == (severity != "error")


@pytest.mark.parametrize(
    ("text", "offset", "noted"),
    [
        (f"{X4} {{r0,r1,r2,r3}}, [a0+OFFSET];", "8", True),
        (f"{X4} {{r0,r1,r2,r3}}, [a0+OFFSET];", "-16", False),
        (f"{X4} {{r0,r1,r2,r3}}, [a0 + OFFSET ];", "0x10*2", False),
        ("ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4 {r0}, [a0+OFFSET];", "8", False),
        ("ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4 {r0}, [a0+OFFSET];", "4", True),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [smem+OFFSET], {r0};", "24", True),
        ("ld.shared.b64 a1, [a0+OFFSET];", "4", False),
    ],
)
def test_offset_out_of_alignment_is_a_note(text: str, offset: str, noted: bool) -> None:
    report = ws.lint(ptx(text.replace("OFFSET", offset), version="9.4", target="sm_90a"))
    assert report.ok and [f.severity for f in report.findings] == ["note"] * noted


@pytest.mark.parametrize(
    "body",
    [
        "// ldmatrix.foo;\n/* stmatrix.foo;\n { */",
        '.pragma "ldmatrix.foo; {";',
        '.file 1 "a;b{.cu", 123, 456\n.loc 1 2 3\n.loc 1 2 3, function_name $L__x, inlined_at 1 2',
        ".section .debug_str {\ninfo:\n.b8 108,100,0\n.b64 info+4\n}",
        "$L__BB0_1: lab2: // twice",
        "{ .reg .pred p; .reg .f32 r0; { .reg .b32 r<2>; } st.shared.f32 [a0], r0; }",
        "call.uni (r0), f, (a0);\nproto: .callprototype (.param .b32 _) _ (.param .b64 _);",
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {r8,r9}, {r0,r1}, {r2}, {r3,r4};",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {ldmatrix.foo};",
        "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all; cp.async.bulk.foo [a0];",
        "cp.async.mbarrier.arrive.shared.b64 [a0]; cp.reduce.async.bulk.foo; st.async.foo;",
        "st.bulk.weak.shared::cta [a0], a1, 0;",
        "unheard.of.ldmatrix {r0; .unheard 5, x; ldmatrixx.foo; ldu.global.u32 r0, [a0];",
        "@!p0 bra $L__BB0_1; bar.sync 0;",
    ],
)
def test_what_is_no_instruction_of_these_families_is_passed_over(body: str) -> None:
    report = ws.lint(ptx(body, f"{X4} {{r0,r1,r2,r3}}, [smem];"))
    assert not report.findings, str(report)
    assert report.counts[X4] == 1 and set(report.counts) <= {X4, "st.shared.f32"}


@pytest.mark.parametrize(
    ("text", "ops"),
    [
        ("ld.param.u64 a0, [pmem];", 0),
        ("ld.volatile.shared.u32 r0, [a0]; ld.global.nc.v4.f32 {f0,f1,f2,f3}, [a0];", 0),
        ("st.local.u32 [lmem], r0; ld.relaxed.gpu.global.u32 r0, [a0];", 0),
        ("cp.async.cg.shared.global [a0], [a1], 16, r0;", 0),
        (".reg .v4 .f32 v; ld.global.v4.f32 v, [a0]; st.global.f32 [a0], v.x;", 0),
        (f"{X4}\n  {{r0, r1,\n   r2, r3}} // four\n  , [ smem + 32 ] ;", 1),
        (f"{X4} {{r0,_,r2,r31}}, [r1]; @p0 {X4} {{f0,r1,f2,_}}, [sa0];", 2),
        (f"{X4} {{r0,ur0,sr0,r1}}, [ua0]; {X4} {{r0,hx0,r1,hx2}}, [a0+16];", 2),
        ("ld.global.b8 r0, [gmem]; st.u16 [lmem], a0; ld.b32 f0, [a0]; st.f32 [a0], r0;", 4),
        ("st.shared.v4.f32 [a0], {f0, r1, 0f00000000, f3}; st.b64 [a0], 0d3ff0000000000000;", 2),
        ("ld.global.u32 r0, [r1]; ld.u32 r0, [r1+4];", 2),  # whether they assemble is not checked
    ],
)
def test_legal_forms_are_no_findings(text: str, ops: int) -> None:
    report = ws.lint(ptx(text))
    assert not report.findings, str(report)
    assert sum(op is not None for _, op in report.instructions) == ops
    assert report.instructions


def test_declarations_are_those_of_the_scope() -> None:
    text = """.version 8.0
.target sm_90
.global .align 4 .u32 table[2][2] = {{1, 2}, {3, 4}}, more = 5;
.extern .shared .align 16 .b8 smem[];
.visible .func (.reg .f32 result) f (.reg .b64 p, .param .align 8 .b8 q[16])
{
    .reg .b32 %r<3>, x;
    ld.shared.f32 result, [p];
    {
        .reg .f32 %r<2>;
        st.shared.f32 [p], %r1;
        st.shared.u32 [p], %r2;
        st.shared.u32 [p], %r1;
    }
    st.shared.u32 [p], %r1;
    st.shared.u32 [smem], %r3;
    st.global.u32 [more], x;
    ld.global.u32 x, [table+4];
    ld.u32 x, [q];
}
.entry g() { .reg .b64 %rd<2>; st.shared.u64 [%rd1], p; }
"""
    lines = {f.line: (f.rule, f.message) for f in ws.lint(text).findings}
    assert {line: rule for line, (rule, _) in lines.items()} == {
        13: "WS-LINT-008", 16: "WS-LINT-007", 19: "WS-LINT-012", 21: "WS-LINT-007"
    }  # fmt: skip
    assert "'%r1' is a .f32 register" in lines[13][1]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (".reg .f32 x1; { .reg .b32 x<2>; st.shared.u32 [x0], x1; }", []),
        (".reg .f32 x1; { .reg .b32 x<2>; } st.shared.u32 [x1], x0;", ["011", "007"]),
        (".reg .b32 x<2>; { .reg .f32 x1; st.shared.u32 [x0], x1; }", ["008"]),
        (".entry f() { .reg .b32 r; } .entry g() { ld.shared.u32 a, [b]; }", []),
        (".entry f() { .reg .b32 r; } .reg .f32 r; .entry g() { ld.shared.f32 r, [b]; }", ["007"]),
        ('.pragma "\\"; ldmatrix.foo;"; // "\nld.shared.u32 a, [b];', []),
        ('.pragma "; ldmatrix.foo;\n; ld.shared.u32 a, [b];', ["001"]),
        (f".reg .b32 {'x' * 2000}<9>; st.shared.u32 [b], {'x' * 2000}9;", ["007", "007"]),
        (".REG .b32 x; LD.shared.u32 a, [b];", ["001"]),
    ],
)
def test_names_scopes_and_strings_hide_what_they_should(text: str, rules: list[str]) -> None:
    report = ws.lint(".version 8.0 .target sm_90 " + text)
    assert [finding.rule[-3:] for finding in report.findings] == rules, str(report)


def test_statement_ends_where_its_scope_does() -> None:
    report = ws.lint("{ ld.shared.b32 a, [b] } ld.shared.u32 c, [d];\n} st.shared.u32 [a], b;")
    assert report.counts == {"ld.shared.b32": 1, "ld.shared.u32": 1, "st.shared.u32": 1}
    assert only(report).column == 24


def test_findings_of_a_statement_are_in_the_order_of_their_places() -> None:
    report = ws.lint(ptx("@p99 stmatrix.sync.aligned.m8n8.x1.b16 [x], {y};", target="sm_80"))
    assert [finding.rule[-3:] for finding in report.findings] == ["007", "003", "007", "007"]
    columns = [finding.column for finding in report.findings]
    assert columns == sorted(columns)


@pytest.mark.parametrize(("version", "ok"), [("7.7", False), ("7.8", True)])
def test_copies_to_shared_cta_need_ptx_78(version: str, ok: bool) -> None:
    copy = "cp.async.cg.shared::cta.global [a0], [a1], 16;"
    assert ws.lint(ptx(copy, version=version, target="sm_80")).ok == ok


def test_characters_beyond_ascii_are_letters_digits_or_blanks() -> None:
    text = ".reg\u00a0.b32 \u00e9, r<\u0663>;\nst.shared.u32 [r2], r3;\n.target sm_\u00e9"
    finding = only(ws.lint(text))
    assert (finding.line, finding.rule) == (2, "WS-LINT-007") and "'r3'" in finding.message
    report = ws.lint(text[text.index(".target") :] + "\nld.\u00e9.\u00df x;")
    assert report.target == "sm_\u00e9" and report.counts == {"ld.\u00e9.\u00df": 1}
    assert "target sm_\u00e9 is unknown" in report.findings[0].message


def test_positions_count_from_one_in_the_file() -> None:
    head = "\ufeff.version 8.0\r\n.target sm_90\r\n\r\n"
    text = f"{head}\tlabel: @p\t{X4}\r\n\t{{a,b,c}}, [\u00e9];\r\n"
    finding = only(ws.lint(text))
    assert (finding.line, finding.column) == (5, 2) and finding.source == " {a,b,c}, [\u00e9];"
    report = ws.lint(text.replace("c}", "c,d}"))
    assert (only(report).line, only(report).column) == (5, 14)
    assert [line for line, _ in report.instructions] == [4]
    unterminated = only(ws.lint("ld.shared.b32\n"))
    assert "expected ';'" in unterminated.message
    assert (unterminated.line, unterminated.column) == (1, 14)
    cut = only(ws.lint("st.shared.b32 [a]\r"))
    assert (cut.source, cut.caret) == ("st.shared.b32 [a]", 17)
    brace = only(ws.lint("{ ld.shared.b32 a, [b] }"))
    assert brace.column == 24 and brace.message == "expected ';', found '}'"
    assert "does not end" in only(ws.lint(f"{X4} /* {{a,b,c,d}}, [e];")).message


def test_long_line_is_shown_around_the_place() -> None:
    finding = only(ws.lint(ptx("ret; " * 5000 + "st.shared.u32 [a0], f1;" + " ret;" * 5000)))
    assert len(finding.source) == 100 and finding.column == 25021
    assert finding.source[finding.caret : finding.caret + finding.length] == "f1"


def test_report_is_text_and_a_dict() -> None:
    body = [f"{X4} {{r0,r1,r2,r3}}, [a0+8];", f"{A}, 24;", f"{A}, 8;", "ld.param.u64 a0, [pmem];"]
    report = ws.lint(ptx(*body))
    assert not report.ok
    assert [f.severity for f in report.findings] == ["note", "warning", "error"]
    lines = report.text("k.ptx").split("\n")
    assert lines[0].startswith(f"k.ptx:{FIRST_LINE}:{body[0].index('8];') + 1}: note WS-LINT-013: ")
    assert lines[-4:] == [
        "k.ptx: sm_90, PTX 9.0: 4 instructions, 1 note, 1 warning, 1 error",
        "  1  ld.param.u64",
        f"  1  {X4}",
        f"  2  {A.split(maxsplit=1)[0]}",
    ]
    contents = report.to_dict()
    assert contents["schema"] == "warpsim.lint/1" and contents["ok"] is False
    assert contents["counts"] == {X4: 1, A.split(maxsplit=1)[0]: 2, "ld.param.u64": 1}
    assert contents["instructions"][0] == {"line": FIRST_LINE, "ptx": X4}
    assert contents["instructions"][3]["ptx"] is None
    assert contents["findings"][2]["rule"] == "WS-LINT-015"
    assert contents["findings"][2]["source"] == body[2]
    with pytest.raises(AttributeError):
        report.findings = []  # type: ignore[misc]


@pytest.mark.slow
def test_constants_equal_those_of_the_parser() -> None:
    generator = random.Random(7)
    atoms = ["0", "7", "16", "0x1F", "020", "0b101", "8U", "WARP_SZ", "4294967296", "08", "x"]
    binary = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", "==", "&&", "||"]

    def expression(depth: int = 0) -> str:
        kind = generator.random()
        if depth > 3 or kind < 0.35:
            return generator.choice(atoms)
        inner = expression(depth + 1)
        if kind < 0.5:
            return generator.choice("+-~!") + inner
        if kind < 0.65:
            return generator.choice(["({})", "(.s64){}", "(.u64) {}"]).format(inner)
        if kind < 0.7:
            return f"{inner}?{expression(depth + 1)}:{expression(depth + 1)}"
        return f"{inner} {generator.choice(binary)} {expression(depth + 1)}"

    values = 0
    for _ in range(10_000):
        text = expression()
        value: int | None = None
        try:
            op = ws.parse(f"cp.async.ca.shared.global [a], [b], {text};")
            value = op.size
        except ws.UnsupportedError as error:  # "copies 4, 8 or 16 bytes, not 7"
            value = int(re.findall(r"bytes, not (\d+)", str(error))[0])
        except ws.PtxSyntaxError:
            pass
        found = constant(text)
        assert (None if found is None else found % 2**64) == value, text
        values += value is not None
    compared("constant expressions", values, at_least=5000)


def test_mangled_files_never_raise() -> None:
    generator = random.Random(11)
    texts = [path.read_text() for path in REAL]
    scraps = [
        "{", "}", ";", '"', "/*", "*/", "//", "\n", ".", "[", "]", ",", "=", "@", "!", "<", "\0",
        ".reg .b32 %r<5>;", ".section", ".loc 1 2 3", ".shared .b8 x[4]", "wmma.load.a", "\u00e9",
        "\ud800", "%r" + "9" * 50, "<" + "9" * 5000 + ">", ".version", ".target sm_90",
    ]  # fmt: skip
    findings = 0
    for _ in range(1500):
        text = generator.choice(texts)
        begin = generator.randrange(len(text))
        text = text[begin : begin + generator.randrange(2000)]
        for _ in range(generator.randrange(1, 20)):
            at = generator.randrange(len(text) + 1)
            text = text[:at] + generator.choice(scraps) + text[at + generator.choice([0, 1, 5]) :]
        report = ws.lint(text)
        assert len(str(report)) > 10
        for finding in report.findings:
            assert finding.line >= 1 and finding.column >= 1
            assert 0 <= finding.caret <= len(finding.source)
        findings += len(report.findings)
    compared("findings in mangled files", findings, at_least=1000)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 20000, "}" * 20000, "ld " + "{" * 20000, ".section {" * 20000, "/*" * 20000,
        ".global .b8 x = " + "{" * 20000 + "}" * 20000 + ";", ".func " + ".reg " * 20000 + "{",
        ".global .b8 x = {1}" + ", x = {1}" * 20000 + ";", "a:" * 20000, "@" * 20000 + "ld",
        ".global .attribute(" * 20000 + ";", ("@" + " " * 20000 + "x ") * 3, '"' * 20000,
        "ld" + ". " * 20000 + ";", ".loc 1 2" + ",a" * 20000, ".reg .b32 a<" + "9" * 20000 + ">;",
        "{.reg .b32 a<2>;" * 5000 + "ld.shared.u32 a7, [b];" * 5000,
        "ld.shared.u32 a, [b+" + "1+" * 20000 + "1];", "ld.shared.u32 a, [b+" + "(" * 20000,
        ".reg .b32 a; ld.shared.u32 r" + "9" * 20000 + ", [a];",
        ".reg .f32 a; " + "movmatrix.sync.aligned.m8n8.trans.b16 q, a;" * 5000,
    ],
)  # fmt: skip
def test_absurd_text_takes_no_long_time(text: str) -> None:
    begin = time.process_time()
    report = ws.lint(text)
    assert len(str(report)) > 10
    assert time.process_time() - begin < 5
