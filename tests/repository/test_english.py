"""Texts for users are plain English: a few phrases that nobody says aloud do not occur in them."""

import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.evidence import compared
from tests.support.paths import ROOT

PHRASES = re.compile(r"\bis\s+none\b|\bis\s+no\s|\b[Bb]ut\s+for\s|\s[Bb]ehind\s|\b[Mm]end(?:ed|s|ing)?\b")
#: what the tool prints is checked where it is written, not again where a page quotes it
QUOTED = re.compile(r"^```console\n.*?^```$", re.MULTILINE | re.DOTALL)
MADE_OF_MESSAGES = ROOT / "docs" / "reference" / "rules.md"
#: comments and characters of C, or neighbouring string literals as group 1
C_TEXT = re.compile(r"""/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\])+'|((?:"(?:\\.|[^"\\\n])*"[\s\\]*)+)""", re.DOTALL)
PYTHON_TEXT = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
BETWEEN = (tokenize.NL, tokenize.COMMENT)

Texts = Iterator[tuple[Path, str]]


def pages() -> Texts:
    """The pages written by hand or from tables."""
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        if path != MADE_OF_MESSAGES:
            yield path, QUOTED.sub("", path.read_text("utf-8"))


def python_texts() -> Texts:
    """String literals of the package, docstrings included; neighbours are one."""
    for path in (ROOT / "src").rglob("*.p[yx]*"):
        text = last = ""
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type in PYTHON_TEXT:
                    body = re.sub(r"""^\w*("{3}|'{3}|"|')|("{3}|'{3}|"|')$""", "", token.string)
                    text += body if last == "text" else f"\n{body}"
                    last = "text"
                elif token.type not in BETWEEN:
                    last = ""
        yield path, text


def c_texts() -> Texts:
    """String literals of the core; neighbours are one."""
    for path in (ROOT / "csrc").rglob("*.h*"):
        found = (m[1] for m in C_TEXT.finditer(path.read_text("utf-8")) if m[1])
        yield path, "\n".join(re.sub(r'"[\s\\]*"', "", text) for text in found)


def web_texts() -> Texts:
    for end in ("js", "html"):
        for path in (ROOT / "web").rglob(f"*.{end}"):
            yield path, path.read_text("utf-8")


#: who writes texts -> the least number of files and of lines
WRITERS: dict[Callable[[], Texts], tuple[int, int]] = {
    pages: (40, 3000),
    python_texts: (40, 500),
    c_texts: (80, 1000),
    web_texts: (10, 1000),
}


@pytest.mark.parametrize("texts", WRITERS, ids=lambda texts: texts.__name__)
def test_texts_are_plain_english(texts: Callable[[], Texts]) -> None:
    wrong, files, lines = [], 0, 0
    for path, text in texts():
        files += 1
        lines += text.count("\n") + 1
        for phrase in PHRASES.finditer(text):
            near = " ".join(text[max(0, phrase.start() - 50) : phrase.end() + 30].split())
            wrong.append(f"{path.relative_to(ROOT)}: ... {near} ...")
    assert not wrong, "\n".join(wrong)
    least_files, least_lines = WRITERS[texts]
    compared(f"files of plain English, {texts.__name__}", files, at_least=least_files)
    compared(f"lines of plain English, {texts.__name__}", lines, at_least=least_lines)


@pytest.mark.parametrize("phrase", ["is none: try", "is no\nfile", "but for one", "is mended", "a behind b"])
def test_phrases_are_seen(phrase: str) -> None:
    assert PHRASES.search(phrase)


@pytest.mark.parametrize("phrase", ["x is None", "is not a file", "recommend", "amend", "except for one"])
def test_english_is_left_alone(phrase: str) -> None:
    assert not PHRASES.search(phrase)
