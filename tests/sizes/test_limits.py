"""What a GPU cannot hold is refused with its limit: both sides of each, for every target."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import targets
from warpsim.machine import sass
from warpsim.time.architecture import resolve

#: "Technical specifications per compute capability" of the CUDA programming guide: KiB of shared memory of a block
SHARED = {
    "sm_60": 48, "sm_61": 48, "sm_62": 48, "sm_70": 96, "sm_72": 96, "sm_75": 64, "sm_80": 163, "sm_86": 99,
    "sm_87": 163, "sm_89": 99, "sm_90": 227, "sm_90a": 227, "sm_100a": 227, "sm_103": 227, "sm_110": 227, "sm_120": 99,
    "sm_121a": 99,
}  # fmt: skip
CLUSTERS = {"sm_75": 1, "sm_80": 1, "sm_89": 1, "sm_90": 16, "sm_100": 16, "sm_120": 8}
TEXT = """.version 9.0
.target {target}
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 out) {{
    .reg .b32 %r; .reg .b64 %d; .shared .align 16 .b8 s[{static}];
    ld.param.u64 %d, [out]; mov.u32 %r, s; st.shared.u32 [%r], %r; mov.u32 %r, dynamic;
    .reg .b64 %at; .reg .b32 %n; mov.u32 %n, %ctaid.x; mad.wide.u32 %at, %n, 4, %d; st.global.u32 [%at], %r; ret;
}}
"""


def launched(target: str, static: int = 16, **options: Any) -> ws.KernelReport:
    return ws.Module(TEXT.format(target=target, static=static))["k"](
        options.pop("grid", 1), options.pop("block", 32), (np.zeros(32, np.uint32),), **options
    )


@pytest.mark.parametrize("target", SHARED)
def test_shared_memory_of_a_block_is_that_of_its_target(target: str) -> None:
    most = SHARED[target] * 1024
    assert launched(target, shared_bytes=most - 16).ok
    with pytest.raises(
        ValueError, match=f"expected at most {most - 16:,} beside 16 static ones, .* {target} has {most:,}"
    ):
        launched(target, shared_bytes=most - 15)
    compared("limits of shared memory, both sides", 2, at_least=2)


@pytest.mark.parametrize("target", SHARED)
def test_variables_take_what_the_assembler_lets_them(target: str) -> None:
    assert launched(target, 49152).ok
    with pytest.raises(ws.UnsupportedError, match=r"take 49,168 bytes; a thread block has at most 49,152 for them"):
        launched(target, 49153)


def test_shared_memory_that_the_host_must_allow_is_noted() -> None:
    assert not launched("sm_90", shared_bytes=49152 - 16).notes
    (note,) = launched("sm_90", shared_bytes=49153 - 16).notes
    assert "49,153 bytes of shared memory" in note and note.endswith("MaxDynamicSharedMemorySize, 49137)")


HEAD = ".version {version}\n.target {target}\n.address_size 64\n"


@pytest.mark.parametrize(
    ("version", "target", "most"),
    [
        ("8.1", "sm_90", 32764), ("9.0", "sm_70", 32764), ("8.0", "sm_90", 4352), ("6.0", "sm_70", 4352),
        ("8.1", "sm_62", 4352), ("8.8", "sm_60", 4352),
    ],
)  # fmt: skip
def test_parameters_of_a_kernel(version: str, target: str, most: int) -> None:
    """The PTX ISA's, and ptxas 13.5: "uses too much parameter space (0x7ffd bytes, 0x7ffc max)"."""
    text = HEAD.format(version=version, target=target) + ".visible .entry k(.param .b8 p[%d]) { ret; }"
    assert ws.Module(text % most)["k"](1, 1, (bytes(most),)).ok
    told = f"k: its parameters take {most + 1:,} bytes; a kernel has at most {most:,} for them"
    with pytest.raises(ws.UnsupportedError, match=told):
        ws.Module(text % (most + 1))["k"](1, 1, (bytes(most + 1),))


def test_parameters_of_functions_have_no_such_limit() -> None:
    called = ".func f(.param .b8 p[40000]) { ret; } .visible .entry k() { .param .b8 a[40000]; call f, (a); ret; }"
    assert ws.Module(HEAD.format(version="8.1", target="sm_90") + called)["k"](1, 1, (), stack_bytes=1 << 17).ok


@pytest.mark.parametrize(
    ("declared", "nbytes"),
    [
        (".const .b8 c[%d];", 65536), (".const .b8 b[1]; .const .align 8 .b8 c[%d];", 65528),
        (".extern .const .b8 c[]; .const .b8 c[%d];", 65536), (".const .b8 b[65535]; .const .b8 c[%d];", 1),
    ],
)  # fmt: skip
def test_constants_of_a_module(declared: str, nbytes: int) -> None:
    """As ptxas 13.5: "too much global constant data (0x10001 bytes, 0x10000 max)", used or not."""
    text = HEAD.format(version="8.1", target="sm_90") + declared + " .visible .entry k() { ret; }"
    assert ws.Module(text % nbytes)["k"](1, 1, ()).ok
    told = r"k: the \.const variables of its module take 65,537 bytes; a module has at most 65,536"
    with pytest.raises(ws.UnsupportedError, match=told):
        ws.Module(text % (nbytes + 1))["k"](1, 1, ())


@pytest.mark.parametrize(
    ("version", "is_told"),
    [
        ("8.8", ""),
        ("8.9", "8.9 does not exist"),
        ("6.6", "6.6 does not exist"),
        ("9.5", ""),
        ("9.6", "newest"),
        ("5.0", "sm_75 needs PTX 6.3 or later"),
    ],
)
def test_versions_that_no_assembler_has_are_noted(version: str, is_told: str) -> None:
    text = HEAD.format(version=version, target="sm_75") + ".visible .entry k() { ret; }"
    notes = ws.Module(text)["k"](1, 1, ()).notes
    assert [is_told in note for note in notes] == [True] * bool(is_told)


@pytest.mark.parametrize("target", CLUSTERS)
def test_clusters_have_as_many_blocks_as_on_the_target(target: str) -> None:
    most = CLUSTERS[target]
    assert launched(target, grid=32, cluster=most).ok
    with pytest.raises(
        ValueError, match=f"cluster: expected at most {most} thread blocks? on {target}, got {2 * most}"
    ):
        launched(target, grid=(32, 2), cluster=(most, 2))


@pytest.mark.parametrize(
    ("block", "grid", "refused"),
    [
        (1024, 1, ""), (1025, 1, "block"), ((32, 32, 2), 1, "block"), ((1, 1, 64), 1, ""), ((1, 1, 65), 1, "block"),
        (1, (1, 65535), ""), (1, (1, 65536), "grid"), (1, (1, 1, 65536), "grid"), (1, 2**31, "grid"),
    ],
)  # fmt: skip
def test_threads_and_blocks(block: Any, grid: Any, refused: str) -> None:
    if not refused:
        assert launched("sm_90", block=block, grid=grid, blocks=[0]).ok
        return
    with pytest.raises(ValueError, match=f"^{refused}: "):
        launched("sm_90", block=block, grid=grid, blocks=[0])


def test_occupancy_and_launches_ask_the_same_limits() -> None:
    for target, kib in SHARED.items():
        if target != "sm_62":  # whose SM is not published
            assert ws.occupancy(32, 32, kib * 1024, target=target).blocks >= 1
        assert resolve(target).shared_bytes_per_block == kib * 1024


def crowded(values: int, more: str = "") -> str:
    """A kernel that has so many values at once."""
    rows = range(values)
    return (
        f".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {more} {{\n"
        f".reg .b32 %r<{values}>; .reg .b64 %d; ld.param.u64 %d, [p];\n"
        + "".join(f"ld.volatile.global.u32 %r{i}, [%d+{4 * i}];\n" for i in rows)
        + "".join(f"st.volatile.global.u32 [%d+{4 * i}], %r{values - 1 - i};\n" for i in rows)
        + "ret; }\n"
    )


def test_registers_of_a_block_are_refused_where_the_assembler_is_at_hand() -> None:
    try:
        sass.tool("ptxas"), sass.tool("nvdisasm")
    except ImportError as error:
        pytest.skip(str(error))
    array, each = np.zeros(512, np.uint32), {"as_assembled": True, "check": False}
    kernel = ws.Module(crowded(160))["k"]
    assert kernel(1, 1024, (array.copy(),)).ok  # nobody has asked the assembler
    assert kernel(1, 384, (array.copy(),), **each).ok
    with pytest.raises(
        ValueError, match=r"^block: expected .* thread block's 65,536; got 1,024 of 1\d\d each, which take"
    ):
        kernel(1, 1024, (array.copy(),), **each)
    assert ws.Module(crowded(160, ".maxntid 1024, 1, 1"))["k"](1, 1024, (array.copy(),), **each).ok


@pytest.mark.parametrize(
    ("threads", "registers", "taken"),
    [(1024, 64, 65536), (1024, 65, 73728), (1024, 166, 172032), (384, 168, 64512), (385, 168, 86016), (1, 255, 32768)],
)
def test_registers_are_given_to_warps_and_sub_partitions(threads: int, registers: int, taken: int) -> None:
    assert targets.block_registers(threads, registers) == taken
    limits = ws.occupancy(threads, registers).limits
    assert (limits["registers"] == 0) == (taken > 65536)
