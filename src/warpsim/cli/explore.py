"""The command explore: the explorer in a browser, or the link that opens it."""

from __future__ import annotations

import argparse
import webbrowser
from contextlib import suppress
from threading import Thread

from .. import explorer
from ..instruction.explanation import explain
from ..tile.users import KINDS
from ..tile.users import instruction as of_kinds
from ..time.cost import warp_count
from . import options, output
from .output import Answer
from .ptx import instruction
from .server import ExplorerServer
from .table import FINE


def _fragment(args: argparse.Namespace) -> str:
    """The state that the arguments mean, checked as by every other command."""
    op = instruction(args.ptx)
    place = options.resolve(op, args.address, args.tile, args.at, args.stride)
    store = of_kinds("store", instruction(args.store, "--store"), KINDS["store"])
    report = explain(
        op, place.address, stride=place.stride, target=args.target, ptx_version=args.ptx_version, spot=place.spot()
    )
    state = {**explorer.state_of(report), "fill": store.ptx, "warps": str(warp_count(args.warps))}
    if args.ptx_version is None:
        del state["version"]  # the page takes the newest that has the target
    return explorer.fragment(state)


def _open(url: str) -> None:
    """In a thread: a terminal browser blocks until it is closed."""
    with suppress(OSError, webbrowser.Error):
        webbrowser.open(url)


def run(args: argparse.Namespace) -> Answer:
    """The link; without --link or --base the page is served until Ctrl-C, which is its ordinary end."""
    fragment = _fragment(args)
    if args.link or args.base is not None:
        link = explorer.home(args.base) + fragment
        return Answer(FINE, lambda colour: link)
    with suppress(KeyboardInterrupt), ExplorerServer(args.port) as server:
        url = server.url + fragment
        output.write(f"{url}\n", "text", args.output)
        if not args.no_browser:
            Thread(target=_open, args=(url,), daemon=True).start()
        server.serve_forever()
    return Answer(FINE, None)
