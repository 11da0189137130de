"""The public contract: what is accepted, what is refused and how, and what every option does."""

import json
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import warpsim as ws
from warpsim import _core
from warpsim.dtypes import values

LANE = np.arange(32)
ROWS = LANE * 16


def run(**changes: Any) -> ws.Result:
    """ldmatrix.x1 of a small memory, with some arguments changed."""
    arguments: dict[str, Any] = {"memory": ws.SharedMemory(1024), "address": ROWS}
    arguments |= changes
    op = arguments.pop("op", ws.Ldmatrix())
    result: ws.Result = op.execute(arguments.pop("memory"), arguments.pop("address"), **arguments)
    return result


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"address": None}, TypeError, "address: ldmatrix needs"),
        ({"address": 0}, ValueError, "address: expected shape (..., 32)"),
        ({"address": ROWS[:31]}, ValueError, "address: expected shape (..., 32)"),
        ({"address": ROWS * 1.0}, TypeError, "address: expected an array of integers"),
        ({"address": ["x"] * 32}, TypeError, "address: expected"),
        ({"address": [-16] * 32}, ValueError, "address: expected values from 0 to 2**32 - 1"),
        ({"address": [2**64] * 32}, ValueError, "in lane 0"),
        ({"address": [*range(0, 496, 16), True]}, None, ""),
        ({"registers": np.zeros((32, 1))}, ValueError, "registers: ldmatrix does not read registers"),
        ({"stride": 16}, ValueError, "stride: only wmma"),
        ({"source": ROWS}, ValueError, "source: only cp.async"),
        ({"active": -1}, ValueError, "active: expected 32-bit masks"),
        ({"active": [1, 2]}, ValueError, "active: expected an int or shape ()"),
        ({"active": 1.5}, TypeError, "active: expected"),
        ({"exited": 2**32}, ValueError, "exited: expected 32-bit masks"),
        ({"on_ub": "ignore"}, ValueError, "on_ub: expected 'raise', 'record' or 'hardware'"),
        ({"on_ub": "hardware"}, ValueError, "on_ub: 'hardware' needs a target"),
        ({"target": "sm_70"}, ws.UnsupportedError, "needs sm_75 or higher"),
        ({"target": 90}, TypeError, "target: expected a str"),
        ({"threads": 0}, ValueError, "threads: expected 1 or more"),
        ({"threads": 1.0}, TypeError, "threads: expected an int"),
        ({"out": np.zeros((32, 2), np.uint32)}, ValueError, "out: expected shape (32, 1)"),
        ({"out": np.zeros((32, 1), np.int32)}, TypeError, "out: expected an ndarray of uint32"),
        ({"memory": None}, TypeError, "memory: ldmatrix.shared needs a SharedMemory"),
        ({"memory": ws.GlobalMemory(8)}, TypeError, "needs a SharedMemory (or an AddressSpace)"),
        ({"op": ws.Ldmatrix(space="")}, TypeError, "ldmatrix with generic addresses needs a AddressSpace"),
        ({"op": ws.Stmatrix()}, TypeError, "registers: this instruction reads registers"),
        (
            {"op": ws.Stmatrix(), "registers": np.zeros((32, 2), np.uint32)},
            ValueError,
            "registers: expected shape (32, 1)",
        ),
        ({"op": ws.Stmatrix(), "registers": np.full((32, 1), -1)}, ValueError, "unsigned 32-bit"),
        ({"op": ws.Stmatrix(), "registers": np.ones((32, 1))}, TypeError, "registers: expected"),
        ({"op": ws.Movmatrix(), "memory": None}, TypeError, "address: movmatrix has no address"),
    ],
)
def test_execute_refuses_bad_arguments_by_name(
    changes: dict[str, Any], error: type[Exception] | None, words: str
) -> None:
    if error is None:
        run(**changes)
        return
    with pytest.raises(error) as caught:
        run(**changes)
    assert words in str(caught.value)


def test_strides_both_sides_of_32_bits() -> None:
    op = ws.parse("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16")
    for stride in (-(2**31), 2**32 - 1):
        assert op.traffic(0, stride=stride).instructions == 1
    for stride in (-(2**31) - 1, 2**32):
        with pytest.raises(ValueError, match="stride: expected 32-bit values"):
            op.traffic(0, stride=stride)


def test_negative_addresses_of_64_bits_are_refused() -> None:
    for op in (ws.parse("ld.global.b32"), ws.parse("ld.b32")):
        with pytest.raises(ValueError, match=r"address: expected values from 0 to 2\*\*64 - 1, got -4"):
            op.traffic(np.full(32, -4))


def test_unused_lanes_may_hold_anything() -> None:
    wanted = run().registers
    wild: list[Any] = [*ROWS[:8].tolist(), *[-1, 2**64, 2**40, 7] * 6]
    assert np.array_equal(run(address=wild).registers, wanted)
    signed = np.where(LANE < 8, ROWS, -5)
    assert np.array_equal(run(address=signed).registers, wanted)
    off = ws.Ld().execute(ws.SharedMemory(128), np.where(LANE < 4, LANE * 4, -1), active=0xF)
    assert off.ok


@pytest.mark.parametrize(("target", "lanes"), [("sm_75", [9, 30]), ("sm_80", []), (None, [])])
def test_unused_lanes_matter_on_sm_75_alone(target: str | None, lanes: list[int]) -> None:
    address = np.where(LANE == 9, 7, np.where(LANE == 30, 2**20, ROWS))
    result = run(address=address, target=target, on_ub="record")
    assert [f.lane for f in result.findings] == lanes and result.ok == (not lanes)
    assert all(f.error is ws.InvalidLaneAddressError for f in result.findings)


@pytest.mark.parametrize(("target", "lanes"), [("sm_75", [0, 9]), ("sm_80", [0]), (None, [0])])
def test_unused_lanes_beside_a_bad_row_matter_on_sm_75_alone(target: str | None, lanes: list[int]) -> None:
    address = np.where(LANE == 0, 8, np.where(LANE == 9, 7, ROWS))
    result = run(address=address, target=target, on_ub="record")
    assert [f.lane for f in result.findings] == lanes


def test_batches_of_any_shape_equal_single_calls() -> None:
    generator = np.random.default_rng(5)
    memory = ws.SharedMemory(generator.integers(0, 256, 4096, np.uint8))
    address = generator.integers(0, 256, (3, 5, 32)) * 16
    op = ws.Ldmatrix(num=4, trans=True)
    batch = op.execute(memory, address)
    assert batch.registers.shape == (3, 5, 32, 4) and batch.ok.shape == (3, 5)
    for index in np.ndindex(3, 5):
        single = op.execute(memory, address[index])
        assert single.registers is not None and single.traffic is not None
        assert np.array_equal(single.registers, batch.registers[index])
        assert single.traffic.wavefronts == batch.traffic.wavefronts[index]
        assert single.traffic.wavefronts.shape == ()
    strided = np.repeat(address, 2, axis=-1)[..., ::2]
    assert np.array_equal(op.execute(memory, strided).registers, batch.registers)
    total = batch.traffic.sum()
    assert total.wavefronts == batch.traffic.wavefronts.sum() and total.instructions == 15


def test_empty_batch_gives_empty_results() -> None:
    result = run(address=np.zeros((0, 32), np.uint32))
    assert result.registers.shape == (0, 32, 1) and result.ok.shape == (0,)
    assert result.traffic.sum().instructions == 0
    assert ws.Ldmatrix().traffic(np.zeros((2, 0, 32), int)).wavefronts.shape == (2, 0)
    assert len(run(memory=ws.SharedMemory(0), on_ub="record").findings) == 8


def test_out_takes_the_registers() -> None:
    out = np.full((32, 1), 7, np.uint32)
    result = run(out=out)
    assert result.registers is out and not out.any()
    result = ws.Ld().execute(ws.SharedMemory(128), LANE * 4, active=0xFFFF, out=np.full((32, 1), 7, np.uint32))
    assert result.registers[:, 0].tolist() == [0] * 16 + [7] * 16


def test_out_over_the_memory_itself_is_right() -> None:
    storage = np.arange(1024, dtype=np.uint32)
    wanted = run(memory=ws.SharedMemory(storage.copy()), op=ws.Ldmatrix(num=4)).registers
    overlapping = storage[:128].reshape(32, 4)
    result = run(memory=ws.SharedMemory(storage), op=ws.Ldmatrix(num=4), out=overlapping)
    assert np.array_equal(result.registers, wanted)
    registers = np.arange(32, dtype=np.uint32)
    memory = ws.SharedMemory(registers)
    ws.St().execute(memory, (LANE * 4)[::-1], registers.reshape(32, 1))
    assert registers.tolist() == list(range(31, -1, -1))


def test_memory_is_used_without_a_copy() -> None:
    storage = np.zeros((4, 64), np.float16)
    memory = ws.SharedMemory(storage)
    ws.St(type="u16").execute(memory, LANE * 2, np.full((32, 1), 0x3C00, np.uint32))
    assert storage.reshape(-1)[:33].tolist() == [1.0] * 32 + [0.0]
    frozen = np.zeros(512, np.uint8)
    frozen.flags.writeable = False
    assert ws.Ldmatrix().execute(ws.SharedMemory(frozen), ROWS).ok
    with pytest.raises((ValueError, BufferError)):
        ws.Stmatrix().execute(ws.SharedMemory(frozen), ROWS, np.ones((32, 1), np.uint32))


def test_raise_changes_nothing_and_names_everything() -> None:
    memory = ws.SharedMemory(1024)
    address = np.stack([ROWS, np.where(LANE == 3, 8, ROWS), np.where(LANE == 5, 2000, ROWS)])
    registers = np.ones((3, 32, 1), np.uint32)
    with pytest.raises(ws.MisalignedAddressError) as caught:
        ws.Stmatrix().execute(memory, address, registers)
    assert not memory.bytes.any()
    found = [(f.rule, f.warp, f.lane, f.address) for f in caught.value.findings]
    assert found == [("WS-STM-001", 1, 3, 8), ("WS-STM-002", 2, 5, 2000)]
    for words in ("WS-STM-001", "lane 3", "0x8 is not a multiple of 16", "fix:"):
        assert words in str(caught.value)


def test_record_isolates_the_broken_warp() -> None:
    memory = ws.SharedMemory(np.arange(512, dtype=np.uint16))
    address = np.stack([ROWS, ROWS + 8, ROWS])
    out = np.full((3, 32, 1), 9, np.uint32)
    result = ws.Ldmatrix().execute(memory, address, on_ub="record", out=out)
    assert result.ok.tolist() == [True, False, True]
    assert not out[1].any() and np.array_equal(out[0], out[2]) and out[0].any()
    assert result.traffic is not None and result.traffic.wavefronts.tolist() == [1, 0, 1]
    assert [f.lane for f in result.findings] == list(range(8))


def test_generic_addresses_follow_the_windows() -> None:
    shared = ws.SharedMemory(np.arange(512, dtype=np.uint8))
    space = ws.AddressSpace(shared, ws.GlobalMemory(np.arange(64, dtype=np.uint8)))
    window = space.shared_window
    op = ws.Ldmatrix(space="")
    assert np.array_equal(op.execute(space, ROWS + window).registers, run(memory=shared).registers)
    with pytest.raises(ws.NonSharedAddressError):
        op.execute(space, ROWS + 0x7F00_0000_0000)
    with pytest.raises(ws.OutOfBoundsError):
        op.execute(space, ROWS + window + 2**20)
    load = ws.Ld(space="", type="u8")
    mixed = np.where(LANE % 2, window + LANE, 0x7F00_0000_0000 + LANE)
    result = load.execute(space, mixed)
    assert result.registers is not None and result.registers[:, 0].tolist() == LANE.tolist()
    with pytest.raises(ws.OutOfBoundsError, match="outside every window"):
        load.execute(space, LANE)
    far = ws.AddressSpace(shared, shared_window=2**40)
    assert np.array_equal(op.execute(far, ROWS + 2**40).registers, run(memory=shared).registers)


def test_issue_finds_lanes_that_differ() -> None:
    memory = ws.SharedMemory(1024)
    op, other = ws.Ldmatrix(num=4), ws.Ldmatrix(num=4, trans=True)
    ops = [other if lane in (3, 9) else op for lane in range(32)]
    with pytest.raises(ws.DivergentQualifiersError) as caught:
        ws.issue(ops, memory, ROWS)
    assert [f.lane for f in caught.value.findings] == [3, 9]
    result = ws.issue(ops, memory, ROWS, on_ub="record")
    assert not result.ok and result.registers is not None and not result.registers.any()
    assert result.traffic is not None and result.traffic.instructions == 0
    with pytest.raises(ws.HardwareTrap) as trap:
        ws.issue(ops, memory, ROWS, on_ub="hardware", target="sm_90")
    assert trap.value.code == "HANG" and pickle.loads(pickle.dumps(trap.value)).code == "HANG"
    with pytest.raises(ws.UnknownHardwareBehaviorError):
        ws.issue(ops, memory, ROWS, on_ub="hardware", target="sm_80")
    assert ws.issue([op] * 32, memory, ROWS).ok
    with pytest.raises(ValueError, match="expected 32 instructions"):
        ws.issue([op] * 31, memory, ROWS)
    with pytest.raises(ValueError, match="lane by lane"):
        ws.issue([ws.Ld()] * 31 + [ws.Ld(vec=2)], memory, ROWS)


def test_mnemonic_functions_are_the_classes() -> None:
    memory = ws.SharedMemory(np.arange(512, dtype=np.uint16))
    loaded = ws.ldmatrix(memory, ROWS, num=4, trans=True).registers
    assert np.array_equal(loaded, ws.Ldmatrix(num=4, trans=True).execute(memory, ROWS).registers)
    ws.stmatrix(memory, ROWS, loaded, num=4, trans=True)
    assert memory.view(np.uint16, 256).tolist() == list(range(256))
    moved = ws.movmatrix(ws.movmatrix(loaded[:, :1]).registers)
    assert np.array_equal(moved.registers, loaded[:, :1])


def test_rules_are_complete_sentences() -> None:
    assert len(ws.RULES) == len(_core.RULES) >= 27
    for rule in ws.RULES.values():
        assert rule.severity in ("error", "warning", "note")
        assert len(rule.title) > 8 and len(rule.fix) > 8
        if rule.about in ("undefined behaviour", "kernels"):
            assert rule.error is not None and issubclass(rule.error, ws.WarpsimError)
            assert len(rule.ptx or "") > 8 and len(rule.hardware or "") > 8
        else:
            assert rule.error is rule.ptx is rule.hardware is None


def test_findings_are_a_sequence_made_on_demand() -> None:
    address = np.full((2000, 32), 2**31, np.uint32) + 1
    findings = run(address=address, on_ub="record").findings
    assert len(findings) == 2000 * 8 * 2
    assert findings[-1].warp == 1999 and findings[-1].lane == 7
    assert findings[-1].rule == "WS-LDM-002" and findings[-2].rule == "WS-LDM-001"
    assert len(findings[10:20]) == 10
    with pytest.raises(IndexError):
        findings[len(findings)]
    assert findings[0].to_dict()["lane"] == 0


class Tensor:
    """What torch and others have."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def test_memories_are_tensors_and_bytes_without_a_copy() -> None:
    array = np.arange(256, dtype=np.float32)
    memory = ws.SharedMemory(Tensor(array))
    memory.view("f32", 256)[3] = 7
    assert array[3] == 7 and memory.nbytes == 1024
    rows = range(0, 512, 16)
    read = [ws.Ldmatrix(num=4).execute(ws.SharedMemory(held), rows).registers for held in (array.tobytes(), array)]
    assert read[0] is not None and read[1] is not None and (read[0] == read[1]).all()
    changed = bytearray(64)
    ws.GlobalMemory(changed).view("b8", 64)[:] = 5
    assert changed == b"\5" * 64
    with pytest.raises(TypeError, match="storage: expected a number of bytes, bytes, an ndarray or a tensor"):
        ws.SharedMemory("512")


@pytest.mark.parametrize(
    ("ptx", "numpy"), [("f16", "float16"), ("half", "float16"), ("tf32", "float32"), ("s8", "int8"), ("b16", "uint16")]
)
def test_views_take_the_names_of_ptx(ptx: str, numpy: str) -> None:
    assert ws.SharedMemory(4096).view(ptx, (64,)).dtype == np.dtype(numpy)
    assert ws.dtypes.values(np.zeros(4, np.uint32), ptx).dtype == np.dtype(numpy)


def test_views_of_the_types_of_ml_dtypes_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpsim.numpy_types._extra_types", dict)
    for name in ("bf16", "bfloat16", "e4m3", "fp8"):
        with pytest.raises(TypeError, match=r"dtype: .* needs ml_dtypes: pip install 'warpsim\[dtypes\]'"):
            ws.SharedMemory(4096).view(name, (64,))


def test_views_over_memory_and_results() -> None:
    memory = ws.SharedMemory(512)
    matrix = memory.view(ml_dtypes.bfloat16, (16, 16))
    matrix[:] = np.arange(256).reshape(16, 16) % 100
    registers = ws.Ldmatrix(num=4).execute(memory, ws.Layout(16, 16, "bf16").addresses(ws.Ldmatrix(num=4))).registers
    assert registers is not None
    assert values(registers, ml_dtypes.bfloat16)[1, :2].tolist() == [2, 3]
    codes = np.array([[0x41424344]], np.uint32)  # stray bits above the code must not be read
    assert values(codes, ml_dtypes.float4_e2m1fn).tolist() == [[2.0, 1.5, 1.0, 0.5]]
    assert values(codes, ml_dtypes.int4).tolist() == [[4, 3, 2, 1]]
    assert values(codes, "int8").shape == (1, 4) and values(codes, "u2").shape == (1, 2)
    with pytest.raises(ValueError, match="does not divide"):
        values(codes, "f8")
    with pytest.raises(TypeError, match="uint32 or uint64"):
        values(codes.astype(int), "f4")
    with pytest.raises(ValueError, match="low nibbles"):
        ws.fp4_to_mma([0x10])


def test_traffic_counts_undefined_addresses_as_given() -> None:
    op = ws.Ldmatrix(num=4)
    straight = op.traffic(ROWS)
    assert op.traffic(ROWS + 7) == straight  # rounded down to the row
    assert op.traffic(ROWS, active=1) == straight  # .aligned: a partial mask counts as full
    empty = op.traffic(ROWS, active=0)
    assert empty.instructions == 1 and empty.requests == empty.wavefronts == 0
    assert ws.Ld().traffic(LANE * 128, active=0b11).wavefronts == 2
    assert ws.Movmatrix().traffic(None, active=[1, 2]).instructions.tolist() == [1, 1]
    assert "wavefronts" in ws.Ldmatrix("m8n16", 1, type="b8x16.b6x16_p32").traffic(ROWS).inexact
    assert straight.to_dict()["schema"] == "warpsim.traffic/1"


@pytest.mark.parametrize(("lanes", "wavefronts"), [(4, 4), (3, 3)])
def test_conflict_degree_is_tight_from_both_sides(lanes: int, wavefronts: int) -> None:
    address: NDArray[Any] = np.where(lanes > LANE, LANE * 128, LANE * 4)
    assert ws.Ld().traffic(address, active=(1 << lanes) - 1).wavefronts == wavefronts


def test_merge_needs_every_pair() -> None:
    address = LANE // 2 * 16
    assert ws.Ld(vec=4).traffic(address).wavefronts == 2
    address[31] += 16
    assert ws.Ld(vec=4).traffic(address).wavefronts == 4
    assert ws.St(vec=4).traffic(LANE // 2 * 16).wavefronts == 4


def test_legality_reasons_help() -> None:
    op = ws.Ldmatrix("m16n16", 1, True, type="b8")
    found = op.legality("sm_100", "8.5")
    assert not found.ok and found.min_ptx_version is None and len(found.reasons) == 3
    assert "does not exist in PTX 8.5: it exists from PTX 8.6" in found.reasons[0]
    assert "sm_100a" in found.reasons[1] and "plain sm_100 has no" in found.reasons[1]
    assert "needs PTX 8.6 or later, not 8.5" in found.reasons[2]
    assert found.targets[0] == "sm_100a" and len(found.targets) == 14
    with pytest.raises(ws.UnsupportedError, match="plain sm_100 has no"):
        op.check("sm_100", "8.6")
    op.check("sm_100f", "8.8")
    renamed = op.legality("sm_101a", "9.0")
    assert not renamed.ok and "renamed sm_110" in renamed.reasons[0]
    assert op.legality("sm_101a", "8.8").ok and renamed.min_ptx_version == "8.6"


def test_layout_places_matrices_as_asked() -> None:
    tile = ws.Layout(32, 32, "f16")
    op = ws.Ldmatrix(num=4)
    assert tile.addresses(op)[[0, 8, 16, 24]].tolist() == [0, 8 * 64, 16, 8 * 64 + 16]
    assert tile.addresses(op, arrange="row")[[8, 16]].tolist() == [16, 8 * 64]
    assert tile.addresses(op, row=[0, 16], col=8).shape == (2, 32)
    turned = ws.Layout(32, 32, "f16", order="col")
    assert turned.addresses(op)[[0, 1, 8, 16]].tolist() == [0, 64, 16, 8 * 64]
    assert turned(3, 5) == 5 * 64 + 6
    fill = tile.addresses(ws.CpAsync())
    assert fill[:5].tolist() == [0, 16, 32, 48, 64]
    swizzled = ws.Layout(8, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
    assert swizzled(1, 0) == 128 + 16 and swizzled(7, 56) == 7 * 128
    assert swizzled(np.arange(8), 0).tolist() == [r * 128 + r * 16 for r in range(8)]
    packed = ws.Layout(8, 32, "b6x16_p32")
    assert packed.pitch == 32 and packed(0, 16) == 16 and packed(0, 4) == 3
    for op_without_rows in (ws.Movmatrix(), ws.WmmaLoad(), ws.WmmaStore()):
        with pytest.raises(TypeError, match="op:"):
            tile.addresses(op_without_rows)
    with pytest.raises(ValueError, match=r"\(15, 0\), outside"):
        ws.Layout(15, 8, "f16").addresses(ws.Ldmatrix(), row=[0, 8])
    with pytest.raises(ValueError, match="outside"):
        ws.Layout(16, 8, "f16").addresses(op)
    with pytest.raises(ValueError, match=r"\|S\| >= B"):
        ws.Swizzle(3, 3, 2)
    with pytest.raises(ValueError, match="row: expected 0 to 31"):
        tile(32, 0)
    with pytest.raises(ValueError, match="unit 'byte' only"):
        ws.Layout(8, 16, "b4x16_p64", swizzle=ws.Swizzle(1, 4, 3))


def test_costs_have_what_the_contract_promises() -> None:
    cost = ws.Ldmatrix(num=4).cost(ROWS, warps=8)
    assert type(cost) is ws.Cost and (cost.warps, cost.target) == (8, "sm_90")
    assert (type(cost.latency), type(cost.interval), type(cost.error)) == (float, float, float)
    assert cost.bound in ("data pipe", "sub-partition", "warp", "latency", "global bytes")
    assert all(type(k) is str and type(v) is float for k, v in cost.breakdown.items())
    assert cost.breakdown[cost.bound] == cost.interval and type(cost.source) is str
    assert ws.Ldmatrix().cost(ROWS, target="sm_86").error is None
    steps = [(ws.St(vec=4), ROWS), (ws.WmmaLoad(), 0, 16), (ws.Movmatrix(), None)]
    program = ws.cost(steps, warps=2)
    assert type(program) is ws.ProgramCost and type(program.cycles) is float
    assert ws.cost([(op, np.tile(ROWS, (2, 1))) for op in (ws.St(vec=4),)], warps=2).cycles > 0
    assert set(program.breakdown) == set(_core.PROGRAM_PARTS) and program.bound in _core.BOUNDS
    assert program.wavefronts > 0 and program.error is None  # nobody timed such a mixture
    assert type(ws.cost([(ws.Ldmatrix(num=4), ROWS)]).error) is float
    for report, schema in ((cost, "warpsim.cost/1"), (program, "warpsim.program_cost/1")):
        assert json.loads(json.dumps(report.to_dict()))["schema"] == schema
        assert max(map(len, str(report).splitlines())) <= 80


def test_arch_has_what_the_contract_promises() -> None:
    arch = ws.arch("sm_90a")
    assert type(arch) is ws.Arch and ws.arch("sm_90a") is arch and arch.target == "sm_90a"
    for name in ("banks", "bank_bytes", "shared_bytes_per_block", "sub_partitions"):
        assert type(getattr(arch, name)) is int
        assert getattr(arch, name) == arch.constants[name].value
    bases = ("measured", "specified", "published", "fitted", "assumed from sm_90", "user")
    for target in _core.TARGETS:
        for name, constant in ws.arch(target).constants.items():
            assert constant.name == name and type(constant.value) is float
            assert constant.basis in bases and constant.source and constant.unit
            assert constant.meaning and (constant.error is None or constant.error >= 0)
    contents = json.loads(json.dumps(arch.to_dict()))
    assert contents["schema"] == "warpsim.arch/1"
    assert len(contents["constants"]) == len(arch.constants)
    assert ws.Ldmatrix(num=4).cost(ROWS, target=arch) == ws.Ldmatrix(num=4).cost(ROWS, target="sm_90a")


def test_mainloop_has_what_the_contract_promises() -> None:
    report = ws.mainloop((64, 128, 32), (2, 2))
    assert type(report) is ws.LoopReport and report == ws.mainloop(
        (64, 128, 32), (2, 2), type="f16", a=None, b=None, trans_b=False, stages=3, target="sm_90"
    )
    assert report.a == ws.Layout(64, 32, "f16") and report.b == ws.Layout(128, 32, "f16")
    turned = ws.mainloop((64, 128, 32), (2, 2), trans_b=True, stages=0)
    assert turned.b == ws.Layout(32, 128, "f16") and turned.global_bytes == 0
    assert set(report.wavefronts) == {"store", "load"} and turned.wavefronts["store"] == 0
    for name in ("cycles", "tensor_fraction", "error"):
        assert type(getattr(report, name)) is float
    for name in ("mma", "global_bytes", "shared_bytes", "registers", "shared_bytes_per_block"):
        assert type(getattr(report, name)) is int
    assert report.bound in _core.BOUNDS and set(report.breakdown) <= set(_core.BOUNDS)
    assert (report.shared_bytes, turned.shared_bytes) == (3 * 192 * 64, 192 * 64)
    assert report.fits
    with pytest.raises(ws.UnsupportedError, match="8 stages need"):
        ws.mainloop((256, 256, 64), (4, 4), stages=8)
    contents = json.loads(json.dumps(report.to_dict()))
    assert contents["schema"] == "warpsim.mainloop/1" and contents["fits"]
    assert "\n  64 x 128 x 32 f16" in str(report)


def test_instructions_show_the_qualifiers_that_they_have() -> None:
    shown = {
        type(op).__name__: set(dir(op)) for op in (ws.Movmatrix(), ws.Ld(), ws.CpAsync(), ws.Ldmatrix(), ws.WmmaLoad())
    }
    assert {"shape", "trans", "type"} <= shown["Movmatrix"] and not {"cache", "space", "vec"} & shown["Movmatrix"]
    assert {"space", "vec", "type"} <= shown["Ld"] and not {"operand", "shape", "num", "size"} & shown["Ld"]
    assert {"size", "cache"} <= shown["CpAsync"] and not {"type", "vec", "layout"} & shown["CpAsync"]
    assert {"shape", "num", "trans", "space", "type"} <= shown["Ldmatrix"] and "default_stride" not in shown["Ldmatrix"]
    assert {"operand", "layout", "default_stride"} <= shown["WmmaLoad"] and "vec" not in shown["WmmaLoad"]
    assert "narrow" in dir(ws.Mma()) and not {"narrow", "selectors", "sparsity"} & set(dir(ws.WmmaMma()))
    assert all(hasattr(op, name) for op in (ws.Movmatrix(), ws.Mma()) for name in dir(op))


def test_counters_are_of_the_addresses_that_out_replaces() -> None:
    op = ws.parse("ld.shared.b32")
    address = (np.arange(32) * 128).astype(np.uint32)
    for out in (np.zeros((32, 1), np.uint32), address.reshape(32, 1)):
        counted = op.execute(ws.SharedMemory(8192), address, out=out).traffic
        assert counted is not None and (counted.wavefronts, counted.bank_conflicts) == (32, 31)
        assert not out.any()


@pytest.mark.parametrize("is_released", [False, True])
def test_a_buffer_that_cannot_be_taken_is_refused_by_name(is_released: bool) -> None:
    with pytest.raises(ValueError, match="storage: expected a C-contiguous buffer that is not released"):
        ws.SharedMemory(released() if is_released else memoryview(b"abcd")[::2])


def released() -> memoryview:
    view = memoryview(b"abcd")
    view.release()
    return view
