"""The pages say what their commands print, their pictures are fresh, the index lists the questions."""

import re
from pathlib import Path

import pytest

from docs.make import console, pages
from tests.support.evidence import compared

QUESTIONS = 15
MOST_LINES = 10
PAGE = """# Is it true?

```console
$ warpsim conflicts "ldmatrix.sync.aligned.m8n8.x1.shared.b16" --address "lane % 8 * 16"
No bank conflicts: 1 wavefront, one is the fewest possible.
ldmatrix.sync.aligned.m8n8.x1.shared.b16
  --address lane % 8 * 16
1 wavefront (1 ideal), 0 bank conflicts, 1 request
...
$ warpsim layout nonsense 2>/dev/null
$ echo $?
1
```
"""


def write(folder: Path, text: str) -> Path:
    page = folder / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text(text, "utf-8")
    return page


#: the page that everybody reads, and the others
PAGES = [
    pytest.param(page, marks=[] if page.stem == "README" else [pytest.mark.slow], id=page.stem)
    for page in pages.pages()
]


@pytest.mark.parametrize("page", PAGES)
def test_page_says_what_its_commands_print(page: Path) -> None:
    done = pages.run(page)
    if done.stale:
        pytest.fail("\n".join(["stale: python3 -m docs.make.pages", *map(str, done.stale)]))
    compared("commands shown in the docs", done.commands, at_least=1)
    if done.files:
        compared("pictures written by them", len(done.files), at_least=1)


def test_index_lists_the_questions() -> None:
    shown = pages.INDEX.read_text("utf-8")
    assert shown == pages.index(), "stale: python3 -m docs.make.pages"
    compared("questions in the index", len(re.findall(r"^- \[.+\?\]", shown, re.M)), at_least=QUESTIONS)


MOST_README_LINES = 130


def test_readme_fits_on_two_screens() -> None:
    assert len(pages.README.read_text("utf-8").splitlines()) <= MOST_README_LINES


def test_every_picture_is_made_and_shown() -> None:
    count = 0
    for page in pages.pages():
        text = page.read_text("utf-8")
        made = re.findall(r"-o (\S+\.svg)", text)
        shown = set(re.findall(r"!\[[^]]+\]\(([^)\s]+\.svg)\)", text))
        assert shown >= set(made), f"{page}: made and not shown"
        count += len(made)
    compared("pictures shown in the docs", count, at_least=QUESTIONS)
    made = {
        page.parent / name for page in pages.questions() for name in re.findall(r"-o (\S+)", page.read_text("utf-8"))
    }
    assert made == set((pages.DOCS / "howto").glob("*/pictures/*")), "a picture that no page makes"


@pytest.mark.parametrize("page", pages.questions(), ids=lambda page: page.stem)
def test_the_answer_to_a_question_is_one_command_or_ten_lines_and_a_picture(page: Path) -> None:
    text = page.read_text("utf-8")
    title, said, answer = pages.answer(page)
    assert title.endswith("?") and len(said) > 40
    if answer.startswith("warpsim "):
        assert "\n" not in answer.replace("\\\n", " ")
    else:
        assert 0 < len(answer.splitlines()) <= MOST_LINES
    assert re.search(r"!\[[^]]+\]\(pictures/", text), "a page shows a picture"


def test_all_questions_are_there() -> None:
    numbers = [int(page.name[:2]) for page in pages.questions()]
    assert numbers == list(range(1, QUESTIONS + 1))


def test_links_between_files_lead_somewhere() -> None:
    links, lost = 0, []
    for page in (*pages.README.parent.glob("*.md"), *pages.DOCS.rglob("*.md")):
        for link in re.findall(r"\]\(([^)#\s:]+)(?:#[^)\s]*)?\)", re.sub(r"`[^`]*`", "", page.read_text("utf-8"))):
            links += 1
            lost += [f"{page.name}: {link}"] * (not (page.parent / link).exists())
    assert not lost
    compared("links between files", links, at_least=300)


def test_fresh_page_passes_and_counts_its_commands(tmp_path: Path) -> None:
    page = write(tmp_path, PAGE)
    done = pages.run(page, page.parent)
    assert (done.stale, done.commands, done.text) == ((), 3, PAGE)


def test_stale_output_names_page_command_and_difference(tmp_path: Path) -> None:
    page = write(tmp_path, PAGE.replace("1 wavefront (1", "2 wavefronts (1"))
    done = pages.run(page, page.parent)
    (stale,) = done.stale
    told = str(stale)
    assert told.startswith(f'{page}:4: warpsim conflicts "ldmatrix')
    assert "-2 wavefronts (1 ideal)" in told
    assert "+1 wavefront (1 ideal)" in told
    assert done.text == PAGE  # and the page is fixed, with its cut


def test_stale_exit_status_is_seen(tmp_path: Path) -> None:
    page = write(tmp_path, PAGE.replace("\n1\n```", "\n0\n```"))
    assert [stale.what for stale in pages.run(page, page.parent).stale] == ["echo $?"]


def test_stale_picture_is_seen(tmp_path: Path) -> None:
    op, where = "ld.shared.b32", "lane * 4"
    text = f'```console\n$ warpsim conflicts {op} --address "{where}" -o pictures/a.svg\n```\n'
    page = write(tmp_path, text)
    (missing,) = pages.run(page, page.parent).stale
    assert missing.what == "pictures/a.svg"
    picture = page.parent / "pictures" / "a.svg"
    picture.parent.mkdir()
    picture.write_bytes(pages.run(page, page.parent).files["pictures/a.svg"])
    assert pages.run(page, page.parent).stale == ()
    picture.write_text("old")
    assert len(pages.run(page, page.parent).stale) == 1


def test_usage_error_in_a_page_is_stale_unless_it_is_shown(tmp_path: Path) -> None:
    page = write(tmp_path, "```console\n$ warpsim conflicts\n```\n")
    output, status = pages.run(page, page.parent).stale
    assert "+usage: warpsim conflicts" in output.difference
    assert status.difference.startswith("exit status 2")
    page.write_text(output_and_status(pages.run(page, page.parent).text))
    assert pages.run(page, page.parent).stale == ()


def output_and_status(text: str) -> str:
    """The same page with the exit status of its last command."""
    return text.removesuffix("```\n") + "$ echo $?\n2\n```\n"


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a b", "a b", True),
        ("a ...", "a", True),
        ("a ... d", "a b c d", True),
        ("... c ...", "a b c d", True),
        ("a ... c", "a b c d", False),
        ("a b", "a b c", False),
        ("... x", "a b", False),
    ],
)
def test_cut_matches_any_number_of_lines(expected: str, printed: str, same: bool) -> None:
    assert console.matches(expected.split(), printed.split()) is same


def test_cut_output_keeps_its_cuts() -> None:
    printed = ["head 2", "1", "2", "total: 7", "3", "end 2"]
    expected = ["head 1", "...", "total: 3", "...", "end 1"]
    assert console.cut(expected, printed) == ("head 2", "...", "total: 7", "...", "end 2")
    assert console.cut(["all"], printed) == tuple(printed)


def test_continued_command_is_one_command() -> None:
    (command,) = console.commands("$ warpsim tile \\\n    64x64:f16\nout\n", 1)
    assert command.text.split() == ["warpsim", "tile", "64x64:f16"]
    assert command.output == ("out",)
