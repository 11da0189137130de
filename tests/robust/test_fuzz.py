"""The fuzzers of tests/fuzz: their reference against the oracle in Python, what their corpus
reaches, and that they see a broken core. The long runs are `python3 -m tools.fuzz`."""

import json
import os
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from tests.fuzz.launch import driven
from tests.reference import plain, traffic, undefined
from tests.reference.forms import ALL_LANES
from tests.reference.memory import Memory, resolve
from tests.reference.wmma import traffic as wmma_traffic
from tests.reference.wmma import undefined as wmma_undefined
from tests.support.evidence import compared
from tests.support.oracle import PLAIN, WMMA, Case, Instruction, Warp, findings_of, moved, traffic_of
from tests.support.process import ended, run
from tools import fuzz as fuzzing
from tools.consumers import need

pytestmark = pytest.mark.slow

INCLUDE = fuzzing.ROOT / "csrc" / "include"
COUNTERS = ("instructions", "requests", "wavefronts", "ideal_wavefronts", "bank_conflicts")

#: what the numbers of the rules mean
CLASSES = {
    "LDM": ["Misaligned", "Bounds", "NonShared", "Inactive", "Exited", "", "InvalidLane"],
    "STM": ["Misaligned", "Bounds", "NonShared", "Inactive", "Exited"],
    "MOV": ["Inactive", "Exited"],
    "LD": ["Misaligned", "Bounds", "Bounds"],
    "ST": ["Misaligned", "Bounds", "Bounds"],
    "CPA": ["Misaligned", "Bounds", "Misaligned", "Bounds", "warning"],
    "WML": ["Misaligned", "Stride", "Stride", "warning", "Bounds", "Bounds", "", "",
            "Inactive", "Exited"],
}  # fmt: skip
CLASSES["WMS"] = CLASSES["WML"]
ORACLE = {
    undefined.MISALIGNED: "Misaligned",
    undefined.OUT_OF_BOUNDS: "Bounds",
    undefined.NON_SHARED: "NonShared",
    undefined.EXITED: "Exited",
    undefined.INACTIVE: "Inactive",
    undefined.INVALID_LANE: "InvalidLane",
    wmma_undefined.STRIDE: "Stride",
}


def corpus_of(name: str) -> str:
    return str(fuzzing.FOLDER / "corpus" / f"{name}.corpus")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[dict[str, Any]]]:
    """Fuzzer -> the cases of its corpus with the answers of the reference in C."""
    work = tmp_path_factory.mktemp("fuzz")

    def cases(name: str) -> list[dict[str, Any]]:
        command = [str(fuzzing.build_replay(name, work, INCLUDE)), "-p", corpus_of(name)]
        return [json.loads(line) for line in run(*command).splitlines()]

    return cases


def instruction_of(case: dict[str, Any]) -> Instruction:
    """The oracle's name of what the fuzzer drew."""
    kind = case["mnemonic"]
    names = {"ldmatrix": "shape num trans type", "stmatrix": "shape num trans type", "movmatrix": ""}
    names |= {"ld": "vec type", "st": "vec type", "cp.async": "size cache"}
    form = {name: case[name] for name in names.get(kind, "operand layout shape type").split()}
    if "trans" in form:
        form["trans"] = bool(form["trans"])
    if form.get("operand") == "d":
        form["operand"] = "c"
    return Instruction(kind, form)


def warp_of(case: dict[str, Any], issue: dict[str, Any]) -> Warp:
    registers = lanes_of(case["registers"], case["type"]) if "registers" in case else []
    names = ("address", "source", "stride")
    return Warp(*(issue[name] for name in names), registers, issue["active"], issue["exited"])


def case_of(case: dict[str, Any], issue: dict[str, Any]) -> Case:
    """The memories of one issue; the oracle asks only whether the target is sm_75 or older."""
    images = [
        Memory(bytearray.fromhex(case.get(name, "")), case.get(f"{name}_base", 0)) for name in ("shared", "global")
    ]
    old = 0 < issue["target"] <= 75 and case["mnemonic"] in ("ldmatrix", *WMMA)
    return Case(case["space"], "sm_75" if old else None, (), *images, case["window"])


def counted(case: dict[str, Any], issue: dict[str, Any]) -> traffic.Counts | None:
    """What the oracle counts; None where it has no rule."""
    one, warp = instruction_of(case), warp_of(case, issue)
    if one.mnemonic not in (*PLAIN, *WMMA) or warp.active == 0:
        return traffic_of(one, case_of(case, issue), warp, exited=warp.exited, sm_75=False)
    lanes, width, reach = plain.executing_lanes(**warp.mask), one.width, 0
    rows = {lane: warp.address[lane] // width * width for lane in lanes}
    if one.is_wmma:
        rows, reach = dict(enumerate(warp.address)), 1 << 16
    inside = {case["space"].startswith("shared")}
    if not case["space"]:
        ends = [place + edge - case["window"] for place in rows.values() for edge in (0, reach)]
        inside = {0 <= end < 1 << 24 for end in ends}
    if len(inside) > 1:
        return None
    if one.is_wmma:
        if max(warp.stride) > 4096 or max(warp.address) > 1 << 63:
            return None  # the oracle's addresses do not wrap
        return wmma_traffic.wmma_traffic(
            warp.address, warp.stride, form=one.form, space=case["space"], shared=inside.pop(),
            store=one.mnemonic == "wmma.store", active=warp.active, sm_75=0 < issue["target"] < 80,
        )  # fmt: skip
    if not rows:
        return traffic.only_issued()
    if not inside.pop():
        return wmma_traffic.global_access(rows, width, store=one.mnemonic == "st")
    rule = traffic.ld_traffic if one.mnemonic == "ld" else traffic.st_traffic
    return rule(warp.address, **one.form, **warp.mask)


def test_counts_of_the_reference_are_those_of_the_oracle(printed: Any) -> None:
    made = 0
    for case in printed("count"):
        for issue, counts in zip(case["issues"], case["counts"], strict=True):
            expected = counted(case, issue)
            if expected is None:
                continue
            assert counts == list(expected.values()), case
            made += 1
    compared("fuzzing: counts of the reference in C against the oracle", made, at_least=1500)


def wanted_findings(case: dict[str, Any], issue: dict[str, Any]) -> Any:
    """The errors that the oracle finds, as (class, lane, address)."""
    found = findings_of(instruction_of(case), case_of(case, issue), warp_of(case, issue))
    return sorted((ORACLE[error], lane, place or 0) for error, _, lane, place in found)


def had_findings(found: list[Any]) -> Any:
    errors = []
    for rule, lane, place in found:
        _, family, number = rule.split("-")
        name = CLASSES[family][int(number) - 1]
        if name != "warning":
            errors.append((name, lane, place or 0))
    return sorted(errors)


def lanes_of(text: str, type: str) -> list[list[int]]:
    """[32][registers] of one warp."""
    data, size = bytes.fromhex(text), 8 if type[1:] == "64" else 4
    words = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
    return [words[lane * len(words) // 32 : (lane + 1) * len(words) // 32] for lane in range(32)]


def check_data(case: dict[str, Any]) -> None:
    """One warp, defined: registers and memory afterwards."""
    issue = case["issues"][0]
    one, memory, warp = instruction_of(case), case_of(case, issue), warp_of(case, issue)
    loaded, wanted = moved(one, memory, warp), warp.registers
    if loaded is not None:
        running = plain.executing_lanes(**warp.mask)
        wanted = [loaded[lane] if lane in running else wanted[lane] for lane in range(32)]
    assert lanes_of(case["registers_after"], case["type"]) == wanted, case
    for name, image in (("shared", memory.shared), ("global", memory.global_)):
        if name == case["space"] or not case["space"] or (name == "shared" and case["space"] != "global"):
            assert bytes(image.data).hex() == case[f"{name}_after"], case


def check_wmma_findings(case: dict[str, Any], issue: dict[str, Any], found: list[Any]) -> None:
    """Whether anything is wrong, and the rows outside; lanes that differ the oracle lists once."""
    expected = findings_of(instruction_of(case), case_of(case, issue), warp_of(case, issue))
    errors = [one for one in expected if one[1] == wmma_undefined.ERROR]
    assert bool(errors) == bool(had_findings(found)), case
    wanted = sorted((lane, place) for name, _, lane, place in errors if name == undefined.OUT_OF_BOUNDS)
    rows = [one for one in had_findings(found) if one[0] == "Bounds"]
    assert [(lane, place) for _, lane, place in rows] == wanted, case


def wraps(case: dict[str, Any], issue: dict[str, Any]) -> bool:
    """Whether a line of a wmma matrix begins beyond 2^64, which the oracle does not know."""
    return max(issue["address"]) + 32 * max(issue["stride"]) * 8 >= 1 << 64


def test_execution_of_the_reference_is_that_of_the_oracle(printed: Any) -> None:
    findings = data = 0
    rows, rules = set(), set()
    for case in printed("execute"):
        rows.add(case["row"])
        for issue, answer in zip(case["issues"], case["found"], strict=True):
            rules |= {rule for rule, _, _ in answer["findings"]}
            if case["mnemonic"].startswith("wmma"):
                if not wraps(case, issue):
                    check_wmma_findings(case, issue, answer["findings"])
                    findings += 1
                continue
            wanted = wanted_findings(case, issue)
            assert had_findings(answer["findings"]) == wanted, case
            findings += 1
        if case["n"] == 1 and case["status"] == 0 and not case["found"][0]["error"]:
            check_data(case)
            data += 1
    compared("fuzzing: findings of the reference in C against the oracle", findings, at_least=1000)
    compared("fuzzing: data of the reference in C against the oracle", data, at_least=300)
    forms = re.search(r"ws_forms\[\] = \{\n(.*?)\n\};", (INCLUDE / "warpsim" / "isa" / "isa.h").read_text(), re.DOTALL)
    written = re.findall(r"^ +WS_(\w+)\(", forms[1], re.MULTILINE)  # an accumulator is two rows
    count = len(written) + written.count("ACCUMULATOR")
    assert rows == set(range(1, count + 1)), "rows of the table that no input reaches"
    declared = {rule for rule in ws.RULES if not rule.startswith(("WS-TILE", "WS-LINT", "WS-RUN"))}
    divergent = {"WS-LDM-006", "WS-STM-006", "WS-MOV-003", "WS-WML-011", "WS-WMS-011"}
    assert declared - rules == divergent, "one instruction per lane is not asked of ws_execute"


@pytest.mark.parametrize("name", fuzzing.NAMES)
def test_the_corpus_sees_a_planted_break(name: str, tmp_path: Path) -> None:
    fuzzing.plant(fuzzing.PLANTED[name][0], tmp_path / "include")
    program = fuzzing.build_replay(name, tmp_path, tmp_path / "include")
    command = [str(program), corpus_of(name)]
    broken = ended(*command)
    assert broken.returncode != 0, f"{fuzzing.PLANTED[name][0]}: not seen"


@pytest.mark.parametrize("name", driven.NAMES)
def test_launches_see_a_planted_break_and_nothing_in_the_core_as_it_is(name: str, tmp_path: Path) -> None:
    count = 2_000 if name == "wrong" else 1_000
    whole = driven.build(name, tmp_path, INCLUDE, driven.QUICK)
    outcome = driven.drive(whole, 0, count, driven.shape(name, tmp_path))
    assert not outcome.found, outcome.found
    compared(f"fuzzing: launches of {name}", outcome.launches, at_least=count)
    driven.plant(driven.PLANTED[name][-1], tmp_path / "include")
    assert driven.seen_after(name, tmp_path, count) is not None


@pytest.mark.parametrize("name", driven.NAMES)
def test_every_break_of_launches_can_be_planted(name: str, tmp_path: Path) -> None:
    for one in driven.PLANTED[name]:
        driven.plant(one, tmp_path / "include")


def test_every_fuzzer_runs_from_its_corpus(tmp_path: Path) -> None:
    need("clang")

    def short(name: str) -> fuzzing.Outcome:
        corpus = tmp_path / name
        fuzzing.seeds.write_inputs(name, corpus)
        program = fuzzing.build(name, tmp_path, INCLUDE, kernels=False, optimize="-O0")  # the campaigns have -O1
        return fuzzing.run(program, name, corpus, executions=-1, seconds=2, seed=1)

    with ThreadPoolExecutor(2) as pool:
        for name, outcome in zip(fuzzing.NAMES, pool.map(short, fuzzing.NAMES), strict=True):
            assert not outcome.found, outcome.found
            compared(f"fuzzing: executions of {name}", outcome.executions, at_least=100)


def test_nothing_is_left_of_a_broken_corpus() -> None:
    """What is packed comes out again, and every corpus holds inputs."""
    assert shutil.which(os.environ.get("CC", "cc"))
    for name in fuzzing.NAMES:
        inputs = fuzzing.seeds.unpacked(name)
        assert len(inputs) == len(set(inputs)) > 0
    assert ALL_LANES == 0xFFFFFFFF
    assert resolve(Memory(bytearray(4)), "shared", 2)[1] == 2
