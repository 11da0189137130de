"""Pickles of every version that ever was load as equal objects; those of a newer one are refused.

`python -m tests.robust.test_pickles` writes pickles/VERSION.json.gz, which is committed with a
release and never changed.
"""

import base64
import copy
import gzip
import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import pickling
from warpsim.cli.rules import rules
from warpsim.instruction.explanation import Spot, explain
from warpsim.instruction.fragment_holders import holders

FOLDER = Path(__file__).parent / "pickles"
END = ".json.gz"
PROTOCOLS = range(2, 6)
X4 = ws.Ldmatrix(num=4)
TILE = ws.Layout(32, 32, "f16", pad=8)


def undefined() -> ws.UndefinedBehaviorError:
    with pytest.raises(ws.MisalignedAddressError) as caught:
        X4.execute(ws.SharedMemory(1024), np.arange(32) * 16 + 1)
    return caught.value


def malformed() -> ws.PtxSyntaxError:
    with pytest.raises(ws.PtxSyntaxError) as caught:
        ws.parse("ldmatrix.frob")
    return caught.value


def objects() -> dict[str, Any]:
    """One of every class that can be pickled, with values of its own."""
    memory = ws.SharedMemory(np.arange(512, dtype=np.uint16), base=1024)
    addresses = ws.Layout(16, 16, "f16").addresses(X4)
    sides: dict[str, Any] = {"store": ws.CpAsync(), "load": X4}
    tile = ws.tile(TILE, **sides)
    lint = ws.lint(".version 8.0\n.target sm_80\nldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [p];")
    return {
        **{type(op).__name__: op for op in (
            ws.Ldmatrix(shape="m8n16", num=2, type="s8.s4"), ws.Stmatrix(num=4, trans=True),
            ws.Movmatrix(), ws.Ld(vec=2), ws.St(type="b64"), ws.CpAsync(size=8, cache="ca"),
            ws.WmmaLoad(operand="b"), ws.WmmaStore(layout="col"),
        )},
        "Layout": ws.Layout(16, 64, "f16", "col", 8, ws.Swizzle(2, 3, 3)),
        "Swizzle": ws.Swizzle(3, 4, -3, "byte"),
        "SharedMemory": memory,
        "GlobalMemory": ws.GlobalMemory(64),
        "AddressSpace": ws.AddressSpace(memory, ws.GlobalMemory(32), 0x7FFE_0000_0000),
        "Result": X4.execute(memory, addresses + 1024),
        "Result with findings": X4.execute(memory, addresses + 1025, on_ub="record"),
        "Traffic": X4.traffic(np.stack([addresses, addresses + 16])),
        "Traffic of one": ws.CpAsync().traffic(addresses),
        "UndefinedBehaviorError": undefined(),
        "PtxSyntaxError": malformed(),
        "HardwareTrap": ws.HardwareTrap("warp 0", "CUDA_ERROR_MISALIGNED_ADDRESS"),
        "OutOfMemoryError": ws.OutOfMemoryError("too large"),
        "Findings": undefined().findings,
        "Finding": undefined().findings[0],
        "Rule": ws.RULES["WS-LDM-001"],
        "Legality": X4.legality("sm_75", "6.0"),
        "Arch": ws.Arch("sm_90", {"load_latency": 30}),
        "Constant": ws.arch("sm_80").constants["load_latency"],
        "FragmentMap": ws.WmmaLoad(operand="c", type="s32", shape="m8n32k16").fragment_for("sm_75"),
        "Holders": holders(X4.fragment, lane=5) if X4.fragment else None,
        "RuleTable": rules(["LDM-003"]),
        "BankReport": X4.explain(addresses),
        "Explanation": explain(X4, addresses, spot=Spot("a tile")),
        "Cost": X4.cost(addresses),
        "ProgramCost": ws.cost([(X4, addresses)]),
        "LoopReport": ws.mainloop((64, 64, 32), (2, 2)),
        "TileReport": tile,
        "TileSide": tile.store,
        "TileFinding": ws.TileFinding("WS-TILE-001", "load", "words"),
        "SearchResult": ws.search(32, 32, "f16", pads=[0, 8], swizzles=[None], **sides),
        "LintReport": lint,
        "LintFinding": lint.findings[0],
    }  # fmt: skip


def shown(value: Any) -> Any:
    """All of an object as plain values."""
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.tolist()]
    if isinstance(value, BaseException):
        held = {name: shown(one) for name, one in vars(value).items()}
        return [type(value).__name__, str(value), held]
    if isinstance(value, ws.SharedMemory | ws.GlobalMemory):
        return [repr(value), value.bytes.tolist()]
    if isinstance(value, ws.AddressSpace):
        return [repr(value), shown(value.shared), shown(value.global_)]
    if isinstance(value, ws.Result):
        parts = (value.registers, value.traffic, list(value.findings), np.asarray(value.ok))
        return [shown(part) for part in parts]
    if isinstance(value, list | tuple | ws.Findings):
        return [shown(one) for one in value]
    if hasattr(value, "to_dict"):
        return [type(value).__name__, values(json.loads(json.dumps(value.to_dict())))]
    return repr(value)


def values(report: Any) -> Any:
    """A report without what belongs to the version that loads it: sentences, and constants that no user gave."""
    if isinstance(report, dict) and "constants" in report:
        own = [constant for constant in report["constants"] if constant["basis"] == "user"]
        report = {**report, "constants": own}
    if isinstance(report, dict):
        return {name: values(one) for name, one in report.items() if name not in ("source", "meaning")}
    if isinstance(report, list):
        return [values(one) for one in report]
    return "InstructionFinding" if report == "Finding" else report  # as that class was called


def as_of(kept: Any, now: Any) -> Any:
    """What a report says now, without the entries that the kept one did not have."""
    if isinstance(kept, dict) and isinstance(now, dict):
        return {name: as_of(kept[name], one) for name, one in now.items() if name in kept}
    if isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        return [as_of(*pair) for pair in zip(kept, now, strict=True)]
    return now


KEPT = {
    path.name.removesuffix(END): json.loads(gzip.decompress(path.read_bytes()))
    for path in sorted(FOLDER.glob(f"*{END}"))
}


@pytest.mark.parametrize("version", KEPT)
def test_pickles_of_a_version_load_as_they_were(version: str) -> None:
    loaded = 0
    for name, kept in KEPT[version].items():
        for text in kept["pickles"].values():
            expected = values(kept["shown"])
            assert as_of(expected, shown(pickle.loads(base64.b64decode(text)))) == expected, name
            loaded += 1
    compared("pickles of all versions", loaded, at_least=len(PROTOCOLS) * 40)


def test_pickles_of_this_version_are_kept() -> None:
    assert set(KEPT[ws.__version__]) == set(objects())


@pytest.mark.parametrize("name", objects())
def test_copies_and_pickles_are_equal(name: str) -> None:
    value = objects()[name]
    again = [pickle.loads(pickle.dumps(value, protocol)) for protocol in PROTOCOLS]
    for one in (*again, copy.copy(value), copy.deepcopy(value)):
        assert shown(one) == shown(value)
        assert type(one) is type(value) or name == "Findings"
    assert not isinstance(value, ws.Layout | ws.Swizzle | ws.Arch | ws.DataMovement) or all(
        one == value and hash(one) == hash(value) for one in again
    )


def test_module_and_kernel_keep_their_text_and_variables() -> None:
    module = ws.Module(".version 8.0\n.target sm_80\n.visible .global .b32 count = 7;\n.visible .entry k() { ret; }\n")
    module.globals["count"][0] = 9
    for again in (pickle.loads(pickle.dumps(module)), copy.deepcopy(module)):
        assert repr(again) == repr(module) and list(again.globals["count"]) == [9, 0, 0, 0]
    kernel = pickle.loads(pickle.dumps(module["k"]))
    report = kernel(2, 32, ())
    assert pickle.loads(pickle.dumps(report)) == report == module["k"](2, 32, ())


def newer(change: Callable[[list[Any]], None]) -> bytes:
    """A pickle of a Swizzle whose arguments of `restored` were changed."""
    _, (kind, form, held) = ws.Swizzle(3, 3, 3).__reduce__()
    arguments = [kind, form, dict(held)]
    change(arguments)

    class Changed:
        def __reduce__(self) -> Any:
            return pickling.restored, tuple(arguments)

    return pickle.dumps(Changed())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a: a.__setitem__(1, pickling.FORM + 1), "of form 5, written by a newer warpsim"),
        (lambda a: a[2].update(hue="red"), "a Swizzle with unexpected or missing fields: hue"),
        (lambda a: a[2].pop("M"), "a Swizzle with unexpected or missing fields: M"),
        (lambda a: a.__setitem__(0, dict), "expected a report of warpsim, got dict"),
    ],
)
def test_a_newer_pickle_is_refused_in_words(change: Callable[[list[Any]], None], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pickle.loads(newer(change))


def test_an_older_pickle_without_a_field_gets_its_default() -> None:
    assert pickle.loads(newer(lambda a: a[2].pop("unit"))) == ws.Swizzle(3, 3, 3)


@pytest.mark.parametrize(
    ("maker", "arguments", "error"),
    [
        ("warpsim._core.parse", ("ldmatrix.sync.aligned.m64n64.x4.shared.b16",), ws.WarpsimError),
        ("warpsim._core.Traffic", (np.zeros((4, 7), np.int64), (), ()), TypeError),
        ("warpsim.architecture.Arch", ("sm_90", {"warp_speed": 9}), ValueError),
        ("warpsim.layout.Layout", (16, 16, "f2"), ValueError),
    ],
)
def test_what_a_newer_version_may_have_made_is_refused(
    maker: str, arguments: tuple[Any, ...], error: type[Exception]
) -> None:
    module, _, name = maker.rpartition(".")

    class Sent:
        def __reduce__(self) -> Any:
            return pickle.Unpickler(io.BytesIO(b"")).find_class(module, name), arguments

    with pytest.raises(error):
        pickle.loads(pickle.dumps(Sent()))


def write() -> None:
    made = {
        name: {
            "shown": shown(value),
            "pickles": {
                str(protocol): base64.b64encode(pickle.dumps(value, protocol)).decode() for protocol in PROTOCOLS
            },
        }
        for name, value in objects().items()
    }
    text = json.dumps(made, separators=(",", ":"))
    path = FOLDER / f"{ws.__version__}{END}"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    write()
