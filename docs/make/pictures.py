"""docs/explain/pictures: what the explanations and the first page show."""

from collections.abc import Callable, Mapping

import numpy as np

import warpsim as ws
from tests.support.paths import DOCS

FOLDER = DOCS / "explain" / "pictures"

X4 = ws.Ldmatrix(num=4)
LANE = np.arange(32)
ROWS = ws.Layout(64, 64, "f16")
SWIZZLED = ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
PADDED = ws.Layout(64, 64, "f16", pad=8)


def banks(op: ws.Instruction, address: object) -> Callable[[], str]:
    return lambda: op.explain(address).svg()


PICTURES: Mapping[str, Callable[[], str]] = {
    "conflict.svg": banks(X4, ROWS.addresses(X4)),
    "swizzle.svg": banks(X4, SWIZZLED.addresses(X4)),
    "fragment.svg": ws.Ldmatrix().fragment.svg,
    "packed_row.svg": ws.Ldmatrix("m8n16", type="b8x16.b6x16_p32").fragment.svg,
    "vector_load.svg": banks(ws.Ld(vec=4), LANE * 16),
    "merged_load.svg": banks(ws.Ld(vec=4), LANE // 2 * 16),
    "copy_padded.svg": banks(ws.CpAsync(), PADDED.addresses(ws.CpAsync())),
}
