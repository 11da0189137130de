"""Headless Chromium for the tests, and what they measure in a page."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")

MEASURE = (Path(__file__).parent / "measure.js").read_text()


def executable() -> str | None:
    """A Chromium of this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for many pages; without one the tests are skipped, and fail in CI."""
    path = executable()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs a Chromium: apt-get install chromium")
        pytest.skip("no Chromium on this machine")
    if not os.environ.get("CI"):
        pytest.importorskip("playwright.sync_api")
    api = importlib.import_module("playwright.sync_api")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()
