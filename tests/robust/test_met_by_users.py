"""What new users ran into, and what they get now; those with a topic of their own are tested with it."""

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from warpsim import cli
from warpsim.kernel.specs import value_of

X4 = ws.Ldmatrix(num=4)


def _padded(pad: int) -> ws.TileReport:
    return ws.tile(ws.Layout(64, 64, "f16", pad=pad), store=ws.St(vec=4), load=X4)


@pytest.mark.parametrize("name", ["f16", "half", "fp16", "float16"])
def test_names_of_halves_are_two_bytes_or_are_refused(name: str) -> None:
    try:
        found = ws.SharedMemory(65536).view(name, (64, 64)).dtype
    except (TypeError, ValueError) as error:
        assert "did you mean" in str(error)
        return
    assert found == np.float16


def test_sixteen_byte_floats_are_refused() -> None:
    for name in ("f128", "float128", "longdouble"):
        with pytest.raises((TypeError, ValueError), match="dtype: "):
            ws.SharedMemory(65536).view(name, (4, 4))


def test_a_layout_for_addresses_says_what_to_pass() -> None:
    with pytest.raises(TypeError, match=r"got Layout; pass layout\.addresses\(op\)"):
        X4.traffic(ws.Layout(64, 64, "f16"))  # type: ignore[arg-type]


def test_completion_offers_public_names() -> None:
    modules = {name for name in dir(ws) if isinstance(getattr(ws, name), types.ModuleType)}
    assert set(dir(ws)) == set(ws.__all__) and modules == {"dtypes", "testing"}


def test_legality_needs_no_version() -> None:
    assert X4.legality("sm_90").ok and X4.legality("h100").ok


def test_sweep_keeps_the_counters_of_a_tile() -> None:
    found = ws.sweep(_padded, {"pad": [0, 8]})
    assert found["store_wavefronts"].tolist() == [64, 64] and found["load_wavefronts"].tolist() == [512, 64]
    assert found["load_bank_conflicts"].tolist() == [448, 0]


def test_bfloat16_without_ml_dtypes_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpsim.numpy_types._extra_types", dict)
    for name in ("bf16", "e4m3"):
        with pytest.raises(TypeError, match=rf"'{name}' needs ml_dtypes: pip install 'warpsim\[dtypes\]'"):
            ws.SharedMemory(64).view(name, (4, 4))


STEPS = np.arange(32) * 16


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ws.Layout(8, 8, "f16", pad=-1), "pad: expected 0 to 16777215, got -1"),
        (lambda: ws.Layout(8, 8, "f16", pad=2**24), "pad: expected 0 to 16777215, got 16777216"),
        (lambda: ws.Layout(2**24, 8, "f16"), "rows: expected 1 to 16777215, got 16777216"),
        (lambda: ws.Layout(8, 2**70, "f16"), f"cols: expected 1 to 16777215, got {2**70}"),
        (lambda: ws.Swizzle(30, 0, 30), r"Swizzle: expected M \+ B \+ \|S\| <= 32, got <30, 0, 30>"),
        (lambda: ws.Capture("x\0"), r"path: expected the name of a file, got a zero byte in 'x\\x00'"),
        (
            lambda: ws.cost([(X4.ptx, STEPS)]),
            r"steps\[0\]: expected \(op, address\) with an Instruction as op, got str; ws.parse makes it",
        ),
        (
            lambda: ws.cost([(X4, STEPS), (4, STEPS)]),
            r"steps\[1\]: expected \(op, address\) with an Instruction as op, got int$",
        ),
        (lambda: ws.cost([(X4,)]), r"steps\[0\]: expected \(op, address\) or"),
    ],
)
def test_messages_name_the_limit_and_what_was_given(call: Callable[[], object], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{said}"):
        call()


def test_the_largest_layout_is_taken() -> None:
    assert ws.Layout(2**24 - 1, 1, "b8").rows == ws.Layout(1, 8, "b8", pad=2**24 - 9).pad + 8 == 2**24 - 1


HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
POINTER = HEAD + ".visible .entry k(.param .u64 p) { ret; }"


@pytest.mark.parametrize("value", [[1], {}, (1,), "x", range(3), b"abc", bytearray(3), memoryview(b"abc")])
def test_what_is_no_array_for_a_pointer_says_what_to_pass(value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"pass a NumPy array$"):
        ws.Module(POINTER)["k"](1, 1, (value,))


def test_a_long_opcode_is_cut_in_the_message() -> None:
    for qualifiers, is_whole in ((40, True), (100_000, False)):
        opcode = "tcgen05" + ".ld" * qualifiers
        with pytest.raises(ws.UnsupportedError) as caught:
            ws.Module(f"{HEAD}.visible .entry k() {{ {opcode}; ret; }}")["k"](1, 1, ())
        assert len(str(caught.value)) < 500 and (opcode in str(caught.value)) == is_whole


def test_one_is_no_plural() -> None:
    text = HEAD + (
        ".visible .entry k(.param .u64 p) .maxntid 1 { .reg .b64 %d; .shared .b32 s; ld.param.u64 %d, [p];"
        " st.global.u32 [%d], 7; st.shared.u32 [s], 1; ret; }"
    )
    kernel, out = ws.Module(text)["k"], np.zeros(1, np.uint32)
    said = str(kernel(1, 1, (out,)))
    assert "global accesses: 1 sector, not excessive" in said and "shared accesses: 1 wavefront, not excessive" in said
    calls: tuple[tuple[int, dict[str, Any], str], ...] = ((2, {}, "1 thread "), (1, {"blocks": [0, 0]}, "1 index,"))
    for block, options, one in calls:
        with pytest.raises(ValueError, match=f"expected at most {one}"):
            kernel(1, block, (out,), **options)


@pytest.mark.parametrize("text", ["u32[\u0663]", "u32[3]:random(\u0663)", "\u0663", "\u0663.5", "0x\u0663"])
def test_digits_of_other_scripts_are_no_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r"^--arg: p="):
        value_of(text, f"p={text}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("search 64x64:f16 --load ld.global.b32", "--load: expected an instruction on shared memory"),
        ("tile 64x64:f16 --store ld.shared.f32 --load ld.shared.f32", "--store: expected stmatrix, st or cp.async"),
        ("search 64x64:f16" + " --load ld.shared.f32" * 17, "--load: expected at most 16 values"),
        (
            "search 64x64:f16" + " --load ld.shared.f32" * 16 + " --store st.shared.f32",
            "--store, --load: expected at most 16 instructions, got 17",
        ),
    ],
)
def test_errors_of_options_that_repeat_name_them(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words.split()) != 0
    assert f"warpsim: {said}" in capsys.readouterr().err
