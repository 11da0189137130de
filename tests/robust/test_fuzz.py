"""The fuzzers of tests/fuzz: their reference against the oracle in Python, what their corpus
reaches, and that they see a broken core. The long runs are `python3 -m tools.fuzz`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from tests.reference import matrices, plain, traffic, undefined
from tests.reference.forms import ALL_LANES, access_bytes, row_bytes, row_lanes
from tests.reference.memory import AddressSpace, Memory, resolve
from tests.reference.wmma import matrices as wmma
from tests.reference.wmma import traffic as wmma_traffic
from tests.reference.wmma import undefined as wmma_undefined
from tests.support.evidence import compared
from tools import fuzz as fuzzing

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
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return cases


def form_of(case: dict[str, Any]) -> dict[str, Any]:
    """The keywords that the oracle has for a form."""
    kind = case["mnemonic"]
    if kind in ("ldmatrix", "stmatrix"):
        return {key: case[key] for key in ("shape", "num", "type")} | {"trans": bool(case["trans"])}
    if kind in ("ld", "st"):
        return {"vec": case["vec"], "type": case["type"]}
    if kind == "cp.async":
        return {"size": case["size"], "cache": case["cache"]}
    if kind == "movmatrix":
        return {}
    operand = "c" if case["operand"] == "d" else case["operand"]
    return {"operand": operand} | {key: case[key] for key in ("layout", "shape", "type")}


def in_shared(case: dict[str, Any], addresses: list[int]) -> bool | None:
    """Whether all addresses lie in shared memory; None: some do and some do not."""
    if case["space"]:
        return bool(case["space"] != "global")
    inside = {0 <= address - case["window"] < 1 << 24 for address in addresses}
    return inside.pop() if len(inside) == 1 else None


def counted(case: dict[str, Any], issue: dict[str, Any]) -> traffic.Counts | None:
    """What the oracle counts; None where it has no rule."""
    kind, form, address = case["mnemonic"], form_of(case), issue["address"]
    mask = {"active": issue["active"], "exited": issue["exited"]}
    if issue["active"] == 0 or kind == "movmatrix":
        return traffic.only_issued()
    if kind in ("ldmatrix", "stmatrix"):
        return traffic.matrix_traffic(
            address, **{key: form[key] for key in ("shape", "num", "type")}
        )
    if kind == "cp.async":
        return traffic.cp_async_traffic(address, issue["source"], **form, **mask)
    if kind in ("ld", "st"):
        width = access_bytes(**form)
        lanes = plain.executing_lanes(**mask)
        rows = {lane: address[lane] // width * width for lane in lanes}
        shared = in_shared(case, list(rows.values()))
        if not rows:
            return traffic.only_issued()
        if shared:
            rule = traffic.ld_traffic if kind == "ld" else traffic.st_traffic
            return rule(address, **form, **mask)
        return (
            None if shared is None else wmma_traffic.global_access(rows, width, store=kind == "st")
        )
    reach = [place + edge for place in address for edge in (0, 1 << 16)]
    shared = in_shared(case, reach)
    if shared is None or max(issue["stride"]) > 4096 or max(address) > (1 << 63):
        return None  # the oracle's addresses do not wrap
    return wmma_traffic.wmma_traffic(
        address, issue["stride"], form=form, space=case["space"], shared=shared,
        store=kind == "wmma.store", active=issue["active"], sm_75=0 < issue["target"] < 80,
    )  # fmt: skip


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


def wanted_findings(case: dict[str, Any], issue: dict[str, Any], memory: Any) -> Any:
    """The errors that the oracle finds, as (class, lane, address)."""
    kind, form, space = case["mnemonic"], form_of(case), case["space"]
    mask = {"active": issue["active"], "exited": issue["exited"]}
    address = issue["address"]
    if kind == "movmatrix":
        found = undefined.movmatrix_findings(**mask)
    elif kind == "cp.async":
        found = undefined.cp_async_findings(
            memory.shared, memory.global_, address, issue["source"], size=form["size"], **mask
        )
    elif kind in ("ldmatrix", "stmatrix"):
        old = kind == "ldmatrix" and 0 < issue["target"] <= 75
        found = undefined.matrix_findings(
            memory, address, lanes=row_lanes(**form), width=row_bytes(form["type"]), space=space,
            target="sm_75" if old else None, **mask,
        )  # fmt: skip
    else:
        found = undefined.plain_findings(
            memory, address, width=access_bytes(**form), space=space, **mask
        )
    return sorted((ORACLE[error], lane, place or 0) for error, lane, place in found)


def had_findings(found: list[Any]) -> Any:
    errors = []
    for rule, lane, place in found:
        _, family, number = rule.split("-")
        name = CLASSES[family][int(number) - 1]
        if name != "warning":
            errors.append((name, lane, place or 0))
    return sorted(errors)


def memory_of(case: dict[str, Any]) -> Any:
    shared = Memory(bytearray.fromhex(case["shared"]), case["shared_base"])
    global_ = Memory(bytearray.fromhex(case["global"]), case["global_base"])
    if case["space"] == "global":
        return global_
    return shared if case["space"] else AddressSpace(shared, global_, case["window"])


def moved(case: dict[str, Any], issue: dict[str, Any], memory: Any, registers: Any) -> Any:
    """The oracle's registers afterwards; None: they stay."""
    kind, form, space = case["mnemonic"], form_of(case), case["space"]
    mask = {"active": issue["active"], "exited": issue["exited"]}
    address = issue["address"]
    if kind == "cp.async":
        plain.cp_async(memory.shared, memory.global_, address, issue["source"], **form, **mask)
    elif kind == "st":
        plain.st(memory, address, registers, space=space, **form, **mask)
    elif kind == "ld":
        loaded = plain.ld(memory, address, space=space, **form, **mask)
        for lane in range(32):
            if lane not in plain.executing_lanes(**mask):
                loaded[lane] = registers[lane]
        return loaded
    elif kind == "stmatrix":
        matrices.stmatrix(memory, address, registers, space=space, **form)
    elif kind == "ldmatrix":
        return matrices.ldmatrix(memory, address, space=space, **form)
    elif kind == "movmatrix":
        return matrices.movmatrix(registers)
    else:
        place = {"stride": issue["stride"][0], "space": space, "sm_75": issue["target"] == 75}
        if kind == "wmma.load":
            return wmma.wmma_load(memory, address[0], **form, **place)
        form.pop("operand")
        wmma.wmma_store(memory, address[0], registers, **form, **place)
    return None


def lanes_of(text: str, bits: int) -> list[list[int]]:
    """[32][registers] of one warp."""
    data = bytes.fromhex(text)
    words = [
        int.from_bytes(data[i : i + bits // 8], "little") for i in range(0, len(data), bits // 8)
    ]
    return [words[lane * len(words) // 32 : (lane + 1) * len(words) // 32] for lane in range(32)]


def check_data(case: dict[str, Any]) -> None:
    """One warp, defined: registers and memory afterwards."""
    issue, memory = case["issues"][0], memory_of(case)
    bits = 64 if case["type"][1:] == "64" else 32
    registers = lanes_of(case["registers"], bits)
    if issue["active"]:
        registers = moved(case, issue, memory, registers) or registers
    assert lanes_of(case["registers_after"], bits) == registers, case
    images = {
        "shared": getattr(memory, "shared", memory if case["space"] != "global" else None),
        "global": getattr(memory, "global_", memory if case["space"] == "global" else None),
    }
    for name, image in images.items():
        if image is not None:
            assert bytes(image.data).hex() == case[f"{name}_after"], case


def check_wmma_findings(case: dict[str, Any], issue: dict[str, Any], found: list[Any]) -> None:
    """Whether anything is wrong, and the rows outside; lanes that differ the oracle lists once."""
    expected = wmma_undefined.wmma_findings(
        memory_of(case), issue["address"], issue["stride"], form=form_of(case), space=case["space"],
        active=issue["active"], exited=issue["exited"], sm_75=issue["target"] == 75,
    )  # fmt: skip
    errors = [one for one in expected if one[1] == wmma_undefined.ERROR]
    assert bool(errors) == bool(had_findings(found)), case
    wanted = sorted(
        (lane, place) for name, _, lane, place in errors if name == undefined.OUT_OF_BOUNDS
    )
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
            wanted = wanted_findings(case, issue, memory_of(case))
            assert had_findings(answer["findings"]) == wanted, case
            findings += 1
        if case["n"] == 1 and case["status"] == 0 and not case["found"][0]["error"]:
            check_data(case)
            data += 1
    compared("fuzzing: findings of the reference in C against the oracle", findings, at_least=1000)
    compared("fuzzing: data of the reference in C against the oracle", data, at_least=300)
    forms = re.search(r"WS_FORM_COUNT = (\d+)", (INCLUDE / "warpsim" / "isa" / "isa.h").read_text())
    assert forms is not None
    assert rows == set(range(1, int(forms[1]))), "rows of the table that no input reaches"
    declared = {rule for rule in ws.RULES if not rule.startswith(("WS-TILE", "WS-LINT"))}
    divergent = {"WS-LDM-006", "WS-STM-006", "WS-MOV-003", "WS-WML-011", "WS-WMS-011"}
    assert declared - rules == divergent, "one instruction per lane is not asked of ws_execute"


@pytest.mark.parametrize("name", fuzzing.NAMES)
def test_the_corpus_sees_a_planted_break(name: str, tmp_path: Path) -> None:
    fuzzing.plant(fuzzing.PLANTED[name][0], tmp_path / "include")
    program = fuzzing.build_replay(name, tmp_path, tmp_path / "include")
    command = [str(program), corpus_of(name)]
    broken = subprocess.run(command, capture_output=True, text=True, check=False)
    assert broken.returncode != 0, f"{fuzzing.PLANTED[name][0]}: not seen"


def test_every_fuzzer_runs_from_its_corpus(tmp_path: Path) -> None:
    if fuzzing.clang() is None:
        if os.environ.get("CI"):
            pytest.fail("clang is missing: apt-get install clang libclang-rt-dev")
        pytest.skip("needs clang with libFuzzer")

    def short(name: str) -> fuzzing.Outcome:
        corpus = tmp_path / name
        fuzzing.seeds.write_inputs(name, corpus)
        program = fuzzing.build(name, tmp_path, INCLUDE, kernels=False)
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
