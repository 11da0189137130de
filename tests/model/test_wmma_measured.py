"""wmma.load and wmma.store, against runs and counters of one H200."""

import lzma
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from tests.model.test_undefined_measured import check_changed_rows
from tests.support.evidence import TRUTH, cases, compared, image, load, register_image, words

Case = dict[str, Any]
BASE = 1024
GLOBAL = 0x7F00_0000_0000
LOAD_BYTES, STORE_BYTES = 16384, 4096


@cache
def results() -> dict[str, NDArray[Any]]:
    """What each case left: registers (case, 32, words) or the memory (case, 4096)."""
    raw = np.frombuffer(lzma.decompress((TRUTH / "execute_wmma.bin.xz").read_bytes()), np.uint8)
    contents, found, at = load("execute_wmma"), {}, 0
    for ptx in sorted([*contents["load"], *contents["store"]]):
        if ptx in contents["load"]:
            op = ws.parse(ptx)
            row = 32 * op.num_registers * op.register_bits // 8
            count = len(contents["load"][ptx])
        else:
            row, count = STORE_BYTES, len(contents["store"][ptx])
        found[ptx] = raw[at : at + count * row].reshape(count, row)
        at += count * row
    assert at == raw.size
    return found


def plane(k: int, count: int) -> NDArray[np.uint8]:
    """Bit x is bit k of the number x."""
    return np.packbits((np.arange(count) >> k & 1).astype(np.uint8), bitorder="little")


def memory_image(nbytes: int, k: int | None, seed: int | None, fill: int | None) -> NDArray[np.uint8]:
    if k is not None:
        return plane(k, nbytes * 8)
    if fill is not None:
        return np.full(nbytes, fill, np.uint8)
    assert seed is not None
    return image(seed, nbytes)


def space_of(ptx: str, where: str, contents: NDArray[np.uint8]) -> tuple[Any, int]:
    """The memory that the instruction needs, and the address of the image's first byte."""
    op = ws.parse(ptx)
    if op.space == "shared":
        return ws.SharedMemory(contents), 0
    if op.space == "global":
        return ws.GlobalMemory(contents), GLOBAL
    if where == "shared":
        space = ws.AddressSpace(ws.SharedMemory(contents))
        return space, space.shared_window
    return ws.AddressSpace(None, ws.GlobalMemory(contents)), GLOBAL


def registers_of(result: ws.Result) -> NDArray[np.uint8]:
    assert result.registers is not None
    return np.ascontiguousarray(result.registers).reshape(-1).view(np.uint8)


def stored_registers(op: ws.DataMovement, k: Any, fill: Any, seed: Any) -> NDArray[Any]:
    per_lane = op.num_registers * op.register_bits // 32
    if k is not None:
        everything = plane(k, 32 * 8 * 32).view(np.uint32).reshape(32, 8)
    elif fill is not None:
        everything = np.full(1024, fill, np.uint8).view(np.uint32).reshape(32, 8)
    else:
        everything = register_image(seed, 8)
    chosen = np.ascontiguousarray(everything[:, :per_lane])
    return chosen.view(np.uint64) if op.register_bits == 64 else chosen


#: odd strides are undefined by PTX: what the H200 does with them is asked for by name
OPTIONS: dict[str, Any] = {"on_ub": "hardware", "target": "sm_90", "traffic": False}


@pytest.mark.slow
def test_wmma_load_single_equals_silicon() -> None:
    count = 0
    for ptx, found in load("execute_wmma")["load"].items():
        op = ws.parse(ptx)
        for index, (where, address, stride, k, seed) in enumerate(found):
            memory, base = space_of(ptx, where, memory_image(LOAD_BYTES, k, seed, None))
            result = op.execute(memory, base + address, stride=stride, **OPTIONS)
            assert np.array_equal(registers_of(result), results()[ptx][index]), (ptx, found[index])
            count += 1
    compared("wmma loads on silicon, one call each", count, at_least=13030)


@pytest.mark.slow
def test_wmma_load_batched_equals_silicon() -> None:
    """The cases of an instruction that have one image and space in common, in one call."""
    count = 0
    for ptx, found in load("execute_wmma")["load"].items():
        op = ws.parse(ptx)
        groups = defaultdict(list)
        for index, (where, _, _, k, seed) in enumerate(found):
            groups[where, k, seed].append(index)
        for (where, k, seed), indices in groups.items():
            memory, base = space_of(ptx, where, memory_image(LOAD_BYTES, k, seed, None))
            address = np.array([[base + found[i][1]] for i in indices])
            stride = [op.default_stride if found[i][2] is None else found[i][2] for i in indices]
            result = op.execute(memory, address, stride=stride, **OPTIONS)
            expected = results()[ptx][indices].reshape(-1)
            assert np.array_equal(registers_of(result), expected), ptx
            count += len(indices)
    compared("wmma loads on silicon, batched", count, at_least=13030)


def test_wmma_store_equals_silicon() -> None:
    count = 0
    for ptx, found in load("execute_wmma")["store"].items():
        op = ws.parse(ptx)
        for index, (where, address, stride, fill, seed, *registers) in enumerate(found):
            contents = memory_image(STORE_BYTES, None, seed, fill)
            memory, base = space_of(ptx, where, contents)
            given = stored_registers(op, *registers)
            op.execute(memory, base + address, given, stride=stride, **OPTIONS)
            assert np.array_equal(contents, results()[ptx][index]), (ptx, found[index])
            count += 1
    compared("wmma stores on silicon", count, at_least=2453)


def test_wmma_maps_equal_silicon() -> None:
    fields = 0
    for entry in load("wmma_fragments")["fragments"]:
        op = ws.WmmaLoad(entry["operand"], entry["layout"], entry["shape"], type=entry["type"])
        assert (op.num_registers, op.register_bits) == (entry["registers"], entry["register_bits"])
        assert op.default_stride == entry["stride_default"]
        fragment = op.fragment
        wanted = np.array(entry["map"]).reshape(32, entry["registers"], -1, 2)
        assert np.array_equal(fragment.elements[..., 1:], wanted), entry["type"]
        if entry["operand"] == "c":
            store = ws.WmmaStore(entry["layout"], entry["shape"], type=entry["type"])
            assert store.fragment == fragment
        fields += wanted.size // 2
    compared("fields of 88 wmma maps", fields, at_least=20000)


def test_wmma_shared_counters_equal_silicon() -> None:
    found = cases("shared_traffic", "wmma")
    for case in found:
        traffic = ws.parse(case["ptx"]).traffic(case["address"], stride=case["stride"])
        assert traffic.wavefronts == case["wavefronts"], case
        assert traffic.bank_conflicts == case["bank_conflicts"], case
    compared("shared counters of wmma on silicon", len(found), at_least=268)


def test_wmma_global_counters_equal_silicon() -> None:
    found = cases("global_traffic", "wmma")
    wavefronts = stores_wrong = 0
    for case in found:
        op = ws.parse(case["ptx"])
        traffic = op.traffic(np.array(case["address"]) + GLOBAL, stride=case["stride"])
        for counter in ("sectors", "requests"):
            if case[counter] is not None:
                assert getattr(traffic, counter) == case[counter], (counter, case)
        if case["wavefronts"] is not None:
            wavefronts += 1
            if op.is_load:
                assert traffic.wavefronts == case["wavefronts"], case
            else:
                assert "wavefronts" in traffic.inexact
                stores_wrong += traffic.wavefronts != case["wavefronts"]
    compared("global counters of wmma on silicon", len(found), at_least=191)
    compared(f"wavefronts of wmma on silicon ({stores_wrong} stores differ)", wavefronts, at_least=1)


def undefined_cases() -> list[Case]:
    return cases("undefined", "wmma")


def run(case: Case, **options: Any) -> tuple[ws.Result, Any]:
    op = ws.parse(case["ptx"])
    size = case["dynamic_shared_bytes"]
    contents = np.zeros(size, np.uint8)
    held = image(case["image_seed"], case["image_bytes"])[:size]
    contents[: len(held)] = held
    address = np.array(case["address"], object)
    memory: Any
    if case["memory"] == "shared":
        memory, address = ws.SharedMemory(contents, base=BASE), (address + BASE) % 2**32
    elif case["memory"] == "global":
        # the buffer continued after the image, with bytes that the case does not record
        buffer = np.zeros(4 * case["image_bytes"], np.uint8)
        buffer[: case["image_bytes"]] = image(case["image_seed"], case["image_bytes"])
        memory, address = ws.GlobalMemory(buffer), address + GLOBAL
    else:
        memory = ws.AddressSpace(ws.SharedMemory(contents, base=BASE), ws.GlobalMemory(1))
        if case["memory"] != "generic":
            address = address + memory.shared_window + BASE
    options = {"target": "sm_90", "exited": case.get("exited", 0), **options}
    options["active"] = case.get("active", 0xFFFFFFFF)
    if "registers_seed" in case:
        per_lane = op.num_registers * op.register_bits // 32
        given = register_image(case["registers_seed"], per_lane)
        options["registers"] = given.view(np.uint64) if op.register_bits == 64 else given
    return op.execute(memory, address, stride=case["stride"], **options), memory


def reads_past_the_image(case: Case, same: NDArray[np.bool_]) -> bool:
    """One case: lanes whose own stride of 384 f32 takes them beyond the 16 KiB of the image."""
    past = case["memory"] == "global" and case["condition"] == "per-lane different stride"
    return past and np.count_nonzero(~same.reshape(-1, 4).all(axis=1)) <= 4


UNMAPPED = ("CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_INVALID_ADDRESS_SPACE")


def test_wmma_hardware_policy_equals_silicon() -> None:
    for case in undefined_cases():
        if case["result"] != "CUDA_SUCCESS":
            with pytest.raises(ws.HardwareTrap) as trap:
                run(case, on_ub="hardware")
            either = UNMAPPED if case["result"] in UNMAPPED else (case["result"],)
            assert trap.value.code in either, (case["ptx"], case["condition"])
            continue
        result, memory = run(case, on_ub="hardware")
        if "registers" in case:
            same = registers_of(result) == words(case["registers"]).view(np.uint8)
            assert same.all() or reads_past_the_image(case, same), (case["ptx"], case["condition"])
        if "changed_rows" in case:
            check_changed_rows(case, memory)
    compared("undefined behaviour of wmma on silicon", len(undefined_cases()), at_least=700)


def expected_errors(case: Case, op: ws.DataMovement) -> list[tuple[type, str]]:
    """(error, severity) that PTX's rules for p and stride give, in order; without bounds."""
    bits = {"s4": 4, "u4": 4, "b1": 1}.get(op.type) or int(op.type.lstrip("bftsu"))
    bits = 32 if op.type == "tf32" else bits
    fragment, found = op.access_bytes, []
    if case["address"][0] % fragment:
        found.append((ws.MisalignedAddressError, "error"))
    strides = case["stride"] if isinstance(case["stride"], list) else [case["stride"]]
    stride = strides[0] if strides[0] is None or strides[0] < 2**31 else strides[0] - 2**32
    if stride is None or stride == op.default_stride:
        return found
    if stride < (op.default_stride or 0) or stride * bits % (8 * min(fragment, 16)):
        found.append((ws.StrideError, "error"))
    elif stride * bits % (8 * fragment):
        found.append((ws.StrideError, "warning"))
    return found


def test_wmma_record_policy_names_the_rule() -> None:
    """Class, lane and address of every finding about p and stride; bounds by row."""
    lanes_named = 0
    for case in undefined_cases():
        op = ws.parse(case["ptx"])
        result, _ = run(case, on_ub="record")
        of_operands = [f for f in result.findings if f.lane is None]
        expected = expected_errors(case, op)
        if "per-lane different" in case["condition"]:
            expected = []  # then every lane is judged for itself
        assert [(f.error, f.severity) for f in of_operands] == expected, case["condition"]
        for finding in of_operands:
            if finding.error is ws.MisalignedAddressError:
                assert finding.address is not None and finding.address % op.access_bytes
        differ = [f.lane for f in result.findings if f.error is ws.DivergentOperandsError]
        of_lane = case["address"] if "different p" in case["condition"] else case["stride"]
        if "per-lane different" in case["condition"]:
            assert differ == [lane for lane in range(32) if of_lane[lane] != of_lane[0]]
            lanes_named += len(differ)
        else:
            assert differ == []
        bounds = [f for f in result.findings if f.error is ws.OutOfBoundsError]
        if "runs past" in case["condition"] or "unmapped" in case["condition"]:
            assert bounds
        errors = [f for f in result.findings if f.severity == "error"]
        assert bool(result.ok) == (not errors)
    compared("undefined behaviour of wmma, rules named", len(undefined_cases()), at_least=700)
    assert lanes_named > 100


def test_wmma_bounds_are_found_by_row() -> None:
    """Rows 14 and 15 of a row-major f16 a end beyond a memory that is two rows too short."""
    op = ws.WmmaLoad("a", "row")
    result = op.execute(ws.SharedMemory(16 * 32 - 64), 0, on_ub="record")
    assert [(f.lane, f.address) for f in result.findings] == [(24, 14 * 32), (28, 15 * 32)]
    assert {f.error for f in result.findings} == {ws.OutOfBoundsError}
    wraps = op.execute(ws.SharedMemory(1024), 0, stride=2**28, on_ub="record")  # row 8: 2**32
    assert {f.address for f in wraps.findings} == {row * 2**29 for row in range(1, 16)}
    space = ws.AddressSpace(ws.SharedMemory(512), ws.GlobalMemory(512))
    nowhere = ws.WmmaLoad("a", "row", space="").execute(space, 64, on_ub="record")
    assert len(nowhere.findings) == 16 and "outside every window" in nowhere.findings[0].message


def test_wmma_default_stride_is_never_a_finding() -> None:
    """PTX's own default breaks PTX's alignment rule for two forms."""
    memory = ws.SharedMemory(4096)
    for operand, layout, shape in (("a", "col", "m8n32k16"), ("b", "row", "m32n8k16")):
        op = ws.WmmaLoad(operand, layout, shape)
        assert op.default_stride == 8 and op.access_bytes == 32
        assert len(op.execute(memory, 0).findings) == 0
        assert len(op.execute(memory, 0, stride=8).findings) == 0
        padded = op.execute(memory, 0, stride=24)
        assert padded.ok and [f.severity for f in padded.findings] == ["warning"]
        assert padded.findings[0].error is ws.StrideError
        with pytest.raises(ws.StrideError, match="12 elements of 16 bits"):
            op.execute(memory, 0, stride=12)


def test_wmma_fragment_depends_on_the_target_in_one_map() -> None:
    same = different = 0
    for entry in load("wmma_fragments")["fragments"]:
        op = ws.WmmaLoad(entry["operand"], entry["layout"], entry["shape"], type=entry["type"])
        if "sm_75" not in op.legality("sm_80", "9.0").targets:
            with pytest.raises(ws.UnsupportedError):
                op.fragment_for("sm_75")
            continue
        if op.fragment_for("sm_75") == op.fragment:
            same += 1
        else:
            assert (op.operand, op.shape, op.type) == ("c", "m8n32k16", "s32")
            different += 1
    assert different == 2 and same > 40
    op = ws.WmmaLoad("c", "row", "m8n32k16", type="s32")
    memory = ws.SharedMemory(np.arange(256, dtype=np.uint32))
    on_75 = op.execute(memory, 0, target="sm_75").registers
    fragment = op.fragment_for("sm_75")
    assert on_75 is not None and fragment is not None
    assert np.array_equal(on_75, fragment.elements[..., 0, 1] * 32 + fragment.elements[..., 0, 2])
    for target in ("sm_70", "sm_72"):
        with pytest.raises(ws.UnknownHardwareBehaviorError):
            ws.WmmaLoad().execute(memory, 0, target=target)
        with pytest.raises(ws.UnknownHardwareBehaviorError):
            ws.WmmaLoad().fragment_for(target)


def test_wmma_takes_p_in_every_shape() -> None:
    memory = ws.SharedMemory(np.arange(2048, dtype=np.uint16))
    op = ws.WmmaLoad("b", "col")
    wanted = op.execute(memory, 64).registers
    for address in ([64], np.full(32, 64), np.full((1, 32), 64)[0]):
        assert np.array_equal(op.execute(memory, address).registers, wanted)
    batch = op.execute(memory, np.array([[64], [128]]), stride=[16, 24])
    assert batch.registers is not None and batch.registers.shape == (2, 32, 8)
    assert np.array_equal(batch.registers[0], wanted)
    lanes = op.execute(memory, np.array([[64], [128]]), stride=np.full((2, 32), 16))
    assert lanes.registers is not None and np.array_equal(lanes.registers[0], wanted)
    for stride in ([16, 16, 16], 2**33, 1.5):
        with pytest.raises((ValueError, TypeError), match="stride"):
            op.execute(memory, np.array([[64], [128]]), stride=stride)
    with pytest.raises(ValueError, match=r"or \(..., 1\)"):
        op.execute(memory, [1, 2, 3])
    stored = ws.SharedMemory(1024)
    held = ws.wmma_load(memory, 0, operand="c", type="f32").registers
    ws.wmma_store(stored, 0, held)
    assert np.array_equal(stored.bytes, memory.bytes[:1024])
    with pytest.raises(ws.InactiveLaneError):
        op.execute(memory, 0, active=0xFFFF)
    ops = [op] * 31 + [ws.WmmaLoad("b", "row")]
    with pytest.raises(ws.DivergentQualifiersError):
        ws.issue(ops, memory, 0)
