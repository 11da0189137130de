"""Headless Chromium for the tests, and what they measure in a page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")

#: all that is measured in a page at once: every text against what it stands on, and its size
MEASURE = r"""() => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const rgba = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => {
      c /= 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((p, q) => p - q);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (element) => {
    const stack = [];
    for (let at = element; at; at = at.parentElement) stack.push(rgba(getComputedStyle(at).backgroundColor));
    return stack.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const filled = (shape) => {
    const style = getComputedStyle(shape);
    if (style.fill === "none") return null;
    const colour = rgba(style.fill);
    colour[3] *= Number(style.fillOpacity) * Number(style.opacity);
    return colour;
  };
  const found = { texts: [], overlaps: [], runaways: [], boxed: 0, pairs: 0 };
  found.scrollWidth = document.documentElement.scrollWidth;
  found.innerWidth = window.innerWidth;
  found.scripts = document.scripts.length;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("svg") || !parent.getClientRects().length) continue;
    const style = getComputedStyle(parent);
    found.texts.push([node.data.trim().slice(0, 40), contrast(rgba(style.color), behind(parent)),
                      parseFloat(style.fontSize), "html"]);
  }
  for (const svg of document.querySelectorAll("svg")) {
    const page = behind(svg), shapes = [], boxes = [];
    for (const element of svg.querySelectorAll("rect, text")) {
      const bounds = element.getBoundingClientRect();
      if (element.tagName === "rect") {
        shapes.push([bounds, filled(element)]);
        continue;
      }
      const x = (bounds.left + bounds.right) / 2, y = (bounds.top + bounds.bottom) / 2;
      const under = shapes.filter(([at]) => at.left <= x && x <= at.right && at.top <= y && y <= at.bottom);
      const ground = under.reduce((below, [, colour]) => (colour ? over(colour, below) : below), page);
      const spans = [...element.querySelectorAll("tspan")].filter((span) => span.textContent);
      const scale = element.getScreenCTM().a;
      for (const part of spans.length ? spans : [element]) {
        const style = getComputedStyle(part);
        found.texts.push([part.textContent.slice(0, 40), contrast(rgba(style.fill), ground),
                          parseFloat(style.fontSize) * scale, "svg"]);
      }
      const words = element.textContent;
      const sheet = svg.getBoundingClientRect();
      if (bounds.left < sheet.left || bounds.right > sheet.right || bounds.bottom > sheet.bottom
          || bounds.top < sheet.top) found.runaways.push(`${words} runs out of the sheet`);
      if (under.length > 1) {
        const [box] = under[under.length - 1];
        found.boxed += 1;
        if (bounds.left < box.left - 0.5 || bounds.right > box.right + 0.5)
          found.runaways.push(`${words} runs out of its box`);
      }
      // letters only: the bounds have room for accents and descenders
      const size = parseFloat(getComputedStyle(spans[0] || element).fontSize) * scale;
      const tall = bounds.height / (size * 1.17);
      if (tall < 1.5) boxes.push([bounds.left, bounds.right, bounds.top + size * 0.25,
                                  bounds.bottom - size * 0.22, words]);
    }
    boxes.sort((a, b) => a[2] - b[2]);
    boxes.forEach((a, i) => {
      for (let j = i + 1; j < boxes.length && boxes[j][2] < a[3]; j++) {
        const b = boxes[j];
        found.pairs += 1;
        if (a[0] < b[1] - 0.5 && b[0] < a[1] - 0.5) found.overlaps.push(`${a[4]} | ${b[4]}`);
      }
    });
  }
  return found;
}"""


def executable() -> str | None:
    """A Chromium of this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for many pages; without one the tests are skipped, but for CI, where they fail."""
    path = executable()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs a Chromium: apt-get install chromium")
        pytest.skip("no Chromium on this machine")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()
