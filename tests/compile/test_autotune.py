"""Autotuned functions of Triton: each configuration is launched, the best one's results are kept."""

import json
import math
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import DOCS, EXAMPLES
from warpsim import cli
from warpsim.compile.triton_launch import function_of

triton = pytest.importorskip("triton")
from tests.compile import triton_kernels as kernels  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
M, N, K = 96, 80, 70


def matrices() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(22)
    a, b = (random.integers(-3, 4, shape).astype(np.float16) for shape in ((M, K), (K, N)))
    return a, b, np.full((M, N), -1, np.float32)


def blocks(meta: dict[str, Any]) -> tuple[int, int]:
    return -(-meta["m"] // meta["rows"]), -(-meta["n"] // meta["columns"])


def test_configurations_are_ranked_and_the_best_is_kept() -> None:
    a, b, c = matrices()
    tuning = ws.triton.tune(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80")
    assert len(tuning) == 5 and len(tuning.failed) == 2 and tuning.best is tuning[0] and tuning.ok
    assert np.array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
    compared("elements of the best configuration", c.size, at_least=7_000)
    ran = [one for one in tuning if one.report is not None]
    assert [one.cycles for one in ran] == sorted(one.cycles for one in ran)
    for one in ran:
        assert one.report is not None and one.parts is not None
        assert one.cycles == max(one.parts.values()) == one.parts[one.bound_by] > 0
        assert one.grid == (*blocks({**one.values, "m": M, "n": N}), 1)
        assert one.counters["wavefronts"] == one.report.traffic.wavefronts and one.errors == 0
        assert one.registers is not None and 8 < one.registers < 256
        assert (
            one.blocks_per_sm
            == ws.occupancy(one.values["num_warps"] * 32, one.registers, one.shared_bytes, target="sm_80").blocks
        )
    reasons = {one.values["rows"]: one.reason for one in tuning.failed}
    assert "a block has at most 166,912 on sm_80" in reasons[256] and "power of 2" in reasons[24]
    assert tuning.notes == ("prune_configs_by left out 1 of 6 configurations",)


def test_bound_is_what_the_counters_give() -> None:
    a, b, c = matrices()
    one = ws.triton.tune(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80")[0]
    assert one.report is not None and one.parts is not None
    grid = math.prod(one.grid)
    rounds = -(-grid // 108)
    share, alone = rounds / grid, max(rounds, 4 / one.values["num_warps"]) / grid  # of a warp: one sub-partition
    products = sum(count for opcode, count in one.report.instructions.items() if opcode.startswith("mma.sync"))
    assert products > 0
    assert one.parts["LSU data"] >= one.report.traffic.wavefronts * share
    assert one.parts["L2"] == pytest.approx(one.counters["sectors"] / 2 * share)
    assert one.parts["tensor"] == pytest.approx(products * 16 * 8 * 16 / 1024 * alone)
    assert 0 < one.least <= one.cycles == one.report.bounds("sm_80").estimate


def test_result_is_text_plain_values_and_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    a, b, c = matrices()
    tuning = ws.triton.tune(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80")
    best = tuning.best
    assert best is not None
    text = str(tuning)
    assert max(map(len, text.splitlines())) <= 80 and best.name in " ".join(text.split())
    assert "did not run:" in text and "rows=24" in text
    found = json.loads(json.dumps(tuning.to_dict()))
    assert found["schema"] == "warpsim.tuning/1" and found["best"] == best.name
    assert [one["name"] for one in found["configurations"]] == [one.name for one in tuning]
    frame = tuning.dataframe()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 5
    assert frame.iloc[0]["rows"] == best.values["rows"] and frame.iloc[0]["cycles"] == best.cycles
    page = tuning.html()
    assert best.name in page and "<script" not in page
    assert repr(tuning) == f"<Tuning of tuned_matmul: 5 configurations, best {best.name}>"


def test_calling_it_reports_the_best() -> None:
    a, b, c = matrices()
    report = ws.triton(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80")
    again = ws.triton.tune(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80").best
    assert again is not None and report == again.report
    assert np.array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


def test_each_configuration_begins_with_the_same_arrays() -> None:
    x = np.arange(1000, dtype=np.int32) % 7
    counts = np.full(7, 5, np.int32)
    tuning = ws.triton.tune(
        kernels.tuned_histogram, x, counts, 1000, grid=lambda meta: (-(-1000 // meta["width"]),), target="sm_80"
    )
    assert not tuning.failed and np.array_equal(counts, np.bincount(x, minlength=7))
    fresh = ws.uninitialized(1000, np.int32)
    ws.triton(kernels.tuned, fresh, 1000, grid=lambda meta: (-(-meta["n"] // meta["width"]),))
    assert np.array_equal(fresh, np.arange(1000))


def test_pruning_that_fails_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("no GPU")

    monkeypatch.setattr(kernels.tuned_matmul, "early_config_prune", fails)
    tuning = ws.triton.tune(kernels.tuned_matmul, *matrices(), M, N, K, grid=blocks, target="sm_80")
    assert tuning.notes == ("prune_configs_by failed, so that all are tried: RuntimeError: no GPU",)
    assert len(tuning) == 6 and tuning.ok


def test_what_cannot_be_tuned_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ws.UnsupportedError, match="softmax has no configurations"):
        ws.triton.tune(kernels.softmax, None, None, 3, grid=1, width=4)
    monkeypatch.setattr(kernels.tuned_matmul, "configs", kernels.BLOCKS[3:5])
    a, b, c = matrices()
    with pytest.raises(ws.UnsupportedError, match="none of its configurations runs"):
        ws.triton(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80")
    assert (c == -1).all()
    tuning = ws.triton.tune(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80")
    assert tuning.best is None and not tuning.ok and "No configuration ran." in str(tuning)
    with pytest.raises(ValueError, match="rows: the configurations of autotuning give it"):
        function_of(kernels.tuned_matmul).configured((), {"rows": 32}, kernels.BLOCKS[0])


def test_command_line_prints_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b, _ = matrices()
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    words = [
        "run", str(Path(kernels.__file__)), "--kernel", "tuned_matmul", "--grid", "cdiv(m, rows), cdiv(n, columns)",
        "--arg", f"a=f16[{M},{K}]:{tmp_path / 'a.npy'}", "--arg", f"b=f16[{K},{N}]:{tmp_path / 'b.npy'}",
        "--arg", f"c=f32[{M},{N}]", "--arg", f"m={M}", "--arg", f"n={N}", "--arg", f"k={K}",
        "--target", "sm_80",
    ]  # fmt: skip
    assert cli.main([*words, "--save", f"c={tmp_path / 'c.npy'}"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("tuned_matmul: 5 configurations, sm_80\nBest: rows=") and "did not run:" in text
    assert "no findings" in text
    assert np.array_equal(np.load(tmp_path / "c.npy"), a.astype(np.float32) @ b.astype(np.float32))
    assert cli.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "warpsim.kernel/1" and found["tuning"]["schema"] == "warpsim.tuning/1"
    assert len(found["tuning"]["configurations"]) == 5
    assert cli.main([*words[:5], "cdiv(m, lost)", *words[6:]]) == 2
    assert "'lost' is not a whole number among the arguments" in " ".join(capsys.readouterr().err.split())


@pytest.mark.slow
@pytest.mark.skipif(not triton.__version__.startswith("3.9."), reason="the page has what Triton 3.9 makes")
def test_page_has_the_table_of_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "howto" / "cuda_source.md").read_text()
    command = page[page.index("warpsim run examples/kernels/matmul.py") :].partition("```")[0].replace("\\\n", " ")
    words = [word.replace("examples/", f"{EXAMPLES}/", 1) for word in shlex.split(command)[1:]]
    assert cli.main(words) == 0
    table = capsys.readouterr().out.partition("\n\nmatmul: grid")[0]
    assert "did not run:" in table and f"```text\n{table}\n```" in page


def test_an_array_that_the_best_configuration_wrote_is_written() -> None:
    a, b, _ = matrices()
    c = ws.uninitialized((M, N), np.float32)
    tuning = ws.triton.tune(kernels.tuned_matmul, a, b, c, M, N, K, grid=blocks, target="sm_80")
    assert tuning.failed and c.was_launched
    failing = ws.uninitialized(1000, np.int32)
    ws.triton.tune(kernels.tuned, failing, 1000, grid=1, launch={"shared_bytes": -1})
    assert not failing.was_launched
