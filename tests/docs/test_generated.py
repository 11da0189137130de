"""Files of the documentation that are made from tables are fresh, and leave nothing out."""

import re
from pathlib import Path

import pytest

import warpsim as ws
from docs.make import generated, pictures
from docs.make.reference import json_page
from tests.support.evidence import compared
from tests.support.paths import HEADERS, PACKAGE, ROOT

#: the schema of a file that is no JSON
CHECKPOINT = "warpsim.sweep/2"
SOURCES = PACKAGE


@pytest.mark.slow
@pytest.mark.parametrize("path", generated.FILES, ids=lambda path: path.name)
def test_generated_file_is_fresh(path: Path) -> None:
    found = path.read_text(encoding="utf-8") if path.exists() else ""
    assert found == generated.FILES[path](), "stale: python3 -m docs.make.generated"


def test_generated_pictures_are_all_that_there_are_and_shown() -> None:
    pages = [*generated.DOCS.glob("*.md"), *pictures.FOLDER.parent.glob("*.md")]
    shown = {
        (page.parent / picture).resolve()
        for page in pages
        for picture in re.findall(r"\]\(([^)\s]*pictures/\w+\.svg)\)", page.read_text("utf-8"))
    }
    there = set(pictures.FOLDER.iterdir())
    assert {path for path in generated.FILES if path.parent == pictures.FOLDER} == there
    assert {path for path in shown if path.parent == pictures.FOLDER} == there


def test_json_page_has_every_schema_of_the_package() -> None:
    files = [path for end in ("py", "pxi") for path in SOURCES.rglob(f"*.{end}")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    schemas = set(re.findall(r'"(warpsim\.\w+/\d+)"', text))
    assert {*json_page.shown(), CHECKPOINT} == schemas
    compared("schemas", len(schemas), at_least=11)


def test_c_api_page_has_every_public_call() -> None:
    headers = "\n".join(path.read_text(encoding="utf-8") for path in HEADERS.rglob("*.h"))
    public = set(re.findall(r"^WS_PUBLIC [^;{(]*?\b(ws_\w+)\(", headers, re.MULTILINE))
    cython = (ROOT / "src" / "warpsim" / "__init__.pxd").read_text(encoding="utf-8")
    shown = set(re.findall(r"\bws_\w+", (generated.DOCS / "reference" / "c_api.md").read_text(encoding="utf-8")))
    assert not (public | set(re.findall(r"\bws_\w+", cython))) - shown
    compared("public calls on the page of the C API", len(public), at_least=30)


def test_api_pages_have_every_public_name() -> None:
    pages = (generated.DOCS / "reference" / "api").glob("*.md")
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    names = re.findall(r"^\.\. (?:auto\w+|py:\w+):: (?:warpsim\.)?(\w+)$", text, re.MULTILINE)
    assert sorted(names) == sorted(ws.__all__)
    compared("public names on the pages of the API", len(names), at_least=len(ws.__all__))
