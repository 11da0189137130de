"""What new users ran into, and what they get now; those with a topic of their own are tested with it."""

import types

import numpy as np
import pytest

import warpsim as ws

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
