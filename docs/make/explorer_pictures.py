"""Draws the explorer for the documentation: `python3 -m docs.make.explorer_pictures`.

Each state at the width of a desktop and of a phone, into docs/howto/explorer. Check every one of
them for overlap, clipping and contrast before committing it.
"""

from __future__ import annotations

import importlib
import sys
from html import escape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from tests.support.browser import chromium
from tests.support.explorer_page import Tab
from tests.support.paths import DOCS
from warpsim import explorer

PAGE = DOCS / "howto" / "explorer.md"
FOLDER = PAGE.with_suffix("")
HEADING = "## What it shows"
WIDTHS = {1280: 1100, 390: 844}
COLOURS = 128
FEW = ["0", "16", "33", "48", *(str(16 * lane) for lane in range(4, 31)), "9999999"]


class Look(NamedTuple):
    """One state of the page, and what there is to see."""

    name: str
    words: str
    state: dict[str, str]
    scheme: str = "light"
    searched: bool = False

    def picture(self, width: int) -> Path:
        """Its file."""
        return FOLDER / f"{self.name}-{width}.png"

    @property
    def link(self) -> str:
        """The fragment that shows it."""
        return explorer.fragment(self.state)


LOOKS = (
    Look("conflicts", "Eight rows in four banks: 32 wavefronts instead of 4.", {}),
    Look(
        "swizzle",
        "The same tile with Swizzle<3,3,3>: 4 wavefronts, and the bits that the swizzle changes.",
        {"B": "3", "M": "3", "S": "3", "row": "16", "col": "32", "lane": "5"},
    ),
    Look(
        "search", "Every padding and swizzle counted; click a point or a row to use that layout.",
        {"rows": "128", "pad": "8"}, searched=True,
    ),
    Look(
        "copies",
        "cp.async into rows padded by 16 bytes: 11 wavefronts, though the bank rule predicts 4.",
        {
            "side": "fill", "fill": "cp.async.cg.shared.global [a], [b], 16;", "pad": "8",
            "rows": "32",
        },
    ),
    Look(
        "packed", "6-bit elements: where each bit of a row lands.",
        {
            "op": "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32", "target": "sm_100a",
            "type": "b6x16_p32", "rows": "32", "cols": "64",
        },
    ),
    Look(
        "stride", "wmma.load with a padded stride: defined, with a warning.",
        {
            "op": "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "rows": "32", "cols": "32",
            "pad": "8", "lane": "5",
        },
        "dark",
    ),
    Look(
        "transposed", "m16n16 takes its rows from 16 lanes per matrix; one pass of its addresses.",
        {
            "op": "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "target": "sm_100a",
            "type": "b8", "rows": "32", "cols": "32", "pass": "1", "lane": "9", "warps": "2",
        },
    ),
    Look(
        "undefined", "One misaligned address and one outside shared memory, by lane.",
        {"addresses": " ".join(FEW), "target": "sm_70", "rows": "32", "cols": "32"}, "dark",
    ),
)  # fmt: skip


def section() -> str:
    """The last section of the page of the documentation."""
    desk, phone = WIDTHS
    intro = "Eight states, on a desktop and on a phone; each link opens the page in that state."
    lines = [HEADING, "", intro]
    for look in LOOKS:
        pictures = [look.picture(width).relative_to(PAGE.parent).as_posix() for width in WIDTHS]
        alt = look.words.split(";")[0].split(":")[0].rstrip(".")
        lines += [
            "", f"### {look.name.capitalize()}", "",
            f'{look.words} <a href="../explorer.html{escape(look.link)}">Open it</a>.', "",
            f"| {desk} pixels wide | {phone} |", "| --- | --- |",
            f"| ![{alt}]({pictures[0]}) | ![{alt}, on a phone]({pictures[1]}) |",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> int:
    """The command."""
    image = importlib.import_module("PIL.Image")  # of matplotlib's; the tests do without
    FOLDER.mkdir(exist_ok=True)
    before = PAGE.read_text("utf-8").partition(HEADING)[0]
    PAGE.write_text(before + section(), encoding="utf-8")
    with chromium() as browser:
        for look in LOOKS:
            for width, height in WIDTHS.items():
                viewport = {"width": width, "height": height}
                tab = Tab(browser, look.link, viewport=viewport, color_scheme=look.scheme)
                if look.searched:
                    tab.search()
                picture = image.open(BytesIO(tab.page.screenshot(full_page=True)))
                path = look.picture(width)
                picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)
                print(f"{path.name}: {path.stat().st_size:,} bytes, {picture.size}")
                tab.page.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
