"""cp.async: what lanes copy, leave out, and must not copy."""

import numpy as np
import pytest

import warpsim as ws

TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to)
{
.reg .b32 %r<8>; .reg .b64 %d<3>; .reg .pred %p<2>; .shared .align 16 .b8 s[512];
ld.param.u64 %d1, [from]; ld.param.u64 %d2, [to]; mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 20;
mad.wide.u32 %d1, %r0, 16, %d1; mad.wide.u32 %d2, %r0, 16, %d2; mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 16, %r1;
COPY
cp.async.wait_all;
ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r1];
st.global.v4.u32 [%d2], {%r2, %r3, %r4, %r5};
ret;
}
"""


def copied(copy: str, source: np.ndarray) -> tuple[ws.KernelReport, np.ndarray]:
    target = np.full((32, 4), 77, np.uint32)
    return ws.Module(TEXT.replace("COPY", copy))["k"](1, 32, [source, target]), target


@pytest.mark.parametrize(
    ("copy", "words"), [("cg.shared.global [%r1], [%d1], 16", 4), ("ca.shared.global [%r1], [%d1], 4", 1)]
)
def test_lanes_that_ignore_their_source_get_zeros_and_read_nothing(copy: str, words: int) -> None:
    """The array ends before their places."""
    source = np.arange(1, 81, dtype=np.uint32).reshape(20, 4)
    first = "st.shared.v4.u32 [%r1], {%r0, %r0, %r0, %r0};"
    report, target = copied(f"{first} cp.async.{copy}, %p1;", source)
    assert [one for one in report.findings if one.severity == "error"] == []
    assert (target[:20, :words] == source[:, :words]).all() and not target[20:, :words].any()
    assert (target[:, words:] == np.arange(32)[:, None]).all()
    report, _ = copied(f"{first} cp.async.{copy};", source)
    assert [(one.rule, one.lanes[0]) for one in report.findings if one.severity == "error"] == [
        ("WS-RUN-001", (20, 0, 0))
    ]


def test_a_copy_of_what_nobody_has_written_is_a_use_of_it() -> None:
    """At the copy: who loads what it has brought is told nothing more."""
    copy = "cp.async.cg.shared.global [%r1], [%d1], 16"
    report, _ = copied(f"{copy};", ws.uninitialized((32, 4), np.uint32))
    (found,) = report.findings
    assert (found.rule, found.severity, found.line, len(found.lanes)) == ("WS-RUN-021", "error", 9, 32)
    assert (found.array, found.offset) == ("from", 0)
    assert found.other is not None and found.other.line == 9
    report, _ = copied(
        f"@%p1 st.global.v4.u32 [%d1], {{%r0, %r0, %r0, %r0}}; {copy};", ws.uninitialized((32, 4), np.uint32)
    )
    (found,) = report.findings
    assert found.lanes == tuple((x, 0, 0) for x in range(20))
    report, _ = copied(f"{copy}, 0;", ws.uninitialized((32, 4), np.uint32))
    assert report.findings == ()
