"""Every form of real kernels runs; what is not modelled is refused by name; what is not PTX is an error."""

import base64
import hashlib
import json
import lzma
import re

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared, rows
from tests.support.paths import TRUTH
from tests.support.statements import kernel, statement

#: the generations of GPU whose kernels run here
MODELLED = ("sm_75", "sm_80", "sm_89")


def used() -> list[str]:
    return [row["form"] for row in rows("forms") if any(int(row[f"kernels_{target}"]) for target in MODELLED)]


def test_every_form_of_real_kernels_runs() -> None:
    for opcode in used():
        memory = np.zeros(4096, np.uint8)
        report = ws.Module(kernel(statement(opcode)))["k"](1, 32, [memory], check=False)
        assert report.steps >= 4 and report.findings == (), opcode
    compared("forms of real kernels, run", len(used()), at_least=326)


#: what waits for others, or needs what other instructions prepare: decoded, not run
TOGETHER = re.compile(
    r"mbarrier|wgmma|tensormap|clusterlaunch|cp\.async\.(bulk|mbarrier)|barrier\.arrive|mapa|ld\.param|.*\.local"
)


@pytest.mark.parametrize("target", ["sm_90a", "sm_120a"])
def test_no_form_of_kernels_of_the_newer_generations_is_refused(target: str) -> None:
    """But tcgen05, which nothing here executes; files for several targets have it."""
    column, ran, left_out = f"kernels_{target[:-1]}", 0, set()
    opcodes = [row["form"] for row in rows("forms") if int(row[column])]
    for opcode in opcodes:
        if opcode.startswith("tcgen05"):
            left_out.add(opcode)
            continue
        found = ws.Module(kernel(statement(opcode), target))["k"]
        assert found.unsupported == (), opcode
        if not TOGETHER.match(opcode):
            report = found(1, 32, [np.zeros(4096, np.uint8)], check=False)
            assert report.steps >= 4 and report.findings == (), (opcode, report.findings)
            ran += 1
    compared(f"forms of kernels for {target}, decoded", len(opcodes) - len(left_out), at_least=200)
    compared(f"forms of kernels for {target}, run", ran, at_least=150)
    compared(f"forms of tcgen05 in files for {target} among others", len(left_out), at_least=1)


def inexact(opcodes: list[str], target: str, **options: object) -> tuple[str, ...]:
    """What a kernel of these instructions names as inexact."""
    text = "\n".join(f"{opcode}{'' if opcode.endswith(';') else ';'}" for opcode in opcodes)
    report = ws.Module(kernel(text))["k"](1, 32, [np.zeros(4096, np.uint8)], target=target, **options)
    assert report.to_dict()["inexact"] == list(report.inexact)
    return report.inexact


#: instructions of PTX that are not modelled, and those of which some kinds are not
REFUSED = {
    "alloca", "istypep", "multimem", "stackrestore", "stacksave", "suld", "suq", "sust",
    "tcgen05", "tex", "txq", "vabsdiff", "vadd", "vmax", "vmin", "vset", "vshl", "vshr", "vsub",
}  # fmt: skip
REFUSED_IN_PART = {"cvt": ".rs", "mov": ".v4", "st": "st.bulk"}


def test_what_the_assembler_accepts_runs_or_is_refused_by_name() -> None:
    statements = json.loads(lzma.decompress((TRUTH / "run" / "statements.json.xz").read_bytes()))["statements"]
    line, modelled = kernel("").count("\n") - 3, 0
    for text in statements:
        opcode = text.split(" ")[0].rstrip(";")
        word = opcode.split(".")[0]
        refused = ws.Module(kernel(text))["k"].unsupported
        parts = REFUSED_IN_PART.get(word, "//")
        if word in REFUSED or any(part in opcode for part in ([parts] if isinstance(parts, str) else parts)):
            assert refused == ((line, opcode),), text
        else:
            assert refused == (), text
            modelled += 1
    compared("statements that the assembler accepts, decoded", modelled, at_least=3000)


F64 = "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.rn"
#: a load of what a compare-and-swap found, and what asks whether it held
SWAPPED = "atom.global.cas.b32 r1, [d0], r2, r3; ld.global.u32 r2, [d0];"
ASKED = "setp.eq.u32 p1, r1, r2; add.u32 r5, r2, 1;"


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("frobnicate.u32 r1, r2;", 1, "unknown instruction 'frobnicate'"),
        ("add.s33 r1, r2, r3;", 4, "does not have the qualifier '.s33'"),
        ("@p1 mul.rn.sat.foo.f32 f1, f2, f3;", 15, "'.foo'"),
        ("ld.global.v3.f32 f1, [d0];", 10, "'.v3'"),
        ("exit.now;", 5, "'.now'"),
        ("ld.global.v2.f32 {f1, f2, f3}, [d0];", 18, "as many registers as the instruction has elements"),
        ("st.global.f32 [d0], {f1, f2};", 21, "as many registers as the instruction has elements"),
        (
            f"{F64} {{d1, d2, d3, d4}}, {{d5, d6}}, {{d7, d8}}, {{d1, d2, d3, d4}};",
            75,
            "as many registers as the fragment has",
        ),
        (f"{F64} {{d1, d2}}, {{r5, r6}}, {{d7}}, {{d1, d2}};", 67, "as many registers as the fragment has"),
        (f"{F64} {{d1, d2}}, {{r5}}, {{d7}}, {{d1, d2}};", 68, "registers as wide as those of the fragment"),
        ("vadd2.u32.u32.u32 r1, r2.h4, r3, r4;", 23, "parts of the register, as .h10"),
        ("vmad.s32.s32.s32 r1, -r2, r3, -r4;", 1, "a negative product, or a negative addend"),
        ("vset4.u32.u32.eq r1, r2, r3;", 1, "a destination and three sources"),
        ("vmad.u32.u32.u32 r1, r2.b4, r3, r4;", 22, "expected one byte or one half of the register here"),
        ("vmad.u32.u32.u32 r1, r2, r3.h2, r4;", 26, "expected one byte or one half of the register here"),
        ("vmad.u32.u32.u32 r1, r2.h10, r3, r4;", 22, "expected one byte or one half of the register here"),
        ("vmad.u32.u32.u32 r1, r2, r3, r4.b1;", 30, "expected a whole register here"),
        ("vmad.u32.u32.u32 r1.b1, r2, r3, r4;", 18, "expected a whole register here"),
        ("vadd2.u32.u32.u32 r1, r2, r3, r4.h10;", 31, "expected a whole register here"),
        ("add.s32 r1, -r2, 3;", 13, "expected a whole register without a sign here"),
        ("add.s32 r1, r2.b0, 3;", 13, "expected a whole register without a sign here"),
        ("add.s32 5, r1, r2;", 9, "expected a register of the type of the instruction here"),
        ("add.s32 p1, r1, r2;", 9, "expected a register of the type of the instruction here"),
        ("add.s64 r1, d1, d2;", 9, "expected a register of the type of the instruction here"),
        ("add.s32 r1, r2, r3, r4;", 21, "expected no further operand"),
        ("mov.b32 r1, r2, r3;", 1, "mov has two operands"),
        ("bra fn2;", 1, "bra needs a label of this function"),
        ("bra r1;", 1, "bra needs a label of this function"),
        ("call (r1), fn, (r2, r3);", 1, "the call does not have as many operands as the function"),
        ("call (r1), fn;", 1, "the call does not have as many operands as the function"),
        ("call fn, (r2);", 1, "the call does not have as many operands as the function"),
        ("T: .branchtargets fn2;", 19, "'fn2' is not a label"),
        ("C: .calltargets done;", 17, "'done' is not declared"),
        ("T: .branchtargets done; call d1, T;", 34, "an indirect call needs a .callprototype or .calltargets"),
        ("C: .calltargets fn2; brx.idx r1, C;", 22, "brx.idx needs an index and a list of .branchtargets"),
        ("call (r1), fn, (r2), fn;", 22, "expected a .callprototype or .calltargets here"),
        ("call (r1), d1, (r2), fn;", 22, "expected a .callprototype or .calltargets here"),
        ("C: .calltargets fn; call (r1), fn, (r2), C;", 42, "only an indirect call takes a prototype"),
        ("C: .calltargets fn2; call 5, C;", 22, "call needs a function, or a register that has its address"),
        (f"{SWAPPED} bra; {ASKED}", len(SWAPPED) + 2, "bra needs a label of this function"),
        ("ld.global.u32 r1, [d0, r2];", 24, "expected no further part of the address"),
        ("ld.global.u32 r1, [d0, {r2}];", 24, "expected no further part of the address"),
        ("ld.param.u64 d1, [po, r2];", 23, "expected no further part of the address"),
        ("isspacep.global p1;", 1, "isspacep has two operands"),
        ("isspacep.global p1, d1, d2;", 1, "isspacep has two operands"),
        ("cp.async.ca.shared.global [sm], [d0], 5;", 39, "expected 4, 8 or 16 bytes here, with .cg 16"),
        ("cp.async.cg.shared.global [sm], [d0], 8;", 39, "expected 4, 8 or 16 bytes here, with .cg 16"),
    ],
)
def test_what_is_not_ptx_is_an_error_at_its_place(text: str, column: int, words: str) -> None:
    with pytest.raises(ws.PtxSyntaxError) as caught:
        ws.Module(kernel(text))["k"].unsupported  # noqa: B018
    assert f"column {column}: " in str(caught.value) and words in str(caught.value)


def test_what_is_not_ptx_is_an_error_in_its_line_where_the_word_is_split() -> None:
    text = kernel("add /* in two pieces */ .foo.s32 r1, r2, r3;")
    line = text[: text.index("add /*")].count("\n") + 1
    with pytest.raises(ws.PtxSyntaxError, match=rf"^line {line}, .*does not have the qualifier '\.foo'"):
        ws.Module(text)


SCALED = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"


@pytest.mark.parametrize(("ids", "wrong"), [("0, {r92}, {0, 0}", "0,"), ("{0, 0}, {r92}, {1}", "{1}")])
def test_the_factors_of_a_product_have_a_byte_and_a_thread(ids: str, wrong: str) -> None:
    whole = statement(SCALED)
    assert ws.Module(kernel(whole, "sm_120a"))["k"].unsupported == ()
    text = kernel(whole.replace("r91, {0, 0}, r92, {0, 0}", f"{{r91}}, {ids}"), "sm_120a")
    with pytest.raises(ws.PtxSyntaxError, match=r"expected \{byte-id, thread-id\} here") as caught:
        ws.Module(text)["k"].unsupported  # noqa: B018
    _, line, caret = str(caught.value).split("\n")
    assert line[caret.index("^") :].startswith(wrong)


@pytest.mark.parametrize("text", [f"{SWAPPED} brkpt; {ASKED}", f"atom.cas.v2.f32 f1, [d0]; {SWAPPED} {ASKED}"])
def test_statements_around_a_compare_and_swap_may_have_any_operands(text: str) -> None:
    assert len(ws.Module(kernel(text))["k"].unsupported) == text.count("v2")


def test_a_kernel_that_names_another_has_all_its_parameters() -> None:
    before = ".version 8.6\n.target sm_90a\n.address_size 64\n.entry small(.param .u32 n) { ret; }\n"
    text = (
        before + ".entry k(.param .u8 a, .param .u64 p) { .reg .b64 %d<3>; "
        "mov.u64 %d1, small; ld.param.u64 %d1, [p]; ld.param.u8 %d2, [a]; st.global.u64 [%d1], %d2; ret; }"
    )
    memory = np.zeros(1, np.uint64)
    ws.Module(text)["k"](1, 1, [7, memory])
    assert memory[0] == 7


def test_a_parameter_is_in_no_memory_of_the_module() -> None:
    with pytest.raises(ws.PtxSyntaxError, match=r"^line 2, .*expected a parameter in \.param or \.reg"):
        ws.Module(".version 8.6\n.target sm_90 .entry k(.global .u32 a) { ret; }")


@pytest.mark.slow
def test_video_instructions_give_what_the_hardware_gave() -> None:
    kept = json.loads(lzma.decompress((TRUTH / "run" / "video.json.xz").read_bytes()))
    inputs = np.frombuffer(base64.b64decode(kept["inputs"]), np.uint32)
    fetch = "".join(f"ld.global.u32 r{i + 2}, [d0+{512 * i}];\n" for i in range(3))
    place = "mov.u32 r8, %tid.x;\nmad.wide.u32 d0, r8, 4, d0;\n"
    for text, digest in kept["forms"]:
        memory = np.append(inputs, np.zeros(128, np.uint32))
        ws.Module(kernel(f"{place}{fetch}{text}\nst.global.u32 [d0+1536], r1;"))["k"](1, 128, [memory], count=False)
        assert hashlib.sha256(memory[384:].tobytes()).hexdigest()[:8] == digest, text
    compared("video instructions, run", len(kept["forms"]), at_least=2853)


HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
WHOLE = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32"


@pytest.mark.parametrize("threads", [1, 3])
def test_a_report_names_what_ran_without_an_exact_rule(threads: int) -> None:
    products = [statement(HALF), statement(WHOLE)]
    assert inexact(products, "sm_90a", threads=threads) == ()
    assert inexact(products, "sm_80", threads=threads) == (HALF,)
    jumped = ["setp.ne.u32 p1, 1, 1", f"@p1 {statement('lg2.approx.f32').replace('r2', '0f40000000')}"]
    assert inexact(["bra done;", *products], "sm_80", threads=threads) == ()
    assert inexact(jumped, "sm_90a", threads=threads) == ()
    folded = ["cos.approx.ftz.f32 r1, 0f40000000", "cos.approx.ftz.f32 r1, r2", "ex2.approx.f32 r1, 0f40000000"]
    assert inexact(folded, "sm_90a", threads=threads) == ("cos.approx.ftz.f32",)
    assert inexact(folded[1:], "sm_90a", threads=threads) == ()


@pytest.mark.parametrize("words", ["acq_rel.gpu.global.add", "global.gpu.acq_rel.add", "global.add.acq_rel.gpu", "add"])
def test_words_of_an_atomic_come_in_any_order(words: str) -> None:
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p) { .reg .b64 %d<2>; .reg .b32 %r<2>;"
    text += f" ld.param.u64 %d1, [p]; mov.u32 %r1, 2; atom.{words}.u32 %r0, [%d1], %r1; ret; }}"
    out = np.zeros(1, np.uint32)
    assert ws.Module(text)["k"](1, 32, [out]).ok and out[0] == 64


ORDERS = {
    "ld.global.relaxed.gpu.u32 %r1, [%d];": True,
    "ld.gpu.u32.relaxed.global %r1, [%d];": True,
    "ld.global.v2.relaxed.gpu.u32 {%r1, %r1}, [%d];": True,
    "st.global.gpu.release.u32 [%d], %r1;": True,
    "atom.add.global.gpu.acq_rel.u32 %r1, [%d], 1;": True,
    "red.u32.add.global.relaxed.gpu [%d], 1;": True,
    "ld.global.relaxed.relaxed.gpu.u32 %r1, [%d];": False,
    "ld.global.gpu.u32 %r1, [%d];": False,
    "mul.u32.lo %r1, %r1, 3;": False,
}


@pytest.mark.parametrize("statement", ORDERS)
def test_words_of_accesses_have_any_order(statement: str) -> None:
    """As ptxas takes them; those of other statements have one order."""
    text = ".version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 x) {\n"
    text += f".reg .b32 %r1; .reg .b64 %d; ld.param.u64 %d, [x]; mov.u32 %r1, 1;\n{statement}\nret; }}\n"
    if ORDERS[statement]:
        assert ws.Module(text)["k"](1, 1, [np.zeros(8, np.uint32)], check=False).steps >= 4
    else:
        with pytest.raises((ws.UnsupportedError, ws.PtxSyntaxError)):
            ws.Module(text)["k"](1, 1, [np.zeros(8, np.uint32)])
    compared("orders of words", 1, at_least=1)


OPERANDS = """.reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .f32 %f<3>; .reg .b128 %q; .reg .pred %p<4>;
ld.param.u64 %d1, [o]; mov.u32 %r1, 7; mov.u32 %r3, 9; mov.b64 %d2, 5; mov.f32 %f1, 0f3f800000;
mov.u16 %h1, 1; mov.u16 %h3, 3; setp.eq.u32 %p1, %r1, 7; setp.eq.u32 %p2, %r1, 8;
"""
#: statement -> what %r2 or %d3 then holds, as ptxas 13.0 and the PTX ISA have it; None: ptxas refuses it
REGISTERS: dict[str, int | None] = {
    "add.s32 %r2, %r1+4, 5;": 16, "add.s32 %r2, %r1+-4, 5;": 8, "mov.u32 %r2, %r1+4;": 11,
    "mad.lo.s32 %r2, %r1, %r1+1, %r1+-7;": 56, "cvt.u64.u32 %d3, %r1+4294967295;": 6, "mov.u64 %d3, %d2+4;": 9,
    "cvt.u32.u16 %r2, %h1+65535;": 0, "cvt.s64.s16 %d3, %h1+65534;": 2**64 - 1, "selp.u32 %r2, %r1+1, %r3+2, !%p1;": 11,
    "add.f32 %f2, %f1+4, %f1;": None, "mov.u32 %r2+4, 7;": None, "mov.u32 -%r2, 7;": None, "mov.u32 %r2.b0, 7;": None,
    "add.s32 %r2, !%r1, 5;": None, "cvt.u32.u32 %r2, -%r1;": None, "mov.u32 %r2, -%ntid.x;": None,
    "mov.u32 %r2, !%tid.x;": None, "mov.u32 %r2, !%laneid;": None, "mov.u32 %r2, %r1.b0;": None,
    "setp.eq.u32 1, 0, 5;": None,
    "mov.pred 1, 0;": None,
    "ret 7;": None,
    "mov.pred 0, %p1;": None,
    "setp.eq.u32 !%p3, 0, 0;": None, "setp.eq.u32 %p3+1, 0, 0;": None, "selp.u32 %r2, 1, 2, -%p1;": None,
    "@%p1+4 mov.u32 %r2, 3;": None, "@%p1.b0 mov.u32 %r2, 3;": None, "@!%p2 mov.u32 %r2, 3;": 3,
    "st.global.u32 [%d1.b0], %r1;": None, "mov.b16 %h2, {%h3}; cvt.u32.u16 %r2, %h2;": 3,
    "mov.b16 {%h2}, %h3; cvt.u32.u16 %r2, %h2;": 3, "mov.b32 %r2, {%r3};": 9, "mov.b64 {%d3}, %d2;": 5,
    "mov.b32 %r2, {1, 2, 3, 4};": 0x04030201, "mov.b64 %d3, {1, 2, 3, 4};": 0x0004000300020001,
    "mov.b64 %d3, {1, 2, 3, 4, 5, 6, 7, 8};": None, "mov.b32 %r2, {%h1, %h1, %h1};": None,
    "mov.b16 %h2, {1, 2, 3, 4};": None,
    "mov.u32 %r2, {%h1, %h3};": None, "mov.b64 {%h1, %h2, %h3}, %d2;": None,
    "setp.eq.and.s32 %p3, %r1, 7, %p2; selp.u32 %r2, 1, 2, %p3;": 2, "setp.eq.and.s32 %p3, %r1, 7;": None,
    "setp.eq.s32 %p3, %r1, 7, %p2;": None, "set.eq.or.u32.s32 %r2, %r1, 8, %p1;": 2**32 - 1,
    "set.eq.or.u32.s32 %r2, %r1, 8;": None, "set.eq.u32.s32 %r2, %r1, 8, %p1;": None,
}  # fmt: skip


def test_registers_have_offsets_signs_and_parts_where_the_assembler_takes_them() -> None:
    for statement_, value in REGISTERS.items():
        text = f".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 o) {{ {OPERANDS}"
        taken = "%d3" if "%d3" in statement_ else "%r2"
        text += f"{statement_} st.global.u{64 if taken == '%d3' else 32} [%d1], {taken}; ret; }}"
        out = np.zeros(1, np.uint64)
        if value is None:
            with pytest.raises((ws.PtxSyntaxError, ws.UnsupportedError)):
                ws.Module(text)["k"](1, 1, [out], check=False)
            continue
        report = ws.Module(text)["k"](1, 1, [out])
        assert report.ok and out[0] == value, (statement_, out)
    compared("registers with offsets, signs and parts", len(REGISTERS), at_least=47)


PRODUCT = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {D}, {%r4,%r5,%r6,%r7}, {%r4,%r5}, {0,0,0,0}{more};"
TRANSPOSED = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {blank}{{D}}{blank}, [s]{more};"


@pytest.mark.parametrize("destination", ["7,2,3,4", "0,0,0,0", "%ntid.x,%r1,%r2,%r3", "%r0,%r1,%r2,%r3"])
@pytest.mark.parametrize("more", ["", ", 5", ", 5, 6"])
@pytest.mark.parametrize("kind", [PRODUCT, TRANSPOSED])
@pytest.mark.parametrize("blank", ["", "/* ; */", "// ;\n"])
def test_a_fragment_is_written_to_registers(destination: str, more: str, kind: str, blank: str) -> None:
    """No constant is written, which all other statements read; no operand is too many; a comment ends no statement."""
    held = destination if kind == PRODUCT else destination.partition(",")[0]
    body = kind.replace("{D}", f"{{{held}}}").replace("{{", "{").replace("}}", "}")
    body = body.replace("{blank}", blank).replace("{more}", more)
    text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 o) {\n"
    text += ".shared .align 16 .b8 s[128]; .reg .b32 %r<9>; .reg .b64 %d; ld.param.u64 %d, [o]; mov.b32 %r4, 0;"
    text += (
        f" mov.b32 %r5, 0; mov.b32 %r6, 0; mov.b32 %r7, 0;\n{body}\nmov.u32 %r8, 7; st.global.u32 [%d], %r8; ret; }}"
    )
    out = np.zeros(1, np.uint32)
    if destination[0] == "%" and destination[1] == "r" and not more:
        ws.Module(text)["k"](1, 32, [out], check=False)
        assert out[0] == 7
        return
    with pytest.raises((ws.PtxSyntaxError, ws.UnsupportedError)):
        ws.Module(text)["k"](1, 32, [out], check=False)


SPARSE = (
    "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r5,%r5,%r5,%r5}, {%r5,%r5,%r5,%r5}, "
)


@pytest.mark.parametrize(
    ("selector", "fits"), [("0x0", True), ("1", True), ("%r5", False), ("4", False), ("4294967296", False)]
)
def test_a_selector_is_a_number_from_0_to_3(selector: str, fits: bool) -> None:
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b32 %r<6>; mov.b32 %r5, 0;\n"
    text += f"{SPARSE}{{%r5,%r5,%r5,%r5}}, %r5, {selector};\nret; }}"
    if fits:
        assert ws.Module(text)["k"](1, 32, [], check=False).ok
        return
    with pytest.raises(ws.PtxSyntaxError, match="expected 0 to 3 here"):
        ws.Module(text)["k"](1, 32, [], check=False)
