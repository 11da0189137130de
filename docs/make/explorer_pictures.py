"""Draws the explorer for the documentation: `python3 -m docs.make.explorer_pictures`.

Each state at the width of a desktop and of a phone, into docs/howto/explorer. Check every one of
them for overlap, clipping and contrast before committing it.
"""

import importlib
import json
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


LOOKS = [
    Look(**row)
    for row in json.loads(Path(__file__).with_name("data").joinpath("explorer_pictures.json").read_text("utf-8"))
]


def section() -> str:
    """The last section of the page of the documentation."""
    desk, phone = WIDTHS
    intro = "Nine states, on a desktop and on a phone; each link opens the page in that state."
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
