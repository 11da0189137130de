"""docs/explain/trust.md says what the long runs found, and every gate holds."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from docs.make import trust_page
from docs.make.trust_page import PROMISES, SHARE, Promise
from tests.support.evidence import compared
from tests.support.paths import INCLUDE, ROOT, TESTS
from tests.support.process import ended, run
from tools import records


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.says)
def test_promise_is_kept(promise: Promise) -> None:
    record = records.read().get(promise.record)
    assert record is None or promise.holds(record.figures), record
    again = record and record.again
    assert again is None or promise.holds(again.figures, SHARE), again
    assert (ROOT / promise.test).is_file()


#: that the page of trust may be behind
MOST_COMMITS = 200


@pytest.fixture(scope="module")
def history() -> None:
    """Skips where commits cannot be looked up: in an sdist, in a shallow clone."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git history: these files are not a clone")
    if records.git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("a shallow clone: run git fetch --unshallow")


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize("name", records.read())
def test_record_is_of_a_commit_that_is_there_and_of_its_sources(name: str) -> None:
    record = records.read()[name]
    for one in (record, record.newest):
        below = ended("git", "merge-base", "--is-ancestor", one.commit, "HEAD")
        assert below.returncode == 0, f"{one.commit} is not below HEAD: {below.stderr}"
        assert one.sources == records.sources_of(one.commit, name)


def checkout(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small repository of which tools.records is made to keep records."""
    monkeypatch.setattr(records, "ROOT", folder)
    monkeypatch.setattr(records, "FILE", folder / "records.json")
    monkeypatch.setattr(records, "OF", {})
    for name in ("csrc", "src", "docs"):
        (folder / name).mkdir()
        (folder / name / "text").write_text("one\n")
    records.FILE.write_text("{}\n")
    records.git("init", "-q")
    commit("-qam", "one")


def commit(*arguments: str) -> None:
    records.git("add", "-A")
    records.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", *arguments)


def test_record_keeps_commit_and_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path, monkeypatch)
    records.write("one", records.commit_to_record(), {"calls": 3}, "python3 -m one")
    (record,) = records.read().values()
    assert record.commit == records.git("rev-parse", "--short=10", "HEAD")
    assert (record.command, record.again, record.newest) == ("python3 -m one", None, record)
    (tmp_path / "docs" / "text").write_text("two\n")
    commit("-q", "--amend", "-m", "another commit of the same sources")
    assert record.sources == records.sources_of("HEAD", "one")
    assert records.stale() == []
    (tmp_path / "src" / "text").write_text("two\n")
    commit("-qm", "other sources")
    assert records.stale() == [f"one: {record.commit}, {record.date}"]


def test_a_shorter_run_stands_beside_the_long_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path, monkeypatch)
    long, short = records.RUNS["forks"], records.SHORT["forks"]
    with pytest.raises(SystemExit, match="forks: there is no long run that a short one could follow"):
        records.write("forks", records.commit_to_record(), {"forks": 30}, short)
    records.write("forks", records.commit_to_record(), {"forks": 3000}, long)
    (tmp_path / "src" / "text").write_text("two\n")
    commit("-qm", "other sources")
    assert len(records.stale()) == 1
    for count in (30, 40):
        records.write("forks", records.commit_to_record(), {"forks": count}, short)
        record = records.read()["forks"]
        assert record.again is not None and record.newest == record.again
        assert (record.figures, record.again.figures, record.again.command) == (
            {"forks": 3000},
            {"forks": count},
            short,
        )
        assert records.stale() == []
    records.write("forks", records.commit_to_record(), {"forks": 2000}, long)
    assert records.read()["forks"].again is None


def test_a_record_speaks_of_its_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path, monkeypatch)
    monkeypatch.setattr(records, "OF", {"core": ("csrc",)})
    for name in ("core", "all"):
        records.write(name, records.commit_to_record(), {"calls": 3}, "python3 -m one")
    for folder, old in (("src", ["all"]), ("csrc", ["all", "core"])):
        (tmp_path / folder / "text").write_text("two\n")
        commit("-qm", "other sources")
        assert [line.partition(":")[0] for line in records.stale()] == old


def test_check_fails_for_what_is_old_and_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path, monkeypatch)
    for name in records.RUNS:
        records.write(name, records.commit_to_record(), {"calls": 3}, records.RUNS[name])
    monkeypatch.setattr(records, "OF", {name: ("docs",) for name in records.RUNS if name != "tests"})
    for name in records.OF:
        records.write(name, records.commit_to_record(), {"calls": 3}, records.RUNS[name])
    records.check()
    (tmp_path / "src" / "text").write_text("two\n")
    commit("-qm", "other sources")
    with pytest.raises(SystemExit, match=r"older than their code: python3 -m tools.records --renew\ntests: \w+, "):
        records.check()
    records.write("tests", records.commit_to_record(), {"calls": 3}, "python3 -m a_shorter_one")
    records.check()
    kept = json.loads(records.FILE.read_text())
    del kept["forks"]
    records.FILE.write_text(json.dumps(kept))
    with pytest.raises(SystemExit, match=r"\nforks: no record$"):
        records.check()


@pytest.mark.parametrize("name", [name for name in records.RUNS if name.startswith("fuzz_")])
def test_a_fuzzer_includes_only_folders_that_its_record_speaks_of(name: str) -> None:
    source = TESTS / "fuzz" / f"{name}.c"
    if not source.exists():  # all of them
        assert records.OF[name] == ("csrc",)
        return
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    told = run(compiler, "-MM", f"-I{INCLUDE}", source)
    headers = [Path(word).resolve().relative_to(ROOT) for word in re.findall(r"\S*/warpsim/\S+\.h", told)]
    unnamed = {str(header.parent) for header in headers} - {records.HEADERS}
    found = {folder for folder in unnamed if not folder.startswith(records.OF[name])}
    assert len(headers) >= 150 and not found


def test_short_forms_are_of_the_same_programs() -> None:
    for name, command in records.SHORT.items():
        assert shlex.split(command)[:3] == shlex.split(records.RUNS[name])[:3], name
    assert set(records.OF) <= set(records.RUNS)
    compared("campaigns with a short form", len(records.SHORT), at_least=15)


def test_nothing_is_recorded_where_files_have_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path, monkeypatch)
    (tmp_path / "records.json").write_text("{ }\n")
    records.commit_to_record()
    (tmp_path / "docs" / "text").write_text("two\n")
    with pytest.raises(SystemExit, match="commit before you record"):
        records.commit_to_record()


def test_gates_see_a_figure_that_is_too_small() -> None:
    """A gate must not pass any figures."""
    recorded = records.read()
    for promise in (promise for promise in PROMISES if promise.record in recorded):
        figures = recorded[promise.record].figures
        nothing = {name: 0 if not isinstance(value, str) else "" for name, value in figures.items()}
        assert not promise.holds(nothing | {"broken": 1, "errors": 1, "longest_milliseconds": 1000})
    compared("promises of the page of trust", len(PROMISES), at_least=30)


@pytest.mark.usefixtures("history")
def test_page_is_fresh() -> None:
    """Of the commit that it names, which is not long ago."""
    text = trust_page.PAGE.read_text(encoding="utf-8")
    (at,) = trust_page.AT.findall(text)
    assert text == trust_page.page(at), "stale: python3 -m docs.make.trust_page"
    assert int(records.git("rev-list", "--count", f"{at}..HEAD")) <= MOST_COMMITS, (
        "old: python3 -m docs.make.trust_page"
    )


def test_share_is_of_lines_that_were_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path, monkeypatch)
    (tmp_path / "src" / "text").write_text("one\n" * 5)
    commit("-qm", "six lines, with that of csrc")
    records.write("all", records.commit_to_record(), {"calls": 3}, "python3 -m one")
    (record,) = records.read().values()
    assert records.share_of("all", record) == 1
    (tmp_path / "src" / "text").write_text("one\n" * 3 + "two\n" * 4)
    (tmp_path / "csrc" / "more").write_bytes(b"\0\1")
    commit("-qm", "four of eight lines are new")
    assert records.share_of("all", record) == 0.5
    monkeypatch.setattr(records, "OF", {"all": ("csrc",)})
    assert records.share_of("all", record) == 1


def test_every_record_is_shown() -> None:
    shown = {promise.record for promise in PROMISES}
    assert set(records.read()) <= set(records.RUNS) == shown
    assert len(records.read()) >= len(records.RUNS) - 2


def test_commands_name_programs_that_are_there() -> None:
    for command in (*records.RUNS.values(), *records.SHORT.values()):
        program, option, module, *words = shlex.split(command)
        assert (program, option) == ("python3", "-m")
        if module == "pytest":
            assert all((ROOT / word).is_file() for word in words[2:])
        else:
            assert (ROOT / module.replace(".", "/")).with_suffix(".py").is_file(), command


def test_contributing_names_every_command() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for command in records.RUNS.values():
        module = shlex.split(command)[2]
        assert module in text, f"CONTRIBUTING.md does not name {module}"


@pytest.mark.parametrize(
    "printed, figures",
    [
        ('some words\nfigures: {"calls": 3}\n', {"calls": 3}),
        (
            "=== compared ===\n    1,027  links\n        2  forks\n=== 5 passed in 1s ===\n",
            {"passed": 5, "links": 1027, "forks": 2},
        ),
    ],
)
def test_figures_are_read_from_what_a_run_prints(printed: str, figures: dict[str, int]) -> None:
    assert records.figures_in(printed) == figures


def test_run_that_told_no_figures_is_no_record() -> None:
    with pytest.raises(AssertionError, match="told no figures"):
        records.figures_in("=== 5 passed in 1s ===\n")


def test_what_was_found_is_held_by_a_test_that_is_there() -> None:
    """Rows of "What was found": the last column is a test, or an input that fuzzers replay."""
    text = trust_page.PAGE.read_text(encoding="utf-8").split("## What was found")[1]
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    tests = "\n".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    held = [re.findall(r"`([^`]+)`", row[-2]) for row in rows if "---" not in row[1]]
    for names in held:
        assert names
        for name in names:
            is_input = (TESTS / "fuzz" / "found" / name).is_file()
            assert is_input or (TESTS / name).is_file() or f"def {name}(" in tests, name
    compared("faults that the page of trust names", len(held), at_least=30)
