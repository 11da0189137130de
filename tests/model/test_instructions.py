"""Instructions are values: what parse takes and refuses, and what a wrong argument is told."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import _core


def every_op() -> list[ws.DataMovement]:
    """One of every form, number and space that exists."""
    ops: list[ws.DataMovement] = [ws.Movmatrix()]
    ops += [ws.CpAsync(size, cache) for size in (4, 8, 16) for cache in ("ca",)] + [ws.CpAsync()]

    def try_all(make: Callable[..., ws.DataMovement], **fields: list[Any]) -> None:
        for index in np.ndindex(*map(len, fields.values())):
            chosen = {k: v[i] for (k, v), i in zip(fields.items(), index, strict=True)}
            try:
                ops.append(make(**chosen))
            except ws.UnsupportedError as error:
                assert len(str(error)) > 15

    matrix = dict(
        shape=[s for s in _core.SHAPES if s],
        num=[1, 2, 4],
        trans=[False, True],
        space=["", "shared", "shared::cta"],
        type=[t for t in _core.TYPES if t],
    )
    try_all(ws.Ldmatrix, **matrix)
    try_all(ws.Stmatrix, **matrix)
    plain = dict(space=list(_core.SPACES), vec=[1, 2, 4], type=[t for t in _core.TYPES if t])
    try_all(ws.Ld, **plain)
    try_all(ws.St, **plain)
    return ops


OPS = every_op()


def test_instructions_are_values() -> None:
    assert len(set(OPS)) == len(OPS)
    for op in OPS:
        again = ws.parse(op.ptx)
        assert again == op and hash(again) == hash(op) and type(again) is type(op)
        assert pickle.loads(pickle.dumps(op)) == op == copy.deepcopy(op)
        assert eval(repr(op), vars(ws)) == op  # a repr is the call that builds it
        assert _core.count_forms(op) == 1
        with pytest.raises(AttributeError):
            op.num = 7  # type: ignore[misc]
    compared("instructions round-tripped", len(OPS), at_least=250)
    assert ws.Ldmatrix() != ws.Stmatrix() and ws.Ldmatrix() != "ldmatrix"


def test_properties_follow_the_contract() -> None:
    assert (ws.Ldmatrix(num=2).num_registers, ws.Ldmatrix(num=2).row_lanes) == (2, 16)
    wide = ws.Ldmatrix("m16n16", 2, True, type="b8")
    assert (wide.num_registers, wide.row_lanes) == (4, 32)
    assert ws.Ldmatrix("m16n16", 1, True, type="b8").row_lanes == 16
    assert (ws.Movmatrix().row_lanes, ws.Movmatrix().num_registers) == (0, 1)
    assert (ws.Ld(type="b64", vec=2).register_bits, ws.Ld(type="b64", vec=2).num_registers) == (64, 2)
    assert ws.Ld(type="f32").register_bits == 32 and ws.Ld().row_lanes == 32
    assert ws.CpAsync().ptx == "cp.async.cg.shared.global [dst], [src], 16;"
    assert ws.Ld().fragment is None and ws.CpAsync().fragment is None
    assert ws.Ldmatrix().fragment_for("sm_75") == ws.Ldmatrix().fragment


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b8", ws.UnsupportedError, "expected .b16"),
        ("ldmatrix.sync.aligned.m16n16.x1.shared.b8", ws.UnsupportedError, "with .trans"),
        ("ldmatrix.sync.aligned.m8n8.x3.shared.b16", ws.PtxSyntaxError, "no qualifier '.x3'"),
        ("ldmatrix.sync.aligned.m8n8.x8.shared.b16", ws.UnsupportedError, ".x1, .x2 or .x4"),
        ("ldmatrix.sync.aligned.m8n8.x4.global.b16", ws.UnsupportedError, "state space"),
        ("ldmatrix.sync.m8n8.x4.shared.b16", ws.UnsupportedError, "needs .aligned"),
        ("ldmatrix.sync.sync.aligned.m8n8.x4.shared.b16", ws.UnsupportedError, "too many"),
        ("ldmatrix.sync.aligned.row.m8n8.x4.shared.b16", ws.UnsupportedError, "does not take"),
        ("ldmatrix.SYNC.aligned.m8n8.x4.shared.b16", ws.PtxSyntaxError, "'.SYNC'"),
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r0}, [a];", ws.PtxSyntaxError, "2 registers"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {_}, [a];", ws.PtxSyntaxError, "not '_'"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [a-16];", ws.PtxSyntaxError, "found '-'"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [a]", ws.PtxSyntaxError, "';'"),
        ("ld.volatile.shared.b32", ws.UnsupportedError, "not modelled"),
        ("ld.shared.L2::128B.b32", ws.UnsupportedError, "not modelled"),
        ("ld.shared.v4.b64", ws.UnsupportedError, "16 bytes"),
        ("cp.async.cg.shared.global [a], [b], 16, r1;", ws.UnsupportedError, "not modelled"),
        ("cp.async.cg.shared.global [a], [b], 8;", ws.UnsupportedError, "16 bytes, not 8"),
        ("cp.async.ca.shared.global", ws.UnsupportedError, "size"),
        ("wgmma.mma_async.sync.aligned", ws.PtxSyntaxError, "unknown instruction 'wgmma"),
        ("ld.shared.b32 r0, [a+0x80000000];", ws.UnsupportedError, "signed 32-bit"),
        ("ld.shared.b32 r0, [a+-0x80000001];", ws.UnsupportedError, "signed 32-bit"),
        ("ld.shared.b32 WARP_SZ, [a];", ws.PtxSyntaxError, "a register"),
        ("ld.shared.u32 é", ws.PtxSyntaxError, "found"),
        ("", ws.PtxSyntaxError, "end of the text"),
        ("ldmatrix.sync\0", ws.PtxSyntaxError, "found"),
        ("ldmatrix.sync.aligned.m8n8.x1.b16 /* ", ws.PtxSyntaxError, "does not end"),
    ],
)
def test_parse_refuses_with_a_reason(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        ws.parse(text)
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, ws.WarpsimError)


def test_parse_error_points_at_the_place() -> None:
    with pytest.raises(ws.PtxSyntaxError) as caught:
        ws.parse("  ldmatrix.sync\n  .aligned.bogus.m8n8")
    assert caught.value.column == 27
    message, line, caret = str(caught.value).splitlines()
    assert "'.bogus'" in message
    assert line[caret.index("^") :].startswith("bogus") and caret.count("^") == 5
    assert pickle.loads(pickle.dumps(caught.value)).column == 27
    with pytest.raises(ws.PtxSyntaxError) as caught:
        ws.parse("/* überlang */ ldmatrix.böse")
    assert caught.value.column == 24 and "'.böse'" in str(caught.value)  # characters, not bytes


def test_parse_takes_what_the_assembler_takes() -> None:
    wanted = ws.Ldmatrix(num=2, trans=True)
    for text in (
        "ldmatrix.b16.shared.trans.x2.m8n8.aligned.sync",
        "@!%p1 ldmatrix .sync\n.aligned /* c */ .m8n8.x2.trans.shared.b16 {%r1, _}, [%rd1+-16]; //",
        "$L__BB0_2: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {r1,r1}, [smem+4*4];",
        "{ ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {r1,r2}, [a+24]; }",
    ):
        assert ws.parse(text) == wanted
    assert ws.parse("st.shared.v2.b32 [a], {r1, 7};") == ws.St(vec=2)
    assert ws.parse("ld.shared.b32 r0, [a+0x7fffffff];") == ws.Ld()
    assert ws.parse("ld.shared.b32 r0, [a+-0x80000000];") == ws.Ld()
    assert ws.parse("cp.async.shared::cta.global.ca [a], [b], 4+4;") == ws.CpAsync(8, "ca")
    assert ws.parse("movmatrix.sync.aligned.m8n8.trans.b16 d, a;") == ws.Movmatrix()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ws.Ldmatrix(shape="m9n9"), ValueError, "shape: expected one of"),
        (lambda: ws.Ldmatrix(num="4"), TypeError, "num: expected an int"),
        (lambda: ws.Ldmatrix(num=2**70), ws.UnsupportedError, ".x1, .x2 or .x4"),
        (lambda: ws.Ldmatrix(num=-1), ws.UnsupportedError, ".x1, .x2 or .x4"),
        (lambda: ws.Ldmatrix(trans="yes"), TypeError, "trans: expected a bool"),
        (lambda: ws.Ldmatrix(type=None), TypeError, "type: expected a str"),
        (lambda: ws.parse(7), TypeError, "text: expected a str"),
        (lambda: ws.Ldmatrix().legality("sm_91", "8.0"), ValueError, "target: expected one of"),
        (lambda: ws.Ldmatrix().legality("sm_90", "8.9"), ValueError, "ptx_version: expected"),
        (lambda: ws.Ldmatrix().legality("sm_90", "10.0"), ValueError, "ptx_version: expected"),
        (lambda: ws.Ldmatrix().legality("sm_90", 8.0), TypeError, "ptx_version: expected a str"),
        (lambda: ws.SharedMemory(-1), ValueError, "storage: expected 0 or more"),
        (lambda: ws.SharedMemory(2.5), TypeError, "storage: expected a number"),
        (lambda: ws.SharedMemory(np.zeros((4, 4))[:, ::2]), ValueError, "C-contiguous"),
        (lambda: ws.SharedMemory(np.array([None])), TypeError, "plain numbers"),
        (lambda: ws.SharedMemory(16, base=2**32 - 8), ValueError, "base: 16 bytes"),
        (lambda: ws.SharedMemory(16).view("f4", 5), ValueError, "needs 20 bytes"),
        (lambda: ws.SharedMemory(16).view("f4", 1, -4), ValueError, "offset -4"),
        (lambda: ws.AddressSpace(ws.GlobalMemory(1)), TypeError, "shared: expected a SharedMemory"),
        (lambda: ws.AddressSpace(shared_window=5), ValueError, "multiple of 2**24"),
        (
            lambda: ws.AddressSpace(None, ws.GlobalMemory(16, base=0x7FFF_0000_0000)),
            ValueError,
            "overlaps the shared window",
        ),
    ],
)
def test_bad_values_are_refused_by_name(call: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)
