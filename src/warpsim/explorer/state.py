"""The state that shows a report: the words of the page's form, made of the report's values.

The page has the targets of the package, tiles of at most 65,536 elements, and all lanes active.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch

from .. import _core, targets
from ..errors import bad_type
from ..instruction.banks import BankReport, access_of
from ..instruction.explanation import Explanation, asked_of
from ..instruction.fragment_map import FragmentMap, is_of_sm_75
from ..instruction.kinds import parse
from ..memory.access import Access
from ..report import Explorable, register_explorer
from ..tile.layout import Layout
from ..tile.report import TileReport
from ..tile.search_result import SearchResult
from ..time.cost import Cost
from ..time.cost import access_of as cost_access_of
from .link import ExplorerFrame, fragment, home


@singledispatch
def state_of(report: object) -> Mapping[str, str]:
    """The words of the state; ValueError where the page cannot show the report."""
    raise bad_type("report", f"expected one that the explorer shows, got {type(report).__name__}")


def _of_layout(layout: Layout) -> dict[str, str]:
    words = {name: str(getattr(layout, name)) for name in ("rows", "cols", "type", "order", "pad")}
    swizzle = layout.swizzle
    if swizzle is not None:
        words |= {name: str(getattr(swizzle, name)) for name in ("B", "M", "S", "unit")}
    return words


def _of_access(access: Access | None) -> dict[str, str]:
    if access is None or not access.is_plain:
        raise ValueError(
            "the explorer cannot show this report: it was made with an active mask, source"
            " addresses or a stride for each lane, or by a version that did not keep addresses"
        )
    words = {"op": access.ptx}
    if access.addresses:
        words["addresses"] = " ".join(map(str, access.addresses))
    if access.stride is not None:
        words["stride"] = str(access.stride)
    if access.target is not None:
        words["target"] = access.target
    return words


@state_of.register(BankReport)
def _of_banks(report: BankReport) -> Mapping[str, str]:
    return _of_access(access_of(report))


@state_of.register(Cost)
def _of_cost(report: Cost) -> Mapping[str, str]:
    words = _of_access(cost_access_of(report))
    return {**words, "warps": str(report.warps), "target": report.target}


@state_of.register(FragmentMap)
def _of_fragment(report: FragmentMap) -> Mapping[str, str]:
    if report.operand:
        raise ValueError("the explorer cannot show this report: it has no page for products")
    return {"op": report.ptx, **({"target": "sm_75"} if is_of_sm_75(report) else {})}


@state_of.register(TileReport)
def _of_tile(report: TileReport) -> Mapping[str, str]:
    return {
        **_of_layout(report.layout),
        "op": report.load.op.ptx,  # a ValueError where there is not one of each
        "fill": report.store.op.ptx,
        "warps": str(report.warps),
        "target": report.target,
    }


@state_of.register(SearchResult)
def _of_search(report: SearchResult) -> Mapping[str, str]:
    return {
        **_of_layout(report.best),
        "op": report.load.ptx,
        "fill": report.store.ptx,
        "warps": str(report.warps),
        "target": report.target,
    }


@state_of.register(Explanation)
def _of_explanation(report: Explanation) -> Mapping[str, str]:
    """The place in the tile, or the addresses; the newest PTX version of a target is left open."""
    contents = report.to_dict()
    op, asked = parse(contents["ptx"]), asked_of(report)
    words = {"op": op.ptx}
    if isinstance(asked.layout, Layout):
        words |= _of_layout(asked.layout)
    # the page has a tile for generic addresses at the beginning of the window
    is_generic = op.space == "" and op.kind != "cp.async"
    if asked.at is not None and not is_generic:
        words |= {"row": str(asked.at[0]), "col": str(asked.at[1])}
    elif contents["addresses"]:
        words |= _of_access(asked.access)
    target, version = (contents["legality"][name] for name in ("target", "ptx_version"))
    if target is not None:
        newest = _core.newest_ptx(targets.named_row(target))
        words |= {"target": target, "version": version}
        if targets.ptx_number(version) == newest:
            words["version"] = ""
    return words


def _shown(report: Explorable, base: str | None) -> ExplorerFrame:
    return ExplorerFrame(home(base), fragment(state_of(report)))


register_explorer(_shown)
