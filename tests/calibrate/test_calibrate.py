"""`warpsim calibrate` before a GPU of the tests that takes the times of an H100: what it says, refuses and writes."""

import json
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from docs.make import cost_evidence
from tests.calibrate.fake_gpu import H200, FakeCuda, FakeNvml
from tests.support.evidence import compared
from warpsim import cli
from warpsim.calibrate import driver
from warpsim.calibrate.compare import cases
from warpsim.calibrate.probes import every
from warpsim.cli.table import COMMANDS

SM, SHARED = 90, 232448
Words = tuple[int, ...]
ALL = len(ws.arch("sm_90").constants)


@cache
def recorded() -> dict[tuple[str, int, int, int], dict[Words, int]]:
    """Text, warps, passes and running warps of a launch -> what the host wrote before it -> cycles on an H100."""
    file = cost_evidence.device("calibrate_h100")
    found: dict[tuple[str, int, int, int], dict[Words, int]] = {}
    for kind, probes in (("calibrations", every()), ("comparisons", [held.probe for held in cases(SM, SHARED)])):
        spans = file[kind][0]["spans"]
        for probe in probes:
            for launch in probe.launches if probe.name in spans else ():
                words = tuple(value for row in launch.rows for value in row)
                key = (probe.text(SM), launch.warps, launch.passes, launch.running)
                found.setdefault(key, {})[words] = spans[probe.name][launch.label][0][1]
    return found


def gpu(**rest: Any) -> FakeCuda:
    """A GPU that takes the recorded times."""

    def cycles(text: str, warps: int, passes: int, running: int) -> int:
        found = recorded()[text, warps, passes, running]
        return found[made.written] if len(found) > 1 else next(iter(found.values()))

    made = FakeCuda(cycles, name="NVIDIA H100 80GB HBM3", **rest)
    return made


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the command on a machine with these libraries: its exit status, output and messages."""

    def run(cuda: Any, *words: str, nvml: Any = None) -> tuple[int, str, str]:
        monkeypatch.setattr(
            driver, "library", {driver.CUDA: cuda, driver.NVML: FakeNvml() if nvml is None else nvml or None}.get
        )
        status = cli.main(["calibrate", *words])
        done = capsys.readouterr()
        return status, done.out, done.err

    return run


def sentence(said: str) -> str:
    assert said.startswith("warpsim: ") and said.count("\n") == 1 and len(said) < 200, said
    return said


REFUSED: dict[str, tuple[Any, Any, str]] = {
    "no driver": (lambda: None, None, "is not on this machine"),
    "no device": (lambda: gpu(devices=0), None, "the driver finds none"),
    "busy": (gpu, FakeNvml(busy=80), "the GPU is busy: kernels of other programs ran in 80 %"),
    "hot": (gpu, FakeNvml(reasons=0x20), "the GPU slows itself down: heat"),
    "braked": (gpu, FakeNvml(reasons=0x80 | 0x8), "hardware slowdown and power brake"),
    "slower": (lambda: gpu(mhz=(1980,) * 12 + (1600,)), None, "clock went from 1980 to 1600 MHz"),
    "shared": (lambda: FakeCuda(lambda *_: next(RISING)), None, "the same loads took"),
    "stopped": (lambda: FakeCuda(lambda *_: 0), None, "cycle counter stands still"),
}
RISING = iter(range(1000, 10**9))


@pytest.mark.parametrize("why", REFUSED)
def test_a_gpu_that_is_not_there_or_not_fit_is_one_sentence_and_2(why: str, on: Any, tmp_path: Path) -> None:
    made, nvml, words = REFUSED[why]
    for more in ((), ("--compare",)):
        if more and why in ("shared", "stopped"):
            continue
        status, out, said = on(
            made(), "-o", str(tmp_path / "my_gpu.toml" if not more else tmp_path / "x.json"), *more, nvml=nvml
        )
        assert (status, out) == (2, "") and words in sentence(said)
    assert not list(tmp_path.iterdir())


def test_a_gpu_that_is_lost_in_the_middle_leaves_no_file(on: Any, tmp_path: Path) -> None:
    whole = gpu()
    assert on(whole, "-o", str(tmp_path / "whole.toml"))[0] == 0
    (tmp_path / "whole.toml").unlink()
    (tmp_path / "kept.toml").write_text("as before")
    points = (1, 2, 12, 100, 500, 1000, whole.launches // 2, whole.launches - 1)
    for lost_after in points:
        status, out, said = on(gpu(lost_after=lost_after), "-o", str(tmp_path / "kept.toml"))
        assert (status, out) == (2, "")
        assert "the GPU stopped answering: cuCtxSynchronize says CUDA_ERROR_LAUNCH_FAILED" in sentence(said)
        assert [path.name for path in tmp_path.iterdir()] == ["kept.toml"]
        assert (tmp_path / "kept.toml").read_text() == "as before"
    compared("launches at which the GPU was lost", len(points), at_least=8)


def test_a_good_run_writes_the_profile_and_says_what_is_in_it(on: Any, tmp_path: Path) -> None:
    path = tmp_path / "my_gpu.toml"
    status, out, said = on(gpu(), "-o", str(path))
    assert (status, out) == (0, "")
    assert said.startswith(f"warpsim: NVIDIA H100 80GB HBM3: 24 of {ALL} constants measured")
    arch = ws.arch(path)
    for name, constant in arch.constants.items():
        line = next(line for line in said.splitlines() if line.split()[0] == name)
        if "warpsim calibrate" in constant.source:
            assert f"{100 * (constant.error or 0):.1f} %" in line and ("measured" in line or "moved" in line)
        else:
            assert line.endswith("kept")
    assert "not measured: mma e4m3 f32: the tensor cores of sm_90 do not have it" in said
    assert arch.constants["load_latency"].value == 21 and arch.target == "sm_90" and arch.product == "H100"
    assert [one.name for one in tmp_path.iterdir()] == ["my_gpu.toml"]
    text = on(gpu())
    assert text[0] == 0 and text[1].splitlines()[1:] == said.splitlines()[1:]


def test_without_nvml_the_clocks_alone_are_watched(on: Any, tmp_path: Path) -> None:
    status, _, said = on(gpu(), "-o", str(tmp_path / "my_gpu.toml"), nvml=False)
    assert status == 0 and "24 of" in said
    assert on(gpu(mhz=(1980,) * 12 + (1600,)), nvml=False)[0] == 2


def test_measurements_that_were_kept_give_the_same_profile_again(on: Any, tmp_path: Path) -> None:
    kept, again = tmp_path / "kept.json", tmp_path / "again.toml"
    assert on(gpu(), "-o", str(kept))[0] == 0
    found = json.loads(kept.read_text())
    assert found["schema"] == "warpsim.calibration/1" and len(found["constants"]) == ALL
    assert sum(row["measured"] for row in found["constants"]) == 24
    assert on(None, "--from", str(kept), "-o", str(again))[0] == 0
    for row in found["constants"]:
        assert ws.arch(again).constants[row["name"]].value == row["value"]


@pytest.mark.slow
def test_compare_tells_measured_and_model_of_30_cases(on: Any, tmp_path: Path) -> None:
    profile = tmp_path / "my_gpu.toml"
    assert on(gpu(), "-o", str(profile))[0] == 0
    kept = tmp_path / "compared.json"
    status, out, _ = on(gpu(), "--compare", "--arch", str(profile))
    assert status == 0 and out.startswith("30 tiles and main loops on NVIDIA H100 80GB HBM3, model of sm_90 (H100)")
    assert len(out.splitlines()) == 33 and "error: median" in out.splitlines()[-1]
    assert on(gpu(), "--compare", "--arch", str(profile), "-o", str(kept))[0] == 0
    assert on(None, "--compare", "--arch", str(profile), "--from", str(kept))[1] == out
    ws.arch(profile).with_values(wavefront_latency=20).to_file(profile)
    assert on(None, "--compare", "--arch", str(profile), "--from", str(kept))[1] != out


def test_what_the_driver_does_not_take_is_kept_and_named(on: Any, tmp_path: Path) -> None:
    path = tmp_path / "old_driver.toml"
    status, _, said = on(gpu(refused="movmatrix"), "-o", str(path))
    assert status == 0 and "not measured: movmatrix: the driver says CUDA_ERROR_UNSUPPORTED_PTX_VERSION" in said
    text, own = path.read_text(), ws.arch("h100").constants
    for name in ("movmatrix_latency", "movmatrix_interval", "access_interval"):
        assert ws.arch(path).constants[name] == own[name]
        assert f"# not measured here: the driver says CUDA_ERROR_UNSUPPORTED_PTX_VERSION\n{name} = " in text


def test_a_turing_gpu_is_measured_as_far_as_it_goes(on: Any, tmp_path: Path) -> None:
    old = {**H200, 75: 7, 76: 5, 97: 65536}

    def cycles(text: str, warps: int, passes: int, running: int) -> int:
        return 100 + 23 * text.count("ld.volatile") + 30 * passes * warps + 17 * text.count("mma.sync")

    turing = FakeCuda(cycles, name="NVIDIA GeForce RTX 2080 Ti", attributes=old)
    path = tmp_path / "turing.toml"
    assert on(turing, "-o", str(path))[0] == 0
    arch = ws.arch(path)
    assert arch.target == "sm_75" and arch.product == "GeForce RTX 2080 Ti" and arch.shared_bytes_per_block == 65536
    assert arch.constants["mma_latency"].source.startswith("warpsim calibrate")
    assert "# not measured here: needs sm_80\ncopy_latency = " in path.read_text()
    status, out, _ = on(turing, "--compare", "--arch", str(path))
    assert status == 0 and out.startswith("15 tiles and main loops")


BAD = (
    ("--arch x.toml", "--arch: goes with --compare"),
    ("--compare --arch nowhere.toml", "--arch: cannot read 'nowhere.toml'"),
    ("--from nowhere.json", "--from: cannot read 'nowhere.json'"),
    ("--from empty.json", "--from: 'empty.json' is not JSON"),
    ("--from list.json", "--from: expected the JSON of warpsim calibrate"),
    ("--from other.json", "expected the JSON of warpsim calibrate, of this version"),
    ("--compare --from other.json", "expected the JSON of warpsim calibrate, of this version"),
    ("--device 7", "expected device 0 to 0, got 7"),
    ("-o nowhere/my_gpu.toml", "--output: cannot write 'nowhere/my_gpu.toml'"),
    ("-o my_gpu.csv", "--csv: calibrate has no table"),
)


@pytest.mark.parametrize(("words", "says"), BAD)
def test_bad_arguments_are_named(
    words: str, says: str, on: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"empty.json": "", "list.json": "[1]", "other.json": '{"measurements": {"schema": "x"}}'}
    for name, text in files.items():
        Path(name).write_text(text)
    status, out, said = on(gpu(), *shlex.split(words))
    assert (status, out) == (2, "") and says in said
    assert {path.name for path in tmp_path.iterdir()} == set(files)


def test_every_command_with_a_target_takes_a_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ws.Arch("sm_86", {"load_latency": 121}).to_file("my_gpu.toml")
    Path("kernel.ptx").write_text(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n")
    words = {"run": "kernel.ptx --grid 1 --block 32", "lint": "kernel.ptx"}
    seen = 0
    for name, command in COMMANDS.items():
        if "--target" not in command.options:
            continue
        assert "--arch" in command.options, name
        example = words.get(name) or command.example
        argv = [word for word in shlex.split(example) if word != "--target"]
        form = [] if name == "explore" else ["--json"]
        assert cli.main([name, *argv, *form, "--arch", "my_gpu.toml"]) in (0, 1), capsys.readouterr().err
        out = capsys.readouterr().out
        assert name in ("layout", "lint", "explore") or "sm_86" in out, out[:300]
        assert cli.main([name, *argv, "--arch", "my_gpu.toml", "--target", "sm_80"]) == 2
        assert "--arch: give either --target or --arch, not both" in capsys.readouterr().err
        assert cli.main([name, *argv, "--arch", "other.toml"]) == 2
        assert "--arch: cannot read 'other.toml'" in capsys.readouterr().err
        seen += 1
    compared("commands that take a profile", seen, at_least=9)


def test_costs_of_a_command_are_those_of_the_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "slow.toml"
    ws.arch("sm_90").with_values(load_latency=1021).to_file(path)
    x4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
    for words in (
        ["cost", x4, "--tile", "16x64:f16"],
        ["tile", "64x64:f16", "--load", x4],
        ["search", "64x64:f16", "--load", x4],
        ["mainloop", "64x64x64", "--warps", "2x2", "--a", "swizzle=3,3,3", "--b", "swizzle=3,3,3"],
    ):
        found = []
        for more in ([], ["--arch", str(path)]):
            assert cli.main([*words, *more]) == 0
            found.append(capsys.readouterr().out)
        assert found[0] != found[1]
