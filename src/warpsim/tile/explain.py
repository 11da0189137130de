"""Everything about an instruction, its addresses given or those of a place in a tile."""

from __future__ import annotations

from numpy.typing import ArrayLike

from .. import arguments
from ..errors import bad_type, bad_value
from ..instruction import explanation
from ..instruction.base import DataMovement
from ..instruction.explanation import Explanation
from ..instruction.instruction import Instruction
from ..instruction.kinds import parse
from ..instruction.product_report import ProductReport
from ..instruction.products import Product
from ..words import suggesting
from .layout import Layout, layout_core
from .place import place_in
from .remedy import remedy
from .tiles import a_layout


@suggesting
def explain(
    op: Instruction | str,
    address: ArrayLike | None = None,
    *,
    layout: Layout | None = None,
    at: tuple[int, int] = (0, 0),
    stride: int | None = None,
    target: str | None = None,
    ptx_version: str | None = None,
) -> Explanation | ProductReport:
    """What `warpsim explain` prints about an instruction, or about its PTX text.

    `address`: (32,), wmma: p, with its `stride`; or `layout`: a tile, and `at` the row and column
    of it where the instruction works. With neither the report has no findings and no banks.
    `target` and `ptx_version`: see DataMovement.explain_at. Products have neither address nor
    layout; their report is a ProductReport.

    >>> import warpsim as ws
    >>> ptx = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
    >>> report = ws.explain(ptx, layout=ws.Layout(16, 64, "f16"))
    >>> report.ok, report.to_dict()["banks"]["traffic"]["bank_conflicts"]
    (True, 28)
    """
    found = parse(op) if isinstance(op, str) else op
    if isinstance(found, Product):
        for name, value in {"address": address, "layout": layout, "stride": stride}.items():
            if value is not None:
                raise bad_value(name, f"{found.ptx} does not access memory; expected None")
        return found.explain(target=target, ptx_version=ptx_version)
    if not isinstance(found, DataMovement):
        raise bad_type("op", f"expected an Instruction or PTX text, got {type(op).__name__}")
    if layout is None:
        return found.explain_at(address, stride=stride, target=target, ptx_version=ptx_version)
    a_layout(layout)
    if address is not None or stride is not None:
        raise bad_value("layout", "give either a layout or addresses with their stride, not both")
    places = [arguments.whole("at", value) for value in arguments.several("at", at, 2)]
    if len(places) != 2 or not (0 <= places[0] < layout.rows and 0 <= places[1] < layout.cols):
        raise bad_value(
            "at",
            f"expected (row, column), 0 to {layout.rows - 1} and 0 to {layout.cols - 1}; got {arguments.shown(at)}",
        )
    row, col = places
    address, stride = place_in(found, layout, row, col)
    advice = remedy(found, layout, (row, col))
    better = None if advice is None else advice.to_dict()
    words = f"tile {layout} at {row},{col}"
    spot = explanation.Spot(words, layout, layout_core(layout), (row, col), better, advice)
    return explanation.explain(found, address, stride=stride, target=target, ptx_version=ptx_version, spot=spot)
