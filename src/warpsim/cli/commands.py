"""What each command does: arguments in, an answer out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any

from .. import targets
from ..errors import CompileError, bad_value
from ..instruction.banks import BankReport, bank_report
from ..instruction.base import DataMovement
from ..instruction.call import Given
from ..instruction.explanation import explain
from ..instruction.fragment_holders import holders
from ..instruction.fragment_map import FragmentMap
from ..instruction.products import Product
from ..loop.mainloop import mainloop
from ..loop.mainloop import with_remedy as loop_with_remedy
from ..render import advice, explanation, tables
from ..tile.remedy import notations
from ..tile.report import with_remedy
from ..tile.search import search
from ..tile.tiles import tile
from ..tile.users import KINDS
from . import calibrate, capture, explore, lint, options, run
from .output import Answer, of_report
from .ptx import any_instruction, instruction
from .remedy import cheaper, remedy
from .rules import rules
from .table import BAD, FINE


def _place(op: DataMovement, args: argparse.Namespace) -> options.Place:
    return options.resolve(op, args.address, args.tile, args.at, args.stride)


def _banks(
    op: DataMovement, place: options.Place, target: str | None, better: Mapping[str, Any] | None = None
) -> BankReport:
    given = Given(place.address, stride=place.stride, target=target)
    return bank_report(op, given, where=place.words, tile=place.core, remedy=better)


def _undefined(answer: Answer, op: DataMovement, place: options.Place, target: str | None = None) -> Answer:
    """The answer; of an undefined access that it is, and how to fix it."""
    if place.address is None:
        return answer
    report = _banks(op, place, target)
    contents = report.to_dict()
    found = advice.errors(contents)
    if not found:
        return answer
    lines = [f"error {found[0]['rule']}: {found[0]['message']}", f"fix: {found[0]['fix']}"]
    lines += [f"{len(found) - 1} more: warpsim explain lists them"] * (len(found) > 1)
    lines.append("the counts are of the addresses as given, rows rounded down to their alignment")
    return replace(
        answer, status=BAD, aside="\n  ".join(lines), text=lambda colour: explanation.bank_report(contents, colour)
    )


def _explain(args: argparse.Namespace) -> Answer:
    op = any_instruction(args.ptx)
    if args.ptx_version is not None:
        targets.ptx_number(args.ptx_version)
        if args.target is None:
            raise ValueError("--ptx-version: needs --target")
    if isinstance(op, Product):
        if args.address is not None or args.tile is not None or args.stride is not None:
            raise ValueError(f"PTX: {op.kind} has no addresses; leave out --address, --tile and --stride")
        about = op.explain(target=args.target, ptx_version=args.ptx_version)
        return of_report(about, FINE if about.ok else BAD, lambda colour: about.text(args.all))
    place = _place(op, args)
    report = explain(
        op, place.address, stride=place.stride, target=args.target, ptx_version=args.ptx_version,
        spot=place.spot(remedy(op, place)),
    )  # fmt: skip
    status = FINE if report.ok else BAD
    return of_report(report, status, lambda colour: explanation.explain(report.to_dict(), colour, args.all))


def _layout(args: argparse.Namespace) -> Answer:
    op = any_instruction(args.ptx)
    if isinstance(op, Product):
        fragment: FragmentMap | None = op.fragment(args.operand or "d")
    elif args.operand is not None:
        raise ValueError(f"--operand: {op.kind} has one fragment; only mma and wmma.mma have several")
    else:
        fragment = op.fragment if args.target is None else op.fragment_for(args.target)
    if fragment is None:
        raise ValueError(f"PTX: {op.kind} has no fragment: register i of a lane is element i of that lane's access")
    if args.lane is None and args.element is None:
        return of_report(fragment)
    element = None if args.element is None else options.element(args.element)
    return of_report(holders(fragment, lane=args.lane, element=element))


def _conflicts(args: argparse.Namespace) -> Answer:
    op = instruction(args.ptx)
    place = _place(op, args)
    if place.address is None:
        raise ValueError("--address: conflicts needs --address or --tile")
    report = _banks(op, place, args.target, remedy(op, place, args.target))
    traffic = report.to_dict()["traffic"]
    conflicts = traffic["wavefronts"] > traffic["ideal_wavefronts"]
    status = BAD if args.fail_on_conflict and conflicts else FINE
    answer = of_report(report, status, lambda colour: explanation.bank_report(report.to_dict(), colour))
    return _undefined(answer, op, place, args.target)


def _cost(args: argparse.Namespace) -> Answer:
    op = instruction(args.ptx)
    place = _place(op, args)
    if place.address is None and op.kind != "movmatrix":
        raise ValueError("--address: cost needs --address or --tile")
    report = op.cost(place.address, stride=place.stride, target=args.target, warps=args.warps)
    report = replace(report, remedy=cheaper(op, place, report, args.target))
    return _undefined(of_report(replace(report, where=place.words)), op, place, report.target)


def _users(args: argparse.Namespace) -> dict[str, Any]:
    """What fills and what reads a tile, as tile and search take it."""
    if not args.store and not args.load:
        raise ValueError("--store, --load: give at least one instruction that fills or reads the tile")
    return {f"{kind}s": [instruction(one, f"--{kind}") for one in getattr(args, kind) or ()] for kind in KINDS}


def _tile(args: argparse.Namespace) -> Answer:
    layout = options.tile(args.tile, "TILE")
    report = tile(layout, **_users(args), warps=args.warps, target=args.target)
    contents = with_remedy(report)
    return of_report(report, FINE if report.ok else BAD, lambda colour: tables.tile(contents, colour), contents)


def _search(args: argparse.Namespace) -> Answer:
    rows, cols, type_, own = options.sizes(args.size)
    if args.top < 0:
        raise bad_value("top", f"expected 0 or more, got {args.top}")
    found = search(
        rows, cols, type_,
        **_users(args), weights=args.weight, warps=args.warps, target=args.target,
        pads=None if args.pads is None else options.pads(args.pads),
        orders=args.orders.split(","), layouts=own, max_bytes=args.max_bytes,
    )  # fmt: skip
    contents = {**found.to_dict(), "notations": notations(found.best) if len(found) else {}}
    return of_report(
        found, FINE if len(found) else BAD, lambda colour: tables.search(contents, args.top, colour), contents
    )


def _mainloop(args: argparse.Namespace) -> Answer:
    m, n, k = options.numbers(args.tile, "tile MxNxK", 3)
    along_m, along_n = options.numbers(args.warps, "--warps AxB", 2)
    b_size = (k, n) if args.trans_b else (n, k)
    try:
        report = mainloop(
            (m, n, k), (along_m, along_n), type=args.type, trans_b=args.trans_b, stages=args.stages,
            a=options.options(args.a, "--a", m, k, args.type),
            b=options.options(args.b, "--b", *b_size, args.type),
            target=args.target, accumulate=args.accumulate, as_assembled=args.as_assembled,
        )  # fmt: skip
    except (CompileError, ImportError) as error:
        raise ValueError(f"--as-assembled: {error}") from error
    return of_report(report, contents=loop_with_remedy(report))


def _rules(args: argparse.Namespace) -> Answer:
    return of_report(rules(args.ids))


def _completion(args: argparse.Namespace) -> Answer:
    script = files("warpsim").joinpath("data", "completion", args.shell)
    return Answer(FINE, lambda colour: script.read_text(encoding="utf-8"))


RUN: Mapping[str, Callable[[argparse.Namespace], Answer]] = {
    "explain": _explain,
    "layout": _layout,
    "conflicts": _conflicts,
    "cost": _cost,
    "tile": _tile,
    "search": _search,
    "mainloop": _mainloop,
    "rules": _rules,
    "lint": lint.run,
    "run": run.run,
    "capture": capture.run,
    "calibrate": calibrate.run,
    "explore": explore.run,
    "completion": _completion,
}
