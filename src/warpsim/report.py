"""What every report can do: text, picture, HTML page, notebook, plain values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from . import _core
from .pickling import Kept
from .render import html


class Report(Kept, ABC):
    """A result that can be shown: str(), .html(), .to_dict(), and itself in a notebook.

    Where a picture helps there is .svg(), one self-contained <svg> element. The values come first:
    texts and pictures are made of `to_dict()` and nothing else.
    """

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: plain values, with a "schema" key that names their form and its version."""

    @abstractmethod
    def _parts(self) -> Sequence[str]:
        """The HTML of the report, piece by piece, without its title."""

    @abstractmethod
    def _title(self) -> str:
        """What the report is about, in one line."""

    def html(self) -> str:
        """A self-contained HTML page: no script, no request to anywhere, light and dark."""
        return html.page(self._title(), self._parts(), _core.VERSION)

    def _repr_html_(self) -> str:
        return "\n".join(part for part in self._parts() if part)


class Explorable(Report):
    """A report that the explorer can show.

    The page has the targets of the package, tiles of at most 65,536 elements, and all lanes active.
    """

    __slots__ = ()

    def explore_url(self, base: str | None = None) -> str:
        """The link that opens the explorer with this report.

        `base`: where the page is, such as "https://example.org/explorer.html"; None: the value of
        WARPSIM_EXPLORER_URL, else the file of the installed package, which needs no server. A
        ValueError where the page has no place for what the report is about.

        >>> import warpsim as ws
        >>> ws.Ldmatrix(num=2).explain(range(0, 512, 16)).explore_url("explorer.html")[:51]
        'explorer.html#v=1&op=ldmatrix.sync.aligned.m8n8.x2.'
        """
        return str(self.explore(base))

    def explore(self, base: str | None = None) -> Any:
        """The explorer with this report, which a notebook shows; `base`: see explore_url."""
        return _explorers[0](self, base)


_explorers: list[Callable[[Explorable, str | None], object]] = []


def register_explorer(show: Callable[[Explorable, str | None], object]) -> None:
    """The explorer says how it shows a report; reports know nothing of pages and links."""
    _explorers[:] = [show]
