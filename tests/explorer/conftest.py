"""The browser, the page in it, and the server of the page, once a file."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.browser import chromium
from tests.support.explorer_page import Tab, serving
from warpsim.cli.server import ExplorerServer


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def tab(browser: Any, request: pytest.FixtureRequest) -> Iterator[Tab]:
    """In the window that the file asks for as WINDOW."""
    opened = Tab(browser, **getattr(request.module, "WINDOW", {}))
    yield opened
    assert opened.noise == []


@pytest.fixture(scope="module")
def server() -> Iterator[ExplorerServer]:
    with serving() as made:
        yield made
