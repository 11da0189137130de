"""docs/explain/pictures: what the explanations and the first page show."""

from collections.abc import Callable, Mapping

import numpy as np

import warpsim as ws
from tests.support.paths import DOCS
from warpsim.render import punch_card
from warpsim.render.svg import ALARM, FAINT, INK, MARGIN, document, text

FOLDER = DOCS / "explain" / "pictures"

X4 = ws.Ldmatrix(num=4)
LANE = np.arange(32)
ROWS = ws.Layout(64, 64, "f16")
SWIZZLED = ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
PADDED = ws.Layout(64, 64, "f16", pad=8)


def banks(op: ws.DataMovement, address: object) -> Callable[[], str]:
    return lambda: op.explain(address).svg()


def before_and_after() -> str:
    """The first matrix of four: eight rows in four banks, and in all of them."""
    body, y = [], 34
    for name, layout in (("Before: rows of 64 halves", ROWS), ("After: the same rows with Swizzle<3,3,3>", SWIZZLED)):
        report = X4.explain(layout.addresses(X4)).to_dict()
        count, colour = report["traffic"], ALARM if report["traffic"]["bank_conflicts"] else INK
        said = f"{count['bank_conflicts'] or 'no'} bank conflicts, {count['wavefronts']} wavefronts"
        body.append(text(MARGIN, y, name, 'font-size="17" font-weight="600"'))
        body.append(text(884, y, said, f'font-size="17" font-weight="600" text-anchor="end" fill="{colour}"'))
        body.append(punch_card.bank_axis(y + 26))
        drawn, y = punch_card.bank_group(report["groups"][0], y + 34)
        body.append(drawn)
        y += 26
    words = "ldmatrix.x4: numbers are lanes, a row is one pass over the 32 banks; the other three matrices do the same"
    body.append(text(MARGIN, y - 12, words, f'font-size="13" fill="{FAINT}"'))
    return document("ldmatrix.x4 before: 28 bank conflicts; after: none", y + 4, body)


PICTURES: Mapping[str, Callable[[], str]] = {
    "before_after.svg": before_and_after,
    "conflict.svg": banks(X4, ROWS.addresses(X4)),
    "swizzle.svg": banks(X4, SWIZZLED.addresses(X4)),
    "fragment.svg": ws.Ldmatrix().fragment.svg,
    "packed_row.svg": ws.Ldmatrix("m8n16", type="b8x16.b6x16_p32").fragment.svg,
    "vector_load.svg": banks(ws.Ld(vec=4), LANE * 16),
    "merged_load.svg": banks(ws.Ld(vec=4), LANE // 2 * 16),
    "copy_padded.svg": banks(ws.CpAsync(), PADDED.addresses(ws.CpAsync())),
}
