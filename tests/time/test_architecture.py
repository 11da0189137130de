"""Profiles of an SM: the user's constants, files of them, and what is wrong with them."""

import json
import math
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.support.evidence import compared

ROWS = [lane * 16 for lane in range(32)]


def constants(arch: ws.Arch) -> dict[str, float]:
    return {name: constant.value for name, constant in arch.constants.items()}


@given(
    st.dictionaries(
        st.sampled_from(list(ws.arch("sm_90").constants)[2:]),  # banks cannot be chosen
        st.floats(0.001, 1e5) | st.integers(1, 8),
        max_size=5,
    ),
    st.sampled_from(("sm_75", "sm_86", "sm_90a", "sm_103f")),
)  # fmt: skip
@settings(deadline=None, max_examples=40)
def test_files_bring_back_what_they_were_written_from(
    tmp_path_factory: Any, values: dict[str, float], target: str
) -> None:
    whole = ("sub_partitions", "shared_bytes_per_block")
    values = {
        n: min(8, math.ceil(v)) if n in whole else max(1, v) if n == "dense_fma" else v for n, v in values.items()
    }
    own = ws.arch(target).constants
    values = {name: value for name, value in values.items() if own[name].value != value}
    arch = ws.Arch(target, values)
    path = tmp_path_factory.mktemp("arch") / "own.toml"
    arch.to_file(path)
    again = ws.Arch.from_file(str(path))
    assert again == arch or {c.name: c.value for c in again.constants.values()} == constants(arch)
    for name, constant in again.constants.items():
        assert constant == arch.constants[name], name
        assert (constant.basis == "user") == (name in values), name
        if name in values:
            assert constant.error is None and constant.value == values[name]
    compared("constants written and read", len(own), at_least=30)


EXTREMES = (0, 5e-324, 1e-308, 1e-9, 2**-10, 1, 8, 1e6)


def test_whatever_profile_is_taken_gives_numbers_that_json_has() -> None:
    names, op = list(ws.arch("sm_90").constants)[2:], ws.Ldmatrix(num=4)
    taken = refused = 0
    profiles = [{name: value} for name in names for value in EXTREMES]
    for values in [*profiles, *(dict.fromkeys(names, value) for value in EXTREMES)]:
        try:
            arch = ws.Arch("sm_90", values)
        except ValueError:
            refused += 1
            continue
        taken += 1
        fits = arch.shared_bytes_per_block >= 4608
        reports = [ws.mainloop((32, 16, 16), (1, 1), target=arch)] if fits else []
        reports.append(op.cost(ROWS, target=arch))
        reports.append(ws.cost([(op, ROWS)], target=arch))
        assert json.dumps([report.to_dict() for report in reports], allow_nan=False)
    compared("extreme profiles", taken, at_least=150)
    assert refused > 10


def test_a_peak_of_nearly_nothing_is_refused() -> None:
    for name, least in (("dense_fma", "1"), ("mma_interval", "0.000976562")):
        with pytest.raises(ValueError, match=f"{name}: expected {least} or more, got 1e-308"):
            ws.Arch("sm_90", {name: 1e-308})


def test_missing_files_are_os_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ws.Arch.from_file(tmp_path / "nowhere.toml")


def test_files_may_leave_constants_out(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('target = "sm_86"\n[constants]\nload_latency = 25\nload_port = 2.0\n')
    arch = ws.Arch.from_file(path)
    assert arch == ws.Arch("sm_86", {"load_latency": 25})
    x4 = ws.Ldmatrix(num=4)
    assert x4.cost(ROWS, target=arch).latency == 25 + 8
    assert x4.cost(ROWS, target=arch).target == "sm_86"


def constant(**changed: Any) -> ws.Constant:
    values = {"name": "load_latency", "value": 23.5, "unit": "", "meaning": "", "basis": "measured"}
    return ws.Constant(**{**values, "source": "my bench", "error": 0.01, **changed})


def test_constants_keep_their_source_and_error_in_files(tmp_path: Path) -> None:
    arch = ws.Arch("rtx4090", {"load_latency": constant(), "load_port": 2.5})
    arch.to_file(tmp_path / "mine.toml")
    for again in (
        ws.arch(tmp_path / "mine.toml"),
        ws.arch(str(tmp_path / "mine.toml")),
        pickle.loads(pickle.dumps(arch)),
    ):
        assert again == arch and again.named == "sm_89 (GeForce RTX 4090)"
        found = again.constants["load_latency"]
        assert (found.value, found.basis, found.source, found.error) == (23.5, "measured", "my bench", 0.01)
        assert (found.unit, found.meaning) == tuple(
            getattr(ws.arch("sm_89").constants["load_latency"], name) for name in ("unit", "meaning")
        )
        assert "my bench" in ws.Ldmatrix(num=4).cost(ROWS, target=again).source
        assert again.constants["load_port"].basis == "user"
    assert ws.Ldmatrix(num=4).cost(ROWS, target=arch).latency == 23.5 + 8
    assert ws.arch("sm_89").with_values(load_latency=constant()).constants["load_latency"].value == 23.5


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"name": "load_port"}, "load_latency: expected a Constant of this name, got 'load_port'"),
        ({"value": math.nan}, "load_latency: expected a number, got nan"),
        ({"value": -1}, "load_latency: expected a number from 0"),
        ({"basis": "guessed"}, "load_latency: expected 'measured', "),
        ({"error": -0.1}, "load_latency: expected an error of 0 or more"),
        ({"error": "x"}, "load_latency: expected an error of 0 or more"),
        ({"source": "x" * 1001}, "load_latency: expected a source of at most 1000"),
        ({"source": "a\nb"}, "load_latency: expected a source of at most 1000"),
        ({"source": 7}, "load_latency: expected a source of at most 1000"),
    ],
)
def test_constants_that_are_none_are_named(changed: dict[str, Any], says: str) -> None:
    with pytest.raises((ValueError, TypeError), match=says):
        ws.Arch("sm_90", {"load_latency": constant(**changed)})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("load_latency = {value = 20}", "expected a number, or a table of value, basis, source and perhaps error"),
        ('load_latency = {value = 20, basis = "measured", source = "x", more = 1}', "expected a number, or a table"),
        ('load_latency = {value = "x", basis = "measured", source = "x"}', "expected a number, got 'x'"),
        ('load_latency = {value = 20, basis = 1, source = "x"}', "expected 'measured'"),
        ('load_latncy = {value = 20, basis = "measured", source = "x"}', "no such constant"),
    ],
)
def test_tables_in_files_that_are_none_are_named_with_their_file(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'target = "sm_90"\n[constants]\n{line}\n')
    with pytest.raises(ValueError, match=says) as error:
        ws.arch(path)
    assert "mine.toml" in str(error.value)


def test_a_file_that_is_missing_is_an_error_about_the_target(tmp_path: Path) -> None:
    for target in (tmp_path / "none.toml", str(tmp_path / "none.toml")):
        with pytest.raises(ValueError, match=r"target: cannot read '.*none\.toml': No such file"):
            ws.arch(target)
        with pytest.raises(ValueError, match="target: cannot read"):
            ws.mainloop((64, 64, 64), (2, 2), target=target)
