"""Statements of a text as values: what opcodes say, operands by kind, and where each is."""

from typing import Any

import pytest

from tests.support.evidence import compared
from tests.support.paths import ROOT
from warpsim import _engine as engine
from warpsim._engine.statement import Operand, Product, Statement

#: opcode -> what its row says, as the PTX ISA has it; what is left out is as below
PLAIN = {
    "is_known": True, "writes": True, "event": "none", "space": "generic", "element_bytes": 0, "nbytes": 0,
    "choice": "", "rounds": False, "is_strong": False, "is_noncoherent": False, "product": None,
    "source": "", "is_tensor": False,
}  # fmt: skip
WORD, WIDE = {"element_bytes": 4, "nbytes": 4}, {"element_bytes": 8, "nbytes": 8}
ROWS: dict[str, dict[str, Any]] = {
    "add.rn.f32": {"type": "f32", "rounds": True, **WORD},
    "mul.f16x2": {"type": "f16x2", **WORD},
    "mul.hi.s64": {"type": "s64", "choice": "hi", **WIDE},
    "mad.wide.u16": {"type": "u16", "choice": "wide", "element_bytes": 2, "nbytes": 2},
    "div.u32": {"type": "u32", "event": "divide", **WORD},
    "mov.b64": {"type": "b64", **WIDE},
    "cvt.rni.s32.f32": {"type": "f32", "rounds": True, **WORD},
    "cvta.to.global.u64": {"space": "global", "type": "u64", **WIDE},
    "isspacep.shared": {"space": "shared", "type": ""},
    "vadd4.u32.u32.u32.add": {"type": "u32", **WORD},
    "ld.param.u64": {"event": "load", "space": "param", "type": "u64", **WIDE},
    "ld.global.nc.v4.f32": {"event": "load", "space": "global", "type": "f32", "is_noncoherent": True,
                            "element_bytes": 4, "nbytes": 16},
    "ld.acquire.gpu.v2.b16": {"event": "load", "type": "b16", "is_strong": True, "element_bytes": 2, "nbytes": 4},
    "ldu.global.u32": {"event": "load", "space": "global", "type": "u32", **WORD},
    "st.volatile.shared::cluster.u8": {"event": "store", "writes": False, "space": "shared", "type": "u8",
                                       "is_strong": True, "element_bytes": 1, "nbytes": 1},
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32": {"event": "async_store", "writes": False,
                                                                  "space": "shared", "type": "u32", **WORD},
    "atom.global.add.u32": {"event": "atomic", "space": "global", "type": "u32", **WORD},
    "atom.shared.cas.b64": {"event": "swap", "space": "shared", "type": "b64", **WIDE},
    "red.exch": {"is_known": False, "type": ""},
    "red.local.add.u32": {"is_known": False, "space": "local", "type": ""},
    "red.global.max.s32": {"event": "atomic", "writes": False, "space": "global", "type": "s32", **WORD},
    "cp.async.cg.shared.global": {"event": "copy", "writes": False, "space": "shared", "source": "global", "type": ""},
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes": {
        "event": "bulk", "writes": False, "space": "shared", "source": "shared", "type": ""},
    "cp.async.bulk.prefetch.L2.global": {"event": "bulk", "writes": False, "space": "global", "type": ""},
    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group": {
        "event": "bulk", "writes": False, "space": "global", "source": "shared", "is_tensor": True, "type": ""},
    "cp.async.commit_group": {"event": "copy_commit", "writes": False, "type": ""},
    "cp.async.bulk.commit_group": {"event": "bulk_commit", "writes": False, "type": ""},
    "bar.sync": {"event": "barrier", "writes": False, "type": ""},
    "bar.red.popc.u32": {"event": "barrier", "type": "u32", **WORD},
    "shfl.sync.bfly.b32": {"event": "members", "type": "b32", **WORD},
    "vote.sync.any.pred": {"event": "members", "type": "pred"},
    "mbarrier.try_wait.parity.shared::cta.b64": {"event": "object_test_parity", "space": "shared", "type": "b64",
                                                 **WIDE},
    "fence.acq_rel.gpu": {"event": "fence", "writes": False, "type": ""},
    "bra.uni": {"event": "branch", "writes": False, "type": ""},
    "brx.idx": {"event": "branch", "writes": False, "type": ""},
    "call.uni": {"event": "call", "writes": False, "type": ""},
    "ret": {"event": "return", "writes": False, "type": ""},
    "exit": {"event": "exit", "writes": False, "type": ""},
    "trap": {"writes": False, "type": ""},
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16": {"event": "matrix", "space": "shared", "type": "b16"},
    "stmatrix.sync.aligned.m8n8.x1.shared.b16": {"event": "matrix", "writes": False, "space": "shared", "type": "b16"},
    "movmatrix.sync.aligned.m8n8.trans.b16": {"type": "b16"},
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16": {"event": "matrix", "space": "global", "type": "f16"},
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16": {"type": "", "product": (16, 16, 16, "f32", "f16", 1, False)},
    "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16": {"type": "",
                                                             "product": (16, 8, 32, "f16", "f16", 1, True)},
    "wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.s8": {"event": "product", "type": "",
                                                          "product": (64, 256, 32, "s32", "u8", 4, False)},
    "wgmma.fence.sync.aligned": {"event": "product_fence", "writes": False, "type": ""},
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32": {"is_known": False, "space": "shared", "type": ""},
    "": {"is_known": False, "type": ""},
}  # fmt: skip


@pytest.mark.parametrize("opcode", ROWS)
def test_row_says_what_the_opcode_does(opcode: str) -> None:
    expected = {"opcode": opcode, "name": opcode.split(".", maxsplit=1)[0], **PLAIN, **ROWS[opcode]}
    row = engine.row(opcode)
    assert row._asdict() == expected
    assert row.product is None or isinstance(row.product, Product)


TEXT = b""".version 8.0
.target sm_90
.address_size 64
.shared .align 16 .b8 tile[64];
.func (.reg .b32 r) twice (.reg .b32 x) { add.u32 r, x, x; ret; }
.visible .entry k(.param .u64 p)
{ .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %q<3>; .reg .b16 h, l;
  L: ld.param.u64 %d1, [p+8]; @!%q1 /* why */ st.shared.v2.b32
     [%d1+-4], {%r1, _};
  mov.b32 {h, l}, %r2; shfl.sync.up.b32 %r3|%q2, %r4, 1, 0, -1; mov.u32 %r5, %tid.x; mov.u32 %r6, tile+4;
  fma.rn.f32 %r7, %r1, 0f3F800000, %r7; call (%r8), twice, (%r1); vadd2.u32.u32.u32 %r1, %r2.h10, %r3, %r4;
  @%q2 bra L; M: wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1, %r2}, %d1, %d2, %q1, 1, 1, 0, 0; ret; }
"""


def statements() -> list[Statement]:
    module = engine.Module(TEXT)
    return [engine.statement(module, number) for number in range(module.statement_count)]


def test_operands_are_values_by_kind() -> None:
    found = statements()
    load, store, unpack, shuffle, special, address, fused, call, video, jump, product, _ = found[2:]
    assert [one.row.opcode for one in (load, unpack, call)] == ["ld.param.u64", "mov.b32", "call"]
    d1 = load.operands[0].number
    assert load.operands == (Operand("register", d1), Operand("address", load.operands[1].number, 8, "variable"))
    assert store.guard is not None and store.guard.is_negated and store.guard.kind == "register"
    assert store.operands[0] == Operand("address", d1, -4, "register")
    assert [part.kind for part in store.operands[1].parts] == ["register", "sink"]
    r1 = store.operands[1].parts[0].number
    assert store.defines == () and set(store.reads) == {d1, r1, store.guard.number}
    assert len(unpack.defines) == 2 and len(set(unpack.defines)) == 2 and len(unpack.reads) == 1
    assert shuffle.operands[0].kind == "pair" and len(shuffle.defines) == 2
    assert (shuffle.operands[-1].kind, shuffle.operands[-1].value) == ("integer", -1)
    assert special.operands[1] == Operand("special", 0, text="%tid") and special.reads == ()
    assert (address.operands[1].kind, address.operands[1].value) == ("variable", 4)
    assert (fused.operands[2].kind, fused.operands[2].value) == ("float32", 0x3F800000)
    assert fused.defines[0] in fused.reads and r1 in fused.reads
    assert [one.kind for one in call.operands] == ["parentheses", "function", "parentheses"]
    assert len(call.defines) == 1 and call.reads == (r1,)
    assert video.operands[1].text == ".h10" and video.operands[2].text == ""
    assert jump.operands[0].kind == "label" and jump.operands[0].number == load.number and jump.defines == ()
    assert set(product.defines) <= set(product.reads)  # it adds to them
    assert [one.number for one in found if one.is_label] == [load.number]  # nothing jumps to M
    assert not {*found[0].defines, *found[0].reads} & {name for one in found[2:] for name in (*one.defines, *one.reads)}


def test_places_are_those_of_the_text() -> None:
    module, text = engine.Module(TEXT), TEXT.decode()
    begins = [0, *(i + 1 for i, letter in enumerate(text) if letter == "\n")]
    found = statements()
    for one in found:
        assert begins[one.line - 1] + one.column - 1 == one.begin
        assert text[one.opcode_begin :].startswith(one.row.opcode)
        assert (one.begin == one.opcode_begin) == (one.guard is None)
        assert engine.statement_at(module, one.line, one.column) == one.number
        assert engine.statement_at(module, one.line, one.column + 1) == one.number
    assert engine.statement_at(module, 1, 1) is None and engine.statement_at(module, 0, 1) is None
    assert engine.statement_at(module, 99, 1) is None and engine.statement_at(module, 13, 1) == found[-1].number
    with pytest.raises(IndexError, match="14 statements"):
        engine.statement(module, 14)
    compared("statements at their places", len(found), at_least=14)


def test_every_statement_of_real_texts_has_a_row() -> None:
    known = 0
    for path in sorted((ROOT / "examples").rglob("*.ptx")):
        module = engine.Module(path.read_bytes())
        for number in range(module.statement_count):
            one = engine.statement(module, number)
            assert one.row.is_known, one
            assert (one.line, one.column, one.row.opcode) == module.place(number)
            assert not one.row.writes or one.defines, one
            known += 1
    compared("statements of examples with their rows", known, at_least=600)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".global .u32 x[2]={1};", [".global", ".u32", "x", "[", "2", "]", "=", "{", "1", "}", ";"]),
        ("@!%p1 bra $L_2; // x", ["@", "!", "%p1", "bra", "$L_2", ";"]),
        ("ld.shared::cta.v2 /* .b8 */ .f32", ["ld", ".shared", ":", ":", "cta", ".v2", ".f32"]),
        ('.file 1 "a // b\\"c" .loc', [".file", "1", '"a // b\\"c"', ".loc"]),
        ('"open\n. ;/', ['"', "open", ".", ";", "/"]),
        ("/* never ends", []),
        (" \t\n", []),
    ],
)
def test_tokens_are_words_strings_and_single_characters(text: str, expected: list[str]) -> None:
    assert [text[begin:end] for begin, end in engine.tokens(text.encode())] == expected
