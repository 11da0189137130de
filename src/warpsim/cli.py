"""The command line: explain, layout, conflicts, cost, tile, search, lint.

Exit status 0: fine (bank conflicts are fine, unless --fail-on-conflict), 1: illegal or undefined,
2: usage.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from . import __version__, errors, targets
from .explanation import explain
from .instruction import Instruction
from .instructions import parse
from .lint import lint
from .render import text
from .search import search
from .tiles import tile
from .where import pads, resolve, sizes
from .where import tile as tile_of

FINE, BAD, USAGE = 0, 1, 2


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def _read(ptx: str) -> Instruction:
    return parse(sys.stdin.read().strip() if ptx == "-" else ptx)


def _print(contents: dict[str, Any], rendered: str, as_json: bool) -> None:
    print(json.dumps(contents) if as_json else rendered)


def _explain(args: argparse.Namespace) -> int:
    op = _read(args.ptx)
    address, stride, where = resolve(op, args.address, args.tile, args.at, args.stride)
    if args.ptx_version is not None:
        targets.ptx_number(args.ptx_version)
        if args.target is None:
            raise ValueError("--ptx-version needs --target")
    report = explain(
        op, address, stride=stride, where=where, target=args.target, ptx_version=args.ptx_version
    )
    contents = report.to_dict()
    _print(contents, text.explain(contents, _colour()), args.json)
    return FINE if report.ok else BAD


def _layout(args: argparse.Namespace) -> int:
    op = _read(args.ptx)
    if op.fragment is None:
        raise ValueError(
            f"{op.kind} is lane by lane: register i of a lane is element i of its access"
        )
    _print(op.fragment.to_dict(), str(op.fragment), args.json)
    return FINE


def _conflicts(args: argparse.Namespace) -> int:
    op = _read(args.ptx)
    address, stride, _ = resolve(op, args.address, args.tile, args.at, args.stride)
    if address is None:
        raise ValueError("conflicts needs --address or --tile")
    report = op.explain(address, stride=stride)
    _print(report.to_dict(), text.bank_report(report.to_dict(), _colour()), args.json)
    traffic = report.to_dict()["traffic"]
    conflicts = traffic["wavefronts"] > traffic["ideal_wavefronts"]
    return BAD if args.fail_on_conflict and conflicts else FINE


def _cost(args: argparse.Namespace) -> int:
    op = _read(args.ptx)
    address, stride, _ = resolve(op, args.address, args.tile, args.at, args.stride)
    if address is None and op.kind != "movmatrix":
        raise ValueError("cost needs --address or --tile")
    found = op.cost(address, stride=stride, target=args.target, warps=args.warps)
    _print(found.to_dict(), str(found), args.json)
    return FINE


def _tile(args: argparse.Namespace) -> int:
    report = tile(
        tile_of(args.tile, "TILE"),
        store=args.store, load=args.load, warps=args.warps, target=args.target,
    )  # fmt: skip
    _print(report.to_dict(), str(report), args.json)
    return FINE if report.ok else BAD


def _search(args: argparse.Namespace) -> int:
    rows, cols, type_ = sizes(args.size)
    found = search(
        rows, cols, type_,
        store=args.store, load=args.load, warps=args.warps, target=args.target,
        pads=None if args.pads is None else pads(args.pads),
        orders=args.orders.split(","), max_bytes=args.max_bytes,
    )  # fmt: skip
    _print(found.to_dict(), found.text(args.top), args.json)
    return FINE if len(found) else BAD


def _read_file(name: str) -> str:
    """A PTX file; what is not UTF-8 in it (comments, names of source files) is no PTX."""
    if name == "-":
        binary = getattr(sys.stdin, "buffer", None)
        return sys.stdin.read() if binary is None else str(binary.read(), "utf-8", "replace")
    try:
        with open(name, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror or error}") from error


def _lint(args: argparse.Namespace) -> int:
    texts = [(name, _read_file(name)) for name in args.files]
    status = FINE
    for name, ptx in texts:
        report = lint(ptx, target=args.target, ptx_version=args.ptx_version)
        shown = "<stdin>" if name == "-" else name
        _print({"file": shown, **report.to_dict()}, report.text(shown), args.json)
        status = status if report.ok else BAD
    return status


#: what a command is about: how it is written, what it is, how many
_SUBJECTS = {
    "ptx": ("PTX", "an instruction; - reads standard input", None),
    "files": ("FILE", "PTX files; - reads standard input", "+"),
    "tile": ("TILE", "ROWSxCOLS:TYPE[:row|col][:pad=N][:swizzle=B,M,S]", None),
    "size": ("SIZE", "ROWSxCOLS:TYPE", None),
}


def _sides(sub: argparse.ArgumentParser) -> argparse.ArgumentParser:
    sub.add_argument("--load", metavar="PTX", required=True, help="ld or ldmatrix: reads it")
    fills = "st, stmatrix or cp.async: fills it"
    sub.add_argument("--store", metavar="PTX", required=True, help=fills)
    sub.add_argument("--warps", type=int, default=4, metavar="N", help="that do it together (4)")
    sub.add_argument("--target", metavar="T", default="sm_90", help="such as sm_90a (sm_90)")
    return sub


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="warpsim",
        description="NVIDIA's warp-level matrix memory instructions, without a GPU.",
        epilog="warpsim COMMAND --help has an example of each",
    )
    parser.add_argument("--version", action="version", version=f"warpsim {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(
        name: str, run: Any, help_: str, example: str, *, of: str = "ptx"
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            name, help=help_, description=help_, epilog=f"example: warpsim {name} {example}"
        )
        metavar, what, nargs = _SUBJECTS[of]
        sub.add_argument(of, metavar=metavar, help=what, nargs=nargs)
        form = "the same as JSON" + (", one line per file" if of == "files" else "")
        sub.add_argument("--json", action="store_true", help=form)
        sub.set_defaults(run=run)
        return sub

    def where(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--address", metavar="A0,A1,...|EXPR", help="addresses, or an expression in lane"
        )
        sub.add_argument("--tile", help="ROWSxCOLS:TYPE[:row|col][:pad=N][:swizzle=B,M,S]")
        sub.add_argument("--stride", type=int, metavar="S", help="wmma: elements between rows")
        sub.add_argument("--at", metavar="ROW,COL", default="0,0", help="place in the tile (0,0)")

    sub = command(
        "explain",
        _explain,
        "legality, addresses, undefined behaviour, registers and banks of one instruction",
        '"ldmatrix.sync.aligned.m8n8.x4.shared.b16" --tile 16x16:f16',
    )
    where(sub)
    sub.add_argument("--target", metavar="T", help="judge for this target, such as sm_90a")
    sub.add_argument("--ptx-version", metavar="V", help="and this PTX version, such as 8.6")
    command(
        "layout",
        _layout,
        "which matrix element each register of each lane holds",
        '"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"',
    )
    sub = command(
        "conflicts",
        _conflicts,
        "wavefronts and bank conflicts: which lanes meet in which bank",
        '"ldmatrix.sync.aligned.m8n8.x4.shared.b16" --address "lane % 8 * 256 + lane // 8 * 16"',
    )
    where(sub)
    sub.add_argument(
        "--fail-on-conflict", action="store_true", help="exit 1 if there is a conflict"
    )
    sub = command(
        "cost",
        _cost,
        "latency of one instruction, cycles of an endless stream of it, and what bounds that",
        '"ldmatrix.sync.aligned.m8n8.x4.shared.b16" --tile 16x64:f16:pad=8 --warps 8',
    )
    where(sub)
    sub.add_argument("--warps", type=int, default=1, metavar="N", help="that repeat it (1)")
    sub.add_argument("--target", metavar="T", default="sm_90", help="such as sm_90a (sm_90)")
    _sides(
        command(
            "tile",
            _tile,
            "both sides of a tile: wavefronts, cycles, bytes, legality and alignment",
            "64x64:f16:pad=8 --store cp.async.cg.shared.global"
            " --load ldmatrix.sync.aligned.m8n8.x4.shared.b16",
            of="tile",
        )
    )
    sub = _sides(
        command(
            "search",
            _search,
            "the best layouts of a tile: every padding, swizzle and order counted",
            "128x64:f16 --store st.shared.v4.b32 --load ldmatrix.sync.aligned.m8n8.x4.shared.b16",
            of="size",
        )
    )
    sub.add_argument("--pads", metavar="A-B|A,B,...", help="elements added to each row (0-64)")
    sub.add_argument("--orders", metavar="row,col", default="row", help="row, col or both (row)")
    sub.add_argument("--max-bytes", type=int, metavar="N", help="no larger layouts")
    sub.add_argument("--top", type=int, default=10, metavar="N", help="how many are shown (10)")
    sub = command(
        "lint",
        _lint,
        "check every matrix memory instruction, ld, st and cp.async of PTX files",
        "kernel.ptx --target sm_90a",
        of="files",
    )
    sub.add_argument("--target", metavar="T", help="instead of the file's, such as sm_90a")
    sub.add_argument("--ptx-version", metavar="V", help="instead of the file's, such as 8.6")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs one command; gives the exit status."""
    args = _parser().parse_args(argv)
    try:
        status: int = args.run(args)
    except (errors.PtxSyntaxError, errors.UnsupportedError) as error:
        print(f"warpsim: {error}", file=sys.stderr)
        return BAD
    except ValueError as error:
        print(f"warpsim: {error}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    return status
