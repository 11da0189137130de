"""The page of the explorer, and the address that opens it with a state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from .. import arguments, paths
from ..errors import bad_type, bad_value

VERSION = "1"
#: the keys of a state, and what the page shows where a link has none
DEFAULTS: Mapping[str, str] = {
    "op": "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "target": "sm_90", "version": "",
    "stride": "", "warps": "4", "rows": "64", "cols": "64", "type": "f16", "order": "row",
    "pad": "0", "B": "0", "M": "0", "S": "0", "unit": "element", "row": "0", "col": "0",
    "arrange": "col", "addresses": "", "fill": "st.shared.v4.b32", "side": "read", "lane": "0",
    "pass": "", "beside": "",
}  # fmt: skip
ROOT = '<html lang="en">'  # of the page, as it is written there
HOME_VARIABLE = "WARPSIM_EXPLORER_URL"  # where a site has the page, for links that can be shared
HEIGHT = 800  # of the page inside a notebook


def fragment(state: Mapping[str, str]) -> str:
    """The "#v=1&..." of a state: what differs from the defaults, in their order.

    >>> fragment({"pad": "8", "rows": "64", "op": "ld.shared.b32"})
    '#v=1&op=ld.shared.b32&pad=8'
    """
    keys = sorted(state, key=list(DEFAULTS).index)
    words = {key: state[key] for key in keys if state[key] != DEFAULTS[key]}
    return f"#{urlencode({'v': VERSION} | words)}"


def home(base: str | None = None) -> str:
    """Where the page is: `base`, else $WARPSIM_EXPLORER_URL, else the installed package as a file:// address."""
    if base is None:
        base = os.environ.get(HOME_VARIABLE) or paths.explorer().as_uri()
    if not isinstance(base, str):
        raise bad_type(
            "base", f"expected an address such as 'https://example.org/explorer.html', got {type(base).__name__}"
        )
    text = str.__str__(base)
    if "#" in text:
        raise bad_value("base", f"expected an address without a #, got {arguments.shown(text)}")
    return text


def page() -> str:
    """The HTML of the page."""
    return paths.explorer().read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class ExplorerFrame:
    """The explorer inside a notebook, showing one state; str() is its link.

    The page is in the notebook as a whole, and asks for nothing. Its frame may run scripts, save
    files and copy to the clipboard, and has nothing of the notebook's.
    """

    home: str
    state: str

    def _repr_html_(self) -> str:
        own = f'data-state="{escape(self.state)}" data-home="{escape(self.home)}"'
        text = page().replace(ROOT, f"{ROOT[:-1]} {own}>", 1)
        return (
            f'<iframe title="warpsim explorer" width="100%" height="{HEIGHT}"'
            ' sandbox="allow-scripts allow-downloads" allow="clipboard-write"'
            f' srcdoc="{escape(text)}"></iframe>'
        )

    def __str__(self) -> str:
        return self.home + self.state
