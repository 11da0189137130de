"""Counters of the machine code: every line with an access, against Nsight Compute's source page on an H200."""

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.kernels.test_measured_counters import BIT, NAMES, by_line
from tests.support.evidence import compared
from tests.support.measured_kernels import (
    GROUPS,
    assembled,
    copies_by_p0,
    launches,
    machine_code,
    module,
    recorded_code,
    run,
)
from warpsim.machine import assembled as mapping
from warpsim.machine import sass
from warpsim.machine.merged import Merged

#: kernel -> lines whose machine code runs for other lanes or in other rounds than PTX says
LANES = {
    "recursion": {928}, "gcd_and_primes": {1325}, "shared_spin_lock": {1250}, "global_patterns": {757},
    "transpose": {273},
}  # fmt: skip
#: of wmma: `executed` and `threads` are those of the one PTX instruction
MEMORY = NAMES[2:]


@pytest.fixture
def recorded() -> Iterator[dict[str, Any]]:
    """The assembler's answers for the launch whose name is put here."""
    with recorded_code() as asked:
        yield asked


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_each_line_counts_what_its_machine_code_did(group: str, recorded: dict[str, Any]) -> None:
    equal, wrong = Counter[str](), []
    sums = 0
    for launch in launches(group):
        others = assembled()["lines"].get(launch["id"], [])
        if not launch["lines"]:
            continue
        recorded["launch"] = launch
        without_conflicts = copies_by_p0(launch)
        report, _, _ = run(launch, as_assembled=True)
        found = by_line(report.lines)
        for line, made, *wanted in launch["lines"] + others:
            here = found.get(line, {**dict.fromkeys(NAMES, 0), "inexact": 0})
            for name, value in zip(NAMES, wanted, strict=True):
                if value is None or (made == "lowered" and name not in MEMORY) or here["inexact"] & BIT[name]:
                    continue
                if line in LANES.get(launch["kernel"], ()):
                    continue
                count = here["ideal_" * (name == "wavefronts" and line in without_conflicts) + name]
                equal[made] += count == value
                if count != value:
                    wrong.append(f"{launch['id']} line {line}, {made}: {name} {count}, measured {value}")
        if launch["kernel"] in LANES or any(row["inexact"] for row in found.values()):
            continue
        for name, value in zip(MEMORY, assembled()["totals"][launch["id"]], strict=True):
            ideal = without_conflicts if name == "wavefronts" else ()
            here = sum(row["ideal_" * (line in ideal) + name] for line, row in found.items())
            sums += here == value
            if here != value:
                wrong.append(f"{launch['id']}: {name} {here}, measured {value}")
    assert wrong == []
    compared("counters of whole launches of machine code", sums, at_least=4)
    for made, count in equal.items():
        compared(f"counters of the machine code: {made}", count, at_least=1)


def test_loops_of_compare_and_swap_without_other_warps_count_their_rounds(recorded: dict[str, Any]) -> None:
    wanted = {"distinct": 6, "halves": 12, "stride8": 104}
    for launch in launches("pattern"):
        kernel, _, case = launch["id"].partition("/")
        if kernel == "atomic_patterns" and case in wanted:
            recorded["launch"] = launch
            report, _, _ = run(launch, as_assembled=True)
            assert by_line(report.lines)[474]["wavefronts"] == wanted.pop(case)
            assert any("lines 458, 474" in note for note in report.notes)
    assert not wanted


def test_merged_names_what_the_assembler_joined() -> None:
    right, missed, named = 0, set(), set()
    kernels = {(one["ptx"], one["kernel"]): one for group in GROUPS for one in launches(group) if one["lines"]}
    for launch in kernels.values():
        name = launch["kernel"]
        kernel = module(launch["ptx"])[name]
        code: dict[int, list[str]] = {}
        for _, line, _, opcode, _ in machine_code(launch):
            code.setdefault(line, []).append(opcode)
        for one in kernel.merged:
            assert [one.opcode] == code[one.line], (name, one)
            assert not any(line in code for line in one.lines if line != one.line), (name, one)
            named |= {(name, one.line)}
            right += len(one.lines)
        for access in kernel._entry.source.texts.accesses:
            wide = [opcode for opcode in code.get(access.line, ()) if mapping.width(opcode) > access.nbytes]
            if access.space == "shared" and access.family in ("load", "store") and wide:
                missed |= {(name, access.line)}
    assert missed - named == {("top_k", 1855)}  # across branches
    compared("accesses that kernel.merged joins as the assembler did", right, at_least=60)


@pytest.mark.slow
def test_merged_lines_count_what_the_machine_code_did(recorded: dict[str, Any]) -> None:
    for launch in launches("classic"):
        kernel = module(launch["ptx"])[launch["kernel"]]
        if kernel.merged and launch["kernel"] != "top_k":
            recorded["launch"] = launch
            real, _, _ = run(launch, as_assembled=True)
            told, _, _ = run(launch, as_assembled=kernel.merged)
            assert told.merged == kernel.merged
            joined = {line for one in kernel.merged for line in one.lines}
            rows = [by_line(report.lines) for report in (real, told)]
            assert {line: rows[0][line] for line in joined} == {line: rows[1][line] for line in joined}


UNROLLED = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p)
{ .reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .pred %p; .shared .align 16 .b8 s[2048];
mov.u32 %r0, %tid.x; ld.param.u64 %rd1, [p]; mov.u32 %r1, s; shl.b32 %r2, %r0, 6; add.u32 %r1, %r1, %r2;
mov.u32 %r3, 0; mov.u32 %r4, 0;
L: st.shared.u32 [%r1], %r3; add.u32 %r1, %r1, 4; add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, 16;
@%p bra L; @%p ld.shared.u32 %r4, [s]; @!%p st.shared.u32 [%r1+-64], %r4;
mad.wide.u32 %rd2, %r0, 4, %rd1; st.global.u32 [%rd2], %r3;
ret; }
"""


def test_statements_get_lines_of_their_own() -> None:
    statements = ws.Module(UNROLLED)._source.texts.statements
    text, lines = ws.Module(UNROLLED)._source.texts.own_lines()
    rows = text.decode().split("\n")
    assert len(set(lines)) == len(statements)
    for line, one in zip(lines, statements, strict=True):
        assert ";" not in rows[line - 1][: rows[line - 1].index(one.row.opcode)], rows[line - 1]
    shown = [(access.opcode, access.root, access.offset) for access in ws.Module(text)._source.texts.accesses]
    assert shown == [(a.opcode, a.root, a.offset) for a in ws.Module(UNROLLED)._source.texts.accesses]


LISTING = """
	.section	.text.k,"ax",@progbits
	//## File ".nv_debug_ptx_txt", line {store}
        /*00e0*/                   STS.128 [R0], R20 ;
        /*00f0*/                   STS.128 [R0+0x10], R12 ;
        /*0100*/                   STS.128 [R0+0x20], R8 ;
        /*0110*/                   STS.128 [R0+0x30], R4 ;
	//## File ".nv_debug_ptx_txt", line {last}
        /*0120*/              @!P0 STS [R0], RZ ;
	//## File ".nv_debug_ptx_txt", line {out} inlined at ".nv_debug_ptx_txt", line 1
        /*0130*/                   STG.E desc[UR4][R2.64], R7 ;
.L_x_1:
"""


def test_rounds_of_an_unrolled_loop_count_once_and_what_is_left_out_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def assemble(text: bytes, target: str, contracts: bool) -> sass.Code:
        rows = text.decode().split("\n")
        at = {name: next(i for i, row in enumerate(rows, 1) if word in row) for name, word in words.items()}
        return sass.Code(sass.read(LISTING.format(**at)), b"")

    words = {"store": "st.shared.u32 [%r1], ", "last": "[%r1+-64]", "out": "st.global"}
    monkeypatch.setattr(sass, "assemble", assemble)
    monkeypatch.setattr(sass, "version", lambda: "0")
    report = ws.Module(UNROLLED)["k"](1, 32, [np.zeros(32, np.uint32)], as_assembled=True, check=False)
    rows = {(row["line"], row["opcode"]): row for row in report.lines}
    store, last = rows[8, b"st.shared.u32"], rows[9, b"st.shared.u32"]
    assert (store["executed"], store["threads"], store["wavefronts"]) == (4, 128, 64)
    assert (last["executed"], last["wavefronts"]) == (1, 16)
    assert rows[9, b"ld.shared.u32"]["executed"] == 0
    assert report.merged == (Merged((8,), 8, "STS.128", 16),)
    assert report.notes[1:] == (
        "one access for several rounds of a loop: line 8",
        "left out of the machine code: line 9",
    )


def test_tools_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'warpsim\[sass\]'"):
        ws.Module(UNROLLED)["k"](1, 32, [None], as_assembled=True)


@pytest.mark.parametrize("asked", [1, "", "rule", [3]])
def test_as_assembled_takes_a_bool_a_word_or_merges(asked: Any) -> None:
    with pytest.raises(TypeError, match="as_assembled"):
        ws.Module(UNROLLED)["k"](1, 32, [None], as_assembled=asked)


def test_text_counts_alone_are_refused() -> None:
    with pytest.raises(ValueError, match="count is False"):
        ws.Module(UNROLLED)["k"](1, 32, [None], as_assembled=True, count=False)


#: bodies by what is joined in them: (line of the body, ...)
JOINED = {
    "ld.shared.u32 %r2, [s];\nld.shared.u32 %r3, [s+4];": [(1, 2)],
    "ld.shared.u32 %r2, [s+4];\nld.shared.u32 %r3, [s+8];": [],  # not aligned
    "ld.shared.u32 %r2, [s];\nst.shared.u32 [%r1], %r2;\nld.shared.u32 %r3, [s+4];": [],
    "ld.shared.u32 %r2, [s];\nbar.sync 0;\nld.shared.u32 %r3, [s+4];": [],
    "ld.shared.u32 %r2, [s];\nL: ld.shared.u32 %r3, [s+4];\n@%p bra L;": [],
    "ld.shared.u32 %r2, [s];\nL: ld.shared.u32 %r3, [s+4];": [(1, 2)],  # nothing jumps there
    "ld.shared.u32 %r2, [s];\n@%p ld.shared.u32 %r3, [s+4];": [],
    "ld.shared.u32 %r2, [%r1];\nadd.u32 %r1, %r1, 64;\nld.shared.u32 %r3, [%r1+4];": [],
    "mov.u32 %r5, s;\nadd.u32 %r6, %r5, 4;\nld.shared.u32 %r2, [%r5];\nld.shared.u32 %r3, [%r6];": [(3, 4)],
    "ld.shared.b64 %rd1, [s];\nld.shared.v2.b32 {%r2, %r3}, [s+8];": [],
    "ld.volatile.shared.u32 %r2, [s];\nld.volatile.shared.u32 %r3, [s+4];": [],
    "st.shared.u32 [s], %r2;\nst.shared.u32 [s+4], %r3;": [(1, 2)],
    "st.shared.u32 [s], %r2;\nld.shared.u32 %r4, [%r1];\nst.shared.u32 [s+4], %r3;": [],
    "shl.b32 %r5, %r1, 3;\nld.shared.u32 %r2, [%r5];\nld.shared.u32 %r3, [%r5+4];": [(2, 3)],
    "shl.b32 %r5, %r1, -1;\nld.shared.u32 %r2, [%r5];\nld.shared.u32 %r3, [%r5+4];": [(2, 3)],  # by 2**32 - 1: 0
    "".join(f"ld.shared.u8 %r2, [s+{i}];\n" for i in range(16)): [tuple(range(1, 17))],
    "".join(f"ld.shared.u16 %r2, [%r1+{2 * i}];\n" for i in range(4)): [],  # %r1: nobody knows
}


@pytest.mark.parametrize("body", JOINED)
def test_joins_are_those_of_the_rule(body: str) -> None:
    head = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u32 p) {"
    head += " .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p; .shared .align 4 .b8 s[64]; ld.param.u32 %r1, [p];\n"
    merged = ws.Module(f"{head}{body}\nret; }}")["k"].merged
    assert [tuple(line - 4 for line in one.lines) for one in merged] == JOINED[body]


def test_pieces_and_threads_count_the_same() -> None:
    launch = next(one for one in launches("classic") if module(one["ptx"])[one["kernel"]].merged)
    merged = module(launch["ptx"])[launch["kernel"]].merged
    with ThreadPoolExecutor(2) as pool:
        lines = [run(launch, as_assembled=merged, **way)[0].lines for way in ({}, {"executor": pool}, {"threads": 2})]
    assert all(np.array_equal(lines[0], other) for other in lines[1:])


@pytest.mark.parametrize("merged", [Merged((900, 901), 900, "LDS.64", 8), Merged((8,), 8, "LDS.64", 0x88)])
def test_merges_of_another_kernel_are_refused(merged: Merged) -> None:
    with pytest.raises(ValueError, match="as_assembled"):
        ws.Module(UNROLLED)["k"](1, 32, [None], as_assembled=[merged])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "darwin", reason="NVIDIA has no assembler there")
def test_assembler_says_what_was_recorded() -> None:
    kernels = {(one["ptx"], one["kernel"]): one for group in GROUPS for one in launches(group) if one["lines"]}
    answers = {}
    with recorded_code() as recorded:
        for launch in kernels.values():
            recorded["launch"] = launch
            answers[launch["id"]] = run(launch, as_assembled=True)[0]
    same = 0
    for launch in kernels.values():
        report, _, _ = run(launch, as_assembled=True)
        assert by_line(report.lines) == by_line(answers[launch["id"]].lines), launch["id"]
        assert report.merged == answers[launch["id"]].merged, launch["id"]
        same += len(by_line(report.lines))
    compared("lines that the assembler here makes what the recorded one made", same, at_least=1_000)


@pytest.mark.parametrize("opcode", ["or", "add"])
@pytest.mark.parametrize("steps", [150, 260, 5000])
def test_an_address_at_the_end_of_a_long_chain_is_no_recursion(opcode: str, steps: int) -> None:
    chain = "".join(f"{opcode}.{'b' if opcode == 'or' else 'u'}32 %r{i + 1}, %r{i}, %r{i};\n" for i in range(steps))
    kernel = ws.Module(f""".version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 o) {{ .reg .u32 %r<{steps + 9}>; .reg .u64 %d; ld.param.u64 %d, [o];
.shared .align 16 .b8 s[256];
mov.u32 %r0, s;
{chain} ld.shared.u32 %r{steps + 1}, [%r{steps}]; ld.shared.u32 %r{steps + 2}, [%r{steps}+4];
add.u32 %r{steps + 3}, %r{steps + 1}, %r{steps + 2}; st.global.u32 [%d], %r{steps + 3}; ret; }}""")["k"]
    merged = kernel.merged
    assert bool(merged) == (steps < 200)  # an alignment is sought through 200 registers
    assert kernel(1, 1, (np.zeros(1, np.uint32),), check=False).steps == steps + 7
