"""The documentation, built and opened in a browser: no warning, no request to elsewhere."""

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

import warpsim as ws
from tests.support.browser import chromium
from tests.support.evidence import compared
from tests.support.paths import DOCS
from tests.support.process import run
from warpsim import paths

pytestmark = pytest.mark.slow

READERS = ((1280, "light"), (390, "dark"))
#: pages that have no source
MADE_BY_SPHINX = {"genindex.html", "search.html"}
FETCHES = re.compile(r'<(?:script|img|iframe|link|source)[^>]*\s(?:src|href)="((?:https?:)?//[^"]*)"')
LINKS = re.compile(r'<a [^>]*href="(https?://[^"]*)"')


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for needed in ("furo", "sphinx_copybutton", "sphinx_design"):
        pytest.importorskip(needed)
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html"]
    run(*command, DOCS, folder)
    return folder


def pages(built: Path) -> list[Path]:
    explorer = built / "explorer.html"  # as it is in the package
    return [path for path in built.rglob("*.html") if path.name not in MADE_BY_SPHINX and path != explorer]


def test_docs_every_source_is_a_page(built: Path) -> None:
    sources = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")}
    assert {path.relative_to(built).with_suffix("") for path in pages(built)} == sources
    compared("pages of the documentation", len(sources), at_least=40)


def test_docs_carry_the_explorer(built: Path) -> None:
    assert (built / "explorer.html").read_bytes() == paths.explorer().read_bytes()
    links = re.findall(r'href="\.\./explorer\.html#', (built / "howto" / "explorer.html").read_text())
    assert len(links) == 9


def test_docs_name_no_file_of_another_host(built: Path) -> None:
    links: Counter[str] = Counter()
    for path in pages(built):
        text = path.read_text(encoding="utf-8")
        assert not FETCHES.findall(text), path
        links.update(LINKS.findall(text))
    for path in built.rglob("*.css"):
        assert not re.findall(r"url\([\"']?(?:https?:)?//", path.read_text("utf-8")), path
    print("\n".join(f"{count:>4}  {link}" for link, count in sorted(links.items())))
    compared("links to other hosts, listed and not followed", len(links), at_least=10)


def test_docs_rules_can_be_linked_to_by_identifier(built: Path) -> None:
    text = (built / "reference" / "rules.html").read_text(encoding="utf-8")
    ids = re.findall(r'id="(WS-[A-Z]+-\d+)"', text)
    assert all(f'id="{id_.lower()}"' in text for id_ in ids)
    compared("anchors of rules in the built page", len(ids), at_least=70)


def test_docs_api_has_every_public_name_and_all_types(built: Path) -> None:
    text = "\n".join(path.read_text("utf-8") for path in (built / "reference" / "api").glob("*.html"))
    assert not [name for name in ws.__all__ if not re.search(rf'id="(module-)?warpsim\.{name}"', text)]
    shown = [re.sub(r"<[^>]+>", "", one) for one in re.findall(r'<em class="sig-param">(.*?)</em>', text, re.DOTALL)]
    typed = [one for one in shown if ": " in one]
    assert {one for one in shown if one not in typed} <= {"*", "/"}
    compared("parameters with types on the pages of the API", len(typed), at_least=200)


def test_docs_copy_button_takes_commands_without_prompts_and_outputs(built: Path) -> None:
    with chromium() as browser:
        page = browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
        page.goto((built / "howto" / "kernels.html").as_uri())
        for number, (begin, end) in {0: ("import numpy", "max_threads"), -1: ("warpsim run", "echo $?")}.items():
            page.locator("button.copybtn").nth(number).click(force=True)
            page.wait_for_function(f"navigator.clipboard.readText().then(text => text.trim().endsWith({end!r}))")
            lines = page.evaluate("navigator.clipboard.readText()").splitlines()
            assert lines[0].startswith(begin)
            assert not [line for line in lines if not line or line.startswith((">>>", "...", "$ ", "True"))]


def test_docs_in_a_browser_are_quiet_and_fit(built: Path) -> None:
    wrong: list[str] = []
    opened = 0
    with chromium() as browser:
        for width, scheme in READERS:
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
            events: list[str] = []
            page.on("console", lambda message, to=events: to.append(f"console: {message.text}"))
            page.on("pageerror", lambda error, to=events: to.append(f"error: {error}"))
            page.on("request", lambda request, to=events: to.append(request.url))
            for path in pages(built):
                events.clear()
                page.goto(path.as_uri())
                others = [event for event in events if not event.startswith(built.as_uri())]
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    others.append(f"{wide} wide")
                wrong += [f"{path.relative_to(built)}, {width} px: {what}" for what in others]
                opened += 1
    assert not wrong, "\n".join(wrong[:40])
    compared("pages of the documentation opened in a browser", opened, at_least=80)
