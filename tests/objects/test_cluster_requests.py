"""clusterlaunchcontrol: a request counts its bytes at an mbarrier object, and ends the launch where none is."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.clusters.ptx import SYNC, kernel

#: rank 0 asks; an object is at [%r7] in both blocks, or at first in one of them alone
BODY = """
    setp.le.u32 %p2, %r2, LAST; setp.eq.u32 %p4, %r2, 0;
    @%p2 mbarrier.init.shared.b64 [%r7], 1; st.shared.u64 [%r7+8], 0;
    SYNC
    @%p4 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytesALL.b128 [%r6], [OBJECT];
    SYNC
"""
ALL = ".multicast::cluster::all"


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("last", "everywhere", "at", "rules"),
    [
        (1, "", "%r7", []),
        (1, ALL, "%r7", []),
        (0, "", "%r7", []),
        (0, ALL, "%r7", ["WS-RUN-016"]),
        (1, "", "%r7+8", ["WS-RUN-016"]),
        (1, ALL, "%r7+4", ["WS-RUN-016"]),
        (1, "", "%r7+64", ["WS-RUN-016"]),
    ],
    ids=["own", "all", "own alone", "not in all", "beside it", "not aligned", "beyond the memory"],
)
def test_a_request_needs_an_object_that_counts_its_bytes(
    last: int, everywhere: str, at: str, rules: list[str], check: bool
) -> None:
    text = BODY.replace("LAST", str(last)).replace("ALL", everywhere).replace("OBJECT", at).replace("SYNC", SYNC)
    module = ws.Module(kernel(text).replace("sm_90a", "sm_100a"))
    report = module["kernel"](2, 1, [np.zeros(2, np.uint32)], cluster=2, check=check)
    assert [one.rule for one in report.findings if one.severity == "error"] == rules
