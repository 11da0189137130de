"""What every report can do: text, picture, HTML page, notebook, plain values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
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
